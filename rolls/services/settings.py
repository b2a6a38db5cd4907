"""Changing what a campaign decides about its rolls."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from campaigns.models import Campaign, Role
from campaigns.services.log import UnitOfWork, service
from rolls.events import SETTINGS_CHANGED
from rolls.settings import RollSettings, roll_settings, stored
from scale.counting import moves_scales
from scale.events import NAME as SCALE
from scale.services.scale import changed


@service(Role.GM)
def change_settings(work: UnitOfWork, settings: RollSettings, *, key: UUID) -> Campaign:
    """Replace all settings of a campaign. They apply from the next roll on; earlier rolls stay as they are.

    Raises Invalid for impossible values, and Blocked if the Scale cannot change hands now.
    """
    now = roll_settings(work.campaign)
    changes = _changes(stored(now), stored(settings))
    if not changes:
        return work.campaign
    was_played = moves_scales(work.campaign)
    work.campaign.settings = work.campaign.settings | stored(settings)
    work.campaign.save(update_fields=["settings"])
    told = changed(work.campaign, now.scale, settings.scale, was_played=was_played)
    work.record(SETTINGS_CHANGED, {"changes": changes, "add_ons": {SCALE: dict(told)}})
    return work.campaign


def _changes(before: dict[str, Any], after: dict[str, Any]) -> list[dict[str, Any]]:
    """Return every setting that is decided otherwise, as {"name", "before", "after"}."""
    was, now = _flat(before), _flat(after)
    return [{"name": name, "before": was[name], "after": now[name]} for name in was if was[name] != now[name]]


def _flat(plain: dict[str, Any]) -> dict[str, Any]:
    return {f"{group}.{name}": value for group, values in plain.items() for name, value in values.items()}
