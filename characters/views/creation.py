"""Making characters: with an empty sheet, step by step within the campaign's budget, of a template, or a quick NPC."""

from __future__ import annotations

import re
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import pgettext_lazy
from django.views.decorators.http import require_http_methods
from django.views.decorators.vary import vary_on_headers
from django_htmx.http import trigger_client_event

from campaigns import rulesets
from campaigns.access import member_view, request_key
from campaigns.errors import InvalidForm, NotFound, existing
from campaigns.models import Role, Viewer
from campaigns.models.members import WELCOME
from campaigns.views.answers import tried
from characters.creation.budget import Budget
from characters.forms.cards import CardForm
from characters.forms.creation import MORE, GuidedForm
from characters.forms.templates import NpcForm
from characters.models import CharacterTemplate
from characters.rulesets import budget_of, budgets
from characters.services import Card, make_character
from characters.services.creation import make_from_template, make_guided
from characters.views.active_character import CHOSEN
from characters.views.guided_page import rows_added, standing
from languages.letters import same

BEYOND = "beyond"
# What may stand behind the name of an NPC; what separates them is no part of it.
POOL = re.compile(r"(?P<name>.*[^\s,;:])[\s,;:]+pool[\s:]+(?P<dice>[0-9]{1,2})", re.IGNORECASE | re.DOTALL)
HIDDEN = re.compile(r"(?P<name>.*[^\s,;:])\s*[,;:]\s*(?P<word>\w+)", re.DOTALL)
HIDES = pgettext_lazy("an NPC", "hidden")


@require_http_methods(["GET", "POST"])
@member_view(Role.PLAYER)
def character_new(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Return the ways to make one; the form is that of an empty sheet."""
    form = CardForm(viewer.by, request.POST or None)
    status = tried(
        request,
        form,
        lambda: make_character(viewer.by, form.card(), system=form.controlled_by, key=request_key(request)),
    )
    if not status:
        return made(request, viewer, request_key(request))
    systems = [choice for choice in rulesets.choices(viewer.campaign.systems) if choice[0] in budgets()]
    context = {
        "viewer": viewer,
        "form": form,
        "systems": systems,
        "templates": CharacterTemplate.objects.open_to(viewer.by),
        "welcome": WELCOME in request.GET,
    }
    return render(request, "characters/new.html", context, status=status)


@require_http_methods(["GET", "POST"])
@member_view(Role.PLAYER)
def character_guided(request: HttpRequest, viewer: Viewer, system: str) -> HttpResponse:
    """Show the guided page of a system. To htmx, which sends it while it is filled in, show only the budget."""
    if system not in viewer.campaign.systems or system not in budgets():
        raise NotFound
    budget, data, is_gm = budget_of(viewer.campaign, system), request.POST or None, viewer.by.is_gm
    card, sheet = _card_form(viewer, data), GuidedForm(budget, data, beyond=is_gm)
    if getattr(request, "htmx", None):
        return _live(request, sheet, budget)
    status = 200
    if request.method == "POST" and MORE not in request.POST:
        status = _make_guided(request, viewer, card, sheet, system)
        if not status:
            return made(request, viewer, request_key(request))
    beyond = is_gm and bool(request.POST.get(BEYOND))
    context = {
        "viewer": viewer,
        "system": rulesets.label_of(system),
        "card_form": card,
        "beyond": beyond,
        "is_gm": is_gm,
        "welcome": WELCOME in request.GET,
    }
    return render(request, "characters/guided.html", context | standing(sheet, budget), status=status)


@require_http_methods(["GET", "POST"])
@member_view(Role.PLAYER)
def character_from_template(request: HttpRequest, viewer: Viewer, template_id: UUID) -> HttpResponse:
    template = existing(CharacterTemplate.objects.open_to(viewer.by).filter(pk=template_id).first())
    form = _card_form(viewer, request.POST or None, {"concept": template.concept})
    if template.is_crew:
        for name in ("owner", "also"):
            form.fields.pop(name, None)
    status = tried(
        request,
        form,
        lambda: make_from_template(viewer.by, template, _whose(form, template.is_crew), key=request_key(request)),
    )
    if not status:
        return made(request, viewer, request_key(request))
    context = {"viewer": viewer, "form": form, "template": template}
    return render(request, "characters/from_template.html", context, status=status)


@require_http_methods(["GET", "POST"])
@vary_on_headers("HX-Request")
@member_view(Role.GM)
def npc_new(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Make an NPC, for which a name is enough; it is then at hand on the table. To htmx, show only the form, for the
    table's dialog.
    """
    htmx = getattr(request, "htmx", None)
    typed, pool = _pool_of(request)
    form = NpcForm(viewer.by, typed)
    status = tried(request, form, lambda: _make_npc(viewer, form, int(pool or 0), request_key(request)))
    if not status:
        return _at_hand(request, viewer, request_key(request), pool)
    if htmx and form.is_bound:
        raise InvalidForm.by_form(form)
    template = "characters/_npc_desk.html" if htmx else "characters/npc.html"
    return render(request, template, {"viewer": viewer, "npc_form": form}, status=status)


def made(request: HttpRequest, viewer: Viewer, key: UUID) -> HttpResponse:
    """Redirect to the new sheet; a new member goes to the table, with the new character at hand."""
    to = reverse("character", args=[viewer.campaign.slug, key])
    return redirect(f"{viewer.campaign.url}?{CHOSEN}={key}" if WELCOME in request.GET else to)


def _card_form(viewer: Viewer, data: Any, initial: dict[str, Any] | None = None) -> CardForm:
    """Return the form of a card whose system is settled."""
    form = CardForm(viewer.by, data)
    form.fields.pop("system", None)
    form.initial = {**form.initial, **(initial or {})}
    return form


def _make_guided(request: HttpRequest, viewer: Viewer, card: CardForm, sheet: GuidedForm, system: str) -> int:
    """Make the character. Return 0, or the status to show the page with again."""
    key, beyond = request_key(request), bool(request.POST.get(BEYOND))
    if not sheet.is_valid():
        card.is_valid()
        return 422
    values = sheet.values()
    return tried(
        request, card, lambda: make_guided(viewer.by, card.card(), values, system=system, beyond=beyond, key=key)
    )


def _live(request: HttpRequest, sheet: GuidedForm, budget: Budget) -> HttpResponse:
    sheet.is_valid()
    if wanted := request.POST.get(MORE):
        return render(request, "characters/_guided_rows.html", {"rows": rows_added(sheet, wanted)})
    return render(request, "characters/_budget.html", standing(sheet, budget, live=True))


def _whose(form: CardForm, is_crew: bool) -> Card:
    card = form.card()
    return Card(card.name, card.concept, None, card.shown) if is_crew else card


def _make_npc(viewer: Viewer, form: NpcForm, pool: int, key: UUID) -> None:
    card = Card(form.cleaned_data["name"], "", None, form.cleaned_data["shown"])
    if form.template:
        make_from_template(viewer.by, form.template, Card(card.name, form.template.concept, None, card.shown), key=key)
    else:
        make_character(viewer.by, card, system=form.system, is_crew=form.is_crew, pool=pool, key=key)


def _pool_of(request: HttpRequest) -> tuple[QueryDict | None, str]:
    """Return the typed data, and the dice behind the name: "Guard, pool 5, hidden" is Guard, whom only GMs know, and 5."""
    if not request.POST:
        return None, ""
    typed, dice = request.POST.copy(), ""
    line = typed.get("name", "").strip(" ,;:")
    while match := _hidden(line) or POOL.fullmatch(line):
        line = match["name"]
        if match.re is HIDDEN:
            typed.pop("shown", None)
        else:
            dice = match["dice"]
    typed["name"] = line
    return typed, dice


def _hidden(line: str) -> re.Match[str] | None:
    """Return the match of a line that ends with the word for those whom only GMs know, in English or in the reader's language."""
    match = HIDDEN.fullmatch(line)
    return match if match and any(same(match["word"], word) for word in ("hidden", str(HIDES))) else None


def _at_hand(request: HttpRequest, viewer: Viewer, key: UUID, pool: str) -> HttpResponse:
    """Redirect to the table with the NPC at hand. On an open table page static/js/dialog.js puts it at hand, with its dice."""
    url = f"{reverse('table', args=[viewer.campaign.slug])}?{CHOSEN}={key}"
    if not getattr(request, "htmx", None):
        return redirect(url)
    return trigger_client_event(HttpResponse(status=204), "afterburn:hand", {"url": url, "pool": pool})
