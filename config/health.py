"""Two questions of a load balancer: is the process alive, and can it serve?"""

from __future__ import annotations

from functools import cache
from secrets import token_hex

from django.contrib.sessions.models import Session
from django.db import DatabaseError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse
from django.utils.timezone import now
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from campaigns.queries.standing import unreadable_kinds


@never_cache
@require_safe
def alive(request: HttpRequest) -> HttpResponse:
    return HttpResponse("alive\n", content_type="text/plain")


@never_cache
@require_safe
def ready(request: HttpRequest) -> HttpResponse:
    """Return 200 if the database answers, has every migration and can be written; 503 with the reason otherwise. After
    `ready` it names logs with unreadable events, which do not stop the pages.
    """
    trouble = _trouble()
    return HttpResponse(f"{trouble or _readiness()}\n", content_type="text/plain", status=503 if trouble else 200)


def _trouble() -> str:
    try:
        executor = MigrationExecutor(connection)
        waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError:
        return "the database does not answer"
    if waiting:
        return "the database waits for its migrations"
    try:
        _write()
    except DatabaseError:
        return "the database cannot be written"
    return ""


def _readiness() -> str:
    unreadable = _unreadable()
    return f"ready, but cannot read {', '.join(unreadable)}: see check_log" if unreadable else "ready"


@cache
def _unreadable() -> tuple[str, ...]:
    """Return the unreadable kinds, read once for a process, which can read everything written while it serves."""
    return tuple(unreadable_kinds())


def _write() -> None:
    """Write a row and delete it again: a full disk or another user's file can still be read."""
    probe = Session(session_key=f"readyz-{token_hex(12)}", session_data="", expire_date=now())
    with transaction.atomic():
        probe.save(force_insert=True)
    probe.delete()
