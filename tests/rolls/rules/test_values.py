"""What all values of the rules have in common."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from importlib import import_module
from pkgutil import walk_packages

import pytest

import rolls.rules
import rulesets


def values() -> Iterator[type]:
    """Those of the rules that all rulesets share, and of the rules and settings of each."""
    shared, own = walk_packages(rolls.rules.__path__, "rolls.rules."), walk_packages(rulesets.__path__, "rulesets.")
    for name in [one.name for one in shared] + [one.name for one in own if ".rules." in one.name]:
        if not name.endswith("__main__"):
            yield from (one for one in vars(import_module(name)).values() if _is_its_own(one, name))


def _is_its_own(thing: object, module: str) -> bool:
    return isinstance(thing, type) and is_dataclass(thing) and thing.__module__ == module


@pytest.mark.parametrize("value", list(values()), ids=lambda value: f"{value.__module__}.{value.__name__}")
def test_a_value_stays_as_it_was_made(value):
    """Outcomes are told and kept, and settings are keys of what is cached: neither may change, or take what it has no
    field for.
    """
    assert value.__dataclass_params__.frozen
    assert "__slots__" in vars(value)
    assert value.__hash__ is not None


@pytest.mark.parametrize(
    "value",
    [value for value in values() if value.__name__ in ("Ask", "Settings")],
    ids=lambda value: f"{value.__module__}.{value.__name__}",
)
def test_what_is_asked_and_decided_is_said_by_name(value):
    """A row of numbers, or of yes and no, says nothing to a reader, and changes its meaning with every new field."""
    assert all(field.kw_only for field in fields(value))
