"""What a ruleset is tried with: plain data in its package's `samples.py`, or in tests/rulesets/<name>/samples.py.

    SHEET = {"nerve": 2}                                    what stands on a sheet, by address
    ROWS = {"skills": [{"name": "Tamper", "es": 5}]}        rows of it, if there are any
    ROLLS = {"check": {"trait": "nerve"}}                   rolls by a player, as the form sends them, by what they are
    ASKED = {"check": ({"trait": "nerve"}, {"oil": "on"})}  what a GM asks for, and what the player adds to that
    CORRECTED = {"check": ({"wind": "3"}, {"xp": 1})}       what of one of ROLLS a GM corrects, and what the sheet says then
    BEGUN = {"trauma": fill_the_track}                      what brings about procedures that no form alone opens, by their kinds

All dice show 4. What begins a procedure is called with the table (At, in play.py) and a second player's character there.

Together ROLLS and ASKED hold every kind that the form offers. LAST stands for the id of the roll before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from rulesets.discovery import built_in, packages

LAST = "{last}"

Typed = Mapping[str, str]


@dataclass(frozen=True)
class Samples:
    sheet: Mapping[str, Any]
    rows: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    rolls: Mapping[str, Typed] = field(default_factory=dict)
    asked: Mapping[str, tuple[Typed, Typed]] = field(default_factory=dict)
    corrected: Mapping[str, tuple[Typed, Mapping[str, Any]]] = field(default_factory=dict)
    begun: Mapping[str, Callable[[Any, Any], object]] = field(default_factory=dict)


def samples_of(name: str) -> Samples:
    """Return a ruleset's samples. Raises LookupError if it has none."""
    where = f"tests.rulesets.{name}.samples" if name in built_in() else f"{packages()[name]}.samples"
    if find_spec(where) is None:
        raise LookupError(f"There is no module {where}: see tests/rulesets/conformance/samples.py.")
    module = import_module(where)
    return Samples(**{one.name: getattr(module, one.name.upper(), {}) for one in fields(Samples)})
