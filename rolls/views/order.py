"""The order of declaration of a VI-VIII-X turn (arc.txt, V.6): a GM's page that keeps everything in its address."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from campaigns.access import Seat, member_view
from campaigns.models import Role
from rolls.forms.order import DeclarantForm, lines, refused
from rolls.rules.arc_settings import Settings
from rolls.rules.arc_turn import Declarant, Order, declaration_order
from rolls.rules.errors import RuleError
from rolls.settings import roll_settings


@require_GET
@member_view(Role.GM)
def order(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Nothing is kept and nothing told: what one asked for once, with its dice, is asked for again by the same address."""
    settings = roll_settings(seat.campaign).arc
    forms = lines(seat.campaign, request.GET or None)
    found, message = _ordered(forms, settings) if request.GET else (None, "")
    context = {
        "seat": seat,
        "campaign": seat.campaign,
        "lines": forms,
        "order": found,
        "message": message,
        "actions": _actions(forms, settings) if found else {},
    }
    status = 422 if request.GET and found is None else 200
    return render(request, "rolls/order.html", context, status=status)


def _ordered(forms: Sequence[DeclarantForm], settings: Settings) -> tuple[Order | None, str]:
    """The order, or what is wrong; what is wrong with one line stands there."""
    there = [form for form in forms if form.takes_part]
    declarants: list[Declarant] = []
    for form in there:
        try:
            declarants.append(form.declarant())
            form.actions(settings)
        except RuleError as error:
            refused(form, error)
    if any(form.errors for form in forms):
        return None, "Some lines cannot be."
    try:
        return declaration_order(declarants, settings), ""
    except RuleError as error:
        return None, error.message


def _actions(forms: Sequence[DeclarantForm], settings: Settings) -> dict[str, int | None]:
    return {form.cleaned_data["name"]: form.actions(settings) for form in forms if form.takes_part}
