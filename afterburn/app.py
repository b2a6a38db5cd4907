"""For the `apps` module of a package."""

from rolls.apps import RulesetConfig
