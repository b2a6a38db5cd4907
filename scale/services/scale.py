"""Makes the rows of Scales and Momentum, and follows a campaign that decides otherwise or whose players change."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.apps import apps
from django.db import models
from django.utils.translation import gettext as _

from campaigns.errors import Blocked, NotFound
from campaigns.models import Campaign, Event
from campaigns.services import undo as journal
from campaigns.services.log import UnitOfWork
from characters.models import Character
from characters.reasons import Reason
from characters.services.sheet_writes import get_character, shift_disposition, take_steps
from characters.sheets.steps import Step
from languages.text import gettext_lazy
from rules.dice import LARGEST_POOL
from scale.counting import moves_scales
from scale.events import ACTS, BURN_SEEN, BURN_UNDONE, ORACLE_MARKED
from scale.models import Burn, Momentum, Scale, UndoEntry
from scale.queries.scale import (
    burn_payload,
    in_use,
    momentum_payload,
    scale_id,
    scale_payload,
    settings_of,
    unsettled_in,
)
from scale.rules.scale import Settings

# The undo journal: every operation's changes of a Scale and of what depends on it, so that it can be undone, newest first.
#
# A change is kept as "app.Model:pk:field" with its value before and after. What adds up from several sources (Burn dice, free
# activations, dispositions) is taken back by its difference, everything else by its value.


BURN = Burn._meta.label
DISPOSITION = "characters.Character:disposition"
SHEET = "characters.Character:sheet_steps"
"""What was written on a sheet: None before, and after it the cause of that in the journal (campaigns/services/undo.py)."""
MARKED = f"{BURN}:marked"
"""Whether a Burn has written there; this is no field of it."""
DICE = "scale.Momentum:die_modifier"
ADDED_UP: dict[str, tuple[int, int]] = {
    DICE: (-LARGEST_POOL, LARGEST_POOL),
    "scale.Momentum:free_activations": (0, LARGEST_POOL),
}
"""Fields that are taken back by difference, with the range they stay in."""

BURN_TAKEN_BACK = Reason("burn_taken_back", gettext_lazy("a Burn was undone"))


@dataclasses.dataclass
class Carried:
    """The characters whose Burn dice have changed in an operation: what goes by them is read again at its end
    (rolls/services/procedure_reading.py)."""

    changed: set[str] = dataclasses.field(default_factory=set)


def dice_changed(work: UnitOfWork, character: Character) -> None:
    """Note that a character's next roll has other Burn dice."""
    work.state(Carried).changed.add(str(character.pk))


class Changes:
    """Holds what one operation changes, put into the rows and noted as it happens."""

    def __init__(self) -> None:
        self.before: dict[str, Any] = {}
        self.after: dict[str, Any] = {}
        self.burns: list[Burn] = []

    def put(self, thing: models.Model, **values: Any) -> None:
        """Set fields (foreign keys by their `_id`) and save them."""
        for field, value in values.items():
            name = f"{thing._meta.label}:{thing.pk}:{field}"
            self.before.setdefault(name, _plain(getattr(thing, field)))
            self.after[name] = _plain(value)
            setattr(thing, field, value)
        thing.save(update_fields=list(values))
        if isinstance(thing, Burn) and thing not in self.burns:
            self.burns.append(thing)

    def shift(self, work: UnitOfWork, npc: Character, by: int, why: Reason) -> None:
        """Shift the disposition of an NPC, as far as it goes."""
        before, after = shift_disposition(work, npc, by, why=why)
        name = f"{npc._meta.label}:{npc.pk}:disposition"
        self.before[name], self.after[name] = before, after

    def write(self, work: UnitOfWork, burn: Burn, steps: Sequence[Step], why: Reason) -> None:
        """Take the steps of a Burn on its character's sheet."""
        character, cause = burn.character, work.id(f"{burn.pk} sheet")
        with journal.caused(work, cause):
            take_steps(work, get_character(work, character), steps, why=why)
        for name, value in (
            (f"{BURN}:{burn.pk}:marked", True),
            (f"{character._meta.label}:{character.pk}:sheet_steps", str(cause)),
        ):
            self.before[name], self.after[name] = None, value
        self.burns.append(burn)

    def made(self, burn: Burn) -> Burn:
        """Note a Burn that this operation makes: before, it was not there."""
        burn.save(force_insert=True)
        self.before[f"{BURN}:{burn.pk}:state"] = None
        self.after[f"{BURN}:{burn.pk}:state"] = burn.state
        self.burns.append(burn)
        return burn


def keep(
    scale: Scale, changes: Changes, *, event: Event, number: int, cause: UUID | None, delta: int | None = None
) -> UndoEntry:
    """Store an operation's step, under the number in its event; `cause` is the roll, and `delta` what its dice gave."""
    return UndoEntry.objects.create(
        scale=scale, number=number, roll_id=cause, event=event, before=changes.before, after=changes.after, delta=delta
    )


def next_number(scale: Scale) -> int:
    """Return the number of the next step of a Scale: 1, 2, 3 …"""
    newest = UndoEntry.objects.filter(scale=scale).order_by("-number").values_list("number", flat=True).first()
    return (newest or 0) + 1


def standing(scale: Scale) -> models.QuerySet[UndoEntry]:
    """Return the steps that were not undone, oldest first."""
    return UndoEntry.objects.filter(scale=scale, undone_at=None).select_related("event", "roll__by__user")


def is_roll(step: UndoEntry) -> bool:
    """Return whether a roll moved the Scale with this step."""
    return step.event.kind not in ACTS


def step_of(roll: UUID) -> UndoEntry | None:
    """Return the standing step by which a roll moved its Scale; None for a roll that fed none."""
    steps = UndoEntry.objects.filter(roll=roll, undone_at=None).select_related("event", "scale")
    return next((step for step in steps if is_roll(step)), None)


def hand_over(old: UUID, roll: UUID) -> None:
    """Let what a roll moved, and the Burns that it caused, be those of the roll that takes its place."""
    UndoEntry.objects.filter(roll=old, undone_at=None).update(roll=roll)
    Burn.objects.filter(cause=old).update(cause=roll)


def carriers(steps: Iterable[UndoEntry]) -> list[Character]:
    """Return the characters whose Burn dice or free activations these steps have touched."""
    keys = {name.split(":")[1] for step in steps for name in step.before if name.startswith(f"{Momentum._meta.label}:")}
    return list(Character.objects.select_related("owner__user").filter(pk__in=keys))


def with_what_follows(step: UndoEntry) -> list[UndoEntry]:
    """Return a step and the later ones that depend on its Burns, newest first: what has to be undone together.

    Raises Blocked, naming it, when something else moved the same Scale later: undo only goes backwards.
    """
    chain, exact, burns = [step], _exact(step), _burns(step)
    for newer in standing(step.scale).filter(number__gt=step.number):
        # Marks by an oracle depend on their Burn; rolls depend on each other only by what they changed.
        marks = not is_roll(newer) and bool(_burns(newer) & burns)
        if not (marks or _exact(newer) & exact):
            continue
        if is_roll(newer) or not _burns(newer) <= burns:
            raise Blocked(_("The Scale has moved since. First undo {newer}.").format(newer=_name(newer)))
        chain.append(newer)
        exact |= _exact(newer)
    return chain[::-1]


def undo(work: UnitOfWork, steps: list[UndoEntry]) -> list[Burn]:
    """Take steps back in the order given; the Burns they touched, as they are now."""
    touched: dict[UUID, None] = {}
    for step in steps:
        # Burns that the operation made go first: a Scale has one offer and one banked Burn at a time.
        for name, before in sorted(step.before.items(), key=lambda change: (change[1] is not None, change[0])):
            _undo(work, name, before, step.after[name])
        touched |= dict.fromkeys(sorted(_burns(step)))
        step.undone_at = work.now
        step.save(update_fields=["undone_at"])
    return list(Burn.objects.filter(pk__in=touched).order_by("at", "pk"))


def _undo(work: UnitOfWork, name: str, before: Any, after: Any) -> None:
    label, pk, field = name.split(":")
    if f"{label}:{field}" == SHEET:
        journal.undo(work, UUID(after), BURN_TAKEN_BACK)
    if f"{label}:{field}" in (SHEET, MARKED):
        return
    thing = apps.get_model(label)._default_manager.get(pk=pk)
    if f"{label}:{field}" != DISPOSITION:
        setattr(thing, field, _undone(thing, f"{label}:{field}", before, after))
        thing.save(update_fields=[field])
        if f"{label}:{field}" == DICE:
            dice_changed(work, thing.character)
    elif thing.is_npc and before != after:  # it may belong to a player by now
        shift_disposition(work, thing, before - after, why=BURN_TAKEN_BACK)


def _undone(thing: models.Model, name: str, before: Any, after: Any) -> Any:
    if name in ADDED_UP:
        low, high = ADDED_UP[name]
        left = getattr(thing, name.split(":")[1]) + before - after
        if not low <= left <= high:
            raise Blocked(_("The effect of this Burn has already been used. Undo that first."))
        return left
    if name == f"{BURN}:state" and before is None:
        return Burn.State.UNDONE
    return before


def _exact(step: UndoEntry) -> set[str]:
    keys = (name.split(":") for name in step.before)
    return {
        f"{label}:{pk}:{field}"
        for label, pk, field in keys
        if f"{label}:{field}" not in (*ADDED_UP, DISPOSITION, SHEET)
    }


def _burns(step: UndoEntry) -> set[UUID]:
    return {UUID(name.split(":")[1]) for name in step.before if name.startswith(f"{BURN}:")}


def _name(step: UndoEntry) -> str:
    who = step.event.actor_name
    if is_roll(step) and step.roll and step.roll.event:
        return _("{name}’s roll ({roll})").format(name=step.roll.by.name, roll=step.roll.event.described["words"])
    return _("what {name} did with a Burn").format(name=who)


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, UUID) else value


def newest(work: UnitOfWork, scale_id: UUID) -> UndoEntry:
    """Return the newest step of a Scale that stands. Raises NotFound, and Blocked if there is none."""
    scale = Scale.objects.filter(campaign=work.campaign, pk=scale_id).first()
    if scale is None:
        raise NotFound
    step = standing(scale).last()
    if step is None:
        raise Blocked(_("There’s nothing on this Scale to undo."))
    return step


def take_back(work: UnitOfWork, step: UndoEntry, reason: str) -> None:
    """Undo an act on a Burn."""
    payload = undo_steps(work, step) | {"reason": reason, "of": str(step.event.uid)}
    if step.event.kind == ORACLE_MARKED:
        payload["oracle"] = step.event.payload["oracle"]
    work.record(BURN_UNDONE, payload, parent=step.event)


def undo_steps(work: UnitOfWork, step: UndoEntry) -> dict[str, Any]:
    """Undo a step and what depends on it. Return the Scale and the Burns as they are now, and the steps undone, for the event."""
    if not in_use(step.scale, settings_of(work.campaign)):
        raise Blocked(_("The house rules changed whose Scale it is. What happened on the old one can’t be undone."))
    steps = with_what_follows(step)
    burns = undo(work, steps)
    return {
        "scale": scale_payload(Scale.objects.select_related("character").get(pk=step.scale_id)),
        "burns": [burn_payload(burn) for burn in burns],
        "momentum": momentum_payload(carriers(steps)),
        "undone": [step.number for step in steps],
    }


def scale_of(campaign: Campaign, character: Character, settings: Settings) -> Scale:
    """Return the Scale that this character's rolls move, the table's or its own; created if there is none yet."""
    whose = None if settings.shared else character
    made = Scale.objects.filter(campaign=campaign).count()
    scale, _ = Scale.objects.get_or_create(
        pk=scale_id(campaign, whose), defaults={"campaign": campaign, "character": whose, "order": made}
    )
    return scale


def momentum_of(character: Character) -> Momentum:
    """Return a character's momentum, created if there was none."""
    return Momentum.objects.get_or_create(character=character)[0]


UNSETTLED = (Burn.State.OFFERED, Burn.State.BANKED, Burn.State.FIRED, Burn.State.OPEN)


def changed(campaign: Campaign, now: Settings, then: Settings, *, was_played: bool) -> Mapping[str, Any]:
    """Return the Scales in use from now on, and the ids of those no longer in use; both empty if nothing changes.

    `was_played` is whether any roll moved a Scale before. Raises Blocked when it would change hands, or stop for good, while a
    Burn is unsettled.
    """
    is_played = moves_scales(campaign)
    if now.shared == then.shared and was_played == is_played:
        return {"scales": [], "gone": []}
    gone = [scale for scale in Scale.objects.filter(campaign=campaign) if in_use(scale, now)] if was_played else []
    if Burn.objects.filter(scale__in=gone, state__in=UNSETTLED).exists():
        message = _("A Burn isn’t settled yet. Take, spend or narrate it first, then change this.")
        raise Blocked(message, field="scale.shared")
    # The shared one is on the page even before it has a row.
    unmoved = [str(scale_id(campaign, None))] if was_played else []
    return {
        "scales": [scale_payload(scale) for scale in _scales(campaign, then)] if is_played else [],
        "gone": [str(scale.pk) for scale in gone] or unmoved,
    }


def _scales(campaign: Campaign, settings: Settings) -> list[Scale]:
    """Return the Scales that are now in use: the table's, or one for every player character."""
    if settings.shared:
        return [Scale.objects.get_or_create(pk=scale_id(campaign, None), defaults={"campaign": campaign})[0]]
    players = Character.objects.active().filter(campaign=campaign).exclude(owner=None)
    return [scale_of(campaign, character, settings) for character in players]


def tell_anew(work: UnitOfWork) -> None:
    """Record again who has to settle the waiting Burns: open pages show who that was when each was last told."""
    burns = unsettled_in(work.campaign)
    if burns:
        subjects = [burn.character.subject for burn in burns]
        work.record(
            BURN_SEEN, {"burns": [burn_payload(burn) for burn in burns]}, subjects=subjects, discriminator="players"
        )
