"""How many bytes a database keeps of one roll: its event and what that says and is found by, itself, its step on the Scale."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from django.db import connection, models

from bench.pages_world import World
from campaigns.models import Event, EventIndex, EventPayload, EventSubject, IdempotencyKey
from rolls.models import Roll
from scale.models import ScaleStep

TIMES: Final = 10_000
"""Rolls that are measured together: pages of a database are not filled by one."""


def report(world: World) -> None:
    """Print what the tables grow by, indices and all, when a roll of the demo is written again and again."""
    whole = 0
    for model, grown in _measured(world):
        print(f"{model._meta.label:32}{grown:>8,} bytes", flush=True)
        whole += grown
    print(f"{'together':32}{whole:>8,} bytes")


def _measured(world: World) -> Iterator[tuple[type[models.Model], int]]:
    roll = _typical(world)
    event = roll.event_id
    rows: dict[type[models.Model], str] = {
        Event: f"id = {event}",
        **dict.fromkeys((EventPayload, EventIndex, EventSubject, Roll, ScaleStep), f"event_id = {event}"),
        IdempotencyKey: f"key = '{roll.pk.hex if connection.vendor == 'sqlite' else roll.pk}'",
    }
    before = _size()
    for model in replace(world.repeated, rows=rows).again(1, TIMES, None):
        after = _size()
        yield model, round((after - before) / TIMES)
        before = after


def _typical(world: World) -> Roll:
    """Return a typical roll: one that everyone saw and that moved the Scale."""
    rolls = Roll.objects.filter(campaign=world.campaign, audience="table", voided_at=None)
    return rolls.filter(event__in=ScaleStep.objects.values("event")).order_by("event")[50]


def _size() -> int:
    """Return the size of the filled part of the database, in bytes."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
        else:
            cursor.execute("SELECT pg_database_size(current_database())")
        return int(cursor.fetchone()[0])
