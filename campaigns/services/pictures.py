"""Pictures at the table: with a line, shown to all who may see that line, and kept as handouts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from uuid import UUID

from django.conf import settings
from django.db.models import Sum
from django.utils.translation import gettext as _

from campaigns.errors import Blocked, Invalid, NotFound
from campaigns.events import COVER_CHANGED, HANDOUT_CHANGED, PICTURE_SEEN, PICTURE_SHOWN, SAID
from campaigns.models import Campaign, Cover, Event, Membership, Picture, Role, Scene
from campaigns.models.log import Subject, person
from campaigns.models.members import GM, TABLE
from campaigns.pictures import Upload
from campaigns.services.log import UnitOfWork, service


def add_picture(work: UnitOfWork, upload: Upload) -> Picture:
    """Return an unsaved picture for the next event, inside the operation that records it.

    Raises Blocked if the campaign has used up its bytes for pictures.
    """
    taken = Picture.objects.filter(campaign=work.campaign).aggregate(all=Sum("size"))["all"] or 0
    if taken + upload.size > settings.LARGEST_PICTURES:
        message = _("This campaign has used up its {most} MB for pictures. This one wasn’t sent.")
        raise Blocked(message.format(most=f"{settings.LARGEST_PICTURES / 1e6:.0f}"))
    return Picture(
        pk=work.id("picture"),
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
    showings = [event for event in _tellings(work, uid) if event.kind == PICTURE_SHOWN]
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
    picture, events = _of_line(work, uid)
    if not title:
        raise Invalid(_("Give the handout a title."), field="title")
    if picture.kept_at and picture.title == title:
        return
    picture.title, picture.kept_at = title, picture.kept_at or work.now
    _tell_handout(work, picture, events, kept=True)


@service(Role.GM)
def drop_handout(work: UnitOfWork, uid: UUID, *, key: UUID) -> None:
    """Take it off the list; the line and its picture stay."""
    _unlist(work, *_of_line(work, uid))


def _unlist(work: UnitOfWork, picture: Picture, events: Iterable[Event]) -> None:
    if picture.kept_at:
        picture.kept_at = None
        _tell_handout(work, picture, events, kept=False)


def unhidden(work: UnitOfWork, uid: UUID) -> tuple[str, str, Upload]:
    """Take a handout that only GMs see off their list, inside an operation; return its title, words and picture."""
    picture, events = _of_line(work, uid)
    if _streams(events) != [GM]:
        raise NotFound
    _unlist(work, picture, events)
    return picture.title, events[0].payload["words"], _upload(picture)


def _upload(picture: Picture) -> Upload:
    full, small = bytes(picture.full), bytes(picture.small)
    return Upload(full, small, small, picture.width, picture.height, picture.alt)


def _tell_handout(work: UnitOfWork, picture: Picture, events: Iterable[Event], *, kept: bool) -> None:
    picture.save(update_fields=["title", "kept_at"])
    for stream in _streams(events):
        payload = {"of": str(picture.uid), "title": picture.title, "kept": kept}
        work.record(HANDOUT_CHANGED, payload, stream=stream, subjects=[picture_subject(picture)])


def _of_line(work: UnitOfWork, uid: UUID) -> tuple[Picture, list[Event]]:
    """Return the picture of a line that the one who acts may see, and all tellings of the line. Raises NotFound."""
    events = [event for event in _tellings(work, uid) if event.kind == SAID]
    picture = Picture.objects.filter(campaign=work.campaign, uid=uid).defer("full", "small").first()
    if picture is None or not _is_told(work.by, events):
        raise NotFound
    return picture, events


def _tellings(work: UnitOfWork, uid: UUID) -> Iterator[Event]:
    yield from Event.objects.filter(campaign=work.campaign, uid=uid).select_related("stream").order_by("pk")


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
    picture, events = _of_line(work, uid)
    if TABLE not in _streams(events):
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
