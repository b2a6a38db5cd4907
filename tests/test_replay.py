import json
import os
import subprocess
import sys

import pytest

from tests.replay import main, replay, same
from tools.environment import ROOT

CASE = {"id": "x-1", "function": "storyteller_degree", "input": {"total": 3}, "expected": "complete"}


def lines(**changes):
    return [json.dumps({**CASE, **changes})]


def test_all_worked_cases_agree_and_each_of_their_functions_has_its_adapter():
    """Rules that are written anew keep their adapters in `calls.py`, which say what the cases call them."""
    seen = replay((ROOT / "tests" / "cases.jsonl").read_text().splitlines())
    assert (seen.mismatches, seen.unbuilt, seen.agreed) == ([], {}, 141)


def test_a_case_that_agrees_is_counted():
    assert replay(lines()).agreed == 1


@pytest.mark.parametrize("expected", ["marginal", None, {"error": True}])
def test_another_result_is_a_mismatch(expected):
    assert len(replay(lines(expected=expected)).mismatches) == 1


def test_a_refusal_is_what_an_error_case_expects():
    refused = lines(function="storyteller_roll", input={"dice": [6], "difficulty": 11}, expected={"error": True})
    assert replay(refused).agreed == 1


@pytest.mark.parametrize("given", [{"totals": 3}, {}, {"total": "three"}])
def test_a_call_that_breaks_is_a_mismatch_even_where_an_error_is_expected(given):
    assert "broke" in replay(lines(input=given, expected={"error": True})).mismatches[0]


def test_a_function_that_is_not_built_is_listed_apart():
    seen = replay(lines(function="starship_warp"))
    assert (seen.mismatches, seen.unbuilt, seen.agreed) == ([], {"starship_warp": 1}, 0)


@pytest.mark.parametrize("line", ["{", "[]", "{}", "7"])
def test_a_line_that_is_no_case_is_a_mismatch(line):
    assert replay([line]).mismatches


@pytest.mark.parametrize(("got", "expected"), [(1, True), (0, False), ("1", 1), ([1], [1, 2])])
def test_likeness_is_not_enough(got, expected):
    assert not same(got, expected)


def test_it_runs_by_itself_in_an_environment_that_knows_nothing_of_this_site(tmp_path):
    file = tmp_path / "cases.jsonl"
    file.write_text("\n".join(lines()))
    bare = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    command = [sys.executable, "-m", "tests.replay", str(file)]
    done = subprocess.run(command, cwd=ROOT, env=bare, text=True, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "1 cases: 1 agree, 0 do not, 0 not built yet\n", "")


def test_the_command_says_how_it_went(tmp_path, capsys):
    file = tmp_path / "cases.jsonl"
    file.write_text("\n".join(lines() + lines(function="starship_warp") + [""]))
    assert main([str(file)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "not built yet: starship_warp (1)",
        "2 cases: 1 agree, 0 do not, 1 not built yet",
    ]
    file.write_text("\n".join(lines(expected="moderate")))
    assert main([str(file)]) == 1
    assert "x-1" in capsys.readouterr().out
