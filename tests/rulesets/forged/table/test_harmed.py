"""Moderate harm of a sheet takes its die from actions, unless whoever rolls says that it does not hinder this one."""

from __future__ import annotations

import pytest

from rolls.settings import RollSettings
from rolls.table_rules import OddsContext
from tests.rulesets.forged.table.forged import card, preview, roll, scoundrel, terms


@pytest.fixture
def cross(play):
    return scoundrel(play, harm_2=[{"id": "h1", "name": "Broken leg"}])


def odds_of(play, character, **ask):
    context = OddsContext(campaign=play.campaign, character=character, settings=RollSettings())
    return preview(context, terms(character=character.pk, **ask))


def test_an_action_of_the_sheet_is_rolled_with_a_die_less(play, cross):
    odds = odds_of(play, cross, action="skirmish")
    assert (odds["dice"], odds["pool"], odds["hurt"]) == (2, "Skirmish 3, harm −1", True)
    made = roll(play, 4, 1, character=cross, action="skirmish")
    assert (made.ask["dice"], made.ask["harm2"], len(made.faces)) == (2, True, 2)
    assert "harm_left_out" not in card(play)


def test_harm_that_does_not_hinder_is_told_on_the_card(play, cross):
    odds = odds_of(play, cross, action="skirmish", unhurt=True)
    assert (odds["dice"], odds["pool"], odds["hurt"]) == (3, "Skirmish 3", True)
    made = roll(play, 4, 1, 2, character=cross, action="skirmish", unhurt=True)
    assert (made.ask["dice"], made.ask["harm2"]) == (3, False)
    assert card(play)["harm_left_out"] is True


@pytest.mark.parametrize(
    "ask", [{"rating": 2}, {"kind": "resistance", "attribute": "prowess"}, {"kind": "fortune", "trait": 2}]
)
def test_a_typed_rating_and_other_rolls_lose_none(play, cross, ask):
    assert odds_of(play, cross, **ask)["hurt"] is False
    assert not roll(play, 4, 1, 2, character=cross, **ask).ask.get("harm2")


def test_who_has_none_has_nothing_to_leave_out(play):
    whole = scoundrel(play)
    roll(play, 4, 1, 2, character=whole, action="skirmish", unhurt=True)
    assert "harm_left_out" not in card(play)
    assert odds_of(play, whole, action="skirmish")["hurt"] is False
