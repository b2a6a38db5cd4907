from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rules.dice import shown
from rules.errors import NotPossible, OutOfRange, whole, word
from rules.table import Table
from rulesets.forged import rows
from rulesets.forged.procedures.action import StagedAction
from rulesets.forged.rules import (
    D6,
    DEFAULTS,
    Outcome,
    Pool,
    Result,
    Settings,
    action_pool,
    fortune_pool,
    resolve,
)
from rulesets.forged.rules import action as act
from rulesets.forged.rules.action import Inflicted, Influences, Roller, Stage, build
from rulesets.forged.rules.downtime import Activity, amount_of, indulged
from rulesets.forged.sheet import ACTIONS, TRAUMAS, attribute, trauma_of

ROWS = {"1": 1, "2": 2, "3": 3}


def _rolled(pool: int, dice: Sequence[int]) -> Outcome:
    faces, asked = shown(dice, D6), Pool(pool)
    if len(faces) != asked.rolled:
        raise NotPossible("dice", len(faces), allowed=str(asked.rolled), message="Another number of dice was needed.")
    return resolve(asked, iter(faces))


def forged_result(*, pool: int, dice: Sequence[int]) -> dict[str, Any]:
    outcome = _rolled(pool, dice)
    return {"value": outcome.value, "result": outcome.result}


def forged_pool(*, push_die: bool = False, **given: Any) -> dict[str, Any]:
    pool = action_pool(push=push_die, settings=Settings(gambits=True), **given)
    return {"pool": pool.dice, "rolled": pool.rolled, "keep": "lowest" if pool.lowest else "highest"}


def forged_effect(
    *,
    base: str = "standard",
    ability: int = 0,
    setup: int = 0,
    push: bool = False,
    trade: int = 0,
    level1_harm: bool = False,
    crit: bool = False,
    reduced: bool = False,
) -> dict[str, Any]:
    influences = Influences(
        ability=whole("ability", ability, 0, 1),
        setup=whole("setup", setup, 0, 1) == 1,
        push=push,
        trade={1: act.Direction.EFFECT, -1: act.Direction.POSITION}.get(whole("trade", trade, -1, 1)),
        level1_harm=level1_harm,
        critical=crit,
        reduced=reduced,
    )
    level = build(word("effect", base, act.Effect), influences)
    return {"effect": level.effect, "ticks": level.ticks}


def trade_position(*, position: str, effect: str, direction: str) -> dict[str, str]:
    at, level = act.trade(
        word("position", position, act.Position),
        word("effect", effect, act.Effect),
        word("direction", direction, act.Direction),
    )
    return {"position": at, "effect": level}


VERDICTS = {
    Result.CRITICAL: ("done, increased effect", "done, increased effect"),
    Result.FULL: ("done", "done"),
    Result.PARTIAL: ("hesitate", "done at a cost"),
    Result.BAD: ("falter", "it goes badly"),
}
"""The wording of the worked cases, in a controlled position and in others; that of the cards may change."""


def forged_action(*, position: str, pool: int, dice: Sequence[int]) -> dict[str, Any]:
    at, result = word("position", position, act.Position), _rolled(pool, dice).result
    menu = [item.replace("_", " ") for item in act.menu_of(at, result)]
    verdict = VERDICTS[result][at is not act.Position.CONTROLLED]
    return {"result": result, "verdict": verdict, "menu": menu, "xp": act.desperate_xp(at)}


def forged_stress(*, stress: int, trauma: int = 0, change: int) -> dict[str, Any]:
    """Mark or clear it on a sheet; what follows from a full track is settled by the first choice that is offered."""
    marked = max(0, min(DEFAULTS.boxes, stress + change))
    who = rows.Scoundrel(id="worn", stress=marked, **dict.fromkeys(map(trauma_of, TRAUMAS[:trauma]), True))
    table = Table([who], settings=DEFAULTS)
    who.settle(table)
    if not table.begun:
        return {"stress": marked, "trauma": trauma, "taken_out": False, "retired": False}
    ((_kind, given),) = table.begun
    rows.Trauma(**given).choose(table, who, TRAUMAS[trauma])
    return {"stress": who.stress, "trauma": len(who.traumas), "taken_out": True, "retired": not who.in_play}


def forged_resist(*, rating: int, dice: Sequence[int], stress: int = 0, trauma: int = 0) -> dict[str, Any]:
    cost = act.resist_cost(_rolled(rating, dice))
    return {**forged_stress(stress=stress, trauma=trauma, change=cost), "cost": cost}


def forged_attribute(*, dots: Sequence[int]) -> int:
    return attribute(dict(zip(ACTIONS["prowess"], dots, strict=True)), "prowess")


def forged_harm(*, rows: Mapping[str, Sequence[str]], level: int) -> dict[str, Any]:
    for name in rows:
        if name not in ROWS:
            raise OutOfRange("row", name, 1, len(ROWS))
    row = act.harm_row({ROWS[name]: len(held) for name, held in rows.items()}, level)
    return {"recorded_at": row, "fatal": row == act.FATAL}


def forged_armor(*, level: int, boxes: int = 1) -> int:
    harm = Inflicted(code=f"harm_{level}", severity=level)
    for _box in range(boxes):
        harm.lessen(1)
    return harm.severity


def forged_group(*, rolls: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Let those who roll in a group be judged; the first of them leads it."""
    keys = [f"p{place}" for place in range(len(rolls))]
    rollers = [Roller(id=key, cohort=not roll.get("pc", True)) for key, roll in zip(keys, rolls, strict=True)]
    group = StagedAction(actor=keys[0], action="prowl", rollers=rollers, group=True, stage=Stage.SET)
    table = Table([group, *(rows.Scoundrel(id=key, name=key) for key in keys)], settings=DEFAULTS)
    for one, roll in zip(rollers, rolls, strict=True):
        result = _rolled(roll["pool"], roll["dice"]).result.name.lower()
        outcome = {"result": result, "position": group.position, "effect": group.base, "ticks": 0}
        group.on_roll(table, one.part, outcome)
    return {"result": group.best.came, "leader_stress": table.get(rows.Scoundrel, keys[0]).stress}


def forged_fortune(*, trait: int = 1, advantages: int = 0, disadvantages: int = 0) -> dict[str, int]:
    pool = fortune_pool(trait=trait, advantages=advantages, disadvantages=disadvantages)
    return {"pool": pool.dice, "rolled": pool.rolled}


def forged_downtime(*, kind: str, result: str, coin: int = 0, tier: int = 0) -> int:
    return amount_of(word("kind", kind, Activity), word("result", result, Result), coin=coin, tier=tier)


def forged_vice(*, rating: int, dice: Sequence[int], stress: int) -> dict[str, Any]:
    cleared, over = indulged(stress, _rolled(rating, dice).value)
    return {"stress": stress - cleared, "overindulged": over}


def forged_heat(*, heat: int, wanted: int = 0, added: int) -> dict[str, int]:
    crew = rows.Crew(heat=heat, wanted=wanted)
    crew.mark_heat(added)
    return {"heat": crew.heat, "wanted": crew.wanted}


CALLS: dict[str, Callable[..., Any]] = {
    "forged_result": forged_result,
    "forged_pool": forged_pool,
    "push_cost": act.push_cost,
    "forged_effect": forged_effect,
    "trade_position": trade_position,
    "forged_action": forged_action,
    "forged_stress": forged_stress,
    "forged_resist": forged_resist,
    "forged_attribute": forged_attribute,
    "forged_harm": forged_harm,
    "forged_armor": forged_armor,
    "forged_group": forged_group,
    "forged_fortune": forged_fortune,
    "forged_downtime": forged_downtime,
    "forged_vice": forged_vice,
    "forged_heat": forged_heat,
}
