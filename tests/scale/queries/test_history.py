"""The Scale over time: its chart, and what the table's own rolls make likely."""

from fractions import Fraction
from uuid import uuid4

import pytest

from campaigns.models import Membership
from campaigns.services.play import start_session
from characters.models import Character
from characters.services.cards import Card, make_character
from rolls.models import Audience
from rolls.services.rolls import make_roll
from rulesets.storyteller.terms import StorytellerInput
from scale.models import Scale
from scale.queries import history
from scale.queries.history import APART, WIDTH, Chart, Move, charts, moves_listed, outlook
from scale.queries.scale import scale_id
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
    (drawn,) = charts([scale], session)
    assert [move.value for move in drawn.moves] == [2, 0]
    assert [move.reached for move in drawn.moves] == [None, 8]
    struck = drawn.marks[-1]
    assert (struck.move, struck.y) == (drawn.moves[-1], 0)
    assert drawn.line.startswith("0,80 160,60 ")
    assert drawn.line.endswith(f"{struck.x},0 {struck.x},80 {WIDTH},80")  # to the edge, back to 0, and on to the end
    assert (drawn.end.x, drawn.end.y) == (WIDTH, 80)
    assert all(0 < mark.x < WIDTH for mark in drawn.marks)


def test_a_session_in_which_nothing_moved_has_no_moves(cast, moved):
    scale, _ = moved
    (drawn,) = charts([scale], None)
    assert (drawn.moves, drawn.marks, drawn.line) == ([], [], "")


def test_the_scales_of_many_are_read_at_once(cast, moved, django_assert_num_queries):
    scale, session = moved
    other = Scale.objects.create(pk=uuid4(), campaign=cast.campaign, character=Character.objects.get())
    with django_assert_num_queries(3):
        drawn = charts([scale, other], session)
    assert [len(chart.moves) for chart in drawn] == [2, 0]


def test_where_there_is_no_room_for_all_burns_major_ones_are_marked_and_those_apart_from_others():
    def burn(number):
        reached = 8 if number == 7 else None
        return Move(number, uuid4(), 0, 3, 3, "Silas", "a Burn offered", fires=False, reached=reached)

    few, many = (Chart(uuid4(), [burn(number) for number in range(1, last)]) for last in (31, 201))
    assert len(few.marks) == 30
    assert 7 in [mark.move.number for mark in many.marks] and len(many.marks) <= WIDTH // APART + 1
    assert len(many.line.split()) == 203  # the line has all of them, and goes on to the end


def test_a_wide_chart_names_major_burns_and_those_furthest_from_0_where_there_is_room():
    def move(number, value, reached=None):
        return Move(number, uuid4(), 0, value, value, "Silas", "a Burn offered", fires=False, reached=reached)

    values = {2: 3, 4: 0, 5: 6, 12: -3, 19: 7}
    drawn = Chart(uuid4(), [move(number, values.get(number, 1), 8 if number == 4 else None) for number in range(1, 20)])
    # The Major Burn keeps the 6 beside it from being named, and where the line ends is said by itself.
    assert [mark.move.number for mark in drawn.named] == [4, 12]
    assert (drawn.end.move.number, drawn.end.top) == (19, 6.2)


def test_the_table_of_a_chart_goes_on_page_by_page(moved, monkeypatch):
    monkeypatch.setattr(history, "LISTED", 1)
    (scale, session), (drawn,) = moved, charts([moved[0]], moved[1])
    first, after = moves_listed(scale, session)
    second, end = moves_listed(scale, session, after)
    assert [*first, *second] == drawn.moves
    assert (after, end) == (first[0].number, None)


def test_the_outlook_goes_by_the_rolls_of_the_table(moved, cast):
    scale, _ = moved
    found = outlook(scale)
    assert found.rolls == 2
    assert found.drift > 0
    assert found.bank.grace is not None
    assert Fraction(1, 2) < found.bank.grace < 1


def test_a_table_that_has_not_rolled_is_taken_for_a_usual_one(cast):
    scale = Scale.objects.create(pk=scale_id(cast.campaign, None), campaign=cast.campaign)
    found = outlook(scale)
    assert (found.rolls, found.drift) == (0, Fraction(867, 2000))
