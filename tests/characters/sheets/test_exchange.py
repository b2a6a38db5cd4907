"""Sheets as files: what goes out comes in again equal, and what cannot come in is named by its path."""

import json
from pathlib import Path
from uuid import uuid4

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from characters.sheets import SHEETS
from characters.sheets.exchange import EVERYTHING, MOST_FAULTS, Faults, Head, read, schema, written
from characters.sheets.fields import Link, SheetError, Visibility
from tests.answers import refusal
from tests.characters.sheets.test_sheet import value_of

PLAYERS = EVERYTHING - {Visibility.SECRET}
SOMEBODY = "195acc69-58b7-4aa1-9fea-a9ab4b1b8383"


def head(name):
    return Head("forged", "The Wick", is_crew=True) if name == "crew" else Head(name, "Silas Grey", "Archivist")


@st.composite
def sheets(draw, name):
    """Values as they may have come about: field after field and row after row, where the sheet takes them."""
    sheet, values = SHEETS[name], {}
    for field in sheet.fields.values():
        if draw(st.booleans()):
            try:
                values = sheet.put(values, field.name, draw(value_of(field)))
            except SheetError:
                continue  # beyond its ceiling, or a track that is full
    for rows in sheet.lists.values():
        for number in range(draw(st.integers(0, min(3, rows.most)))):
            columns = {one.name: draw(value_of(one)) for one in rows.columns if not isinstance(one, Link)}
            try:
                values = sheet.add_row(values, rows.name, f"row{number}", columns)
            except SheetError:
                continue
    return values


def out(name, values, may=EVERYTHING, names=()):
    return json.loads(json.dumps(written(head(name), values, dict(names), may)))


def faults(file, may=EVERYTHING):
    return refusal(Faults, read, file, may, uuid4()).faults


def paths(file, may=EVERYTHING):
    return [path for path, _ in faults(file, may)]


@pytest.mark.parametrize("name", SHEETS)
@given(data=st.data())
@settings(max_examples=15)
def test_a_sheet_that_goes_out_comes_in_equal(name, data):
    file = out(name, data.draw(sheets(name)))
    jsonschema_rs.validate(schema(), file)
    brought = read(file, EVERYTHING, uuid4())
    assert brought.head == head(name)
    assert out(name, brought.values) == file


@pytest.mark.parametrize("name", SHEETS)
def test_what_is_secret_or_private_is_in_no_file_of_who_may_not_see_it(name):
    values = {"gm_notes": "the butler", "notes": "mine", "us_build": 3, "description": "tall"}
    file = out(name, values, {Visibility.PUBLIC, Visibility.SHEET})
    assert "butler" not in str(file) and "mine" not in file["values"].values() and "tall" in str(file)
    assert not [field for field in file["values"] if field.startswith("us_")]
    assert set(out(name, values, {Visibility.PUBLIC})["values"]) == {"description", "journal", "pronouns"}


def test_rows_go_without_their_ids_and_come_with_new_ones():
    sheet = SHEETS["descriptors"]
    values = sheet.add_row({}, "descriptors", "4f2a", {"name": "Fencing", "dice": 3})
    file = out("descriptors", values)
    assert file["rows"]["descriptors"] == [{"name": "Fencing", "dice": 3, "category": ""}]
    ids = {read(file, EVERYTHING, uuid4()).values["descriptors"][0]["id"] for _ in range(2)}
    assert len(ids) == 2 and "4f2a" not in ids
    file["rows"]["descriptors"][0]["id"] = "4f2a"
    assert paths(file) == ["descriptors/1/id"]


def test_a_link_goes_out_and_comes_in_by_name():
    other = str(uuid4())
    values = SHEETS["arc"].add_row({}, "links", "l1", {"to": other, "words": "owes her"})
    file = out("arc", values, names={other: "Corvina"})
    assert file["rows"]["links"] == [{"to": "Corvina", "words": "owes her"}]
    assert out("arc", values)["rows"]["links"][0]["to"] == ""
    assert list(read(file, EVERYTHING, uuid4()).links.values()) == ["Corvina"]


@pytest.mark.parametrize("foreign", [SOMEBODY, SOMEBODY.replace("-", ""), SOMEBODY.upper()])
def test_an_id_of_somebody_is_refused(foreign):
    file = out("arc", {}) | {"rows": {"links": [{"to": foreign, "words": "owes her"}]}}
    assert paths(file) == ["links/1/to"]


def test_all_that_is_wrong_is_said_together_and_where():
    file = out("descriptors", {}) | {
        "values": {"will": -1, "gm_notes": 3, "willpower": 2, "out_of_scene": "perhaps"},
        "rows": {
            "descriptors": [{"name": "Fencing"}, {"name": "Debt", "dice": 0}, {"dice": "x", "colour": "red"}, 7],
            "powers": [],
            "keys": {},
        },
    }
    assert sorted(paths(file)) == [
        "descriptors/2/dice",
        "descriptors/3/colour",
        "descriptors/3/dice",
        "descriptors/3/name",
        "descriptors/4",
        "gm_notes",
        "keys",
        "out_of_scene",
        "powers",
        "will",
        "willpower",
    ]


def test_a_field_that_a_sheet_had_once_is_read_over():
    file = out("crew", {"heat": 2})
    file["values"]["with_gambits"] = True
    assert read(file, EVERYTHING, uuid4()).values["heat"] == 2


def test_no_more_than_twenty_faults_are_said():
    file = out("arc", {}) | {"values": {f"x{number}": 1 for number in range(500)}}
    assert len(faults(file)) == MOST_FAULTS == 20


def test_a_player_brings_no_secrets_and_nobody_anothers_notes():
    file = out("arc", {"us_build": 1, "gm_notes": "x"}) | {"rows": {}}
    assert paths(file, PLAYERS) == ["us_build", "us_control", "us_intellect", "us_empathy", "gm_notes"]
    assert "notes" in paths(file, PLAYERS - {Visibility.PRIVATE})


@pytest.mark.parametrize(
    "file",
    [
        None,
        [],
        7,
        "sheet",
        {},
        {"format": "afterburn-sheet"},
        {"format": "afterburn-sheet", "version": 4},
        {"format": "afterburn-sheet", "version": 0},
        {"format": "afterburn-sheet", "version": True},
        {"format": "afterburn-sheet", "version": 1, "system": "chess", "name": "X"},
        {"format": "afterburn-sheet", "version": 1, "system": "crew", "name": "X"},
        {"format": "afterburn-sheet", "version": 1, "system": ["arc"], "name": "X"},
        {"format": "afterburn-sheet", "version": 1, "system": "arc", "crew": True, "name": "X"},
        {"format": "afterburn-sheet", "version": 1, "system": "arc"},
        {"format": "afterburn-sheet", "version": 1, "system": "arc", "name": "X" * 81},
        {"format": "afterburn-sheet", "version": 1, "system": "arc", "name": "X\ud800"},
        {"format": "afterburn-sheet", "version": 1, "system": "arc", "name": "X", "values": [], "rows": 3},
        {"format": "afterburn-sheet", "version": 1, "system": "arc", "name": "X", "owner": 3},
        {"format": "afterburn-sheet", "version": 1, "system": "arc", "name": "X", "\ud800\u202e": 3},
        {"format": "afterburn-sheet", "version": 1, "system": "arc", "name": "X", "values": {"build": 1.5}},
        {"format": "afterburn-sheet", "version": 1, "system": "arc", "name": "X", "values": {"build": 10**4000}},
        {"format": "afterburn-sheet", "version": 1, "system": "arc", "name": "X", "rows": {"links": [{}] * 41}},
    ],
)
def test_what_is_no_sheet_is_refused_in_words_that_can_be_shown(file):
    for path, message in faults(file):
        assert f"{path}: {message}".isprintable()
        assert len(f"{path}: {message}") < 400


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=12,
)


@given(data=st.data())
@settings(max_examples=75)
def test_whatever_a_file_holds_it_is_read_or_refused(data):
    name = data.draw(st.sampled_from(list(SHEETS)))
    known = [*SHEETS[name].fields, *SHEETS[name].lists]
    file = out(name, {})
    for part in ("values", "rows"):
        file[part] = data.draw(JSON | st.dictionaries(st.sampled_from(known), JSON, max_size=4))
    try:
        brought = read(file, EVERYTHING, uuid4())
    except Faults as refused:
        assert 1 <= len(refused.faults) <= MOST_FAULTS
    else:
        jsonschema_rs.validate(schema(), out(name, brought.values))


def test_the_schema_in_the_docs_is_that_of_the_sheets():
    kept = Path(__file__).parents[3] / "docs" / "sheet.schema.json"
    assert json.loads(kept.read_text()) == schema()


def test_the_example_in_the_docs_can_be_read():
    page = (Path(__file__).parents[3] / "docs" / "sheets.md").read_text()
    example = json.loads(page[page.index("    {\n") : page.index("    }\n\n") + 5])
    jsonschema_rs.validate(schema(), example)
    assert read(example, EVERYTHING, uuid4()).head.name == "Abigail Crane"
