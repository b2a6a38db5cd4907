"""How the Scale counts the dice of Storyteller rolls, and what a result of it does on a Storyteller sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from characters.sheets.sheet import Values
from characters.sheets.steps import Add, Shift, Step, Take
from characters.sheets.traits import folded
from languages.text import gettext_lazy
from rolls.settings import RollSettings
from rolls.table_rules import Terms
from rules.tally import FallenDie, Shifts, Tally
from rulesets.storyteller.odds import deltas
from rulesets.storyteller.rules.damage import Harm, Health, hurt
from rulesets.storyteller.rules.roll import Ask, Kind, Role, resolve, typed_pool
from rulesets.storyteller.settings import Settings
from rulesets.storyteller.sheet import SHEET
from scale.counting import Countable, Gift

NO_ACTION: Final = {
    Kind.SOAK: gettext_lazy("a soak roll"),
    Kind.WILLPOWER: gettext_lazy("a Willpower roll"),
    Kind.INSPIRATION: gettext_lazy("an Inspiration roll"),
    Kind.HUMANITY: gettext_lazy("a Humanity roll"),
    Kind.VIRTUE: gettext_lazy("a Virtue roll"),
    Kind.INITIATIVE: gettext_lazy("an initiative roll"),
    Kind.DAMAGE: gettext_lazy("a damage roll"),
    Kind.OTHER: gettext_lazy("not an action roll"),
}
"""The words for rolls that are no action rolls (scale.txt, Scale Procedure; our decision for Inspiration, virtues, damage and
all else).
"""

HEALED: Final = 3
HURT: Final = 6
MOST_BASHING: Final = 5
"""The highest face of a d10 by which harm is bashing."""


class StorytellerCountable(Countable):
    usual = {"dice": 5, "difficulty": 6}

    def no_action(self, kind: str) -> str:
        return str(NO_ACTION.get(Kind(kind), ""))

    def fallen(self, payload: Mapping[str, Any]) -> Sequence[FallenDie]:
        """Return the dice in the order in which they fell. 1s that a mastered Ability removed from a botch cancel nothing."""
        faces = [die["face"] for die in payload["dice"]]
        outcome = resolve(Ask(pool=typed_pool(len(faces)), difficulty=payload["difficulty"]), iter(faces))
        return [FallenDie(die.face, die.role is Role.CANCELS) for die in outcome.dice]

    def shifts(self, terms: Terms, tally: Tally) -> Shifts:
        return deltas(terms["dice"], terms["difficulty"], tally)

    def gives(self, gift: Gift, values: Values, settings: RollSettings) -> Sequence[Step] | None:
        """Heal the lightest levels first; end the first condition of this name."""
        health = Health(**{harm.value: SHEET.number(values, harm.value) for harm in Harm})
        match gift.code:
            case "heal":
                bashing = min(HEALED, health.bashing)
                return _shifts(bashing=-bashing, lethal=-min(HEALED - bashing, health.lethal))
            case "heal_aggravated":
                return _shifts(aggravated=-min(1, health.aggravated))
            case "blood":
                return _shifts(blood=-min(1, SHEET.number(values, "blood")))
            case "hurt":
                harm = Harm.BASHING if gift.face <= MOST_BASHING else Harm.LETHAL
                after = hurt(health, harm, HURT, settings.of(Settings))[0]
                return _shifts(**{name: getattr(after, name) - getattr(health, name) for name in map(str, Harm)})
            case "end":
                rows = (row for row in SHEET.rows(values, "conditions") if folded(row["name"]) == folded(gift.name))
                return [Take("conditions", row["id"]) for row in rows][:1]
            case "condition":
                return [Add("conditions", {"name": gift.name, "words": gift.words})]
        return None


def _shifts(**by: int) -> list[Step]:
    """Return the steps, those that make less first, since a sheet never holds more levels than there are."""
    return [Shift(name, change) for name, change in sorted(by.items(), key=lambda pair: pair[1]) if change]
