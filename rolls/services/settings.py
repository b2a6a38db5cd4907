"""Changing what a campaign decides about its rolls."""

from __future__ import annotations

from dataclasses import fields
from typing import Any
from uuid import UUID

from campaigns.errors import Invalid, Waiting
from campaigns.models import Campaign, Role
from campaigns.services.log import Table, at_table
from characters.models import Character
from rolls.models import Burn, Scale
from rolls.rules.errors import yes_or_no
from rolls.services.refusal import by_the_rules
from rolls.services.scale import in_use, scale_facts, scale_id, scale_of
from rolls.settings import AUTOMATIC, GROUPS, RollSettings, roll_settings, stored
from rolls.settings_words import setting_words

UNSETTLED = (Burn.State.OFFERED, Burn.State.BANKED, Burn.State.FIRED, Burn.State.OPEN)
BOTCH_NAMES = 5
LONGEST_NAME = 40


@at_table(Role.GM)
def change_settings(table: Table, settings: RollSettings, *, key: UUID) -> Campaign:
    """Decide anew, all settings at once. From the next roll on they hold; what has fallen stays as it was.

    Raises Invalid for values that cannot be, Waiting when the Scale would change hands while a Burn is unsettled.
    """
    _check(settings)
    now = roll_settings(table.campaign)
    changes = _changes(stored(now), stored(settings))
    if not changes:
        return table.campaign
    changes_hands = now.scale.shared != settings.scale.shared
    gone = [scale for scale in Scale.objects.filter(campaign=table.campaign) if in_use(scale, now)]
    if changes_hands and Burn.objects.filter(scale__in=gone, state__in=UNSETTLED).exists():
        message = "A Burn is not settled yet. Take, spend or narrate it first; then the Scale can change hands."
        raise Waiting(message, field="scale.shared")
    table.campaign.settings = table.campaign.settings | stored(settings)
    table.campaign.save(update_fields=["settings"])
    facts: dict[str, Any] = {"changes": changes, "scales": [], "gone": []}
    if changes_hands:
        facts["scales"] = [scale_facts(scale) for scale in _scales(table.campaign, settings)]
        # The shared one is on the page even before it has a row.
        facts["gone"] = [str(scale.pk) for scale in gone] or [str(scale_id(table.campaign, None))]
    table.record("rolls.settings_changed", facts)
    return table.campaign


def _scales(campaign: Campaign, settings: RollSettings) -> list[Scale]:
    """The Scales that are now in use: the table's, or one for every player character."""
    if settings.scale.shared:
        return [Scale.objects.get_or_create(pk=scale_id(campaign, None), defaults={"campaign": campaign})[0]]
    players = Character.objects.active().filter(campaign=campaign).exclude(owner=None)
    return [scale_of(campaign, character, settings) for character in players]


def _changes(before: dict[str, Any], after: dict[str, Any]) -> list[dict[str, Any]]:
    """Every setting that is decided otherwise, as {"name", "words", "before", "after"}, all in words."""
    was, now = _flat(before), _flat(after)
    return [
        {"name": name, "words": setting_words(name), "before": _said(was[name]), "after": _said(now[name])}
        for name in was
        if was[name] != now[name]
    ]


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(str(one) for one in value) if isinstance(value, list) else str(value)


def _flat(plain: dict[str, Any]) -> dict[str, Any]:
    """Every setting by "<rules>.<field>"."""
    flat = {f"{group}.{name}": value for group in GROUPS for name, value in plain[group].items()}
    return flat | {f"storyteller.{AUTOMATIC}": plain[AUTOMATIC]}


def _check(settings: RollSettings) -> None:
    with by_the_rules():
        for group in (settings, settings.scale, settings.storyteller):
            for field in fields(group):
                if field.type == "bool":
                    yes_or_no(field.name, getattr(group, field.name))
    names = settings.storyteller.botch_names
    if len(names) != BOTCH_NAMES or not all(isinstance(name, str) and 0 < len(name) <= LONGEST_NAME for name in names):
        raise Invalid(
            f"Name all {BOTCH_NAMES} severities, in up to {LONGEST_NAME} characters each.",
            field="storyteller.botch_names",
        )
