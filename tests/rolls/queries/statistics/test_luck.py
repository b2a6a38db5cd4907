"""What figures can say: rare things are called rare, usual ones are no alarm."""

from math import isclose

import pytest

from rolls.queries.statistics import luck

pytestmark = pytest.mark.run_on("sqlite", "postgresql")

# Critical values of the chi-squared distribution, as printed in any table of it.
TABLE = [
    (1, 3.841, 0.05),
    (5, 11.070, 0.05),
    (9, 16.919, 0.05),
    (9, 21.666, 0.01),
    (2, 9.210, 0.01),
    (8, 26.125, 0.001),
]


@pytest.mark.parametrize(("freedom", "squares", "chance"), TABLE)
def test_the_tail_is_that_of_the_printed_tables(freedom, squares, chance):
    assert isclose(luck.beyond(squares, freedom), chance, rel_tol=2e-3)


def test_nothing_is_beyond_less_than_everything():
    assert luck.beyond(0, 9) == luck.beyond(0, 8) == 1


def test_few_dice_are_not_compared():
    assert "too few" in luck.of_faces([4] * 10)
    assert "nothing unusual" in luck.of_faces([5] * 10)


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ([100] * 10, "in 100 of 100 such series"),
        ([130, 70, *[100] * 8], "of 1,000 such series. Some"),
        ([300, *[100] * 9], "fewer than 1 of 1,000"),
    ],
)
def test_uneven_faces_are_called_what_they_are(counts, words):
    assert words in luck.of_faces(counts)


@pytest.mark.parametrize(
    ("succeeded", "words"),
    [(50, "Usual range: 40 to 60 (95 %). This is within it."), (61, "a little outside"), (80, "proves nothing")],
)
def test_luck_is_measured_in_what_chance_alone_does(succeeded, words):
    assert words in luck.of_successes(100, succeeded, 50, 5)


def test_few_rolls_and_certain_ones_are_no_luck():
    assert "too few" in luck.of_successes(19, 19, 10, 2)
    assert "Nothing here was left to chance" in luck.of_successes(20, 20, 20, 0)


def test_a_run_of_heads_in_a_thousand_throws_is_about_nine_long():
    assert luck.usual_run(1000, 0.5) == 9
    assert luck.usual_run(19, 0.5) is luck.usual_run(1000, 1) is luck.usual_run(1000, 0) is None
