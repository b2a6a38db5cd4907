"""Four people at once, every key twice: each roll counts once, and the Scale is the fold of what happened."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from uuid import uuid4

import pytest

from campaigns.errors import Blocked
from campaigns.models import Event, Role
from rolls.models import Audience, Roll
from rolls.services.rolls import make_roll
from rulesets.storyteller.terms import StorytellerInput
from scale.models import Burn
from scale.queries.projection import check
from scale.services.burns import defer_burn
from tests.racing import at_once
from tests.rolls.conftest import character, member

pytestmark = pytest.mark.django_db(transaction=True)
ROLLS, PEOPLE, DICE, TRIES = 20, 4, 9, 100


@pytest.fixture
def crowd(play):
    people = [member(play.campaign, f"player{n}", Role.PLAYER) for n in range(PEOPLE)]
    return [(person, character(play.campaign, f"Hero {n}", person)) for n, person in enumerate(people)]


def post(play, by, ask, key):
    """Make one request, and repeat it when the GM goes on after a Major Burn."""
    for _ in range(TRIES):
        try:
            return make_roll(by, ask, audience=Audience.TABLE, key=key).pk
        except Blocked:
            go_on(play)
    raise AssertionError(f"{TRIES} times without an answer")


def go_on(play):
    for burn in Burn.objects.filter(scale__campaign=play.campaign, state=Burn.State.OPEN):
        # Or another thread was faster.
        with suppress(Blocked):
            defer_burn(play.gm, burn.pk, key=uuid4())


def test_twenty_rolls_at_once_with_each_key_twice_are_twenty_rolls(play, crowd, patience):
    forms = [(*crowd[n % PEOPLE], uuid4()) for n in range(ROLLS)]
    answers = at_once(
        *(
            partial(post, play, person, StorytellerInput(character=hero.pk, dice=DICE), key)
            for person, hero, key in forms * 2
        )
    )
    assert answers[:ROLLS] == answers[ROLLS:] == [key for _, _, key in forms]
    assert Roll.objects.count() == ROLLS
    told = Event.objects.filter(stream__name="table")
    assert told.filter(kind="rolls.roll_made").count() == ROLLS
    assert list(told.order_by("id").values_list("seq", flat=True)) == list(range(1, told.count() + 1))
    assert check(play.campaign) == []
    majors = told.filter(kind="scale.major_burn").count()
    assert majors == Burn.objects.filter(major=True).count() == len(tipped(told))


def tipped(told):
    """Return the Scale of the rolls that reached ±8, by the log's values."""
    scales = [event.described["scale"] for event in told.filter(kind="rolls.roll_made").select_related("stored")]
    return [scale for scale in scales if abs(scale["before"] + scale["delta"]) >= 8]
