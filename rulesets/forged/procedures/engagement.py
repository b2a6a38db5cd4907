"""The engagement roll: its factors as chips, its exact odds, and the position that it leaves on the table (public rules)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from rolls.procedures import NextRoll, ProcedureForm, ProcedureKind
from rolls.rules.acts import AvailableAct
from rolls.rules.procedures import OPEN, USED, Button, Values
from rolls.stage import Staged
from rulesets.forged.procedures.fortune import odds_words, pool_words
from rulesets.forged.rules import score as rules
from rulesets.forged.rules.score import FACTORS, Engage, EngageRules, Opening, OpeningRules
from rulesets.forged.table.ask import ForgedInput, Kind
from rulesets.forged.table.fortune import ENGAGEMENT as SETTLES
from rulesets.forged.table.words import POSITION_WORDS

FACTOR_WORDS: Final = {
    "bold": "a daring plan",
    "weak_spot": "it strikes at a weakness",
    "friends": "friends lend a hand",
    "smaller": "a target of a lower Tier",
    "for_it": "something else speaks for it",
    "complex": "a plan with many parts",
    "strong_spot": "it strikes where they are strong",
    "rivals": "somebody gets in the way",
    "larger": "a target of a higher Tier",
    "against_it": "something else speaks against it",
}


class OpenEngagementForm(ProcedureForm):
    """Nothing but what it is for: the chips are on the card."""


def _chip(state: Engage, code: str, buttons: Sequence[Button]) -> dict[str, Any]:
    """Return a chip with the button that turns it, for those who may."""
    return {
        "words": FACTOR_WORDS[code],
        "dice": FACTORS[code],
        "on": code in state.factors,
        "button": next((button for button in buttons if button.name == rules.TURN and button.whom == code), None),
    }


def _opening_words(state: Opening) -> str:
    words = f"The score opens {POSITION_WORDS[state.position]}"
    return f"{words}, past the first obstacle" if state.past else words


class EngageProcedure(EngageRules, ProcedureKind[Engage]):
    label = "Engagement"
    forms: ClassVar = {OPEN: OpenEngagementForm}

    def next_roll(self, state: Engage) -> NextRoll | None:
        if not state.ready:
            return None
        ask = ForgedInput(
            kind=Kind.FORTUNE.value,
            trait=1,
            advantages=state.advantages,
            disadvantages=state.disadvantages,
            settles=SETTLES,
        )
        return NextRoll(part=rules.PART, ask=ask)

    def describe(self, state: Engage, buttons: Sequence[Button]) -> Values:
        """Return the `chips` for and against it, those that count pressed, the dice and their odds, and `buttons`."""
        chips = [_chip(state, code, buttons) for code in FACTORS]
        return {
            "for_it": [chip for chip in chips if chip["dice"] > 0],
            "against_it": [chip for chip in chips if chip["dice"] < 0],
            "some_for": any(chip["on"] for chip in chips if chip["dice"] > 0),
            "some_against": any(chip["on"] for chip in chips if chip["dice"] < 0),
            "pool_words": pool_words(state.pool),
            "odds": odds_words(
                state.pool, {"bad": "desperate", "partial": "risky", "full": "controlled", "critical": "past it"}
            ),
            "buttons": (rolls := [button for button in buttons if button.name == rules.ROLL]),
            "staged": Staged(above="Engagement", extra="forged/_factors.html", acts=rolls),
        }

    def button_words(self, state: Engage, available: AvailableAct) -> str:
        return FACTOR_WORDS[available.whom] if available.name == rules.TURN else "Roll"

    def primary(self, state: Engage, available: AvailableAct) -> bool:
        return available.name == rules.ROLL

    def said(self, state: Engage, name: str, whom: str) -> str:
        """Return the sentence of the log; none for the roll, which has its own card."""
        return "sets up an engagement roll" if name == OPEN else ""


class OpeningProcedure(OpeningRules, ProcedureKind[Opening]):
    label = "Opening position"
    token = True

    def describe(self, state: Opening, buttons: Sequence[Button]) -> Values:
        return {"words": _opening_words(state), "chip": _opening_words(state), "buttons": buttons}

    def button_words(self, state: Opening, available: AvailableAct) -> str:
        return "Used"

    def said(self, state: Opening, name: str, whom: str) -> str:
        """Return a sentence where it is used up by hand; what the roll's card says is not said again."""
        if name == rules.USE:
            return "takes the position of the engagement off the table"
        return f"{_opening_words(state)}: that was the first action" if name == USED else ""
