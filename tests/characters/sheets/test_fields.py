import pytest

from characters.sheets.fields import Field, Group, Marks, Sheet, SheetError, clean

REPUTE = Field("repute", "Repute", "standing", minimum=-2, maximum=4)


@pytest.mark.parametrize(("given", "held"), [(-2, -2), (4, 4), ("3", 3), (" +1 ", 1), ("-2", -2)])
def test_whole_numbers_in_range_are_taken(given, held):
    assert clean(REPUTE, given) == held


@pytest.mark.parametrize("given", [-3, 5, "5", "-30", 10**8])
def test_what_is_out_of_range_is_refused_with_field_value_and_range(given):
    with pytest.raises(SheetError) as refused:
        clean(REPUTE, given)
    assert refused.value.field == "repute"
    assert refused.value.value == int(given)
    assert refused.value.range == (-2, 4)
    assert "Repute goes from -2 to 4" in refused.value.message


@pytest.mark.parametrize(
    "given", ["", "two", "1.0", 1.0, "1_0", "\u0663", "0x3", None, True, [2], "9" * 5000, "1\n\x00"]
)
def test_what_is_no_whole_number_is_refused(given):
    with pytest.raises(SheetError) as refused:
        clean(REPUTE, given)
    assert refused.value.message == "Repute is a whole number from -2 to 4."
    assert refused.value.value == given


SHEET = Sheet(
    "small",
    [
        Group(
            "standing",
            "Standing",
            (
                REPUTE,
                Field("purse", "Purse", "standing", maximum=10, default=2, drawn=10),
                Field("coins", "Coins", "standing", maximum=10, default=2, ceiling="purse", marks=Marks.BOXES, drawn=0),
            ),
        )
    ],
)


def test_a_field_that_was_never_set_has_its_default():
    assert SHEET.value({}, "purse") == 2
    assert SHEET.value({"purse": 0}, "purse") == 0


def test_a_ceiling_is_the_present_value_of_the_other_field():
    assert SHEET.clean({"purse": 6}, "coins", 6) == 6
    with pytest.raises(SheetError) as refused:
        SHEET.clean({"purse": 6}, "coins", 7)
    assert refused.value.range == (0, 6)


def test_a_value_above_a_lowered_ceiling_reads_as_the_ceiling():
    assert SHEET.value({"purse": 1, "coins": 5}, "coins") == 1


def test_a_ceiling_knows_what_leans_on_it():
    assert [field.name for field in SHEET.leaning_on("purse")] == ["coins"]
    assert SHEET.leaning_on("coins") == []


def test_marks_are_as_many_as_the_ceiling_allows_or_as_the_field_says():
    assert (
        SHEET.drawn({"purse": 7, "coins": 4}, "coins").value,
        SHEET.drawn({"purse": 7, "coins": 4}, "coins").of,
    ) == (4, 7)
    assert SHEET.drawn({"purse": 7}, "purse").of == 10


def test_a_value_beyond_the_usual_marks_gets_marks_of_its_own():
    sheet = Sheet("one", [Group("g", "G", (Field("craft", "Craft", "g", maximum=6),))])
    assert sheet.drawn({"craft": 2}, "craft").of == 5
    assert sheet.drawn({"craft": 6}, "craft").of == 6


def test_an_unknown_field_is_refused_without_echoing_a_long_one():
    with pytest.raises(SheetError) as refused:
        SHEET.field("x" * 5000)
    assert len(refused.value.message) < 100
