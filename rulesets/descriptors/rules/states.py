"""What keeps a character of the Descriptors rules out: 0 Will until a Refreshment Scene, a full Power track until the scene has
ended (descriptors.txt, Will points and "What does success do?")."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from characters.sheets.sheet import Values
from rolls.rules.errors import Block, BlockedByState
from rulesets.descriptors.rules.will import is_out
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.sheet import SHEET, track, will_of

NO_WILL: Final = Block("descriptors_no_will", "without Will")
OUT_OF_SCENE: Final = Block("descriptors_out_of_scene", "out of the scene")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fund:
    """What of a sheet a contest goes by, which not everybody may read: Will (None without limit), the Power track of so many
    `boxes` with those that are `crossed`, and whether its owner is `out` of the scene."""

    will: int | None
    boxes: int
    crossed: tuple[int, ...] = ()
    out: bool = False

    @property
    def block(self) -> Block | None:
        """Return what keeps who has this sheet out of contests and rolls."""
        if is_out(self.will):
            return NO_WILL
        return OUT_OF_SCENE if self.out else None


def fund_of(values: Values, settings: Settings) -> Fund:
    """That of a sheet of these rules."""
    power_track = track(values)
    return Fund(
        will=will_of(values, settings),
        boxes=power_track.boxes,
        crossed=tuple(sorted(power_track.crossed)),
        out=bool(SHEET.value(values, "out_of_scene")),
    )


def blocked(name: str, block: Block) -> BlockedByState:
    """Return what is said of it."""
    return BlockedByState(block, block_message(name, block))


def block_message(name: str, block: Block) -> str:
    if block == NO_WILL:
        return f"{name} has no Will left. A Refreshment Scene comes first."
    return f"{name} is out of this scene until it ends."
