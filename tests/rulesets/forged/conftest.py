"""Who acts in the tests of what is played by forged rules; a test file that needs them otherwise has its own."""

from __future__ import annotations

from uuid import uuid4

import pytest

from characters.services.cards import Card, make_character
from tests.rulesets.forged.table.forged import scoundrel


@pytest.fixture
def cross(play):
    """Return Mo's scoundrel, with Prowl 1 and 3 stress."""
    return scoundrel(play)


@pytest.fixture
def thorn(play):
    """Return the other player's scoundrel."""
    return scoundrel(play, "Thorn", play.other, stress=0)


@pytest.fixture
def crew(cast):
    return make_character(cast.gm.member, Card("The Wick"), is_crew=True, key=uuid4())
