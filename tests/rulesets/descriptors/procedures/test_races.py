"""What happens at the same moment in a contest, each person in a thread of their own, on both databases."""

from __future__ import annotations

from functools import partial
from uuid import uuid4

import pytest

from campaigns.errors import Invalid
from campaigns.services.play import close_scene
from characters.services.fields import set_field
from rolls.models import Roll
from rolls.services.procedures import act
from rules.acts import ActKey
from tests.racing import at_once
from tests.rolls.steps import seen
from tests.rulesets.descriptors.procedures.contests import WORDS, begin, chip, put, use

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("scene")]


def press(by, contest, name, whom, /, *, key=None, **given):
    """Return a call that presses as a person who sees the current state."""
    return partial(act, by, contest.pk, seen(contest, f"{name}:{whom}"), given=given, key=key or uuid4())


def refused(answers):
    return [one for one in answers if isinstance(one, Exception)]


@pytest.fixture
def contest(fighters):
    """Swordplay 3 against Shield wall 2."""
    begun = begin(fighters)
    use(fighters, fighters.player, begun, "a", chip(fighters.abigail))
    use(fighters, fighters.other, begun, "b", chip(fighters.bob))
    return begun


def test_the_last_will_is_spent_once(fighters, contest):
    put(fighters.abigail, will=1)
    fighters.do(fighters.other, contest, "ready", whom="b")
    elsewhere = partial(set_field, fighters.player, fighters.now(fighters.abigail), "will", 0, expected=1, key=uuid4())
    at_once(press(fighters.player, contest, "ready", "a"), elsewhere)
    assert fighters.will(fighters.abigail) == 0
    paid = sum(roll.ask["a"]["spent"] for roll in Roll.objects.all())
    assert paid in (0, 1) and Roll.objects.count() == paid


def test_a_descriptor_changes_as_the_other_gets_ready(fighters, contest):
    fighters.do(fighters.player, contest, "ready", whom="a")
    changes = partial(
        set_field,
        fighters.player,
        fighters.now(fighters.abigail),
        "descriptors/r1/dice",
        5,
        expected=3,
        key=uuid4(),
    )
    at_once(press(fighters.other, contest, "ready", "b"), changes)
    rolls = list(Roll.objects.all())
    assert all(roll.ask["a"]["dice"] == 3 for roll in rolls), "dice fell for what both had seen, or not at all"
    assert fighters.now(fighters.abigail).value("descriptors/r1/dice") == 5


def test_the_scene_closes_as_they_get_ready(fighters):
    fire = fighters.begin(fighters.gm, "scene_descriptor", name="Fire", dice=2)
    contest = begin(fighters)
    use(fighters, fighters.player, contest, "a", f"scene/{fire.pk}")
    fighters.do(fighters.player, contest, "ready", whom="a")
    at_once(press(fighters.other, contest, "ready", "b"), partial(close_scene, fighters.gm, key=uuid4()))
    contest.refresh_from_db()
    if Roll.objects.exists():
        assert Roll.objects.get().ask["a"]["dice"] == 2
    else:
        assert contest.state["sides"][0]["entries"] == [] and not contest.state["sides"][0]["ready"]


def test_two_fill_at_once_and_a_scene_descriptor_serves_one(fighters):
    fire = fighters.begin(fighters.gm, "scene_descriptor", name="Fire", dice=2)
    contest = begin(fighters)
    given = WORDS | {"chips": [f"scene/{fire.pk}"]}
    both = [
        partial(act, by, contest.pk, ActKey("use", whom), given=given, key=uuid4())
        for by, whom in ((fighters.player, "a"), (fighters.other, "b"))
    ]
    assert [type(one) for one in refused(at_once(*both))] == [Invalid]
    contest.refresh_from_db()
    assert sorted(len(side["entries"]) for side in contest.state["sides"]) == [0, 1]
