"""Exact odds for everybody, with or without an account. The settings stand in the address: every answer can be passed on."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_GET

from rolls.forms.odds import FORMS
from rolls.services.odds import SUBJECTS


@require_GET
def odds_page(request: HttpRequest) -> HttpResponse:
    """What can be asked."""
    return render(request, "rolls/odds/page.html", {"subjects": SUBJECTS.values()})


@require_GET
def odds_system(request: HttpRequest, system: str) -> HttpResponse:
    """One system: its settings, and the odds they make."""
    subject = SUBJECTS.get(system)
    if subject is None:
        raise Http404
    form = FORMS[system](request.GET)
    htmx = getattr(request, "htmx", None)
    answers = bool(htmx and not htmx.history_restore_request)
    context = {
        "subject": subject,
        "subjects": SUBJECTS.values(),
        "form": form,
        "sections": subject.sections(**form.cleaned_data) if form.is_valid() else (),
        "answers": answers,
    }
    answer = render(request, f"rolls/odds/{'_answer' if answers else 'system'}.html", context)
    # Whole page and part have one address: a browser that kept the part must not show it as the page.
    patch_vary_headers(answer, ["HX-Request", "HX-History-Restore-Request"])
    return answer
