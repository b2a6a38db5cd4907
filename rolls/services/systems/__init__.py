"""The rule systems that can be rolled at the table, by the names that campaigns choose them by."""

from campaigns.errors import Invalid
from campaigns.models import Campaign
from rolls.services.systems import arc, descriptors, forged, storyteller
from rolls.services.systems.base import RollSystem

SYSTEMS = {system.name: system for system in (storyteller.SYSTEM, descriptors.SYSTEM, arc.SYSTEM, forged.SYSTEM)}


def system_of(campaign: Campaign, name: str) -> RollSystem:
    """The system of this name. Raises Invalid for one that the campaign does not play by."""
    if name not in SYSTEMS or name not in campaign.systems:
        raise Invalid("This campaign does not play by these rules.", field="system")
    return SYSTEMS[name]
