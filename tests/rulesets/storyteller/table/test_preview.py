"""The composer's odds are those of the roll that will be made."""

from dataclasses import replace
from itertools import product

import pytest

from rolls.models import Audience
from rolls.settings import RollSettings
from rolls.table_rules import OddsContext
from rulesets.storyteller.table import StorytellerTable
from rulesets.storyteller.terms import StorytellerInput
from scale.models import Momentum, Scale
from tests.rules.cast import read_faces

preview = StorytellerTable().preview


@pytest.fixture
def context(cast):
    return OddsContext(campaign=cast.campaign, character=None, settings=RollSettings())


def test_the_bar_is_filled_to_its_end(context):
    for dice in range(1, 12):
        parts = preview(context, StorytellerInput(dice=dice, difficulty=8))["parts"]
        assert sum(part["w"] for part in parts) == 100
        assert [part["x"] for part in parts[1:]] == [part["x"] + part["w"] for part in parts[:-1]]


def _delta(faces):
    return read_faces(list(faces), 6).delta


@pytest.fixture
def silas(play):
    return OddsContext(campaign=play.campaign, character=play.silas, settings=RollSettings())


def test_an_action_roll_says_what_it_gives_the_scale_and_how_likely_it_reaches_a_burn(silas):
    # 13971 of 100000 rolls of five dice at 6 lead from 0 to 3 or beyond.
    assert preview(silas, StorytellerInput(dice=5))["lines"] == ["expected Scale +0.43", "14 % chance of a Burn"]


def test_near_the_end_of_the_scale_it_warns_of_a_major_burn(play, silas):
    play.roll(*[10] * 7)
    lines = preview(silas, StorytellerInput(dice=3))["lines"]
    # From +7, one more is enough; a 1 that cancels a success is skipped.
    up = sum(_delta(faces) >= 1 for faces in product(range(1, 11), repeat=3))
    assert f"{round(up / 10)} % of a Major Burn" in lines[2]


def test_looking_at_odds_makes_no_scale(silas):
    preview(silas, StorytellerInput(dice=5))
    assert not Scale.objects.exists()


def test_what_feeds_no_scale_says_why(play, silas, context):
    assert preview(silas, StorytellerInput(dice=3, kind="soak"))["lines"] == ["the Scale stays: a soak roll"]
    assert preview(silas, StorytellerInput(traits=("willpower",)))["lines"] == ["the Scale stays: a Willpower roll"]
    assert preview(context, StorytellerInput(dice=3))["lines"] == ["the Scale stays: no character"]
    of_the_gm = OddsContext(campaign=play.campaign, character=play.vesper, settings=RollSettings(), is_gm=True)
    assert preview(of_the_gm, StorytellerInput(dice=3))["lines"] == ["the Scale stays: an NPC’s roll"]


def test_burn_dice_are_counted_where_they_will_fall(play, silas):
    for character in (play.silas, play.vesper):
        Momentum.objects.create(character=character, die_modifier=1)
    unseen = replace(silas, audience=Audience.GM)
    npc = replace(silas, character=play.vesper, is_gm=True)
    asked = [
        (silas, StorytellerInput(dice=3)),
        (unseen, StorytellerInput(dice=3)),
        (npc, StorytellerInput(dice=3)),
        (silas, StorytellerInput(dice=3, kind="soak")),
    ]
    assert [preview(context, ask)["dice"] for context, ask in asked] == [4, 3, 3, 3]
    assert preview(silas, StorytellerInput(traits=("willpower",)))["dice"] == 6


def test_without_dice_none_fall_and_one_success_is_sure(silas):
    odds = preview(silas, StorytellerInput(dice=6, automatic=True))
    assert (odds["dice"], odds["sentence"]) == (0, "marginal 100 %.")
    assert preview(silas, StorytellerInput(dice=5, automatic=True)) is None


def test_more_than_ten_dice_are_warned_of_and_allowed(context):
    warning = "More than 10 dice is beyond human ability."
    assert warning not in preview(context, StorytellerInput(dice=10))["lines"]
    assert warning in preview(context, StorytellerInput(dice=11))["lines"]


@pytest.mark.parametrize(
    "ask", [StorytellerInput(), StorytellerInput(traits=("wits",)), StorytellerInput(dice=3, difficulty=11)]
)
def test_what_cannot_be_rolled_has_no_odds(context, ask):
    assert preview(context, ask) is None
