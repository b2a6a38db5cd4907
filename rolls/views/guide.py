"""The rules as built, for everyone, with or without an account."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from rolls.guide import pages as book
from rolls.guide.content import Mark
from rolls.scale import THE_SCALE


@require_GET
def guide(request: HttpRequest) -> HttpResponse:
    """Show the list of systems, and how to read their pages."""
    context = {"systems": book.guide(), "marks": list(Mark), "primer": THE_SCALE}
    return render(request, "rolls/guide.html", context)


@require_GET
def guide_system(request: HttpRequest, system: str) -> HttpResponse:
    """Show the guide of one system, rule by rule."""
    page = book.system(system)
    if page is None:
        raise Http404
    return render(request, "rolls/guide_system.html", {"system": page, "systems": book.guide(), "marks": list(Mark)})
