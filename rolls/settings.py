"""What a campaign decides about its rolls: every decision of our own that the rules leave to the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import Any, Final

from campaigns.models import Campaign
from rolls.rules import arc_settings, descriptors, forged_settings, scale, storyteller

AUTOMATIC: Final = "automatic_success"


@dataclass(frozen=True, kw_only=True)
class RollSettings:
    """The settings of the rules, and ours: `automatic_success` lets players wave their own large enough pools through."""

    scale: scale.Settings = field(default_factory=scale.Settings)
    storyteller: storyteller.Settings = field(default_factory=storyteller.Settings)
    automatic_success: bool = False
    descriptors: descriptors.Settings = field(default_factory=descriptors.Settings)
    arc: arc_settings.Settings = field(default_factory=arc_settings.Settings)
    forged: forged_settings.Settings = field(default_factory=forged_settings.Settings)


GROUPS: Final[Mapping[str, type]] = {
    "scale": scale.Settings,
    "storyteller": storyteller.Settings,
    "descriptors": descriptors.Settings,
    "arc": arc_settings.Settings,
    "forged": forged_settings.Settings,
}
"""The settings of each set of rules, by the name of their field in RollSettings."""


def roll_settings(campaign: Campaign) -> RollSettings:
    """The settings of a campaign; what it has not decided has its default."""
    chosen = campaign.settings
    groups = {name: made(kind, chosen.get(name, {})) for name, kind in GROUPS.items()}
    return RollSettings(**groups, automatic_success=chosen.get(AUTOMATIC, False))


def stored(settings: RollSettings) -> dict[str, Any]:
    """The settings as they lie in `Campaign.settings`, in JSON's own types."""
    groups = {name: plain(getattr(settings, name)) for name in GROUPS}
    return groups | {AUTOMATIC: settings.automatic_success}


def plain(group: Any) -> dict[str, Any]:
    """One group of settings in JSON's own types: tuples as lists, fractions as "3/4"."""
    return {f.name: _plain(getattr(group, f.name)) for f in fields(group)}


def made(kind: type, values: Mapping[str, Any]) -> Any:
    """A group of settings from JSON's own types. What it does not know is left out: a setting that is gone does no harm.

    Raises RuleError for values that cannot be.
    """
    known = {f.name: f.default for f in fields(kind)}
    return kind(**{name: _typed(known[name], value) for name, value in values.items() if name in known})


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return str(value) if isinstance(value, Fraction) else value


def _typed(default: Any, value: Any) -> Any:
    if not isinstance(default, tuple):
        return value
    kind = type(default[0])
    return tuple(kind(one) if kind is Fraction else one for one in value)
