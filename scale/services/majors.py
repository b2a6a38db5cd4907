"""Major Burns and their oracles: the dice in the roll's own transaction, the narration, marks on sheets, and the oracle tables.

A row is made when the GM first rewrites a table. Of the entries that a table starts with the log keeps nothing but the face: they
are ours, and drawn when an event is read (scale/words.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any, TypeAlias
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from campaigns.errors import Blocked, Invalid, NotFound
from campaigns.kinds import EventKind
from campaigns.models import Campaign, Membership, Role, Storyline
from campaigns.models.log import Subject
from campaigns.models.members import GM
from campaigns.services.log import UnitOfWork, compare_and_set, service, version
from characters.reasons import Reason
from characters.services.sheet_writes import get_character, in_play, take_steps
from languages.text import gettext_lazy
from rules.proof import Proven
from scale import words
from scale.counting import Gift
from scale.events import BURN_DEFERRED, BURN_NARRATED, BURN_SEEN, ORACLE_CHANGED, ORACLE_MARKED
from scale.models import Burn, BurnSeen, OracleTable, UndoEntry
from scale.queries.scale import burn_payload
from scale.rules.oracles import (
    EARLIER,
    ENTRIES,
    STARTED_WITH,
    STORY_SLOTS,
    Choice,
    Consulted,
    Entry,
    MajorBurn,
    Tables,
    figure,
    major_burn,
)
from scale.rules.scale import BurnKind, Side
from scale.services.burns import must_be, steps_of, tell
from scale.services.undo_journal import Changes
from scale.words import table_of

Throw: TypeAlias = Callable[[UUID, str], Proven]
"""Throws dice in the open: `spec` such as "2d10", under an id that their faces depend on."""


def tables_of(campaign: Campaign) -> dict[str, tuple[Entry, ...]]:
    """Return every table's ten entries, for the faces 1 to 10, by the tables' names: the GM's, else those it started with."""
    rewritten = {table.name: table.entries for table in OracleTable.objects.filter(campaign=campaign)}
    return {
        name: tuple(Entry(**{**entry, "text": EARLIER.get(entry["text"], entry["text"])}) for entry in rewritten[name])
        if name in rewritten
        else ours
        for name, ours in STARTED_WITH.items()
    }


def entries_version(entries: Sequence[Entry]) -> str:
    """Return the `expected` of the two operations below."""
    return version({"entries": _plain(entries)})


@service(Role.GM)
def change_oracle(
    work: UnitOfWork, name: str, entries: Sequence[Entry], *, expected: str, key: UUID
) -> OracleTable | None:
    """Rewrite a table; `expected` is the version of the entries that the form showed.

    Raises Conflict, whose `current` is {"entries": [...]}, and Invalid for anything but ten entries.
    """
    if len(entries) != ENTRIES:
        raise Invalid(_("An oracle table needs {count} entries.").format(count=ENTRIES))
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
        _tell_change(work, name, now, STARTED_WITH[name], reset=True)


def _checked(work: UnitOfWork, name: str, expected: str) -> tuple[Entry, ...]:
    """Return the entries of a table. Raises Conflict if they have changed since `expected`."""
    now = tables_of(work.campaign)[name]
    compare_and_set(work.campaign, _subject_of(name), expected=expected, current={"entries": _plain(now)})
    return now


def _plain(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    return [asdict(entry) for entry in entries]


def _tell_change(
    work: UnitOfWork, name: str, before: Sequence[Entry], after: Sequence[Entry], *, reset: bool = False
) -> None:
    changes = [
        {"face": face, "before": _told(name, face, old), "after": _told(name, face, new)}
        for face, (old, new) in enumerate(zip(before, after, strict=True), 1)
        if old != new
    ]
    work.record(
        ORACLE_CHANGED, {"oracle": name, "changes": changes, "reset": reset}, stream=GM, subjects=[_subject_of(name)]
    )


def _told(name: str, face: int, entry: Entry) -> dict[str, Any] | None:
    """Return an entry for payloads; None if it is the table's original one."""
    return None if entry == STARTED_WITH[name][face - 1] else asdict(entry)


def _subject_of(name: str) -> Subject:
    return Subject(f"oracle:{name}", name)


LONGEST_NARRATION = 10_000
UNNARRATED = (Burn.State.OPEN, Burn.State.DEFERRED)


def consult_oracles(work: UnitOfWork, burn: Burn, reached: int, throw: Throw, *, public: bool) -> None:
    """Roll the oracles of a new Major Burn and keep every die on it. `reached` is where the roll took the Scale, ±8 or beyond;
    `public` says whether everyone may know that roll."""
    stories = list(_storylines(work, burn)[:STORY_SLOTS])
    dice = throw(burn.pk, "2d10")
    titles = [story.title for story in stories]
    fallen = major_burn(BurnKind(burn.kind), titles, dice, oracle_tables(work.campaign))
    burn.storyline = stories[fallen.slot - 1] if fallen.slot else None
    cause = str(burn.cause_id) if public else ""
    proof = dice.proof and dice.proof | {"cause": cause}
    burn.oracle = {"reached": reached, "dice": _dice(fallen), "asked": _asked(work), "proof": proof}
    burn.save(update_fields=["storyline", "oracle"])


def oracle_tables(campaign: Campaign) -> Tables:
    """Return the campaign's oracle tables; those it has not rewritten are the ones it started with."""
    written = tables_of(campaign)
    return Tables(**{name: tuple(_entry(entry, name) for entry in entries) for name, entries in written.items()})


def _entry(entry: Entry, table: str) -> Entry:
    # Only these two can shift, whatever was ticked elsewhere: a Major Burn must never fail on a table.
    return Entry(entry.title, entry.text, entry.shift and table in tuple(BurnKind))


def _storylines(work: UnitOfWork, burn: Burn) -> QuerySet[Storyline]:
    """Return the open storylines in order; for a character's own Scale those of its player and of the whole table."""
    storylines = Storyline.objects.filter(campaign=work.campaign, resolved_at=None)
    if burn.scale.character is None:
        return storylines
    return storylines.filter(Q(whose=None) | Q(whose=burn.scale.character.owner))


def _dice(fallen: MajorBurn) -> list[dict[str, Any]]:
    """Return every die in the order in which it fell, in the format of events.ORACLE; a new story has no title yet."""
    story = {"oracle": "story", "die": fallen.story_face, "title": fallen.story, "text": None}
    dice = (("reason", fallen.reason), (fallen.kind.value, fallen.result), ("second", fallen.second))
    return [story, *(_die(fallen.kind, oracle, die) for oracle, die in dice if die)]


def _die(kind: BurnKind, oracle: str, die: Consulted) -> dict[str, Any]:
    ours = STARTED_WITH[table_of(kind, oracle)][die.face - 1]
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
    _tell(work, BURN_NARRATED, burn)
    return burn


@service(Role.GM)
def defer_burn(work: UnitOfWork, burn_id: UUID, *, key: UUID) -> Burn:
    """Let the rolls go on; the Major Burn stays in sight until it is narrated."""
    burn = _unnarrated(work, burn_id)
    if burn.state != Burn.State.OPEN:
        raise Blocked(_("This Major Burn has already been put off."))
    burn.state = Burn.State.DEFERRED
    burn.save(update_fields=["state"])
    _tell(work, BURN_DEFERRED, burn)
    return burn


@service(Role.PLAYER)
def see_burn(work: UnitOfWork, burn_id: UUID, *, key: UUID) -> BurnSeen:
    """Say that one has a Major Burn on screen. Said once, it is said; saying it again changes nothing."""
    burn = _unnarrated(work, burn_id)
    seen, new = BurnSeen.objects.get_or_create(burn=burn, member=work.by, defaults={"at": work.now})
    if new:
        _tell(work, BURN_SEEN, burn)
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
    whole = Burn.objects.select_related("scale__character", "character__owner__user", "cause", "npc", "event__stream")
    burn = whole.filter(pk=burn_id, major=True, scale__campaign=work.campaign).first()
    if burn is None:
        raise NotFound
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
    gift = Gift(code=picked.code, name=picked.name, words=figure(BurnKind(burn.kind), result), face=face)
    steps = steps_of(work, character, gift)
    if steps is None:
        raise Invalid(_("{name}’s sheet has no place for this. Narrate it instead.").format(name=character.name))
    if not steps:
        raise Invalid(_("This changes nothing on {name}’s sheet.").format(name=character.name))
    changes = Changes()
    changes.wrote(burn, take_steps(work, character, steps, why=ORACLE))
    told: dict[str, Any] = {"oracle": oracle, "choice": choice, "face": face or None}
    proof = thrown.proof if thrown else None
    tell(work, ORACLE_MARKED, changes, burn.scale, burn=burn, who=burn.character, proof=proof, **told)
    return burn


def _choice(burn: Burn, oracle: str, choice: str) -> tuple[str, Choice]:
    """Return the result of a die, by the rules, and what is chosen of what it offers."""
    drawn = words.burn(burn_payload(burn))["oracles"]
    for die in drawn:
        for offered in die["choices"] if die["oracle"] == oracle else ():
            if offered["key"] == choice:
                return die["result"], Choice(**offered)
    raise Invalid(_("This result doesn’t offer that."))


def _is_marked(burn: Burn, oracle: str) -> bool:
    standing = UndoEntry.objects.filter(
        scale=burn.scale, undone_at=None, event__kind=ORACLE_MARKED, event__parent=burn.event
    )
    return any(step.event.payload["oracle"] == oracle for step in standing.select_related("event__stored"))
