"""What is said in the composer: by a character, out of character, as the narrator, or in a whisper."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, QueryDict
from django.views.decorators.http import require_POST

from campaigns.access import member_view, request_key
from campaigns.forms.play import SayForm
from campaigns.models import Role, Viewer
from campaigns.models.play import Manner
from campaigns.services import play
from campaigns.views.answers import done, refused
from characters.models import Character
from characters.services import say_as


@require_POST
@member_view(Role.PLAYER)
def say(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    return say_typed(request, viewer, request.POST)


def say_typed(request: HttpRequest, viewer: Viewer, typed: QueryDict) -> HttpResponse:
    """Say what `typed` holds, the fields of a SayForm."""
    # Most of what is said is said by nobody's character.
    speaks = typed.get("voice", "").startswith("character:")
    mine = (
        {character.subject.key: character for character in Character.objects.controlled_by(viewer.by)} if speaks else {}
    )
    form = SayForm(viewer.by, typed, request.FILES, characters=[character.subject for character in mine.values()])
    if not form.is_valid():
        return refused(request, form)
    words, picture, key = form.cleaned_data["text"], form.upload, request_key(request)
    if form.manner == Manner.CHARACTER:
        say_as(viewer.by, mine[form.cleaned_data["voice"]], words, picture=picture, key=key)
    elif form.manner == Manner.WHISPER:
        play.whisper(viewer.by, words, to=list(form.cleaned_data["to"]), picture=picture, key=key)
    elif form.manner == Manner.NARRATION:
        play.narrate(viewer.by, words, picture=picture, key=key)
    else:
        play.say(viewer.by, words, picture=picture, key=key)
    return done(request, "table", viewer.campaign.slug)
