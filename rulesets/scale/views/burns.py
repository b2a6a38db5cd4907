"""Burns: taking, banking, spending, what they do; Major Burns: narrating, putting off, having seen."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_POST

from campaigns.access import member_view, request_key
from campaigns.errors import NotFound
from campaigns.live import presence as places
from campaigns.models import Role, Viewer
from campaigns.models.members import TABLE
from campaigns.views.answers import done, refused
from characters.models import Character
from rolls.forms.base import ReasonForm
from rulesets.scale import words
from rulesets.scale.forms.burns import EffectForm, MarkForm, WordsForm
from rulesets.scale.models import Burn
from rulesets.scale.queries.payloads import burn_payload
from rulesets.scale.services.burns import bank_burn, spend_banked, take_burn
from rulesets.scale.services.effects import choose_effect, decide_activation, use_free_activation
from rulesets.scale.services.majors import defer_burn, narrate_burn, see_burn
from rulesets.scale.services.oracle_marks import mark_oracle
from rulesets.scale.services.undoing import void_newest


def _acting(role: Role, service: Callable[..., object]) -> Callable[..., HttpResponse]:
    """A view in which somebody with at least this role does something with a Burn that needs nothing more to be said."""

    @require_POST
    @member_view(role)
    def act(request: HttpRequest, viewer: Viewer, burn_id: UUID) -> HttpResponse:
        service(viewer.by, burn_id, key=request_key(request))
        return done(request, "table", viewer.campaign.slug)

    return act


take = _acting(Role.PLAYER, take_burn)
bank = _acting(Role.PLAYER, bank_burn)
spend = _acting(Role.PLAYER, spend_banked)
defer = _acting(Role.GM, defer_burn)
see = _acting(Role.PLAYER, see_burn)


@require_GET
@member_view(Role.PLAYER)
def effect(request: HttpRequest, viewer: Viewer, burn_id: UUID) -> HttpResponse:
    """The form with which a fired Burn's effect is chosen; it offers the NPCs that players know of."""
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
    """The form with which a Major Burn is narrated; while it is written in, the table reads along (campaigns/live/drafts.py)."""
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
@member_view(Role.PLAYER)
def choose(request: HttpRequest, viewer: Viewer, burn_id: UUID) -> HttpResponse:
    """Say what a fired Burn does."""
    form = EffectForm(request.POST)
    if not form.is_valid():
        return refused(request, form)
    given = form.cleaned_data
    choose_effect(viewer.by, burn_id, given["effect"], words=given["words"], npc=given["npc"], key=request_key(request))
    return done(request, "table", viewer.campaign.slug)


@require_POST
@member_view(Role.PLAYER)
def mark(request: HttpRequest, viewer: Viewer, burn_id: UUID, oracle: str) -> HttpResponse:
    """Mark on the sheet what a die of a Major Burn gives."""
    form = MarkForm(request.POST)
    if not form.is_valid():
        return refused(request, form)
    given = form.cleaned_data
    mark_oracle(viewer.by, burn_id, oracle, given["choice"], client_seed=given["client_seed"], key=request_key(request))
    return done(request, "table", viewer.campaign.slug)


@require_POST
@member_view(Role.GM)
def decide(request: HttpRequest, viewer: Viewer, burn_id: UUID) -> HttpResponse:
    """Decide whether a free activation that a player asks for is plausible."""
    plausible = request.POST.get("plausible") == "yes"
    decide_activation(viewer.by, burn_id, plausible=plausible, key=request_key(request))
    return done(request, "table", viewer.campaign.slug)


@require_POST
@member_view(Role.PLAYER)
def activate(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    """Use a free activation that a Burn has left on a character."""
    form = ReasonForm(request.POST)
    if not form.is_valid():
        return refused(request, form)
    use_free_activation(viewer.by, character_id, note=form.cleaned_data["reason"], key=request_key(request))
    return done(request, "table", viewer.campaign.slug)


@require_POST
@member_view(Role.GM)
def narrate(request: HttpRequest, viewer: Viewer, burn_id: UUID) -> HttpResponse:
    form = WordsForm(request.POST)
    if not form.is_valid():
        return refused(request, form)
    narrate_burn(viewer.by, burn_id, form.cleaned_data["text"], key=request_key(request))
    return done(request, "table", viewer.campaign.slug)


@require_POST
@member_view(Role.GM)
def undo(request: HttpRequest, viewer: Viewer, scale_id: UUID) -> HttpResponse:
    """Take back the newest thing that happened to a Scale."""
    form = ReasonForm(request.POST)
    if not form.is_valid():
        return refused(request, form)
    void_newest(viewer.by, scale_id, reason=form.cleaned_data["reason"], key=request_key(request))
    return done(request, "table", viewer.campaign.slug)
