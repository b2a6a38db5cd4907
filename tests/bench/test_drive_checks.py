"""The checker of the drive finds each kind of broken promise, and nothing where all is well."""

from dataclasses import replace

import pytest

from bench.drive.checks import Applied, Operation, Page, Row, check, percentile, slope

ROWS = [
    Row("one", "table", 1, "a", "k1"),
    Row("one", "table", 2, "b", "k2"),
    Row("one", "table", 3, "c", "k3"),
    Row("one", "gm", 1, "g", "k4"),
    Row("two", "table", 1, "z", "k5"),
]
DONE = [Operation(f"k{n}", "two" if n == 5 else "one", [float(n)], 204) for n in range(1, 6)]
TABLE = [Applied("table", 1, "a", 1.5), Applied("table", 2, "b", 2.5), Applied("table", 3, "c", 3.5)]
PLAYER = Page("one", ["table"], {}, TABLE)
GM = Page("one", None, {}, [*TABLE, Applied("gm", 1, "g", 4.5)])


def broken(operations=DONE, log=ROWS, pages=(PLAYER, GM)):
    return check(operations, log, pages).broken


def test_a_run_in_which_all_went_well_has_no_problems_and_tells_how_long_events_took():
    found = check(DONE, ROWS, [PLAYER, GM])
    assert found.broken == {}
    assert [took for _, took in found.latencies] == [0.5] * 7


SWAPPED = [TABLE[1], TABLE[0], TABLE[2]]
LOADED = [TABLE[0], Applied("table", 2, "", 2.7), TABLE[2]]


@pytest.mark.parametrize(
    ("given", "found"),
    [
        pytest.param(
            {"operations": [*DONE, Operation("k6", "one", [6.0], 204)]},
            {"lost": ["k6"]},
            id="what was acknowledged and is not in the log is lost",
        ),
        pytest.param(
            {"operations": [*DONE[:4], replace(DONE[4], campaign="one")]},
            {"lost": ["k5"]},
            id="and so is what stands in the log of another campaign",
        ),
        pytest.param(
            {"log": [*ROWS, Row("two", "table", 2, "y", "k5")]},
            {"doubled": ["k5: 2 times in two, table"]},
            id="what stands twice in a stream is doubled",
        ),
        pytest.param(
            {"log": [*ROWS, Row("two", "gm", 1, "y", "k5")]}, {}, id="what is told in two streams is not doubled"
        ),
        pytest.param(
            {"operations": [replace(DONE[0], status=503), *DONE[1:]]},
            {"refused but done": ["k1 (503)"]},
            id="what was refused must not be in the log",
        ),
        pytest.param(
            {"operations": [replace(DONE[0], status=None), *DONE[1:]]}, {}, id="what nobody answered may be there"
        ),
        pytest.param(
            {"operations": DONE[1:], "log": ROWS[1:], "pages": []},
            {"gaps in the log": ["one, table: [1]"]},
            id="a number that is not in the log is found",
        ),
        pytest.param(
            {"pages": [replace(PLAYER, applied=TABLE[:2])]},
            {"missed": ["page 0: table stands at 2 of 3"]},
            id="a page that never came to the last event has missed it",
        ),
        pytest.param(
            {"pages": [replace(PLAYER, applied=LOADED)]},
            {},
            id="a page that was loaded once more has all that was drawn in it",
        ),
        pytest.param(
            {"pages": [replace(PLAYER, began={"table": 2}, applied=TABLE[2:])]},
            {},
            id="a page begins with what it was loaded with",
        ),
        pytest.param(
            {"pages": [replace(PLAYER, began={"table": 3}, applied=TABLE[2:])]},
            {"repeated": ["page 0: table 3"]},
            id="what it was loaded with does not come a second time",
        ),
        pytest.param(
            {"pages": [replace(PLAYER, applied=[TABLE[0], TABLE[2]])]},
            {"out of order": ["page 0: table 3 after 1"]},
            id="an event that comes too early is out of order",
        ),
        pytest.param(
            {"pages": [replace(PLAYER, applied=SWAPPED)]},
            {"out of order": ["page 0: table 2 after 0", "page 0: table 1"]},
            id="two that changed places are out of order",
        ),
        pytest.param(
            {"pages": [replace(PLAYER, applied=[*TABLE, Applied("table", 2, "b", 4.0)])]},
            {"repeated": ["page 0: table 2"]},
            id="an event that is applied again is repeated",
        ),
        pytest.param(
            {"pages": [replace(PLAYER, removed=2)]},
            {"after removal": ["page 0: table 2", "page 0: table 3"]},
            id="nothing comes after removal",
        ),
        pytest.param(
            {"pages": [replace(PLAYER, removed=2, applied=TABLE[:1])]}, {}, id="and nothing is missed after removal"
        ),
    ],
)
def test_each_promise_that_is_broken_is_found_and_no_other(given, found):
    assert broken(**given) == found


@pytest.mark.parametrize(
    "secret",
    [Applied("gm", 1, "g", 4.0), Applied("table", 4, "z", 4.0), Applied("table", 3, "z", 3.4)],
    ids=["another stream", "not in the log", "another campaign's"],
)
def test_an_event_that_is_not_for_this_page_is_foreign(secret):
    seen = [*TABLE[:2], secret] if secret.seq == 3 else [*TABLE, secret]
    assert broken(pages=[replace(PLAYER, applied=seen)])["foreign"] == [f"page 0: {secret.stream} {secret.seq}"]


def test_latency_counts_from_the_attempt_that_did_it():
    again = replace(DONE[0], sent=[0.5, 1.25, 9.0])
    assert check([again], ROWS, [replace(PLAYER, applied=TABLE[:1])]).latencies == [(1.25, 0.25)]


def test_percentiles_and_slopes():
    assert percentile([], 0.99) == 0 and percentile(range(100), 0.99) == 99 and percentile(range(100), 0.5) == 50
    assert slope([(0, 5), (10, 25)]) == 2 and slope([(0, 5)]) == 0
