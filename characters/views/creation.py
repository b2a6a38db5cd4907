"""Making characters: with an empty sheet, step by step within the campaign's budget, of a template, or a quick NPC."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django.views.decorators.vary import vary_on_headers
from django_htmx.http import trigger_client_event

from campaigns import rulesets
from campaigns.access import member_view, request_key
from campaigns.errors import Invalid, InvalidForm, NotFound, existing
from campaigns.models import Role, Viewer
from campaigns.models.members import WELCOME
from campaigns.views.answers import tried
from characters.creation import Budget, Reckoning, Section
from characters.faces import fitting
from characters.forms.cards import FACE, CardForm
from characters.forms.creation import MORE, BudgetForm, GuidedForm, KeepForm, NpcForm, TemplateForm
from characters.forms.exchange import BringForm, ConfirmForm, ImportForm
from characters.models import Character, CharacterTemplate
from characters.rulesets import budget_of, budgets
from characters.services.cards import Card, make_character
from characters.services.creation import (
    change_creation,
    change_template,
    drop_template,
    import_character,
    keep_template,
    make_from_template,
    make_guided,
    sheet_of,
)
from characters.sheets import exchange
from characters.sheets.common import DISPOSITION, LINKS
from characters.sheets.conversion import Conversion
from characters.sheets.exchange import Head
from characters.sheets.fields import SheetError, Visibility
from characters.views.characters import row_of
from characters.views.in_play import CHOSEN
from characters.views.sheet import character_at
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
    form = CardForm(viewer.by, request.POST or None, request.FILES or None)
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
        "free": [] if viewer.is_gm else [row_of(character, viewer) for character in Character.objects.free(viewer)],
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
    card, sheet = _card_form(request, viewer), GuidedForm(budget, data, beyond=is_gm)
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
    form = _card_form(request, viewer, {"concept": template.concept})
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
    form = NpcForm(viewer.by, typed, request.FILES or None, initial=request.GET.dict())
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


def _card_form(request: HttpRequest, viewer: Viewer, initial: dict[str, Any] | None = None) -> CardForm:
    """Return the form of a card whose system is settled."""
    form = CardForm(viewer.by, request.POST or None, request.FILES or None)
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
    return replace(card, owner=None, opened=False, free=False) if is_crew else card


def _make_npc(viewer: Viewer, form: NpcForm, pool: int, key: UUID) -> None:
    name, portrait = form.cleaned_data["name"], form.cleaned_data["portrait"]
    if portrait is None:
        here = Character.objects.filter(campaign=viewer.campaign, deleted_at=None)
        portrait = "" if form.is_crew else fitting(name, list(here.values_list("picture", flat=True)))
    card = Card(name, "", None, form.cleaned_data["shown"], portrait=portrait)
    if form.template:
        make_from_template(viewer.by, form.template, replace(card, concept=form.template.concept), key=key)
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


# The context of the guided page: the state of each pot, and the errors.


NO_KEY = UUID(int=0)
"""Replaces keys in calculations that create nothing and need no ids."""


def standing(form: GuidedForm, budget: Budget, *, live: bool = False) -> dict[str, Any]:
    """Return {"pots": all, "apart": faults of no section, "sections": [{"block", "pot", "shared", "faults"}], "steps":
    [{"label", "sections"}], the same sections by step} for the templates. A pot `shared` by several sections is shown once,
    above all of them.

    A fault is {"field": its name on the form, or "", "message"}. With `live`, on an open page, faults include those of
    single numbers, which are otherwise shown at their fields.
    """
    reckoning = _reckoned(form, budget)
    pots = {pot.name: pot for pot in reckoning.pots}
    drawn = Counter(block.section.draws for block in form.blocks())
    sections = [
        {
            "block": block,
            "pot": pots.get(block.section.draws),
            "shared": drawn[block.section.draws] > 1,
            "faults": _faults(form, block.section, reckoning, live=live),
        }
        for block in form.blocks()
    ]
    placed = {name for block in form.blocks() for name in _places(block.section, reckoning)}
    apart = [message for name, message in reckoning.faults.items() if name not in placed]
    shown = {"pots": reckoning.pots, "apart": apart, "sections": sections, "live": live}
    return shown if live else shown | {"steps": _steps(sections)}


def _steps(sections: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the steps: adjacent sections marked so form one; without such marks, each is one. The first step has the card, the
    second the face."""
    firsts = [section["block"].section.first for section in sections]
    begins = [at for at, first in enumerate(firsts) if first or not any(firsts)]
    edges = [0, *begins, len(sections)]
    parts = [sections[begin:end] for begin, end in pairwise(edges)]
    labels = [[str(section["block"].section.label) for section in part] for part in parts]
    labels[0].insert(0, _("Card"))
    steps = [{"label": ", ".join(words), "sections": part} for words, part in zip(labels, parts, strict=True)]
    return [*steps[:1], {"label": FACE, "sections": []}, *steps[1:]]


def rows_added(form: GuidedForm, rows: str) -> list[list[Any]]:
    """Return the rows that a form has more than the page that asked for more."""
    rows_drawn = next((block.rows for block in form.blocks() if block.section.rows == rows), [])
    return rows_drawn[form.had.get(rows, 0) :]


def _reckoned(form: GuidedForm, budget: Budget) -> Reckoning:
    values: dict[str, Any] = {}
    if form.is_bound:
        form.is_valid()
        values = form.values()
    try:
        return budget.reckon(budget.completed(sheet_of(budget, values, NO_KEY)))
    except SheetError as error:
        return Reckoning(budget.reckon(budget.completed({})).pots, {error.field: error.message})


def _places(section: Section, reckoning: Reckoning) -> list[str]:
    return [name for name in reckoning.faults if _is_of(section, name)]


def _faults(form: GuidedForm, section: Section, reckoning: Reckoning, *, live: bool) -> list[dict[str, str]]:
    wrong = [name for name in section.fields if name in form.errors] if live else []
    said = [{"field": name, "message": str(message)} for name in wrong for message in form.errors[name]]
    names = _places(section, reckoning)
    return said + [{"field": form.place(name), "message": str(reckoning.faults[name])} for name in names]


def _is_of(section: Section, name: str) -> bool:
    return name == section.draws or name.split("/")[0] in (*section.fields, section.rows)


# The GMs' pages about creation: templates, and the budgets of new characters.


@require_http_methods(["GET", "POST"])
@member_view(Role.GM)
def character_templates(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Return the list of them; a POST keeps one more."""
    form = KeepForm(viewer.by, request.POST or None)
    status = tried(
        request, form, lambda: keep_template(viewer.by, form.cleaned_data["character"], key=request_key(request))
    )
    if not status:
        return redirect("character_templates", viewer.campaign.slug)
    return _page(request, viewer, keep_form=form, status=status)


@require_POST
@member_view(Role.GM)
def character_template(request: HttpRequest, viewer: Viewer, template_id: UUID) -> HttpResponse:
    current, key = _found(viewer, template_id), request_key(request)
    form = TemplateForm(current, request.POST)
    status = tried(request, form, lambda: change_template(viewer.by, current, **form.cleaned_data, key=key))
    if not status:
        return redirect("character_templates", viewer.campaign.slug)
    return _page(request, viewer, changed=form, status=status)


@require_POST
@member_view(Role.GM)
def character_template_drop(request: HttpRequest, viewer: Viewer, template_id: UUID) -> HttpResponse:
    drop_template(viewer.by, template_id, key=request_key(request))
    return redirect("character_templates", viewer.campaign.slug)


@require_http_methods(["GET", "POST"])
@member_view(Role.GM)
def creation_settings(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    form = BudgetForm(viewer.by, request.POST or None)
    status = tried(request, form, lambda: change_creation(viewer.by, form.points(), key=request_key(request)))
    if not status:
        return redirect("creation_settings", viewer.campaign.slug)
    return render(request, "characters/creation_settings.html", {"viewer": viewer, "form": form}, status=status)


def _found(viewer: Viewer, template_id: UUID) -> CharacterTemplate:
    return existing(CharacterTemplate.objects.filter(campaign=viewer.campaign, pk=template_id).first())


def _page(
    request: HttpRequest,
    viewer: Viewer,
    *,
    keep_form: KeepForm | None = None,
    changed: TemplateForm | None = None,
    status: int,
) -> HttpResponse:
    """Return the page, with the one form on it that was sent as it was sent."""
    kept = [
        {"template": template, "form": changed if changed and changed.template == template else TemplateForm(template)}
        for template in CharacterTemplate.objects.filter(campaign=viewer.campaign)
    ]
    keeps = Character.objects.seen_by(viewer).exists()
    context = {"viewer": viewer, "kept": kept, "keep_form": (keep_form or KeepForm(viewer.by)) if keeps else None}
    return render(request, "characters/templates.html", context, status=status)


# Sheets that leave as files, as far as their reader may see them (docs/sheets.md).


def sheet_file(character: Character, viewer: Viewer) -> dict[str, Any]:
    """Return the file of a character's sheet for this reader: what they may see, and only their own private notes.

    Raises Invalid if its rules are not installed, since visibility is unknown then.
    """
    if not character.rules.groups:
        message = _("This sheet can’t be exported: its rules ({system}) aren’t installed here.")
        raise Invalid(message.format(system=character.system))
    head = Head(character.system, character.name, character.concept, character.is_crew)
    values = character.values | ({DISPOSITION.name: character.disposition} if character.is_npc else {})
    characters = Character.objects.seen_by(viewer).filter(campaign=character.campaign)
    names = {str(other.pk): other.name for other in characters} if _links(character) else {}
    return exchange.written(head, values, names, _exported(character, viewer))


def _exported(character: Character, viewer: Viewer) -> frozenset[Visibility]:
    owner = character.owner or (viewer.membership if viewer.is_gm else None)
    own = viewer.membership is not None and viewer.real is None and viewer.membership == owner
    return character.visibilities(viewer) if own else character.visibilities(viewer) - {Visibility.PRIVATE}


def _links(character: Character) -> bool:
    return any(row["to"] for rows in LINKS for row in character.rules.rows(character.values, rows))


# Sheets as files: taking one with oneself, and making a character of one.


@require_GET
@member_view(Role.SPECTATOR)
def character_export(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    current = character_at(viewer, character_id)
    file = JsonResponse(sheet_file(current, viewer), json_dumps_params={"indent": 2, "ensure_ascii": False})
    name = content_disposition_header(as_attachment=True, filename=f"{current.name}.json".replace("/", "-"))
    file["Content-Disposition"] = name or "attachment"
    file["Cache-Control"] = "private, no-store"
    return file


@require_http_methods(["GET", "POST"])
@member_view(Role.PLAYER)
def character_import(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Make a character of a file. For another program's, first show what is left out; `sheet` is the converted one."""
    form, status = ImportForm(viewer.by), 200
    if request.method == "POST":
        key = request_key(request)
        bring: BringForm
        if "sheet" in request.POST:
            bring = ConfirmForm(viewer.by, key, request.POST)
        else:
            bring = form = ImportForm(viewer.by, key, request.POST, request.FILES)
            if form.is_valid() and form.conversion:
                return _left_out(request, viewer, form.conversion, form.confirming())
        status = tried(request, bring, lambda: import_character(viewer.by, bring.card(), bring.brought, key=key))
        if not status:
            return made(request, viewer, key)
        if bring is not form:
            return _left_out(request, viewer, None, bring, status)
    return render(request, "characters/import.html", {"viewer": viewer, "form": form}, status=status)


def _left_out(
    request: HttpRequest, viewer: Viewer, conversion: Conversion | None, form: BringForm, status: int = 200
) -> HttpResponse:
    context = {"viewer": viewer, "conversion": conversion, "form": form}
    return render(request, "characters/import_other.html", context, status=status)
