"""Sending a campaign to another server, and taking one in."""

from __future__ import annotations

from collections.abc import Iterator
from tempfile import TemporaryFile
from typing import IO

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from campaigns.access import member_view, request_key
from campaigns.models import Campaign, Role, Viewer
from campaigns.views.answers import tried
from campaigns.views.log import sent
from people.context import person_of
from rolls.moving.arriving import arrive
from rolls.moving.leaving import write

AT_ONCE = 64_000  # bytes


class ImportForm(forms.Form):
    """A campaign as it was exported elsewhere. How large it may be, the middleware says before it is read."""

    file = forms.FileField(
        label=gettext_lazy("Campaign file"),
        help_text=gettext_lazy("A ZIP file of up to 50 MB. A long campaign takes a few minutes."),
        widget=forms.FileInput(attrs={"accept": ".zip,application/zip"}),
        error_messages={
            "required": gettext_lazy("Choose a file first."),
            "empty": gettext_lazy("This file is empty. Choose another one."),
        },
    )


@require_http_methods(["GET", "POST"])
@login_required
def campaign_import(request: HttpRequest) -> HttpResponse:
    """Show the page that takes in a campaign; a refusal says in a sentence why, and nothing was changed."""
    form, made = ImportForm(request.POST or None, request.FILES or None), list[Campaign]()
    status = tried(request, form, lambda: made.append(_arrived(request, form)))
    if status:
        return render(request, "rolls/import.html", {"form": form}, status=status)
    messages.success(request, _("{campaign} is here. Invite its people to their seats.").format(campaign=made[0].name))
    return redirect("members", made[0].slug)


def _arrived(request: HttpRequest, form: ImportForm) -> Campaign:
    return arrive(form.cleaned_data["file"], user=person_of(request), key=request_key(request))


@require_POST
@member_view(Role.GM)
def campaign_export(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Send the whole campaign, as far as GMs may know it, as a file that another server takes in."""
    request_key(request)
    file = TemporaryFile()  # noqa: SIM115  # closed once it is sent
    try:
        write(viewer.campaign, file, viewer.by)
    except BaseException:
        file.close()
        raise
    return sent(request, _parts(file), "application/zip", f"{viewer.campaign.slug}.zip")


def _parts(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        file.seek(0)
        while part := file.read(AT_ONCE):
            yield part
