"""The rules of Lanterns: two d6 and a trait against the dark. Plain values and functions, without Django, clock or randomness."""

from dataclasses import dataclass
from enum import StrEnum

from rolls.rules.dice import Die, Faces, draw
from rolls.rules.errors import whole, yes_or_no

D6, DICE = Die(6), 2
HIGHEST = 3  # of a trait, and of the wind
FLICKERS_FROM, BRIGHT_FROM = 7, 10


class Light(StrEnum):
    DARK = "dark"
    FLICKER = "flicker"
    BRIGHT = "bright"


@dataclass(frozen=True)
class Settings:
    """What a campaign may decide: what oil adds, 1 to 3, and whether two 1s go dark whatever is added."""

    oil_adds: int = 1
    ones_go_dark: bool = True

    def __post_init__(self) -> None:
        whole("oil_adds", self.oil_adds, 1, 3)
        yes_or_no("ones_go_dark", self.ones_go_dark)


DEFAULTS = Settings()
WORDS = {
    "oil_adds": "What a measure of oil adds to a roll",
    "ones_go_dark": "Two 1s go dark, whatever is added",
}


@dataclass(frozen=True)
class Check:
    """What is asked of the dice: a trait, the wind that is taken away, both 0 to 3, and whether oil is burned."""

    trait: int
    wind: int = 0
    oil: bool = False

    def __post_init__(self) -> None:
        whole("trait", self.trait, 0, HIGHEST)
        whole("wind", self.wind, 0, HIGHEST)


def resolve(check: Check, faces: Faces, settings: Settings = DEFAULTS) -> tuple[tuple[int, ...], int, Light]:
    """The faces, what they make in all, and the light. Raises RuleError for what no two d6 show."""
    fell = draw(DICE, D6, faces)
    total = sum(fell) + check.trait - check.wind + (settings.oil_adds if check.oil else 0)
    if total < FLICKERS_FROM or (settings.ones_go_dark and fell == (1, 1)):
        return fell, total, Light.DARK
    return fell, total, Light.FLICKER if total < BRIGHT_FROM else Light.BRIGHT
