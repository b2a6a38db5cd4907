import pytest
from hypothesis import given
from hypothesis import strategies as st

from rolls.rules.errors import NotPossible, OutOfRange, UnknownWord
from rulesets.descriptors.rules.power import Track, hit, may_take_injury, recover, track
from rulesets.descriptors.settings import Settings

tracks = st.integers(1, 10).flatmap(
    lambda boxes: st.builds(Track, st.just(boxes), st.frozensets(st.integers(1, boxes)))
)


def test_a_free_box_is_crossed_off_and_only_it():
    done = hit(Track(), 2)
    assert (done.track.crossed, done.box, done.injury, done.out) == ({2}, 2, 0, False)


def test_an_injury_may_replace_a_free_box():
    done = hit(Track(), 2, take_injury=True)
    assert (done.track, done.box, done.injury) == (Track(), None, 2)


def test_a_crossed_box_bumps_to_the_next_free_one_and_injures():
    done = hit(track(6, [2, 3]), 2)
    assert (done.track.crossed, done.box, done.bumped, done.injury) == ({2, 3, 4}, 4, True, 4)


def test_a_bump_leaves_no_choice_unless_the_campaign_says_so():
    crossed = track(6, [2])
    assert hit(crossed, 2, take_injury=True) == hit(crossed, 2)
    assert hit(crossed, 2, take_injury=True, settings=Settings(injury_instead_of_bump=True)).injury == 2


def test_the_last_box_puts_out_of_the_scene_however_it_is_reached():
    assert hit(Track(), 6).out
    assert hit(track(6, [5]), 5).out
    assert not hit(Track(), 6, take_injury=True).out


def test_more_successes_than_boxes_hit_the_last_one():
    assert hit(Track(), 9) == hit(Track(), 6)
    assert hit(Track(), 9, take_injury=True).injury == 9
    settings = Settings(excess_may_be_injury=False)
    assert hit(Track(), 9, take_injury=True, settings=settings) == hit(Track(), 9)


def test_without_a_free_box_there_is_an_injury_of_the_last_and_the_end_of_the_scene():
    done = hit(track(6, [4, 5, 6]), 4)
    assert (done.track.crossed, done.injury, done.out) == ({4, 5, 6}, 6, True)
    assert not hit(track(6, [6]), 6, settings=Settings(full_track_puts_out=False)).out


def test_a_last_box_crossed_before_puts_nobody_out_again():
    assert not hit(track(6, [6]), 2).out


@given(tracks, st.lists(st.tuples(st.integers(1, 100), st.booleans()), max_size=15))
def test_the_track_stays_in_range_and_nothing_heals_by_being_hit(start, hits):
    now = start
    for successes, wanted in hits:
        done = hit(now, successes, take_injury=wanted)
        assert done == hit(now, successes, take_injury=wanted and may_take_injury(now, successes))
        assert now.crossed <= done.track.crossed <= set(range(1, start.boxes + 1))
        assert len(done.track.crossed - now.crossed) == (done.box is not None)
        assert done.box is not None or done.injury > 0
        assert done.out or done.box != start.boxes
        now = done.track


@pytest.mark.parametrize("crossed", ["12", None, [1] * 7, [[1]]])
def test_crossed_boxes_are_a_short_list_of_numbers(crossed):
    with pytest.raises(OutOfRange):
        track(6, crossed)


def test_a_box_is_crossed_once_and_a_choice_is_yes_or_no():
    with pytest.raises(NotPossible):
        track(6, [2, 2])
    with pytest.raises(UnknownWord):
        hit(Track(), 2, take_injury=1)


def test_recovery_takes_off_a_die_for_each_success():
    done = recover(3, [9, 8, 2], [7, 7, 1])
    assert (done.reduced_by, done.injury, done.bearer_gains) == (2, 1, 0)


def test_an_injury_is_gone_at_0_and_never_below():
    assert (recover(1, [9, 8], [3]).reduced_by, recover(1, [9, 8], [3]).injury) == (1, 0)


@pytest.mark.parametrize("healer", [[3], [8, 8], []])
def test_a_lost_or_tied_recovery_changes_nothing(healer):
    done = recover(2, healer, [8, 8])
    assert (done.reduced_by, done.injury, done.bearer_gains) == (0, 2, 0)
    assert recover(2, healer, [8, 8], Settings(recovery_pays_bearer=True)).bearer_gains == 1


def test_an_injury_rolls_its_own_dice():
    with pytest.raises(NotPossible):
        recover(2, [5], [5])
    with pytest.raises(OutOfRange):
        recover(0, [5], [])
