"""What the Scale does in the transaction of a roll: it counts the dice, moves, offers and fires Burns, and undoes all that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from campaigns.kinds import Payload
from campaigns.models import Event
from campaigns.models.members import TABLE
from campaigns.services.log import UnitOfWork
from rolls.joining import HookContext, Marks, RollHook, Told
from rolls.models import Audience, Roll
from rolls.odds.bar import percent, shift
from rolls.rules.tally import Read, Shifts, mean
from rolls.settings import RollSettings, roll_settings
from rulesets.scale.events import MOVED
from rulesets.scale.models import UndoEntry
from rulesets.scale.odds import crossing
from rulesets.scale.queries.counting import countable, counted_now, read_of, shifts_for
from rulesets.scale.queries.payloads import carried_by, momentum_payload
from rulesets.scale.queries.scale import Standing, scale_payload, standing
from rulesets.scale.rules.reading import feeds
from rulesets.scale.rules.scale import Settings, State
from rulesets.scale.services import undo_journal as ledger
from rulesets.scale.services.recording import tell_burns, tell_taken_back
from rulesets.scale.services.scale import Feeding, move, moved_payload, scale_of, wait_for_narration
from rulesets.scale.services.undo_journal import Changes, step_of
from rulesets.scale.services.undoing import undo_steps

NO_DICE = "no_dice"
UNFED = {
    NO_DICE: "no dice",
    "nobody": "nobody’s dice",
    "gm_alone": "rolled for the GM alone",
    "npc": "an NPC’s roll",
}
"""Why a roll feeds no Scale; of one that is no action its ruleset says what it is."""

NAME = "scale"
NO_ACTION = "no_action"
WORTH_SAYING = Fraction(1, 20)
"""From this chance on the composer says that the roll may reach a Burn."""


def why_unfed(context: HookContext) -> str | None:
    """Why a roll feeds no Scale, a key of UNFED or NO_ACTION; "" where it feeds one, None where its rules have no part in it.

    Somebody has to be rolling: dice without a character feed nothing. Neither does a roll for the GM alone, since players would
    see its trace.
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
    """Where the Scale stands that this character's rolls move: read for the first hook, and remembered for the others."""
    if context.character is None:
        return None
    if NAME not in context.remembered:
        context.remembered[NAME] = standing(context.campaign, context.character, context.settings)
    standing_now: Standing = context.remembered[NAME]
    return standing_now


def _stays(why: str, system: str, kind: str) -> str:
    """Return what is said of a roll that feeds no Scale: "the Scale stays: a Willpower roll"."""
    counted = countable(system)
    return f"the Scale stays: {counted.no_action(kind) if counted and why == NO_ACTION else UNFED.get(why, why)}"


def aside(why: str, roll: Payload) -> str:
    """The same on its card, as a sentence."""
    said = _stays(why, roll["system"], roll["kind"])
    return said[0].upper() + said[1:]


def _read(roll: Roll, settings: Settings) -> Read | None:
    """The dice of a roll as the Scale reads them; None by rules whose dice it cannot count, and where none of them counts: all
    of them are the other side's."""
    counted = countable(roll.system)
    seen = read_of(counted, roll.ask | roll.outcome, settings) if counted else None
    return seen if seen and seen.counted else None


def _given(seen: Read) -> Marks:
    return Marks(given=tuple(die.gives if die.counts and not die.skipped else None for die in seen.dice))


def decided(settings: RollSettings) -> dict[str, bool]:
    """Return what the Scale went by when it moved, so that its log can be folded whatever is decided later."""
    chosen = settings.of(Settings)
    return {
        "cancelled_ones_count": chosen.cancelled_ones_count,
        "staying_is_reaching": chosen.staying_is_reaching,
        "major_clears_bank": chosen.major_clears_bank,
        "shared": chosen.shared,
    }


def _standing(roll: Roll) -> UndoEntry:
    step = step_of(roll)
    assert step is not None  # noqa: S101  # for mypy: it was handed over
    return step


class ScaleHook(RollHook):
    def extra_dice(self, context: HookContext) -> int:
        """The Burn dice that wait for the next action roll. Reading writes nothing: who never had any has no row."""
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
        yield f"expected Scale {shift(mean(shifts))}"
        stands = _standing_for(context)
        reached = crossing(shifts, stands.state if stands else State(), settings)
        if reached.any >= WORTH_SAYING:
            major = f", {percent(reached.major)} a Major Burn" if reached.major else ""
            yield f"{percent(reached.any)} reaches a Burn{major}"

    def held(self, context: HookContext) -> None:
        """Raises Blocked while a Major Burn of the Scale that this roll feeds is to be narrated."""
        if _feeds(context) and (stands := _standing_for(context)):
            wait_for_narration(stands)

    def marks(self, context: HookContext, roll: Roll) -> Marks:
        why = why_unfed(context)
        if why is None:
            return Marks()
        seen = None if why else _read(roll, context.settings.of(Settings))
        return _given(seen) if seen else Marks(aside=why or NO_DICE)

    def after(self, work: UnitOfWork, context: HookContext, roll: Roll) -> Told | None:
        """Move the Scale, and whatever that sets off: the offer, both Burns, the Major Burn with its oracles.

        A roll that not everybody sees is told in its own stream; what it did to the Scale is everybody's, without its dice.
        """
        character, settings = context.character, context.settings
        seen = _read(roll, settings.of(Settings)) if _feeds(context) else None
        stands = _standing_for(context) if seen else None
        if seen is None or character is None or stands is None:
            return None
        scale, changes, number = (
            stands.scale or scale_of(context.campaign, character, settings),
            Changes(),
            stands.steps + 1,
        )
        moved = move(work, roll, Feeding(scale, stands, character, seen, settings), changes)
        everybodys = {
            "scale": moved_payload(scale, moved) | {"step": number},
            "momentum": [carried_by(character, stands.momentum)],
            "rules": decided(settings),
        }

        def follow(event: Event) -> None:
            if event.stream.name != TABLE:
                event = work.record(MOVED, {"character": character.ref} | everybodys, subjects=[character.subject])
            ledger.keep(work, scale, changes, event=event, number=number, roll=roll)
            tell_burns(work, scale, character.subject, moved)

        return Told(payload=everybodys, follow=follow)

    def take_back(self, work: UnitOfWork, roll: Roll) -> Told | None:
        """Undo the move of a roll, its Burns and what they did. Raises Blocked, naming it, when something else has moved the same
        Scale since."""
        step = step_of(roll)
        if step is None:
            return None
        undone = undo_steps(work, step)

        def follow(event: Event) -> None:
            if event.stream.name != TABLE:
                character = roll.character.ref if roll.character else None
                subjects = [roll.character.subject] if roll.character else []
                work.record(MOVED, {"character": character} | undone, subjects=subjects, parent=step.event)
            tell_taken_back(work, undone)

        return Told(payload=undone, follow=follow)

    def keeps(self, old: Roll, new: Roll) -> Marks | None:
        """A corrected roll keeps the move of the old one, if it gives the Scale the same by the rules that moved it then."""
        step = step_of(old)
        if step is None or new.kind != old.kind:
            return None
        described = step.event.described
        seen = _read(new, roll_settings(new.campaign).of(Settings).changed(**described["rules"]))
        return _given(seen) if seen and seen.delta == described["scale"]["delta"] else None

    def hand_over(self, old: Roll, new: Roll) -> Mapping[str, Any]:
        """Hand over to the corrected roll, and tell what it did as it was then, and the Scale as it is now."""
        ledger.hand_over(old, new)
        step = _standing(new)
        described, character = step.event.described, new.character
        moved = {name: described["scale"][name] for name in ("before", "delta", "after", "step")}
        return {
            "scale": scale_payload(step.scale) | moved,
            "momentum": momentum_payload([character] if character else []),
            "rules": described["rules"],
        }
