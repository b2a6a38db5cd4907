"""What a player can find out of a US: as much as the results of checks that a GM has set, whatever else they try.

Two tables that differ in nothing but a US hear the same operations; whatever differs in what a player is answered tells of it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID, uuid5

import pytest
from django.db import transaction
from django.urls import reverse

from campaigns.errors import ServiceError
from campaigns.models import Event
from characters.models import Character
from rolls.models import Audience, Procedure, Roll
from rolls.services.procedures import act, open_procedure
from rolls.services.requests import Call, announce_roll, ask_for_roll
from rolls.services.rolls import make_roll
from rules.acts import ActKey
from rulesets.arc.settings import Level
from rulesets.arc.terms import ArcInput
from tests import dice
from tests.rolls.checks import GUARD, PICKLOCK
from tests.rulesets.arc.samples import BLANK
from tests.sheets import create_character, rewrite

NAMES = UUID(int=7)
ROLLS = 100
STEPS = 150
REQUESTS, TRIES = 5, 8
ODDS = 50


@pytest.fixture(autouse=True)
def nobody_is_too_fast(settings) -> None:
    settings.RATE_LIMIT = 1_000_000


class RolledBack(Exception):
    """So that the next table begins as this one did."""


@contextmanager
def as_if_never() -> Iterator[None]:
    try:
        with transaction.atomic():
            yield
            raise RolledBack
    except RolledBack:
        pass


def settings_of(picked: random.Random, mine: list[Character], seen: list[UUID]) -> dict[str, Any]:
    """Return anything that a form can be made to send, most of it what a player should leave to the GM."""
    one = picked.random
    return {
        "character": picked.choice(mine).pk,
        "kind": picked.choice(["check", "check", "opposed", "counter", "reaction"]),
        "stat": picked.choice(["control", "control", "intellect", ""]),
        "skill": picked.choice(["tamper", "watch", ""]),
        "ks": picked.randint(1, 10) if one() < 0.1 else None,
        "us": picked.randint(1, 10) if one() < 0.1 else None,
        "es": picked.randint(1, 10) if one() < 0.4 else None,
        "other": picked.randint(-100, 100) if one() < 0.5 else 0,
        "level": picked.choice(["very_easy", "average", "extreme"]),
        "threshold": picked.randint(0, 100) if one() < 0.5 else None,
        "against": picked.choice([*seen, None]) if one() < 0.5 else None,
    }


def attack(checks: Any, us: int, heard: Callable[[Any], None]) -> None:
    """Try everything as Mo, who plays two characters, with chosen dice and without any request by a GM."""
    picked = random.Random(4)
    rewrite(checks.silas, secret={"us_control": us, "us_intellect": us})
    second = create_character(
        pk=uuid5(NAMES, "second"), campaign=checks.campaign, name="Second", owner=checks.mo, system="arc", sheet=GUARD
    )
    seen = [checks.roll(5, by=checks.gm, kind="opposed").pk, uuid5(NAMES, "nothing")]
    for number in range(ROLLS):
        asked = ArcInput(**settings_of(picked, [checks.silas, second], seen))
        faces = [picked.randint(1, 8)] if picked.random() < 0.7 else None
        audience = picked.choice(list(Audience))
        dice.unload()
        dice.load(picked.randint(1, 4))
        key = uuid5(NAMES, str(number))
        try:
            if picked.random() < 0.3:
                announce_roll(checks.mo, Call(asked), audience=audience, key=key)
            else:
                seen.append(make_roll(checks.mo, asked, audience=audience, key=key, faces=faces).pk)
        except ServiceError as error:
            heard((type(error).__name__, error.field, error.message))
    told = Event.objects.filter(campaign=checks.campaign, stream__name__in=["table", checks.mo.stream])
    heard([(event.kind, event.described.get("outcome"), event.described.get("words")) for event in told.order_by("pk")])


def test_hundreds_of_rolls_without_a_gm_tell_nothing_of_a_us(checks):
    answers: dict[int, list[Any]] = {}
    for us in (1, 4, 7):
        answers[us] = []
        with as_if_never():
            attack(checks, us, answers[us].append)
            assert {roll.kind for roll in Roll.objects.filter(by=checks.mo)} == {"reaction"}
    assert all(heard == answers[1] for heard in answers.values())


def test_what_a_gm_asks_for_tells_one_result_each(checks):
    """Two US that the GM's threshold does not separate with this die stay alike, whatever Mo adds to the answer."""
    heard: dict[int, list[Any]] = {us: [] for us in (1, 2, 3, 7)}
    for us, answers in heard.items():
        picked = random.Random(5)
        with as_if_never():
            rewrite(checks.silas, secret={"us_control": us})
            for number in range(REQUESTS):
                call = Call(ArcInput(stat="control", skill="tamper", threshold=14))
                request = ask_for_roll(checks.gm, call, member=checks.mo.pk, key=uuid5(NAMES, f"asked {number}"))
                for at in range(TRIES):
                    more = settings_of(picked, [checks.silas], [])
                    if at == TRIES - 1:
                        more = {"character": checks.silas.pk, "threshold": 14, "stat": "", "skill": ""}
                    dice.unload()
                    dice.load(5)
                    try:
                        asked = ArcInput(**more, request=request.pk)
                        rolled = make_roll(
                            checks.mo, asked, audience=Audience.TABLE, key=uuid5(NAMES, f"{number} {at}")
                        )
                        answers.append((rolled.ask["threshold"], rolled.ask["other"], rolled.outcome["result"]))
                    except ServiceError as error:
                        answers.append((type(error).__name__, error.field, error.message))
    # KS 7 and a 5: a US of 3 exceeds 14, one of 2 does not.
    assert heard[1] == heard[2] != heard[3] == heard[7]
    rolled = [answer for answer in heard[7] if answer[-1] in ("success", "failure")]
    assert rolled == [(14, 0, "success")] * REQUESTS


@pytest.mark.parametrize(
    "tried",
    [
        {"threshold": 12},
        {"level": "extreme"},
        {"other": 100},
        {"other": -2, "kind": "opposed"},
        {"kind": "opposed"},
        {},
    ],
)
@pytest.mark.parametrize("faces", [None, [3]])
def test_a_player_rolls_no_check_that_no_gm_has_asked_for(checks, tried, faces):
    asked = ArcInput(character=checks.silas.pk, stat="control", skill="tamper", **tried)
    with pytest.raises(ServiceError) as refused:
        make_roll(checks.mo, asked, audience=Audience.TABLE, key=uuid5(NAMES, "one"), faces=faces)
    assert "Announce the check" in refused.value.message
    assert not Roll.objects.exists()


def steps_of_a_player(checks: Any, us: int, heard: Callable[[Any], None]) -> None:
    """Mo opens checks and presses whatever a form can be made to send; the GM sets one, at a threshold that any US exceeds."""
    picked = random.Random(8)
    rewrite(checks.silas, secret={"us_control": us})
    given = BLANK | {"character": checks.silas.pk, "stat": "control", "skill": "tamper"}
    there = [open_procedure(checks.mo, "arc", "check", given, key=uuid5(NAMES, f"check {n}")) for n in range(3)]
    act(checks.gm, there[0].pk, ActKey("level", "very_easy"), key=uuid5(NAMES, "set"))
    names = [*Level, "set", "oppose", "chip", "chip", "count", "drop", "roll"]
    for number in range(STEPS):
        one, name, key = picked.choice(there), picked.choice(names), uuid5(NAMES, f"step {number}")
        side = {"character": checks.silas.pk, "name": "", "stat": "build", "skill": "", "fight": True}
        chip = {"side": picked.choice("ab"), "word": "rain", "value": picked.choice(["1", "-2"]), "special": None}
        values = {"set": side | {"level": "", "threshold": picked.randint(0, 100)}, "oppose": side, "chip": chip}
        asked = ArcInput(**settings_of(picked, [checks.silas], []), request=_asked_of(one))
        if picked.random() < 0.5:
            asked = ArcInput(character=checks.silas.pk, level=Level.VERY_EASY, request=_asked_of(there[0]))
        dice.unload()
        dice.load(picked.randint(1, 8))
        try:
            if name == "roll":
                make_roll(checks.mo, asked, audience=Audience.TABLE, key=key)
            else:
                whom = f"c{picked.randint(1, 9)}"
                act(checks.mo, one.pk, ActKey(name, whom), given=values.get(name), key=key)
        except ServiceError as error:
            heard((type(error).__name__, error.field, error.message))
    told = Event.objects.filter(campaign=checks.campaign, stream__name__in=["table", checks.mo.stream])
    heard([(one.kind, one.described.get("outcome"), one.described.get("said")) for one in told.order_by("pk")])


def _asked_of(procedure: Procedure) -> UUID | None:
    return procedure.requests.filter(closed_at=None).values_list("pk", flat=True).first()


def test_hundreds_of_steps_of_a_player_tell_nothing_of_a_us(checks):
    answers: dict[int, list[Any]] = {}
    for us in (1, 4, 7):
        answers[us] = []
        with as_if_never():
            steps_of_a_player(checks, us, answers[us].append)
            assert {roll.ask.get("threshold") for roll in Roll.objects.all()} == {3, None}
            assert not any(one["proposed"] is False for each in Procedure.objects.all() for one in each.state["chips"])
    assert all(heard == answers[1] for heard in answers.values())


def test_the_odds_of_a_player_are_the_same_whatever_the_us(cast, checks):
    picked = random.Random(6)
    tried = [settings_of(picked, [checks.silas], []) for _ in range(ODDS)]
    heard: dict[int, list[str]] = {}
    url = reverse("odds", args=[cast.campaign.slug])
    for us in (1, 4, 7):
        rewrite(checks.silas, secret={"us_control": us, "us_intellect": us})
        asked = [{name: value for name, value in one.items() if value is not None} for one in tried]
        heard[us] = [cast.player.client.get(url, {"system": "arc", **one}).content.decode() for one in asked]
    assert heard[1] == heard[4] == heard[7]


def test_the_attack_begins_with_scores_that_would_tell(checks):
    """Otherwise the tests above would look where nothing is hidden."""
    results = set()
    for us in (1, 7):
        rewrite(checks.silas, secret={"us_control": us}, sheet=PICKLOCK)
        results.add(checks.roll(5, threshold=14).outcome["result"])
    assert results == {"success", "failure"}
