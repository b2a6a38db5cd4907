"""The sheets of every ruleset: each field takes what it may hold and nothing else, and a sheet comes back from its file."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest

from characters.sheets.exchange import EVERYTHING, Head, read, written
from characters.sheets.fields import Choice, Field, Flag, Link, Measure, Number, SheetError, Text, Value


def good(field: Field) -> list[Value]:
    if isinstance(field, Number):
        return [field.maximum, field.minimum]
    if isinstance(field, Choice):
        return [value for value, _ in field.choices]
    if isinstance(field, Flag):
        return [True, False]
    if isinstance(field, Measure):
        return ["1.5"]
    return [""] if isinstance(field, Link) else ["Words"]


def bad(field: Field) -> Value:
    if isinstance(field, Number):
        return field.maximum + 1
    if isinstance(field, Text):
        return "x" * (field.most + 1)
    return "no such thing"


def filled(sheet):
    """Return a sheet with every field set and a row in every list."""
    values = {}
    for name, field in sheet.fields.items():
        for value in good(field) if isinstance(field, Choice | Text | Measure) else good(field)[:1]:
            try:
                values = sheet.put(values, name, value)
            except SheetError as error:
                # Fields that share a track leave no room for all of them to be full.
                assert error.range and any(name in limit.names for limit in sheet.limits), name
    for name, rows in sheet.lists.items():
        values = sheet.add_row(values, name, "4f2a", {column.name: good(column)[0] for column in rows.columns})
    return values


def test_every_field_takes_what_it_may_hold_and_nothing_else(ruleset):
    for sheet in ruleset.sheets:
        for name, field in sheet.fields.items():
            for value in good(field):
                assert field.clean(value) == value, name
            with pytest.raises(SheetError):
                sheet.put({}, name, bad(field))


def test_a_sheet_comes_back_from_its_file(ruleset):
    for sheet in ruleset.sheets:
        values = filled(sheet)
        head = Head(ruleset.name, "Ada", is_crew=bool(sheet.crew_of))
        file = json.loads(json.dumps(written(head, values, {}, EVERYTHING)))
        brought = read(file, EVERYTHING, uuid4())
        assert written(brought.head, brought.values, {}, EVERYTHING) == file


def test_what_a_file_brings_is_cleaned_like_what_is_typed(ruleset):
    for sheet in ruleset.sheets:
        values = filled(sheet)
        assert sheet.cleaned(values) == values


def test_no_name_says_two_things(ruleset):
    for sheet in ruleset.sheets:
        names = [field.name for group in sheet.groups for field in group.fields]
        assert len(set(names)) == len(names)
        groups = [group.name for group in sheet.groups]
        assert len(set(groups)) == len(groups)
        assert {name for band in sheet.layout.bands for name in band} <= set(groups)


def test_a_new_character_is_made_of_fields_that_there_are(ruleset):
    if ruleset.budget is None:
        return
    budget = ruleset.budget()
    sheet = budget.sheet
    assert sheet is ruleset.sheets[0]
    for section in budget.sections():
        assert set(section.fields) <= set(sheet.fields), section.name
        if section.rows:
            assert {sheet.lists[section.rows].column(column).name for column in section.columns}, section.name
    completed = budget.completed({})
    assert budget.reckon(completed).pots
    assert all(setting.words for setting in budget.settings().values())
