"""Figures for a Prometheus, off unless METRICS_TOKEN is set: those of requests by django-prometheus, and campaigns/metrics.py."""

from __future__ import annotations

from secrets import compare_digest

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_prometheus.exports import ExportToDjangoView


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Return the metrics in the text format of Prometheus, for requests with `Authorization: Bearer <METRICS_TOKEN>`;
    404 for others.
    """
    given = request.headers.get("Authorization", "")
    wanted = f"Bearer {settings.METRICS_TOKEN}"
    if not settings.METRICS_TOKEN or not compare_digest(given.encode(), wanted.encode()):
        raise Http404
    answer: HttpResponse = ExportToDjangoView(request)
    return answer
