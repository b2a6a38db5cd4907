"""The campaign's oracle tables, which the GM may rewrite."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from campaigns.access import member_view, request_key
from campaigns.errors import NotFound
from campaigns.models import Role, Viewer
from campaigns.views.answers import beside, tried
from rulesets.scale.forms.oracles import OracleForm, fields_of
from rulesets.scale.rules.oracles import STARTED_WITH, Entry
from rulesets.scale.services.oracles import change_oracle, entries_version, reset_oracle, tables_of
from rulesets.scale.words import TABLES

SAYS_WHEN = {
    "grace": "What a Major Burn at +8 brings.",
    "trouble": "What a Major Burn at −8 brings.",
    "grace_shift": "The second die after a Shift on the Grace Oracle.",
    "trouble_shift": "The second die after a Shift on the Trouble Oracle.",
    "reason": "Where a new story comes from, when the Story Oracle names none of the storylines.",
}
# Only these may ask for a second die, or a consultation might never end.
SHIFTING = ("grace", "trouble")


@require_GET
@member_view(Role.GM)
def oracles(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    tables = [_told(name, entries) for name, entries in tables_of(viewer.campaign).items()]
    return render(request, "scale/oracles.html", {"viewer": viewer, "tables": tables})


@require_http_methods(["GET", "POST"])
@member_view(Role.GM)
def oracle(request: HttpRequest, viewer: Viewer, name: str) -> HttpResponse:
    entries = _entries(viewer, name)
    form = OracleForm(request.POST or None, entries=entries, may_shift=name in SHIFTING)
    status = 200
    if request.method == "POST":
        status = tried(form, lambda: _save(request, viewer, name, form))
        if not status:
            return redirect("oracles", viewer.campaign.slug)
        if status == 409:
            _beside(form, _entries(viewer, name))
    context = {"viewer": viewer, "form": form, "table": _told(name, entries), "expected": entries_version(entries)}
    return render(request, "scale/oracle.html", context, status=status)


@require_POST
@member_view(Role.GM)
def oracle_reset(request: HttpRequest, viewer: Viewer, name: str) -> HttpResponse:
    _entries(viewer, name)
    reset_oracle(viewer.by, name, expected=request.POST.get("expected", ""), key=request_key(request))
    return redirect("oracles", viewer.campaign.slug)


def _entries(viewer: Viewer, name: str) -> tuple[Entry, ...]:
    if name not in TABLES:
        raise NotFound
    return tables_of(viewer.campaign)[name]


def _told(name: str, entries: Sequence[Entry]) -> dict[str, Any]:
    called = TABLES[name][0].upper() + TABLES[name][1:]
    rewritten = tuple(entries) != STARTED_WITH[name]
    return {"name": name, "called": called, "when": SAYS_WHEN[name], "entries": entries, "rewritten": rewritten}


def _save(request: HttpRequest, viewer: Viewer, name: str, form: OracleForm) -> None:
    expected = form.cleaned_data["expected"]
    change_oracle(viewer.by, name, form.entries(), expected=expected, key=request_key(request))


def _beside(form: OracleForm, now: Sequence[Entry]) -> None:
    """Shifts are told in words, since a box shows only one side of a difference."""
    typed = form.cleaned_data
    current = {field: value for field, value in fields_of(now).items() if field in form.fields}
    words = {True: "a shift", False: "no shift"}
    differing = {field: words.get(value, value) for field, value in current.items() if typed.get(field) != value}
    beside(form, differing, entries_version(now))
