"""What all values of the rules have in common."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from importlib import import_module
from pkgutil import walk_packages

import rules
import rulesets
import scale.rules


def values() -> Iterator[type]:
    """Yield the dataclasses of the shared rules, and of the rules and settings of each ruleset and of the Scale."""
    shared = (walk_packages(package.__path__, f"{package.__name__}.") for package in (rules, scale.rules))
    own = walk_packages(rulesets.__path__, "rulesets.")
    for name in [one.name for package in shared for one in package] + [
        one.name for one in own if ".rules." in one.name
    ]:
        if not name.endswith("__main__"):
            yield from (one for one in vars(import_module(name)).values() if _is_its_own(one, name))


def _is_its_own(thing: object, module: str) -> bool:
    return isinstance(thing, type) and is_dataclass(thing) and thing.__module__ == module


def test_values_stay_as_they_were_made():
    """Outcomes are told and kept, and settings are keys of what is cached: neither may change, or take what it has no
    field for.
    """
    for value in values():
        assert value.__dataclass_params__.frozen, value
        assert "__slots__" in vars(value), value
        assert value.__hash__ is not None, value


def test_what_is_asked_and_decided_is_said_by_name():
    """A row of numbers, or of yes and no, says nothing to a reader, and changes its meaning with every new field."""
    for value in values():
        assert value.__name__ not in ("Ask", "Settings") or all(field.kw_only for field in fields(value)), value
