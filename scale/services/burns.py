"""Burns: who may act on one, taking, banking and spending it, and its effects (scale.txt, Burns, Grace Burn, Trouble Burn)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any, TypeAlias
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from campaigns.errors import Blocked, Forbidden, Invalid, NotFound
from campaigns.kinds import EventKind
from campaigns.live.presence import alive
from campaigns.models import Campaign, Event, Membership, Role, Storyline
from campaigns.models.log import Subject
from campaigns.models.members import GM
from campaigns.services.log import UnitOfWork, compare_and_set, service, version
from campaigns.services.undo import caused, tell_undoable
from characters.models import Character
from characters.reasons import Reason
from characters.services.sheet_writes import get_character, in_play, take_steps
from characters.sheets.common import DISPOSITION
from characters.sheets.steps import Shift, Step
from languages.text import gettext_lazy
from rules.errors import RuleError, word
from rules.proof import Proven
from scale import events, words
from scale.counting import RULESETS, Gift
from scale.models import Burn, BurnSeen, Momentum, OracleTable, Scale, ScaleStep
from scale.queries.scale import (
    burn_payload,
    chooser_side,
    momentum_payload,
    player_of,
    scale_payload,
    settings_of,
    state_of,
)
from scale.rules import oracles
from scale.rules.scale import Answer, BurnKind, Effect, Side, State, answer, spend, spent_by, use_activation
from scale.rules.scale import effect as with_effect
from scale.services.scale import dice_changed, momentum_of, next_number, put, scale_of, write

GONE = {
    Burn.State.OFFERED: gettext_lazy("This Burn is no longer on offer."),
    Burn.State.BANKED: gettext_lazy("This Burn is no longer banked."),
    Burn.State.FIRED: gettext_lazy("This Burn’s effect has already been chosen."),
}


LONGEST_NOTE = 200


@contextmanager
def by_the_rules() -> Iterator[None]:
    """Raise a RuleError inside as Invalid, with its own message."""
    try:
        yield
    except RuleError as error:
        raise Invalid(error.message, field=error.field) from error


def burn_in(work: UnitOfWork, burn_id: UUID, state: Burn.State) -> Burn:
    """Return a Burn of this table that is in this state. Raises NotFound, or Blocked if somebody else was faster."""
    burn = _here(work, burn_id, major=False)
    if burn.state != state:
        raise Blocked(GONE[state])
    return burn


def _here(work: UnitOfWork, burn_id: UUID, *, major: bool) -> Burn:
    whole = Burn.objects.select_related("scale__character", "character__owner__user", "cause", "npc", "event__stream")
    burn = whole.filter(pk=burn_id, major=major, scale__campaign=work.campaign).first()
    if burn is None:
        raise NotFound
    return burn


def sides_of(work: UnitOfWork, character: Character, *, waits: bool = False) -> frozenset[Side]:
    """Return the sides the actor may take: that of the character's player, and the GM's.

    The GM sits in the player's place for NPCs, and for characters whose player has left the table or only watches; where the
    table `waits` for an answer, also for one whose page is not open now.
    """
    player = player_of(character)
    sides = {Side.GM} if work.by.is_gm else set()
    if player == work.by or (
        work.by.is_gm
        and (player is None or (waits and not alive(player.campaign_id).filter(membership=player).exists()))
    ):
        sides.add(Side.PLAYER)
    return frozenset(sides)


def must_be(work: UnitOfWork, character: Character, allowed: Iterable[Side], *, waits: bool = False) -> Side:
    """Return the side from which the actor does this. Raises Forbidden, saying whose choice it is."""
    allowed = frozenset(allowed)
    mine = sides_of(work, character, waits=waits) & allowed
    if not mine:
        player = player_of(character)
        whose = player.name if player and Side.PLAYER in allowed else _("the GM")
        if player and waits and work.by.is_gm:
            raise Forbidden(_("{name} is at the table and decides this.").format(name=player.name))
        raise Forbidden(_("Only {name} can decide this.").format(name=whose))
    return Side.PLAYER if Side.PLAYER in mine else Side.GM


def tell(
    work: UnitOfWork,
    kind: EventKind,
    scale: Scale,
    *,
    burn: Burn | None = None,
    who: Character,
    state: State | None = None,
    **payload: Any,
) -> Event:
    """Record an operation and keep it, with what it wrote for its own key, as a step of the Scale, which is in `state` now. `who`
    is the character it is about."""
    number = next_number(scale)
    whole = payload | {
        "burns": [burn_payload(burn)] if burn else [],
        "scale": scale_payload(scale, state) | {"step": number},
        "momentum": momentum_payload([who]),
    }
    event = work.record(kind, whole, subjects=[who.subject], parent=burn.event if burn else None)
    cause = burn.cause_id if burn else None
    ScaleStep.objects.create(scale=scale, uid=work.key, number=number, roll_id=cause, event=event)
    tell_undoable(work, work.key, f"scale:{scale.pk}", event.uid)
    return event


@service(Role.PLAYER, plays=True)
def take_burn(work: UnitOfWork, burn_id: UUID, *, key: UUID) -> Burn:
    """Take a Burn on offer now: it fires, and the Scale is back at 0. Its player does, or a GM for one who is absent."""
    burn = _offered(work, burn_id)
    with by_the_rules():
        after = answer(state_of(burn.scale), Answer.ACCEPT).after
    return _fire(work, burn, after, how="taken", by=Side.PLAYER)


@service(Role.PLAYER, plays=True)
def bank_burn(work: UnitOfWork, burn_id: UUID, *, key: UUID) -> Burn:
    """Keep a Burn on offer for later. The Scale stays where it is."""
    burn = _offered(work, burn_id)
    with by_the_rules():
        after = answer(state_of(burn.scale), Answer.BANK).after
    with caused(work, work.key):
        put(work, burn, state=Burn.State.BANKED)
    tell(work, events.BURN_BANKED, burn.scale, burn=burn, who=burn.character, state=after, automatic=False)
    return burn


@service(Role.PLAYER, plays=True)
def spend_banked(work: UnitOfWork, burn_id: UUID, *, key: UUID) -> Burn:
    """Fire a banked Burn, and put the Scale back at 0: Grace when its player says so, Trouble when its player or the GM does."""
    burn = burn_in(work, burn_id, Burn.State.BANKED)
    settings = settings_of(work.campaign)
    side = must_be(work, burn.character, spent_by(BurnKind(burn.kind), settings))
    with by_the_rules():
        after = spend(state_of(burn.scale), side, settings).after
    return _fire(work, burn, after, how="spent", by=side)


def _offered(work: UnitOfWork, burn_id: UUID) -> Burn:
    burn = burn_in(work, burn_id, Burn.State.OFFERED)
    must_be(work, burn.character, [Side.PLAYER], waits=True)
    return burn


def _fire(work: UnitOfWork, burn: Burn, after: State, *, how: str, by: Side) -> Burn:
    with caused(work, work.key):
        put(work, burn, state=Burn.State.FIRED)
        put(work, burn.scale, value=after.scale)
    tell(
        work,
        events.BURN_FIRED,
        burn.scale,
        burn=burn,
        who=burn.character,
        state=after,
        how=how,
        by_side=by.value,
    )
    return burn


BURNS = {
    BurnKind.GRACE: Reason("grace_burn", gettext_lazy("a Grace Burn")),
    BurnKind.TROUBLE: Reason("trouble_burn", gettext_lazy("a Trouble Burn")),
}
LONGEST_WORDS = 10_000


@service(Role.PLAYER, plays=True)
def choose_effect(
    work: UnitOfWork, burn_id: UUID, effect: str, *, words: str = "", npc: UUID | None = None, key: UUID
) -> Burn:
    """Choose the effect of a fired Burn: Grace its player (a GM for an absent one), Trouble the GM, and nobody else.

    `effect` is one of Effect. A disposition needs the `npc` it is about; a complication of Trouble that is none of
    COMPLICATIONS needs `words` (up to 10,000 characters) that describe it. A player's free activation waits until the GM
    finds it plausible.
    """
    burn = burn_in(work, burn_id, Burn.State.FIRED)
    must_be(work, burn.character, [chooser_side(burn)], waits=True)
    if burn.effect:
        raise Blocked(_("The GM is deciding whether this free activation is plausible."))
    with by_the_rules():
        picked = word("effect", effect, Effect)
    if len(words) > LONGEST_WORDS:
        raise Invalid(_("Write at most 10,000 characters."), field="words")
    if picked is Effect.DISCIPLINE and burn.kind == Burn.Kind.GRACE and not work.by.is_gm:
        with caused(work, work.key):
            put(work, burn, effect=picked.value, words=words.strip())
        tell(work, events.ACTIVATION_ASKED, burn.scale, burn=burn, who=burn.character)
        return burn
    if picked is Effect.DISCIPLINE and burn.kind == Burn.Kind.TROUBLE and not words.strip():
        raise Invalid(_("Say what goes wrong: a misfire, extra blood or unwanted attention."), field="words")
    _settle(work, burn, picked, words.strip(), _npc(work, npc) if picked is Effect.DISPOSITION else None)
    return burn


@service(Role.GM)
def decide_activation(work: UnitOfWork, burn_id: UUID, *, plausible: bool, key: UUID) -> Burn:
    """Find a free activation plausible, or not: then the player chooses another effect."""
    burn = burn_in(work, burn_id, Burn.State.FIRED)
    if not burn.effect:
        raise Blocked(_("No one is asking for a free activation any more."))
    if plausible:
        _settle(work, burn, Effect(burn.effect), burn.words, None)
    else:
        with caused(work, work.key):
            put(work, burn, effect="", words="")
        tell(work, events.ACTIVATION_REFUSED, burn.scale, burn=burn, who=burn.character)
    return burn


@service(Role.PLAYER, plays=True)
def use_free_activation(work: UnitOfWork, character_id: UUID, *, reason: str = "", key: UUID) -> Momentum:
    """Use one of a character's free activations. Raises Invalid when there is none."""
    characters = Character.objects.filter(campaign=work.campaign, pk=character_id).select_related("owner__user")
    character = characters.first()
    # An NPC that players do not know of answers like one that is not there.
    if character is None or (character.is_hidden and not work.by.is_gm):
        raise NotFound
    must_be(work, character, [Side.PLAYER])
    if len(reason) > LONGEST_NOTE:
        raise Invalid(_("A note can have up to {count} characters.").format(count=LONGEST_NOTE), field="note")
    scale = scale_of(work.campaign, character, settings_of(work.campaign))
    momentum = momentum_of(character)
    with by_the_rules():
        left = use_activation(state_of(scale, character)).free_activations
    with caused(work, work.key):
        put(work, momentum, free_activations=left)
    tell(work, events.ACTIVATION_USED, scale, who=character, character=character.ref, note=reason.strip())
    return momentum


def steps_of(work: UnitOfWork, character: Character, gift: Gift) -> Sequence[Step] | None:
    """Return the steps by which a character's sheet takes a gift; None if it has no place for it."""
    rules = RULESETS.get(character.system)
    return rules.gives(gift, character.sheet, work.campaign.settings) if rules else None


def _npc(work: UnitOfWork, npc: UUID | None) -> Character:
    if npc is None:
        raise Invalid(_("Choose whose opinion changes."), field="npc")
    # The choice is public, so it must be an NPC that everyone knows.
    character = Character.objects.known_to_all(work.campaign).filter(owner=None, pk=npc).first()
    if character is None:
        raise NotFound
    return character


def _settle(work: UnitOfWork, burn: Burn, picked: Effect, words: str, npc: Character | None) -> None:
    """Put the effect where it belongs and end the Burn. How far an NPC's disposition goes is the GMs' to know."""
    kind = BurnKind(burn.kind)
    with by_the_rules():
        left = with_effect(state_of(burn.scale, burn.character), kind, picked, chooser_side(burn))
    momentum = momentum_of(burn.character)
    with caused(work, work.key):
        put(work, momentum, die_modifier=left.die_modifier, free_activations=left.free_activations)
        if picked is Effect.DIE:
            dice_changed(work, burn.character)
        if npc:
            take_steps(work, get_character(work, npc), [Shift(DISPOSITION.name, kind.sign)], why=BURNS[kind])
        if picked is Effect.EXTRA_BLOOD and burn.character.retired_at is None:
            character = get_character(work, burn.character)
            if steps := steps_of(work, character, Gift(code="blood", name="Blood")):
                write(work, burn, steps, BURNS[kind])
        put(work, burn, state=Burn.State.SETTLED, effect=picked.value, words=words, npc_id=npc.pk if npc else None)
    tell(work, events.EFFECT_CHOSEN, burn.scale, burn=burn, who=burn.character)


# Major Burns and their oracles: the dice in the roll's own transaction, the narration, marks on sheets, and the oracle tables.
#
# A row is made when the GM first rewrites a table. Of the entries that a table starts with the log keeps nothing but the face:
# they are ours, and drawn when an event is read (scale/words.py).


Throw: TypeAlias = Callable[[UUID, str], Proven]
"""Throws dice in the open: `spec` such as "2d10", under an id that their faces depend on."""


def tables_of(campaign: Campaign) -> dict[str, tuple[oracles.Entry, ...]]:
    """Return every table's ten entries, for the faces 1 to 10, by the tables' names: the GM's, else those it started with."""
    rewritten = {table.name: table.entries for table in OracleTable.objects.filter(campaign=campaign)}
    return {
        name: tuple(
            oracles.Entry(**{**entry, "text": oracles.EARLIER.get(entry["text"], entry["text"])})
            for entry in rewritten[name]
        )
        if name in rewritten
        else ours
        for name, ours in oracles.STARTED_WITH.items()
    }


def entries_version(entries: Sequence[oracles.Entry]) -> str:
    """Return the `expected` of the two operations below."""
    return version({"entries": _plain(entries)})


@service(Role.GM)
def change_oracle(
    work: UnitOfWork, name: str, entries: Sequence[oracles.Entry], *, expected: str, key: UUID
) -> OracleTable | None:
    """Rewrite a table; `expected` is the version of the entries that the form showed.

    Raises Conflict, whose `current` is {"entries": [...]}, and Invalid for anything but ten entries.
    """
    if len(entries) != oracles.ENTRIES:
        raise Invalid(_("An oracle table needs {count} entries.").format(count=oracles.ENTRIES))
    now = _checked(work, name, expected)
    if _plain(now) == _plain(entries):
        return OracleTable.objects.filter(campaign=work.campaign, name=name).first()
    row = OracleTable.objects.update_or_create(
        campaign=work.campaign, name=name, defaults={"entries": _plain(entries)}
    )[0]
    _tell_change(work, name, now, entries)
    return row


@service(Role.GM)
def reset_oracle(work: UnitOfWork, name: str, *, expected: str, key: UUID) -> None:
    """Put back the entries a table started with; as `change_oracle`."""
    now = _checked(work, name, expected)
    if OracleTable.objects.filter(campaign=work.campaign, name=name).delete()[0]:
        _tell_change(work, name, now, oracles.STARTED_WITH[name], reset=True)


def _checked(work: UnitOfWork, name: str, expected: str) -> tuple[oracles.Entry, ...]:
    """Return the entries of a table. Raises Conflict if they have changed since `expected`."""
    now = tables_of(work.campaign)[name]
    compare_and_set(work.campaign, _subject_of(name), expected=expected, current={"entries": _plain(now)})
    return now


def _plain(entries: Sequence[oracles.Entry]) -> list[dict[str, Any]]:
    return [asdict(entry) for entry in entries]


def _tell_change(
    work: UnitOfWork, name: str, before: Sequence[oracles.Entry], after: Sequence[oracles.Entry], *, reset: bool = False
) -> None:
    changes = [
        {"face": face, "before": _told(name, face, old), "after": _told(name, face, new)}
        for face, (old, new) in enumerate(zip(before, after, strict=True), 1)
        if old != new
    ]
    work.record(
        events.ORACLE_CHANGED,
        {"oracle": name, "changes": changes, "reset": reset},
        stream=GM,
        subjects=[_subject_of(name)],
    )


def _told(name: str, face: int, entry: oracles.Entry) -> dict[str, Any] | None:
    """Return an entry for payloads; None if it is the table's original one."""
    return None if entry == oracles.STARTED_WITH[name][face - 1] else asdict(entry)


def _subject_of(name: str) -> Subject:
    return Subject(f"oracle:{name}", name)


LONGEST_NARRATION = 10_000
UNNARRATED = (Burn.State.OPEN, Burn.State.DEFERRED)


def consult_oracles(work: UnitOfWork, burn: Burn, reached: int, throw: Throw, *, public: bool) -> None:
    """Roll the oracles of a new Major Burn and keep every die on it. `reached` is where the roll took the Scale, ±8 or beyond;
    `public` says whether everyone may know that roll."""
    stories = list(_storylines(work, burn)[: oracles.STORY_SLOTS])
    dice = throw(burn.pk, "2d10")
    titles = [story.title for story in stories]
    fallen = oracles.major_burn(BurnKind(burn.kind), titles, dice, tables_of(work.campaign))
    burn.storyline = stories[fallen.slot - 1] if fallen.slot else None
    cause = str(burn.cause_id) if public else ""
    proof = dice.proof and dice.proof | {"cause": cause}
    burn.oracle = {"reached": reached, "dice": _dice(fallen), "asked": _asked(work), "proof": proof}
    burn.save(update_fields=["storyline", "oracle"])


def _storylines(work: UnitOfWork, burn: Burn) -> QuerySet[Storyline]:
    """Return the open storylines in order; for a character's own Scale those of its player and of the whole table."""
    storylines = Storyline.objects.filter(campaign=work.campaign, resolved_at=None)
    if burn.scale.character is None:
        return storylines
    return storylines.filter(Q(whose=None) | Q(whose=burn.scale.character.owner))


def _dice(fallen: oracles.MajorBurn) -> list[dict[str, Any]]:
    """Return every die in the order in which it fell, in the format of events.ORACLE; a new story has no title yet."""
    story = {"oracle": "story", "die": fallen.story_face, "title": fallen.story, "text": None}
    dice = (("reason", fallen.reason), (fallen.kind.value, fallen.result), ("second", fallen.second))
    return [story, *(_die(fallen.kind, oracle, die) for oracle, die in dice if die)]


def _die(kind: BurnKind, oracle: str, die: oracles.Consulted) -> dict[str, Any]:
    ours = oracles.STARTED_WITH[oracles.table_of(kind, oracle)][die.face - 1]
    theirs = die.entry if (die.entry.title, die.entry.text) != (ours.title, ours.text) else None
    said = {"title": theirs.title, "text": theirs.text} if theirs else {"title": None, "text": None}
    return {"oracle": oracle, "die": die.face, **said}


def _asked(work: UnitOfWork) -> int:
    return Membership.objects.active().filter(campaign=work.campaign).exclude(role=Role.SPECTATOR).count()


@service(Role.GM, plays=True)
def narrate_burn(work: UnitOfWork, burn_id: UUID, text: str, *, key: UUID) -> Burn:
    """Narrate what a Major Burn does to the scene: Markdown of 1 to 10,000 characters. Everyone reads it, and rolls go on."""
    burn = _unnarrated(work, burn_id)
    if not 1 <= len(text.strip()) <= LONGEST_NARRATION:
        raise Invalid(_("Write what happens, in up to 10,000 characters."), field="text")
    burn.words, burn.state = text.strip(), Burn.State.NARRATED
    burn.save(update_fields=["words", "state"])
    _tell(work, events.BURN_NARRATED, burn)
    return burn


@service(Role.GM)
def defer_burn(work: UnitOfWork, burn_id: UUID, *, key: UUID) -> Burn:
    """Let the rolls go on; the Major Burn stays in sight until it is narrated."""
    burn = _unnarrated(work, burn_id)
    if burn.state != Burn.State.OPEN:
        raise Blocked(_("This Major Burn has already been put off."))
    burn.state = Burn.State.DEFERRED
    burn.save(update_fields=["state"])
    _tell(work, events.BURN_DEFERRED, burn)
    return burn


@service(Role.PLAYER)
def see_burn(work: UnitOfWork, burn_id: UUID, *, key: UUID) -> BurnSeen:
    """Say that one has a Major Burn on screen. Said once, it is said; saying it again changes nothing."""
    burn = _unnarrated(work, burn_id)
    seen, new = BurnSeen.objects.get_or_create(burn=burn, member=work.by, defaults={"at": work.now})
    if new:
        _tell(work, events.BURN_SEEN, burn)
    return seen


def _unnarrated(work: UnitOfWork, burn_id: UUID) -> Burn:
    burn = Burn.objects.filter(pk=burn_id, major=True, scale__campaign=work.campaign).first()
    if burn is None:
        raise NotFound
    if burn.state not in UNNARRATED:
        raise Blocked(_("This Major Burn has already been narrated, or was voided with its roll."))
    return burn


def _tell(work: UnitOfWork, kind: EventKind, burn: Burn) -> None:
    work.record(kind, {"burns": [burn_payload(burn)]}, subjects=[burn.character.subject], parent=burn.event)


ORACLE = Reason("oracle", gettext_lazy("a Major Burn"))
STANDING = (Burn.State.OPEN, Burn.State.DEFERRED, Burn.State.NARRATED)


def mark(work: UnitOfWork, burn_id: UUID, oracle: str, choice: str, die: Callable[[], Proven]) -> Burn:
    """Mark a choice of what a die (`oracle`) of a Major Burn gives, as its character's player or a GM; some ask for a further
    `die`, a d10.

    Raises Blocked if that was done, or the Burn was undone; Invalid if there is nothing to mark.
    """
    burn = _here(work, burn_id, major=True)
    if burn.state not in STANDING:
        raise Blocked(_("This Major Burn was voided with its roll."))
    result, picked = _choice(burn, oracle, choice)
    must_be(work, burn.character, [Side.PLAYER, Side.GM])
    in_play(burn.character)
    if _is_marked(burn, oracle):
        raise Blocked(_("This is already on the sheet."))
    thrown = die() if picked.dice else None
    face = next(thrown) if thrown else 0
    character = get_character(work, burn.character)
    gift = Gift(code=picked.code, name=picked.name, words=oracles.figure(BurnKind(burn.kind), result), face=face)
    steps = steps_of(work, character, gift)
    if steps is None:
        raise Invalid(_("{name}’s sheet has no place for this. Narrate it instead.").format(name=character.name))
    if not steps:
        raise Invalid(_("This changes nothing on {name}’s sheet.").format(name=character.name))
    with caused(work, work.key):
        write(work, burn, steps, ORACLE)
    told: dict[str, Any] = {"oracle": oracle, "choice": choice, "face": face or None}
    proof = thrown.proof if thrown else None
    tell(work, events.ORACLE_MARKED, burn.scale, burn=burn, who=burn.character, proof=proof, **told)
    return burn


def _choice(burn: Burn, oracle: str, choice: str) -> tuple[str, oracles.Choice]:
    """Return the result of a die, by the rules, and what is chosen of what it offers."""
    drawn = words.burn(burn_payload(burn))["oracles"]
    for die in drawn:
        for offered in die["choices"] if die["oracle"] == oracle else ():
            if offered["key"] == choice:
                return die["result"], oracles.Choice(**offered)
    raise Invalid(_("This result doesn’t offer that."))


def _is_marked(burn: Burn, oracle: str) -> bool:
    standing = ScaleStep.objects.filter(
        scale=burn.scale, undone_at=None, event__kind=events.ORACLE_MARKED, event__parent=burn.event
    )
    return any(step.event.payload["oracle"] == oracle for step in standing.select_related("event__stored"))
