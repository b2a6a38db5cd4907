"""A usual evening: a session and a scene are open, and a player has a character of each ruleset and rolls as players do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.http import HttpResponse
from django.urls import reverse

from campaigns.services import play
from characters.models import Character
from characters.services.cards import Card, make_character
from characters.services.fields import add_row, set_field
from tests.cast import Cast

SHEETS: dict[str, dict[str, Any]] = {
    "storyteller": {"perception": 3, "alertness": 2},
    "forged": {"skirmish": 2},
    "arc": {"som": 6},
    "descriptors": {"will": 9},
}
ROLLS = {
    "storyteller": {"pool": "perception + alertness", "difficulty": "6"},
    "forged": {"kind": "action", "action": "skirmish", "position": "risky", "effect": "standard"},
    "arc": {"kind": "reaction"},
    "descriptors": {"pool": "fencing", "against": "2", "versus": "the door guard"},
}


@dataclass
class Usual:
    cast: Cast
    characters: dict[str, Character]

    def post(self, name: str, *args: object, **fields: object) -> HttpResponse:
        url = reverse(name, args=[self.cast.campaign.slug, *args])
        answer = self.cast.player.client.post(url, {"key": uuid4()} | fields, headers={"hx-request": "true"})
        assert answer.status_code == 204, answer.content.decode()
        return answer

    def roll(self, system: str) -> None:
        character = self.characters[system].pk
        self.post("roll", system=system, character=character, client_seed="0" * 32, **ROLLS[system])


@pytest.fixture
def usual(cast: Cast, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Usual:
    """Return the usual rolls, with dice that can be checked and always show a 5, which gives the Scale nothing."""
    settings.DICE_SOURCE = "rolls.services.fairness.fair_dice"
    monkeypatch.setattr("rules.fairness.faces", lambda seed, message: cycle([5]))
    play.start_session(cast.gm.member, "One", key=uuid4())
    play.open_scene(cast.gm.member, "The lantern room", key=uuid4())
    assert cast.player.client.session  # they have signed in
    return Usual(cast, {system: _character(cast, system) for system in ROLLS})


def _character(cast: Cast, system: str) -> Character:
    mo = cast.player.member
    made = make_character(mo, Card("Ada", "", mo), system=system, key=uuid4())
    for name, value in SHEETS[system].items():
        made = set_field(mo, made, name, value, expected=made.value(name), key=uuid4())
    if system == "descriptors":
        made = add_row(mo, made, "descriptors", {"name": "Fencing", "dice": 2}, key=uuid4())
    return made


@contextmanager
def statements() -> Iterator[list[str]]:
    """Yield the list of SQL statements inside, without those that begin and end transactions, which differ between
    tests and a server.
    """
    asked: list[str] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if not sql.startswith(("SAVEPOINT", "RELEASE SAVEPOINT")):
            asked.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield asked
