"""Rolls from the composer, by form or by slash command, and what a GM does with them afterwards."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_POST

from campaigns.access import Seat, member_view, request_key
from campaigns.errors import Invalid, Missing
from campaigns.models import Role
from campaigns.views.answers import done, refused
from characters.models import Character
from characters.views.say import say
from rolls.forms import KINDS, CorrectionForm, ReasonForm, RollForm
from rolls.models import Roll
from rolls.services.amend import correct_roll, reveal_roll, void_roll
from rolls.services.preview import preview
from rolls.services.rolls import make_roll
from rolls.slash import SlashError, is_roll, read_roll


@require_POST
@member_view(Role.PLAYER)
def compose(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Whatever is written in the composer: words are said, and a slash command does what the roll form does."""
    text = request.POST.get("text", "")
    if not is_roll(text):
        return say(request, slug=seat.campaign.slug)
    try:
        fields = read_roll(text)
    except SlashError as error:
        raise Invalid(str(error), field="text") from None
    voice, _, character = request.POST.get("voice", "").partition(":")
    return _roll(request, seat, RollForm({"character": character if voice == "character" else "", **fields}))


@require_POST
@member_view(Role.PLAYER)
def roll(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Make a roll."""
    return _roll(request, seat, RollForm(request.POST))


@require_GET
@member_view(Role.PLAYER)
def odds(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The odds of what stands in the roll form; what cannot be rolled yet has none."""
    form = RollForm(request.GET)
    found = None
    if form.is_valid():
        mine = Character.objects.played_by(seat.by).select_related("momentum")
        character = mine.filter(pk=form.cleaned_data["character"]).first()
        found = preview(seat.campaign, character, form.ask())
    return render(request, "rolls/_odds.html", {"odds": found})


def _roll(request: HttpRequest, seat: Seat, form: RollForm) -> HttpResponse:
    if not form.is_valid():
        return refused(request, form)
    make_roll(seat.by, form.ask(), audience=form.seen_by, key=request_key(request), faces=form.cleaned_data["faces"])
    return done(request, "table", seat.campaign.slug)


@require_POST
@member_view(Role.GM)
def void(request: HttpRequest, seat: Seat, roll_id: UUID) -> HttpResponse:
    """Take a roll back with all that it set off."""
    form = ReasonForm(request.POST)
    if not form.is_valid():
        return refused(request, form)
    void_roll(seat.by, roll_id, reason=form.cleaned_data["reason"], key=request_key(request))
    return done(request, "table", seat.campaign.slug)


@require_GET
@member_view(Role.GM)
def correction(request: HttpRequest, seat: Seat, roll_id: UUID) -> HttpResponse:
    """The form to correct a roll."""
    found = Roll.objects.filter(campaign=seat.campaign, pk=roll_id, voided_at=None).first()
    if found is None:
        raise Missing
    return render(request, "rolls/_correction_form.html", {"campaign": seat.campaign, "roll": found, "kinds": KINDS})


@require_POST
@member_view(Role.GM)
def correct(request: HttpRequest, seat: Seat, roll_id: UUID) -> HttpResponse:
    """Read the same dice again by another difficulty, kind or Ability."""
    form = CorrectionForm(request.POST)
    if not form.is_valid():
        return refused(request, form)
    correct_roll(seat.by, roll_id, form.correction(), reason=form.cleaned_data["reason"], key=request_key(request))
    return done(request, "table", seat.campaign.slug)


@require_POST
@member_view(Role.GM)
def reveal(request: HttpRequest, seat: Seat, roll_id: UUID) -> HttpResponse:
    """Show a hidden roll to the whole table."""
    reveal_roll(seat.by, roll_id, key=request_key(request))
    return done(request, "table", seat.campaign.slug)
