"""Three characters: a player's, the GM's for all to see, and one of whom players know nothing."""

from uuid import uuid4

import pytest

from campaigns.models import Campaign
from characters.services.cards import Card, make_character
from characters.services.fields import add_row
from rolls.registry import RULESETS
from tests.characters.operations import SECRET_CONCEPT, SECRET_NAME


@pytest.fixture
def silas(cast):
    return make_character(cast.player.member, Card("Silas Grey", "Archivist", cast.player.member), key=uuid4())


@pytest.fixture
def npc(cast):
    return make_character(cast.gm.member, Card("Vesper", "Regent"), key=uuid4())


@pytest.fixture
def hidden(cast):
    return make_character(cast.gm.member, Card(SECRET_NAME, SECRET_CONCEPT, shown=False), key=uuid4())


@pytest.fixture
def all_systems(cast):
    Campaign.objects.update(systems=list(RULESETS))


@pytest.fixture
def ana(cast, all_systems):
    """Return a player's character of the arc rules, who climbs."""
    card = Card("Ana", "Scout", cast.player.member)
    ana = make_character(cast.player.member, card, system="arc", key=uuid4())
    return add_row(cast.player.member, ana, "skills", {"name": "Climbing", "es": 5}, key=uuid4())


@pytest.fixture
def crew(cast, all_systems):
    return make_character(cast.gm.member, Card("The Wick"), is_crew=True, key=uuid4())
