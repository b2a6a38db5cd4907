"""A GM undoes the last line of whatever can be undone: everything is as before, or nothing is, and a sentence says why."""

from __future__ import annotations

from functools import partial
from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.events import SAID
from campaigns.live.render import render_body, to_text
from campaigns.models import Clock, ClockKind, Event, Role, Written
from campaigns.models.members import TABLE
from campaigns.services.clocks import Draft, archive_clock, make_clock, tick_clock
from campaigns.services.log_entries import amend_words, last_words
from characters.models import Character
from characters.services.fields import add_row, set_field
from rolls.models import Procedure, Roll
from rolls.queries.checking import faults
from rolls.services.procedures import close_procedure
from rolls.services.rolls import void_roll
from rolls.services.undoing import undo_line
from scale.models import Burn, Momentum, Scale
from scale.services.burns import bank_burn, choose_effect, take_burn
from tests.answers import queries
from tests.doors import send
from tests.racing import at_once
from tests.rulesets.arc.procedures import events as turns
from tests.rulesets.descriptors.table_of import table  # noqa: F401
from tests.rulesets.forged.procedures.scene import Crew
from tests.rulesets.forged.procedures.staged import inflicts, press, rolled
from tests.rulesets.forged.table.forged import scoundrel
from tests.rulesets.storyteller.procedures.test_attack import do, hit
from tests.sheets import rewrite

GRACE = (9, 9, 9, 5, 5)


def refreshment(ask):
    at = ask("table")
    rewrite(at.abigail, sheet={"will": 0, "power_1": True, "power_6": True})
    asked = at.begin(at.player, "refreshment", caller=str(at.abigail.pk), partner=str(at.bob.pk), name="")
    return lambda: at.do(at.other, asked, "agree", whom="partner")


def flashback(ask):
    crew = Crew(play := ask("play"))
    past = crew.begin("flashback", character=crew.cross.pk)
    crew.press(play.gm, past, "set", whom="1")
    return lambda: crew.press(play.mo, past, "accept", whom=str(crew.cross.pk))


def consequence(ask):
    play = ask("play")
    action = rolled(play, scoundrel(play), 2)
    inflicts(play.gm, action, "harm_2", words="Cut", clock=make_clock(play.gm, Draft("Alarm", 6), key=uuid4()).pk)
    press(play.gm, action, "finish")
    return lambda: press(play.mo, action, "take_it", "c1")


def soak(ask):
    play = ask("play")
    for who, sheet in ((play.silas, {"dexterity": 3, "brawl": 2, "strength": 2}), (play.corvina, {"stamina": 3})):
        rewrite(who, sheet=sheet | {"dexterity": 3, "athletics": 0, "lethal": 0})
    attack = hit(play)
    return lambda: do(play.other, attack, "soak", "target", 7, 5, 5)


def turn(ask):
    checks = ask("checks")
    fight = turns.begin(checks.gm, checks.silas)
    turns.do(fight, checks.gm, "outcome", words="a blow", whom="1", som=-2, becomes="")
    turns.do(fight, checks.mo, "wait", "Silas Grey")
    return lambda: turns.do(fight, checks.gm, "turn")


def end(ask):
    checks = ask("checks")
    fight = turns.begin(checks.gm, checks.silas)
    return lambda: close_procedure(checks.gm, fight.pk, key=uuid4())


def tick(ask):
    gm = ask("play").gm
    first = make_clock(gm, Draft("Dawn", 4, owner="crew"), key=uuid4())
    make_clock(gm, Draft("Noon", 4, ClockKind.LINKED, after=first), key=uuid4())
    tick_clock(gm, first, 3, key=uuid4())
    return lambda: tick_clock(ask("play").mo, first, 1, key=uuid4())


def field(ask):
    play = ask("play")
    return lambda: set_field(play.mo, play.silas, "willpower", 3, expected=6, key=uuid4())


def row(ask):
    play = ask("play")
    return lambda: add_row(play.mo, play.silas, "backgrounds", {"name": "Allies", "rating": 2}, key=uuid4())


def bank(ask):
    play = ask("play")
    play.roll(*GRACE)
    return lambda: bank_burn(play.mo, play.burn(Burn.State.OFFERED).pk, key=uuid4())


def die(ask):
    play = ask("play")
    play.roll(*GRACE)
    take_burn(play.mo, play.burn(Burn.State.OFFERED).pk, key=uuid4())
    return lambda: choose_effect(play.mo, play.burn(Burn.State.FIRED).pk, "die", key=uuid4())


SCENARIOS = [refreshment, flashback, consequence, soak, turn, end, tick, field, row, bank, die]


def standing():
    """Return all that is there to be played with, with what is seen of it."""
    procedures = Procedure.objects.filter(closed_at=None).order_by("pk")
    return {
        "sheets": [(one.name, one.retired_at, dict(one.values)) for one in Character.objects.order_by("pk")],
        "clocks": list(Clock.objects.order_by("pk").values("name", "filled", "opened", "archived_at")),
        "procedures": [(one.kind, one.state, one.cards) for one in procedures],
        "rolls": list(Roll.objects.filter(voided_at=None).order_by("pk").values_list("pk", flat=True)),
        "scales": list(Scale.objects.order_by("pk").values("value")),
        "burns": list(Burn.objects.order_by("pk").values("state", "effect")),
        "dice": [one.die_modifier for one in Momentum.objects.exclude(die_modifier=0)],
    }


def offered(person):
    """Return the events at whose lines a person’s table page offers to undo something."""
    page = person.client.get(reverse("table", args=[person.member.campaign.slug])).content.decode()
    return {str(uid) for uid in Event.objects.values_list("uid", flat=True) if f"undo-{uid}-form" in page}


def last_line():
    return Written.objects.exclude(told=None).latest("pk").told


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_what_was_done_last_is_undone_by_a_gm_alone(scenario, cast, request):
    finish = scenario(request.getfixturevalue)
    before, earlier = standing(), offered(cast.gm)
    finish()
    after, uid = standing(), last_line()
    assert after != before and str(uid) in offered(cast.gm)
    for name, refused in (
        ("player", 403),
        ("other_player", 403),
        ("spectator", 403),
        ("outsider", 404),
        ("removed", 404),
    ):
        person = cast.everybody[name]
        url = reverse("line_undo", args=[cast.campaign.slug, uid])
        assert person.client.post(url, {"key": uuid4()}).status_code == refused
        assert b"line-undo" not in person.client.get(reverse("table", args=[cast.campaign.slug])).content
    assert standing() == after
    assert send(cast.gm, "line_undo", uid).status_code == 200
    assert standing() == before and offered(cast.gm) == earlier
    again = send(cast.gm, "line_undo", uid)
    assert (again.status_code, "already undone" in again.content.decode()) == (409, True)
    assert standing() == before and not list(faults(cast.campaign))
    finish()
    assert str(last_line()) in offered(cast.gm)


def lines(role):
    """Return the words of the newest lines at the table, as one in this role reads them, the newest first."""
    there = Event.objects.filter(stream__name=TABLE).with_related().order_by("-pk")[:8]
    return [to_text(render_body(event, role)).strip() for event in there]


def test_what_began_with_an_undone_step_is_told_as_undone_and_not_as_standing(cast, request):
    refreshment(request.getfixturevalue)()
    send(cast.gm, "line_undo", last_line())
    assert "Gm undid “The GM may escalate”." in lines(Role.PLAYER)
    assert not [one for one in lines(Role.PLAYER) if "ended this" in one]


def test_what_a_step_said_is_struck_out_with_it(cast, request):
    refreshment(request.getfixturevalue)()
    at = request.getfixturevalue("table")
    at.do(at.gm, Procedure.objects.get(kind="escalation"), "use", words="The **rain** gets in.")
    said = Event.objects.filter(kind=SAID).latest("pk")
    amend_words(at.gm, said.uid, "The rain gets in.", key=uuid4())
    assert send(cast.gm, "line_undo", last_line()).status_code == 200
    assert last_words(said) == ""
    page = cast.player.client.get(reverse("table", args=[cast.campaign.slug])).content.decode()
    assert "Undone by Gm" in page and "<del" in page and "edited" in page
    assert len([one for one in lines(Role.PLAYER) if "edited" in one]) == 1
    assert not list(faults(cast.campaign))
    at.do(at.gm, Procedure.objects.get(kind="escalation"), "use", words="Fire.")
    assert send(cast.gm, "line_undo", last_line()).status_code == 200


def test_everyone_is_told_of_a_token_that_stands_again(cast, play):
    crew = Crew(play)
    loads = crew.begin("load")
    crew.press(play.mo, loads, "choose", whom=f"{crew.cross.pk}.normal")
    send(cast.gm, "line_undo", last_line())
    for role in (Role.GM, Role.PLAYER):
        assert "Gm undid the last step of “Loads: 0 of 2 chosen”." in lines(role)


def renamed_harm(ask):
    consequence(ask)()
    uid, cross = last_line(), Character.objects.get(name="Cross")
    (harm,) = cross.rules.rows(cross.values, "harm_2")
    set_field(ask("play").mo, cross, f"harm_2/{harm['id']}/name", "Scar", expected="Cut", key=uuid4())
    return uid, "Mo has changed “Cut” since, so this can’t be undone."


def changed_row(ask):
    play = ask("play")
    row(ask)()
    uid, silas = last_line(), Character.objects.get(pk=play.silas.pk)
    (added,) = silas.rules.rows(silas.values, "backgrounds")
    set_field(play.gm, silas, f"backgrounds/{added['id']}/rating", 3, expected=2, key=uuid4())
    return uid, "Gm has gone on since. Undo this first: Silas Grey: "


def used_right(ask):
    refreshment(ask)()
    uid = last_line()
    ask("table").do(ask("table").gm, Procedure.objects.get(kind="escalation"), "use", words="Fire.")
    return uid, "Gm has gone on since. Undo this first: "


def opened_clock(ask):
    tick(ask)()
    uid = last_line()
    tick_clock(ask("play").gm, Clock.objects.get(name="Noon"), 1, key=uuid4())
    return uid, "Gm has ticked “Noon” since, so this can’t be undone."


def archived_clock(ask):
    tick(ask)()
    uid = last_line()
    archive_clock(ask("play").gm, Clock.objects.get(name="Dawn"), key=uuid4())
    return uid, "This clock is archived."


def moved_scale(ask):
    play = ask("play")
    bank(ask)()
    uid = last_line()
    play.roll(*GRACE)
    return uid, "The Scale has moved since. First undo Mo’s roll"


def gone_on(ask):
    finish = flashback(ask)
    uid = last_line()
    finish()
    return uid, "Mo has gone on since. Undo this first: "


REFUSED = [renamed_harm, changed_row, used_right, opened_clock, archived_clock, moved_scale, gone_on]


@pytest.mark.parametrize("scenario", REFUSED)
def test_what_somebody_has_built_on_stays_and_the_refusal_says_who_did(scenario, cast, request):
    uid, words = scenario(request.getfixturevalue)
    before, told = standing(), Event.objects.count()
    answer = send(cast.gm, "line_undo", uid)
    assert answer.status_code in (409, 422, 423) and words in answer.content.decode()
    assert (standing(), Event.objects.count()) == (before, told)


def test_a_line_of_nothing_that_can_be_undone_says_so(play, cast):
    made = play.roll(7, 7, 5)
    assert send(cast.gm, "line_undo", made.event.uid).status_code == 409
    assert send(cast.gm, "line_undo", uuid4()).status_code == 404


def test_of_a_thing_the_last_line_alone_offers_it_and_the_one_before_does_again(cast, play):
    for value, expected in ((5, 6), (4, 5), (3, 4)):
        set_field(play.mo, play.silas, "willpower", value, expected=expected, key=uuid4())
    lines = [*map(str, Written.objects.exclude(told=None).order_by("pk").values_list("told", flat=True))]
    for left in (3, 2, 1):
        assert offered(cast.gm) == {lines[left - 1]}
        assert send(cast.gm, "line_undo", lines[left - 1]).status_code == 200
    assert not offered(cast.gm)


def test_a_roll_that_a_procedure_counted_is_voided_with_its_line(cast, play):
    finish = soak(lambda name: {"play": play}[name])
    earlier = offered(cast.gm)
    finish()
    void_roll(play.gm, Roll.objects.get(request__part="soak").pk, key=uuid4())
    assert offered(cast.gm) == earlier
    assert earlier == {str(last_line())}


def test_a_page_of_lines_asks_once_what_can_be_undone(cast, play):
    url = reverse("log", args=[cast.campaign.slug])
    cast.gm.client.get(url)
    few = queries(cast.gm.client, url)
    for value, expected in ((5, 6), (4, 5)):
        set_field(play.mo, play.silas, "willpower", value, expected=expected, key=uuid4())
        make_clock(play.gm, Draft(f"Dawn {value}", 4), key=uuid4())
        tick_clock(play.gm, Clock.objects.get(name=f"Dawn {value}"), 1, key=uuid4())
    assert queries(cast.gm.client, url) == few


@pytest.mark.django_db(transaction=True)
def test_two_gms_undo_at_once_and_one_of_them_does(cast, play):
    set_field(play.mo, play.silas, "willpower", 3, expected=6, key=uuid4())
    press_undo = [partial(undo_line, play.gm, last_line(), key=uuid4()) for _ in range(2)]
    answers = [str(one) for one in at_once(*press_undo) if one]
    assert answers == ["Someone has already undone this, or it can’t be undone."]
    assert Character.objects.get(pk=play.silas.pk).number("willpower") == 6
