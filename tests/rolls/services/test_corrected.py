"""A correction that gives the Scale what the roll gave: all that came of it, and since, stays as it is."""

from __future__ import annotations

from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campaigns.errors import Blocked
from rolls.models import Audience, Roll
from rolls.services.rolls import correct_roll, void_roll
from rolls.services.scale import undo_newest
from rolls.services.settings import change_settings
from rolls.settings import RollSettings
from scale.models import Burn, Scale, ScaleStep
from scale.queries.history import charts
from scale.queries.projection import check
from scale.rules import scale as rules
from scale.services.burns import choose_effect, defer_burn, take_burn
from tests.answers import refusal
from tests.rules.cast import read_faces
from tests.stored import reread


def correct(play, roll, **changes):
    return correct_roll(play.gm, roll.pk, changes, key=uuid4())


def rows(scale):
    """Return the Scale's stored steps, without whose roll they are."""
    return list(ScaleStep.objects.filter(scale=scale).values("pk", "uid", "number", "event", "undone_at"))


@pytest.mark.parametrize("changes", [{"note": "past the dogs"}, {"difficulty": 7}, {"ability": 5}])
def test_later_rolls_need_not_be_taken_back_first(play, changes):
    first = play.roll(9, 9, 5)
    play.roll(2, by=play.other)
    before = rows(play.scale)
    corrected = correct(play, first, **changes)
    assert (play.scale.value, rows(play.scale)) == (1, before)
    told = corrected.event
    assert (told.kind, told.parent) == ("rolls.roll_corrected", first.event)
    moved = {name: told.described["scale"][name] for name in ("before", "delta", "after", "value", "step")}
    assert moved == {"before": 0, "delta": 2, "after": 2, "value": 1, "step": 1}
    assert "undone" not in play.events()[-2].described
    assert check(play.campaign) == []


def test_one_that_gives_something_else_still_waits_for_what_came_later(play):
    first = play.roll(9, 9, 1)
    play.roll(2, by=play.other)
    assert "Other Player’s roll" in refusal(Blocked, correct, play, first, difficulty=10).message
    assert Roll.objects.filter(voided_at=None).count() == 2


def test_a_burn_that_came_of_it_goes_on_as_the_corrected_roll_s(play):
    first = play.roll(9, 9, 9)
    take_burn(play.mo, play.burn(Burn.State.OFFERED).pk, key=uuid4())
    play.roll(9, by=play.other)
    corrected = correct(play, first, difficulty=8)
    burn = play.burn(Burn.State.FIRED)
    assert burn.cause == corrected
    choose_effect(play.mo, burn.pk, "die", key=uuid4())
    for _ in range(4):
        undo_newest(play.gm, play.scale.pk, key=uuid4())
    assert reread(corrected).voided_at
    assert (play.scale.value, play.burn(Burn.State.UNDONE)) == (0, burn)
    assert check(play.campaign) == []


def test_a_major_burn_is_not_brought_about_a_second_time(play):
    first = play.roll(*[9] * 8)
    correct(play, first, note="with the whole pack behind")
    assert play.burn(Burn.State.OPEN).major
    assert play.kinds().count("scale.major_burn") == 1
    assert check(play.campaign) == []


def test_it_can_be_corrected_again_and_taken_back(play):
    first = play.roll(9, 9, 5)
    again = correct(play, correct(play, first, difficulty=7), difficulty=8)
    void_roll(play.gm, again.pk, key=uuid4())
    assert play.scale.value == 0
    assert [event.kind for event in play.events()].count("scale.moved") == 0
    assert check(play.campaign) == []


def test_one_in_private_tells_the_table_nothing_new(play):
    first = play.roll(9, 9, audience=Audience.SELF)
    play.roll(2, by=play.other)
    told = play.kinds()
    corrected = correct(play, first, difficulty=8)
    assert (play.kinds(), play.scale.value) == (told, 1)
    assert play.kinds(play.mo.stream) == ["rolls.roll_made", "rolls.roll_voided", "rolls.roll_corrected"]
    with pytest.raises(Blocked):
        void_roll(play.gm, corrected.pk, key=uuid4())
    undo_newest(play.gm, play.scale.pk, key=uuid4())
    void_roll(play.gm, corrected.pk, key=uuid4())
    assert (play.kinds()[-1], play.scale.value) == ("scale.moved", 0)
    assert check(play.campaign) == []


def test_it_goes_by_the_rules_that_moved_the_scale_then(play):
    first = play.roll(9, 1)
    play.roll(9, by=play.other)
    counted = RollSettings((rules.Settings(cancelled_ones_count=True, npcs_feed=True),))
    change_settings(play.gm, counted, key=uuid4())
    play.roll(5)
    assert correct(play, first, note="as it was").event.described["rules"]["cancelled_ones_count"] is False
    assert play.scale.value == 2
    assert check(play.campaign) == []


def test_a_scale_that_is_no_longer_in_use_stays_as_it_was(play):
    first = play.roll(9, 9)
    change_settings(play.gm, RollSettings((rules.Settings(shared=False),)), key=uuid4())
    correct(play, first, note="on the old one")
    assert Scale.objects.get(character=None).value == 2


def test_the_line_of_the_scale_stays_where_it_was(play):
    first = play.roll(9, 9)
    play.roll(2, by=play.other)
    before = charts([play.scale], None)
    correct(play, first, difficulty=8)
    assert charts([play.scale], None) == before


FACES = st.lists(st.integers(1, 10), min_size=1, max_size=5)
LATER = st.lists(st.tuples(st.booleans(), FACES), min_size=1, max_size=3)


def go_on(play):
    for burn in Burn.objects.filter(scale__campaign=play.campaign, state=Burn.State.OPEN):
        defer_burn(play.gm, burn.pk, key=uuid4())


@given(faces=FACES, then=st.integers(2, 10), now=st.integers(2, 10), later=LATER)
@settings(max_examples=10)
def test_a_correction_changes_rows_of_the_scale_only_if_it_gives_something_else(
    play, patience, faces, then, now, later
):
    roll = play.roll(*faces, difficulty=then)
    go_on(play)
    for by_other, fell in later:
        play.roll(*fell, by=play.other if by_other else play.mo)
        go_on(play)
    before, value = rows(play.scale), play.scale.value
    burns = list(Burn.objects.values("pk", "state", "effect"))
    if read_faces(faces, then).delta == read_faces(faces, now).delta:
        correct(play, roll, difficulty=now)
    else:
        with pytest.raises(Blocked):
            correct(play, roll, difficulty=now)
    assert (rows(play.scale), play.scale.value) == (before, value)
    assert list(Burn.objects.values("pk", "state", "effect")) == burns
    assert check(play.campaign) == []
