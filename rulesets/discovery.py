"""Which packages are rulesets: those in this folder, and those of the entry point group `afterburn.rulesets`.

A package outside says so in its pyproject.toml, and is installed by pip and a restart:

    [project.entry-points."afterburn.rulesets"]
    lanterns = "afterburn_lanterns"

The name is that of the ruleset, the value the dotted name of its Django app (docs/rulesets.md).
"""

from __future__ import annotations

import logging
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pkgutil import iter_modules

import rulesets

GROUP = "afterburn.rulesets"
TAKEN = "scale"
"""The name under which campaigns and logs keep what is the Scale's."""
logger = logging.getLogger(__name__)


def built_in() -> dict[str, str]:
    """Return the apps in this folder, by the names of their rulesets."""
    return {module.name: f"rulesets.{module.name}" for module in iter_modules(rulesets.__path__) if module.ispkg}


def plugins() -> dict[str, str]:
    """Return the apps of other packages, by the names of their rulesets. Raises ValueError if two packages have one name, or one
    has the Scale's."""
    versions: dict[str, str] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        if versions.setdefault(point.name, point.value) != point.value or point.name in (*built_in(), TAKEN):
            raise ValueError(
                f"There are two rulesets called “{point.name}”; one of them is {point.value}. Uninstall one."
            )
    return versions


LEFT_OUT: dict[str, str] = {}
"""Packages of others that cannot even be imported, and why."""


def loadable() -> list[str]:
    """Return the apps of all rulesets that are installed, without those that cannot be imported: these are in LEFT_OUT."""
    for package in plugins().values():
        try:
            if find_spec(f"{import_module(package).__name__}.apps"):
                import_module(f"{package}.apps")
        except Exception as error:
            LEFT_OUT[package] = f"{type(error).__name__}: {error}"
            logger.error("The rules of %s are left out: %s", package, LEFT_OUT[package])
    return [package for package in packages().values() if package not in LEFT_OUT]


def packages() -> dict[str, str]:
    """Return the apps of all installed rulesets, by their names."""
    return built_in() | plugins()
