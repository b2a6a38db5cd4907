"""Bringing a whole campaign from another server."""

from __future__ import annotations

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from campaigns.access import request_key
from campaigns.archive.services import Faulty, import_campaign
from campaigns.models import Campaign
from campaigns.views.answers import tried
from people.context import person_of


class ImportForm(forms.Form):
    """A log as it was exported there. How large it may be, the middleware says before it is read."""

    file = forms.FileField(
        label=_("Log file"),
        help_text=_("A JSONL file of up to 50 MB. A long one takes a few minutes."),
        widget=forms.FileInput(attrs={"accept": ".jsonl,application/jsonl"}),
        error_messages={"required": _("Choose a file first."), "empty": _("This file is empty. Choose another one.")},
    )


@require_http_methods(["GET", "POST"])
@login_required
def campaign_import(request: HttpRequest) -> HttpResponse:
    """Show the page that imports a log. Errors are listed by line; then nothing was changed."""
    form = ImportForm(request.POST or None, request.FILES or None)
    faults, made = list[str](), list[Campaign]()
    try:
        status = tried(request, form, lambda: made.append(_brought(request, form)))
    except Faulty as error:
        status, faults = 422, error.faults
    if not status:
        return redirect("log", made[0].slug)
    return render(request, "campaigns/import.html", {"form": form, "faults": faults}, status=status)


def _brought(request: HttpRequest, form: ImportForm) -> Campaign:
    return import_campaign(person_of(request), form.cleaned_data["file"], key=request_key(request))
