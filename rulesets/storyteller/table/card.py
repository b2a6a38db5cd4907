"""What the card of a Storyteller roll tells: its pool, its dice with what each did, and what came of them, in codes."""

from __future__ import annotations

from typing import Any, Final

from campaigns.schema import Code, Name, Schema
from rolls.models import Roll
from rolls.table_rules import CardDie
from rulesets.storyteller.rules.roll import Outcome, severity_name


class Trait(Schema):
    code: Code
    name: Name | None = None


class Pool(Schema):
    traits: list[Trait]
    dots: int
    modifier: int
    extra_dice: int
    wounds: int | None = None
    wounds_left_out: int | None = None
    dice: int


class Card(Schema):
    pool: Pool
    difficulty: int
    dice: list[CardDie]
    willpower: bool
    automatic: bool
    total: int
    severity: int
    severity_name: Name | None = None


OF_WOUNDS: Final = ("wounds", "wounds_left_out")


def card(roll: Roll) -> dict[str, Any]:
    """What templates/storyteller/card.html draws beside what every card has, once words.describe has put it into words."""
    ask, outcome = roll.ask, roll.outcome
    return {
        # Of wounds most have nothing to tell, and rolls from before they counted do not know of them.
        "pool": {name: ask[name] for name in Pool.model_fields if name not in OF_WOUNDS or ask.get(name)},
        **{name: ask[name] for name in ("difficulty", "willpower", "automatic")},
        **{name: outcome[name] for name in ("dice", "total", "severity", "severity_name") if name in outcome},
    }


def stored_outcome(outcome: Outcome) -> dict[str, Any]:
    """An Outcome as the Roll keeps it. A botch has a name where the table calls it otherwise than is usual."""
    named = outcome.severity and outcome.severity_name != severity_name(outcome.severity)
    return {
        "result": outcome.result.value,
        "dice": [{"face": die.face, "role": die.role.value} for die in outcome.dice],
        "total": outcome.total,
        "severity": outcome.severity,
        **({"severity_name": outcome.severity_name} if named else {}),
    }
