"""A campaign's budgets for new characters: its own figures in `Campaign.settings`, else ours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from campaigns.models import Campaign
from characters.creation.budget import Budget
from characters.rulesets import budgets

CREATION: Final = "creation"


def budget_of(campaign: Campaign, system: str) -> Budget:
    """Return the budget of one of the campaign's systems. Settings that no longer exist are left out."""
    kind, chosen = budgets()[system], campaign.settings.get(CREATION, {}).get(system, {})
    known = {name: chosen[name] for name in kind.settings() if name in chosen}
    return kind(**known, **_ruled(campaign, system))


def given(campaign: Campaign, systems: Iterable[str]) -> dict[str, dict[str, int]]:
    """Return every setting of some systems as it is now: {system: {name: points}}."""
    budgets = {system: budget_of(campaign, system) for system in systems}
    return {system: {name: getattr(budget, name) for name in budget.settings()} for system, budget in budgets.items()}


def _ruled(campaign: Campaign, system: str) -> Mapping[str, Any]:
    """Return those of a budget's settings that the campaign's rules of rolls already decide."""
    rules = campaign.settings.get(system, {})
    return {name: rules[name] for name in budgets()[system].ruled if name in rules}
