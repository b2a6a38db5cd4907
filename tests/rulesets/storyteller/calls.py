from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

from characters.sheets.steps import Shift
from rules.dice import shown
from rules.errors import NotPossible, whole
from rulesets.storyteller.rules.roll import (
    Ask,
    Pool,
    Role,
    degree,
    resolve,
    succeed_automatically,
    typed_pool,
)
from rulesets.storyteller.sheet import SHEET
from rulesets.storyteller.table import StorytellerTable


def storyteller_roll(
    *, dice: Sequence[int], difficulty: int = 6, ability: int = 0, willpower: bool = False
) -> dict[str, Any]:
    faces = shown(dice)
    outcome = resolve(
        Ask(pool=typed_pool(len(faces), ability=ability), difficulty=difficulty, willpower=willpower), iter(faces)
    )
    roles = [die.role for die in outcome.dice]
    net, cancelled = roles.count(Role.SUCCESS), roles.count(Role.CANCELLED)
    return {
        "rolled_successes": net + cancelled,
        "ones": outcome.faces.count(1),
        "cancelled": cancelled,
        "net": net,
        "automatic": outcome.total - net,
        "total": outcome.total,
        "outcome": outcome.result,
        "degree": outcome.degree or None,
        "botch_severity": outcome.severity,
    }


def storyteller_pool(*, attribute: int, ability: int = 0, modifier: int = 0) -> int:
    return Pool(dots=attribute + ability, modifier=modifier, ability=ability).dice


def storyteller_automatic(*, attribute: int, ability: int = 0, difficulty: int = 6) -> dict[str, Any]:
    try:
        outcome = succeed_automatically(Ask(pool=typed_pool(attribute + ability), difficulty=difficulty))
    except NotPossible:
        return {"allowed": False, "successes": 0}
    return {"allowed": True, "successes": outcome.total}


def storyteller_spend_willpower(*, current: int, spent_this_turn: int = 0) -> dict[str, int]:
    """Spend the point of a roll. One that was spent in this turn already leaves none to spend."""
    roll: Any = SimpleNamespace(ask={"willpower": True}, character_id="somebody")
    ((step,),) = (write.steps for write in StorytellerTable().writes(roll))
    whole("spent_this_turn", spent_this_turn, 0, 0)
    assert isinstance(step, Shift)
    left = SHEET.clean({"willpower": 10}, step.address, current + step.by)
    return {"current": left, "spent_this_turn": spent_this_turn - step.by}


def storyteller_degree(*, total: int) -> str | None:
    return degree(total) or None


CALLS: dict[str, Callable[..., Any]] = {
    "storyteller_roll": storyteller_roll,
    "storyteller_pool": storyteller_pool,
    "storyteller_automatic": storyteller_automatic,
    "storyteller_spend_willpower": storyteller_spend_willpower,
    "storyteller_degree": storyteller_degree,
}
