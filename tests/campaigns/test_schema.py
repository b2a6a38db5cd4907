"""What a type lets through, where it says that something is wrong, and what it knows of what it consists of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import pytest

from campaigns.schema import ChosenBy, Code, Moment, Name, Path, PayloadSchema, Ref, Schema, Text, Uid, mistakes, texts

UID = "0f8fad5b-d9cb-469f-a165-70867728950e"


class Reason(Schema):
    words: Text


@dataclass(frozen=True)
class Overheard:
    whispers: frozenset[Text] = frozenset()


class Ticked(PayloadSchema):
    clock: Ref
    ticks: int | None = None
    full: bool
    kind: Code
    told: Annotated[Any, ChosenBy(lambda fields, payload: Reason if fields.get("kind") == "reason" else dict[str, Any])]
    quoted: list[Reason] | None = None


TICKED = {
    "by": {"member": 1, "name": "Mo"},
    "clock": {"id": UID, "name": "Alarm"},
    "full": False,
    "kind": "",
    "told": {},
}


@pytest.mark.parametrize("ticks", [None, 0, -(2**52)])
def test_what_fits_has_no_mistakes(ticks):
    assert mistakes(Ticked, TICKED | {"ticks": ticks}, closed=True) == []


@pytest.mark.parametrize(
    ("changed", "path"),
    [
        ({"ticks": 1.0}, "ticks"),
        ({"ticks": True}, "ticks"),
        ({"ticks": "1"}, "ticks"),
        ({"full": 0}, "full"),
        ({"full": None}, "full"),
        ({"kind": "Two words"}, "kind"),
        ({"kind": "code\n"}, "kind"),
        ({"clock": {"id": UID, "name": 5}}, "clock.name"),
        ({"clock": {"id": UID.upper(), "name": ""}}, "clock.id"),
        ({"clock": []}, "clock"),
        ({"quoted": ({"words": ""},)}, "quoted"),
        ({"quoted": [{"words": ""}, {}]}, "quoted.1.words"),
        ({"by": {"member": "1", "name": "Mo"}}, "by.member"),
        ({"kind": "reason"}, "told.words"),
    ],
)
def test_nothing_is_converted_and_the_place_is_named(changed, path):
    for closed in (True, False):
        assert mistakes(Ticked, TICKED | changed, closed=closed) == [path]


def test_what_is_not_named_is_a_mistake_only_where_the_schema_is_closed():
    more = TICKED | {"more": 1, "kind": "reason", "told": {"words": "so", "other": 2}}
    assert mistakes(Ticked, more, closed=False) == []
    assert mistakes(Ticked, more, closed=True) == ["more", "told.other"]


@pytest.mark.parametrize(
    ("kind", "value", "fits"),
    [
        (Code, "", True),
        (Code, "skills/t1/es", True),
        (Code, "é", False),
        (Uid, UID, True),
        (Uid, f"{UID}\n", False),
        (Moment, "2026-11-26T14:16:55.123456Z", True),
        (Moment, "2026-11-26T14:16:55+01:00", True),
        (Moment, "2026-11-26", False),
        (Path, "/c/ashes/log", True),
        (Path, "", True),
        (Path, "https://elsewhere", False),
        (Path, "/a b", False),
        (Name, "夜の鐘", True),
    ],
)
def test_strings_are_of_narrow_kinds(kind, value, fits):
    assert (mistakes(kind, value, closed=True) == []) is fits


def test_the_texts_of_a_schema_are_found_wherever_they_stand():
    assert set(texts(Ticked)) == {"quoted.*.words"}
    assert set(texts(Ticked, TICKED | {"kind": "reason"})) == {"quoted.*.words", "told.words"}
    assert set(texts(Overheard)) == {"whispers.*"}
