"""Check a campaign's log: its chain, its dice, and all that follows from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid5

from django.db.models import F, Max, Min
from django.dispatch import receiver

from campaigns.kinds import EventKind, kind_of, standing_asked
from campaigns.models import Campaign, Event, GameSession, Viewer
from campaigns.models.log import EventQuerySet
from campaigns.models.members import GM
from campaigns.queries import log_lines as lines
from campaigns.queries import standing
from campaigns.queries.standing import differences
from campaigns.schema import UNREADABLE
from campaigns.text import ERASED
from rolls.events import (
    BLIND_REVEALED,
    EPOCH_COMMITTED,
    EPOCH_REVEALED,
    PROCEDURE_CHANGED,
    PROCEDURE_CLOSED,
    PROCEDURE_OPENED,
    ROLL_CORRECTED,
    ROLL_MADE,
    ROLL_REVEALED,
    TABLE_ROLLED,
    WITNESS_ASKED,
    WITNESS_GIVEN,
)
from rolls.models import Procedure, Roll
from rolls.registry import all_rules
from rules.fairness import commit, commit_blind, fits, rightly_blind, standing_faces, throws
from rules.procedures import DROPPED
from scale.queries import projection as the_scale

SEEDS = (EPOCH_COMMITTED, EPOCH_REVEALED, BLIND_REVEALED)
Witnesses = dict[tuple[str, str], dict[str, Any]]
OUR_DICE = (ROLL_MADE, ROLL_CORRECTED, ROLL_REVEALED, PROCEDURE_OPENED, PROCEDURE_CHANGED, TABLE_ROLLED)


def dice_events() -> Mapping[EventKind, str]:
    """Return the kinds of events that hold dice, each with the name by which their id follows from that of the causing
    roll (UnitOfWork.id), or "".
    """
    return dict.fromkeys(OUR_DICE, "") | {
        kind: name for rules in all_rules() for kind, name in rules.dice_events.items()
    }


@dataclass
class Seeds:
    """The seeds and commitments of a log, by epoch."""

    campaign: str
    commitments: dict[str, dict[str, Any]] = field(default_factory=dict)
    told: dict[str, str] = field(default_factory=dict)
    secrets: dict[str, str] = field(default_factory=dict)

    def take(self, kind: str, payload: dict[str, Any]) -> str:
        """Remember an event's seed or commitment. Return what is wrong with it, or ""."""
        epoch = payload["epoch"]
        if kind == EPOCH_COMMITTED:
            self.commitments[epoch] = payload
            return ""
        seed, name, make = (
            (payload["seed"], "commitment", commit)
            if kind == EPOCH_REVEALED
            else (payload["secret"], "blind", commit_blind)
        )
        (self.told if kind == EPOCH_REVEALED else self.secrets)[epoch] = seed
        committed = self.commitments.get(epoch, {}).get(name)
        return "" if committed == make(self.campaign, epoch, seed) else "the seed is not the one committed to."

    def wrong(self, kind: str, proof: Mapping[str, Any]) -> str:
        """Return what is wrong with the dice of a proof; "" if they are right or cannot be checked yet."""
        epoch = proof["epoch"]
        if epoch not in self.commitments:
            return "nothing was committed to before its dice fell."
        if epoch in self.told and not fits(self.campaign, proof, self.told[epoch]):
            return "the seed gives other dice."
        if proof["blind"] and epoch in self.secrets and not rightly_blind(proof, self.secrets[epoch]):
            return "its blind seed is not the one that the secret gives."
        if (
            proof.get("cause")
            and str(uuid5(UUID(proof["cause"]), dice_events().get(kind_of(kind), ""))) != proof["roll"]
        ):
            return "its id does not follow from the roll that caused it."
        return ""


def faults(campaign: Campaign) -> Iterator[str]:
    """Yield everything that is wrong with a campaign's log, in words; nothing when all is well."""
    for check in (lines.faults, _wrong_dice, the_scale.check, standing.faults):
        try:
            yield from check(campaign)
        except UNREADABLE:
            yield "Some entries say what no entry of their kind says; what follows from them cannot be computed again."


def _wrong_dice(campaign: Campaign) -> Iterator[str]:
    seeds = Seeds(str(campaign.pk))
    witnesses: Witnesses = {}
    # All seeds are read before the dice that fell by them.
    for kinds in (SEEDS, (*dice_events(), WITNESS_ASKED, WITNESS_GIVEN)):
        for event in _of_kinds(campaign, kinds):
            try:
                wrong = (
                    seeds.take(event.kind, event.payload) if kinds is SEEDS else _wrong_throw(event, seeds, witnesses)
                )
            except UNREADABLE:
                wrong = "it says what no entry of its kind says; its dice cannot be computed again."
            if wrong:
                yield f"{event}: {wrong}"
    proved = Roll.objects.filter(campaign=campaign).exclude(proof=None).select_related("event__stored")
    for roll in proved.iterator(chunk_size=lines.BATCH):
        kept = {"proof": roll.proof, "rerolls": roll.rerolls}
        told = roll.event.payload if roll.event else kept
        if any((told.get(name) or []) != (kept[name] or []) for name in kept) or roll.faces != standing_faces(kept):
            yield f"Roll {roll.pk}: its dice are not those that the log tells."


def _wrong_throw(event: Event, seeds: Seeds, witnesses: Witnesses) -> str:
    """Return what is wrong with the dice of an event, or ""; remember that of a witness."""
    payload = event.payload
    if event.kind in (WITNESS_ASKED, WITNESS_GIVEN):
        witnesses[event.kind, payload["roll"]] = payload
        return ""
    wrong = next(filter(None, (seeds.wrong(event.kind, thrown) for thrown in throws(payload))), "")
    if wrong or not (proof := payload.get("proof")):
        return wrong
    if event.kind == ROLL_MADE and not _rightly_witnessed(proof, witnesses):
        wrong = "the log before it tells of no such witness."
    return _shown_otherwise(event) or wrong


def _rightly_witnessed(proof: dict[str, Any], witnesses: Witnesses) -> bool:
    """Return whether earlier witness events, by kind and roll, agree with a proof: on its terms, and on its witness seed."""
    if proof["blind"] or not proof["witness"]:
        return True
    settled, given = (witnesses.get((kind, proof["roll"])) for kind in (WITNESS_ASKED, WITNESS_GIVEN))
    if settled is None or given is None:
        return False
    terms = all(settled[name] == proof[name] for name in ("epoch", "client", "spec"))
    return terms and settled["by"]["member"] == proof["actor"] and given["seed"] == proof["witness"]


def _shown_otherwise(event: Event) -> str:
    shown, faces = [die.get("face") for die in event.described.get("dice", ())], standing_faces(event.payload)
    if faces is None:
        return "the dice that were thrown again do not take the places of those that they replace."
    return "its card shows other dice than its proof." if shown and sorted(shown) != sorted(faces) else ""


def _of_kinds(campaign: Campaign, kinds: Iterable[str]) -> Iterator[Event]:
    events = Event.objects.filter(campaign=campaign, kind__in=kinds).select_related("stream", "stored").order_by("id")
    return events.iterator(chunk_size=lines.BATCH)


def lines_of_session(viewer: Viewer, session: GameSession) -> Iterator[dict[str, Any]]:
    """Yield everything of a session that this viewer may see, as lines that can be checked.

    They reach from the commitment of the first seed used to where the last was revealed. Events before and after the
    session are bare links, so that nothing can have been removed in between.
    """
    seen = Event.objects.seen_by(viewer)
    own = seen.filter(session=session)
    seeds = set(_seeds_of(seen, own))
    # Asked for the least id itself, a database would walk through all of them until it meets one of that evening.
    number = F("pk") + 0
    ends = {*own.aggregate(first=Min(number), last=Max(number)).values(), *seeds} - {None}
    if not ends:
        return iter(())
    between = seen.filter(pk__range=(min(ends), max(ends))).select_related("stream", "stored", "actor")
    said = lambda event: event.session_id == session.pk or event.pk in seeds  # noqa: E731
    return lines.lines_of(lines.in_batches(between), viewer.campaign, said)


def _seeds_of(seen: EventQuerySet, own: EventQuerySet) -> Iterable[int]:
    proved = own.filter(kind__in=list(dice_events()), stored__payload__proof__epoch__isnull=False).order_by()
    # An epoch's name is a number as text, and SQLite gives it back as a number.
    used = {str(epoch) for epoch in proved.values_list("stored__payload__proof__epoch", flat=True).distinct()}
    again = own.filter(kind__in=(ROLL_CORRECTED, ROLL_REVEALED), stored__payload__rerolls__isnull=False).order_by()
    for rerolls in again.values_list("stored__payload__rerolls", flat=True):
        used |= {proof["epoch"] for proof in throws({"rerolls": rerolls})}
    return seen.filter(kind__in=SEEDS, stored__payload__epoch__in=used).values_list("pk", flat=True)


# Check procedures against the log (campaigns/queries/standing.py).


class Procedures:
    """The procedures as last told to those who know least of them."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.told: dict[str, Event] = {}

    def take(self, event: Event) -> None:
        if event.kind not in (PROCEDURE_OPENED, PROCEDURE_CHANGED, PROCEDURE_CLOSED):
            return
        pk = event.payload["procedure"]["id"]
        before = self.told.get(pk)
        if before is None or before.stream.name == GM or event.stream.name != GM:
            self.told[pk] = event

    def faults(self) -> Iterator[str]:
        for procedure in Procedure.objects.filter(campaign=self.campaign).iterator():
            name = _name(procedure.pk)
            if (last := self.told.pop(str(procedure.pk), None)) is None:
                yield f"{name}: the log tells nothing of it."
                continue
            logged = last.payload["procedure"]
            here: dict[str, Any] = {"version": procedure.version, "system": procedure.system, "kind": procedure.kind}
            # Up to 0.2.0 one that was over and then dropped was told as changed.
            closed = last.kind == PROCEDURE_CLOSED or last.payload["act"]["name"] == DROPPED
            if (seen := logged.get("card")) and ERASED not in str(procedure.cards):
                yield from differences(name, {"card": procedure.card_digest(is_gm=seen.startswith("gm."))}, logged)
            if closed != (procedure.closed_at is not None):
                yield f"{name}: it is {'open' if closed else 'over'}, the log gives the other."
            yield from differences(name, here, logged)
        for pk in self.told:
            yield f"{_name(pk)}: the log tells of it, and it is not there."


def _name(pk: object) -> str:
    return f"Procedure {pk}"


@receiver(standing_asked)
def procedures(campaign: Campaign, **named: Any) -> Procedures:
    return Procedures(campaign)
