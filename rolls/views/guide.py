"""The rules as built, for everyone, with or without an account."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_GET

from rolls.guide import Mark
from rolls.queries import guide as book
from rolls.registry import all_rules, rules_called
from rolls.ruleset import Rules
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


# Exact odds for everyone, with or without an account. The settings are in the address, so every answer can be shared.


@require_GET
def odds_page(request: HttpRequest) -> HttpResponse:
    """Show the list of systems with odds."""
    return render(request, "rolls/odds/page.html", {"subjects": _subjects()})


@require_GET
def odds_system(request: HttpRequest, system: str) -> HttpResponse:
    """Show the settings of one system, and the odds they make."""
    subject = rules_called(system)
    if subject is None or subject.odds is None:
        raise Http404
    form = subject.odds.form(request.GET)
    htmx = getattr(request, "htmx", None)
    answers = bool(htmx and not htmx.history_restore_request)
    context = {
        "subject": subject,
        "subjects": _subjects(),
        "form": form,
        "sections": subject.odds.sections(**form.cleaned_data) if form.is_valid() else (),
        "answers": answers,
    }
    answer = render(request, f"rolls/odds/{'_answer' if answers else 'system'}.html", context)
    # Whole page and part have one address: a browser that kept the part must not show it as the page.
    patch_vary_headers(answer, ["HX-Request", "HX-History-Restore-Request"])
    return answer


def _subjects() -> list[Rules]:
    return [rules for rules in all_rules() if rules.odds]
