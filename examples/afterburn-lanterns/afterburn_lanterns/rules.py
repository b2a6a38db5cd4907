"""The rules of Lanterns: two d6, a trait and oil against the dark. Plain values, without Django, clock or randomness."""

from enum import StrEnum
from typing import Annotated

from afterburn.rules import Checked, Die, Faces, Whole, YesNo, draw

D6, DICE = Die(6), 2
MOST_OIL = 3  # dice that burn beside them
HIGHEST = 3  # of a trait, and of the wind
FLICKERS_FROM, BRIGHT_FROM = 7, 10


class Light(StrEnum):
    DARK = "dark"
    FLICKER = "flicker"
    BRIGHT = "bright"


class Settings(Checked):
    """A campaign's choices: how many dice a measure of oil is, and whether two 1s go dark whatever is added."""

    oil_adds: Annotated[int, Whole(1, MOST_OIL)] = 1
    ones_go_dark: YesNo = True


DEFAULTS = Settings()
WORDS = {
    "oil_adds": "How many dice a measure of oil adds to a roll",
    "ones_go_dark": "Two 1s go dark, whatever is added",
}


class Check(Checked):
    """The terms of a roll: a trait, the wind that is subtracted, both 0 to 3, and how many dice of oil burn."""

    trait: Annotated[int, Whole(0, HIGHEST)]
    wind: Annotated[int, Whole(0, HIGHEST)] = 0
    oil: Annotated[int, Whole(0, MOST_OIL)] = 0


def resolve(check: Check, faces: Faces, settings: Settings = DEFAULTS) -> tuple[tuple[int, ...], int, Light]:
    """Return the faces, their total, and the light. Raises RuleError for faces that such dice do not have."""
    fell = draw(DICE + check.oil, D6, faces)
    total = sum(fell) + check.trait - check.wind
    if total < FLICKERS_FROM or (settings.ones_go_dark and fell[:DICE] == (1, 1)):
        return fell, total, Light.DARK
    return fell, total, Light.FLICKER if total < BRIGHT_FROM else Light.BRIGHT
