"""Tables that GMs roll on: how their lines are read, how they name each other, what they come to, and how likely that is."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import NotPossible
from rules.roll_tables import (
    DICE,
    MOST_THROWS,
    RollTable,
    check,
    known_as,
    missing,
    odds,
    read_table,
    results,
    roll,
)
from tests.answers import refusal

STREET = "1-2 A quiet street\n3 [[Street names]], at night\n4-6 Nobody"
NAMES = "x2 Hook Lane\nMill Row"


def tables(**lines: str | tuple[str, str]) -> dict[str, RollTable]:
    """Return tables by their names, of lines, which may follow the code of their dice."""
    written = {name: given if isinstance(given, tuple) else ("", given) for name, given in lines.items()}
    read = (read_table(name.replace("_", " "), *given) for name, given in written.items())
    return {known_as(one.name): one for one in read}


STREETS = tables(Street=("d6", STREET), Street_names=NAMES)


def falls(*faces: int):
    """Return a throw of exactly these faces."""
    left = iter(faces)
    return lambda dice: left


def texts(table, among, *faces):
    return [result.text for result in roll(table, among, falls(*faces))]


# Worked examples


@pytest.mark.parametrize(
    ("faces", "told"),
    [
        ((2,), ["A quiet street"]),
        ((6,), ["Nobody"]),
        ((3, 2), ["Hook Lane, at night", "Hook Lane"]),
        ((3, 3), ["Mill Row, at night", "Mill Row"]),
    ],
)
def test_a_table_is_rolled_on_and_what_it_names_stands_in_its_place(faces, told):
    assert texts(STREETS["street"], STREETS, *faces) == told


def test_the_odds_of_nested_tables_are_multiplied_out():
    assert odds(STREETS["street"], STREETS) == {
        "Nobody": Fraction(1, 2),
        "A quiet street": Fraction(1, 3),
        "Hook Lane, at night": Fraction(1, 9),
        "Mill Row, at night": Fraction(1, 18),
    }


def test_two_names_in_one_line_are_rolled_each_and_texts_that_are_the_same_are_added():
    there = tables(Pair="[[Coin]] and [[coin]]\nedge", Coin="heads\ntails")
    assert odds(there["pair"], there) == {
        "edge": Fraction(1, 2),
        **{f"{one} and {other}": Fraction(1, 8) for one in ("heads", "tails") for other in ("heads", "tails")},
    }
    twice = tables(Twice="[[Coin]]\n[[Coin]]", Coin="heads\ntails")
    assert odds(twice["twice"], twice) == {"heads": Fraction(1, 2), "tails": Fraction(1, 2)}
    assert results(twice["twice"], twice) == 4


def test_a_d66_has_36_results_and_reads_its_dice_as_digits():
    numbers = [f"{ten}{one}" for ten, one in product(range(1, 7), repeat=2)]
    table = read_table("Names", "d66", "\n".join(f"{number} Name {number}" for number in numbers))
    assert set(odds(table, {}).values()) == {Fraction(1, 36)} and len(odds(table, {})) == 36
    assert texts(table, {}, 2, 5) == ["Name 25"]
    ranges = read_table("Half", "d66", "11-36 low\n41-66 high")
    assert odds(ranges, {}) == {"low": Fraction(1, 2), "high": Fraction(1, 2)}


def test_two_dice_are_added_up_and_their_sums_are_not_equally_likely():
    table = read_table("Reaction", "2d6", "2 hostile\n3-11 wary\n12 friendly")
    assert odds(table, {}) == {
        "wary": Fraction(34, 36),
        "hostile": Fraction(1, 36),
        "friendly": Fraction(1, 36),
    }


def test_a_hundred_may_be_written_as_dice_print_it():
    table = read_table("Loot", "d100", "01–99: copper\n00) gold")
    assert table.row(100).text == "gold" and odds(table, {})["gold"] == Fraction(1, 100)


def test_lines_without_weight_count_once_and_may_begin_with_a_number():
    table = read_table("Guards", "", "x3 Rain\n\n3 guards\n× none")
    assert [(row.first, row.last, row.text) for row in table.rows] == [
        (1, 3, "Rain"),
        (4, 4, "3 guards"),
        (5, 5, "× none"),
    ]
    assert table.dice.dice.spec == "1d5"


def test_a_name_that_no_table_has_stays_words():
    table = read_table("Street", "", "[[Nowhere]] street\nrain")
    assert missing(table, {}) == ["Nowhere"]
    assert odds(table, {}) == {"Nowhere street": Fraction(1, 2), "rain": Fraction(1, 2)}
    assert texts(table, {}, 1) == ["Nowhere street"]


# What is refused, in words


@pytest.mark.parametrize(
    ("dice", "lines", "words"),
    [
        ("d6", " \n", "Write at least one line."),
        ("d6", "1-5 a\nb", "Line 2: Begin with the numbers of the dice"),
        ("d6", "1-6 a\n\n7 b", "Line 3: These dice never come to 7."),
        ("d66", "11-17 a", "Line 1: These dice never come to 17."),
        ("d6", "1-3 a\n3-6 b", "Line 2: 3 stands in an earlier line, too."),
        ("d6", "6-1 a", "Line 1: Write the lower number first."),
        ("d6", "1-5 a", "No line says what 6 means."),
        ("d20", "1 a", "No line says what these mean: 2, 3, 4, 5, 6, 7 …."),
        ("d7", "1-7 a", "Choose dice from the list."),
        ("", "x0 a\nb", "Line 1: A weight is at least 1."),
        ("", "only one", "The weights add up to 1. A die has 2 to 100 faces"),
        ("", "x100 a\nb", "The weights add up to 101."),
        ("", f"a\n{'b' * 301}", "Line 2: This line is longer than 300 characters."),
    ],
)
def test_a_wrong_line_is_refused_in_words(dice, lines, words):
    assert words in refusal(NotPossible, read_table, "T", dice, lines).message


def test_a_name_with_brackets_is_refused():
    with pytest.raises(NotPossible, match="square brackets") as refused:
        read_table("A [[B]]", "", "a\nb")
    assert refused.value.field == "name"


@pytest.mark.parametrize(
    ("there", "circle"),
    [
        (tables(A="[[a]]\nb"), "A, A"),
        (tables(A="[[B]]\nx", B="[[C]]\nx", C="x\n[[ b ]]"), "B, C, B"),
    ],
)
def test_tables_that_lead_back_to_themselves_are_refused_in_words(there, circle):
    assert circle in refusal(NotPossible, check, there).message


def test_a_table_that_takes_too_many_rolls_at_once_is_refused():
    fits = tables(A=f"{'[[B]]' * (MOST_THROWS - 1)}\nx", B="x\ny")
    check(fits)
    with pytest.raises(NotPossible, match="could take 21 rolls at once"):
        check(tables(A=f"{'[[B]]' * MOST_THROWS}\nx", B="x\ny"))


def test_tables_of_which_each_line_names_the_next_are_checked_and_counted_at_once():
    there = {}
    for at in range(MOST_THROWS):
        lines = "\n".join(f"{line} [[T{at + 1}]]" for line in range(100))
        there[f"t{at}"] = read_table(f"T{at}", "", lines if at + 1 < MOST_THROWS else "a\nb")
    check(there)
    assert results(there["t0"], there) == 100 ** (MOST_THROWS - 1) * 2


# Properties

WORDS = st.sampled_from(["rain", "fog", "[[Inner]]", "a [[Inner]] in [[Inner]]", "[[Nowhere]]"])


@st.composite
def weighted(draw, words=WORDS):
    rows = draw(st.lists(st.tuples(st.integers(1, 3), words), min_size=2, max_size=4))
    return "\n".join(f"x{weight} {text}" for weight, text in rows)


@st.composite
def numbered(draw):
    """Return a code of DICE and lines that cover all their numbers."""
    code = draw(st.sampled_from(sorted(DICE)))
    numbers = list(DICE[code].ways)
    ends = sorted(draw(st.sets(st.sampled_from(numbers), max_size=6)) | {numbers[-1]})
    starts = [numbers[0], *(numbers[numbers.index(end) + 1] for end in ends[:-1])]
    return code, "\n".join(f"{a}-{b} {draw(WORDS)}" for a, b in zip(starts, ends, strict=True))


@given(numbered(), weighted(st.sampled_from(["x", "y", "z"])))
def test_odds_add_up_to_one(outer, inner):
    there = tables(Outer=outer, Inner=inner)
    check(there)
    chances = odds(there["outer"], there)
    assert sum(chances.values()) == 1 and min(chances.values()) > 0
    assert len(chances) <= results(there["outer"], there)


@given(numbered())
def test_each_number_of_the_dice_leads_to_exactly_one_row(written):
    table = read_table("T", *written)
    assert sum(table.chance(row) for row in table.rows) == 1
    for number in table.dice.ways:
        assert [row for row in table.rows if row.first <= number <= row.last] == [table.row(number)]


@given(weighted(), weighted(st.sampled_from(["x", "y"])))
def test_the_odds_are_what_all_rolls_come_to(outer, inner):
    there = tables(Outer=outer, Inner=inner)
    outer_table, sides = there["outer"], there["inner"].dice.dice.die.sides
    count: Counter[str] = Counter()
    for first in outer_table.dice.ways:
        for second, third in product(range(1, sides + 1), repeat=2):
            count[texts(outer_table, there, first, second, third)[0]] += 1
    total = count.total()
    assert odds(outer_table, there) == {text: Fraction(ways, total) for text, ways in count.items()}
