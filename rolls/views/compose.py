"""The composer's text: words are said, and a slash command does what a form would do (rolls/slash.py)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from campaigns.access import member_view, request_key
from campaigns.errors import Invalid
from campaigns.forms.fields import valid
from campaigns.models import Role, Viewer
from campaigns.models.play import Manner
from campaigns.views.answers import done
from characters.queries.in_play import in_play
from characters.views.say import say_typed
from rolls.forms.base import RollForm
from rolls.registry import commands_of
from rolls.services.requests import Call, ask_for_roll
from rolls.settings import roll_settings
from rolls.slash import (
    SlashError,
    Spoken,
    check_lines,
    is_roll,
    read_me,
    read_request,
    read_roll,
    read_voice,
    read_whisper,
    read_words,
    spoken,
)
from rolls.views.composer import names_here, voices_here
from rolls.views.rolls import roll_form, roll_typed


@require_POST
@member_view(Role.PLAYER)
def compose(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    text, commands = request.POST.get("text", ""), commands_of(viewer.campaign.systems)
    with _at_the_text():
        check_lines(text)
    rolls = is_roll(text, commands)
    if request.FILES and (rolls or spoken(text) is Spoken.ASK):
        raise Invalid(_("A roll can’t have a picture. Remove one of them, then send again."), field="text")
    if rolls:
        return roll_typed(request, viewer, slash_form(viewer, request.POST))
    if spoken(text) is Spoken.ASK:
        return _ask(request, viewer)
    typed = request.POST.copy()
    with _at_the_text():
        _put_words(typed, viewer)
    return say_typed(request, viewer, typed)


def slash_form(viewer: Viewer, typed: Mapping[str, str]) -> RollForm:
    """Return the roll form as a slash command (`text`) fills it; what the GM has to set first is announced by it. Raises
    Invalid."""
    campaign = viewer.campaign
    commands = commands_of(campaign.systems)
    with _at_the_text():
        fields = read_roll(typed.get("text", ""), commands)
        if not viewer.is_gm and commands[fields["system"]].announces(fields, roll_settings(campaign)):
            fields["announce"] = "on"
    voice, _, character = typed.get("voice", "").partition(":")
    whose = {
        "character": character if voice == "character" else "",
        "client_seed": typed.get("client_seed", ""),
    }
    return roll_form(whose | fields, campaign)


def _put_words(typed: QueryDict, viewer: Viewer) -> None:
    """Fill the fields of a SayForm from a typed line. Raises SlashError."""
    text = typed.get("text", "")
    match spoken(text):
        case Spoken.WHISPER:
            to, typed["text"] = read_whisper(text, names_here(viewer.by))
            typed["voice"], typed["to"] = Manner.WHISPER.value, str(to)
        case Spoken.AS:
            typed["voice"], typed["text"] = read_voice(text, voices_here(viewer.by))
        case Spoken.ME:
            typed["text"] = read_me(text)
        case _:
            typed["text"] = read_words(text, commands_of(viewer.campaign.systems))


def _ask(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Ask for the roll that a line says, as the GM's form does."""
    if not viewer.is_gm:
        raise Invalid(_("Only the GM can request rolls. Nothing was sent."), field="text")
    names = names_here(viewer.by, players=True)
    games = {one.owner_id: one.system for one in reversed(in_play(viewer)) if one.owner_id}
    with _at_the_text():
        member, fields = read_request(request.POST.get("text", ""), names, commands_of(viewer.campaign.systems), games)
    form = valid(roll_form(fields, viewer.campaign))
    call = Call(form.ask(), reason=form.cleaned_data["note"])
    ask_for_roll(viewer.by, call, member=member, audience=form.seen_by, key=request_key(request))
    return done(request, "table", viewer.campaign.slug)


@contextmanager
def _at_the_text() -> Iterator[None]:
    """Raise a SlashError inside as Invalid at the text."""
    try:
        yield
    except SlashError as error:
        raise Invalid(str(error), field="text") from None
