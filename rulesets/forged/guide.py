"""What everyone may read of the forged rules: the parts that guide.toml names, drawn from the rules themselves; their exact odds;
and what the statistics expect."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from campaigns.clocks import SIZE_NAMES
from campaigns.text import signed
from languages.text import gettext_lazy, pgettext_lazy
from rolls import odds as shown
from rolls.forms.base import WholeNumber
from rolls.forms.odds import OddsForm
from rolls.guide import Die, Example, Table
from rolls.odds import Cell, Part, Row, Section, percent
from rolls.ruleset import Expectation, OddsPage
from rolls.settings import RollSettings
from rolls.table_rules import Terms
from rules.dice import mean
from rulesets.forged.odds import group, opposed_fortune, resistance_stress, results
from rulesets.forged.procedures.score import OPENS
from rulesets.forged.rules import (
    D6,
    MAGNITUDES,
    PERFORMANCES,
    Pool,
    Result,
    Role,
    resolve,
)
from rulesets.forged.rules.action import (
    COMPLICATION_HEAT,
    COMPLICATION_TICKS,
    CRITICAL_CLEARS,
    EFFECTS,
    HARM_SLOTS,
    MENUS,
    POSITIONS,
    RESIST_STRESS,
    Built,
)
from rulesets.forged.rules.downtime import (
    AMOUNTS,
    ASSET_TIERS,
    COIN,
    COLUMNS,
    ENTANGLEMENT_WORDS,
    ENTANGLEMENTS,
    EXPOSURE_HEAT,
    FLASHBACK_STRESS,
    MOST_ITEMS,
    Exposure,
    Take,
)
from rulesets.forged.sheet import ACTION_LABELS, ATTRIBUTE_LABELS, LOADS, TRAUMA_LABELS, XP_BOXES
from rulesets.forged.table import KINDS
from rulesets.forged.words import EFFECT_LABELS, FOLLOWS, POSITION_LABELS, WITHDRAW

HINDERS: Final = {
    1: gettext_lazy("−1 effect"),
    2: gettext_lazy("−1 die"),
    3: gettext_lazy("no action without help or a push"),
}


CONSEQUENCES: Final = {**FOLLOWS, WITHDRAW: gettext_lazy("withdraw")}
SIZE_LABELS: Final = {
    "minor": pgettext_lazy("complication", "Minor"),
    "standard": pgettext_lazy("complication", "Standard"),
    "serious": pgettext_lazy("complication", "Serious"),
}
FLASHBACKS: Final = (
    gettext_lazy("Something ordinary"),
    gettext_lazy("Something unlikely"),
    gettext_lazy("Something elaborate"),
)
"""In the order of FLASHBACK_STRESS."""
TAKES: Final = {
    Take.MINOR: pgettext_lazy("haul", "Minor"),
    Take.SMALL: pgettext_lazy("haul", "Small"),
    Take.STANDARD: pgettext_lazy("haul", "Standard"),
    Take.BIG: pgettext_lazy("haul", "Big"),
    Take.MAJOR: pgettext_lazy("haul", "Major"),
}
EXPOSURES: Final = {
    Exposure.UNSEEN: pgettext_lazy("a score", "Unseen"),
    Exposure.CONTAINED: pgettext_lazy("a score", "Contained"),
    Exposure.LOUD: pgettext_lazy("a score", "Loud"),
    Exposure.WILD: pgettext_lazy("a score", "Wild"),
}
TRACKS: Final = {"prowess_xp": gettext_lazy("Attribute"), "playbook_xp": gettext_lazy("Playbook")}
MEASURES: Final = {
    "people": pgettext_lazy("magnitude", "People"),
    "time": pgettext_lazy("magnitude", "Time"),
    "reach": pgettext_lazy("magnitude", "Reach"),
    "quality": pgettext_lazy("magnitude", "Quality"),
    "force": pgettext_lazy("magnitude", "Force"),
}


def _table(title: str, head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> Table:
    return Table(title, head, tuple(tuple(map(str, row)) for row in rows))


def effects() -> Table:
    rows = ((EFFECT_LABELS[effect], Built(level).ticks) for level, effect in enumerate(EFFECTS))
    return _table(_("What an effect ticks on a clock"), (_("Effect"), pgettext("of an effect", "Ticks")), rows)


def menus() -> Table:
    rows = (
        (
            f"{POSITION_LABELS[position]}, {result}",
            "; ".join(str(CONSEQUENCES[item]) for item in MENUS[position, result]),
        )
        for position in POSITIONS
        for result in (Result.PARTIAL, Result.BAD)
    )
    return _table(_("Consequences by position"), (_("Position and result"), _("One or more of")), rows)


def complications() -> Table:
    head = (_("Complication"), pgettext("of an effect", "Ticks"), pgettext("the law", "Heat"))
    rows = ((SIZE_LABELS[size], ticks, COMPLICATION_HEAT[size]) for size, ticks in COMPLICATION_TICKS.items())
    return _table(_("A complication as ticks, or as heat"), head, rows)


def resistance() -> Table:
    cleared = (pgettext("forged result", "Critical"), _("{count} cleared").format(count=CRITICAL_CLEARS))
    rows = (*((face, RESIST_STRESS - face) for face in range(1, 7)), cleared)
    return _table(_("Stress of resisting"), (_("Highest die"), _("Stress")), rows)


def traumas() -> Table:
    return _table(_("Conditions"), (_("Trauma"),), ((label,) for label in TRAUMA_LABELS.values()))


def harm() -> Table:
    rows = ((level, slots, HINDERS[level]) for level, slots in HARM_SLOTS.items())
    return _table(_("Harm"), (_("Level"), _("Places"), _("While it hinders")), rows)


def fortune() -> Table:
    rows = ((_called(result), words.quality, words.effect) for result, words in PERFORMANCES.items())
    return _table(_("Fortune"), (_("Result"), _("It goes"), _("Effect")), rows)


def clocks() -> Table:
    return _table(_("Clock sizes"), (_("Segments"), _("Obstacle")), SIZE_NAMES.items())


def engagements() -> Table:
    rows = ((_called(result), position) for result, position in OPENS.items())
    return _table(_("Engagement roll"), (_("Result"), _("Opening position")), rows)


def loads() -> Table:
    fewest = (0, *(most + 1 for most in MOST_ITEMS.values()))
    rows = (
        (dict(LOADS)[load], _("{low} to {most}").format(low=low, most=most) if low != most else most)
        for low, (load, most) in zip(fewest, MOST_ITEMS.items(), strict=False)
    )
    return _table(pgettext("carried", "Load"), (pgettext("carried", "Load"), _("Items")), rows)


def flashbacks() -> Table:
    rows = (
        (words, _("{count} or more").format(count=stress) if stress > 1 else stress)
        for words, stress in zip(FLASHBACKS, FLASHBACK_STRESS, strict=True)
    )
    return _table(_("Flashbacks"), (_("What was done"), _("Stress")), rows)


def coin() -> Table:
    return _table(_("Coin of a score"), (_("Haul"), _("Coin")), ((TAKES[take], worth) for take, worth in COIN.items()))


def heat() -> Table:
    rows = ((EXPOSURES[exposure], boxes) for exposure, boxes in EXPOSURE_HEAT.items())
    return _table(_("Heat of a score"), (_("How it was done"), pgettext("the law", "Heat")), rows)


def entanglements() -> Table:
    lowest = (0, *(most + 1 for most in COLUMNS))
    head = (_("Heat {low} to {most}").format(low=low, most=most) for low, most in zip(lowest, COLUMNS, strict=False))
    rows = (
        (_called(result), *(" / ".join(str(ENTANGLEMENT_WORDS[code]) for code in cell) for cell in columns))
        for result, columns in ENTANGLEMENTS.items()
    )
    return _table(_("Entanglements; a critical counts as a 6"), (_("Result"), *head), rows)


def downtime() -> Table:
    head = (_("Result"), _("Segments of a project or of healing, or heat cleared"), _("Asset"))
    crews = _("the crew’s Tier")
    rows = (
        (_called(result), AMOUNTS[result], _("Tier {change}").format(change=signed(change)) if change else crews)
        for result, change in ASSET_TIERS.items()
    )
    return _table(_("Activities"), head, rows)


def xp() -> Table:
    rows = ((words, XP_BOXES[track]) for track, words in TRACKS.items())
    return _table(_("XP tracks"), (_("Track"), _("Boxes")), rows)


def magnitude() -> Table:
    rows = ((level, *words) for level, words in enumerate(zip(*MAGNITUDES.values(), strict=True)))
    return _table(_("Magnitude"), (_("Level"), *(str(MEASURES[measure]) for measure in MAGNITUDES)), rows)


def _called(result: Result) -> str:
    return pgettext("forged result", "Critical") if result is Result.CRITICAL else result.value


TABLES: Final[Mapping[str, Callable[[], Table]]] = {
    "effects": effects,
    "menus": menus,
    "complications": complications,
    "resistance": resistance,
    "traumas": traumas,
    "harm": harm,
    "fortune": fortune,
    "clocks": clocks,
    "engagement": engagements,
    "load": loads,
    "flashbacks": flashbacks,
    "coin": coin,
    "heat": heat,
    "entanglements": entanglements,
    "downtime": downtime,
    "xp": xp,
    "magnitude": magnitude,
}


CAME: Final = {
    Result.BAD: gettext_lazy("it goes badly"),
    Result.PARTIAL: gettext_lazy("done, at a cost"),
    Result.FULL: gettext_lazy("a full success"),
    Result.CRITICAL: gettext_lazy("a critical"),
}


def example(dice: int, faces: Sequence[int]) -> Example:
    outcome = resolve(Pool(dice), iter(faces))
    marks = {Role.KEPT: _("counts"), Role.CRITICAL: _("makes it a critical")}
    drawn = tuple(
        Die(die.face, "success" if die.role in marks else "blank", marks.get(die.role, _("doesn’t count")))
        for die in outcome.dice
    )
    asked = ngettext("{count} die", "{count} dice", dice).format(count=dice)
    if outcome.pool.lowest:
        asked = _("{dice}: roll two, the lowest counts").format(dice=asked)
    return Example(asked, (("", drawn),), str(CAME[outcome.result]), 6)


# Exact odds for everyone, at /odds/forged/, and the form that asks for them

FEWEST_DICE, MOST_DICE = -5, 12
MOST_IN_GROUP: Final = 10
LONGEST_GROUP: Final = 60


class PoolsField(forms.CharField):
    """Several pools, such as "2, 1, 3": 1 to 10 of them."""

    def to_python(self, value: Any) -> tuple[int, ...]:  # type: ignore[override]
        words = re.split(r"[,;\s]+", str(value).strip())
        if not all(re.fullmatch(r"[-\N{MINUS SIGN}]?[0-9]{1,3}", word) for word in words):
            raise forms.ValidationError(_("Type the dice of everyone who rolls, such as 2, 1, 3."))
        pools = tuple(int(word.replace("\N{MINUS SIGN}", "-")) for word in words)
        if len(pools) > MOST_IN_GROUP or not all(FEWEST_DICE <= dice <= MOST_DICE for dice in pools):
            message = _("A group has at most {people} people, with −5 to {dice} dice each.")
            raise forms.ValidationError(message.format(people=MOST_IN_GROUP, dice=MOST_DICE))
        return pools


class ForgedOdds(OddsForm):
    dice = WholeNumber(gettext_lazy("Dice"), FEWEST_DICE, MOST_DICE, 2)
    pools = PoolsField(
        label=gettext_lazy("Group"),
        max_length=LONGEST_GROUP,
        initial="2, 1, 0",
        help_text=gettext_lazy("The dice of everyone who rolls."),
    )
    against = WholeNumber(gettext_lazy("Opposing fortune dice"), FEWEST_DICE, MOST_DICE, 2)


POOLS: Final = range(9)
LOOKS: Final = {Result.BAD: "worst", Result.PARTIAL: "fair", Result.FULL: "good", Result.CRITICAL: "good"}


def _word(result: Result) -> str:
    return pgettext("forged result", "critical") if result is Result.CRITICAL else result.value


def _parts(chances: Mapping[Result, Fraction]) -> list[Part]:
    return [Part(LOOKS[result], _word(result), chances[result]) for result in Result]


def _action(dice: int) -> Section:
    chances = results(dice)
    bar, table = shown.outcomes(_("The highest die"), _parts(chances), [(_("4 or more"), 1 - chances[Result.BAD])])
    lines = (_("You roll two dice and the lower one counts; there’s no critical."),) if Pool(dice).lowest else ()
    return Section("roll", _("Action: {dice}").format(dice=shown.dice(dice)), lines, bar, tables=(table,))


def _by_dice(settings: dict[str, Any]) -> Section:
    chosen = max(0, settings["dice"])
    rows = []
    for dice in POOLS:
        chances = results(dice)
        href = shown.address(settings, dice=dice)
        cells = [shown.shaded(chances[result], href=href) for result in Result]
        stress = mean(resistance_stress(dice))
        cells.append(Cell(shown.decimal(stress), shown.exactly(stress)))
        rows.append(Row(str(dice) if dice else _("0 or less"), tuple(cells), chosen=dice == chosen))
    head = (*(Cell(_word(result)) for result in Result), Cell(_("stress")))
    table = shown.Table(_("Results by number of dice"), _("Dice"), head, tuple(rows), dense=True)
    line = _("In percent, with the average stress of resisting with as many dice.")
    return Section("by-dice", _("Every number of dice"), (line,), tables=(table,))


def _resistance(dice: int) -> Section:
    chances = resistance_stress(dice)
    lines = [f"{shown.average(mean(chances))}."]
    if min(chances) < 0:
        lines.append(_("−1 is a critical: it costs nothing and clears 1 stress."))
    chart = shown.chart(_("Stress of resisting"), _("Stress"), chances, look=_by_stress, name=shown.plain)
    return Section("resistance", _("Resisting: {dice}").format(dice=shown.dice(dice)), tuple(lines), charts=(chart,))


def _by_stress(stress: int) -> str:
    return "good" if stress <= 0 else "fair" if stress < 3 else "worst"


def _group(pools: Sequence[int]) -> tuple[Section, Section]:
    chances = group(list(pools))
    bar, table = shown.outcomes(_("The best single result"), _parts(chances.results))
    title = _("Group: {pools} dice").format(pools=", ".join(map(shown.plain, pools)))
    line = _("The best result counts for everyone. Sixes from different people don’t make a critical.")
    stress = shown.chart(_("Stress for the leader"), _("Stress"), chances.stress, look=_by_stress)
    cost = _("{average}: 1 for everyone who rolls 1–3, the leader included.").format(
        average=shown.average(mean(chances.stress))
    )
    return (
        Section("group", title, (line,), bar, tables=(table,)),
        Section("leader", _("Cost for the leader"), (cost,), charts=(stress,)),
    )


def _fortune(dice: int) -> Section:
    chances = results(dice)
    rows = [
        Row(
            str(PERFORMANCES[result].headline),
            (Cell(str(PERFORMANCES[result].effect)), Cell(percent(chances[result])), shown.fraction(chances[result])),
            look=LOOKS[result],
        )
        for result in Result
    ]
    head = (Cell(_("Effect")), Cell(_("Chance")), Cell(_("Exactly")))
    return Section(
        "fortune",
        _("Fortune: {dice}").format(dice=shown.dice(dice)),
        tables=(shown.Table(_("Fortune"), _("Result"), head, tuple(rows)),),
    )


def _compared(dice: int, against: int) -> Section:
    chances = opposed_fortune(dice, against)
    parts = [
        Part("good", _("first is better"), chances.a),
        Part("bad", _("equal"), chances.equal),
        Part("worst", _("second is better"), chances.b),
    ]
    bar, table = shown.outcomes(_("Level against level"), parts)
    title = _("Fortune: {dice} against {against}").format(dice=shown.dice(dice), against=shown.plain(against))
    return Section("compared", title, (_("If levels are equal, the GM decides."),), bar, tables=(table,))


class ForgedOddsPage(OddsPage):
    name = "Forged in the Dark"
    summary = gettext_lazy(
        "Results by number of dice, zero and below included, stress of resisting, group actions and fortune."
    )
    examples = (
        (gettext_lazy("Two dice"), "?dice=2"),
        (gettext_lazy("No dice at all"), "?dice=0"),
        (gettext_lazy("A group of three"), "?pools=3, 1, 0"),
    )
    form = ForgedOdds

    def sections(self, dice: int, pools: Sequence[int], against: int) -> tuple[Section, ...]:
        """Return the page's sections for -100 to 100 dice, a group of 1 to 100 pools, and the other side of a fortune roll."""
        settings = {"dice": dice, "pools": ", ".join(map(str, pools)), "against": against}
        return (
            _action(dice),
            _by_dice(settings),
            _resistance(dice),
            *_group(pools),
            _fortune(dice),
            _compared(dice, against),
        )


# The expected results of a roll, from its terms and the campaign's current rules, for the statistics.


KEPT = 4096


@lru_cache(maxsize=KEPT)
def _chances(dice: int) -> Mapping[str, float]:
    return {result.name.lower(): float(chance) for result, chance in results(dice).items()}


LABELS = {**ACTION_LABELS, **ATTRIBUTE_LABELS}
SETTLED = (
    "Fortune",
    "Long-term project",
    "Recovery",
    "Reduce heat",
    "Acquire an asset",
    "Vice",
    "Entanglement",
    "Engagement",
)
"""The purposes of fortune rolls, under which they are counted."""


class ForgedExpectation(Expectation):
    resources = ("Stress",)

    def judges(self, kind: str) -> bool:
        return kind != "resistance"

    def chances(self, kind: str, terms: Terms, settings: RollSettings, for_gm: bool) -> Mapping[str, float]:
        return _chances(terms["dice"])

    def sides(self, kind: str, terms: Terms, settings: RollSettings) -> int:
        return D6.sides

    def traits(self, terms: Terms) -> Iterable[str]:
        return [KINDS[terms["kind"]].trait_name(terms)]

    def trait_words(self, trait: str) -> str:
        if trait in SETTLED:
            return _(trait)
        return str(LABELS.get(trait.lower(), trait))

    def spent(self, terms: Terms, stress: int) -> Mapping[str, int]:
        return {"Stress": stress + terms.get("stress", 0)}
