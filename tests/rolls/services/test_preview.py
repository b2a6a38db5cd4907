"""The composer's odds are those of the roll that will be made."""

from fractions import Fraction

import pytest

from rolls.services import preview as previews
from rolls.services.ask import Ask
from rolls.services.preview import preview


@pytest.fixture
def chances(monkeypatch):
    """The exact chances behind the bar of the last preview."""
    seen = {}
    monkeypatch.setattr(previews, "_parts", lambda chances: seen.update(chances) or [])
    return seen


def test_five_dice_at_six_have_the_published_odds(cast, chances):
    odds = preview(cast.campaign, None, Ask(dice=5))
    assert chances["botch"] == Fraction(2101, 100_000)
    assert chances["marginal"] + chances["more"] == Fraction(211, 250)
    assert sum(chances.values()) == 1
    assert odds["drift"] == "expected Scale +0.43"


def test_the_bar_is_filled_to_its_end(cast):
    for dice in range(1, 12):
        parts = preview(cast.campaign, None, Ask(dice=dice, difficulty=8))["parts"]
        assert sum(part["w"] for part in parts) == 100
        assert [part["x"] for part in parts[1:]] == [part["x"] + part["w"] for part in parts[:-1]]


def test_a_willpower_point_leaves_no_botch_and_no_failure(cast, chances):
    preview(cast.campaign, None, Ask(dice=3, willpower=True, difficulty=7))
    assert chances["botch"] == chances["failure"] == 0
    assert sum(chances.values()) == 1


def test_a_soak_roll_moves_no_scale(cast):
    assert preview(cast.campaign, None, Ask(dice=3, kind="soak"))["drift"] == ""


@pytest.mark.parametrize(
    "ask", [Ask(), Ask(dice=0), Ask(dice=10**9), Ask(traits=("wits",)), Ask(dice=3, difficulty=11)]
)
def test_what_cannot_be_rolled_has_no_odds(cast, ask):
    assert preview(cast.campaign, None, ask) is None


def test_more_than_ten_dice_are_warned_of_and_allowed(cast):
    assert not preview(cast.campaign, None, Ask(dice=10))["beyond_human"]
    assert preview(cast.campaign, None, Ask(dice=11))["beyond_human"]
