"""Keys and burdens as models: found by whose they are and what they are called, with typed attributes."""

import pytest

from campaigns.models import Role, Viewer
from rulesets.descriptors.models import Burden, Key
from tests.sheets import put

DEBT = {"id": "k1", "name": "The old debt", "framework": "motivation", "words": "I owe"}


@pytest.fixture
def sheets(table):
    put(table.abigail, {"descriptors": [{"id": "d1", "name": "Fencing", "dice": 3}], "keys": [DEBT]})
    put(table.bob, {"injuries": [{"id": "i1", "name": "Torn", "dice": 2}], "keys": [{**DEBT, "id": "k2"}]})
    put(table.bob, {"stuck": [{"id": "s1", "name": "Tied up", "dice": 1, "origin": "Abigail"}]})
    return table


def test_what_a_row_does_not_say_is_the_default_of_its_column(sheets):
    put(sheets.abigail, {"keys": [{"id": "k3", "name": "Bare"}]})
    assert Key.objects.of(sheets.abigail).get().framework == "dramatic"
    assert Key.objects.on(sheets.abigail) == list(Key.objects.of(sheets.abigail))


def test_a_manager_finds_its_own_lists_alone(sheets):
    assert {(burden.name, burden.sticks, burden.origin) for burden in Burden.objects.all()} == {
        ("Torn", False, ""),
        ("Tied up", True, "Abigail"),
    }


def test_who_has_a_key_is_a_query(sheets):
    bearers = Key.objects.named("the OLD debt").values_list("character__name", flat=True)
    assert set(bearers) == {"Abigail", "Bob"}


def test_rows_of_the_same_name_by_other_rules_are_no_keys(sheets, cast):
    type(sheets.abigail).objects.filter(pk=sheets.abigail.pk).update(system="arc")
    assert set(Key.objects.values_list("character__name", flat=True)) == {"Bob"}


def test_a_viewer_is_given_what_they_may_see(sheets, cast):
    owner = sheets.abigail.owner
    seen = Key.objects.all().seen_by(Viewer(owner.campaign, owner, Role(owner.role)))
    assert {key.uid for key in seen} == {"k1"}
