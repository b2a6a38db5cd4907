"""What happens at the same moment in a contest, each person in a thread of their own, on both databases."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from threading import Barrier
from uuid import uuid4

import pytest
from django.db import OperationalError, connection

from campaigns.errors import Blocked, Conflict, Forbidden, Invalid
from campaigns.services.play import close_scene
from characters.services.fields import set_field
from rolls.models import Roll
from rolls.services.procedures import act
from rules.acts import ActKey
from tests.rolls.steps import seen
from tests.rulesets.descriptors.procedures.contests import WORDS, begin, chip, crossed, put, rolled, use

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("scene")]
TRIES = 100


def at_once(*does: Callable[[], object]) -> list[object]:
    """Run all at the same moment. Return the result of each, or its error."""
    gate = Barrier(len(does))
    with ThreadPoolExecutor(len(does)) as pool:
        return [one.result() for one in [pool.submit(_tried, gate, do) for do in does]]


def _tried(gate: Barrier, do: Callable[[], object]) -> object:
    try:
        gate.wait()
        for _ in range(TRIES):
            with suppress(OperationalError):
                return do()
        raise AssertionError(f"{TRIES} times without an answer")
    except (Blocked, Conflict, Forbidden, Invalid) as refused:
        return refused
    finally:
        connection.close()


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


def test_both_press_ready_at_once_and_the_dice_fall_once(fighters, contest):
    both = [
        press(fighters.player, contest, "ready", "a"),
        press(fighters.other, contest, "ready", "b"),
    ]
    assert not refused(at_once(*both))
    assert Roll.objects.count() == 1
    assert (fighters.will(fighters.abigail), fighters.will(fighters.bob)) == (8, 8)


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


def test_a_gm_and_the_loser_choose_at_once_and_one_choice_counts(fighters, dice):
    contest = rolled(fighters, dice, (9, 8, 2), (6, 4))
    both = [
        press(fighters.gm, contest, "cross", "b"),
        press(fighters.other, contest, "injure", "b", name="Cut arm"),
    ]
    assert len(refused(at_once(*both))) == 1
    injuries = fighters.rows(fighters.bob, "injuries").count(("Cut arm", 2))
    assert len(crossed(fighters, fighters.bob)) + injuries == 1


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
