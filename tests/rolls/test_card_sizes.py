"""How many bytes a usual roll sends to every open page. A table of six on the train pays for each."""

from __future__ import annotations

import re

import pytest

from campaigns.live.render import render_line, render_live
from campaigns.models import Role
from tests.rolls.usual import ROLLS, last_roll

pytestmark = pytest.mark.django_db

FACES = {
    "storyteller": (9, 7, 1, 4, 10),
    "forged": (4, 2),
    "arc": (6, 3, 1),
    "descriptors": (5, 3, 6, 2),
}
CARD = {
    "storyteller": {Role.SPECTATOR: 2286, Role.PLAYER: 3004, Role.GM: 3533},
    "forged": {Role.SPECTATOR: 1815, Role.PLAYER: 2645, Role.GM: 3152},
    "arc": {Role.SPECTATOR: 1215, Role.PLAYER: 1933, Role.GM: 2462},
    "descriptors": {Role.SPECTATOR: 2368, Role.PLAYER: 3123, Role.GM: 3652},
}
"""At most so many, in UTF-8, not compressed."""
MOVE_OF_THE_SCALE = 1271


@pytest.fixture(params=ROLLS)
def told(usual, monkeypatch, request):
    faces = FACES[request.param]
    monkeypatch.setattr("rolls.rules.fairness.faces", lambda seed, message: iter(faces))
    usual.roll(request.param)
    return request.param, last_roll()


@pytest.mark.parametrize("role", Role)
def test_a_card_is_no_longer_than_this(told, role):
    system, event = told
    # Numbers of members go on from test to test.
    card = re.sub(rb'data-member="\d+"', b'data-member="1"', render_line(event, role).encode())
    assert len(card) <= CARD[system][role], card.decode()


@pytest.mark.parametrize("role", Role)
def test_what_a_roll_moves_beside_its_card_is_no_longer_than_this(told, role):
    system, event = told
    beside = render_live(event, role).encode().removeprefix(render_line(event, role).encode())
    most = MOVE_OF_THE_SCALE if system == "storyteller" else 0
    assert len(beside) <= most, beside.decode()
