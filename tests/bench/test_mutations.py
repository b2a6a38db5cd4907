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


def test_of_a_line_those_tests_run_that_enter_its_function_the_quick_and_narrow_first():
    notes = CoverageData(no_disk=True)
    file = "/somewhere/rulesets/game/rules/rules.py"
    for test, lines in {
        "rules/least": [6, 7, 9],
        "pages/most": [6, 7, 8],
        "pages/least": [7, 8],
        "import": [3],
    }.items():
        notes.set_context(f"tests/{test}.py::test_it")
        notes.add_lines({file: lines})
    entered = [entering.tests_that_enter(notes, "rulesets/game/rules/rules.py", RULES, line) for line in (8, 3)]
    assert entered == [
        ["tests/rules/least.py::test_it", "tests/pages/least.py::test_it", "tests/pages/most.py::test_it"],
        [
            "tests/rules/least.py::test_it",
            "tests/import.py::test_it",
            "tests/pages/least.py::test_it",
            "tests/pages/most.py::test_it",
        ],
    ]
