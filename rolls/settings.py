"""What a campaign decides about its rules: a group of settings for each ruleset and add-on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, TypeVar

from campaigns import rulesets
from campaigns.models import Campaign

G = TypeVar("G")


@dataclass(frozen=True)
class RollSettings:
    """The decisions of one campaign: what differs from the defaults, a value of its dataclass for each set of rules."""

    groups: tuple[Any, ...] = ()

    def __post_init__(self) -> None:
        decided = [group for group in self.groups if group != type(group)()]
        object.__setattr__(self, "groups", tuple(sorted(decided, key=lambda group: type(group).__module__)))

    def of(self, kind: type[G]) -> G:
        """The settings of one set of rules."""
        return next((group for group in self.groups if isinstance(group, kind)), None) or kind()

    def with_(self, group: Any) -> RollSettings:
        """The same, with one set of rules decided otherwise."""
        return RollSettings((*(one for one in self.groups if type(one) is not type(group)), group))


def groups() -> dict[str, type[Any]]:
    """Return the frozen dataclass of every installed ruleset and add-on that has settings, by its name."""
    settings = {rules.name: getattr(rules, "settings", None) for rules in rulesets.every()}
    return {name: group.kind for name, group in settings.items() if group}


def roll_settings(campaign: Campaign) -> RollSettings:
    """The settings of a campaign; what it has not decided has its default."""
    return settings_in(campaign.settings)


def settings_in(chosen: Mapping[str, Mapping[str, Any]]) -> RollSettings:
    """The settings that lie in `Campaign.settings` (`stored`)."""
    return RollSettings(tuple(made(kind, chosen[name]) for name, kind in groups().items() if name in chosen))


def stored(settings: RollSettings) -> dict[str, dict[str, Any]]:
    """The settings as they lie in `Campaign.settings`, in JSON's own types."""
    return {name: plain(settings.of(kind)) for name, kind in groups().items()}


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
