import subprocess

import pytest

from tools import suite
from tools.suite import Tally

REPORT = '<testsuites><testsuite tests="7" failures="1" errors="1" skipped="2"/></testsuites>'


@pytest.fixture
def ran(tmp_path, monkeypatch):
    """`ran(code, report)`: what suite.pytest makes of a run that ended so and wrote that."""

    def run(code, report=None):
        monkeypatch.setattr(suite, "CACHE", tmp_path)

        def ends(*_, **__):
            if report:
                (tmp_path / "part.xml").write_text(report)
            return subprocess.CompletedProcess([], code)

        monkeypatch.setattr(subprocess, "run", ends)
        return suite.pytest("Part")

    return run


def test_the_numbers_of_a_run_come_from_its_report(ran):
    assert ran(1, REPORT) == Tally(passed=3, failed=2, skipped=2)


def test_a_run_that_broke_down_without_a_report_is_a_failure(ran):
    assert ran(3) == Tally(failed=1)


def test_a_run_that_found_no_tests_is_a_failure(ran):
    assert ran(5, REPORT.replace("7", "0").replace("1", "0").replace("2", "0")) == Tally(failed=1)


def test_an_old_report_does_not_speak_for_a_new_run(ran):
    ran(1, REPORT)
    assert ran(3) == Tally(failed=1)


@pytest.mark.parametrize(
    ("tally", "said"),
    [(Tally(3, 0, 0), "3 passed, 0 failed"), (Tally(3, 1, 2), "3 passed, 1 failed, 2 skipped")],
)
def test_the_total_is_said_in_one_line(tally, said):
    assert str(tally) == said
