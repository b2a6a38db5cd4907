"""The Scale in the transaction of a roll: it counts the dice, moves, offers and fires Burns, records that, and undoes it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any
from uuid import uuid5

from django.utils.translation import gettext as _

from campaigns.errors import Blocked
from campaigns.kinds import Payload
from campaigns.models import Event
from campaigns.models.log import Subject
from campaigns.models.members import TABLE
from campaigns.services.log import UnitOfWork
from characters.models import Character
from languages.text import gettext_lazy
from rolls.joining import HookContext, Marks, RollHook, Told
from rolls.models import Audience, Roll
from rolls.odds.shown import percent, shift
from rolls.services.procedure_reading import character_brings_other
from rolls.settings import RollSettings, roll_settings
from rules.tally import Read, Shifts, mean
from rulesets.scale.events import BURN_BANKED, BURN_FIRED, BURN_OFFERED, BURN_TAKEN_BACK, MAJOR_BURN, MOVED
from rulesets.scale.models import Burn, Scale
from rulesets.scale.odds import crossing
from rulesets.scale.queries.scale import (
    Standing,
    burn_on,
    burn_payload,
    carried_by,
    countable,
    counted_now,
    momentum_payload,
    read_of,
    scale_payload,
    shifts_for,
    standing,
)
from rulesets.scale.rules.scale import BurnKind, Reached, Settings, State, feeds, step
from rulesets.scale.services import undo_journal as ledger
from rulesets.scale.services.majors import consult_oracles
from rulesets.scale.services.scale import scale_of
from rulesets.scale.services.undo_journal import Changes, step_of, undo_steps

NO_DICE = "no_dice"
UNFED = {
    NO_DICE: gettext_lazy("no dice"),
    "nobody": gettext_lazy("no character"),
    "gm_alone": gettext_lazy("rolled for the GM only"),
    "npc": gettext_lazy("an NPC’s roll"),
}
"""The reasons why a roll feeds no Scale; for rolls that are no actions, the ruleset gives the reason."""

NAME = "scale"
NO_ACTION = "no_action"
WORTH_SAYING = Fraction(1, 20)
"""The chance from which the composer warns that the roll may reach a Burn."""


def why_unfed(context: HookContext) -> str | None:
    """Return why a roll moves no Scale, a key of UNFED or NO_ACTION; "" if it moves one, None if its rules have no part.

    Dice without a character move none. Nor does a roll for the GM alone, since players would see its trace.
    """
    counted = counted_now(context.system, context.settings)
    if counted is None:
        return None
    if not context.has_dice:
        return NO_DICE
    if counted.no_action(context.kind):
        return NO_ACTION
    if context.character is None:
        return "nobody"
    if context.audience == Audience.GM:
        return "gm_alone"
    if not feeds(True, is_npc=context.character.is_npc, settings=context.settings.of(Settings)):
        return "npc"
    return ""


def _feeds(context: HookContext) -> bool:
    return why_unfed(context) == ""


def _standing_for(context: HookContext) -> Standing | None:
    """Return the Scale that this character's rolls move, read for the first hook and remembered for the others."""
    if context.character is None:
        return None
    if NAME not in context.remembered:
        context.remembered[NAME] = standing(context.campaign, context.character, context.settings)
    standing_now: Standing = context.remembered[NAME]
    return standing_now


def _stays(why: str, system: str, kind: str) -> str:
    """Return the words for a roll that moves no Scale: "the Scale stays: a Willpower roll"."""
    counted = countable(system)
    reason = counted.no_action(kind) if counted and why == NO_ACTION else UNFED.get(why, why)
    return _("the Scale stays: {reason}").format(reason=reason)


def aside(why: str, roll: Payload) -> str:
    """Return the same as a sentence for the card."""
    said = _stays(why, roll["system"], roll["kind"])
    return said[0].upper() + said[1:]


def _read(roll: Roll, settings: Settings) -> Read | None:
    """Return the dice of a roll as the Scale reads them; None by rules whose dice it cannot count, and where all of them are the
    other side's."""
    counted = countable(roll.system)
    seen = read_of(counted, roll.ask | roll.outcome, settings) if counted else None
    return seen if seen and seen.counted else None


def _given(seen: Read) -> Marks:
    return Marks(given=tuple(die.gives if die.counts and not die.skipped else None for die in seen.dice))


def decided(settings: RollSettings) -> dict[str, bool]:
    """Return the settings by which the Scale moved, so that its log can be replayed after they change."""
    chosen = settings.of(Settings)
    return {
        "cancelled_ones_count": chosen.cancelled_ones_count,
        "staying_is_reaching": chosen.staying_is_reaching,
        "major_clears_bank": chosen.major_clears_bank,
        "shared": chosen.shared,
    }


class ScaleHook(RollHook):
    def extra_dice(self, context: HookContext) -> int:
        """Return the Burn dice that wait for the next action roll."""
        stands = _standing_for(context) if _feeds(context) else None
        return stands.state.die_modifier if stands else 0

    def odds(self, context: HookContext, terms: Mapping[str, Any]) -> Iterator[str]:
        """Say what the roll gives the Scale on average, and near a threshold the chance to reach it; or why it gives nothing."""
        why, counted = why_unfed(context), counted_now(context.system, context.settings)
        if why is None or counted is None:
            return
        if why or context.character is None:
            yield _stays(why, context.system, context.kind)
            return
        settings = context.settings.of(Settings)
        shifts: Shifts = shifts_for(counted, dict(terms), settings)
        yield _("expected Scale {shift}").format(shift=shift(mean(shifts)))
        stands = _standing_for(context)
        reached = crossing(shifts, stands.state if stands else State(), settings)
        if reached.any >= WORTH_SAYING:
            yield _("{chance} chance of a Burn").format(chance=percent(reached.any))
            if reached.major:
                yield _("{chance} of a Major Burn").format(chance=percent(reached.major))

    def held(self, context: HookContext) -> None:
        """Raise Blocked while a Major Burn of the Scale that this roll feeds is to be narrated."""
        if _feeds(context) and (stands := _standing_for(context)) and stands.stopped:
            raise Blocked(
                _(
                    "A Major Burn is waiting for the GM’s narration. Action rolls resume once the GM narrates it or continues."
                )
            )

    def marks(self, context: HookContext, roll: Roll) -> Marks:
        why = why_unfed(context)
        if why is None:
            return Marks()
        seen = None if why else _read(roll, context.settings.of(Settings))
        return _given(seen) if seen else Marks(aside=why or NO_DICE)

    def after(self, work: UnitOfWork, context: HookContext, roll: Roll) -> Told | None:
        """Move the Scale, with all that follows: the offer, both Burns, the Major Burn with its oracles.

        A roll that not everyone sees is recorded in its own stream; its effect on the Scale is public, without its dice.
        """
        character, settings = context.character, context.settings
        seen = _read(roll, settings.of(Settings)) if _feeds(context) else None
        stands = _standing_for(context) if seen else None
        if seen is None or character is None or stands is None:
            return None
        scale, changes = stands.scale or scale_of(context.campaign, character, settings), Changes()
        number = stands.steps + 1
        moved = _move(work, roll, Feeding(scale, stands, character, seen, settings.of(Settings)), changes)
        everybodys = {
            "scale": _moved_payload(scale, moved) | {"step": number},
            "momentum": [carried_by(character, stands.momentum)],
            "rules": decided(settings),
        }

        def follow(event: Event) -> None:
            if event.stream.name != TABLE:
                event = work.record(MOVED, {"character": character.ref} | everybodys, subjects=[character.subject])
            ledger.keep(work, scale, changes, event=event, number=number, roll=roll)
            _tell_burns(work, scale, character.subject, moved)

        return Told(payload=everybodys, follow=follow)

    def take_back(self, work: UnitOfWork, roll: Roll) -> Told | None:
        """Undo the move of a roll, its Burns and their effects. Raises Blocked, naming it, when something else has
        moved the same Scale since.
        """
        step = step_of(roll)
        if step is None:
            return None
        undone = undo_steps(work, step)

        def follow(event: Event) -> None:
            if event.stream.name != TABLE:
                character = roll.character.ref if roll.character else None
                subjects = [roll.character.subject] if roll.character else []
                work.record(MOVED, {"character": character} | undone, subjects=subjects, parent=step.event)
            _tell_taken_back(work, undone)

        return Told(payload=undone, follow=follow)

    def keeps(self, old: Roll, new: Roll) -> Marks | None:
        """Keep the move of the old roll, if the corrected one gives the Scale the same by the rules that moved it then."""
        step = step_of(old)
        if step is None or new.kind != old.kind:
            return None
        described = step.event.described
        seen = _read(new, roll_settings(new.campaign).of(Settings).changed(**described["rules"]))
        return _given(seen) if seen and seen.delta == described["scale"]["delta"] else None

    def hand_over(self, old: Roll, new: Roll) -> Mapping[str, Any]:
        """Hand over to the corrected roll, and return the move as it was then, and the Scale as it is now."""
        handed = step_of(old)
        ledger.hand_over(old, new)
        assert handed is not None  # noqa: S101  # for mypy: `keeps` has read it
        described, character = handed.event.described, new.character
        moved = {name: described["scale"][name] for name in ("before", "delta", "after", "step")}
        return {
            "scale": scale_payload(handed.scale) | moved,
            "momentum": momentum_payload([character] if character else []),
            "rules": described["rules"],
        }


TOLD_AS = {
    Reached.OFFER: BURN_OFFERED,
    Reached.BOTH: BURN_FIRED,
    Reached.MAJOR: MAJOR_BURN,
}


def _tell_burns(work: UnitOfWork, scale: Scale, whose: Subject, moved: Move) -> None:
    """Record what the move set off; the oracles of a Major Burn are consulted now."""
    if moved.auto_banked:
        payload = {
            "automatic": True,
            "burns": [burn_payload(moved.auto_banked)],
            "scale": scale_payload(scale, moved.state),
        }
        work.record(BURN_BANKED, payload, subjects=[whose], parent=moved.auto_banked.event)
    if moved.event is None:
        return
    if moved.event is Reached.MAJOR:
        consult_oracles(work, moved.burns[-1], moved.before + moved.delta)
    burns = [burn_payload(burn) for burn in moved.burns]
    payload = {"how": moved.event.value, "burns": burns, "scale": scale_payload(scale, moved.state)}
    if moved.event is Reached.MAJOR:
        payload |= {"proof": moved.burns[-1].oracle["proof"]}
    event = work.record(TOLD_AS[moved.event], payload, subjects=[whose])
    Burn.objects.filter(pk__in=[burn.pk for burn in moved.burns], event=None).update(event=event)


def _tell_taken_back(work: UnitOfWork, undone: dict[str, Any]) -> None:
    """Mark the events of Burns that were `undone` with their roll (undoing.undo_steps)."""
    ids = [burn["id"] for burn in undone["burns"]]
    gone = Burn.objects.filter(pk__in=ids, state=Burn.State.UNDONE).exclude(event=None)
    for burn in gone.select_related("scale", "character__owner__user", "npc", "storyline", "event__stream").order_by(
        "at", "pk"
    ):
        of = str(burn.event.uid) if burn.event else ""
        payload = {"of": of, "burns": [burn_payload(burn)], "scale": undone["scale"]}
        work.record(BURN_TAKEN_BACK, payload, subjects=[burn.character.subject], parent=burn.event)


@dataclass(frozen=True)
class Feeding:
    """A roll of a character that moves a Scale: what its dice give, and the settings of that moment."""

    scale: Scale
    standing: Standing
    character: Character
    read: Read
    settings: Settings


@dataclass(frozen=True)
class Move:
    """What a roll did to its Scale, which is in `state` now. `burns` are those it offered, fired or made, in the order
    to tell them.
    """

    before: int
    delta: int
    state: State
    event: Reached | None
    auto_banked: Burn | None
    burns: tuple[Burn, ...]


def _move(work: UnitOfWork, roll: Roll, feeding: Feeding, changes: Changes) -> Move:
    """Move the Scale and use up the Burn dice of the character (scale.txt, Burns)."""
    scale, delta, state = feeding.scale, feeding.read.delta, feeding.standing.state
    taken = step(state, delta, feeding.settings)
    momentum = feeding.standing.momentum
    if momentum and momentum.die_modifier:
        changes.put(momentum, die_modifier=taken.after.die_modifier)
        character_brings_other(work, str(feeding.character.pk))
    auto_banked = _bank_unanswered(scale, changes) if state.pending else None
    before = scale.value
    banked = burn_on(scale, Burn.State.BANKED) if taken.event in (Reached.MAJOR, Reached.BOTH) else None
    burns: list[Burn] = []
    if taken.event is Reached.MAJOR and banked and not taken.after.banked:
        changes.put(banked, state=Burn.State.LOST)
        burns.append(banked)
    if taken.event is Reached.BOTH and banked:
        changes.put(banked, state=Burn.State.FIRED)
        burns.append(banked)
    changes.put(scale, value=taken.after.scale)
    if taken.event is not None:
        kind = BurnKind.GRACE if before + delta > 0 else BurnKind.TROUBLE
        burns.append(changes.made(_burn(work, roll, feeding, kind, taken.event)))
    return Move(before, delta, taken.after, taken.event, auto_banked, tuple(burns))


def _bank_unanswered(scale: Scale, changes: Changes) -> Burn | None:
    offered = burn_on(scale, Burn.State.OFFERED)
    if offered:
        changes.put(offered, state=Burn.State.BANKED)
    return offered


STATES = {Reached.OFFER: Burn.State.OFFERED, Reached.BOTH: Burn.State.FIRED, Reached.MAJOR: Burn.State.OPEN}


def _burn(work: UnitOfWork, roll: Roll, feeding: Feeding, kind: BurnKind, event: Reached) -> Burn:
    return Burn(
        pk=uuid5(roll.pk, "burn"),
        scale=feeding.scale,
        kind=kind,
        major=event is Reached.MAJOR,
        state=STATES[event],
        cause=roll,
        character=feeding.character,
        at=work.now,
    )


def _moved_payload(scale: Scale, moved: Move) -> dict[str, Any]:
    """Return the Scale's payload with the move that led there: `before` + `delta` is what it reached, `after` where it is."""
    return scale_payload(scale, moved.state) | {"before": moved.before, "delta": moved.delta, "after": scale.value}
