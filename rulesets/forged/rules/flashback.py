"""A flashback at the table: the player says what, the GM what it costs, and the player pays or lets it be (public rules)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from characters.reasons import Reason
from characters.sheets.steps import Shift
from rolls.rules.bars import Barred
from rolls.rules.effects import Effect, Led, Write
from rolls.rules.errors import NotPossible, whole
from rolls.rules.procedures import Act, Actor, Offer, Values
from rulesets.forged.rules.action_before import FULL_STRESS
from rulesets.forged.rules.body import pay
from rulesets.forged.rules.score import FLASHBACK_STRESS, MOST_EXTRA_STRESS, Flashback
from rulesets.forged.settings import DEFAULTS
from rulesets.forged.sheet import SHEET

SET, MORE, ACCEPT, DROP = "set", "more", "accept", "drop"
OWN: Final = "own"
MOST_STRESS: Final = FLASHBACK_STRESS[Flashback.ELABORATE] + MOST_EXTRA_STRESS
PAID = Reason("forged_flashback", "a flashback")
PRICES: Final = tuple(str(stress) for stress in FLASHBACK_STRESS.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """Whose flashback it is, and the `stress` it costs, None until the GM has said so; `ended` "paid" or "dropped"."""

    character: str
    name: str
    stress: int | None = None
    ended: str = ""


def start(given: Values) -> Past:
    return Past(character=given["character"], name=given["name"])


def may(state: Past, who: Actor) -> Sequence[Offer]:
    offers: list[Offer] = []
    if who.is_gm:
        offers += [*(Offer(SET, price) for price in PRICES if price != str(state.stress)), Offer(MORE)]
    if who.plays(state.character):
        offers += [*([] if state.stress is None else [Offer(ACCEPT, OWN)]), Offer(DROP, OWN)]
    return offers


def act(state: Past, by: Actor, act: Act) -> Past | Led[Past]:
    if state.ended:
        raise _not_now("This flashback is over.")
    if act.name == SET and act.whom in PRICES:
        return replace(state, stress=int(act.whom))
    if act.name == MORE:
        return replace(state, stress=whole("stress", act.values["stress"], 0, MOST_STRESS))
    if act.name == DROP:
        return replace(state, ended="dropped")
    if act.name == ACCEPT and state.stress is not None:
        return Led(replace(state, ended="paid"), _paid(state, act, state.stress))
    raise _not_now("The GM has yet to say what it costs." if act.name == ACCEPT else "That is no step of a flashback.")


def _paid(state: Past, act: Act, stress: int) -> list[Effect]:
    """The stress on the sheet, which may bring a trauma; it has still happened."""
    there = act.seen.sheets.get(state.character) if act.seen else None
    if there is None:
        raise _not_now(f"{state.name} is not in play any more.")
    if not stress:
        return []
    settings = act.seen.settings if act.seen and act.seen.settings else DEFAULTS
    marked = SHEET.number(there.values, "stress")
    room = settings.boxes - marked
    if room <= 0:
        if not act.override:
            raise Barred(FULL_STRESS, f"The stress of {state.name} is full: the trauma comes first.")
        return []
    pay(marked, 0, stress, settings)
    return [Write(character=state.character, steps=(Shift("stress", min(stress, room)),), why=PAID)]


def _not_now(message: str) -> NotPossible:
    return NotPossible("act", "", allowed="what is shown", message=message)


def waiting(state: Past) -> Sequence[tuple[str, str]]:
    if state.ended:
        return []
    return [("", "to say what it costs")] if state.stress is None else [(OWN, "to pay for it, or let it be")]


def is_over(state: Past) -> bool:
    return bool(state.ended)


def at_scene_end(state: Past) -> Past:
    """What was not paid for by then has not happened."""
    return replace(state, ended=state.ended or "dropped")
