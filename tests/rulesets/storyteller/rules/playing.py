"""Procedures of these rules on plain objects: acts, rolls and what can be done."""

from __future__ import annotations

from typing import Any

from rules.acting import Procedure
from rules.acts import Actor
from rules.procedures import Answer, RollPart
from rules.table import A_GM, Table
from tests.uids import uid

SILAS, VESPER = (Actor(characters=frozenset({name, uid(name)})) for name in ("silas", "vesper"))
MEMBERS = {1: SILAS, 2: VESPER}


def take(procedure: Procedure, table: Table, name: str, /, *keys: str, by: Actor = A_GM, **asked: Any) -> str:
    """Take an act with what its form asks of these people, and return its line."""
    table.by, act = by, procedure.acts[name]
    target = act.target(procedure, table, keys)
    assert target is not None, f"{name} cannot be done"
    wanted = asks(procedure, table, name, *keys, by=by)
    line = procedure.take(table, act, target, {one: value for one, value in asked.items() if one in wanted})
    procedure.settle(table)
    table.settle()
    return str(line)


def asks(procedure: Procedure, table: Table, name: str, /, *keys: str, by: Actor = A_GM) -> list[str]:
    """Return what the form of an act asks of these people."""
    table.by, act = by, procedure.acts[name]
    target = act.target(procedure, table, keys) or ()
    return [one.name for one in act.asks if one.is_asked(procedure, table, target)]


def offered(procedure: Procedure, table: Table) -> dict[str, tuple[int, ...]]:
    """Return what can be done now, as a button sends it, with the members who may beside the GMs."""
    return {str(one.available.key).split("~")[0]: one.members for one in procedure.offers(table, MEMBERS)}


def roll(procedure: Procedure, table: Table, *fell: tuple[str, int | None]) -> None:
    """Count these rolls, by part and successes: -1 is a botch, None has not been rolled."""
    answers = [
        Answer(part=RollPart.parse(part), outcome={"total": max(one, 0), "result": "botch" if one < 0 else "success"})
        for part, one in fell
        if one is not None
    ]
    procedure.on_answers(table, answers)
    procedure.settle(table)


def asked(procedure: Procedure, table: Table) -> list[str]:
    """Return the rolls that are waited for."""
    return [str(one.part) for one in procedure.requests(table)]
