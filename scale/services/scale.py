"""Makes the rows of Scales and Momentum, and follows a campaign that decides otherwise or whose players change."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import models
from django.utils.translation import gettext as _

from campaigns.errors import Blocked, NotFound
from campaigns.models import Campaign, Written
from campaigns.services.log import UnitOfWork
from campaigns.services.undo import note, puts_back, undo
from characters.models import Character
from characters.reasons import Reason
from characters.services.sheet_writes import get_character, take_steps
from characters.sheets.steps import Step
from languages.text import gettext_lazy
from rules.dice import LARGEST_POOL
from scale.counting import moves_scales
from scale.events import ACTS, BURN_SEEN, BURN_UNDONE, ORACLE_MARKED
from scale.models import Burn, Momentum, Scale, ScaleStep
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

# The steps of a Scale, so that they can be undone, newest first. What each wrote is in the journal (campaigns/services/undo.py).
#
# What adds up from several sources (Burn dice, free activations, dispositions) is taken back by its difference, everything else
# by its value.


ADDED_UP = {"die_modifier": (-LARGEST_POOL, LARGEST_POOL), "free_activations": (0, LARGEST_POOL)}
"""Fields that are taken back by difference, with the range they stay in."""

MARKED = "marked"
"""Whether a Burn has written on a sheet; this is no field of it."""

BURN_TAKEN_BACK = Reason("burn_taken_back", gettext_lazy("a Burn was undone"))


@dataclasses.dataclass
class Carried:
    """The characters whose Burn dice have changed in an operation: what goes by them is read again at its end
    (rolls/services/procedure_reading.py)."""

    changed: set[str] = dataclasses.field(default_factory=set)


def dice_changed(work: UnitOfWork, character: Character) -> None:
    """Note that a character's next roll has other Burn dice."""
    work.state(Carried).changed.add(str(character.pk))


def put(work: UnitOfWork, thing: Scale | Burn | Momentum, **values: Any) -> None:
    """Set fields (foreign keys by their `_id`), note them and save them."""
    for field, value in values.items():
        before = getattr(thing, field)
        added = value - before if field in ADDED_UP else None
        note(work, _name_of(thing), field, before=[_plain(before)], after=[_plain(value)], added=added)
        setattr(thing, field, value)
    thing.save(update_fields=list(values))


def _name_of(thing: models.Model) -> str:
    return f"{thing._meta.model_name}:{thing.pk}"


def make(work: UnitOfWork, burn: Burn) -> Burn:
    """Make a Burn: before, it was not there."""
    burn.save(force_insert=True)
    note(work, _name_of(burn), "state", after=[burn.state])
    return burn


def write(work: UnitOfWork, burn: Burn, steps: Sequence[Step], why: Reason) -> None:
    """Take the steps of a Burn on its character's sheet."""
    take_steps(work, get_character(work, burn.character), steps, why=why)
    note(work, _name_of(burn), MARKED, after=[True])


def next_number(scale: Scale) -> int:
    """Return the number of the next step of a Scale: 1, 2, 3 …"""
    newest = ScaleStep.objects.filter(scale=scale).order_by("-number").values_list("number", flat=True).first()
    return (newest or 0) + 1


def standing(scale: Scale) -> models.QuerySet[ScaleStep]:
    """Return the steps that were not undone, oldest first."""
    return ScaleStep.objects.filter(scale=scale, undone_at=None).select_related("event", "roll__by__user")


def is_roll(step: ScaleStep) -> bool:
    """Return whether a roll moved the Scale with this step."""
    return step.event.kind not in ACTS


def step_of(roll: UUID) -> ScaleStep | None:
    """Return the standing step by which a roll moved its Scale; None for a roll that fed none."""
    steps = ScaleStep.objects.filter(roll=roll, undone_at=None).select_related("event", "scale")
    return next((step for step in steps if is_roll(step)), None)


def hand_over(old: UUID, roll: UUID) -> None:
    """Let what a roll moved, and the Burns that it caused, be those of the roll that takes its place."""
    ScaleStep.objects.filter(roll=old, undone_at=None).update(roll=roll)
    Burn.objects.filter(cause=old).update(cause=roll)


def carriers(notes: Iterable[Written]) -> list[Character]:
    """Return the characters whose Burn dice or free activations were touched."""
    return list(Character.objects.select_related("owner__user").filter(pk__in=_things(notes, "momentum")))


def with_what_follows(step: ScaleStep) -> list[ScaleStep]:
    """Return a step and the later ones that depend on its Burns, newest first: what has to be undone together.

    Raises Blocked, naming it, when something else moved the same Scale later: undo only goes backwards.
    """
    later = list(standing(step.scale).filter(number__gt=step.number))
    notes = Written.objects.filter(campaign=step.scale.campaign_id).by_cause(one.uid for one in (step, *later))
    chain, exact, burns = [step], _exact(notes[step.uid]), _things(notes[step.uid], "burn")
    for newer in later:
        # Marks by an oracle depend on their Burn; rolls depend on each other only by what they changed.
        own, own_exact = _things(notes[newer.uid], "burn"), _exact(notes[newer.uid])
        marks = not is_roll(newer) and bool(own & burns)
        if not (marks or own_exact & exact):
            continue
        if is_roll(newer) or not own <= burns:
            raise Blocked(_moved_since(newer))
        chain.append(newer)
        exact |= own_exact
    return chain[::-1]


@puts_back("scale")
@puts_back("burn")
@puts_back("momentum")
def _put_back(work: UnitOfWork, pk: UUID, written: Written, why: Any) -> None:
    field = written.path
    if field == MARKED:
        return
    model = next(model for model in (Scale, Burn, Momentum) if written.thing.startswith(f"{model._meta.model_name}:"))
    thing = model._default_manager.get(pk=pk)
    if written.added is not None:
        low, high = ADDED_UP[field]
        left = getattr(thing, field) - written.added
        if not low <= left <= high:
            raise Blocked(_("The effect of this Burn has already been used. Undo that first."))
    else:
        left = written.before[0] if written.before else Burn.State.UNDONE
    setattr(thing, field, left)
    thing.save(update_fields=[field])
    if isinstance(thing, Momentum) and field == "die_modifier":
        dice_changed(work, thing.character)


def _exact(notes: Iterable[Written]) -> set[tuple[str, str]]:
    """Return what is taken back by its value."""
    return {(one.thing, one.path) for one in notes if one.added is None and not one.thing.startswith("sheet:")}


def _things(notes: Iterable[Written], kind: str) -> set[UUID]:
    return {UUID(pk) for name, _colon, pk in (one.thing.partition(":") for one in notes) if name == kind}


def _moved_since(newer: ScaleStep) -> str:
    return _("The Scale has moved since. First undo {newer}.").format(newer=_name(newer))


def _name(step: ScaleStep) -> str:
    who = step.event.actor_name
    if is_roll(step) and step.roll and step.roll.event:
        return _("{name}’s roll ({roll})").format(name=step.roll.by.name, roll=step.roll.event.described["words"])
    return _("what {name} did with a Burn").format(name=who)


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, UUID) else value


def newest(work: UnitOfWork, scale_id: UUID) -> ScaleStep:
    """Return the newest step of a Scale that stands. Raises NotFound, and Blocked if there is none."""
    scale = Scale.objects.filter(campaign=work.campaign, pk=scale_id).first()
    if scale is None:
        raise NotFound
    step = standing(scale).last()
    if step is None:
        raise Blocked(_("There’s nothing on this Scale to undo."))
    return step


def take_back_act(work: UnitOfWork, scale_id: UUID, uid: UUID) -> None:
    """Undo the act on a Burn with this uid. Raises Blocked, naming it, where something else was done on the Scale since."""
    step = newest(work, scale_id)
    if step.uid != uid:
        raise Blocked(_moved_since(step))
    take_back(work, step, "")


def take_back(work: UnitOfWork, step: ScaleStep, reason: str) -> None:
    """Undo an act on a Burn."""
    payload = undo_steps(work, step) | {"reason": reason, "of": str(step.event.uid)}
    if step.event.kind == ORACLE_MARKED:
        payload["oracle"] = step.event.payload["oracle"]
    work.record(BURN_UNDONE, payload, parent=step.event)


def undo_steps(work: UnitOfWork, step: ScaleStep) -> dict[str, Any]:
    """Undo a step and what depends on it. Return the Scale and the Burns as they are now, and the steps undone, for the event."""
    if not in_use(step.scale, settings_of(work.campaign)):
        raise Blocked(_("The house rules changed whose Scale it is. What happened on the old one can’t be undone."))
    steps = with_what_follows(step)
    written = Written.objects.filter(campaign=work.campaign).by_cause(one.uid for one in steps)
    notes = [one for those in written.values() for one in those]
    for one in steps:
        undo(work, one.uid, BURN_TAKEN_BACK)
        one.undone_at = work.now
        one.save(update_fields=["undone_at"])
    burns = Burn.objects.filter(pk__in=_things(notes, "burn")).order_by("at", "pk")
    return {
        "scale": scale_payload(Scale.objects.select_related("character").get(pk=step.scale_id)),
        "burns": [burn_payload(burn) for burn in burns],
        "momentum": momentum_payload(carriers(notes)),
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
