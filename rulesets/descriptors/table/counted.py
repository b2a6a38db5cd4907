"""The dice of opposed rolls, for what counts them beside the roll's own result, where a campaign wants that.

Neither text knows of the other, so all of it is our decision. An opposed action is an action roll, and moves what the dice of
whoever rolls give. Those against them are no dice of theirs; but where both are player characters, both act, and a Scale that
the table shares counts the dice of both. No die strikes out another: dice that are passed over as equal
count like any other. A recovery roll answers an Injury, as a soak roll answers damage, and is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from characters.models import Character
from languages.text import gettext_lazy
from rolls.settings import RollSettings
from rolls.table_rules import Terms
from rules.tally import FallenDie, Shifts, Tally, shifts_of
from rulesets.descriptors.rules.contest import Side
from rulesets.descriptors.settings import COUNTED_SIDES, Settings
from rulesets.descriptors.table.ask import RECOVERY
from rulesets.descriptors.table.pools import Pool
from scale.counting import BOTH, Countable
from scale.services.moving import Falling, extra_dice

KIND: Final = "opposed"
NO_ACTION: Final = {RECOVERY: gettext_lazy("a recovery roll")}


def with_extra_dice(pool: Pool, falling: Falling) -> Pool:
    """Return the roller's pool with the dice that Burns put into it, or take from it."""
    return Pool(pool.entries, pool.unnamed, extra_dice(falling) if pool.dice else 0)


def both_play(mine: Character | None, opponent: Character | None) -> Terms:
    """Return the term that marks a roll between two player characters; {} otherwise."""
    both = mine is not None and opponent is not None and not (mine.is_npc or opponent.is_npc)
    return {BOTH: True} if both else {}


class DescriptorsCountable(Countable):
    usual = {"a": {"dice": 4}}

    def no_action(self, kind: str) -> str:
        return NO_ACTION.get(kind, "")

    def fallen(self, payload: Mapping[str, Any]) -> Sequence[FallenDie]:
        both = bool(payload.get(BOTH))
        sides = ((die["face"], die["side"] == Side.A) for die in payload["dice"])
        return [FallenDie(face, counts=mine, other=both and not mine) for face, mine in sides]

    def shifts(self, terms: Terms, tally: Tally) -> Shifts:
        both = terms["b"]["dice"] if terms.get(BOTH) else 0
        return shifts_of(terms["a"]["dice"] + both, COUNTED_SIDES, tally)

    def wanted(self, settings: RollSettings) -> bool:
        return settings.of(Settings).moves_scale
