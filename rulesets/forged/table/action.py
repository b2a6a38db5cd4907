"""An action roll: its pool, its position and effect, and what the rules make of the dice (forged.txt, Action Roll)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from characters.models import Character
from rolls.rules.dice import Faces
from rolls.rules.errors import word
from rolls.table_rules import Terms
from rulesets.forged.rules.action import Direction, Effect, Position, gambits_gained, judge, push_cost, trade
from rulesets.forged.rules.effect import Built, Influences, build
from rulesets.forged.rules.roll import Pool, Result, action_pool, resolve
from rulesets.forged.settings import Settings
from rulesets.forged.table.ask import Push, RollInput, refused_at, short_words
from rulesets.forged.table.sheet import is_harmed, rated_action
from rulesets.forged.table.words import drawn

AT = {"rating": "action", "assists": "helper", "level2_harm": "harm2", "level1_harm": "harm1", "direction": "trade"}
"""What the rules call otherwise than the form."""

AS_ASKED = ("incapacitated", "gambit", "setup", "ability", "harm1", "harm2")
"""What a roll keeps as it was asked for, under the same name."""


def terms(character: Character | None, ask: RollInput, settings: Settings) -> Terms:
    """Return what an action roll keeps. Raises Invalid for what the rules do not allow."""
    rated = rated_action(character, ask)
    bargain = short_words(ask.bargain, "bargain")
    harmed = is_harmed(character, ask)
    ask = replace(ask, harm2=ask.harm2 or (harmed and not ask.unhurt))
    with refused_at(**AT):
        pushed = _pushed(ask)
        pool = action_pool(
            rating=rated.rating,
            assists=int(ask.helper is not None),
            push=pushed["push_die"],
            bargain=bool(bargain),
            gambit=ask.gambit,
            level2_harm=ask.harm2,
            settings=settings,
        )
        kept: Terms = {
            "action": rated.name,
            "attribute": rated.attribute,
            "rating": rated.rating,
            "dice": pool.dice,
            "position": word("position", ask.position, Position).value,
            "effect": word("effect", ask.effect, Effect).value,
            "trade": word("trade", ask.trade, Direction).value if ask.trade else "",
            "bargain": bargain,
            "reduced": False,
            "harm_left_out": harmed and not ask.harm2,
        }
        kept |= pushed | {name: getattr(ask, name) for name in AS_ASKED}
        position_of(kept, settings)
        effect_of(kept, settings)
    return kept


def _pushed(ask: RollInput) -> Terms:
    """Return what the push is for, and the stress it costs."""
    push = word("push", ask.push, Push)
    for_die, for_effect = push in (Push.DIE, Push.BOTH), push in (Push.EFFECT, Push.BOTH)
    stress = push_cost(die=for_die, effect=for_effect, incapacitated=ask.incapacitated)
    return {"push_die": for_die, "push_effect": for_effect, "stress": stress}


def position_of(kept: Terms, settings: Settings) -> Position:
    """The position that is rolled in: the GM's, after a trade. Raises RuleError for a trade that cannot be."""
    said = Position(word("position", kept["position"], Position))
    if not kept["trade"]:
        return said
    before = build(kept["effect"], _influences(kept, traded=False), settings).level.effect
    return trade(said, before, Direction(kept["trade"]), settings=settings)[0]


def effect_of(kept: Terms, settings: Settings, *, critical: bool = False) -> Built:
    """How far the effect goes, step by step in the order of the rules. Raises RuleError for a trade that cannot be."""
    return build(kept["effect"], _influences(kept, critical=critical), settings)


def read(kept: Terms, faces: Faces, settings: Settings) -> tuple[tuple[int, ...], dict[str, Any]]:
    """The faces taken, and the outcome as the Roll keeps it. A 1-3 reaches no effect, whatever it could have been."""
    with refused_at(**AT):
        position = position_of(kept, settings)
        outcome = resolve(Pool(kept["dice"]), faces)
        judged = judge(position, outcome)
        critical = outcome.result is Result.CRITICAL
        set_up, reached = effect_of(kept, settings), effect_of(kept, settings, critical=critical)
    done = outcome.result is not Result.BAD
    return tuple(die.face for die in outcome.dice), {
        "result": outcome.result.name.lower(),
        "dice": drawn(outcome.dice),
        "position": position.value,
        "effect": set_up.level.effect.value,
        "reached": reached.level.effect.value if done else "",
        "ticks": reached.level.ticks if done else 0,
        "steps": [{"why": step.why, "change": step.change} for step in reached.steps],
        "menu": list(judged.menu),
        "xp": judged.xp,
        "gambits": gambits_gained(position, outcome.result, spent=kept["gambit"], settings=settings),
    }


def _influences(kept: Terms, *, traded: bool = True, critical: bool = False) -> Influences:
    """All that bears on the effect; without the trade only what comes before it."""
    before = Influences(ability=kept["ability"], setup=kept["setup"], push=kept["push_effect"])
    if not traded:
        return before
    return Influences(
        ability=before.ability,
        setup=before.setup,
        push=before.push,
        trade=Direction(kept["trade"]) if kept["trade"] else None,
        level1_harm=kept["harm1"],
        critical=critical,
        reduced=kept["reduced"],
    )
