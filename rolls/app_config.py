"""The Django app of a ruleset or an add-on."""

from __future__ import annotations

from importlib import import_module
from typing import ClassVar

from django.apps import AppConfig


class RulesetConfig(AppConfig):
    """Registers the one `Ruleset` or `AddOn` that stands in a module of the package when everything is ready."""

    # Django looks for the one app of a module, and would find this class beside it.
    default = False
    default_auto_field = "django.db.models.BigAutoField"

    rules_module: ClassVar[str] = "ruleset"
    """The module of the package in which the class stands."""

    def __init_subclass__(cls) -> None:
        cls.default = True

    def ready(self) -> None:
        from rolls.registry import register
        from rolls.ruleset import AddOn, Ruleset

        module = import_module(f"{self.name}.{self.rules_module}")
        (rules,) = (
            one
            for one in vars(module).values()
            if isinstance(one, type) and issubclass(one, Ruleset | AddOn) and one.__module__ == module.__name__
        )
        register(rules())
