"""Pictures at the table: one for everybody, which is shown and becomes a handout, and one in a whisper."""

from __future__ import annotations

from uuid import uuid4

from campaigns.events import PICTURE_SHOWN
from campaigns.models import Event, Membership, Picture
from campaigns.pictures import Upload
from campaigns.services import play
from campaigns.services.pictures import drop_handout, keep_handout, see_picture, set_cover, show_picture
from tests.campaigns.pictures.test_headers import riff
from tests.canaries import canary


def upload(words: str, alt: str = "") -> Upload:
    """Return a WebP picture with words in it, so that canaries in it are found."""
    data = riff((b"VP8X", bytes(10)), (b"EXIF", words.encode()))
    return Upload(data, data, data, 1600, 900, alt)


def pictures_happen(gm: Membership, mo: Membership) -> tuple[Picture, Event]:
    """Show pictures. Return the public one, and the event by which it was shown."""
    set_cover(gm, upload("a cover"), key=uuid4())
    secret = upload(canary("mo", "picture"), canary("mo", "alt"))
    told = play.whisper(mo, canary("mo", "caption"), to=[gm], picture=secret, key=uuid4())
    show_picture(mo, told.uid, key=uuid4())
    see_picture(gm, _showing(mo.stream).uid, key=uuid4())
    keep_handout(gm, told.uid, canary("mo", "handout"), key=uuid4())
    play.hand_out(gm, canary("mo", "handout"), secret, words=canary("mo", "caption"), to=[mo], key=uuid4())
    letter = play.hand_out(gm, "A letter", upload("a letter"), to=[mo], key=uuid4())
    play.show_handout(gm, letter.uid, key=uuid4())
    line = play.say(mo, "", picture=upload("a map", "A map of Harrow"), key=uuid4())
    show_picture(gm, line.uid, key=uuid4())
    see_picture(mo, _showing("table").uid, key=uuid4())
    keep_handout(gm, line.uid, "The map", key=uuid4())
    drop_handout(gm, line.uid, key=uuid4())
    keep_handout(gm, line.uid, "The map", key=uuid4())
    return Picture.objects.get(uid=line.uid), _showing("table")


def _showing(stream: str) -> Event:
    return Event.objects.filter(kind=PICTURE_SHOWN, stream__name=stream).latest("pk")
