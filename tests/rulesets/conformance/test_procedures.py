"""Every procedure of every ruleset: opened, gone through, disturbed, and taken back."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Mapping
from functools import partial
from uuid import UUID, uuid4

import pytest
from django.urls import reverse
from django.utils.html import strip_tags

from campaigns.errors import ServiceError
from campaigns.models import Event, Written
from characters.models import Character
from rolls.models import Procedure, ProcedureStep, Roll
from rolls.procedures import ProcedureKind
from rolls.registry import RULESETS
from rolls.services.procedures import take_back_step
from rules import acting
from rules.acts import Actor
from rules.messages import NAMED, message_of
from rules.procedures import OPEN
from tests.dice import load, unload
from tests.dom import parse
from tests.flows.robot import Robot
from tests.following import followed_and_reloaded
from tests.rulesets.conformance.play import At, answers, changes_of, make_second, stored, typed_again, undone
from tests.standing import state_for


def what_procedures_offer_and_ask_for_is_whole(at: At) -> None:
    """Buttons have words, rolls are of characters that are in it, and who is waited for has something to do."""
    for procedure in Procedure.objects.filter(campaign=at.cast.campaign, closed_at=None):
        rules, kind = at.ruleset.procedures[procedure.kind], procedure.kind
        state = state_for(procedure, is_gm=True)
        row, table = state
        asked, offered, waited = row.requests(table), rules.available(state, Actor(is_gm=True)), row.waits(table)
        for available in offered:
            words = rules.button_words(state, available)
            assert words.strip(), f"{kind}: the button “{available.name}” has no words"
            assert not NAMED.search(words), f"{kind}: the button “{words}” names what it does not have"
        assert waited or not asked, f"{kind}: a roll is asked for, and `waits` names nobody"
        assert asked or offered or not waited, f"{kind}: `waits` names someone, and there is nothing that they could do"
        rolling = {roll.character for roll in asked} - {None}
        here = Character.objects.filter(campaign=at.cast.campaign, pk__in=rolling)
        assert here.count() == len(rolling), f"{kind}: who is to roll is nobody’s character here"


def test_what_begins_offers_only_characters_of_its_own_game(at):
    other = next(name for name in RULESETS if name != at.ruleset.name)
    for owner in (at.cast.other_player.member, None):
        Character.objects.create(campaign=at.cast.campaign, name="Elsewhere", system=other, owner=owner)
    strangers = {str(one.pk) for one in Character.objects.filter(campaign=at.cast.campaign, system=other)}
    for person in (at.cast.gm, at.cast.player, at.cast.other_player):
        forms = {kind: ("procedure_new", at.ruleset.name, kind) for kind, rules in at.ruleset.procedures.items()}
        if person is not at.cast.other_player:
            forms["its rolls"] = ("roll_form",)
        for what, (name, *args) in forms.items():
            url = reverse(name, args=[at.cast.campaign.slug, *args])
            answer = person.client.get(url, {"system": at.ruleset.name, "character": at.character.pk})
            drawn = parse(answer.content.decode()) if answer.status_code == 200 else parse("")
            offered = {node.attrs.get("value") for node in drawn.walk() if node.tag in ("option", "input")}
            assert not offered & strangers, f"{what} offers {person.member.name} a character of another game"


def undoes(at: At, steps: Collection[UUID], *, on_pages: bool = True) -> bool:
    """Undo as a GM does, at the last line or on the card, until there are no more than these steps. Return whether that could
    be; a refusal says why not."""
    while newest := ProcedureStep.objects.filter(procedure__campaign=at.cast.campaign).exclude(uid__in=steps).last():
        if not on_pages:
            try:
                take_back_step(at.cast.gm.member, newest.procedure_id, step=newest.uid, key=uuid4())
            except ServiceError as refused:
                assert refused.message
                return False
            continue
        told = Written.objects.filter(cause=newest.uid).exclude(told=None).values_list("told", flat=True).last()
        page = at.page(at.cast.gm, "table")
        if f"undo-{told}-form" in page:
            answer = at.post(at.cast.gm, "line_undo", told)
        elif newest.roll:
            answer = at.post(at.cast.gm, "roll_void", newest.roll.pk)
        else:  # no line tells it
            assert told is None and f"procedure-{newest.procedure_id}-back" in page, newest.procedure.kind
            answer = at.post(at.cast.gm, "procedure_back", newest.procedure_id, step=newest.uid)
        if answer.status_code >= 400:
            assert strip_tags(answer.content.decode()).strip()
            return False
    return True


def voids(at: At, roll: Roll, steps: Collection[UUID]) -> bool:
    """Void a roll as a GM does, and undo what else came with it. Return whether that could be."""
    answer = at.post(at.cast.gm, "roll_void", roll.pk, reason="slipped")
    return answer.status_code < 400 and undoes(at, steps)


def corrects(at: At, roll: Roll, chance: random.Random) -> bool:
    """Correct a roll as a GM does, to some other terms and back again. Return whether that could be; a refusal says why not."""
    form = at.ruleset.correction
    typed = typed_again(form, roll)
    changes = [*changes_of(form)]
    for changed in (("note", "in the rain"), *chance.sample(changes, min(4, len(changes)))):
        for terms in (typed | dict([changed]), typed):
            last = Roll.objects.get(pk=roll.pk)
            while hasattr(last, "corrected_by"):
                last = last.corrected_by
            answer = at.post(at.cast.gm, "roll_correct", last.pk, **terms)
            if answer.status_code >= 400:
                assert strip_tags(answer.content.decode()).strip()
                if terms is typed:
                    return False
                break
    return True


def by_value(there: Mapping[object, object]) -> dict[object, object]:
    """Return what stands on sheets and clocks, without the ids of rows, which are others once these were made again."""
    return {
        pk: without_ids(one) for pk, one in there.items() if not (isinstance(one, tuple) and isinstance(one[0], dict))
    }


def without_ids(value: object) -> object:
    if isinstance(value, dict):
        return {name: without_ids(one) for name, one in value.items() if name != "id"}
    return type(value)(map(without_ids, value)) if isinstance(value, list | tuple) else value


def makes_rolls(kind: ProcedureKind) -> bool:
    return any(getattr(kind.rows, name) is not getattr(acting.Procedure, name) for name in ("next_roll", "requests"))


def test_undo_void_and_correct_put_everything_back_as_it_was(at, samples):
    """Whatever is pressed or rolled in its procedures: once its steps are undone, or its roll voided, by what a GM presses,
    sheets, clocks and procedures are as before, and what began with it is over. A roll that is corrected, and back again, leaves
    what it left."""
    chance = random.Random(len(at.ruleset.procedures))
    other = make_second(at, samples)
    at.sign_in()
    unload()
    load(*(chance.randint(1, 6) for _ in range(500)))
    done: Counter[tuple[str, str]] = Counter()

    def happens(operation, tries=False):
        before, steps = stored(at), [*ProcedureStep.objects.values_list("uid", flat=True)]
        answer = operation(uuid4())
        taken = ProcedureStep.objects.exclude(uid__in=steps).select_related("procedure").first()
        # What is opened by hand, be it with a roll, is ended and not undone.
        if tries or not taken or taken.opens or taken.procedure_id not in before:
            return answer
        kind = taken.procedure.kind
        rolls = [one.roll for one in ProcedureStep.objects.exclude(uid__in=steps).exclude(roll=None)]
        ways = {"undo": partial(undoes, at, steps, on_pages=not done[kind, "undo"])}
        if rolls and not done[kind, "void"]:
            ways["void"] = partial(voids, at, rolls[-1], steps)
        for way, goes_back in ways.items():
            with undone():
                if goes_back():
                    after = stored(at)
                    assert {one: after[one] for one in before} == before, f"{kind}: {way}"
                    new = Procedure.objects.filter(campaign=at.cast.campaign, closed_at=None).exclude(pk__in=before)
                    assert not new, f"{kind}: {way}"
                    done[kind, way] += 1
        if rolls and not done[kind, "correct"]:
            stands = by_value(stored(at))
            with undone():
                if corrects(at, rolls[-1], chance):
                    after = by_value(stored(at))
                    assert {one: after[one] for one in stands} == stands, f"{kind}: correct"
                    done[kind, "correct"] += 1
        return answer

    robot = Robot(at.cast, happens, own=[{}, *answers(at, samples)])
    for _ in robot.settles():
        pass
    wanted = {(kind, "undo") for kind in at.ruleset.procedures}
    rolling = [kind for kind, rules in at.ruleset.procedures.items() if makes_rolls(rules)]
    wanted |= {(kind, way) for kind in rolling for way in ("void", "correct")}
    for kind, begin in samples.begun.items():
        if any(one == kind for one, _ in wanted - (+done).keys()):
            before = set(Procedure.objects.values_list("pk", flat=True))
            begin(at, other)
            for procedure in Procedure.objects.filter(closed_at=None).exclude(pk__in=before):
                for press in [*robot.can_do("gm", procedure)]:
                    with undone():
                        happens(partial(robot.answer, press))
    missed = wanted - (+done).keys()
    assert not missed, f"This was not done: {missed}. See BEGUN in samples.py."


@pytest.mark.parametrize(("disturbed", "rolls_first"), [(False, True), (True, False)])
def test_its_procedures_go_on_whatever_is_pressed_taken_back_or_corrected(at, samples, disturbed, rolls_first):
    """Everything that can be opened is opened, and some buttons are pressed; with and without rolls that are voided and
    corrected in between, and with every roll made before anything else is pressed.
    """
    chance, gm = random.Random(len(at.ruleset.procedures)), at.cast.gm
    make_second(at, samples)
    at.sign_in()
    unload()
    load(*(chance.randint(1, 4) for _ in range(500)))

    def happens(operation, tries=False):
        return operation(uuid4())

    form = at.ruleset.correction
    robot = Robot(at.cast, happens, own=[{}, *answers(at, samples)], rolls_first=rolls_first)
    known = {roll.pk for roll in at.rolls.values()}
    for _ in robot.settles():
        what_procedures_offer_and_ask_for_is_whole(at)
        fallen = Roll.objects.filter(campaign=at.cast.campaign, voided_at=None).exclude(pk__in=known)
        for roll in fallen.order_by("-at")[: int(disturbed)]:
            if chance.random() < 0.3:
                at.post(gm, "roll_void", roll.pk)
            elif chance.random() < 0.5 and (changes := list(changes_of(form))):
                name, value = chance.choice(changes)
                at.post(gm, "roll_correct", roll.pk, **typed_again(form, roll) | {name: value})
        # The robot reads the GM's.
        at.page(at.cast.player, "table")
    payloads = [event.payload for event in Event.objects.filter(campaign=at.cast.campaign)]
    for line in (str(message_of(payload["line"])) for payload in payloads if payload.get("line")):
        assert not NAMED.search(line), f"the line “{line}” names what the act neither takes, nor asks for, nor returns"
    opened = {kind for _, kind in robot.opened}
    offered = {kind for kind, rules in at.ruleset.procedures.items() if OPEN in rules.forms}
    assert not offered or opened, f"None of {offered} could be opened."
    for who in (gm, at.cast.player, at.cast.spectator):
        _, differing = followed_and_reloaded(who, at.cast.campaign)
        assert not differing
