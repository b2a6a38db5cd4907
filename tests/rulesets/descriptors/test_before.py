"""What events of 0.2 told of procedures, with a state in place of a line, is read as it was then."""

from __future__ import annotations

import pytest

from rolls.registry import RULESETS

ONE = {"dice": 3, "key": "a1", "name": "Swordplay", "pending": False, "source": "x/descriptors/r1", "theirs": False}
WHOSE = {"dice": 0, "number": 1, "ready": True, "fund": None, "gone": False, "short": False, "last": False, "extra": 0}
SIDES = {
    "sides": [
        WHOSE | {"key": key, "name": name, "character": key, "used": used, "allowed": False}
        for key, name, used in (("a", "Abigail", [ONE]), ("b", "Bob", []))
    ],
    "decisions": {"sides": 10, "boxes": 6},
    "corrected": [],
    "news": "",
}
CHANGED = {"corrected": ["Swordplay"], "news": "pool"}
FALLS = {"box": 2, "gone": None, "injury": 0, "instead": 2, "out": False}
AFTER = {
    "a": [9, 8, 2],
    "b": [6, 4],
    "won": "a",
    "successes": 2,
    "target": 6,
    "made": "open",
    "made_name": "",
    "hit": "injury",
    "injury_name": "Cut arm",
    "falls": FALLS,
    "shifted": "",
}
ARM = {"bearer": "Bob", "character": "b", "dice": 1, "name": "Arm", "pays": True, "row": "i1"}
HURT = SIDES | {"injury": ARM, "rolled": [{"left": 1, "side": "a", "successes": 2}], "ended": ""}
TWO = {"caller": {"character": "a", "name": "Abigail"}, "partner": {"character": None, "name": "Bob"}, "stage": "asked"}
TOLD = [
    ("contest", SIDES, "open", "", "Abigail started a contest against Bob."),
    ("contest", SIDES, "ready", "Abigail", "Abigail is ready: Swordplay 3D."),
    ("contest", SIDES, "use", "Abigail", ""),
    (
        "contest",
        SIDES | CHANGED,
        "reread",
        "",
        "Swordplay changed while in a pool. The new dice count, and no one is ready for them yet.",
    ),
    ("contest", SIDES, "taken_back", "", "Contest: Abigail against Bob."),
    (
        "contest",
        SIDES | {"stage": "after", "after": AFTER},
        "injure",
        "Bob",
        "Bob took a level 2 Injury instead of crossing off a box: Cut arm.",
    ),
    (
        "contest",
        SIDES | {"stage": "after", "after": AFTER | {"hit": "open"}, "news": "falls"},
        "reread",
        "",
        "The hit on Bob changed. Bob crosses off box 2. Bob may take a level 2 Injury instead.",
    ),
    ("recovery", HURT, "rolled", "", "Bob recovers from “Arm”. Abigail: 2 successes, 1D left."),
    ("recovery", HURT | {"ended": "gone"}, "reread", "", "Bob’s recovery from “Arm” is over."),
    ("recovery", HURT, "leave", "Abigail", "Abigail no longer rolls against Bob’s Arm 1D."),
    ("refreshment", TWO, "open", "", "Abigail asked Bob for a Refreshment Scene."),
    ("escalation", {"caller": "Abigail", "partner": "Bob", "stage": "held"}, "open", "", ""),
    (
        "scene_descriptor",
        {"name": "Fire", "dice": 2, "made_by_name": "Bob"},
        "open",
        "",
        "Bob made a Scene Descriptor: “Fire” 2D.",
    ),
    ("scene_descriptor", {"name": "Fire", "dice": 2}, "scene_ended", "", "“Fire” 2D ended with the scene."),
]


@pytest.mark.parametrize(("kind", "state", "act", "whom", "line"), TOLD)
def test_a_state_is_read_with_the_line_and_the_card_of_then(kind, state, act, whom, line):
    rows = RULESETS["descriptors"].procedures[kind].rows
    table = rows.told_before(state)
    (row,) = table.all(rows)
    assert str(row.line_before(table, act, whom)) == line
    assert row.card(table, ()) and row.over is (state.get("ended") == "gone")
