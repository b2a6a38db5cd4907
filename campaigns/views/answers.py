"""Answers to forms: only "done" to htmx, since the socket sends the change; else a redirect, or the form again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _

from campaigns.errors import Forbidden, InvalidForm, NotFound, ServiceError
from campaigns.pictures import CACHED, CONTENT_TYPE


def done(request: HttpRequest, to: str, *args: Any) -> HttpResponse:
    """Return 204 to htmx, else a redirect to the page `to`."""
    return HttpResponse(status=204) if getattr(request, "htmx", None) else redirect(to, *args)


def formed(
    request: HttpRequest,
    form: forms.Form,
    page: str,
    context: Mapping[str, Any],
    status: int,
    *,
    heading: str,
    submit: str,
) -> HttpResponse:
    """Return the page of a form; to htmx only the form, for the table's dialog, and its errors if it was sent (InvalidForm).

    In the dialog, fields other than those it lists as `often` are folded away.
    """
    if not getattr(request, "htmx", None):
        return render(request, page, {**context, "form": form}, status=status)
    if form.is_bound:
        raise InvalidForm.by_form(form)
    often = getattr(form, "often", None)
    fields = [(not often or field.name in often, field) for field in form.visible_fields()]
    shown = {
        "fields": [field for at_once, field in fields if at_once],
        "rest": [field for at_once, field in fields if not at_once],
    }
    return render(request, "_desk_form.html", {"form": form, "heading": heading, "submit": submit, **shown})


def page_of_list(
    request: HttpRequest, page: str, part: str, context: Mapping[str, Any], status: int = 200
) -> HttpResponse:
    """Return a page with a list, or only that `part` of it where the list itself asks how it goes on (_further.html)."""
    answer = render(request, part if getattr(request, "htmx", None) else page, context, status=status)
    patch_vary_headers(answer, ["HX-Request"])
    return answer


def tried(request: HttpRequest, form: forms.Form, operation: Callable[[], object]) -> int:
    """Do the operation of a page's form, if it was posted. Return 0 when it is done, else the status with which to show the form.

    A refusal is put on the form; NotFound and Forbidden go through, since then there is no form to show.
    """
    if request.method != "POST":
        return 200
    if not form.is_valid():
        return 422
    try:
        operation()
    except (NotFound, Forbidden):
        raise
    except ServiceError as error:
        form.add_error(error.field if error.field in form.fields else None, error.message)
        return error.status
    return 0


def beside(form: forms.Form, now: dict[str, str], seen: str) -> None:
    """After a Conflict, show others' values (`now`, by field, as people read them) beside the typed ones, and base the
    form on the new version.
    """
    form.data = dict(form.data.items()) | {form.add_prefix("expected"): seen}
    for name, text in now.items():
        form.add_error(name, _("It now says: {text}").format(text=text) if text else _("It’s now empty."))


def picture_answer(image: Any) -> HttpResponse:
    """Return the answer that has a picture, as the database has it."""
    return HttpResponse(
        bytes(image),
        content_type=CONTENT_TYPE,
        headers={
            "Cache-Control": CACHED,
            "X-Content-Type-Options": "nosniff",
            "Cross-Origin-Resource-Policy": "same-origin",
        },
    )
