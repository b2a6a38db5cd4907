"""What events of 0.2 told of procedures, each with its whole state, is told in the same words."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from rulesets.storyteller.procedures.attack import Attack
from rulesets.storyteller.procedures.conflict import Conflict
from rulesets.storyteller.procedures.extended import Extended
from rulesets.storyteller.procedures.opposed import Opposed
from rulesets.storyteller.rules.damage import Body

SILAS = {"name": "Silas", "character": "s", "traits": ["dexterity", "brawl"], "dice": None, "difficulty": 6}
SILAS |= {"kind": "action"}
TIDE = SILAS | {"name": "The tide", "character": None, "traits": [], "dice": 4}
ACTION = {
    "side": SILAS,
    "goal": 5,
    "most": None,
    "on_botch": "ends",
    "announced": False,
    "withdrawn": False,
    "rolls": [],
}
CONTEST = {"a": SILAS, "b": TIDE, "on_tie": "again", "until": "first", "goal": 5, "exchanges": [], "announced": False}
CONTEST |= {"withdrawn": False, "dice": [5, 4], "open": [True, True]}
ORDER = [
    {
        "key": str(at),
        "name": name,
        "character": None,
        "traits": 5,
        "penalty": 0,
        "die": die,
        "again": [],
        "status": "to_act",
    }
    for at, (name, die) in enumerate((("Silas", 8), ("Dog", 3)), 1)
]
FIGHT = {"participants": ORDER, "number": 2, "round": 2, "anew": False}
BLOW = {"attack": SILAS, "target": "Vesper", "character": "v", "dice": 2, "strength": True, "harm": "lethal", "due": []}
BLOW |= {
    "willpower": False,
    "defence": "none",
    "guard": None,
    "guard_willpower": False,
    "withdrawn": False,
    "beyond": 0,
}
BLOW |= {"attacked": {"successes": 3, "botch": False}, "guarded": None, "damaged": None, "soaked": None, "taken": None}
BLOW |= {"open_a": True, "open_b": True, "decisions": {}}
FIGURES = {"attack": 5, "strength": 2, "body": asdict(Body(fortitude=1)), "health": None}
SOAKED = BLOW | {"damaged": {"successes": 2, "botch": False}, "soaked": None, "taken": 2, "beyond": 1}


@pytest.mark.parametrize(
    ("kind", "state", "act", "whom", "line"),
    [
        (
            Extended,
            ACTION | {"announced": True},
            "open",
            "",
            "Silas announced an extended action: {roll}; 5 successes.",
        ),
        (
            Extended,
            ACTION | {"most": 2},
            "set",
            "",
            "Silas’s extended action was set: {roll}; 5 successes in at most 2 rolls.",
        ),
        (Extended, ACTION | {"withdrawn": True}, "withdraw", "", "Silas called off the extended action."),
        (Extended, ACTION, "rolled", "", "Silas’s extended action: 0 of 5 successes, 0 rolls."),
        (
            Opposed,
            CONTEST,
            "open",
            "",
            "Silas started an opposed action: {roll}, against The tide (4 dice, difficulty 6). First to 5 successes. "
            "On a tie, both roll again.",
        ),
        (
            Opposed,
            CONTEST | {"withdrawn": True},
            "withdraw",
            "",
            "Silas called off the opposed action against The tide.",
        ),
        (
            Opposed,
            CONTEST,
            "recounted",
            "",
            "Opposed action recounted: no one has rolled yet. Still to roll: Silas, The tide.",
        ),
        (Conflict, FIGHT, "open", "", "A conflict started. Round 1: Silas 13, Dog 8."),
        (Conflict, FIGHT, "hold", "Silas", "Silas held. Silas is next."),
        (Conflict, FIGHT, "round", "", "Round 2 started: Silas 13, Dog 8."),
        (Conflict, FIGHT, "taken_back", "", "Conflict, round 2. Silas is next."),
        (
            Attack,
            BLOW | {"figures": FIGURES},
            "open",
            "",
            "Silas attacked Vesper: {roll}; lethal damage: Strength + 2 dice.",
        ),
        (Attack, BLOW | {"figures": FIGURES}, "take", "", "Vesper didn’t defend."),
        (Attack, BLOW | {"figures": FIGURES}, "rolled", "", "Silas hit Vesper by 3."),
        (Attack, BLOW | {"defence": "parry", "guard": TIDE}, "defend", "", "Vesper parried with 4 dice, difficulty 6."),
        (Attack, SOAKED | {"figures": FIGURES}, "soak", "", ""),
        (
            Attack,
            SOAKED,
            "soak",
            "",
            "Vesper took 2 health levels (lethal). 1 of them was beyond the last level.",
        ),
    ],
)
def test_a_line_says_what_it_said(kind, state, act, whom, line):
    table = kind.told_before(state)
    (told,) = table.all(kind)
    assert str(told.line_before(table, act, whom)) == line.replace("{roll}", "Dexterity + Brawl, difficulty 6")
