"""Rebuild the index by which the log's pages find events. Unlike the events it may change: a release may index more."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.migrations.executor import MigrationExecutor

from campaigns.models import Event, EventIndex, EventSubject
from campaigns.models.log import persons
from campaigns.queries.log_lines import in_batches
from campaigns.queries.standing import FOUND_BY


@dataclass
class Reindexed:
    """The number of events with a changed index, and of those that cannot be read."""

    changed: int = 0
    unreadable: int = 0


def reindex() -> Reindexed:
    """Rewrite each entry of the index, and its copies beside subjects, that differs from its event. People named in an
    event become its subjects again.
    """
    done = Reindexed()
    for event in in_batches(Event.objects.select_related("stream", "stored", "index")):
        if event.is_readable:
            done.changed += _put_right(event)
        else:
            done.unreadable += 1
    return done


def after_migrations(plan: Sequence[tuple[Any, bool]] = (), using: str = DEFAULT_DB_ALIAS, **_: object) -> None:
    """Rebuild the index after a release's migrations, and print how many events it cannot read."""
    executor = MigrationExecutor(connections[using])
    if not plan or executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return
    if unreadable := reindex().unreadable:
        sys.stderr.write(
            f"{unreadable} entries of logs cannot be read by this version; `manage.py check_log` names them.\n"
        )


def _put_right(event: Event) -> bool:
    # In this order, as a new entry replaces the stored one on its event.
    stored = getattr(event, "index", None)
    right = EventIndex.of(event)
    same = stored is not None and all(getattr(stored, what) == getattr(right, what) for what in FOUND_BY)
    if not same:
        EventIndex.objects.update_or_create(event=event, defaults={what: getattr(right, what) for what in FOUND_BY})
    beside = {"topic": right.topic, "outcome": right.outcome}
    subjects = EventSubject.objects.filter(event=event)
    moved = subjects.exclude(**beside).update(**beside)
    known = {*subjects.values_list("key", flat=True)}
    missing = {key: name for key, name in persons(event.payload) if key not in known}
    EventSubject.objects.bulk_create(
        EventSubject(event=event, key=key, name=name, **beside) for key, name in missing.items()
    )
    return not same or bool(moved) or bool(missing)
