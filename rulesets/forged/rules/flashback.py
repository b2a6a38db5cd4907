"""A flashback at the table: the player says what, the GM what it costs, and the player pays or lets it be (public rules)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from characters.reasons import Reason
from characters.sheets.steps import Shift
from rolls.rules.acts import Actor
from rolls.rules.bars import Barred
from rolls.rules.effects import Effect, StepResult, Write
from rolls.rules.errors import NotPossible, RuleError, whole
from rolls.rules.function_procedures import Act, AvailableAct
from rolls.rules.procedures import Snapshot, Values
from rulesets.forged.rules.action_before import FULL_STRESS
from rulesets.forged.rules.score import FLASHBACK_STRESS, MOST_EXTRA_STRESS, Flashback
from rulesets.forged.settings import DEFAULTS, MOST_BOXES, Settings
from rulesets.forged.sheet import SHEET

SET, MORE, ACCEPT, DROP = "set", "more", "accept", "drop"
OWN: Final = "own"
MOST_STRESS: Final = FLASHBACK_STRESS[Flashback.ELABORATE] + MOST_EXTRA_STRESS
PAID = Reason("forged_flashback", "a flashback")
PRICES: Final = tuple(str(stress) for stress in FLASHBACK_STRESS.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """Whose flashback it is, and the `stress` it costs, None until the GM has said so; `ended` "paid" or "dropped".

    `room` is what of their stress track is not marked, None for who has left play; where a track may not be filled for it
    (`filling_counts`), all of that but the last box.
    """

    character: str
    name: str
    stress: int | None = None
    ended: str = ""
    room: int | None = MOST_BOXES
    filling_counts: bool = True

    @property
    def full(self) -> bool:
        """Whether the trauma comes first; what costs nothing goes on."""
        return bool(self.stress) and self.room is not None and self.room <= 0

    @property
    def too_much(self) -> bool:
        return bool(self.stress) and not self.filling_counts and 0 < (self.room or 0) <= (self.stress or 0)


def start(given: Values) -> Past:
    return Past(**given)


def reads(state: Past, seen: Snapshot) -> Past:
    """By the stress track as it is now."""
    there, settings = seen.sheets.get(state.character), seen.settings or DEFAULTS
    counts = settings.filling_stress_counts
    return replace(state, room=room_of(there.values, settings) if there else None, filling_counts=counts)


def room_of(values: Values, settings: Settings) -> int:
    return settings.boxes - SHEET.number(values, "stress")


def may(state: Past, who: Actor) -> Sequence[AvailableAct]:
    offers: list[AvailableAct] = []
    if who.is_gm:
        offers += [*(AvailableAct(SET, price) for price in PRICES if price != str(state.stress)), AvailableAct(MORE)]
    if who.plays(state.character):
        offers += [
            *([AvailableAct(ACCEPT, OWN, (state.stress,))] if _payable(state, who) else []),
            AvailableAct(DROP, OWN),
        ]
    return offers


def _payable(state: Past, who: Actor) -> bool:
    """With the stress full a GM may allow it."""
    return state.stress is not None and state.room is not None and not state.too_much and (who.is_gm or not state.full)


def why_not(state: Past, who: Actor, wanted: AvailableAct) -> str:
    """What keeps somebody from paying."""
    if wanted != AvailableAct(ACCEPT, OWN) or not who.plays(state.character) or state.stress is None:
        return ""
    try:
        _paid(state, state.stress, override=False)
    except RuleError as error:
        return error.message
    return ""


def act(state: Past, by: Actor, act: Act) -> Past | StepResult[Past]:
    if state.ended:
        raise _not_now("This flashback is over.")
    if act.name == SET and act.whom in PRICES:
        return replace(state, stress=int(act.whom))
    if act.name == MORE:
        return replace(state, stress=whole("stress", act.values["stress"], 0, MOST_STRESS))
    if act.name == DROP:
        return replace(state, ended="dropped")
    if act.name == ACCEPT and state.stress is not None:
        return StepResult(replace(state, ended="paid"), _paid(state, state.stress, override=act.override))
    raise _not_now("The GM has yet to say what it costs." if act.name == ACCEPT else "That is no step of a flashback.")


def _paid(state: Past, stress: int, *, override: bool) -> list[Effect]:
    """The stress on the sheet, which may bring a trauma; it has still happened."""
    if state.room is None:
        raise _not_now(f"{state.name} is not in play any more.")
    if state.too_much:
        raise _not_now("That would fill the stress track before anything comes of it.")
    if state.full and not override:
        raise Barred(FULL_STRESS, f"The stress of {state.name} is full: the trauma comes first.")
    marked = min(stress, max(0, state.room))
    return [Write(character=state.character, steps=(Shift("stress", marked),), why=PAID)] if marked else []


def _not_now(message: str) -> NotPossible:
    return NotPossible("act", "", allowed="what is shown", message=message)


def waiting(state: Past) -> Sequence[tuple[str, str]]:
    if state.ended:
        return []
    if state.stress is None:
        return [("", "to say what it costs")]
    if state.room is None:
        return [("", f"to let it be: {state.name} is not in play any more")]
    if state.too_much:
        return [("", "to ask for less stress than would fill the track"), (OWN, "to let it be")]
    return [(OWN, "to choose a trauma first, or let it be" if state.full else "to pay for it, or let it be")]


def is_over(state: Past) -> bool:
    return bool(state.ended)


def at_scene_end(state: Past) -> Past:
    """What was not paid for by then has not happened."""
    return replace(state, ended=state.ended or "dropped")
