"""What a campaign decides about its rolls: every decision of our own that the rules leave to the table."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from typing import Any

from campaigns.models import Campaign
from rolls.rules import scale, storyteller

WORDS = {
    "shared": "One Scale for the whole table",
    "npcs_feed": "Action rolls of NPCs move the Scale too",
    "cancelled_ones_count": "A 1 that cancelled a success still counts on the Scale",
    "players_call_in_trouble": "Players may call in banked Trouble too",
    "staying_is_reaching": "Every roll that ends at 3 or beyond reaches a Burn",
    "major_clears_bank": "A Major Burn takes a banked Burn with it",
    "willpower_prevents_botch": "A Willpower point prevents a botch",
    "botch_cancellation": "Abilities of 5 and 6 take 1s out of a botch",
    "tens_count_twice": "A ten counts as two successes",
    "botch_names": "Names of botches, from one 1 to five",
    "willpower_per_turn": "Willpower points for successes in one turn",
    "automatic_success": "Players may let a large enough pool through without dice",
}
"""What each setting decides, as the table reads it."""


@dataclass(frozen=True, kw_only=True)
class RollSettings:
    """The settings of the rules, and ours: `automatic_success` lets players wave their own large enough pools through."""

    scale: scale.Settings = field(default_factory=scale.Settings)
    storyteller: storyteller.Settings = field(default_factory=storyteller.Settings)
    automatic_success: bool = False


def roll_settings(campaign: Campaign) -> RollSettings:
    """The settings of a campaign; what it has not decided has its default."""
    chosen = campaign.settings
    told = _known(storyteller.Settings, chosen.get("storyteller", {}))
    if "botch_names" in told:
        told["botch_names"] = tuple(told["botch_names"])
    return RollSettings(
        scale=scale.Settings(**_known(scale.Settings, chosen.get("scale", {}))),
        storyteller=storyteller.Settings(**told),
        automatic_success=chosen.get("automatic_success", False),
    )


def stored(settings: RollSettings) -> dict[str, Any]:
    """The settings as they lie in `Campaign.settings`, in JSON's own types."""
    plain = asdict(settings)
    plain["storyteller"]["botch_names"] = list(settings.storyteller.botch_names)
    return plain


def _known(kind: type, values: dict[str, Any]) -> dict[str, Any]:
    names = {f.name for f in fields(kind)}
    return {name: value for name, value in values.items() if name in names}
