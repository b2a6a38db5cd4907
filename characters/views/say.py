"""Saying something in the composer: as a character, out of character, as the narrator, or in a whisper."""

from __future__ import annotations

from uuid import UUID

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.datastructures import MultiValueDict

from campaigns.access import request_key
from campaigns.forms.fields import valid
from campaigns.forms.play import SayForm
from campaigns.models import Event, Viewer
from campaigns.models.play import Manner
from campaigns.services import play
from campaigns.views.answers import done
from characters.models import Character
from characters.services.cards import say_as


def say_typed(request: HttpRequest, viewer: Viewer, typed: QueryDict) -> HttpResponse:
    """Say what `typed` holds, the fields of a SayForm."""
    form = valid(say_form(viewer, typed, request.FILES))
    say_filled(viewer, form, request_key(request))
    return done(request, "table", viewer.campaign.slug)


def say_form(viewer: Viewer, typed: QueryDict, files: MultiValueDict[str, UploadedFile] | None = None) -> SayForm:
    """Return the form in which a member says something, with their characters among the voices."""
    # Most lines are not spoken by a character.
    speaks = typed.get("voice", "").startswith("character:")
    characters = Character.objects.controlled_by(viewer.by) if speaks else ()
    return SayForm(viewer.by, typed, files, characters=[character.subject for character in characters])


def say_filled(viewer: Viewer, form: SayForm, key: UUID) -> Event:
    """Say the text of a valid form. Return the event in the last of its streams."""
    words, picture = form.cleaned_data["text"], form.upload
    if form.manner == Manner.CHARACTER:
        speaker = Character(pk=UUID(form.cleaned_data["voice"].partition(":")[2]))
        return say_as(viewer.by, speaker, words, picture=picture, key=key)
    if form.manner == Manner.WHISPER:
        return play.whisper(viewer.by, words, to=list(form.cleaned_data["to"]), picture=picture, key=key)
    if form.manner == Manner.NARRATION:
        return play.narrate(viewer.by, words, picture=picture, key=key)
    return play.say(viewer.by, words, picture=picture, key=key)
