"""What a result of an add-on does on a Storyteller sheet: levels heal or are marked, a condition comes or goes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from characters.sheets.sheet import Values
from characters.sheets.steps import Add, Shift, Step, Take
from characters.sheets.traits import folded
from rolls.countable import Gift
from rolls.settings import RollSettings
from rulesets.storyteller.rules.damage import Harm, Health, decisions_of, hurt
from rulesets.storyteller.settings import Settings
from rulesets.storyteller.sheet import SHEET

HEALED: Final = 3
HURT: Final = 6
MOST_BASHING: Final = 5
"""The highest face of a d10 by which harm is bashing."""


def gives(gift: Gift, values: Values, settings: RollSettings) -> Sequence[Step] | None:
    """Healing takes the lightest levels first. A condition ends that has this name; the first of several."""
    health = Health(**{harm.value: SHEET.number(values, harm.value) for harm in Harm})
    match gift.code:
        case "heal":
            bashing = min(HEALED, health.bashing)
            return _shifts(bashing=-bashing, lethal=-min(HEALED - bashing, health.lethal))
        case "heal_aggravated":
            return _shifts(aggravated=-min(1, health.aggravated))
        case "hurt":
            harm = Harm.BASHING if gift.face <= MOST_BASHING else Harm.LETHAL
            after, _ = hurt(health, harm, HURT, decisions_of(settings.of(Settings)))
            return _shifts(
                **{level.value: getattr(after, level.value) - getattr(health, level.value) for level in Harm}
            )
        case "end":
            named = [row["id"] for row in SHEET.rows(values, "conditions") if folded(row["name"]) == folded(gift.name)]
            return [Take("conditions", row_id) for row_id in named[:1]]
        case "condition":
            return [Add("conditions", {"name": gift.name, "words": gift.words})]
    return None


def _shifts(**by: int) -> list[Step]:
    """Return the steps, those that make less first, since a sheet never holds more levels than there are."""
    return [Shift(name, change) for name, change in sorted(by.items(), key=lambda pair: pair[1]) if change]
