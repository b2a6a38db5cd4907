"""What wounds take from a pool: it is counted at the roll, shown before it, and told where it is left out."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from rolls.settings import roll_settings
from rolls.table_rules import OddsContext
from rulesets.storyteller.rules.roll import wound_penalty
from rulesets.storyteller.settings import Settings
from rulesets.storyteller.table import StorytellerTable
from rulesets.storyteller.terms import StorytellerInput
from tests.sheets import put

USUAL = Settings().wound_penalties
TRAITS = ("perception", "alertness")


@pytest.fixture
def hurt(play):
    """Silas with three health levels marked: Injured, which takes a die; four more take five."""
    put(play.silas, {"bashing": 2, "lethal": 1})
    return play


def rolled(play, *faces, **ask):
    return play.roll(*faces, **{"dice": None, "traits": TRAITS} | ask)


def odds_of(play, **ask):
    context = OddsContext(campaign=play.campaign, character=play.silas, settings=roll_settings(play.campaign))
    return StorytellerTable().preview(context, StorytellerInput(character=play.silas.pk, **{"traits": TRAITS} | ask))


def page(person, play):
    return person.client.get(reverse("table", args=[play.campaign.slug])).content.decode()


@pytest.mark.parametrize(("marked", "dice"), [(0, 0), (1, 0), (2, 1), (3, 1), (4, 2), (5, 2), (6, 5), (7, 5), (9, 5)])
def test_the_last_level_that_is_marked_says_how_many_dice_are_lost(marked, dice):
    assert wound_penalty(marked, USUAL) == dice


def test_an_action_of_the_sheet_is_rolled_with_the_dice_that_wounds_leave(hurt, cast):
    roll = rolled(hurt, 9, 8, 4, 3)
    assert (roll.ask["dots"], roll.ask["wounds"], roll.ask["dice"], len(roll.faces)) == (5, 1, 4, 4)
    assert roll.event.stored.payload["card"]["pool"]["wounds"] == 1
    for person in (cast.player, cast.spectator):
        html = page(person, hurt)
        assert "· wounds −1 ·" in html and ", wounds −1," in html


def test_the_odds_say_what_the_dice_are_made_of_and_count_the_same(hurt, cast):
    odds = odds_of(hurt)
    assert (odds["dice"], odds["pool"], odds["hurt"]) == (4, "Perception 3 + Alertness 2, wounds −1", True)
    assert odds["sentence"] == odds_of(hurt, traits=(), dice=4)["sentence"]
    assert odds_of(hurt, modifier=2)["pool"] == "Perception 3 + Alertness 2, modifier +2, wounds −1"
    asked = {"character": hurt.silas.pk, "pool": "perception + alertness", "difficulty": "6"}
    answer = cast.player.client.get(reverse("odds", args=[hurt.campaign.slug]), asked).content.decode()
    assert "data-hurt" in answer and re.search(r'id="roll-dice"[^>]*>\s*4 dice\s*<', answer)


def test_a_penalty_that_is_left_out_is_told_on_the_card(hurt, cast):
    odds = odds_of(hurt, unhurt=True)
    assert (odds["dice"], odds["pool"], odds["hurt"]) == (5, "Perception 3 + Alertness 2", True)
    roll = rolled(hurt, 9, 8, 4, 3, 2, unhurt=True)
    assert (roll.ask["wounds"], roll.ask["wounds_left_out"]) == (0, 1)
    assert "wound penalty of −1 ignored" in page(cast.spectator, hurt)


def test_who_is_whole_has_nothing_to_leave_out(play, cast):
    roll = rolled(play, 9, 8, 4, 3, 2, unhurt=True)
    assert not {"wounds", "wounds_left_out"} & set(roll.event.stored.payload["card"]["pool"])
    assert odds_of(play)["hurt"] is False
    assert "left out" not in page(cast.spectator, play)
