"""Figures of the Scale as they are read in each language."""

from fractions import Fraction

from django.utils import translation

from scale.templatetags.scale import decimal, percent


def test_figures_have_the_decimal_separator_of_the_language_that_is_active():
    assert [decimal(Fraction(7, 2), 1), decimal(Fraction(-1, 4), 2), decimal(None, 1)] == [
        "3.5",
        "−0.25",
        "not in sight",
    ]
    with translation.override("de"):
        assert [decimal(Fraction(7, 2), 1), percent(None)] == ["3,5", "nicht in Sicht"]
