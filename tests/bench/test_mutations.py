"""What is changed in the rules still compiles, is one token, and says nothing of types or messages."""

from __future__ import annotations

import pytest
from coverage import CoverageData

from bench import entering, mutations

RULES = '''
"""Not 1 of these."""
from rules import low, high

@cached(size=2)
def least(one: int | None = None, *, of: "list[int] | None") -> int | None:
    if one is not None and one < 1:
        raise ValueError(f"{one + 1} is too few.")
    return min(high, 2 * low, *zip(low, high, strict=True))
'''


@pytest.fixture
def changes(tmp_path, monkeypatch):
    monkeypatch.setattr(mutations, "ROOT", tmp_path)
    file = tmp_path / "rulesets/game/rules/rules.py"
    file.parent.mkdir(parents=True)
    file.write_text(RULES)
    return [*mutations.changes(file)]


def test_each_token_that_decides_something_is_changed_once(changes):
    assert [(change.before, change.after) for change in changes] == [
        ("not", ""),
        ("and", "or"),
        ("<", "<="),
        ("1", "2"),
        ("min", "max"),
        ("2", "3"),
        ("*", "+"),
    ]


def test_a_change_is_shown_with_its_place_and_both_lines(changes):
    assert str(changes[1]) == (
        "rulesets/game/rules/rules.py:7\n  - if one is not None and one < 1:\n  + if one is not None or one < 1:"
    )


@pytest.mark.usefixtures("changes")
def test_the_same_seed_brings_the_same_changes():
    assert mutations.chosen(5, seed=7) == mutations.chosen(5, seed=7) != mutations.chosen(5, seed=8)


NOTED = {
    "game/rules/test_least": (0.1, [7]),
    "game/rules/test_none": (0.2, []),
    "game/test_all": (30.0, [7, 8, 9]),
    "other/test_raises": (26.0, [7, 8]),
    "other/test_nothing": (0.1, []),
}
FILE = "rulesets/game/rules/rules.py"


@pytest.fixture
def notes():
    lines = CoverageData(no_disk=True)
    for test, (_, entered) in NOTED.items():
        lines.set_context(f"tests/rulesets/{test}.py")
        lines.add_lines({f"/somewhere/{FILE}": entered})
    return entering.Notes(lines, {f"tests/rulesets/{test}.py": seconds for test, (seconds, _) in NOTED.items()})


def those_for(notes, line):
    tests = mutations.tests_for(mutations.Change(FILE, line, 0, "1", "2"), RULES, notes)
    return [test.removeprefix("tests/rulesets/").removesuffix(".py") for test in tests]


def test_of_a_line_those_tests_run_that_enter_its_statement_the_quick_first(notes):
    assert those_for(notes, 8) == ["other/test_raises", "game/test_all"]
    assert those_for(notes, 7) == ["game/rules/test_least", "other/test_raises", "game/test_all"]


def test_of_what_stands_in_no_function_all_of_the_game_run_its_rules_first_then_others_that_enter_the_file(notes):
    assert those_for(notes, 5) == [
        "game/rules/test_least",
        "game/rules/test_none",
        "game/test_all",
        "other/test_raises",
    ]


def test_tests_run_in_three_goes_so_that_most_changes_cost_little(notes):
    tests = mutations.tests_for(mutations.Change(FILE, 5, 0, "1", "2"), RULES, notes)
    assert [len(run) for run in mutations.in_runs(tests, notes)] == [2, 1, 1]
