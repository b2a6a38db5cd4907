"""The composer's odds are those of the roll that will be made."""

from fractions import Fraction

import pytest

from rolls.rules.storyteller import Ask as Asked
from rolls.rules.storyteller_pool import typed_pool
from rolls.services.systems.base import Looker
from rolls.services.systems.storyteller import Ask
from rolls.services.systems.storyteller.odds import chances, preview
from rolls.settings import RollSettings


@pytest.fixture
def looker(cast):
    return Looker(campaign=cast.campaign, character=None, settings=RollSettings())


def test_five_dice_at_six_have_the_published_odds(looker):
    found = chances(Asked(pool=typed_pool(5), difficulty=6), RollSettings())
    assert found["botch"] == Fraction(2101, 100_000)
    assert found["marginal"] + found["two or more"] == Fraction(211, 250)
    assert sum(found.values()) == 1
    assert "expected Scale +0.43" in preview(looker, Ask(dice=5))["lines"]


def test_the_bar_is_filled_to_its_end(looker):
    for dice in range(1, 12):
        parts = preview(looker, Ask(dice=dice, difficulty=8))["parts"]
        assert sum(part["w"] for part in parts) == 100
        assert [part["x"] for part in parts[1:]] == [part["x"] + part["w"] for part in parts[:-1]]


def test_a_willpower_point_leaves_no_botch_and_no_failure():
    found = chances(Asked(pool=typed_pool(3), difficulty=7, willpower=True), RollSettings())
    assert found["botch"] == found["fail"] == 0
    assert sum(found.values()) == 1


def test_a_soak_roll_moves_no_scale(looker):
    assert preview(looker, Ask(dice=3, kind="soak"))["lines"] == []


@pytest.mark.parametrize(
    "ask", [Ask(), Ask(dice=0), Ask(dice=10**9), Ask(traits=("wits",)), Ask(dice=3, difficulty=11)]
)
def test_what_cannot_be_rolled_has_no_odds(looker, ask):
    assert preview(looker, ask) is None


def test_more_than_ten_dice_are_warned_of_and_allowed(looker):
    warning = "More than ten dice: beyond what is human."
    assert warning not in preview(looker, Ask(dice=10))["lines"]
    assert warning in preview(looker, Ask(dice=11))["lines"]
