"""Two people who press in the same second, each in a process of their own, in a procedure of every kind.

What comes of it is what would have come if one of them had pressed first, whichever that was: nothing is lost in silence, and
who is refused is told in a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import chain
from uuid import UUID, uuid4

import pytest
from django.urls import reverse
from django.utils.html import strip_tags

from campaigns.models import Role
from campaigns.services.members import change_role
from rolls.models import Procedure, Roll
from rolls.queries.checking import faults
from rolls.registry import RULESETS
from tests.cast import gathered
from tests.dice import load, unload
from tests.flows.robot import Press, Robot
from tests.memory import remembered
from tests.racing import in_processes
from tests.rulesets.conformance.play import At, answers, make_second, sit_down, stored, undone
from tests.rulesets.conformance.samples import Samples, samples_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.run_on("postgresql")]

PEOPLE = ("gm", "player", "other_player", "spectator")
"""The spectator is a second GM here."""
ROUNDS = 2
KINDS = [(system, kind) for system, rules in RULESETS.items() for kind in rules.procedures]
Done = tuple[list[tuple[int, bool]], dict[object, object]]


@cache
def _evening(system: str):
    """Return what seats two players and two GMs at a table of a game."""

    def play():
        there = samples_of(system)
        at = sit_down(gathered(), RULESETS[system], Samples(there.sheet, there.rows))
        other = make_second(at, there)
        change_role(at.cast.gm.member, at.cast.spectator.member, Role.GM, expected=Role.SPECTATOR, key=uuid4())
        for person in at.cast.everybody.values():
            vars(person).pop("client", None)
        return at.cast, at.character, other

    return play


@pytest.fixture
def begun(system, kind, settings):
    """Return a table at which a procedure of this kind is under way."""
    settings.RATE_LIMIT = 1_000_000
    fours()
    cast, character, other = remembered(_evening(system))
    at = At(cast, RULESETS[system], character, {})
    at.sign_in()
    own = [{}, *answers(at, samples_of(system))]
    robot = Robot(cast, lambda operation, tries=False: operation(uuid4()), own=own)
    before = set(Procedure.objects.values_list("pk", flat=True))
    if begin := samples_of(system).begun.get(kind):
        begin(at, other)
    else:
        with undone():
            robot.opens(system, kind)
            opening = robot.presses[-1]
        robot.answer(opening, uuid4())
    yield at, robot, before
    unload()


def fours() -> None:
    unload()
    load(*[4] * 300)


@pytest.mark.parametrize("same", [True, False], ids=["the same", "different ones"])
@pytest.mark.parametrize(("system", "kind"), KINDS)
def test_two_who_press_in_the_same_second_come_one_after_the_other(begun, system, kind, same):
    at, robot, before = begun
    assert Procedure.objects.filter(kind=kind, closed_at=None).exclude(pk__in=before).exists()
    rounds = 0
    for _ in range(ROUNDS):
        there = Procedure.objects.filter(closed_at=None).exclude(pk__in=before).order_by("kind")
        pair = next(filter(None, (two_presses(robot, one, same=same) for one in there)), None)
        if pair is None:
            break
        keys = [uuid4(), uuid4()]
        orders = [one_after_the_other(at, robot, pair, keys, first=first) for first in (0, 1)]
        fours()
        answers = in_processes([partial(robot.answered, one, key) for one, key in zip(pair, keys, strict=True)])
        assert (told(answers), standing(at)) in orders
        rounds += 1
    assert rounds
    assert [*faults(at.cast.campaign)] == []


def two_presses(robot: Robot, procedure: Procedure, *, same: bool) -> tuple[Press, Press] | None:
    """Return what two people press: the same, or one this and one that. What only one person can press they do in two windows."""
    end = Press("spectator", reverse("procedure_close", args=[robot.cast.campaign.slug, procedure.pk]))
    with undone():
        for one in chain.from_iterable(robot.can_do(who, procedure) for who in PEOPLE):
            others = [who for who in PEOPLE if who != one.who]
            if same:
                pressed = (replace(one, who=who) for who in (*others, one.who))
                found: Iterator[Press] = (press for press in pressed if robot.tried(press) < 300)
            else:
                every = chain.from_iterable((*robot.can_do(who, procedure), end) for who in others)
                found = (press for press in every if (press.typed, press.roll) != (one.typed, one.roll))
            if other := next(found, None):
                return one, other
    return None


def one_after_the_other(at: At, robot: Robot, pair: tuple[Press, Press], keys: list[UUID], *, first: int) -> Done:
    """Return the answers and what stands then if the first or the second of them has pressed first. It leaves no trace."""
    fours()
    with undone():
        answers = {number: robot.answered(pair[number], keys[number]) for number in (first, 1 - first)}
        return told([answers[0], answers[1]]), standing(at)


def told(answers: list[tuple[int, str]]) -> list[tuple[int, bool]]:
    """Return the answers' numbers, and which of them refuse in a sentence."""
    said = []
    for status, text in answers:
        refused = status >= 400
        if refused:
            assert status in (403, 404, 409, 422, 423) and re.search(r"[.!?]\s*$", strip_tags(text)), (status, text)
        said.append((status, refused))
    return said


def standing(at: At) -> dict[object, object]:
    """Return what stands on sheets, on clocks, in procedures, and of rolls."""
    rolls = Roll.objects.filter(campaign=at.cast.campaign)
    return stored(at) | {one.pk: (one.faces, one.outcome, one.voided_at is None) for one in rolls}
