"""What is noted of how long tests take."""

from __future__ import annotations

from tools import durations


def test_the_name_of_a_test_is_that_of_the_report():
    assert (
        durations.name_of("tests/people/test_mail.py::test_it_is_sent[a-b::c]")
        == "tests.people.test_mail::test_it_is_sent"
    )
    assert durations.name_of("tests/a/test_b.py::TestC::runTest") == "tests.a.test_b.TestC::runTest"


def test_a_test_is_noted_by_the_mean_of_its_cases_in_the_part_where_it_takes_longest(tmp_path, monkeypatch):
    monkeypatch.setattr(durations, "FILE", tmp_path / "durations.json")
    durations.note(
        [
            (0.1, "tests.a::test_x[1, 2], sqlite"),
            (0.3, "tests.a::test_x[2], sqlite"),
            (0.5, "tests.a::test_x[1, 2], postgresql"),
            (0.5, "tests.a::test_x[2], postgresql"),
            (0.02, "tests.a::test_quick, sqlite"),
            (2.004, "tests.b.TestC::runTest, browsers"),
        ]
    )
    assert durations.noted() == {"tests.a::test_x": 0.5, "tests.b.TestC::runTest": 2.0}
