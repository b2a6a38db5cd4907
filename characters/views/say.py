"""What is said in the composer: by a character, out of character, as the narrator, or in a whisper."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, QueryDict
from django.views.decorators.http import require_POST

from campaigns.access import member_view, request_key
from campaigns.forms.play import SayForm
from campaigns.models import Role, Seat
from campaigns.models.play import Manner
from campaigns.services import play
from campaigns.views.answers import done, refused
from characters.models import Character
from characters.services import say_as


@require_POST
@member_view(Role.PLAYER)
def say(request: HttpRequest, seat: Seat) -> HttpResponse:
    return say_typed(request, seat, request.POST)


def say_typed(request: HttpRequest, seat: Seat, typed: QueryDict) -> HttpResponse:
    """Say what `typed` holds, the fields of a SayForm."""
    mine = {one.about.key: one for one in Character.objects.played_by(seat.by)}
    form = SayForm(seat.by, typed, characters=[one.about for one in mine.values()])
    if not form.is_valid():
        return refused(request, form)
    words, key = form.cleaned_data["text"], request_key(request)
    if form.manner == Manner.CHARACTER:
        say_as(seat.by, mine[form.cleaned_data["voice"]], words, key=key)
    elif form.manner == Manner.WHISPER:
        play.whisper(seat.by, words, to=list(form.cleaned_data["to"]), key=key)
    elif form.manner == Manner.NARRATION:
        play.narrate(seat.by, words, key=key)
    else:
        play.say(seat.by, words, key=key)
    return done(request, "table", seat.campaign.slug)
