"""What a page says of tallies before it draws them."""

from __future__ import annotations

from rolls.queries.statistics.drawn import Rate, Rates, number


def sentence(*rows: tuple[str, int, int]) -> str:
    """Return the sentence about players who succeeded so often in so many rolls."""
    rates = [
        Rate(name, "", judged, won, judged, 100 * won / judged if judged else 0, None, "") for name, won, judged in rows
    ]
    return Rates("by-player", "Players", "Player", rates).sentence


def test_rates_are_told_by_who_succeeded_most_and_least_often_of_those_who_could():
    said = sentence(("Iva", 1, 2), ("Mo", 3, 4), ("Tess", 0, 1), ("Ro", 0, 0))
    assert said == "Mo succeeded most often (75 % of 4 rolls); Tess least often (0 % of 1 roll)."


def test_rates_are_not_compared_where_there_is_one_or_all_are_the_same():
    assert sentence() == sentence(("Iva", 1, 2)) == sentence(("Iva", 1, 2), ("Mo", 2, 4)) == ""


def test_a_figure_is_rounded_as_it_is_beside_its_bar():
    assert [number(87.5), number(1234.56, 1), number(0.96)] == ["88", "1,234.6", "1"]
