"""Sheets: addresses, ceilings, limits, rows; and that edits of neighbours, in any order, lose nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from characters.sheets import SHEETS
from characters.sheets.fields import Choice, Flag, Link, Marks, Measure, Number, RowGone, Rows, SheetError, Text
from characters.sheets.sheet import Group, Limit, Sheet
from characters.sheets.told import label
from languages.letters import hidden_in, normalised
from tests.answers import refusal

SHEET = Sheet(
    "small",
    [
        Group(
            "standing",
            "Standing",
            (
                Number("repute", "Repute", minimum=-2, maximum=4),
                Number("purse", "Purse", maximum=10, default=2, drawn=10),
                Number("coins", "Coins", maximum=10, default=2, ceiling="purse", marks=Marks.BOXES, drawn=0),
                Flag("hurt", "Hurt"),
                Flag("sick", "Sick"),
                Rows(
                    "skills", "Skills", "Skill", (Text("name", "Name", required=True), Number("dice", "Dice")), most=3
                ),
            ),
        )
    ],
    limits=[Limit("Trouble", ("hurt", "sick"), 1)],
)
TWO = {"skills": [{"id": "a", "at": 0, "name": "Fencing", "dice": 2}, {"id": "b", "at": 1, "name": "Lying"}]}


def test_a_field_that_was_never_set_has_its_default():
    assert SHEET.value({}, "purse") == 2
    assert SHEET.value({"purse": 0}, "purse") == 0
    assert SHEET.value(TWO, "skills/b/dice") == 0


def test_a_ceiling_is_the_present_value_of_the_other_field():
    assert SHEET.clean({"purse": 6}, "coins", 6) == 6
    assert refusal(SheetError, SHEET.clean, {"purse": 6}, "coins", 7).range == (0, 6)


def test_a_value_above_a_lowered_ceiling_reads_as_the_ceiling():
    assert SHEET.value({"purse": 1, "coins": 5}, "coins") == 1


def test_lowering_a_ceiling_lowers_what_leans_on_it_for_good():
    lowered = SHEET.put({"purse": 6, "coins": 5}, "purse", 3)
    assert lowered == {"purse": 3, "coins": 3}
    assert SHEET.value(SHEET.put(lowered, "purse", 9), "coins") == 3


def test_a_ceiling_knows_what_leans_on_it():
    assert [field.name for field in SHEET.capped_by("purse")] == ["coins"]
    assert SHEET.capped_by("coins") == []


def test_marks_are_as_many_as_the_ceiling_allows_or_as_the_field_says():
    drawn = SHEET.drawn({"purse": 7, "coins": 4}, "coins")
    assert (drawn.value, drawn.of) == (4, 7)
    assert SHEET.drawn({"purse": 7}, "purse").of == 10


def test_a_value_beyond_the_usual_marks_gets_marks_of_its_own():
    sheet = Sheet("one", [Group("g", "G", (Number("craft", "Craft", maximum=6),))])
    assert sheet.drawn({"craft": 2}, "craft").of == 5
    assert sheet.drawn({"craft": 6}, "craft").of == 6


def test_what_shares_a_track_has_no_more_room_than_the_track():
    hurt = SHEET.put({}, "hurt", True)
    with pytest.raises(SheetError, match="Trouble: 1 in total, 1 already taken"):
        SHEET.put(hurt, "sick", True)
    assert SHEET.put(SHEET.put(hurt, "hurt", False), "sick", True)["sick"] is True


@pytest.mark.parametrize(
    "address",
    ["", "x" * 5000, "name", "skills", "skills/a", "skills/a/size", "skills//dice", "skills/A!/dice", "purse/a/dice",
     "skills/a/dice/more", "/", "hurt/"],
)  # fmt: skip
def test_an_address_that_no_sheet_has_is_refused_without_echoing_a_long_one(address):
    assert len(refusal(SheetError, SHEET.put, TWO, address, 1).message) < 100


# Rows


def test_rows_are_added_at_the_end_and_removed():
    values = SHEET.add_row(TWO, "skills", "c", {"name": "Riding", "dice": "3"})
    values = SHEET.remove_row(values, "skills", "b")
    assert SHEET.rows(values, "skills") == [
        {"id": "a", "at": 0, "name": "Fencing", "dice": 2},
        {"id": "c", "at": 2, "name": "Riding", "dice": 3},
    ]
    assert [row["id"] for row in TWO["skills"]] == ["a", "b"], "what was given stays as it was"


def test_a_row_that_comes_back_stands_where_it_stood():
    without = SHEET.remove_row(TWO, "skills", "a")
    assert SHEET.add_row(without, "skills", "a", {"name": "Fencing", "dice": 2}, at=0) == TWO | {
        "skills": [TWO["skills"][0], {"id": "b", "at": 1, "name": "Lying"}]
    }


def test_a_row_is_called_by_its_title():
    assert label(SHEET, "skills/a/dice", "Fencing") == "Fencing: Dice"
    assert label(SHEET, "skills/a/name", "Fencing") == "Skill"
    assert label(SHEET, "purse") == "Purse"
    assert label(SHEET, "long_gone") == "Long gone"


@pytest.mark.parametrize(
    ("row_id", "given", "field"),
    [
        ("a", {"name": "Twice"}, "skills"),
        ("", {"name": "None"}, "skills"),
        ("No!", {"name": "None"}, "skills"),
        ("x" * 33, {"name": "Long"}, "skills"),
        ("c", {}, "skills/c/name"),
        ("c", {"name": " "}, "skills/c/name"),
        ("c", {"name": "X", "dice": 6}, "skills/c/dice"),
        ("c", {"name": "X", "size": 6}, "skills/size"),
    ],
)
def test_a_row_that_cannot_be_is_refused_with_its_address(row_id, given, field):
    assert refusal(SheetError, SHEET.add_row, TWO, "skills", row_id, given).field == field


def test_rows_are_no_more_than_fit():
    full = SHEET.add_row(TWO, "skills", "c", {"name": "Riding"})
    with pytest.raises(SheetError, match="only 3 fit"):
        SHEET.add_row(full, "skills", "d", {"name": "One more"})


@pytest.mark.parametrize(
    "operation",
    [
        lambda: SHEET.value(TWO, "skills/zz/dice"),
        lambda: SHEET.put(TWO, "skills/zz/dice", 1),
        lambda: SHEET.remove_row(TWO, "skills", "zz"),
    ],
)
def test_a_row_that_is_gone_is_said_to_be_gone(operation):
    with pytest.raises(RowGone, match="no longer on the sheet"):
        operation()


# Whole sheets


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"purse": 11}, "purse"),
        ({"coins": 5}, "coins"),
        ({"nothing": 1}, "nothing"),
        ({"skills": {}}, "skills"),
        ({"skills": [1]}, "skills"),
        ({"skills": [{"id": "a", "name": "x", "dice": 9}]}, "skills/a/dice"),
        ({"skills": [{"id": "a", "name": "x"}, {"id": "a", "name": "y"}]}, "skills"),
        ({"skills": [{"name": "x"}]}, "skills"),
        ({"hurt": True, "sick": True}, "sick"),
        ([], ""),
    ],
)
def test_what_comes_from_outside_is_checked_field_by_field(given, field):
    assert refusal(SheetError, SHEET.cleaned, given).field == field


def test_a_ceiling_counts_wherever_it_stands_in_what_comes_from_outside():
    assert SHEET.cleaned({"coins": 9, "purse": 9}) == {"purse": 9, "coins": 9}


# Every sheet there is

LETTERS = st.characters(codec="utf-8", exclude_categories=["C", "Zl", "Zp"])
LINE = st.text(LETTERS, max_size=40).map(lambda words: normalised(f"w{words}"))
LINE = LINE.filter(lambda words: words.isprintable() and not hidden_in(words))


def value_of(field):
    """Return what a field may hold."""
    if isinstance(field, Number):
        return st.integers(field.minimum, field.maximum)
    if isinstance(field, Text):
        return LINE
    if isinstance(field, Choice):
        return st.sampled_from([held for held, _ in field.choices])
    if isinstance(field, Flag):
        return st.booleans()
    if isinstance(field, Measure):
        return st.integers(0, field.maximum * 1000).map(lambda thousandths: f"{thousandths / 1000:.3f}")
    assert isinstance(field, Link)
    return st.uuids().map(str)


@st.composite
def edits(draw, sheet):
    """Return edits of addresses of a sheet with a row in each list, each address once: [(address, value)]."""
    free = [name for name, field in sheet.fields.items() if not (isinstance(field, Number) and field.ceiling)]
    free = [name for name in free if not any(name in limit.names for limit in sheet.limits)]
    cells = [f"{name}/r1/{field.name}" for name, rows in sheet.lists.items() for field in rows.columns]
    chosen = draw(st.lists(st.sampled_from(free + cells), unique=True, max_size=12))
    return [(address, draw(value_of(sheet.field(address)))) for address in chosen]


def with_rows(sheet):
    values = {}
    for name, rows in sheet.lists.items():
        values = sheet.add_row(values, name, "r1", {rows.title: "First"})
    return values


@pytest.mark.parametrize("name", sorted(SHEETS))
@given(data=st.data())
def test_what_was_put_is_what_is_there_whatever_else_is_put_before_and_after(name, data):
    sheet = SHEETS[name]
    values = with_rows(sheet)
    made = data.draw(edits(sheet))
    for address, value in data.draw(st.permutations(made)):
        values = sheet.put(values, address, value)
    for address, value in made:
        assert sheet.value(values, address) == sheet.field(address).clean(value)


@pytest.mark.parametrize("name", sorted(SHEETS))
@given(data=st.data())
def test_a_sheet_that_went_out_comes_in_again_as_it_was(name, data):
    sheet = SHEETS[name]
    values = with_rows(sheet)
    for address, value in data.draw(edits(sheet)):
        values = sheet.put(values, address, value)
    assert sheet.cleaned(values) == values


@pytest.mark.parametrize("name", sorted(SHEETS))
@given(junk=st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=50) | st.lists(st.integers()))
def test_whatever_is_put_anywhere_is_taken_or_refused_and_never_breaks(name, junk):
    sheet = SHEETS[name]
    values = with_rows(sheet)
    for address in [*sheet.fields, *(f"{rows}/r1/{f.name}" for rows, of in sheet.lists.items() for f in of.columns)]:
        try:
            put = sheet.put(values, address, junk)
        except SheetError as error:
            assert error.field == address
        else:
            assert sheet.cleaned(put) == put


@pytest.mark.parametrize("name", sorted(SHEETS))
def test_names_are_no_more_than_the_log_can_index_and_defaults_are_in_range(name):
    sheet = SHEETS[name]
    assert sheet.cleaned({field: of.start for field, of in sheet.fields.items()})
    for rows in sheet.lists.values():
        assert rows.title in [column.name for column in rows.columns]
        assert not rows.trait or isinstance(rows.column(rows.trait), Number)
