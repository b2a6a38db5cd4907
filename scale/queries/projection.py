"""Compares the log with the rows: the Scale is the fold of the table's events, and each Burn matches its last event."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from django.db.models import Q
from django.dispatch import receiver

from campaigns.kinds import Topic, standing_asked
from campaigns.models import Campaign, Event
from campaigns.models.members import TABLE
from campaigns.queries.log_lines import BATCH
from campaigns.queries.standing import differences
from scale.counting import countable, read_of
from scale.events import ACTIVATION_USED, BURN_BANKED, BURN_FIRED, BURN_UNDONE, EFFECT_CHOSEN, MOVED
from scale.models import Burn, Momentum, Scale
from scale.queries.scale import state_of
from scale.rules import scale as rules
from scale.rules.scale import Activated, Answered, Chosen, Fact, Fold, Rolled, Spent, fold

OWN = (MOVED, BURN_BANKED, BURN_FIRED, EFFECT_CHOSEN, ACTIVATION_USED, BURN_UNDONE)


@dataclass
class Told:
    """The log's account of one Scale: its current payload by step, each with the settings it was made with."""

    payload: dict[int, tuple[Fact, rules.Settings]] = field(default_factory=dict)
    settings: rules.Settings = rules.DEFAULTS

    def take(self, event: Event) -> None:
        payload = event.described
        for number in payload.get("undone", ()):
            self.payload.pop(number, None)
        step = payload["scale"].get("step")
        if step is None:
            return
        # A corrected roll with the same result records its step again, which keeps its place and its conditions.
        again = self.payload.get(step)
        if "rules" in payload and again is None:
            self.settings = rules.Settings(**payload["rules"])
        if (fact := _fact(event, str(step))) is not None:
            self.payload[step] = fact, again[1] if again else self.settings

    def replayed(self) -> Fold:
        """Return the Scale's current state. Raises RuleError if the log contains something impossible."""
        result = Fold()
        for settings, group in groupby((self.payload[step] for step in sorted(self.payload)), key=lambda pair: pair[1]):
            result = fold([fact for fact, _ in group], start=result, settings=settings)
        return result


def check(campaign: Campaign) -> list[str]:
    """Return every difference between the log and the rows, and every read that its dice do not give; empty when all is well."""
    logged: dict[str, Told] = {}
    faults: list[str] = []
    for event in _events(campaign):
        logged.setdefault(event.described["scale"]["id"], Told()).take(event)
        faults.extend(_misread(event))
    if campaign.imported_at:
        # Its log is all that there is.
        return faults
    for scale in Scale.objects.filter(campaign=campaign):
        faults.extend(_compare(scale, logged.get(str(scale.pk), Told()).replayed()))
    return [*faults, *_compare_carried(campaign, [history.replayed() for history in logged.values()])]


def _events(campaign: Campaign) -> Iterator[Event]:
    about = Q(kind__in=OWN) | Q(index__topic=Topic.ROLL)
    events = Event.objects.filter(about, campaign=campaign, stream__name=TABLE)
    for event in events.select_related("stored").order_by("seq").iterator(chunk_size=BATCH):
        if event.described.get("scale"):
            yield event


def _fact(event: Event, ref: str) -> Fact | None:
    """Return the event as a fact of its Scale; None for what only follows from another one."""
    payload = event.described
    who = payload["momentum"][0]["character"]["id"] if payload.get("momentum") else ""
    if "delta" in payload["scale"]:
        return Rolled(ref=ref, who=who, delta=payload["scale"]["delta"])
    if event.kind == ACTIVATION_USED:
        return Activated(ref=ref, who=who)
    kind = rules.BurnKind(payload["burns"][0]["kind"])
    if event.kind == EFFECT_CHOSEN:
        return Chosen(ref=ref, who=who, kind=kind, effect=rules.Effect(payload["burns"][0]["effect"]))
    if event.kind == BURN_FIRED and payload["how"] == "spent":
        return Spent(ref=ref, who=who, by=rules.Side(payload["by_side"]))
    choice = rules.Answer.BANK if event.kind == BURN_BANKED else rules.Answer.ACCEPT
    return Answered(ref=ref, who=who, choice=choice)


def _misread(event: Event) -> Iterator[str]:
    """Yield an error if a roll with public dice does not have the delta of its dice."""
    payload = event.described
    if not payload.get("dice") or "rules" not in payload:
        return
    counted = countable(payload["system"])
    if counted is None:
        return
    given = read_of(counted, payload, rules.Settings(**payload["rules"]))
    if given.delta != payload["scale"]["delta"]:
        yield f"Event {event.seq}: the dice give {given.delta}, the log says {payload['scale']['delta']}."


def _compare(scale: Scale, folded: Fold) -> Iterator[str]:
    name = f"Scale {scale.pk}"
    row, log = state_of(scale), folded.state_of()
    for what in ("scale", "pending", "banked"):
        if getattr(row, what) != getattr(log, what):
            yield f"{name}: {what} is {getattr(row, what)}, the log gives {getattr(log, what)}."
    majors = scale.burns.filter(major=True).exclude(state=Burn.State.UNDONE).count()
    if majors != _majors(folded):
        yield f"{name}: there are {majors} Major Burns, the log gives {_majors(folded)}."


def _majors(folded: Fold) -> int:
    """Return how many rolls reached ±8: each has led back to 0 from there."""
    before = [rules.State(), *(moment.state for moment in folded.moments)]
    return sum(
        isinstance(moment.fact, Rolled) and abs(state.scale + moment.fact.delta) >= rules.MAJOR_AT
        for state, moment in zip(before, folded.moments, strict=False)
    )


def _compare_carried(campaign: Campaign, folds: list[Fold]) -> Iterator[str]:
    """Compare what characters carry, as long as all their rolls have moved one and the same Scale."""
    if len(folds) > 1:
        return
    for momentum in Momentum.objects.filter(character__campaign=campaign):
        state = folds[0].state_of(str(momentum.character_id)) if folds else rules.State()
        for what in ("die_modifier", "free_activations"):
            if getattr(momentum, what) != getattr(state, what):
                name, row, log = momentum.character_id, getattr(momentum, what), getattr(state, what)
                yield f"Character {name}: {what} is {row}, the log gives {log}."


class Burns:
    """Each Burn as its last event has it."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.told: dict[str, dict[str, Any]] = {}

    def take(self, event: Event) -> None:
        payload = event.described
        for burn in payload.get("burns") or ():
            if isinstance(burn, dict) and "state" in burn:
                self.told[burn["id"]] = burn

    def faults(self) -> Iterator[str]:
        for burn in Burn.objects.filter(scale__campaign=self.campaign).iterator():
            logged = self.told.pop(str(burn.pk), None)
            if logged is None:
                yield f"Burn {burn.pk}: the log tells nothing of it."
                continue
            here = {"state": burn.state, "kind": burn.kind, "major": burn.major, "effect": burn.effect}
            yield from differences(f"Burn {burn.pk}", here, logged)
        for pk in self.told:
            yield f"Burn {pk}: the log tells of it, and it is not there."


@receiver(standing_asked)
def burns(campaign: Campaign, **named: Any) -> Burns:
    return Burns(campaign)
