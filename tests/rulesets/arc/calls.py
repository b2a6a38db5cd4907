from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from rules.errors import word
from rulesets.arc.rules.body import HUMAN_BASE, Size
from rulesets.arc.rules.body import load as load_of
from rulesets.arc.rules.body import movement as movement_of
from rulesets.arc.rules.check import (
    KINDS,
    Ask,
    Check,
    Reaction,
    actions_in_turn,
    adjustment,
    core_row,
    counted,
    resolve,
)
from rulesets.arc.rules.tracker import Mind, Participant, Turns
from rulesets.arc.settings import DEFAULTS, Burden


def es_row(*, es: int) -> dict[str, int]:
    row = core_row(es)
    return {"die": row.die.sides, "min": row.lowest, "max": row.highest}


def es_adj(*, es: int, roll: int) -> int:
    return adjustment(es, roll).value


def arct(*, threshold: int, **side: int) -> dict[str, Any]:
    check = _check(**side, threshold=threshold)
    return {"arc": check.total, "success": check.success}


def arco(*, first: dict[str, int], second: dict[str, int]) -> dict[str, Any]:
    countering = _check(**second).total
    acting = _check(**first, first=countering)
    answer = _check(**second, first=acting.total, counters=True)
    assert acting.success is not answer.success, "whoever rolls first"
    return {"first": acting.total, "second": countering, "success": acting.success}


def other_adj(*, size_steps: int = 0, special: int = 0, **circumstances: int) -> int:
    values = [KINDS[kind] for kind, count in circumstances.items() for _ in range(count)]
    return counted([*values, *([special] if special else [])]) + size_steps


def reaction(*, som: int, roll: int) -> dict[str, bool]:
    reacted = Reaction(som, roll)
    return {"success": reacted.success, "acts_this_turn": reacted.success}


def declaration_order(*, characters: Sequence[dict[str, Any]]) -> dict[str, list[Any]]:
    event = Turns(participants=[_participant(**character) for character in characters])
    event.arrange()
    equals = [[one.name for one in group] for group in event.equals(DEFAULTS)]
    return {"order": [one.name for one in event.participants if event.takes_part(one)], "reroll": equals}


def actions_per_turn(*, es: int | Sequence[int]) -> int:
    return actions_in_turn(es if isinstance(es, list | tuple) else [es])


def movement(*, control: int, size_steps: int = 0, base: int = HUMAN_BASE, burden: str = Burden.NONE) -> int | float:
    how = movement_of(control, base=base, size=_size(size_steps), burden=word("burden", burden, Burden))
    return _number(how.metres)


def load(*, build: int, weight: float, size_steps: int = 0) -> dict[str, Any]:
    borne = load_of(build, weight, size=_size(size_steps))
    return {"loadt": _number(borne.loadt), "max": _number(borne.maximum), "status": borne.burden}


def _size(steps: int) -> Size:
    return next(size for size in Size if size.steps == steps)


def _check(*, roll: int, **asked: int) -> Check:
    return resolve(Ask(**asked), iter([roll]))


def _participant(*, name: str, d10: int | None = None, aware: bool = True, **scores: int) -> Participant:
    rolls = [] if d10 is None else [d10]
    return Participant(key=name.lower(), name=name, mind=Mind.AWARE if aware else Mind.SURPRISED, rolls=rolls, **scores)


def _number(exact: Fraction) -> int | float:
    return int(exact) if exact.denominator == 1 else float(exact)


CALLS: dict[str, Callable[..., Any]] = {
    "es_row": es_row,
    "es_adj": es_adj,
    "arct": arct,
    "arco": arco,
    "other_adj": other_adj,
    "reaction": reaction,
    "declaration_order": declaration_order,
    "actions_per_turn": actions_per_turn,
    "movement": movement,
    "load": load,
}
