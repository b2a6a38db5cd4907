"""Pages of the site as a whole: health for load balancers, figures for Prometheus, the web manifest, unexpected errors."""

from __future__ import annotations

import json
import logging
from functools import cache
from pathlib import Path
from secrets import compare_digest, token_hex

from django.conf import settings
from django.contrib.sessions.models import Session
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.db import DatabaseError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseServerError, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.views.csrf import csrf_failure
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_safe
from django.views.defaults import server_error
from django_prometheus.exports import ExportToDjangoView

from campaigns.queries.standing import unreadable_kinds
from people.middleware import keep

log = logging.getLogger(__name__)

GROUND = "#120e0b"
"""The ground of the dark theme (static/css/tokens.css, --ground), in which most tables are played."""


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


def stale_form(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Refuse a form whose token is stale, and give scripts a new one for it if the same person is still signed in."""
    refused = csrf_failure(request, reason)
    if request.user.is_authenticated and request.headers.get("X-User") == str(request.user.pk):
        refused["X-CSRFToken"] = get_token(request)
    return refused


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
    probe = Session(session_key=f"readyz-{token_hex(12)}", session_data=Session.objects.encode({}), expire_date=now())
    with transaction.atomic():
        probe.save(force_insert=True)
    probe.delete()


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Return the figures of requests and of campaigns/metrics.py in the text format of Prometheus, for requests with
    `Authorization: Bearer <METRICS_TOKEN>`; 404 for others.
    """
    given = request.headers.get("Authorization", "")
    wanted = f"Bearer {settings.METRICS_TOKEN}"
    if not settings.METRICS_TOKEN or not compare_digest(given.encode(), wanted.encode()):
        raise Http404
    answer: HttpResponse = ExportToDjangoView(request)
    return answer


@require_safe
def manifest(request: HttpRequest) -> JsonResponse:
    """Return the manifest. It names no campaign, so that everyone who reads one language gets the same."""
    icons = [
        {"src": static(f"icons/afterburn-{side}.png"), "sizes": f"{side}x{side}", "type": "image/png"}
        for side in (192, 512)
    ]
    fields = {
        "name": "Afterburn",
        "short_name": "Afterburn",
        "description": _("A live table for narrative tabletop campaigns."),
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": GROUND,
        "theme_color": GROUND,
        "icons": icons,
    }
    return JsonResponse(fields, content_type="application/manifest+json")


WORKER = "js/service-worker.js"


@cache_control(max_age=3600)  # browsers look for a new one with every page, and ask here no more often than that
@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the script that shows notices while no page is open, and pages while there is no network. Its address gives it the
    whole site. What it keeps goes with a release: whenever any static file has changed.
    """
    told = {
        "RELEASE": getattr(staticfiles_storage, "manifest_hash", ""),
        "STATIC": settings.STATIC_URL,
        "ICON": static("icons/afterburn-192.png"),
        "AWAY": {"page": reverse("away"), "script": static("js/away.js")},
    }
    head = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in told.items())
    return HttpResponse(head + Path(str(finders.find(WORKER))).read_text(), content_type="text/javascript")


@require_safe
def away(request: HttpRequest) -> HttpResponse:
    """Say what is kept in this browser. It is what the service worker shows in place of pages that are not, without a network."""
    keep(request)
    return render(request, "away.html")


def broken(request: HttpRequest) -> HttpResponse:
    """Return our page with status 500; as plain text if something that every page needs is broken, such as static files."""
    try:
        return server_error(request)
    except Exception:
        log.exception("The page that says that something broke could not be drawn either.")
        return HttpResponseServerError(_plain(), content_type="text/plain; charset=utf-8")


def _plain() -> str:
    words = _(
        "That was our fault, not yours. It’s in the log for whoever runs this site. Try again. If it keeps happening, "
        "let them know."
    )
    return f"{_('Something broke')}\n\n{words}\n"
