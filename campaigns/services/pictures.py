"""Pictures at the table: with a line, shown to all who may see that line, and kept as handouts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Q, Sum
from django.utils.translation import gettext as _

from campaigns.errors import Blocked, Invalid, NotFound
from campaigns.events import COVER_CHANGED, HANDOUT_CHANGED, PICTURE_SEEN, PICTURE_SHOWN, SAID
from campaigns.models import Campaign, Cover, Event, Membership, Picture, PictureLine, Role, Scene
from campaigns.models.log import Subject, person
from campaigns.models.members import GM, TABLE
from campaigns.models.pictures import PictureQuerySet
from campaigns.models.play import Manner
from campaigns.pictures import Upload
from campaigns.services.log import UnitOfWork, service


def add_picture(work: UnitOfWork, upload: Upload, *, name: str = "picture") -> Picture:
    """Return an unsaved picture for the next event, inside the operation that records it.

    Raises Blocked if the campaign has used up its bytes for pictures.
    """
    taken = Picture.objects.filter(campaign=work.campaign).aggregate(all=Sum("size"))["all"] or 0
    if taken + upload.size > settings.LARGEST_PICTURES:
        message = _("This campaign has used up its {most} MB for pictures. This one wasn’t sent.")
        raise Blocked(message.format(most=f"{settings.LARGEST_PICTURES / 1e6:.0f}"))
    return Picture(
        pk=work.id(name),
        campaign=work.campaign,
        by=work.by,
        full=upload.full,
        small=upload.small,
        size=upload.size,
        width=upload.width,
        height=upload.height,
        alt=upload.alt,
    )


def keep_picture(picture: Picture | None, line: Event) -> None:
    """Store it, once its line is recorded."""
    if picture:
        picture.uid = line.uid
        picture.save(force_insert=True)


def picture_subject(picture: Picture) -> Subject:
    """Return the picture as the subject of an event."""
    return Subject(picture.subject, "picture")


@service(Role.PLAYER, plays=True)
def show_picture(work: UnitOfWork, uid: UUID, *, key: UUID) -> None:
    """Put the picture of a line on every screen of those who may see the line. For GMs and who sent it; others: NotFound."""
    picture, events = _of_line(work, uid)
    if not work.by.is_gm and picture.by_id != work.by.pk:
        raise NotFound
    for stream in _streams(events):
        work.record(
            PICTURE_SHOWN,
            {"of": str(uid), "picture": picture.payload()},
            stream=stream,
            subjects=[picture_subject(picture)],
        )


@service(Role.SPECTATOR)
def see_picture(work: UnitOfWork, uid: UUID, *, key: UUID) -> None:
    """Say that one has had a showing, by the uid of its event, on screen. Said once, it is said."""
    showings = [event for event in _tellings(work, [uid]) if event.kind == PICTURE_SHOWN]
    if not _is_told(work.by, showings):
        raise NotFound
    seen = _seen_by(showings[0])
    if work.by.number in (viewer["member"] for viewer in seen):
        return
    payload = {"of": str(uid), "seen_by": [*seen, person(work.by)]}
    for event in showings:
        work.record(PICTURE_SEEN, payload, stream=event.stream.name, parent=event)


@service(Role.GM)
def keep_handout(work: UnitOfWork, uid: UUID, title: str, *, key: UUID) -> None:
    """Put the picture of a line on the list of handouts, or give it another title there."""
    list_handout(work, uid, title)


def list_handout(work: UnitOfWork, uid: UUID, title: str) -> None:
    """Do what `keep_handout` does, inside an operation."""
    picture, _events = _of_line(work, uid)
    if not title:
        raise Invalid(_("Give the handout a title."), field="title")
    if picture.kept_at and picture.title == title:
        return
    picture.title, picture.kept_at = title, picture.kept_at or work.now
    _tell_handout(work, picture, kept=True)


@service(Role.GM)
def drop_handout(work: UnitOfWork, uid: UUID, *, key: UUID) -> None:
    """Take it off the list; the line and its picture stay."""
    picture, _events = _of_line(work, uid)
    if picture.kept_at:
        picture.kept_at = None
        _tell_handout(work, picture, kept=False)


def shown_later(work: UnitOfWork, uid: UUID, members: Sequence[Membership]) -> tuple[Picture, str, list[Membership]]:
    """Return a handout that is to be shown to more people, its words, and those of the `members` who cannot see it yet; without
    members everyone is meant. Raises NotFound for what is no handout, Blocked where they all see it, Invalid for people who left.
    """
    picture, events = _of_line(work, uid)
    if picture.kept_at is None:
        raise NotFound
    told = {event.stream.name for event in _lines_of(work, picture)}
    new = [member for member in members_to_show(work, members) if member.stream not in told]
    if TABLE in told or (members and not new):
        raise Blocked(_("They can see it already."))
    return picture, events[0].payload["words"], new


def members_to_show(work: UnitOfWork, members: Sequence[Membership]) -> list[Membership]:
    """Return those people as they are now. Raises Invalid where one has left; GMs see everything as it is."""
    chosen = {member.pk for member in members}
    there = Membership.objects.active().select_related("user").filter(campaign=work.campaign, pk__in=chosen)
    found = list(there.order_by("pk"))
    if len(found) < len(chosen):
        raise Invalid(_("Someone you chose has left the campaign. Nothing was shown."), field="to")
    return [member for member in found if not member.is_gm]


def add_line(work: UnitOfWork, picture: Picture, line: Event) -> None:
    """Note that a handout was shown to more people by this line, and tell them that it is one."""
    PictureLine.objects.create(picture=picture, uid=line.uid)
    for event in _tellings(work, [line.uid]):
        _tell_in(work, picture, event, kept=True)


@service(Role.GM)
def take_over(work: UnitOfWork, pictures: Sequence[Picture], *, key: UUID) -> None:
    """Copy one's own handouts from other campaigns in which one is a GM; only GMs see them here until they are shown.

    Raises NotFound for pictures of others, and Blocked where there is no room left.
    """
    wanted = [picture.pk for picture in pictures]
    there = list(own_handouts_elsewhere(work.by).filter(pk__in=wanted))
    if len(there) < len(set(wanted)):
        raise NotFound
    for picture in there:
        copy = add_picture(work, _upload(picture), name=f"taken {picture.pk}")
        payload: dict[str, Any] = {
            "manner": Manner.NARRATION.value,
            "words": picture.title,
            "voice": None,
            "to": [],
            "picture": copy.payload(),
        }
        keep_picture(copy, work.record(SAID, payload, stream=GM, subjects=[picture_subject(copy)]))
        copy.title, copy.kept_at = picture.title, work.now
        _tell_handout(work, copy, kept=True)


def own_handouts_elsewhere(by: Membership) -> PictureQuerySet:
    """Return the handouts that a person has sent in other campaigns in which they are a GM, the newest first."""
    led = Membership.objects.leading_elsewhere(by).values("campaign")
    own = Picture.objects.filter(by__user=by.user, campaign__in=led)
    return own.exclude(kept_at=None).select_related("campaign").order_by("campaign__name", "-kept_at", "pk")


def _upload(picture: Picture) -> Upload:
    full, small = bytes(picture.full), bytes(picture.small)
    return Upload(full, small, small, picture.width, picture.height, picture.alt)


def _tell_handout(work: UnitOfWork, picture: Picture, *, kept: bool) -> None:
    picture.save(update_fields=["title", "kept_at"])
    for event in sorted(_lines_of(work, picture), key=lambda event: event.stream.name):
        _tell_in(work, picture, event, kept=kept)


def _tell_in(work: UnitOfWork, picture: Picture, line: Event, *, kept: bool) -> None:
    """Tell those who see a line of a picture that this is a handout, or no longer."""
    payload = {"of": str(line.uid), "title": picture.title, "kept": kept}
    stream, subjects = line.stream.name, [picture_subject(picture)]
    work.record(HANDOUT_CHANGED, payload, stream=stream, subjects=subjects, discriminator=str(line.uid))


def _of_line(work: UnitOfWork, uid: UUID) -> tuple[Picture, list[Event]]:
    """Return the picture of a line that the one who acts may see, and all tellings of the line. Raises NotFound."""
    events = [event for event in _tellings(work, [uid]) if event.kind == SAID]
    here = Picture.objects.filter(Q(uid=uid) | Q(lines__uid=uid), campaign=work.campaign)
    picture = here.defer("full", "small").first()
    if picture is None or not _is_told(work.by, events):
        raise NotFound
    return picture, events


def _lines_of(work: UnitOfWork, picture: Picture) -> list[Event]:
    """Return all lines that show a picture, in all their streams."""
    return [event for event in _tellings(work, picture.uids) if event.kind == SAID]


def _tellings(work: UnitOfWork, uids: Sequence[UUID]) -> Iterator[Event]:
    yield from Event.objects.filter(campaign=work.campaign, uid__in=uids).select_related("stream").order_by("pk")


def _is_told(member: Membership, events: Iterable[Event]) -> bool:
    return any(member.is_gm or event.stream.name in (TABLE, member.stream) for event in events)


def _streams(events: Iterable[Event]) -> list[str]:
    """Return the streams of exactly those who see the line itself."""
    return sorted({event.stream.name for event in events})


def _seen_by(showing: Event) -> list[dict[str, object]]:
    last = Event.objects.filter(parent=showing, kind=PICTURE_SEEN).select_related("stored").order_by("pk").last()
    return list(last.payload["seen_by"]) if last and last.is_readable else []


@service(Role.GM)
def set_cover(work: UnitOfWork, upload: Upload | None, *, scene: Scene | None = None, key: UUID) -> None:
    """Set the picture of the campaign or of one of its scenes; None removes it. Raises NotFound for a scene of another
    campaign.
    """
    covered: Campaign | Scene | None = work.campaign
    if scene:
        scenes = Scene.objects.select_related("session")
        covered = scenes.filter(session__campaign=work.campaign, pk=scene.pk).first()
    if covered is None:
        raise NotFound
    _cover(work, covered, upload)


@service(Role.GM, plays=True)
def show_scene(work: UnitOfWork, uid: UUID, *, key: UUID) -> None:
    """Make the picture of a line that of the open scene. Raises Blocked between scenes, and for a line that not everyone
    may see.
    """
    picture, _events = _of_line(work, uid)
    if TABLE not in _streams(_lines_of(work, picture)):
        raise Blocked(_("Not everyone may see this picture, so it can’t be the scene’s."))
    if work.scene is None:
        raise Blocked(_("No scene is in progress."))
    scene = Scene.objects.select_related("session").get(pk=work.scene.pk)
    _cover(work, scene, _upload(picture))


def _cover(work: UnitOfWork, covered: Campaign | Scene, upload: Upload | None) -> None:
    before, covered.cover = covered.cover, keep_cover(work, upload)
    if covered.cover == before:
        return
    covered.save(update_fields=["cover"])
    _forget(work, before)
    sort, numbers = "campaign", {}
    if isinstance(covered, Scene):
        sort, numbers = "scene", {"session": covered.session.number, "scene": covered.number}
    subject = Subject(f"{sort}:{covered.pk}", str(covered))
    payload = {"cover": covered.cover, "session": None, "scene": None} | numbers
    work.record(COVER_CHANGED, payload, subjects=[subject])


def keep_cover(work: UnitOfWork, upload: Upload | None) -> str:
    """Store a picture inside an operation; return its digest, "" for none."""
    if upload is None:
        return ""
    digest = _digest(upload.full)
    images = {"full": upload.full, "small": upload.small, "icon": upload.icon}
    Cover.objects.get_or_create(campaign=work.campaign, digest=digest, defaults=images)
    return digest


def _digest(full: bytes) -> str:
    return sha256(full).hexdigest()[: Campaign.COVER]


def uncover(pictures: Iterable[Picture]) -> None:
    """Take these pictures from the scenes that they were made the pictures of (show_scene), and delete them there."""
    for picture in pictures:
        digest = _digest(bytes(picture.full))
        Scene.objects.filter(session__campaign=picture.campaign_id, cover=digest).update(cover="")
        if not Campaign.objects.filter(pk=picture.campaign_id, cover=digest).exists():
            Cover.objects.filter(campaign=picture.campaign_id, digest=digest).delete()


def _forget(work: UnitOfWork, digest: str) -> None:
    """Delete a picture that nothing shows any more."""
    scenes = Scene.objects.filter(session__campaign=work.campaign, cover=digest)
    if digest and work.campaign.cover != digest and not scenes.exists():
        Cover.objects.filter(campaign=work.campaign, digest=digest).delete()
