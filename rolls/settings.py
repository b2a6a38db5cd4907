"""A campaign's decisions about its rules: a group of settings for each ruleset, and for the Scale."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from campaigns import rulesets
from campaigns.models import Campaign
from rules.checked import Checked, made, plain
from scale.rules.scale import Settings as ScaleSettings

G = TypeVar("G")


@dataclass(frozen=True)
class RollSettings:
    """The decisions of one campaign: what differs from the defaults, a value of its class for each set of rules."""

    groups: tuple[Any, ...] = ()

    def __post_init__(self) -> None:
        decided = [group for group in self.groups if group != type(group)()]
        object.__setattr__(self, "groups", tuple(sorted(decided, key=lambda group: type(group).__module__)))

    def of(self, kind: type[G]) -> G:
        """Return the settings of one set of rules."""
        return next((group for group in self.groups if isinstance(group, kind)), None) or kind()

    @property
    def scale(self) -> ScaleSettings:
        return self.of(ScaleSettings)

    def with_(self, group: Any) -> RollSettings:
        """Return the same, with one set of rules decided otherwise."""
        return RollSettings((*(kept for kept in self.groups if type(kept) is not type(group)), group))


def groups() -> dict[str, type[Checked]]:
    """Return the class of the settings of every installed ruleset that has any, and of the Scale, by its name."""
    settings = {rules.name: getattr(rules, "settings", None) for rules in rulesets.every()}
    return {name: group.kind for name, group in settings.items() if group}


def roll_settings(campaign: Campaign) -> RollSettings:
    """Return the settings of a campaign, with defaults for what it has not set."""
    return settings_in(campaign.settings)


def settings_in(chosen: Mapping[str, Mapping[str, Any]]) -> RollSettings:
    """Return the settings in `Campaign.settings` (`stored`)."""
    return RollSettings(tuple(made(kind, chosen[name]) for name, kind in groups().items() if name in chosen))


def stored(settings: RollSettings) -> dict[str, dict[str, Any]]:
    """Return the settings for `Campaign.settings`, in JSON's own types."""
    return {name: plain(settings.of(kind)) for name, kind in groups().items()}
