"""Two questions of a load balancer: is the process alive, and can it serve?"""

from __future__ import annotations

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe


@never_cache
@require_safe
def alive(request: HttpRequest) -> HttpResponse:
    return HttpResponse("alive\n", content_type="text/plain")


@never_cache
@require_safe
def ready(request: HttpRequest) -> HttpResponse:
    """200 when the database answers and has every migration; 503 with the reason otherwise."""
    trouble = _trouble()
    return HttpResponse(f"{trouble or 'ready'}\n", content_type="text/plain", status=503 if trouble else 200)


def _trouble() -> str:
    try:
        executor = MigrationExecutor(connection)
        waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError:
        return "the database does not answer"
    return "the database waits for its migrations" if waiting else ""
