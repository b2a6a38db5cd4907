"""The parts that guide.toml names: the tables of the forged rules, drawn from the rules themselves, and worked rolls."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from campaigns.clocks import SIZE_NAMES
from campaigns.text import counted
from rolls.guide.content import Die, Example, Table
from rulesets.forged.rules.action import COMPLICATION_HEAT, COMPLICATION_TICKS, EFFECTS, MENUS, POSITIONS, Level
from rulesets.forged.rules.body import CRITICAL_CLEARS, RESIST_STRESS, TRAUMAS
from rulesets.forged.rules.consequence import HARM_SLOTS
from rulesets.forged.rules.downtime import AMOUNTS, ASSET_TIERS, COLUMNS, ENTANGLEMENTS, EXPOSURE_HEAT
from rulesets.forged.rules.experience import BOXES
from rulesets.forged.rules.fortune import HIGHEST_MAGNITUDE, MAGNITUDES, PERFORMANCES
from rulesets.forged.rules.roll import Pool, Result, Role, resolve
from rulesets.forged.rules.score import COIN, FLASHBACK_STRESS, MOST_ITEMS, engagement

WORST_FIRST: Final = tuple(Result)
CALLED: Final = {Result.CRITICAL: "critical"}
HINDERS: Final = {1: "one level less effect", 2: "one die less", 3: "no action without help or a push"}


def effects() -> Table:
    rows = tuple((effect.capitalize(), str(Level(steps).ticks)) for steps, effect in enumerate(EFFECTS))
    return Table("What an effect ticks on a clock", ("Effect", "Ticks"), rows)


def menus() -> Table:
    rows = tuple(
        (f"{position.capitalize()}, {result}", "; ".join(item.replace("_", " ") for item in MENUS[position, result]))
        for position in POSITIONS
        for result in (Result.PARTIAL, Result.BAD)
    )
    return Table("Consequences by position", ("Position and result", "One or more of"), rows)


def complications() -> Table:
    rows = tuple(
        (size.capitalize(), str(ticks), str(COMPLICATION_HEAT[size])) for size, ticks in COMPLICATION_TICKS.items()
    )
    return Table("A complication as ticks, or as heat", ("Complication", "Ticks", "Heat"), rows)


def resistance() -> Table:
    rows = tuple((str(face), str(RESIST_STRESS - face)) for face in range(1, 7))
    return Table("Stress of resisting", ("Highest die", "Stress"), (*rows, ("Critical", f"{CRITICAL_CLEARS} cleared")))


def traumas() -> Table:
    return Table("Conditions", ("Trauma",), tuple((trauma.capitalize(),) for trauma in TRAUMAS))


def harm() -> Table:
    rows = tuple((str(level), str(slots), HINDERS[level]) for level, slots in HARM_SLOTS.items())
    return Table("Harm", ("Level", "Places", "While it hinders"), rows)


def fortune() -> Table:
    rows = tuple((_called(result), words.quality, words.effect) for result, words in PERFORMANCES.items())
    return Table("Fortune", ("Result", "It goes", "Effect"), rows)


def clocks() -> Table:
    return Table(
        "Sizes of clocks", ("Segments", "For something"), tuple((str(size), name) for size, name in SIZE_NAMES.items())
    )


def engagements() -> Table:
    rows = tuple((_called(result), engagement(result) or "past the first obstacle") for result in WORST_FIRST)
    return Table("Engagement", ("Result", "The score opens"), rows)


def loads() -> Table:
    fewest = [0, *(most + 1 for most in MOST_ITEMS.values())]
    rows = tuple((load.capitalize(), f"{low} to {most}" if low != most else str(most))
                 for low, (load, most) in zip(fewest, MOST_ITEMS.items(), strict=False))  # fmt: skip
    return Table("Load", ("Load", "Items"), rows)


def flashbacks() -> Table:
    rows = tuple(
        (kind.capitalize(), f"{stress}{' or more' if stress > 1 else ''}") for kind, stress in FLASHBACK_STRESS.items()
    )
    return Table("Flashbacks", ("What was done", "Stress"), rows)


def coin() -> Table:
    return Table(
        "Coin of a score", ("Haul", "Coin"), tuple((take.capitalize(), str(worth)) for take, worth in COIN.items())
    )


def heat() -> Table:
    rows = tuple((exposure.capitalize(), str(boxes)) for exposure, boxes in EXPOSURE_HEAT.items())
    return Table("Heat of a score", ("It was", "Heat"), rows)


def entanglements() -> Table:
    lowest = (0, *(most + 1 for most in COLUMNS))
    head = tuple(f"Heat {low} to {most}" for low, most in zip(lowest, COLUMNS, strict=False))
    rows = tuple((_called(result), *("; or ".join(cell) for cell in ENTANGLEMENTS[result])) for result in ENTANGLEMENTS)
    return Table("Entanglements; a critical counts as a 6", ("Result", *head), rows)


def downtime() -> Table:
    rows = tuple((_called(result), str(AMOUNTS[result]), _tier(ASSET_TIERS[result])) for result in WORST_FIRST)
    return Table("Activities", ("Result", "Segments of a project or of healing, or heat taken off", "Asset"), rows)


def xp() -> Table:
    return Table(
        "Tracks of xp", ("Track", "Boxes"), tuple((track.capitalize(), str(boxes)) for track, boxes in BOXES.items())
    )


def magnitude() -> Table:
    head = ("Level", *(measure.capitalize() for measure in MAGNITUDES))
    rows = tuple(
        (str(level), *(levels[level] for levels in MAGNITUDES.values())) for level in range(HIGHEST_MAGNITUDE + 1)
    )
    return Table("Magnitude", head, rows)


def _called(result: Result) -> str:
    return CALLED.get(result, result.value).capitalize()


def _tier(change: int) -> str:
    if change == 0:
        return "the crew’s Tier"
    return f"Tier {'+' if change > 0 else '−'}{abs(change)}"


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
    Result.BAD: "it goes badly",
    Result.PARTIAL: "done, at a cost",
    Result.FULL: "a full success",
    Result.CRITICAL: "a critical",
}


def example(dice: int, faces: Sequence[int]) -> Example:
    outcome = resolve(Pool(dice), iter(faces))
    marks = {Role.KEPT: "counts", Role.CRITICAL: "makes it a critical"}
    drawn = tuple(
        Die(die.face, "success" if die.role in marks else "blank", marks.get(die.role, "does not count"))
        for die in outcome.dice
    )
    rolled = f", so {counted(outcome.pool.rolled, 'die')} and the lowest" if outcome.pool.lowest else ""
    return Example(f"{counted(dice, 'die')}{rolled}", (("", drawn),), CAME[outcome.result], 6)
