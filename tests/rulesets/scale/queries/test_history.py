"""The Scale over time: its chart, and what the table's own rolls make likely."""

from fractions import Fraction
from uuid import uuid4

import pytest

from campaigns.models import Membership
from campaigns.services.play import start_session
from characters.services import Card, make_character
from rolls.models import Audience
from rolls.services.rolls import make_roll
from rolls.settings import roll_settings
from rulesets.scale.models import Scale
from rulesets.scale.queries.history import WIDTH, chart, outlook
from rulesets.scale.queries.scale import scale_id
from rulesets.storyteller.table.ask import StorytellerInput
from tests.cast import Cast


@pytest.fixture
def moved(cast: Cast, dice):
    """Return a Scale that went to +2, then through +8, and its session."""
    session = start_session(cast.gm.member, key=uuid4())
    mo: Membership = cast.player.member
    silas = make_character(mo, Card("Silas", "", mo), key=uuid4())
    for faces in ((8, 9, 5), (10, 10, 10, 9, 9, 8)):
        dice(*faces)
        make_roll(mo, StorytellerInput(character=silas.pk, dice=len(faces)), audience=Audience.TABLE, key=uuid4())
    return Scale.objects.get(campaign=cast.campaign), session


def test_the_chart_has_every_move_and_where_a_major_burn_struck(moved):
    scale, session = moved
    drawn = chart(scale, session)
    assert [point.value for point in drawn.points] == [2, 0]
    assert [point.reached for point in drawn.points] == [None, 8]
    assert [point.y for point in drawn.points] == [60, 80]
    struck = drawn.points[-1]
    assert drawn.line.startswith("0,80 ")
    assert drawn.line.endswith(f"{struck.x},0 {struck.x},80")  # to the edge, and back to 0
    assert all(0 < point.x < WIDTH for point in drawn.points)


def test_a_session_in_which_nothing_moved_has_no_points(cast, moved):
    scale, _ = moved
    assert chart(scale, None).points == []


def test_the_outlook_goes_by_the_rolls_of_the_table(moved, cast):
    scale, _ = moved
    found = outlook(scale, roll_settings(cast.campaign))
    assert found.rolls == 2
    assert found.drift > 0
    assert found.bank.grace is not None
    assert Fraction(1, 2) < found.bank.grace < 1


def test_a_table_that_has_not_rolled_is_taken_for_a_usual_one(cast):
    scale = Scale.objects.create(pk=scale_id(cast.campaign, None), campaign=cast.campaign)
    found = outlook(scale, roll_settings(cast.campaign))
    assert (found.rolls, found.drift) == (0, Fraction(867, 2000))
