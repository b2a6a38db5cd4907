"""The sheet of a lantern-bearer, its budget, and its derived figures."""

from dataclasses import dataclass

from afterburn.ruleset import Campaign, Figure, Figures
from afterburn.sheets import (
    ABOUT,
    Budget,
    Group,
    Layout,
    Number,
    Pot,
    Reckoning,
    Section,
    Sheet,
    Text,
    Values,
    boxes,
    number,
    points,
    too_many,
)
from afterburn_lanterns.rules import HIGHEST

TRAITS = ("nerve", "craft", "heart")

SHEET = Sheet(
    "lanterns",
    [
        Group("bearer", "The bearer", (Text("calling", "Calling"),), at_hand=False),
        Group(
            "traits",
            "Traits",
            tuple(Number(name, name.capitalize(), maximum=HIGHEST, drawn=HIGHEST) for name in TRAITS),
        ),
        Group("lantern", "Lantern", (boxes("oil", "Oil", 6, default=3),)),
        Group(
            "experience", "Experience", (number("xp", "Earned", 999), number("xp_spent", "Spent", 999)), at_hand=False
        ),
        ABOUT,
    ],
    # A trait that is pressed on the table page goes into the field "trait" of the roll form.
    layout=Layout(bands=(("bearer",), ("traits", "lantern", "experience")), slots=("trait", "trait")),
)


@dataclass(frozen=True, kw_only=True)
class LanternsBudget(Budget):
    sheet = SHEET

    traits: int = points(4, "Points for the three traits")

    def sections(self) -> list[Section]:
        return [Section("bearer", "Who they are", ("calling",)), Section("traits", "Traits", TRAITS, first=True)]

    def reckon(self, values: Values) -> Reckoning:
        pot = Pot("traits", "Traits", self.traits, self.bought(values, TRAITS))
        return Reckoning((pot,), {"traits": too_many(pot)} if pot.over else {})


class LanternsFigures(Figures):
    def derive(self, values: Values, campaign: Campaign) -> list[Figure]:
        return [Figure("light", (SHEET.number(values, "oil"),))]

    def words(self, figure: Figure) -> tuple[str, str]:
        oil = figure.values[0]
        return "Light", "no oil left" if not oil else f"oil for {oil} {'roll' if oil == 1 else 'rolls'}"
