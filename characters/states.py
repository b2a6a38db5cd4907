"""What a change of a sheet means in play, in one line: harm that was taken, a box that is crossed off, somebody out of the scene.

This app knows no rules: the app above registers, once, what tells the states of a kind of sheet. It is given what stands on the
open sheet alone, before an operation and after it, so that no line can betray what is secret. Events keep codes and numbers, and
what people named; the words are drawn when they are read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from characters.sheets.fields import Value
from characters.sheets.sheet import Values


@dataclass(frozen=True)
class State:
    """`code` and `values` are kept for good; `covers` names the fields and lists that its line says enough of."""

    code: str
    values: tuple[Value, ...] = ()
    covers: tuple[str, ...] = ()


@dataclass(frozen=True)
class States:
    """`derive` gives what became of somebody between two states of their sheet; `words` what follows their name: "is out of the
    scene"."""

    derive: Callable[[Values, Values], Sequence[State]]
    words: Callable[[State], str]


_by_sheet: dict[str, States] = {}


def register(sheet: str, states: States) -> None:
    """`sheet` is the name of one of `characters.sheets.SHEETS`."""
    _by_sheet[sheet] = states


def states_between(sheet: str, before: Values, after: Values) -> Sequence[State]:
    """None where no rules tell any."""
    found = _by_sheet.get(sheet)
    return found.derive(before, after) if found else ()


def words_of(sheet: str, told: Sequence[Mapping[str, Any]]) -> str:
    """What events tell of states ({"code", "values"}), as it follows a name; "" where the rules are not installed any more."""
    found = _by_sheet.get(sheet)
    words = [found.words(State(one["code"], tuple(one["values"]))) for one in told] if found else []
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
