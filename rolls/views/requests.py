"""Rolls that the GM calls for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_POST

from campaigns.access import member_view, request_key
from campaigns.errors import Invalid, NotFound
from campaigns.forms.fields import valid
from campaigns.models import Membership, Role, Viewer
from campaigns.views.answers import done
from characters.models import Character
from characters.queries.in_play import in_play
from characters.views.in_play import CHOSEN
from rolls.forms.requests import CallForm
from rolls.models import Audience, RollRequest
from rolls.queries.requests import asked_members, players_by_game
from rolls.registry import RULESETS, in_game, table_of
from rolls.services.requests import ask_every_player, ask_for_roll, change_request, close_request, withdraw_roll
from rolls.table_rules import Terms
from rolls.views.rolls import roll_form, systems_to_choose

AUDIENCES = [
    (Audience.TABLE.value, gettext_lazy("everyone")),
    (Audience.SELF.value, gettext_lazy("the roller and the GM")),
    (Audience.GM.value, gettext_lazy("only the GM")),
]


@require_GET
@member_view(Role.GM)
def form(request: HttpRequest, viewer: Viewer, request_id: UUID | None = None) -> HttpResponse:
    """Return the form to call for a roll, or to change one that is called for; of the player of `character` in the query
    string."""
    asked = (
        RollRequest.objects.filter(campaign=viewer.campaign, pk=request_id, closed_at=None).first()
        if request_id
        else None
    )
    if request_id and asked is None:
        raise NotFound
    return render(request, "rolls/_request_form.html", {"asked": asked} | _drawn(request, viewer, asked))


def _drawn(request: HttpRequest, viewer: Viewer, asked: RollRequest | None) -> dict[str, Any]:
    """Return the context of the request form, by the chosen rules, else by those of the request, of every player's own
    game or of the last request."""
    last = asked or RollRequest.objects.filter(campaign=viewer.campaign).last()
    played = [] if asked else [one for one in in_play(viewer) if one.owner and not one.is_crew]
    chosen, _colon, given = request.GET.get("member", "").rpartition(":")
    wanted = request.GET.get(CHOSEN) or (given if chosen else "")
    whose = asked.character if asked else next((one for one in played if str(one.pk) == wanted), None)
    usual = whose.system if whose else request.GET.get("system") or (last.system if last else "")
    system, systems = systems_to_choose(viewer, usual, viewer.campaign.systems)
    if not system:
        raise Invalid(_("None of this campaign’s rules are installed here, so you can’t request a roll."))
    every = not (asked or whose or given)
    games = [game for game in players_by_game(viewer.campaign) if game in RULESETS] if every else []
    keeps = "keeps" in request.GET and bool(request.GET.get("system"))
    own = len(games) > 1 and (keeps or not request.GET.get("system"))
    if len(games) > 1:
        each = {"name": "", "words": _("each player’s own"), "current": own}
        systems = [each, *({**one, "current": one["current"] and not own} for one in systems)]
    return {
        "campaign": viewer.campaign,
        "members": [("", _("Every player")), *_who_rolls(viewer, played)],
        "chosen": _address(whose) if whose else given,
        "whose": whose,
        "every": _names(viewer, system) if every and not own else [],
        "own": own,
        "keeps": keeps and not own and system == request.GET.get("system"),
        "audiences": AUDIENCES,
        "system": system,
        "systems": systems,
        "games": [_game(viewer, name) for name in (games if own else [system])],
        "terms": _typed(asked) if asked and asked.system == system else {},
        "form_url": request.path,
    }


def _game(viewer: Viewer, name: str) -> dict[str, Any]:
    ruleset = RULESETS[name]
    drawn = {"template": f"{name}/request.html", "choices": ruleset.form.choices(viewer)}
    return {"name": name, "words": ruleset.short, "every": _names(viewer, name), **drawn}


def _names(viewer: Viewer, system: str) -> list[str]:
    """Return the names of all who are asked where that is every player of these rules."""
    return [member.name for member in asked_members(RollRequest(campaign=viewer.campaign, system=system))]


def _who_rolls(viewer: Viewer, played: Sequence[Character]) -> Iterator[tuple[str, str]]:
    """Yield (address, words) of those who can be asked: characters with their players, then members who play none."""
    for character in played:
        yield _address(character), f"{character.name} ({character.owner.name})" if character.owner else character.name
    members = Membership.objects.active().filter(campaign=viewer.campaign).exclude(role=Role.SPECTATOR)
    having = {character.owner_id for character in played}
    yield from (
        (str(member.number), member.name)
        for member in members.select_related("user").order_by("pk")
        if member.pk not in having
    )


def _address(character: Character) -> str:
    return f"{character.owner and character.owner.number}:{character.pk}"


def _typed(asked: RollRequest) -> Terms:
    return table_of(asked.system).kind_of_request(asked.terms).request_fields(asked.terms)


@require_POST
@member_view(Role.GM)
def ask(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    typed = request.POST.copy()
    if games := typed.getlist("game"):
        return _ask_every_player(request, viewer, list(dict.fromkeys(games)))
    member, _colon, character = typed.get("member", "").partition(":")
    typed.update({"member": member} | ({"character": character} if character else {}))
    form, rolled = valid(CallForm(typed)), valid(roll_form(typed, viewer.campaign))
    given = form.cleaned_data
    audience = Audience(given["audience"] or Audience.TABLE)
    ask_for_roll(viewer.by, form.call(rolled), member=given["member"], audience=audience, key=request_key(request))
    return done(request, "table", viewer.campaign.slug)


def _ask_every_player(request: HttpRequest, viewer: Viewer, games: Sequence[str]) -> HttpResponse:
    form = valid(CallForm({**request.POST.dict(), "member": ""}))
    calls = []
    for game in games:
        with in_game(game):
            calls.append(form.call(valid(roll_form(request.POST, viewer.campaign, game))))
    audience = Audience(form.cleaned_data["audience"] or Audience.TABLE)
    ask_every_player(viewer.by, calls, audience=audience, key=request_key(request))
    return done(request, "table", viewer.campaign.slug)


@require_POST
@member_view(Role.GM)
def change(request: HttpRequest, viewer: Viewer, request_id: UUID) -> HttpResponse:
    """Change it before the dice fall."""
    form, rolled = valid(CallForm(request.POST)), valid(roll_form(request.POST, viewer.campaign))
    change_request(viewer.by, request_id, form.call(rolled), key=request_key(request))
    return done(request, "table", viewer.campaign.slug)


@require_POST
@member_view(Role.GM)
def close(request: HttpRequest, viewer: Viewer, request_id: UUID) -> HttpResponse:
    close_request(viewer.by, request_id, key=request_key(request))
    return done(request, "table", viewer.campaign.slug)


@require_POST
@member_view(Role.PLAYER)
def withdraw(request: HttpRequest, viewer: Viewer, request_id: UUID) -> HttpResponse:
    """Take back what one has announced."""
    withdraw_roll(viewer.by, request_id, key=request_key(request))
    return done(request, "table", viewer.campaign.slug)
