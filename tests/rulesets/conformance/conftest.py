"""Each test here runs once for each ruleset that is installed."""

from __future__ import annotations

import pytest

from rolls.registry import RULESETS
from rolls.ruleset import Ruleset
from tests.rulesets.conformance.play import At, sit_down
from tests.rulesets.conformance.samples import Samples, samples_of


@pytest.fixture(params=list(RULESETS))
def ruleset(request: pytest.FixtureRequest) -> Ruleset:
    return RULESETS[request.param]


@pytest.fixture
def samples(ruleset: Ruleset) -> Samples:
    return samples_of(ruleset.name)


@pytest.fixture
def at(cast, settings, dice, monkeypatch, ruleset, samples) -> At:
    """A table at which this ruleset alone is played, and at which every sample has been rolled."""
    settings.FLOOD_DEEDS = 1_000_000
    monkeypatch.setattr("campaigns.views.log.PAGE", 10_000)
    dice(*[4] * 500)
    return sit_down(cast, ruleset, samples)
