from collections.abc import Callable, Sequence
from typing import Any

from campaigns.models import Campaign
from rules.errors import whole, word
from rules.table import Table
from rulesets.descriptors.figures import DescriptorsFigures
from rulesets.descriptors.procedures.recovery import Injury, Recovery
from rulesets.descriptors.procedures.scene_descriptor import SceneDescriptor
from rulesets.descriptors.rows import Entry, Hero
from rulesets.descriptors.rules import keys
from rulesets.descriptors.rules.contest import Fund, falls_on, oppose, pay_for_roll
from rulesets.descriptors.rules.keys import Change, KeyKind, Level
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.sheet import MOST_XP

# Other words for the same in hand-written cases.
LEVELS = {"progress": Level.PROGRESSES, "progressed": Level.PROGRESSES}
CHANGES = {"new": Change.NEW, "new_1d": Change.NEW, "new_descriptor": Change.NEW, "background_to_1d": Change.PROMOTE}


def opposed(*, a: Sequence[int], b: Sequence[int]) -> dict[str, Any]:
    outcome = oppose(a, b)
    return {
        "winner": outcome.winner,
        "successes": outcome.successes,
        "tn": outcome.target_number,
        "ignored_pairs": outcome.ignored_pairs,
    }


def will_after(*, will: int, invoked: int = 0, used_against: int = 0) -> dict[str, Any]:
    paid = pay_for_roll(will, invoked=invoked, used_against=used_against)
    return {"will": paid.after, "out_after_roll": paid.out_after_roll}


def power_hit(
    *, successes: int, boxes: int = 6, crossed: Sequence[int] = (), take_injury: bool = False
) -> dict[str, Any]:
    falls = falls_on(Fund(will=9, boxes=boxes, crossed=tuple(crossed)), successes, Settings())
    if take_injury and falls.instead:
        return {"crossed": sorted(crossed), "injury": falls.instead, "out": False}
    return {"crossed": sorted({*crossed, falls.box} - {None}), "injury": falls.injury, "out": falls.out}


def recovery(*, injury: int, healer_dice: Sequence[int], injury_dice: Sequence[int]) -> dict[str, int]:
    tries = Recovery(id="tries", injury=Injury(character="bob", row="i1", name="Arm", dice=injury))
    bearer, fell = Hero(id="bob", injuries={"i1": Entry(name="Arm", dice=injury)}), oppose(healer_dice, injury_dice)
    table = Table([tries, bearer], settings=Settings())
    tries.on_roll(table, "a", {"winner": fell.winner, "successes": fell.successes})
    left = bearer.injuries["i1"].dice if bearer.injuries else 0
    return {"reduced_by": injury - left, "injury": left}


def end_scene(*, scene_descriptors: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the Scene Descriptors that are there after the scene: those that somebody has paid for stick to a character."""
    left = []
    for place, one in enumerate(scene_descriptors):
        lies = SceneDescriptor(id=str(place), name=one["name"], dice=one["dice"])
        bearer = Hero(id="bearer", name=one.get("stuck_to") or "nobody")
        table = Table([lies, bearer], settings=Settings())
        if one.get("stuck_to"):
            lies.take(table, lies.acts["stick"], (), {"to": bearer, "payer": bearer})
        else:
            lies.scene_ended(table)
        left += [{"name": row.name, "dice": row.dice, "stuck_to": bearer.name} for row in bearer.stuck.values()]
    return left


def advances(*, xp: int, spent: int = 0) -> dict[str, int]:
    values = {"xp": whole("xp", xp, 0, MOST_XP), "advances_spent": whole("spent", spent, 0, MOST_XP)}
    derived: dict[str, Any] = {
        figure.name: figure.values[0] for figure in DescriptorsFigures().derive(values, Campaign())
    }
    return {"advances": derived["advances"], "left": derived["towards"]}


def refresh(*, will: int, start: int = 9, boxes: int = 6, crossed: Sequence[int] = ()) -> dict[str, Any]:
    hero = Hero(will=will, start_will=start, power_boxes=boxes, **{f"power_{box}": True for box in crossed})
    hero.refresh(Settings())
    return {"will": hero.will, "crossed": list(hero.fund(Settings()).crossed)}


def key_xp(*, events: Sequence[Sequence[str]]) -> int:
    """Return the XP of events, which name the kind of their Key and a level; those of one kind are about one Key. The
    GM has confirmed all.
    """
    met = [(word("kind", kind, KeyKind), LEVELS.get(level) or word("level", level, Level)) for kind, level in events]
    for place, (kind, level) in enumerate(met):
        keys.check_level(level, [earlier for of, earlier in met[:place] if of is kind])
    return sum(keys.xp_of(kind, level) for kind, level in met)


def advance_cost(*, change: str, rating: int | None = None) -> int:
    return keys.cost(CHANGES.get(change) or word("change", change, Change), rating)


def cost_from_scratch(*, rating: int) -> int:
    return keys.cost_from_scratch(rating)


CALLS: dict[str, Callable[..., Any]] = {
    "opposed": opposed,
    "will_after": will_after,
    "recovery": recovery,
    "end_scene": end_scene,
    "advances": advances,
    "power_hit": power_hit,
    "refresh": refresh,
    "key_xp": key_xp,
    "advance_cost": advance_cost,
    "cost_from_scratch": cost_from_scratch,
}
