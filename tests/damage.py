"""Five ways to falsify a log that was exported as lines (docs/fairdice.md): each takes the lines and changes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Lines = list[dict[str, Any]]


def _rolls(lines: Lines) -> Lines:
    return [line for line in lines if line.get("facts", {}).get("proof")]


def change_a_face(lines: Lines) -> None:
    facts = _rolls(lines)[1]["facts"]
    for die in (facts["dice"][0], facts["proof"]["faces"]):
        place = "face" if isinstance(die, dict) else 0
        die[place] = die[place] % 10 + 1


def remove_a_row(lines: Lines) -> None:
    lines.remove(_rolls(lines)[1])


def swap_two_rows(lines: Lines) -> None:
    one, other = [line for line in _rolls(lines) if line["stream"] == "table"][:2]
    one["seq"], other["seq"] = other["seq"], one["seq"]
    at, to = lines.index(one), lines.index(other)
    lines[at], lines[to] = other, one


def change_a_seed(lines: Lines) -> None:
    told = next(line for line in lines if line["kind"] == "rolls.epoch_revealed")
    told["facts"]["seed"] = "00" * 32


def change_a_time(lines: Lines) -> None:
    line = _rolls(lines)[1]
    line["at"] = "2001" + line["at"][4:]


DAMAGES: list[Callable[[Lines], None]] = [change_a_face, remove_a_row, swap_two_rows, change_a_seed, change_a_time]
