"""Lanterns at a glance: everything that the site asks of the game."""

from collections.abc import Sequence
from typing import Any

from django import forms

from afterburn.procedures import played
from afterburn.ruleset import (
    Example,
    Expectation,
    FacesField,
    FreeScheme,
    GuideDie,
    LineField,
    OddsForm,
    OddsPage,
    Part,
    RollForm,
    RollSettings,
    Ruleset,
    SettingsGroup,
    SlashCommand,
    Table,
    Terms,
    Viewer,
    WholeNumber,
    shown,
)
from afterburn_lanterns.odds import lights
from afterburn_lanterns.rules import (
    BRIGHT_FROM,
    D6,
    DICE,
    FLICKERS_FROM,
    HIGHEST,
    MOST_OIL,
    WORDS,
    Check,
    Light,
    Settings,
    resolve,
)
from afterburn_lanterns.sheet import SHEET, TRAITS, LanternsBudget, LanternsFigures
from afterburn_lanterns.table import CALLED, LOOKS, RESULTS, LanternsInput, LanternsTable
from afterburn_lanterns.together import Together


class LanternsForm(RollForm):
    roll_input = LanternsInput

    trait = LineField(max_length=40, required=False)
    wind = WholeNumber("The wind", 0, HIGHEST, 0)
    oil = forms.BooleanField(required=False)
    faces = FacesField(6, required=False)

    @classmethod
    def shown(cls, viewer: Viewer, hand: dict[str, Any] | None) -> dict[str, Any]:
        """Return the context of form.html and request.html: the traits, and the oil that is left, None without a lantern."""
        bears = hand is not None and hand["system"] == cls.system
        return {"faces": "4 3", "traits": TRAITS, "oil": hand["character"].number("oil") if bears else None}


class LanternsOdds(OddsForm):
    trait = WholeNumber("Trait", 0, HIGHEST, 1)
    wind = WholeNumber("Wind", 0, HIGHEST, 0)
    oil = WholeNumber("Dice of oil", 0, MOST_OIL, 0)


class LanternsOddsPage(OddsPage):
    name = "Lanterns"
    summary = "Dark, flicker or bright, for every trait in every wind."
    examples = (("Trait 2 in a breeze", "?trait=2&wind=1"), ("The same with oil", "?trait=2&wind=1&oil=1"))
    form = LanternsOdds

    def sections(self, trait: int, wind: int, oil: int) -> list[shown.Section]:
        chances = lights(Check(trait=trait, wind=wind, oil=oil))
        parts = [Part(LOOKS[light], light.value, chance) for light, chance in chances.items()]
        bar, table = shown.outcomes("What comes of the roll", parts, [("some light", 1 - chances[Light.DARK])])
        return [shown.Section("roll", f"Trait {trait}, wind {wind}", (), bar, tables=(table,))]


class LanternsExpectation(Expectation):
    """For the statistics, where any light is a success."""

    resources = ("Oil",)

    def chances(self, kind: str, terms: Terms, settings: RollSettings, for_gm: bool) -> dict[str, float]:
        check = Check(trait=terms["trait"], wind=terms["wind"], oil=terms["oil"])
        return {light: float(chance) for light, chance in lights(check, settings.of(Settings)).items()}

    def sides(self, kind: str, terms: Terms, settings: RollSettings) -> int:
        return D6.sides

    def traits(self, terms: Terms) -> list[str]:
        return [CALLED[terms["named"]]]

    def spent(self, terms: Terms, stress: int) -> dict[str, int]:
        return {"Oil": int(bool(terms["oil"]))}


class LanternsCommand(SlashCommand):
    words = ("/l", "/lanterns")
    usage = "Write it like /l nerve 2 oil # what it is for."
    examples = (("/l nerve", "roll a trait of your sheet"), ("/l nerve 2 oil", "in a wind of 2, with oil"))
    places = ("trait", "wind")
    keywords = {"oil": ("oil", "on")}


def totals() -> Table:
    rows = ((f"{FLICKERS_FROM} and more", Light.FLICKER.value), (f"{BRIGHT_FROM} and more", Light.BRIGHT.value))
    return Table("Totals", ("In all", "Light"), rows)


class Lanterns(Ruleset):
    name = LanternsInput.system
    label = "Lanterns"
    about = "Two dice, a trait and the wind: will the light hold? For short, quiet stories in a great dark."
    sheets = (SHEET,)
    budget = LanternsBudget
    schemes = {SHEET.name: FreeScheme(SHEET)}
    figures = {SHEET.name: LanternsFigures()}
    table = LanternsTable()
    form = LanternsForm
    results = RESULTS
    expectation = LanternsExpectation()
    slash = LanternsCommand()
    settings = SettingsGroup(kind=Settings, words=WORDS)
    guide_tables = {"totals": totals}
    odds = LanternsOddsPage()
    procedures = {"together": played(name, Together)}
    styles = ("lanterns/lanterns.css",)

    def guide_example(self, faces: Sequence[int], trait: int, wind: int = 0, oil: int = 0) -> Example:
        """Return a worked roll of the guide."""
        fell, total, light = resolve(Check(trait=trait, wind=wind, oil=oil), iter(faces))
        asked = f"Trait {trait}, wind {wind}" + (", with oil" if oil else "")
        dice = [GuideDie(face, "blank", "") for face in fell[:DICE]]
        dice += [GuideDie(face, "bonus", "") for face in fell[DICE:]]
        return Example(asked, (("", tuple(dice)),), f"{total} in all: {light}", D6.sides)
