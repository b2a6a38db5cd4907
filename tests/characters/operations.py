"""What the tests of characters do again and again, and the words that nobody but a GM may ever read."""

import re
from io import BytesIO
from uuid import uuid4

from django.db.models import Q
from django.urls import reverse
from PIL import Image

from campaigns.live.render import render_body, to_text
from campaigns.models import Event, Membership, Role
from campaigns.pictures import portrait
from campaigns.services.log import begin, locked
from characters.services.cards import Card, card_version, change_character
from characters.services.fields import set_field

SECRET_NAME = "Quillon-Traitor"
SECRET_CONCEPT = "Spy-Of-The-Regent"
HTMX = {"HTTP_HX_REQUEST": "true"}


def change(by, character, **to):
    """Change some of a card, based on what it says now."""
    character.refresh_from_db()
    now = {"name": character.name, "concept": character.concept, "owner": character.owner, "shown": character.shown}
    return change_character(by, character, Card(**now | to), expected=card_version(character), key=uuid4())


def put(by, character, field, value, seen, key=None):
    return set_field(by, character, field, value, expected=seen, key=key or uuid4())


def told(stream=None):
    """Return the events of characters, oldest first."""
    of_characters = Q(kind__startswith="characters.") | Q(kind="campaigns.said")
    events = Event.objects.with_related().select_related("campaign").filter(of_characters).order_by("id")
    return [event for event in events if stream is None or event.stream.name == stream]


def last():
    """Return the id of the newest event."""
    return Event.objects.latest("id").pk


def lines(first, role=Role.PLAYER):
    """Return the log's lines after an event: one for each event that has any."""
    events = Event.objects.filter(id__gt=first).order_by("id").with_related()
    return [words for event in events if (words := " ".join(to_text(render_body(event, role)).split()))]


def inside(by, operation):
    """Run a plain helper inside an operation of `by`."""
    with locked(by.campaign) as campaign:
        work = begin(campaign, Membership.objects.get(pk=by.pk), uuid4())
        answer = operation(work)
        work.close()
        return answer


def at(name, cast, *args):
    return reverse(name, args=[cast.campaign.slug, *args])


def page(person, name, cast, *args, **query):
    return person.client.get(at(name, cast, *args), query)


def send(person, url, cast, /, *args, htmx=True, **data):
    """Post a form with a fresh key."""
    extra = HTMX if htmx else {}
    return person.client.post(at(url, cast, *args), {"key": str(uuid4()), **data}, **extra)


def text(response):
    return re.sub(r"\s+", " ", response.content.decode())


def drawn(response, character):
    """Return the addresses of the character's fields on a page, sorted."""
    found = re.findall(rf'id="character-{character.pk}-[^"]*"\s+data-field="([^"]*)"', response.content.decode())
    return sorted(found)


def picture(colour="tomato", size=(60, 40), form="PNG"):
    """Return a picture file to upload."""
    out = BytesIO()
    Image.new("RGB", size, colour).save(out, form)
    out.seek(0)
    out.name = f"{colour}.{form.lower()}"
    return out


def portrait_of(colour="tomato"):
    """Return a picture as it is stored."""
    upload = picture(colour)
    return portrait(upload, len(upload.getvalue()))
