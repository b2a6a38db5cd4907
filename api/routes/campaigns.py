"""The campaign of a token, and who sits at its table."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils.timezone import now
from ninja import Router

from api import schemas
from api.auth import Token
from api.bodies import Fields, filled, form_schema
from api.router import CampaignRouter, IfMatch, Limit, Number, Version
from campaigns import chain
from campaigns.errors import existing
from campaigns.forms.clocks import ClockForm, NewClockForm, TickForm
from campaigns.forms.dates import AnswerForm, ProposalForm
from campaigns.forms.play import HandoutForm, StorylineForm, TitleForm, members_of
from campaigns.models import ApiToken, Clock, GameSession, Picture, Role, Scene, SessionDate, Storyline, Viewer
from campaigns.models.log import person
from campaigns.pictures import CONTENT_TYPE
from campaigns.queries.clocks import clock_at, clock_payload, owners_of
from campaigns.queries.dates import dates_table
from campaigns.queries.handouts import shelf
from campaigns.queries.play import next_meeting, now_at, row, session_at, storyline_at
from campaigns.services import clocks as services
from campaigns.services import dates as services_of_dates
from campaigns.services import pictures, play
from campaigns.services.clocks import clock_version
from campaigns.services.dates import set_version
from campaigns.services.pictures import drop_handout, keep_handout
from rolls.registry import rules_of

router = CampaignRouter(tags=["Campaign"])
top = Router(tags=["Campaign"])


@top.get("/campaigns", auth=Token(), response=list[schemas.Campaign], operation_id="campaigns", url_name="campaigns")
def campaigns(request: HttpRequest) -> list[dict[str, Any]]:
    """List the campaigns this token opens. There is always exactly one."""
    return [_campaign(request.auth)]  # type: ignore[attr-defined]


@top.get(
    "/campaigns/{slug}",
    auth=Token(),
    response=schemas.Campaign,
    operation_id="campaign",
    url_name="campaign",
)
def campaign(request: HttpRequest, slug: str) -> dict[str, Any]:
    """Get the campaign: its name and rules, whether play is paused, and who this token acts as."""
    return _campaign(request.auth)  # type: ignore[attr-defined]


@router.reads("/members", response=list[schemas.Member])
def members(viewer: Viewer) -> list[dict[str, Any]]:
    """List the current members."""
    return [
        {"member": member.number, "name": member.name, "role": member.role} for member in members_of(viewer.campaign)
    ]


def _campaign(token: ApiToken) -> dict[str, Any]:
    viewer = token.viewer
    here = viewer.campaign
    planned = next_meeting(here, session_at(viewer))
    return {
        "slug": here.slug,
        "name": here.name,
        "pitch": here.pitch,
        "systems": here.systems,
        "rules": [rules.name for rules in rules_of(here)],
        "archived": here.archived_at is not None,
        "paused": here.paused,
        "next_session_at": chain.moment(planned.at) if planned else None,
        "now": now_at(viewer),
        "me": {
            "member": viewer.by.number,
            "name": viewer.by.name,
            "role": viewer.role.value,
            "writes": token.writes,
        },
    }


# Clocks: read, create, change, tick, archive.


clocks_router = CampaignRouter(tags=["Clocks"])


@clocks_router.reads("/clocks", response=list[schemas.Clock])
def clocks(viewer: Viewer) -> list[dict[str, Any]]:
    """List the clocks this token can see, including archived ones."""
    owners = owners_of(viewer.campaign)
    return [_told(viewer, clock, owners) for clock in Clock.objects.seen_by(viewer).with_related()]


@clocks_router.reads("/clocks/{clock_id}", response=schemas.Clock)
def clock(viewer: Viewer, clock_id: UUID) -> dict[str, Any]:
    """Get one clock."""
    return _told(viewer, clock_at(viewer, clock_id))


@clocks_router.writes("/clocks", Role.GM, body=form_schema(NewClockForm), response=schemas.Clock)
def make_clock(viewer: Viewer, body: Fields, key: UUID) -> dict[str, Any]:
    """Create a clock. With `rival_name` and `rival_segments`, create a pair that race each other."""
    form = filled(lambda data: NewClockForm(viewer.campaign, data), {"filled": 0, **body})
    made = services.make_clock(viewer.by, form.draft, rival=form.rival, filled=form.cleaned_data["filled"], key=key)
    return _told(viewer, clock_at(viewer, made.pk))


@clocks_router.writes("/clocks/{clock_id}", Role.GM, method="PUT", body=form_schema(ClockForm), response=schemas.Clock)
def change_clock(
    viewer: Viewer, clock_id: UUID, body: Fields, key: UUID, if_match: Version = IfMatch
) -> dict[str, Any]:
    """Change a clock. Its ticks stay."""
    current = clock_at(viewer, clock_id)
    form = filled(lambda data: ClockForm(viewer.campaign, data, clock=current), body)
    services.change_clock(viewer.by, current, form.draft, expected=if_match, key=key)
    return _told(viewer, clock_at(viewer, clock_id))


@clocks_router.writes("/clocks/{clock_id}/ticks", body=form_schema(TickForm), response=schemas.Clock)
def tick_clock(viewer: Viewer, clock_id: UUID, body: Fields, key: UUID) -> dict[str, Any]:
    """Tick a clock; a negative number unticks it. GMs tick any clock, players their own and the crew’s."""
    services.tick_clock(viewer.by, Clock(pk=clock_id), **filled(TickForm, body).cleaned_data, key=key)
    return _told(viewer, clock_at(viewer, clock_id))


@clocks_router.writes("/clocks/{clock_id}/archive", Role.GM, response=schemas.Clock)
def archive_clock(viewer: Viewer, clock_id: UUID, key: UUID) -> dict[str, Any]:
    """Archive a clock. Its history stays."""
    services.archive_clock(viewer.by, clock_at(viewer, clock_id), key=key)
    return _told(viewer, clock_at(viewer, clock_id))


@clocks_router.writes("/clocks/{clock_id}/restore", Role.GM, response=schemas.Clock)
def restore_clock(viewer: Viewer, clock_id: UUID, key: UUID) -> dict[str, Any]:
    """Restore an archived clock."""
    services.restore_clock(viewer.by, clock_at(viewer, clock_id), key=key)
    return _told(viewer, clock_at(viewer, clock_id))


def _told(viewer: Viewer, clock: Clock, owners: Any = None) -> dict[str, Any]:
    told = clock_payload(clock, owners or owners_of(viewer.campaign), whole=viewer.is_gm)
    return told | ({"version": clock_version(clock)} if viewer.is_gm else {})


# Sessions and their scenes, and what else a group keeps: storylines, handouts.


play_router = CampaignRouter(tags=["Play"])

TITLE = form_schema(TitleForm, only=["title"])
STORYLINE = form_schema(StorylineForm, only=["title", "whose", "gm_notes"])


@play_router.reads("/sessions", response=schemas.Sessions)
def sessions(viewer: Viewer, before: Number | None = None, limit: Limit = 20) -> dict[str, Any]:
    """List the sessions with their scenes, newest first. `before` is the `next` of the previous page."""
    listed = GameSession.objects.filter(campaign=viewer.campaign).order_by("-number").prefetch_related("scenes")
    page = list((listed.filter(number__lt=before) if before else listed)[: limit + 1])
    return {
        "items": [_session(session) for session in page[:limit]],
        "next": page[limit - 1].number if len(page) > limit else None,
    }


@play_router.writes("/sessions", Role.GM, body=TITLE, response=schemas.Session)
def start_session(viewer: Viewer, body: Fields, key: UUID) -> dict[str, Any]:
    """Start a session."""
    return _session(play.start_session(viewer.by, filled(TitleForm, body).cleaned_data["title"], key=key))


@play_router.writes("/sessions/end", Role.GM, response=schemas.Done)
def end_session(viewer: Viewer, key: UUID) -> dict[str, Any]:
    """End the current session and everything that ends with it. The seed of its dice is revealed."""
    play.end_session(viewer.by, key=key)
    return {}


@play_router.writes("/scenes", Role.GM, body=TITLE, response=schemas.Scene)
def open_scene(viewer: Viewer, body: Fields, key: UUID) -> dict[str, Any]:
    """Start a scene in the current session. The scene before it ends."""
    opened = existing(play.open_scene(viewer.by, filled(TitleForm, body).cleaned_data["title"], key=key))
    return _scene(opened)


@play_router.writes("/scenes/close", Role.GM, response=schemas.Done)
def close_scene(viewer: Viewer, key: UUID) -> dict[str, Any]:
    """End the current scene."""
    play.close_scene(viewer.by, key=key)
    return {}


@play_router.reads("/dates", response=list[schemas.SessionDate])
def dates(viewer: Viewer) -> list[dict[str, Any]]:
    """List the dates to come for sessions, the next one first."""
    seen = {"version": set_version(viewer.campaign, now())} if viewer.is_gm else {}
    return [
        {
            "id": str(column.date.pk),
            "at": chain.moment(column.date.at),
            "minutes": column.date.minutes,
            "zone": column.date.zone,
            "set": column.date.set_at is not None,
            "answers": [{"member": person(member), "answer": answer} for member, answer in column.answers.items()],
        }
        | seen
        for column in dates_table(viewer)["columns"]
    ]


@play_router.writes("/dates", Role.GM, body=form_schema(ProposalForm), response=schemas.Done)
def propose_dates(viewer: Viewer, body: Fields, key: UUID) -> dict[str, Any]:
    """Propose dates, or with `at_once` set them. Without `zone`, times without an offset are in the time zone of your account;
    `weeks` repeats each date `times` times, at the same hour there."""
    form = filled(lambda data: ProposalForm(data, zone=viewer.by.user.time_zone if viewer.by.user else "UTC"), body)
    services_of_dates.propose_dates(viewer.by, **form.proposal, key=key)
    return {}


@play_router.writes("/dates/{date_id}/answer", body=form_schema(AnswerForm), response=schemas.Done)
def answer_date(viewer: Viewer, date_id: UUID, body: Fields, key: UUID) -> dict[str, Any]:
    """Say whether you can come on a date: `yes`, `maybe` or `no`."""
    answer = filled(AnswerForm, body).cleaned_data["answer"]
    services_of_dates.answer_date(viewer.by, SessionDate(pk=date_id), answer, key=key)
    return {"id": str(date_id)}


@play_router.writes("/dates/{date_id}/set", Role.GM, response=schemas.Done)
def set_date(viewer: Viewer, date_id: UUID, key: UUID, if_match: Version = IfMatch) -> dict[str, Any]:
    """Set a date. Everyone is told, and has it in their calendar."""
    services_of_dates.set_date(viewer.by, SessionDate(pk=date_id), on=True, expected=if_match, key=key)
    return {"id": str(date_id)}


@play_router.writes("/dates/{date_id}/set", Role.GM, method="DELETE", response=schemas.Done)
def cancel_date(viewer: Viewer, date_id: UUID, key: UUID, if_match: Version = IfMatch) -> dict[str, Any]:
    """Cancel a date that is set. It stays as a proposal."""
    services_of_dates.set_date(viewer.by, SessionDate(pk=date_id), on=False, expected=if_match, key=key)
    return {"id": str(date_id)}


@play_router.writes("/dates/{date_id}", Role.GM, method="DELETE", response=schemas.Done)
def withdraw_date(viewer: Viewer, date_id: UUID, key: UUID) -> dict[str, Any]:
    """Withdraw a proposal."""
    services_of_dates.withdraw_date(viewer.by, SessionDate(pk=date_id), key=key)
    return {"id": str(date_id)}


@play_router.reads("/storylines", response=list[schemas.Storyline])
def storylines(viewer: Viewer) -> list[dict[str, Any]]:
    """List the storylines, including resolved ones."""
    return [_storyline(viewer, storyline) for storyline in Storyline.objects.of(viewer.campaign)]


@play_router.writes("/storylines", Role.GM, body=STORYLINE, response=schemas.Storyline)
def add_storyline(viewer: Viewer, body: Fields, key: UUID) -> dict[str, Any]:
    """Create a storyline. `whose` is a member’s number; only GMs see `gm_notes`."""
    form = filled(lambda data: StorylineForm(viewer.campaign, data), body)
    return _storyline(viewer, play.add_storyline(viewer.by, **form.written, key=key))


@play_router.writes("/storylines/{storyline_id}", Role.GM, method="PUT", body=STORYLINE, response=schemas.Storyline)
def change_storyline(
    viewer: Viewer, storyline_id: UUID, body: Fields, key: UUID, if_match: Version = IfMatch
) -> dict[str, Any]:
    """Change a storyline. `If-Match` is the version you last saw."""
    current = storyline_at(viewer, storyline_id)
    form = filled(lambda data: StorylineForm(viewer.campaign, data, left=current.whose), body)
    return _storyline(viewer, play.change_storyline(viewer.by, current, **form.written, expected=if_match, key=key))


@play_router.writes("/storylines/{storyline_id}/resolve", Role.GM, response=schemas.Storyline)
def resolve_storyline(viewer: Viewer, storyline_id: UUID, key: UUID) -> dict[str, Any]:
    """Mark a storyline as resolved."""
    current = storyline_at(viewer, storyline_id)
    return _storyline(viewer, play.resolve_storyline(viewer.by, current, key=key))


@play_router.writes("/storylines/{storyline_id}/reopen", Role.GM, response=schemas.Storyline)
def reopen_storyline(viewer: Viewer, storyline_id: UUID, key: UUID) -> dict[str, Any]:
    """Reopen a resolved storyline."""
    current = storyline_at(viewer, storyline_id)
    return _storyline(viewer, play.reopen_storyline(viewer.by, current, key=key))


@play_router.reads("/handouts", response=list[schemas.Handout])
def handouts(viewer: Viewer) -> list[dict[str, Any]]:
    """List the handouts this token can see."""
    pictures_here = f"/campaigns/{viewer.campaign.slug}/pictures"
    return [
        one.picture.payload()
        | {"title": one.picture.title, "event": str(one.uid), "picture": f"{pictures_here}/{one.picture.pk}"}
        for one in shelf(viewer)
    ]


@play_router.writes("/events/{uid}/handout", Role.GM, body=form_schema(HandoutForm), response=schemas.Done)
def keep_picture(viewer: Viewer, uid: UUID, body: Fields, key: UUID) -> dict[str, Any]:
    """Add the picture of a message to the handouts, or change its `title` there."""
    keep_handout(viewer.by, uid, filled(HandoutForm, body).cleaned_data["title"], key=key)
    return {"id": str(uid)}


@play_router.writes("/events/{uid}/handout", Role.GM, method="DELETE", response=schemas.Done)
def drop_picture(viewer: Viewer, uid: UUID, key: UUID) -> dict[str, Any]:
    """Remove a picture from the handouts. The message and its picture stay."""
    drop_handout(viewer.by, uid, key=key)
    return {"id": str(uid)}


@play_router.writes("/events/{uid}/show", response=schemas.Done)
def show_picture(viewer: Viewer, uid: UUID, key: UUID) -> dict[str, Any]:
    """Show the picture of a message on the screens of everyone who can see the message. GMs show any picture, players their
    own."""
    pictures.show_picture(viewer.by, uid, key=key)
    return {"id": str(uid)}


@play_router.reads("/pictures/{picture_id}", response={200: None})
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
    notes = {"notes": storyline.gm_notes, "version": play.storyline_version(storyline)} if viewer.is_gm else {}
    return row(storyline) | notes
