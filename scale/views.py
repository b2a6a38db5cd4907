"""The pages and posts of the Scale: acts on Burns, its own page, and the oracle tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import Q
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from campaigns.access import member_view, request_key
from campaigns.errors import NotFound
from campaigns.forms.fields import valid
from campaigns.live import presence as places
from campaigns.models import GameSession, Role, Viewer
from campaigns.models.members import TABLE
from campaigns.queries.play import sessions_offered
from campaigns.views.answers import beside, done, page_of_list, tried
from characters.models import Character
from scale import words
from scale.forms import EffectForm, NoteForm, OracleForm, WordsForm, fields_of
from scale.models import Burn, Scale
from scale.queries.history import charts, moves_listed, outlook
from scale.queries.scale import burn_payload, scale_states
from scale.rules.oracles import STARTED_WITH, Entry
from scale.services import burns
from scale.words import TABLES, entries_read, entries_written

LONGEST_NUMBER = 9  # digits


def acting(
    role: Role, service: Callable[..., object], form_type: type[Form] | None = None
) -> Callable[..., HttpResponse]:
    """Return a view for an act of at least this role on what the address names, with the fields of a form as they are."""

    @require_POST
    @member_view(role)
    def act(request: HttpRequest, viewer: Viewer, **addressed: UUID | str) -> HttpResponse:
        given = valid(form_type(request.POST)).cleaned_data if form_type else {}
        service(viewer.by, **addressed, **given, key=request_key(request))
        return done(request, "table", viewer.campaign.slug)

    return act


take = acting(Role.PLAYER, burns.take_burn)
bank = acting(Role.PLAYER, burns.bank_burn)
spend = acting(Role.PLAYER, burns.spend_banked)
choose = acting(Role.PLAYER, burns.choose_effect, EffectForm)
activate = acting(Role.PLAYER, burns.use_free_activation, NoteForm)
narrate = acting(Role.GM, burns.narrate_burn, WordsForm)
defer = acting(Role.GM, burns.defer_burn)
see = acting(Role.PLAYER, burns.see_burn)


@require_GET
@member_view(Role.PLAYER)
def effect(request: HttpRequest, viewer: Viewer, burn_id: UUID) -> HttpResponse:
    """Return the form with which a fired Burn's effect is chosen; it offers the NPCs that players know of."""
    burn = _burn(viewer, burn_id, Burn.State.FIRED)
    npcs = Character.objects.known_to_all(viewer.campaign).filter(owner=None)
    return render(
        request,
        "scale/_effect_form.html",
        {"burn": words.burn(burn_payload(burn)), "npcs": npcs, "campaign": viewer.campaign},
    )


@require_GET
@member_view(Role.GM)
def narration(request: HttpRequest, viewer: Viewer, burn_id: UUID) -> HttpResponse:
    """Return the form with which a Major Burn is narrated; while it is written in, the table reads along
    (campaigns/live/drafts.py)."""
    burn = _burn(viewer, burn_id, Burn.State.OPEN, Burn.State.DEFERRED)
    draft = places.token(viewer.campaign.pk, f"major:{burn.pk}", [TABLE])
    context = {"burn_id": burn.pk, "campaign": viewer.campaign, "draft": draft}
    return render(request, "scale/_narration_form.html", context)


def _burn(viewer: Viewer, burn_id: UUID, *states: Burn.State) -> Burn:
    burn = Burn.objects.filter(scale__campaign=viewer.campaign, pk=burn_id, state__in=states).first()
    if burn is None:
        raise NotFound
    return burn


@require_POST
@member_view(Role.GM)
def decide(request: HttpRequest, viewer: Viewer, burn_id: UUID) -> HttpResponse:
    """Decide whether a free activation that a player asks for is plausible."""
    plausible = request.POST.get("plausible") == "yes"
    burns.decide_activation(viewer.by, burn_id, plausible=plausible, key=request_key(request))
    return done(request, "table", viewer.campaign.slug)


SAYS_WHEN = {
    "grace": gettext_lazy("The result of a Major Burn at +8."),
    "trouble": gettext_lazy("The result of a Major Burn at −8."),
    "grace_shift": gettext_lazy("The second die after a Shift on the Grace Oracle."),
    "trouble_shift": gettext_lazy("The second die after a Shift on the Trouble Oracle."),
    "reason": gettext_lazy("Where a new story comes from when the Story Oracle hits no storyline."),
}
# Only these may ask for a second die, or a consultation might never end.
SHIFTING = ("grace", "trouble")


@require_GET
@member_view(Role.GM)
def oracles(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    tables = [_told(name, entries) for name, entries in burns.tables_of(viewer.campaign).items()]
    return render(request, "scale/oracles.html", {"viewer": viewer, "tables": tables})


@require_http_methods(["GET", "POST"])
@member_view(Role.GM)
def oracle(request: HttpRequest, viewer: Viewer, name: str) -> HttpResponse:
    entries = _entries(viewer, name)
    form = OracleForm(
        request.POST or None,
        entries=entries_read(name, entries),
        expected=burns.entries_version(entries),
        may_shift=name in SHIFTING,
    )
    status = tried(request, form, lambda: _save(request, viewer, name, form))
    if not status:
        return redirect("oracles", viewer.campaign.slug)
    if status == 409:
        now = _entries(viewer, name)
        _beside(form, entries_read(name, now), burns.entries_version(now))
    context = {
        "viewer": viewer,
        "form": form,
        "table": _told(name, entries),
        "expected": burns.entries_version(entries),
    }
    return render(request, "scale/oracle.html", context, status=status)


@require_POST
@member_view(Role.GM)
def oracle_reset(request: HttpRequest, viewer: Viewer, name: str) -> HttpResponse:
    _entries(viewer, name)
    burns.reset_oracle(viewer.by, name, expected=request.POST.get("expected", ""), key=request_key(request))
    return redirect("oracles", viewer.campaign.slug)


def _entries(viewer: Viewer, name: str) -> tuple[Entry, ...]:
    if name not in TABLES:
        raise NotFound
    return burns.tables_of(viewer.campaign)[name]


def _told(name: str, entries: Sequence[Entry]) -> dict[str, Any]:
    return {
        "name": name,
        "called": TABLES[name],
        "when": SAYS_WHEN[name],
        "entries": entries_read(name, entries),
        "rewritten": tuple(entries) != STARTED_WITH[name],
    }


def _save(request: HttpRequest, viewer: Viewer, name: str, form: OracleForm) -> None:
    expected = form.cleaned_data["expected"]
    entries = entries_written(name, form.entries())
    burns.change_oracle(viewer.by, name, entries, expected=expected, key=request_key(request))


def _beside(form: OracleForm, now: Sequence[Entry], version: str) -> None:
    """Show what others wrote; shifts are written in words, since a box shows only one side of a difference."""
    typed = form.cleaned_data
    current = {field: value for field, value in fields_of(now).items() if field in form.fields}
    words = {True: _("a shift"), False: _("no shift")}
    differing = {field: words.get(value, value) for field, value in current.items() if typed.get(field) != value}
    beside(form, differing, version)


@require_GET
@member_view(Role.SPECTATOR)
def scale(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Return how the Scale moved in a session (`?session=<number>`, else the last one)."""
    sessions = GameSession.objects.filter(campaign=viewer.campaign)
    chosen = sessions.filter(number=_number(request, "session")).first()
    session = chosen or sessions.last()
    offered = sessions_offered(viewer.campaign, Q(pk=session.pk) if session else None)
    payloads = {payload["id"]: payload for payload in scale_states(viewer)}
    stored = list(Scale.objects.filter(pk__in=payloads))
    scales = [
        {
            "payload": payloads[str(drawn.scale)],
            "chart": drawn,
            "outlook": outlook(of) if viewer.is_gm else None,
        }
        for of, drawn in zip(stored, charts(stored, session), strict=True)
    ]
    context = {
        "viewer": viewer,
        "campaign": viewer.campaign,
        "scales": scales,
        "session": session,
        "sessions": list(offered)[::-1],
    }
    return render(request, "scale/scale.html", context)


@require_GET
@member_view(Role.SPECTATOR)
def moves(request: HttpRequest, viewer: Viewer, scale_id: UUID) -> HttpResponse:
    """Show the table of a chart, page by page: the moves of a Scale in a session (`?session=<number>`, none at a table that
    has had no session), from the one after `after`.
    """
    number = _number(request, "session")
    session = GameSession.objects.filter(campaign=viewer.campaign, number=number).first()
    in_use = {payload["id"] for payload in scale_states(viewer)}
    current = Scale.objects.filter(pk=scale_id).first()
    if current is None or str(scale_id) not in in_use or (session is None and number):
        raise NotFound
    listed, after = moves_listed(current, session, _number(request, "after"))
    context = {
        "viewer": viewer,
        "session": session,
        "moves": listed,
        "further": f"{request.path}?{urlencode({'session': number, 'after': after})}" if after else "",
        "campaign": viewer.campaign,
    }
    return page_of_list(request, "scale/moves.html", "scale/_moves.html", context)


def _number(request: HttpRequest, name: str) -> int:
    """Return a number of the query string, 0 for what is none."""
    given = request.GET.get(name, "")
    return int(given) if given.isdecimal() and len(given) < LONGEST_NUMBER else 0
