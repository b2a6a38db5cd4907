"""The Django app of a ruleset."""

from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig


class RulesetConfig(AppConfig):
    """Registers the `RULESET` of the package's module `ruleset` when everything is ready."""

    # Django looks for the one app of a module, and would find this class beside it.
    default = False

    def __init_subclass__(cls) -> None:
        cls.default = True

    def ready(self) -> None:
        from rolls.registry import register

        register(import_module(f"{self.name}.ruleset").RULESET)
