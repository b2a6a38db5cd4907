"""Ways to falsify a log that was exported as lines (docs/fairdice.md): each takes the lines and changes them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from campaigns import chain

Lines = list[dict[str, Any]]


def _rolls(lines: Lines) -> Lines:
    return [line for line in lines if line.get("payload", {}).get("proof")]


def change_a_face(lines: Lines) -> None:
    payload = _rolls(lines)[1]["payload"]
    for die in (payload["card"]["dice"][0], payload["proof"]["faces"]):
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
    told["payload"]["seed"] = "00" * 32


def change_a_time(lines: Lines) -> None:
    line = _rolls(lines)[1]
    line["at"] = "2001" + line["at"][4:]


def change_the_words(lines: Lines) -> None:
    _rolls(lines)[1]["payload"]["note"] = "something else"


def insert_a_row(lines: Lines) -> None:
    roll = _rolls(lines)[1]
    lines.insert(lines.index(roll) + 1, {**roll, "seq": roll["seq"] + 1, "prev": roll["hash"]})


DAMAGES: list[Callable[[Lines], None]] = [
    *(change_a_face, change_the_words, change_a_time),
    *(remove_a_row, insert_a_row, swap_two_rows),
    change_a_seed,
]


def link_anew(lines: Lines) -> None:
    """Rewrite the whole chain to fit what was changed, as whoever runs the server could."""
    heads: dict[str, str] = {}
    for line in lines:
        if line.get("payload"):
            line["commitment"] = chain.commit(line["salt"], line["payload"])
        line["prev"] = heads.get(line["stream"], line["prev"])
        fields = [line[key] for key in ("campaign", "stream", "seq", "at", "kind", "actor", "commitment")]
        line["hash"] = hashlib.sha256(bytes.fromhex(line["prev"]) + chain.canonical(fields)).hexdigest()
        heads[line["stream"]] = line["hash"]
