"""The order of declaration of a VI-VIII-X turn (arc.txt, V.6): a GM's page that keeps all but its dice in its address alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from campaigns.access import member_view, request_key
from campaigns.models import Event, Role, Viewer
from campaigns.views.answers import tried
from rolls.models import Audience
from rolls.rules.errors import RuleError
from rolls.settings import roll_settings
from rulesets.arc.order_form import DeclarantForm, OrderDiceForm, lines, refused
from rulesets.arc.rules.turn import Declarant, Order, declaration_order
from rulesets.arc.settings import Settings
from rulesets.arc.table.order import roll_for_order


@require_http_methods(["GET", "POST"])
@member_view(Role.GM)
def order(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Everything is kept in the address: what one asked for once, with its dice, is asked for again by the same.

    POST throws the d10 of those who are equal, and leads to the address that has them.
    """
    key = request_key(request) if request.method == "POST" else None
    settings = roll_settings(viewer.campaign).of(Settings)
    forms = lines(viewer.campaign, request.GET or None)
    found, message = _ordered(forms, settings) if request.GET else (None, "")
    dice = OrderDiceForm(request.POST or None)
    status = 422 if (key or request.GET) and found is None else 200
    if key and found:
        rolled: list[Event] = []
        status = tried(dice, lambda: rolled.append(_rolled(viewer, found, dice, key)))
        if rolled:
            return redirect(f"{request.path}?{_address(request.GET, forms, rolled[0])}")
    return render(request, "arc/order.html", _context(viewer, forms, settings, found, message, dice), status=status)


def _rolled(viewer: Viewer, found: Order, form: OrderDiceForm, key: UUID) -> Event:
    given = form.cleaned_data
    everybody = (*found.declare, *found.waiting)
    audience, seeds = Audience(given["audience"]), {"faces": given["faces"], "client_seed": given["client_seed"]}
    return roll_for_order(viewer.by, everybody, audience=audience, key=key, **seeds)


def _address(asked: QueryDict, forms: Sequence[DeclarantForm], rolled: Event) -> str:
    """What was asked for, with everybody's dice as they are now."""
    dice = {one["name"]: one["rolls"] for one in rolled.payload["declare"]}
    query = asked.copy()
    for form in forms:
        if form.takes_part and (own := dice.get(form.cleaned_data["name"])):
            query[form.add_prefix("dice")] = " ".join(map(str, own))
    return query.urlencode()


def _context(
    viewer: Viewer,
    forms: Sequence[DeclarantForm],
    settings: Settings,
    found: Order | None,
    message: str,
    dice: OrderDiceForm,
) -> dict[str, Any]:
    return {
        "viewer": viewer,
        "campaign": viewer.campaign,
        "lines": forms,
        "order": found,
        "message": message,
        "actions": _actions(forms, settings) if found else {},
        "dice": dice,
    }


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
