"""The shelf: handouts, and who can see each of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from uuid import UUID

from campaigns.events import SAID
from campaigns.models import Event, Membership, Picture, Role, Viewer
from campaigns.models.members import GM, TABLE


@dataclass
class Handout:
    """A handout as a viewer knows it, by the `uid` of a line that they see; for GMs with the names of those who can see it
    (`sees`), and the `others`.

    `audience` is "everyone", "gm" (so far), or "some".
    """

    picture: Picture
    uid: UUID
    audience: str
    sees: list[str] = field(default_factory=list)
    others: list[Membership] = field(default_factory=list)


def shelf(viewer: Viewer) -> list[Handout]:
    """Return the handouts that a viewer sees, the newest first."""
    pictures = list(Picture.objects.handouts(viewer))
    lines = [uid for picture in pictures for uid in picture.uids]
    seen = Event.objects.seen_by(viewer).filter(kind=SAID, uid__in=lines).values_list("uid", "stream__name")
    streams: dict[UUID, set[str]] = {}
    for uid, stream in seen:
        streams.setdefault(uid, set()).add(stream)
    here = Membership.objects.active().filter(campaign=viewer.campaign).exclude(role=Role.GM).order_by("pk")
    members = list(here.select_related("user")) if viewer.is_gm else []
    return [_handout(picture, streams, members) for picture in pictures]


def _handout(picture: Picture, streams: dict[UUID, set[str]], members: list[Membership]) -> Handout:
    known = [uid for uid in picture.uids if uid in streams]
    told = set().union(*(streams[uid] for uid in known))
    audience = "everyone" if TABLE in told else "gm" if told == {GM} else "some"
    sees = [member.name for member in members if member.stream in told]
    others = [] if TABLE in told else [member for member in members if member.stream not in told]
    return Handout(picture, known[0], audience, sees, others)
