"""Files of other programs: whatever stands in one, it gives a character and what was left out, or nothing."""

import json
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from characters.rulesets import converted
from characters.sheets.conversion import MOST_LEFT, plain, says_something, whole
from characters.sheets.exchange import EVERYTHING, Faults, read, written
from tests.characters.sheets import foundry_files
from tests.characters.sheets.test_exchange import JSON

FILES = (foundry_files.scoundrel, foundry_files.crew, foundry_files.vampire, foundry_files.pc)
ODD = JSON | st.sampled_from(
    [10**30, -1, 1e300, "9" * 50, "\ud800", "\u202e", "x" * 20_000, "<a" * 500, [[[]]], [None, {}]]
)


def places(value, path=()):
    """Yield every place in a file, as a path."""
    yield path
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(part, (*path, key))


def changed(value, path, odd):
    if not path:
        return odd
    copy = value.copy()
    copy[path[0]] = changed(value[path[0]], path[1:], odd)
    return copy


def imported(file):
    """Return the import of a file: as the page does it, without the page."""
    conversion = converted(file)
    if conversion is None:
        return None
    assert all(f"{label}: {why}".isprintable() and len(label) <= 80 for label, why in conversion.left)
    ours = json.loads(json.dumps(written(conversion.head, conversion.values, {}, EVERYTHING)))
    try:
        return read(ours, EVERYTHING, uuid4())
    except Faults as refused:
        # A name alone is not cleaned before.
        assert {path for path, _ in refused.faults} <= {"name", "concept"}
        return None


@pytest.mark.parametrize("make", FILES)
def test_what_comes_of_a_file_is_a_sheet_of_ours(make):
    conversion = converted(make())
    brought = imported(make())
    assert brought.head == conversion.head
    assert conversion.source.startswith("Foundry, ")


@pytest.mark.parametrize("make", FILES)
@given(data=st.data())
@settings(max_examples=60)
def test_whatever_is_changed_in_a_file_it_is_read_or_refused(make, data):
    file = make()
    for _ in range(data.draw(st.integers(1, 3))):
        file = changed(file, data.draw(st.sampled_from(list(places(file)))), data.draw(ODD))
    imported(file)


@given(ODD)
def test_any_json_is_read_or_refused(file):
    assert imported(file) is None


def test_what_is_left_out_is_counted_beyond_what_is_shown():
    file = foundry_files.vampire()
    file["items"] = [{"type": "Item", "name": f"Thing {number}", "system": {}} for number in range(1002)]
    conversion = converted(file)
    assert ("2 items", "Only an actor’s first 1000 items are read.") in conversion.left
    assert len(conversion.left) == MOST_LEFT and conversion.more >= 800


def test_rows_beyond_what_fits_are_left_out():
    file = foundry_files.scoundrel()
    file["items"] = [{"type": "ability", "name": f"Ability {number}", "system": {}} for number in range(50)]
    conversion = converted(file)
    assert len(conversion.values["abilities"]) == 40
    assert dict(conversion.left)["Ability 40"] == "Special abilities: only 40 fit."


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (3, 3),
        ("3", 3),
        (["0", "2"], 2),
        ([], None),
        (True, 1),
        (2.0, 2),
        (2.5, None),
        ("two", None),
        ({}, None),
        (None, None),
    ],
)
def test_numbers_are_read_in_the_ways_that_forms_leave_them(value, number):
    assert whole(value) == number


def test_of_html_the_words_are_kept():
    assert plain("<p>One &amp; <b>two</b></p><p>three<br>four</p><script>x") == "One & two\nthree\nfour\nx"
    assert plain("a < b > c") == "a < b > c"


def test_zeros_and_empty_texts_say_nothing_and_depth_is_bounded():
    deep = []
    for _ in range(900):
        deep = [deep]
    assert not says_something({"a": [0, "", "<p></p>", None, False, "0"]}) and says_something(deep)
