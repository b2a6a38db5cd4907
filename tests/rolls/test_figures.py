"""What follows from a sheet by the rules: shown, told when it changes, and never from what is secret."""

from uuid import uuid4

import pytest
from django.utils import translation

from campaigns.models import Campaign, Event
from characters.rulesets import drawn_figure, figures_of
from characters.services.cards import Card, make_character
from characters.services.fields import add_row, set_field
from rolls.registry import RULESETS


@pytest.fixture
def made(cast):
    Campaign.objects.update(systems=list(RULESETS))

    def make(system):
        return make_character(cast.player.member, Card("Ana", owner=cast.player.member), system=system, key=uuid4())

    return make


def words(character):
    character.refresh_from_db()
    return {told["name"]: drawn_figure(character.rules.name, told)["words"] for told in figures_of(character)}


def test_an_arc_sheet_says_how_far_how_much_and_with_which_die(cast, made):
    ana, mo = made("arc"), cast.player.member
    set_field(mo, ana, "build", 6, expected=5, key=uuid4())
    key = uuid4()
    add_row(mo, ana, "skills", {"name": "Climbing", "es": 5}, key=key)
    add_row(mo, ana, "carried", {"name": "Ore", "weight": "40.5"}, key=uuid4())
    assert words(ana) == {
        "state": "Calm",
        "mind": "5: calm",
        "movement": "4 m per turn",
        "loadt": "18 kg",
        "burden": "Heavy burden: 40.5 of 54 kg",
        f"skills/{key.hex}": "d8, \N{MINUS SIGN}3 to +5, 2 actions per turn",
    }
    add_row(mo, ana, "carried", {"name": "More ore", "weight": "20"}, key=uuid4())
    assert words(ana)["burden"] == "Overloaded: 60.5 of 54 kg"
    with translation.override("de"):
        assert words(ana)["burden"] == "Überladen: 60,5 von 54 kg"
    add_row(mo, ana, "carried", {"name": "Anvil", "weight": "80"}, key=uuid4())
    assert words(ana)["burden"].startswith("can’t move or act")


def test_a_change_tells_the_figures_that_follow_from_it_and_no_others(cast, made):
    ana = made("arc")
    set_field(cast.player.member, ana, "control", 9, expected=5, key=uuid4())
    assert [figure["name"] for figure in Event.objects.latest("id").payload["figures"]] == ["movement"]
    set_field(cast.player.member, ana, "description", "Tall.", expected="", key=uuid4())
    assert Event.objects.latest("id").payload["figures"] == []


def test_no_figure_follows_from_an_unknown_score(cast, made):
    ana = made("arc")
    before = words(ana)
    set_field(cast.gm.member, ana, "us_control", 5, expected=1, key=uuid4())
    assert words(ana) == before


def test_attributes_are_read_from_their_actions(cast, made):
    ana = made("forged")
    set_field(cast.player.member, ana, "prowl", 2, expected=0, key=uuid4())
    assert words(ana) == {
        "state": "Unhurt",
        "insight": "0",
        "prowess": "1",
        "resolve": "0",
        "trauma": "none",
        "slots": "0 carried, no load chosen",
    }


def test_figures_are_on_the_page_of_those_who_read_the_sheet(cast, made):
    ana = made("forged")
    url = f"{cast.campaign.url}characters/{ana.pk}/"
    assert f'id="character-{ana.pk}-figure-prowess"' in cast.player.client.get(url).content.decode()
    assert "figure-prowess" not in cast.other_player.client.get(url).content.decode()
