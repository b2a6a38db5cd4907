"""Whose dice a campaign's Scale counts: those of rulesets whose dice can be counted, where the campaign wants that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from campaigns.models import Campaign
from rolls.countable import BOTH, Countable
from rolls.registry import RULESETS
from rolls.rules.tally import Read, Shifts, read
from rolls.settings import RollSettings, roll_settings
from rolls.table_rules import Terms
from rulesets.scale.rules.reading import tally
from rulesets.scale.rules.scale import Settings


def countable(system: str) -> Countable | None:
    """How the dice of a ruleset are counted, whatever a campaign has decided: for rolls that have moved a Scale already."""
    ruleset = RULESETS.get(system)
    return ruleset.table.counted if ruleset else None


def counted_now(system: str, settings: RollSettings) -> Countable | None:
    """The same for a roll that is yet to fall; None where it does not concern the Scale."""
    counted = countable(system)
    return counted if counted and counted.wanted(settings) else None


def read_of(counted: Countable, outcome: Mapping[str, Any], settings: Settings) -> Read:
    """What the dice of a roll give, by its terms and outcome or by its card: those of both sides, where both play for the table
    whose Scale it is."""
    return read(counted.fallen(outcome), tally(settings), both=settings.shared)


def shifts_for(counted: Countable, terms: Terms, settings: Settings) -> Shifts:
    """How likely each sum of them is."""
    return counted.shifts(terms if settings.shared else {**terms, BOTH: False}, tally(settings))


def joins(names: Iterable[str], settings: RollSettings) -> bool:
    """Return whether anything that is rolled by these rulesets moves a Scale."""
    return any(counted_now(name, settings) for name in names)


def moves_scales(campaign: Campaign) -> bool:
    """Return whether a campaign plays by rules whose rolls move a Scale."""
    return joins(campaign.systems, roll_settings(campaign))
