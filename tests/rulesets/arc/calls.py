from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from rolls.rules.errors import word
from rulesets.arc.rules.body import HUMAN_BASE, Size
from rulesets.arc.rules.body import load as load_of
from rulesets.arc.rules.body import movement as movement_of
from rulesets.arc.rules.check import Ask, Check, Circumstances, adjustment, core_row, resolve, versus, versus_threshold
from rulesets.arc.rules.turn import Declarant, Reaction, actions_in_turn
from rulesets.arc.rules.turn import declaration_order as order_of
from rulesets.arc.settings import Burden


def es_row(*, es: int) -> dict[str, int]:
    row = core_row(es)
    return {"die": row.die.sides, "min": row.lowest, "max": row.highest}


def es_adj(*, es: int, roll: int) -> int:
    return adjustment(es, roll).value


def arct(*, threshold: int, **side: int) -> dict[str, Any]:
    check = _check(**side)
    return {"arc": check.total, "success": versus_threshold(check, threshold).success}


def arco(*, first: dict[str, int], second: dict[str, int]) -> dict[str, Any]:
    opposed = versus(_check(**first), _check(**second))
    return {"first": opposed.acting.total, "second": opposed.countering.total, "success": opposed.success}


def other_adj(**circumstances: int) -> int:
    return Circumstances(**circumstances).total


def reaction(*, som: int, roll: int) -> dict[str, bool]:
    reacted = Reaction(som, roll)
    return {"success": reacted.success, "acts_this_turn": reacted.success}


def declaration_order(*, characters: Sequence[dict[str, Any]]) -> dict[str, list[Any]]:
    order = order_of([_declarant(**character) for character in characters])
    return {
        "order": [one.name for one in order.declare],
        "reroll": [[one.name for one in group] for group in order.roll_again],
    }


def actions_per_turn(*, es: int | Sequence[int]) -> int:
    return actions_in_turn(es if isinstance(es, list | tuple) else [es])


def movement(*, control: int, size_steps: int = 0, base: int = HUMAN_BASE, burden: str = Burden.NONE) -> int | float:
    how = movement_of(control, base=base, size=Size.at(size_steps), burden=word("burden", burden, Burden))
    return _number(how.metres)


def load(*, build: int, weight: float, size_steps: int = 0) -> dict[str, Any]:
    borne = load_of(build, weight, size=Size.at(size_steps))
    return {"loadt": _number(borne.loadt), "max": _number(borne.maximum), "status": borne.burden}


def _check(*, ks: int, us: int, es: int, roll: int, other: int = 0) -> Check:
    return resolve(Ask(ks=ks, us=us, es=es, other=other), iter([roll]))


def _declarant(*, d10: int | None = None, **payload: Any) -> Declarant:
    return Declarant(**payload, rolls=() if d10 is None else (d10,))


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
