"""That a test that takes long has its turn."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tests import depth
from tests.depth import TURNS, in_turn
from tools import durations

LONG = {f"test_{number:02}": 1 + number % 7 for number in range(53)}


def test_each_has_one_turn_of_ten():
    turns = [in_turn(LONG, turn) for turn in range(TURNS)]
    assert sorted(name for turn in turns for name in turn) == sorted(LONG)
    assert in_turn(LONG, 847) == turns[7]


def test_turns_take_about_the_same_time():
    times = [sum(LONG[name] for name in in_turn(LONG, turn)) for turn in range(TURNS)]
    assert max(times) - min(times) <= max(LONG.values())


def test_the_cases_of_one_test_fall_into_several_turns():
    cases = {f"test_cases[{number}]": 2.0 for number in range(5)}
    assert sum(bool(in_turn(LONG | cases, turn) & cases.keys()) for turn in range(TURNS)) == len(cases)


@dataclass
class Item:
    """A collected test, as far as it is asked."""

    nodeid: str
    marker: str = ""

    def get_closest_marker(self, name: str) -> bool | None:
        return (name == self.marker) or None


QUICK, MARKED, SELDOM = (
    Item("tests/test_a.py::test_quick"),
    Item("tests/test_a.py::test_long[0]", "always"),
    Item("x::y", "deep"),
)
CASES = [Item(f"tests/test_a.py::test_long[{number}]") for number in range(1, 21)]
ITEMS = [*CASES, QUICK, MARKED, SELDOM]


@pytest.fixture(autouse=True)
def whole_run(monkeypatch):
    monkeypatch.setattr(depth, "DEEP", False)
    monkeypatch.setattr(durations, "noted", lambda: {"tests.test_a::test_long": 3.5})
    monkeypatch.setenv("TEST_TURN", "12")


def test_a_whole_run_has_what_is_quick_or_always_run_and_of_what_takes_long_a_tenth():
    run = depth.of_this_run(ITEMS, once=True)
    assert [item for item in run if item not in CASES] == [QUICK, MARKED]
    assert len([item for item in run if item in CASES]) == 2


@pytest.mark.parametrize(
    "name",
    [
        "flows/test_secrets.py::test_every_replay_is_free_of_what_others_know",
        "flows/test_twin.py::test_nothing_that_is_answered_tells_of_what_was_done_in_secret",
        "rulesets/arc/table/test_secrets.py::test_what_a_gm_asks_for_tells_one_result_each",
        "rulesets/conformance/test_at_the_table.py::test_what_is_secret_on_a_sheet_reaches_no_player[arc]",
        "rulesets/arc/procedures/test_tracker_twin.py::test_nothing_that_players_are_answered_tells_of_a_us",
        "campaigns/live/test_doors.py::test_who_signs_out_hears_nothing_that_is_said_afterwards",
        "campaigns/test_log_event.py::test_the_permalink_of_what_is_hidden_answers_as_one_that_is_not_there",
    ],
)
def test_what_holds_that_secrets_stay_secret_takes_no_turns(name, monkeypatch):
    """Whatever its marks, and however long it takes."""
    cases = [Item(f"tests/{name}-{number}") for number in range(TURNS)]
    monkeypatch.setattr(durations, "noted", lambda: {durations.name_of(one.nodeid): 60.0 for one in cases})
    assert depth.of_this_run(cases, once=True) == cases


def test_what_is_asked_for_by_its_path_runs():
    assert depth.of_this_run(ITEMS, once=False) == ITEMS


def test_a_run_that_goes_to_the_end_has_everything(monkeypatch):
    monkeypatch.setattr(depth, "DEEP", True)
    assert depth.of_this_run(ITEMS, once=True) == ITEMS


def test_a_run_without_turns_has_all_but_what_is_for_test_all(monkeypatch):
    monkeypatch.setenv("TEST_TURN", "")
    assert depth.of_this_run(ITEMS, once=True) == [*CASES, QUICK, MARKED]
