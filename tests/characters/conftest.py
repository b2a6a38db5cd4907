"""Three characters: a player's, the GM's for all to see, and one of whom players know nothing."""

from uuid import uuid4

import pytest

from characters.services import Card, make_character
from tests.characters.deeds import SECRET_CONCEPT, SECRET_NAME


@pytest.fixture
def silas(cast):
    return make_character(cast.player.member, Card("Silas Grey", "Archivist", cast.player.member), key=uuid4())


@pytest.fixture
def npc(cast):
    return make_character(cast.gm.member, Card("Vesper", "Regent"), key=uuid4())


@pytest.fixture
def hidden(cast):
    return make_character(cast.gm.member, Card(SECRET_NAME, SECRET_CONCEPT, shown=False), key=uuid4())
