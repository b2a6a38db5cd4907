"""A resistance roll: it always works, and the dice say what it costs (forged.txt, Resistance Roll)."""

from __future__ import annotations

from typing import Any

from characters.models import Character
from rolls.rules.dice import Faces
from rolls.rules.errors import word
from rolls.table_rules import Terms
from rulesets.forged.rules.body import Attribute, resist_cost, resist_pool
from rulesets.forged.rules.consequence import Resisting
from rulesets.forged.rules.roll import resolve
from rulesets.forged.table.ask import RollInput, refused_at, short_words
from rulesets.forged.table.sheet import rated_attribute
from rulesets.forged.table.words import drawn


def terms(character: Character | None, ask: RollInput) -> Terms:
    """Return what a resistance roll keeps. Raises Invalid for what the rules do not allow."""
    with refused_at():
        attribute = word("attribute", ask.attribute, Attribute)
        rating = rated_attribute(character, attribute, ask)
        pool = resist_pool(rating)
        resisting = word("resisting", ask.resisting, Resisting)
    return {
        "attribute": attribute.value,
        "rating": rating,
        "dice": pool.dice,
        "consequence": short_words(ask.consequence, "consequence"),
        "resisting": resisting.value,
    }


def read(kept: Terms, faces: Faces) -> tuple[tuple[int, ...], dict[str, Any]]:
    """The faces taken, and the outcome as the Roll keeps it; `stress` is -1 where a critical clears one."""
    with refused_at():
        word("resisting", kept["resisting"], Resisting)
        outcome = resolve(resist_pool(kept["rating"]), faces)
    stress = resist_cost(outcome)
    return tuple(die.face for die in outcome.dice), {
        "result": outcome.result.name.lower(),
        "dice": drawn(outcome.dice),
        "stress": stress,
    }
