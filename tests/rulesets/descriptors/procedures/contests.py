"""Contests in one line each, for tests: who fills what, who is ready, and how the dice fall."""

from __future__ import annotations

import json

import pytest

from characters.models import Character
from tests import sheets

WORDS = {"chips": [], "before": "", "name": "", "name_dice": None, "theirs": False, "dice": None}


def row(number: int, name: str, dice: int) -> dict[str, object]:
    return {"id": f"r{number}", "at": number, "name": name, "dice": dice, "category": ""}


def put(character: Character, **sheet) -> Character:
    return sheets.put(character, sheet)


@pytest.fixture
def fighters(table):
    """Abigail has Swordplay 3 and an Old grudge 2; Bob a Shield wall 2, Pride 2 and a Broken arm 2."""
    put(table.abigail, descriptors=[row(1, "Swordplay", 3), row(2, "Old grudge", 2)])
    hurt = [{"id": "i1", "at": 1, "name": "Broken arm", "dice": 2}]
    put(table.bob, descriptors=[row(1, "Shield wall", 2), row(2, "Pride", 2)], injuries=hurt)
    return table


def begin(table, by=None, a=None, b=None, **given):
    given = {"b_name": "", "b_dice": None, "override": False} | given
    a, b = (table.abigail if a is None else a), (table.bob if b is None and not given["b_name"] else b)
    return table.begin(by or table.player, "contest", a_character=a.pk, b_character=b and b.pk, **given)


def chip(character, number=1, rows="descriptors"):
    return f"{character.pk}/{rows}/{'i' if rows == 'injuries' else 'r'}{number}"


def use(table, by, contest, whom, *chips, before="", **given):
    return table.do(by, contest, "use", whom=whom, **WORDS | {"chips": list(chips), "before": before} | given)


def ready(table, contest, by=None, whom=None):
    for who, key in ((by, whom),) if by else ((table.player, "a"), (table.other, "b")):
        table.do(who, contest, "ready", whom=key)


class Drawn(dict):
    """What is drawn of a card, with its values as attributes too."""

    __getattr__ = dict.__getitem__


def drawn(seen):
    return json.loads(json.dumps(dict(seen), default=str), object_hook=Drawn)


def card(table, who=None):
    return drawn(next(one for one in table.there(who) if one["kind"] == "contest"))


def sides(table):
    return card(table)["staged"].sides


def words(table):
    return [[entry.words for entry in side.entries] for side in sides(table)]


def rolled(table, dice, a, b):
    """Return a contest of Swordplay 3 against Shield wall 2 with these faces."""
    contest = begin(table)
    use(table, table.player, contest, "a", chip(table.abigail))
    use(table, table.other, contest, "b", chip(table.bob))
    dice(*a, *b)
    ready(table, contest)
    return contest


def crossed(table, character):
    there = table.now(character)
    return [box for box in range(1, 7) if there.value(f"power_{box}")]
