"""Each kind of field: what it takes, what it makes of it, what it refuses."""

import pytest
from django.utils import translation

from characters.sheets.fields import Choice, Flag, Link, Marks, Measure, Number, SheetError, Text
from rulesets.forged.sheet import SHEET as FORGED
from tests.answers import refusal

REPUTE = Number("repute", "Repute", minimum=-2, maximum=4)
NAME = Text("name", "Name", required=True)
STORY = Text("story", "Story", long=True)
SIZE = Choice("size", "Size", choices=(("s", "Small"), ("l", "Large")), default="s")
ARMED = Flag("armed", "Armed")
WEIGHT = Measure("weight", "Weight", maximum=500)
TO = Link("to", "To")
SOMEBODY = "0b9f6a3e-1111-4222-8333-444455556666"
LONGEST_MESSAGE = 200


@pytest.mark.parametrize(("given", "held"), [(-2, -2), (4, 4), ("3", 3), (" +1 ", 1), ("-2", -2)])
def test_whole_numbers_in_range_are_taken(given, held):
    assert REPUTE.clean(given) == held


def test_a_number_that_may_be_negative_is_drawn_with_its_sign_and_not_as_dots():
    assert REPUTE.marks is Marks.SIGNED
    assert [REPUTE.words(number) for number in (-2, 0, 4)] == ["−2", "0", "+4"]


@pytest.mark.parametrize("given", [-3, 5, "5", "-30", 10**8])
def test_what_is_out_of_range_is_refused_with_field_value_and_range(given):
    refused = refusal(SheetError, REPUTE.clean, given)
    assert refused.field == "repute"
    assert refused.value == int(given)
    assert refused.range == (-2, 4)
    assert "Repute goes from -2 to 4" in refused.message


@pytest.mark.parametrize(
    "given", ["", "two", "1.0", 1.0, "1_0", "\u0663", "0x3", None, True, [2], "9" * 5000, "1\n\x00"]
)
def test_what_is_no_whole_number_is_refused(given):
    refused = refusal(SheetError, REPUTE.clean, given)
    assert refused.message == "Repute: enter a whole number from -2 to 4."
    assert refused.value == given


@pytest.mark.parametrize(
    ("field", "given", "held"),
    [
        (NAME, "  Silas ", "Silas"),
        (NAME, "Ünïcode — “quoted” <b>", "Ünïcode — “quoted” <b>"),
        (STORY, "One\r\ntwo\rthree", "One\ntwo\nthree"),
        (STORY, "", ""),
        (STORY, "\u200b \u200b", ""),
        (STORY, "x" * 10_000, "x" * 10_000),
        (SIZE, "l", "l"),
        (ARMED, True, True),
        (ARMED, "on", True),
        (ARMED, "No", False),
        (ARMED, "", False),
        (WEIGHT, "1.50", "1.5"),
        (WEIGHT, "0,125", "0.125"),
        (WEIGHT, "007", "7"),
        (WEIGHT, 12, "12"),
        (WEIGHT, "500.000", "500"),
        (WEIGHT, "0", "0"),
        (TO, "", ""),
        (TO, SOMEBODY.upper(), SOMEBODY),
    ],
)
def test_every_kind_makes_one_plain_value_of_what_is_typed(field, given, held):
    assert field.clean(given) == held
    assert type(field.clean(given)) is type(held)
    assert field.clean(held) == held


@pytest.mark.parametrize(
    ("field", "given"),
    [
        (NAME, ""),
        (NAME, " \n "),
        (NAME, "two\nlines"),
        (NAME, "tab\there"),
        (NAME, "x" * 121),
        (NAME, 5),
        (NAME, None),
        (STORY, "x" * 10_001),
        (STORY, "x" * 10_000_000),
        (STORY, "\x00"),
        (STORY, "\ud800"),
        (STORY, "left \u202e right"),
        (SIZE, "m"),
        (SIZE, "Small"),
        (SIZE, ["s"]),
        (ARMED, "perhaps"),
        (ARMED, 2),
        (ARMED, None),
        (ARMED, "x" * 10_000_000),
        (WEIGHT, "-1"),
        (WEIGHT, -1),
        (WEIGHT, "500.001"),
        (WEIGHT, "1.2345"),
        (WEIGHT, "1e3"),
        (WEIGHT, "nan"),
        (WEIGHT, 1.5),
        (WEIGHT, True),
        (WEIGHT, "9" * 10_000_000),
        (TO, "somebody"),
        (TO, SOMEBODY + "0"),
        (TO, 7),
    ],
)
def test_every_kind_refuses_in_few_words_what_it_cannot_hold(field, given):
    refused = refusal(SheetError, field.clean, given)
    assert refused.field == field.name
    assert field.label in refused.message
    assert len(refused.message) < LONGEST_MESSAGE
    assert len(str(refused.value)) < LONGEST_MESSAGE


def test_values_are_said_in_words():
    assert (REPUTE.words(3), SIZE.words("l"), ARMED.words(True), WEIGHT.words("1.5")) == (
        "+3",
        "Large",
        "yes",
        "1.5 kg",
    )


def test_a_suggested_text_is_kept_in_english_and_read_in_the_reader_s_language():
    vice = FORGED.fields["vice"]
    with translation.override("de"):
        assert vice.suggested[1] == "Glücksspiel"
        assert vice.clean("Glücksspiel") == "Gambling"
        assert vice.words("Gambling") == "Glücksspiel"
        assert vice.clean("Pferdewetten") == "Pferdewetten"
    assert vice.words("Gambling") == "Gambling"


def test_what_a_reader_leaves_as_it_was_shown_keeps_its_value():
    condition = Text("name", "Name", context="condition")
    with translation.override("de"):
        assert (condition.shown("Insight"), condition.shown("Night blind")) == ("Einsicht", "Night blind")
        assert (condition.meant("Einsicht", "Insight"), condition.meant("Einsicht", "Trauma")) == (
            "Insight",
            "Einsicht",
        )
