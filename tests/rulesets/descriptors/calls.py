from collections.abc import Callable, Sequence
from typing import Any

from rolls.rules.errors import word
from rulesets.descriptors.rules import keys
from rulesets.descriptors.rules.contest import oppose
from rulesets.descriptors.rules.keys import Change, Claim, Experience, Key, KeyKind, Level
from rulesets.descriptors.rules.power import hit, recover, track
from rulesets.descriptors.rules.scene import Condition, SceneDescriptor
from rulesets.descriptors.rules.scene import end_scene as end
from rulesets.descriptors.rules.scene import refresh as refreshed
from rulesets.descriptors.rules.will import pay_for_roll
from rulesets.descriptors.settings import Settings

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
    done = hit(track(boxes, crossed), successes, take_injury=take_injury)
    return {"crossed": sorted(done.track.crossed), "injury": done.injury, "out": done.out}


def recovery(*, injury: int, healer_dice: Sequence[int], injury_dice: Sequence[int]) -> dict[str, int]:
    done = recover(injury, healer_dice, injury_dice)
    return {"reduced_by": done.reduced_by, "injury": done.injury}


def refresh(*, will: int, start: int = 9, boxes: int = 6, crossed: Sequence[int] = ()) -> dict[str, Any]:
    after = refreshed(Condition(will, track(boxes, crossed)), Settings(start_will=start))
    return {"will": after.will, "crossed": sorted(after.track.crossed)}


def end_scene(*, scene_descriptors: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    left = end(SceneDescriptor(one["name"], one["dice"], stuck_to=one.get("stuck_to")) for one in scene_descriptors)
    return [{"name": one.name, "dice": one.dice, "stuck_to": one.stuck_to} for one in left]


def key_xp(*, events: Sequence[Sequence[str]]) -> int:
    """An event names the kind of its Key and a level; those of one kind are about one Key. The GM has confirmed all."""
    claims = [
        Claim(Key(kind, word("kind", kind, KeyKind)), LEVELS.get(level) or word("level", level, Level), confirmed=True)
        for kind, level in events
    ]
    return keys.scene_xp(claims).xp


def advances(*, xp: int, spent: int = 0) -> dict[str, int]:
    experience = Experience(xp, spent)
    return {"advances": experience.advances, "left": experience.left}


def advance_cost(*, change: str, rating: int | None = None) -> int:
    return keys.cost(CHANGES.get(change) or word("change", change, Change), rating)


def cost_from_scratch(*, rating: int) -> int:
    return keys.cost_from_scratch(rating)


CALLS: dict[str, Callable[..., Any]] = {
    "opposed": opposed,
    "will_after": will_after,
    "power_hit": power_hit,
    "recovery": recovery,
    "refresh": refresh,
    "end_scene": end_scene,
    "key_xp": key_xp,
    "advances": advances,
    "advance_cost": advance_cost,
    "cost_from_scratch": cost_from_scratch,
}
