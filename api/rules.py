"""The routes of rulesets and add-ons: `router` in the module `api` of their package (docs/rulesets.md)."""

from __future__ import annotations

from collections.abc import Iterator

from django.apps import apps

from api.router import CampaignRouter
from rolls.apps import RulesetConfig
from rolls.registry import LEFT_OUT


def routers_of_rules() -> Iterator[CampaignRouter]:
    """Yield the routers of all installed rulesets, in order."""
    for app in apps.get_app_configs():
        if isinstance(app, RulesetConfig) and app.name not in LEFT_OUT and (router := app.router()):
            yield router
