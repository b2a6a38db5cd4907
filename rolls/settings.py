"""What a campaign decides about its rolls: every decision of our own that the rules leave to the table."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from typing import Any

from campaigns.models import Campaign
from rolls.rules import scale, storyteller


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
