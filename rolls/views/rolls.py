"""Rolls from the composer's form, and what a GM does with them afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from uuid import UUID

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from campaigns.access import member_view, request_key
from campaigns.errors import Invalid, existing
from campaigns.forms.fields import valid
from campaigns.models import Campaign, Role, Viewer
from campaigns.views.answers import done
from characters.models import Character
from characters.views.in_play import CHOSEN, hand_of
from rolls.forms.base import CorrectionForm, ReasonForm, RollForm
from rolls.models import Audience, Procedure, Roll, RollRequest
from rolls.registry import RULESETS, table_of
from rolls.services.amend import correct_roll, reveal_roll, void_roll
from rolls.services.procedures import open_procedure
from rolls.services.requests import Call, announce_roll
from rolls.services.rolls import make_roll
from rolls.settings import roll_settings
from rolls.table_rules import Odds, OddsContext
from rolls.views.composer import roll_composer, spent_by


@require_POST
@member_view(Role.PLAYER)
def roll(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Make a roll, or announce one that a GM has to set."""
    return roll_typed(request, viewer, roll_form(request.POST, viewer.campaign))


@require_GET
@member_view(Role.PLAYER)
def odds(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show the odds of the roll form; none if it cannot be rolled yet."""
    form = roll_form(request.GET, viewer.campaign)
    is_whole, context, preview = form.is_valid(), odds_context(viewer, form), None
    if is_whole:
        with suppress(Invalid):
            preview = odds_of(context, form)
    drawn = {"odds": preview, "spent": spent_by(viewer, context.character, form), "lets": viewer.is_gm, "answers": True}
    return render(request, "rolls/_odds.html", drawn)


def odds_context(viewer: Viewer, form: RollForm) -> OddsContext:
    """Return what the odds of a checked form are calculated with, as far as it is valid."""
    asked = _asked(viewer, form)
    return OddsContext(
        campaign=viewer.campaign,
        character=_character(viewer, form, asked),
        settings=roll_settings(viewer.campaign),
        is_gm=viewer.is_gm,
        by=viewer.by,
        audience=Audience(asked.audience) if asked else form.seen_by,
    )


def odds_of(context: OddsContext, form: RollForm) -> Odds | None:
    """Return the odds for a valid form; None if there are none to show. Raises Invalid for what cannot be rolled."""
    ask = form.ask()
    return table_of(form.system).kind(ask.kind).preview(context, ask)


def _asked(viewer: Viewer, form: RollForm) -> RollRequest | None:
    """Return the request that the form answers; it determines who sees the roll, and whose a procedure's roll is."""
    answers = Q(member=None) | Q(member=viewer.by)
    if viewer.is_gm:
        answers |= Q(procedure__isnull=False)
    wanted = form.cleaned_data.get("request")
    mine = RollRequest.objects.filter(answers, campaign=viewer.campaign).select_related("character")
    return mine.filter(pk=wanted).first() if wanted else None


def _character(viewer: Viewer, form: RollForm, asked: RollRequest | None) -> Character | None:
    """Return the character who would roll; a request may name it."""
    mine = Character.objects.rolled_by(viewer.by)
    if asked is None or not asked.says_for_whom:
        wanted = form.cleaned_data.get("character")
        return mine.filter(pk=wanted).first() if wanted else None
    if viewer.is_gm or asked.character is None:
        return asked.character
    return mine.filter(pk=asked.character.pk).first()


@require_GET
@member_view(Role.PLAYER)
def form(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Return the roll form of another system, beside the character at hand."""
    hand = hand_of(viewer, request.GET.get(CHOSEN, ""))
    composer = roll_composer(viewer, hand, request.GET.get("system", ""))
    return render(request, "rolls/_roll_form.html", {"campaign": viewer.campaign, "composer": composer})


def roll_form(typed: Mapping[str, str], campaign: Campaign, game: str = "") -> RollForm:
    """Return the form of the ruleset that is named, of the campaign's first unless one is; that of a `game` among several,
    whose fields have its name as their prefix. Raises Invalid."""
    first = next((name for name in campaign.systems if name in RULESETS), "")
    name = game or typed.get("system") or first
    if name not in RULESETS:
        raise Invalid(_("No rules have this name."), field="system")
    return RULESETS[name].form(typed, prefix=game or None)


def roll_typed(request: HttpRequest, viewer: Viewer, form: RollForm) -> HttpResponse:
    """Make the roll that a form holds, or announce it."""
    roll_or_announce(viewer, valid(form), request_key(request))
    return done(request, "table", viewer.campaign.slug)


def roll_or_announce(viewer: Viewer, form: RollForm, key: UUID) -> Roll | RollRequest | Procedure:
    """Make the roll that a valid form holds, or announce it: as a request, or as what settles it in steps."""
    given = form.cleaned_data
    if given["announce"]:
        return _announce(viewer, form, key)
    return make_roll(
        viewer.by,
        form.ask(),
        audience=form.seen_by,
        key=key,
        faces=given["faces"],
        client_seed=given["client_seed"],
    )


def _announce(viewer: Viewer, form: RollForm, key: UUID) -> RollRequest | Procedure:
    if form.cleaned_data["faces"]:
        raise Invalid(_("Leave out the dice for now: roll when the GM asks."), field="faces")
    ask, reason = form.ask(), form.cleaned_data["note"]
    begun = table_of(form.system).kind(ask.kind).announces(ask) if form.seen_by is Audience.TABLE else None
    if begun:
        kind, given = begun
        return open_procedure(viewer.by, form.system, kind, given, reason=reason, key=key)
    return announce_roll(viewer.by, Call(ask, reason=reason), audience=form.seen_by, key=key)


@require_POST
@member_view(Role.GM)
def void(request: HttpRequest, viewer: Viewer, roll_id: UUID) -> HttpResponse:
    """Void a roll with all that followed from it."""
    form = valid(ReasonForm(request.POST))
    void_roll(viewer.by, roll_id, reason=form.cleaned_data["reason"], key=request_key(request))
    return done(request, "table", viewer.campaign.slug)


@require_GET
@member_view(Role.GM)
def correction(request: HttpRequest, viewer: Viewer, roll_id: UUID) -> HttpResponse:
    """Return the form to correct a roll."""
    current = existing(Roll.objects.filter(campaign=viewer.campaign, pk=roll_id, voided_at=None).first())
    form = _correction(current)(initial=current.ask, auto_id=f"correct-{current.pk}-%s")
    return render(request, "rolls/_correction_form.html", {"campaign": viewer.campaign, "roll": current, "form": form})


@require_POST
@member_view(Role.GM)
def correct(request: HttpRequest, viewer: Viewer, roll_id: UUID) -> HttpResponse:
    """Read the same dice again with corrected terms."""
    current = existing(Roll.objects.filter(campaign=viewer.campaign, pk=roll_id).first())
    form = valid(_correction(current)(request.POST))
    correct_roll(viewer.by, roll_id, form.changes, reason=form.cleaned_data["reason"], key=request_key(request))
    return done(request, "table", viewer.campaign.slug)


def _correction(roll: Roll) -> type[CorrectionForm]:
    ruleset = RULESETS.get(roll.system)
    return ruleset.correction if ruleset else CorrectionForm


@require_POST
@member_view(Role.GM)
def reveal(request: HttpRequest, viewer: Viewer, roll_id: UUID) -> HttpResponse:
    """Show a hidden roll to the whole table."""
    reveal_roll(viewer.by, roll_id, key=request_key(request))
    return done(request, "table", viewer.campaign.slug)
