"""For the `apps` module of a package."""

from rolls.app_config import RulesetConfig
