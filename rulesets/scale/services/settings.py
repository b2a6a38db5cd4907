"""When a campaign decides otherwise whose the Scale is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaigns.errors import Blocked
from campaigns.models import Campaign
from characters.models import Character
from rolls.settings import RollSettings
from rulesets.scale.models import Burn, Scale
from rulesets.scale.queries.counting import joins
from rulesets.scale.queries.scale import in_use, scale_id, scale_payload
from rulesets.scale.rules.scale import Settings
from rulesets.scale.services.scale import scale_of

UNSETTLED = (Burn.State.OFFERED, Burn.State.BANKED, Burn.State.FIRED, Burn.State.OPEN)


def changed(campaign: Campaign, now: RollSettings, then: RollSettings) -> Mapping[str, Any]:
    """The Scales that are in use from now on, and the ids of those that no longer are; both empty where it keeps its hands.

    Raises Blocked when it would change hands, or stand still for good, while a Burn is unsettled.
    """
    was_played, is_played = joins(campaign.systems, now), joins(campaign.systems, then)
    if now.of(Settings).shared == then.of(Settings).shared and was_played == is_played:
        return {"scales": [], "gone": []}
    gone = [scale for scale in Scale.objects.filter(campaign=campaign) if in_use(scale, now)] if was_played else []
    if Burn.objects.filter(scale__in=gone, state__in=UNSETTLED).exists():
        what = "change hands" if is_played else "be left out"
        message = f"A Burn is not settled yet. Take, spend or narrate it first; then the Scale can {what}."
        raise Blocked(message, field="scale.shared")
    # The shared one is on the page even before it has a row.
    unmoved = [str(scale_id(campaign, None))] if was_played else []
    return {
        "scales": [scale_payload(scale) for scale in _scales(campaign, then)] if is_played else [],
        "gone": [str(scale.pk) for scale in gone] or unmoved,
    }


def _scales(campaign: Campaign, settings: RollSettings) -> list[Scale]:
    """The Scales that are now in use: the table's, or one for every player character."""
    if settings.of(Settings).shared:
        return [Scale.objects.get_or_create(pk=scale_id(campaign, None), defaults={"campaign": campaign})[0]]
    players = Character.objects.active().filter(campaign=campaign).exclude(owner=None)
    return [scale_of(campaign, character, settings) for character in players]
