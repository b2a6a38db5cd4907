import subprocess

import pytest

from tools import suite
from tools.suite import Tally

REPORT = '<testsuites><testsuite tests="7" failures="1" errors="1" skipped="2"/></testsuites>'


@pytest.fixture
def ran(tmp_path, monkeypatch):
    """`ran(code, report)` returns what suite.pytest makes of a run with this exit code and report."""

    def run(code, report=None, *arguments):
        monkeypatch.setattr(suite, "CACHE", tmp_path)

        def ends(*_, **__):
            if report:
                (tmp_path / "part.xml").write_text(report)
            return subprocess.CompletedProcess([], code)

        monkeypatch.setattr(subprocess, "run", ends)
        return suite.pytest("Part", *arguments)

    return run


@pytest.mark.parametrize(
    ("run", "tally"),
    [
        pytest.param((1, REPORT), Tally(passed=3, failed=2, skipped=2), id="its numbers come from its report"),
        pytest.param((3,), Tally(failed=1), id="one that broke down without a report is a failure"),
        pytest.param(
            (5, REPORT.replace("7", "0").replace("1", "0").replace("2", "0")),
            Tally(failed=1),
            id="one that found no tests is a failure",
        ),
        pytest.param((5, None, suite.CHANGED), Tally(), id="one of what was changed may find none"),
        pytest.param((3, None, suite.CHANGED), Tally(failed=1), id="one of what was changed may break down"),
    ],
)
def test_a_run_is_counted(ran, run, tally):
    assert ran(*run) == tally


def test_an_old_report_does_not_speak_for_a_new_run(ran):
    ran(1, REPORT)
    assert ran(3) == Tally(failed=1)


@pytest.mark.parametrize(
    ("tally", "said"),
    [(Tally(3, 0, 0), "3 passed, 0 failed"), (Tally(3, 1, 2), "3 passed, 1 failed, 2 skipped")],
)
def test_the_total_is_said_in_one_line(tally, said):
    assert str(tally) == said


def test_the_slowest_of_all_parts_are_named_with_their_part(tmp_path, monkeypatch, ran):
    case = '<testcase classname="tests.x" name="test_{}" time="{}"/>'
    monkeypatch.setattr(suite, "SLOWEST", 2)
    cases = case.format("quick", "0.1") + case.format("slow", "7.25")
    one = ran(0, f'<testsuites><testsuite tests="2">{cases}</testsuite></testsuites>')
    other = ran(0, f'<testsuites><testsuite tests="1">{case.format("longest", "12")}</testsuite></testsuites>')
    assert suite.slowest(one + other).splitlines() == [
        "  12.0 s  tests.x::test_longest, part",
        "   7.2 s  tests.x::test_slow, part",
    ]


def test_the_seconds_of_each_folder_are_added_up(ran):
    case = '<testcase classname="tests.{}.test_x" name="test_it" time="{}"/>'
    cases = case.format("rolls.rules", 2) + case.format("people", 4) + case.format("rolls", 3.5)
    tally = ran(0, f'<testsuites><testsuite tests="3">{cases}</testsuite></testsuites>')
    assert suite.by_folder(tally).splitlines() == ["   5.5 s  tests/rolls, part", "   4.0 s  tests/people, part"]
