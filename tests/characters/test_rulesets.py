"""Files of other programs: whatever stands in one, it gives a character and what was left out, or nothing."""

import json
from functools import partial
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from characters.rulesets import converted
from characters.sheets.conversion import LONGEST_LEFT, MOST_LEFT, plain, says_something, whole
from characters.sheets.exchange import EVERYTHING, Faults, read, written
from tests.characters.sheets import foundry_files
from tests.characters.sheets.test_exchange import JSON

FILES = (
    foundry_files.scoundrel,
    foundry_files.crew,
    foundry_files.vampire,
    foundry_files.pc,
    *(partial(foundry_files.shape, path.stem) for path in sorted(foundry_files.SHAPES.iterdir())),
)
REFUSED = ("ship-without-system", "wod-bidi-name")
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
    assert all(f"{label}: {why}".isprintable() and len(label) <= LONGEST_LEFT for label, why in conversion.left)
    ours = json.loads(json.dumps(written(conversion.head, conversion.values, {}, EVERYTHING)))
    try:
        return read(ours, EVERYTHING, uuid4())
    except Faults as refused:
        # A name alone is not cleaned before.
        assert {path for path, _ in refused.faults} <= {"name", "concept"}
        return None


@pytest.mark.parametrize("make", [make for make in FILES if getattr(make, "args", ("",))[0] not in REFUSED])
def test_what_comes_of_a_file_is_a_sheet_of_ours(make):
    conversion = converted(make())
    brought = imported(make())
    assert brought.head == conversion.head
    assert conversion.source.startswith("Foundry, ")


@pytest.mark.parametrize("make", FILES)
@given(data=st.data())
@settings(max_examples=60)
@pytest.mark.thorough
def test_whatever_is_changed_in_a_file_it_is_read_or_refused(make, data):
    file = make()
    for _ in range(data.draw(st.integers(1, 3))):
        file = changed(file, data.draw(st.sampled_from(list(places(file)))), data.draw(ODD))
    imported(file)


WORDS = "qoph the ninth"
PAGES = {
    "label",
    "img",
    "type",
    "max",
    "total",
    "id",
    "_id",
    "_stats",
    "version",
    "parentid",
    "name_default",
    "isvisible",
}
PAGES |= {
    "iscreated",
    "roll",
    "woundlevel",
    "woundpenalty",
    "penalty",
    "splat",
    "acquaintances_label",
    "experience_max",
}
PAGES |= {"experience_clues", "hold_types", "loadout", "load_level", "folder", "hunting_grounds_label", "max_default"}
PAGES |= {"base_max_load", "base_skills", "purchased", "price", "min", "size", "color", "altlabel", "prototypeToken"}
"""What calculates, arranges or explains on Foundry's own pages, and tells nothing of a character."""
ALIKE = ("wod-bidi-name", "wod-long-name", "wod-nfd-ability", "wod4-elder")


def tells(conversion, words, file, path):
    """Return whether words are on the sheet, or named, by themselves or with the whole item they stand in."""
    told = repr((conversion.head, conversion.values, conversion.left)).casefold()
    item = file["items"][path[1]]["name"].casefold() if path[0] == "items" and len(path) > 2 else "no item"
    return words in told or f"{item} (" in told


@pytest.mark.parametrize("make", [make for make in FILES if getattr(make, "args", ("",))[0] not in ALIKE])
def test_whatever_words_stand_in_a_file_they_are_on_the_sheet_or_named(make):
    file = make()
    told = [path for path in places(file) if path and not PAGES.intersection(path)]
    for path in told:
        conversion = converted(changed(file, path, WORDS))
        assert conversion is None or tells(conversion, WORDS, file, path), path


@pytest.mark.parametrize("make", FILES)
@pytest.mark.parametrize(
    "path", [(), ("system",), ("system", "attributes"), ("flags", "a-module"), ("system", "health")]
)
def test_whatever_a_module_or_a_later_version_adds_is_named(make, path):
    file = make() | {"flags": {"a-module": {}}}
    place = file
    for name in path:
        place = place.setdefault(name, {})
    place["addition"] = {"inner": [{"deep": WORDS}]}
    conversion = converted(file)
    assert conversion is None or f"addition inner deep: {WORDS}" in repr(conversion.left)


def test_a_file_of_many_parts_is_read_and_what_is_beyond_the_shown_is_counted():
    file = foundry_files.vampire() | {"flags": {"a-module": {f"part{number}": number + 1 for number in range(50_000)}}}
    assert converted(file).more >= 49_000


@given(ODD)
def test_any_json_is_read_or_refused(file):
    assert imported(file) is None


def test_what_is_left_out_is_counted_beyond_what_is_shown():
    file = foundry_files.vampire()
    file["items"] = [{"type": "Item", "name": f"Thing {number}", "system": {}} for number in range(1002)]
    conversion = converted(file)
    assert len(conversion.left) == MOST_LEFT and conversion.more >= 802


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
