"""xp tracks that fill, empty and buy (public rules): 6 boxes of an attribute, 8 of a playbook or a crew."""

from uuid import uuid4

import pytest

from campaigns.errors import Invalid
from campaigns.models import Campaign
from characters.queries.ledger import offers_of
from characters.services.fields import set_field
from characters.services.ledger import refund_advance
from tests.characters.operations import told
from tests.characters.xp import buy, give, has, kept, make_thorn, named, now, read


@pytest.fixture
def thorn(cast):
    return make_thorn(cast)


def test_a_full_track_is_an_advance_and_what_is_over_begins_the_next(cast, thorn):
    give(cast, 8, thorn, currency="insight_xp")
    assert now(thorn).value("insight_xp") == 2
    assert (has(thorn, "insight_xp"), has(thorn, "playbook_xp")) == (1, 0)
    entry, thorn = buy(cast, thorn, named(thorn, "Hunt 0 to 1").name)
    assert (thorn.value("hunt"), thorn.value("insight_xp"), has(thorn, "insight_xp")) == (1, 2, 0)
    with pytest.raises(Invalid):
        buy(cast, thorn, named(thorn, "Hunt 1 to 2").name)
    refund_advance(cast.gm.member, thorn, entry.pk, key=uuid4())
    assert (now(thorn).value("hunt"), has(thorn, "insight_xp")) == (0, 1)


def test_a_track_that_was_filled_by_hand_empties_for_its_advance(cast, thorn):
    thorn = set_field(cast.player.member, thorn, "playbook_xp", 8, expected=0, key=uuid4())
    assert has(thorn, "playbook_xp") == 1
    _, thorn = buy(cast, thorn, "ability", name="Like a shadow")
    assert (thorn.value("playbook_xp"), has(thorn, "playbook_xp")) == (0, 0)
    assert thorn.sheet["abilities"][0]["name"] == "Like a shadow"


def test_marks_on_a_full_track_begin_the_next_one(cast, thorn):
    thorn = set_field(cast.player.member, thorn, "playbook_xp", 8, expected=0, key=uuid4())
    thorn = give(cast, 3, thorn)
    assert (thorn.value("playbook_xp"), has(thorn, "playbook_xp")) == (3, 1)


def test_marks_over_are_lost_where_a_campaign_has_it_so(cast, thorn):
    Campaign.objects.update(settings={"forged": {"xp_rolls_over": False}})
    thorn = give(cast, 8, now(thorn), currency="resolve_xp")
    assert (thorn.value("resolve_xp"), has(thorn, "resolve_xp")) == (0, 1)


def test_the_highest_dots_are_not_for_sale(cast, thorn):
    set_field(cast.player.member, thorn, "hunt", 4, expected=0, key=uuid4())
    assert not [one for one in offers_of(now(thorn)) if one.words.startswith("Hunt")]


def test_a_crew_buys_an_ability_or_two_upgrades(cast, crew):
    give(cast, 17, crew)
    _, crew = buy(cast, crew, "upgrades", first="Boat", second="Vault")
    _, crew = buy(cast, crew, "ability", name="Everyone steals")
    assert [row["name"] for row in crew.sheet["upgrades"]] == ["Boat", "Vault"]
    assert (crew.value("crew_xp"), has(crew, "crew_xp")) == (1, 0)
    assert told()[-1].stream.name == "table"


def test_the_log_keeps_names_and_numbers_of_what_is_bought(cast, thorn, crew):
    for currency in ("insight_xp", "playbook_xp"):
        give(cast, 8, thorn, currency=currency)
    give(cast, 17, crew)
    dot, _ = buy(cast, thorn, named(thorn, "Hunt 0 to 1").name)
    ability, _ = buy(cast, thorn, "ability", name="Like a shadow")
    upgrades, _ = buy(cast, crew, "upgrades", first="Boat", second="Vault")
    assert [read(entry) for entry in (dot, ability, upgrades)] == [
        ("spent", 1, "advance", "Hunt 0 to 1"),
        ("spent", 1, "advance", "A special ability: Like a shadow"),
        ("spent", 1, "advance", "Two upgrades: Boat, Vault"),
    ]
    assert kept() == {"Mo", "Gm", "Thorn", "The Wick", "the bridge", "Like a shadow", "Boat", "Vault"}
