"""The parts of a page of odds, and of the bar beside a roll form."""

import json
from fractions import Fraction

from languages.text import gettext_lazy
from rolls.odds import Part, bar, outcomes

PARTS = [Part("bad", gettext_lazy("a miss"), Fraction(1, 6)), Part("good", gettext_lazy("a hit"), Fraction(5, 6))]


def test_words_that_are_translated_when_they_are_read_are_plain_in_a_bar():
    drawn = json.loads(json.dumps(bar(PARTS, dice=2)))
    assert [part["words"] for part in drawn["parts"]] == ["a miss", "a hit"]
    assert drawn["sentence"] == "a miss 17 %, a hit 83 %."


def test_they_begin_with_a_capital_in_the_table_below_it():
    _, table = outcomes("What comes of it", PARTS)
    assert [row.head for row in table.rows] == ["A miss", "A hit"]
