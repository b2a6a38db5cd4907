"""The rules of Lanterns: two d6 and a trait against the dark. Plain values and functions, without Django, clock or randomness."""

from enum import StrEnum
from typing import Annotated

from afterburn.rules import Checked, Die, Faces, Whole, YesNo, draw

D6, DICE = Die(6), 2
HIGHEST = 3  # of a trait, and of the wind
FLICKERS_FROM, BRIGHT_FROM = 7, 10


class Light(StrEnum):
    DARK = "dark"
    FLICKER = "flicker"
    BRIGHT = "bright"


class Settings(Checked):
    """What a campaign may decide: what oil adds, 1 to 3, and whether two 1s go dark whatever is added."""

    oil_adds: Annotated[int, Whole(1, 3)] = 1
    ones_go_dark: YesNo = True


DEFAULTS = Settings()
WORDS = {
    "oil_adds": "What a measure of oil adds to a roll",
    "ones_go_dark": "Two 1s go dark, whatever is added",
}


class Check(Checked):
    """What is asked of the dice: a trait, the wind that is taken away, both 0 to 3, and whether oil is burned."""

    trait: Annotated[int, Whole(0, HIGHEST)]
    wind: Annotated[int, Whole(0, HIGHEST)] = 0
    oil: YesNo = False


def resolve(check: Check, faces: Faces, settings: Settings = DEFAULTS) -> tuple[tuple[int, ...], int, Light]:
    """The faces, what they make in all, and the light. Raises RuleError for what no two d6 show."""
    fell = draw(DICE, D6, faces)
    total = sum(fell) + check.trait - check.wind + (settings.oil_adds if check.oil else 0)
    if total < FLICKERS_FROM or (settings.ones_go_dark and fell == (1, 1)):
        return fell, total, Light.DARK
    return fell, total, Light.FLICKER if total < BRIGHT_FROM else Light.BRIGHT
