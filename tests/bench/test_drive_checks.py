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


def test_what_was_acknowledged_and_is_not_in_the_log_is_lost():
    assert broken([*DONE, Operation("k6", "one", [6.0], 204)]) == {"lost": ["k6"]}


def test_what_was_acknowledged_and_stands_in_the_log_of_another_campaign_is_lost():
    assert broken([*DONE[:4], replace(DONE[4], campaign="one")])["lost"] == ["k5"]


def test_what_stands_twice_in_a_stream_is_doubled():
    log = [*ROWS, Row("two", "table", 2, "y", "k5")]
    assert broken(log=log) == {"doubled": ["k5: 2 times in two, table"]}


def test_what_is_told_in_two_streams_is_not_doubled():
    log = [*ROWS, Row("two", "gm", 1, "y", "k5")]
    assert broken(log=log) == {}


def test_what_was_refused_must_not_be_in_the_log_but_what_nobody_answered_may_be():
    assert broken([replace(DONE[0], status=503), *DONE[1:]]) == {"refused but done": ["k1 (503)"]}
    assert broken([replace(DONE[0], status=None), *DONE[1:]]) == {}


def test_a_number_that_is_not_in_the_log_is_found():
    assert broken(DONE[1:], ROWS[1:], [])["gaps in the log"] == ["one, table: [1]"]


def test_a_page_that_never_came_to_the_last_event_has_missed_it():
    behind = replace(PLAYER, applied=TABLE[:2])
    assert broken(pages=[behind]) == {"missed": ["page 0: table stands at 2 of 3"]}


def test_a_page_that_was_loaded_anew_has_all_that_was_drawn_in_it():
    loaded = [TABLE[0], Applied("table", 2, "", 2.7), TABLE[2]]
    assert broken(pages=[replace(PLAYER, applied=loaded)]) == {}


def test_a_page_begins_with_what_it_was_loaded_with():
    assert broken(pages=[replace(PLAYER, began={"table": 2}, applied=TABLE[2:])]) == {}
    assert broken(pages=[replace(PLAYER, began={"table": 3}, applied=TABLE[2:])])["repeated"] == ["page 0: table 3"]


def test_an_event_that_comes_too_early_is_out_of_order():
    assert broken(pages=[replace(PLAYER, applied=[TABLE[0], TABLE[2]])]) == {
        "out of order": ["page 0: table 3 after 1"]
    }
    swapped = [TABLE[1], TABLE[0], TABLE[2]]
    assert broken(pages=[replace(PLAYER, applied=swapped)])["out of order"][0] == "page 0: table 2 after 0"


def test_an_event_that_is_applied_again_is_repeated():
    again = [*TABLE, Applied("table", 2, "b", 4.0)]
    assert broken(pages=[replace(PLAYER, applied=again)]) == {"repeated": ["page 0: table 2"]}


@pytest.mark.parametrize(
    "secret",
    [Applied("gm", 1, "g", 4.0), Applied("table", 4, "z", 4.0), Applied("table", 3, "z", 3.4)],
    ids=["another stream", "not in the log", "another campaign's"],
)
def test_an_event_that_is_not_for_this_page_is_foreign(secret):
    seen = [*TABLE[:2], secret] if secret.seq == 3 else [*TABLE, secret]
    assert broken(pages=[replace(PLAYER, applied=seen)])["foreign"] == [f"page 0: {secret.stream} {secret.seq}"]


def test_nothing_comes_after_removal_and_nothing_is_missed_then():
    gone = replace(PLAYER, removed=2)
    assert broken(pages=[gone])["after removal"] == ["page 0: table 2", "page 0: table 3"]
    assert broken(pages=[replace(gone, applied=TABLE[:1])]) == {}


def test_latency_counts_from_the_attempt_that_did_it():
    again = replace(DONE[0], sent=[0.5, 1.25, 9.0])
    assert check([again], ROWS, [replace(PLAYER, applied=TABLE[:1])]).latencies == [(1.25, 0.25)]


def test_percentiles_and_slopes():
    assert percentile([], 0.99) == 0 and percentile(range(100), 0.99) == 99 and percentile(range(100), 0.5) == 50
    assert slope([(0, 5), (10, 25)]) == 2 and slope([(0, 5)]) == 0
