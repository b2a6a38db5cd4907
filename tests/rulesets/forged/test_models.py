"""Harm and items as models."""

from rulesets.forged.models import Harm, Item
from tests.rulesets.forged.table.forged import scoundrel
from tests.sheets import put


def test_harm_has_its_level(play):
    cross = put(scoundrel(play), {"harm_2": [{"id": "h1", "name": "Cut"}], "harm_1": [{"id": "h2", "name": "Tired"}]})
    assert {(harm.name, harm.level) for harm in Harm.objects.of(cross)} == {("Cut", 2), ("Tired", 1)}


def test_an_item_has_its_load_and_is_carried_or_not(play):
    cross = put(
        scoundrel(play),
        {"items": [{"id": "i1", "name": "Lantern", "load": 2, "carried": True}, {"id": "i2", "name": "Rope"}]},
    )
    assert [(item.name, item.load, item.carried) for item in Item.objects.of(cross)] == [
        ("Lantern", 2, True),
        ("Rope", 1, False),
    ]
