"""The parts that guide.toml names: the tables of the forged rules, drawn from the rules themselves, and worked rolls."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from campaigns.clocks import SIZE_NAMES
from campaigns.text import signed
from languages.text import gettext_lazy, pgettext_lazy
from rolls.guide import Die, Example, Table
from rulesets.forged.procedures.experience import BOXES, Track
from rulesets.forged.rules.action import (
    COMPLICATION_HEAT,
    COMPLICATION_TICKS,
    CRITICAL_CLEARS,
    EFFECTS,
    MENUS,
    POSITIONS,
    RESIST_STRESS,
    Level,
)
from rulesets.forged.rules.consequence import HARM_SLOTS
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
    Flashback,
    Take,
    engagement,
)
from rulesets.forged.rules.roll import HIGHEST_MAGNITUDE, MAGNITUDES, PERFORMANCES, Measure, Pool, Result, Role, resolve
from rulesets.forged.sheet import LOADS, TRAUMA_LABELS
from rulesets.forged.words import EFFECT_LABELS, FOLLOWS, POSITION_LABELS, POSITION_WORDS, WITHDRAW

WORST_FIRST: Final = tuple(Result)
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
FLASHBACKS: Final = {
    Flashback.ORDINARY: gettext_lazy("Something ordinary"),
    Flashback.COMPLEX: gettext_lazy("Something unlikely"),
    Flashback.ELABORATE: gettext_lazy("Something elaborate"),
}
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
TRACKS: Final = {Track.ATTRIBUTE: gettext_lazy("Attribute"), Track.PLAYBOOK: gettext_lazy("Playbook")}
MEASURES: Final = {
    Measure.PEOPLE: pgettext_lazy("magnitude", "People"),
    Measure.TIME: pgettext_lazy("magnitude", "Time"),
    Measure.REACH: pgettext_lazy("magnitude", "Reach"),
    Measure.QUALITY: pgettext_lazy("magnitude", "Quality"),
    Measure.FORCE: pgettext_lazy("magnitude", "Force"),
}


def effects() -> Table:
    rows = tuple((str(EFFECT_LABELS[effect]), str(Level(steps).ticks)) for steps, effect in enumerate(EFFECTS))
    return Table(_("What an effect ticks on a clock"), (_("Effect"), pgettext("of an effect", "Ticks")), rows)


def menus() -> Table:
    rows = tuple(
        (
            f"{POSITION_LABELS[position]}, {result}",
            "; ".join(str(CONSEQUENCES[item]) for item in MENUS[position, result]),
        )
        for position in POSITIONS
        for result in (Result.PARTIAL, Result.BAD)
    )
    return Table(_("Consequences by position"), (_("Position and result"), _("One or more of")), rows)


def complications() -> Table:
    rows = tuple(
        (str(SIZE_LABELS[size]), str(ticks), str(COMPLICATION_HEAT[size])) for size, ticks in COMPLICATION_TICKS.items()
    )
    return Table(
        _("A complication as ticks, or as heat"),
        (_("Complication"), pgettext("of an effect", "Ticks"), pgettext("the law", "Heat")),
        rows,
    )


def resistance() -> Table:
    rows = tuple((str(face), str(RESIST_STRESS - face)) for face in range(1, 7))
    cleared = (pgettext("forged result", "Critical"), _("{count} cleared").format(count=CRITICAL_CLEARS))
    return Table(_("Stress of resisting"), (_("Highest die"), _("Stress")), (*rows, cleared))


def traumas() -> Table:
    return Table(_("Conditions"), (_("Trauma"),), tuple((str(label),) for label in TRAUMA_LABELS.values()))


def harm() -> Table:
    rows = tuple((str(level), str(slots), str(HINDERS[level])) for level, slots in HARM_SLOTS.items())
    return Table(_("Harm"), (_("Level"), _("Places"), _("While it hinders")), rows)


def fortune() -> Table:
    rows = tuple((_called(result), str(words.quality), str(words.effect)) for result, words in PERFORMANCES.items())
    return Table(_("Fortune"), (_("Result"), _("It goes"), _("Effect")), rows)


def clocks() -> Table:
    return Table(
        _("Clock sizes"),
        (_("Segments"), _("Obstacle")),
        tuple((str(size), str(name)) for size, name in SIZE_NAMES.items()),
    )


def engagements() -> Table:
    opens = [(result, engagement(result)) for result in WORST_FIRST]
    past = _("past the first obstacle")
    rows = tuple((_called(result), str(POSITION_WORDS[position]) if position else past) for result, position in opens)
    return Table(_("Engagement roll"), (_("Result"), _("Opening position")), rows)


def loads() -> Table:
    fewest = [0, *(most + 1 for most in MOST_ITEMS.values())]
    rows = tuple((str(dict(LOADS)[load]), _("{low} to {most}").format(low=low, most=most) if low != most else str(most))
                 for low, (load, most) in zip(fewest, MOST_ITEMS.items(), strict=False))  # fmt: skip
    return Table(pgettext("carried", "Load"), (pgettext("carried", "Load"), _("Items")), rows)


def flashbacks() -> Table:
    rows = tuple(
        (str(FLASHBACKS[kind]), _("{count} or more").format(count=stress) if stress > 1 else str(stress))
        for kind, stress in FLASHBACK_STRESS.items()
    )
    return Table(_("Flashbacks"), (_("What was done"), _("Stress")), rows)


def coin() -> Table:
    return Table(
        _("Coin of a score"),
        (_("Haul"), _("Coin")),
        tuple((str(TAKES[take]), str(worth)) for take, worth in COIN.items()),
    )


def heat() -> Table:
    rows = tuple((str(EXPOSURES[exposure]), str(boxes)) for exposure, boxes in EXPOSURE_HEAT.items())
    return Table(_("Heat of a score"), (_("How it was done"), pgettext("the law", "Heat")), rows)


def entanglements() -> Table:
    lowest = (0, *(most + 1 for most in COLUMNS))
    head = tuple(
        _("Heat {low} to {most}").format(low=low, most=most) for low, most in zip(lowest, COLUMNS, strict=False)
    )
    rows = tuple(
        (_called(result), *(" / ".join(str(ENTANGLEMENT_WORDS[code]) for code in cell) for cell in columns))
        for result, columns in ENTANGLEMENTS.items()
    )
    return Table(_("Entanglements; a critical counts as a 6"), (_("Result"), *head), rows)


def downtime() -> Table:
    rows = tuple((_called(result), str(AMOUNTS[result]), _tier(ASSET_TIERS[result])) for result in WORST_FIRST)
    return Table(
        _("Activities"), (_("Result"), _("Segments of a project or of healing, or heat cleared"), _("Asset")), rows
    )


def xp() -> Table:
    return Table(
        _("XP tracks"),
        (_("Track"), _("Boxes")),
        tuple((str(TRACKS[track]), str(boxes)) for track, boxes in BOXES.items()),
    )


def magnitude() -> Table:
    head = (_("Level"), *(str(MEASURES[measure]) for measure in MAGNITUDES))
    rows = tuple(
        (str(level), *(str(levels[level]) for levels in MAGNITUDES.values())) for level in range(HIGHEST_MAGNITUDE + 1)
    )
    return Table(_("Magnitude"), head, rows)


def _called(result: Result) -> str:
    return pgettext("forged result", "Critical") if result is Result.CRITICAL else result.value


def _tier(change: int) -> str:
    if change == 0:
        return _("the crew’s Tier")
    return _("Tier {change}").format(change=signed(change))


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
