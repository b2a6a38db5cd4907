"""The Django app of rolls, and that of a ruleset."""

from __future__ import annotations

import logging
from importlib import import_module
from typing import Any, Final

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.urls import get_resolver
from django.utils.module_loading import module_has_submodule


class RollsConfig(AppConfig):
    name = "rolls"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from campaigns import rulesets
        from campaigns.kinds import on_event
        from campaigns.services.log_entries import after_migrations
        from rolls import erasing  # noqa: F401  # these connect themselves to signals
        from rolls.queries import checking, procedures  # noqa: F401
        from rolls.scale import THE_SCALE
        from rolls.services import fairness, procedure_reading  # noqa: F401

        rulesets.JOINING[THE_SCALE.name] = THE_SCALE
        for kind, do in procedure_reading.SIGNALS.items():
            on_event(kind)(do)
        on_event(*procedure_reading.SHOWN)(procedure_reading.seen_otherwise)
        post_migrate.connect(after_migrations, sender=self)


OURS: Final = "rulesets."
logger = logging.getLogger(__name__)


class RulesetConfig(AppConfig):
    """Registers the one `Ruleset` in the module `ruleset` of the package when everything is loaded.

    A faulty package of others is left out: the log, `manage.py check` and the hosts' page give the reason, and the site
    runs without it. A fault in one of this project is an error of `manage.py check`.
    """

    # Django looks for the one app of a module, and would otherwise find this class too.
    default = False
    default_auto_field = "django.db.models.BigAutoField"

    def __init_subclass__(cls) -> None:
        cls.default = True

    _models_fault: Exception | None = None

    def import_models(self) -> None:
        """Import the models as Django does. A package of others whose models cannot be imported has none."""
        try:
            super().import_models()
        except Exception as error:
            if self.name.startswith(OURS):
                raise
            self._models_fault = error
            self.models.clear()  # the lines above the fault

    def ready(self) -> None:
        if self.name.startswith(OURS):
            self._register()
            return
        from rolls.registry import LEFT_OUT

        try:
            if self._models_fault:
                raise self._models_fault
            if module_has_submodule(self.module, "urls"):
                _ = get_resolver(f"{self.name}.urls").url_patterns  # raises what the site's addresses would raise
            self.router()
            wrong = self._register(is_checked=True)
        except Exception as error:
            logger.exception("The rules of %s could not be loaded", self.name)
            wrong = f"{type(error).__name__}: {error}"
        if wrong:
            LEFT_OUT[self.name] = wrong
            logger.error("The rules of %s are left out: %s", self.name, wrong)

    def router(self) -> Any:
        """Return the ruleset's API routes, `router` in its module `api`; None without that module. Raises LookupError
        if there is no such router in it.
        """
        from ninja import Router

        if not module_has_submodule(self.module, "api"):
            return None
        router = getattr(import_module(f"{self.name}.api"), "router", None)
        if not isinstance(router, Router):
            raise LookupError(f"{self.name}.api has no `router`, a CampaignRouter of afterburn.api.")
        return router

    def _register(self, *, is_checked: bool = False) -> str:
        """Register the rules. With `is_checked`, check them first and return what is wrong, without registering faulty ones."""
        from rolls.checks import problems
        from rolls.registry import register, withdraw
        from rolls.ruleset import Ruleset

        module = import_module(f"{self.name}.ruleset")
        classes = [
            value
            for value in vars(module).values()
            if isinstance(value, type) and issubclass(value, Ruleset) and value.__module__ == module.__name__
        ]
        if len(classes) != 1:
            raise LookupError(f"{module.__name__} has {len(classes)} subclasses of Ruleset, and has to have one.")
        rules = classes[0]()
        register(rules)
        wrong = " ".join(problems(rules)) if is_checked else ""
        if wrong:
            withdraw(rules)
        return wrong
