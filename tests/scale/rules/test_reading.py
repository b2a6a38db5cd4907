import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import OutOfRange
from rules.tally import ReadDie
from rulesets.storyteller.rules.roll import Kind
from rulesets.storyteller.table.roll import StorytellerCountable
from scale.rules.scale import Settings, feeds
from tests.rules.cast import difficulties, face_lists, read, read_faces, roll


def test_the_printed_example_gives_0_by_the_rule():
    assert read_faces([10, 7, 4, 2, 1], 6).delta == 0


def test_the_example_with_two_real_1s_gives_its_printed_plus_1():
    assert [read_faces([10, 7, 4, 1, 1], difficulty).delta for difficulty in (6, 7, 8)] == [1, 1, 0]


def test_each_die_says_what_it_gives():
    assert read_faces([7, 1, 1, 3, 2], 6).dice == (
        ReadDie(7, 0, False),
        ReadDie(1, 0, True),
        ReadDie(1, -1, False),
        ReadDie(3, -1, False),
        ReadDie(2, -1, False),
    )


def test_a_campaign_may_count_cancelled_1s_too():
    assert read_faces([10, 7, 4, 1, 1], 6, Settings(cancelled_ones_count=True)).delta == -1


def test_1s_taken_out_of_a_botch_still_count():
    assert read(roll(1, 1, 5, ability=6)).delta == -2


def test_a_willpower_success_is_no_die():
    assert read(roll(1, 5, willpower=True)).delta == -1


@given(face_lists, difficulties, st.booleans())
def test_every_die_is_counted_once(faces, difficulty, count_all):
    seen = read_faces(faces, difficulty, Settings(cancelled_ones_count=count_all))
    assert seen.plus + seen.minus + seen.skipped_ones <= len(faces)
    assert seen.delta == seen.plus - seen.minus
    assert seen.plus == sum(face >= 8 for face in faces)


@given(face_lists, difficulties, st.randoms())
def test_the_order_of_the_dice_does_not_move_the_scale(faces, difficulty, random):
    assert read_faces(faces, difficulty).delta == read_faces(random.sample(faces, len(faces)), difficulty).delta


@given(face_lists, difficulties)
def test_skipping_1s_only_ever_lifts_the_scale(faces, difficulty):
    counted = read_faces(faces, difficulty, Settings(cancelled_ones_count=True))
    skipped = read_faces(faces, difficulty)
    assert skipped.delta - counted.delta == skipped.skipped_ones >= 0


@pytest.mark.parametrize(
    ("faces", "difficulty"), [([], 6), ([0], 6), ([11], 6), ([5], 1), ([5], 11), ([True], 6), ("5", 6), ([5] * 101, 6)]
)
def test_what_is_no_roll_is_not_read(faces, difficulty):
    with pytest.raises(OutOfRange):
        read_faces(faces, difficulty)


@pytest.mark.parametrize("kind", Kind)
def test_only_action_rolls_of_player_characters_feed_the_scale(kind):
    is_action = not StorytellerCountable().no_action(kind)
    assert feeds(is_action, is_npc=False) == (kind is Kind.ACTION)
    assert not feeds(is_action, is_npc=True)
    assert feeds(is_action, is_npc=True, settings=Settings(npcs_feed=True)) == (kind is Kind.ACTION)
