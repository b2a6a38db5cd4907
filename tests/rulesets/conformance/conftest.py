"""Each test here runs once for each ruleset that is installed."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from rolls.registry import RULESETS
from rolls.ruleset import Ruleset
from tests.cast import gathered
from tests.dice import load, unload
from tests.memory import remembered
from tests.rulesets.conformance.play import At, sit_down
from tests.rulesets.conformance.samples import Samples, samples_of


@pytest.fixture(params=list(RULESETS))
def ruleset(request: pytest.FixtureRequest) -> Ruleset:
    return RULESETS[request.param]


@pytest.fixture
def samples(ruleset: Ruleset) -> Samples:
    return samples_of(ruleset.name)


@pytest.fixture
def at(db, settings, dice, monkeypatch, ruleset) -> At:
    """Return a table with this ruleset alone, at which every sample has been rolled; it is played once in a process."""
    settings.RATE_LIMIT = 1_000_000
    monkeypatch.setattr("campaigns.views.log.PAGE", 10_000)
    at = At(ruleset=ruleset, **remembered(_evening(ruleset.name)))
    unload()
    dice(*[4] * 500)
    return at


@cache
def _evening(name: str) -> Callable[[], dict[str, Any]]:
    """Return the function that plays that evening, the same one for each test."""

    def play() -> dict[str, Any]:
        load(*[4] * 500)
        at = sit_down(gathered(), RULESETS[name], samples_of(name))
        for person in at.cast.everybody.values():
            # A browser cannot be remembered; its person signs in again.
            vars(person).pop("client", None)
        return {part: value for part, value in vars(at).items() if part != "ruleset"}

    return play
