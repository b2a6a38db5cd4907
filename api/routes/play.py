"""Sessions and their scenes, and what else a group keeps: storylines, handouts."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpResponse

from api import schemas
from api.bodies import Fields, filled, form_schema
from api.router import CampaignRouter, IfMatch, Limit, Number, Version
from campaigns import chain
from campaigns.errors import existing
from campaigns.forms.play import HandoutForm, StorylineForm, TitleForm
from campaigns.models import GameSession, Picture, Role, Scene, Storyline, Viewer
from campaigns.pictures import CONTENT_TYPE
from campaigns.queries.play import row
from campaigns.services import pictures, play
from campaigns.services import play as services
from campaigns.services.pictures import drop_handout, keep_handout

router = CampaignRouter(tags=["Play"])

TITLE = form_schema(TitleForm, only=["title"])
STORYLINE = form_schema(StorylineForm, only=["title", "whose", "gm_notes"])


@router.reads("/sessions", response=schemas.Sessions)
def sessions(viewer: Viewer, before: Number | None = None, limit: Limit = 20) -> dict[str, Any]:
    """List the sessions with their scenes, newest first. `before` is the `next` of the previous page."""
    listed = GameSession.objects.filter(campaign=viewer.campaign).order_by("-number").prefetch_related("scenes")
    page = list((listed.filter(number__lt=before) if before else listed)[: limit + 1])
    return {
        "items": [_session(session) for session in page[:limit]],
        "next": page[limit - 1].number if len(page) > limit else None,
    }


@router.writes("/sessions", Role.GM, body=TITLE, response=schemas.Session)
def start_session(viewer: Viewer, body: Fields, key: UUID) -> dict[str, Any]:
    """Start a session."""
    return _session(play.start_session(viewer.by, filled(TitleForm, body).cleaned_data["title"], key=key))


@router.writes("/sessions/end", Role.GM, response=schemas.Done)
def end_session(viewer: Viewer, key: UUID) -> dict[str, Any]:
    """End the current session and everything that ends with it. The seed of its dice is revealed."""
    play.end_session(viewer.by, key=key)
    return {}


@router.writes("/scenes", Role.GM, body=TITLE, response=schemas.Scene)
def open_scene(viewer: Viewer, body: Fields, key: UUID) -> dict[str, Any]:
    """Start a scene in the current session. The scene before it ends."""
    opened = existing(play.open_scene(viewer.by, filled(TitleForm, body).cleaned_data["title"], key=key))
    return _scene(opened)


@router.writes("/scenes/close", Role.GM, response=schemas.Done)
def close_scene(viewer: Viewer, key: UUID) -> dict[str, Any]:
    """End the current scene."""
    play.close_scene(viewer.by, key=key)
    return {}


@router.reads("/storylines", response=list[schemas.Storyline])
def storylines(viewer: Viewer) -> list[dict[str, Any]]:
    """List the storylines, including resolved ones."""
    return [_storyline(viewer, storyline) for storyline in Storyline.objects.of(viewer.campaign)]


@router.writes("/storylines", Role.GM, body=STORYLINE, response=schemas.Storyline)
def add_storyline(viewer: Viewer, body: Fields, key: UUID) -> dict[str, Any]:
    """Create a storyline. `whose` is a member’s number; only GMs see `gm_notes`."""
    form = filled(lambda data: StorylineForm(viewer.campaign, data), body)
    return _storyline(viewer, services.add_storyline(viewer.by, **_written(form), key=key))


@router.writes("/storylines/{storyline_id}", Role.GM, method="PUT", body=STORYLINE, response=schemas.Storyline)
def change_storyline(
    viewer: Viewer, storyline_id: UUID, body: Fields, key: UUID, if_match: Version = IfMatch
) -> dict[str, Any]:
    """Change a storyline. `If-Match` is the version you last saw."""
    current = _storyline_at(viewer, storyline_id)
    form = filled(lambda data: StorylineForm(viewer.campaign, data, left=current.whose), body)
    return _storyline(
        viewer, services.change_storyline(viewer.by, current, **_written(form), expected=if_match, key=key)
    )


@router.writes("/storylines/{storyline_id}/resolve", Role.GM, response=schemas.Storyline)
def resolve_storyline(viewer: Viewer, storyline_id: UUID, key: UUID) -> dict[str, Any]:
    """Mark a storyline as resolved."""
    current = _storyline_at(viewer, storyline_id)
    return _storyline(viewer, services.resolve_storyline(viewer.by, current, key=key))


@router.writes("/storylines/{storyline_id}/reopen", Role.GM, response=schemas.Storyline)
def reopen_storyline(viewer: Viewer, storyline_id: UUID, key: UUID) -> dict[str, Any]:
    """Reopen a resolved storyline."""
    current = _storyline_at(viewer, storyline_id)
    return _storyline(viewer, services.reopen_storyline(viewer.by, current, key=key))


@router.reads("/handouts", response=list[schemas.Handout])
def handouts(viewer: Viewer) -> list[dict[str, Any]]:
    """List the handouts this token can see."""
    pictures_here = f"/campaigns/{viewer.campaign.slug}/pictures"
    return [
        picture.payload()
        | {"title": picture.title, "event": str(picture.uid), "picture": f"{pictures_here}/{picture.pk}"}
        for picture in Picture.objects.handouts(viewer)
    ]


@router.writes("/events/{uid}/handout", Role.GM, body=form_schema(HandoutForm), response=schemas.Done)
def keep_picture(viewer: Viewer, uid: UUID, body: Fields, key: UUID) -> dict[str, Any]:
    """Add the picture of a message to the handouts, or change its `title` there."""
    keep_handout(viewer.by, uid, filled(HandoutForm, body).cleaned_data["title"], key=key)
    return {"id": str(uid)}


@router.writes("/events/{uid}/handout", Role.GM, method="DELETE", response=schemas.Done)
def drop_picture(viewer: Viewer, uid: UUID, key: UUID) -> dict[str, Any]:
    """Remove a picture from the handouts. The message and its picture stay."""
    drop_handout(viewer.by, uid, key=key)
    return {"id": str(uid)}


@router.writes("/events/{uid}/show", response=schemas.Done)
def show_picture(viewer: Viewer, uid: UUID, key: UUID) -> dict[str, Any]:
    """Show the picture of a message on the screens of everyone who can see the message. GMs show any picture, players their
    own."""
    pictures.show_picture(viewer.by, uid, key=key)
    return {"id": str(uid)}


@router.reads("/pictures/{picture_id}", response={200: None})
def picture(viewer: Viewer, picture_id: UUID) -> HttpResponse:
    """Get a picture that this token can see, as WebP."""
    image = existing(Picture.objects.seen_by(viewer).filter(pk=picture_id).values_list("full", flat=True).first())
    return HttpResponse(bytes(image), content_type=CONTENT_TYPE)


def _session(session: GameSession) -> dict[str, Any]:
    return session.payload() | {
        "id": session.pk,
        "started_at": chain.moment(session.started_at),
        "ended_at": chain.moment(session.ended_at) if session.ended_at else None,
        "scenes": [_scene(scene) for scene in session.scenes.all()],
    }


def _scene(scene: Scene) -> dict[str, Any]:
    return scene.payload() | {
        "opened_at": chain.moment(scene.opened_at),
        "closed_at": chain.moment(scene.closed_at) if scene.closed_at else None,
    }


def _storyline(viewer: Viewer, storyline: Storyline) -> dict[str, Any]:
    """Return the public fields of a storyline, and its notes for GMs."""
    notes = {"notes": storyline.gm_notes, "version": services.storyline_version(storyline)} if viewer.is_gm else {}
    return row(storyline) | notes


def _storyline_at(viewer: Viewer, storyline_id: UUID) -> Storyline:
    return existing(Storyline.objects.of(viewer.campaign).filter(pk=storyline_id).first())


def _written(form: StorylineForm) -> dict[str, Any]:
    return {name: form.cleaned_data[name] for name in ("title", "whose", "gm_notes")}
