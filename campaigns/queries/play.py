"""Read the current session and scene, and earlier ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from hashlib import sha256
from typing import Any, Final
from uuid import UUID

from django.db import models
from django.db.models import F, FilteredRelation, Max, Min, Q, QuerySet, Subquery
from django.utils.timezone import now
from django.utils.translation import gettext as _

from campaigns.errors import existing
from campaigns.events import CLOSING_TOLD, REMEMBERED, SCENE_OPENED, now_words
from campaigns.kinds import Topic, answers, endings_asked
from campaigns.models import Campaign, Event, GameSession, Membership, Pin, Role, SessionDate, Storyline, Viewer
from campaigns.models.log import person
from campaigns.models.members import TABLE
from campaigns.models.play import now_of
from campaigns.text import ERASED
from database.compiled import Parameter, compiled

OFFERED: Final = 40
"""Sessions that a list to choose from has, the newest ones: that of a campaign of many years would have no end."""


def sessions_offered(campaign: Campaign, also: Q | None = None) -> QuerySet[GameSession]:
    """Return the newest sessions, and any that `also` matches, newest first."""
    sessions = GameSession.objects.filter(campaign=campaign).order_by("-number")
    newest = Q(number__gt=Subquery(sessions.values("number")[:1]) - OFFERED)
    return sessions.filter(newest | also if also else newest)


def ends(session: GameSession) -> tuple[int, int]:
    """Return the first and the last id of a session's events; (0, -1) if there are none."""
    # Asked for the least id itself, PostgreSQL would walk through the log until it meets one of that evening.
    number = F("pk") + 0
    ends = Event.objects.filter(session=session).aggregate(first=Min(number), last=Max(number))
    return (0, -1) if ends["first"] is None else (ends["first"], ends["last"])


def session_at(viewer: Viewer) -> GameSession | None:
    """Return the session that is open, as `open_session` does, reading it once for a page."""
    return viewer.once(_session_at)


def _session_at(viewer: Viewer) -> GameSession | None:
    return open_session.first(campaign=viewer.campaign.pk)


EARLY: Final = timedelta(hours=12)
"""A session that began at most this long before a date is that of the date."""


def next_meeting(campaign: Campaign, session: GameSession | None) -> SessionDate | None:
    """Return the next date that is set; not the one of the session that is open."""
    return next_of(dates_set([campaign.pk])[campaign.pk], session)


def dates_set(ids: Collection[UUID]) -> defaultdict[UUID, list[SessionDate]]:
    """Return the dates that are set and to come, by the ids of campaigns."""
    by_campaign = defaultdict(list)
    for date in SessionDate.objects.filter(campaign__in=ids).exclude(set_at=None).upcoming(now()):
        by_campaign[date.campaign_id].append(date)
    return by_campaign


def next_of(dates: Iterable[SessionDate], session: GameSession | None) -> SessionDate | None:
    """Return the first of these dates that is not that of the open session."""
    return next((date for date in dates if not session or date.at > session.started_at + EARLY), None)


def now_at(viewer: Viewer) -> dict[str, str]:
    """Return {"session", "scene"} that are being played, each in words or "", for campaigns/_now_titles.html."""
    session = session_at(viewer)
    return now_words(now_of(session, getattr(session, "open_scene", None)))


@compiled(campaign=models.UUIDField())
def open_session(campaign: Parameter) -> QuerySet[GameSession]:
    """Return the open session, with its open scene as `open_scene`; without that attribute if there is none."""
    open_scene = FilteredRelation("scenes", condition=Q(scenes__closed_at=None))
    sessions = GameSession.objects.annotate(open_scene=open_scene)
    sessions = sessions.select_related("open_scene")  # type: ignore[misc]  # annotated
    return sessions.filter(campaign=campaign, ended_at=None)


def scene_at(viewer: Viewer) -> dict[str, Any] | None:
    """Return the open scene as campaigns/_scene_band.html shows it; None between scenes."""
    session = session_at(viewer)
    scene = getattr(session, "open_scene", None)
    if session is None or scene is None:
        return None
    openings = Event.objects.filter(campaign=viewer.campaign, stream__name=TABLE, scene=scene, kind=SCENE_OPENED)
    opened = openings.select_related("stored").first()
    here = opened.payload.get("here", ()) if opened and opened.is_readable else ()
    return {**scene.payload(), "session": session.number, "cover": scene.cover, "here": here}


def row(storyline: Storyline) -> dict[str, Any]:
    """Return the public fields of a storyline, as campaigns/_storyline.html draws it."""
    return {
        "id": str(storyline.pk),
        "title": storyline.title,
        "whose": person(storyline.whose) if storyline.whose else None,
        "open": storyline.resolved_at is None,
        "order": storyline.order,
    }


def storyline_at(viewer: Viewer, storyline_id: UUID) -> Storyline:
    """Return a storyline of the viewer's campaign. Raises NotFound for any other."""
    return existing(Storyline.objects.of(viewer.campaign).filter(pk=storyline_id).first())


def storylines_of(viewer: Viewer) -> list[dict[str, Any]]:
    """Return the rows of the open storylines, in order, for the table page's panel; the same for everyone."""
    return [row(storyline) for storyline in Storyline.objects.of(viewer.campaign).open()]


def pinned(viewer: Viewer, session: GameSession) -> list[Event]:
    """Return the pinned moments of a session that this viewer may see, oldest first, each in its fullest version."""
    # A few ids, and put in order here: with all that is joined, SQLite would walk through the whole log.
    uids = list(Pin.objects.filter(session=session).values_list("uid", flat=True))
    pinned_ids = Event.objects.filter(campaign=viewer.campaign, uid__in=uids).values_list("pk", flat=True)
    visible = Event.objects.seen_by(viewer).deduplicated(viewer).filter(pk__in=list(pinned_ids))
    return sorted(visible.with_related().select_related("campaign").order_by(), key=lambda event: event.pk)


def pins_of(viewer: Viewer, session: GameSession) -> set[UUID]:
    """Return the pins of a session that this viewer may take off: the GM all, a player their own."""
    if viewer.is_read_only or not viewer.role.at_least(Role.PLAYER):
        return set()
    pins = Pin.objects.filter(session=session)
    return set((pins if viewer.is_gm else pins.filter(by=viewer.membership)).values_list("uid", flat=True))


def remembers_still(session: GameSession) -> bool:
    """Return whether members may write what they remember of it: from its end until the next session starts."""
    later = GameSession.objects.filter(campaign=session.campaign_id, number__gt=session.number)
    return session.ended_at is not None and not later.exists()


def memories(session: GameSession) -> dict[Membership, Event]:
    """Return the sentences by which members remember a session, as the whole table may read them, in the order in which they
    began to write."""
    told = Event.objects.filter(
        campaign=session.campaign_id,
        stream__name=TABLE,
        kind=REMEMBERED,
        index__campaign=session.campaign_id,
        index__topic=Topic.PLAY,
        stored__payload__number=session.number,
    )
    newest: dict[Membership, Event] = {}
    for event in told.select_related("stored", "actor__user").order_by("pk"):
        if event.actor and event.is_readable:
            newest[event.actor] = event
    return {member: event for member, event in newest.items() if event.payload["words"] not in ("", ERASED)}


def memory_of(session: GameSession, member: Membership) -> str:
    """Return what a member wrote of a session, "" for nothing."""
    event = memories(session).get(member)
    return event.payload["words"] if event else ""


class ClosingAction(StrEnum):
    """Something that a GM is about to close."""

    SCENE = "scene"
    NEXT = "next"
    SESSION = "session"

    @property
    def question(self) -> str:
        """Return the question of the table's dialog."""
        return _("End this session?") if self is ClosingAction.SESSION else _("End this scene?")


@dataclass(frozen=True)
class ExpiringItem:
    """Something that ends: the template of a row in campaigns/_endings.html, and its context as `ending`. `key` identifies
    it: a GM confirms what was listed, and not what has come since. `private`: some at the table may not know of it.
    """

    template: str
    context: Mapping[str, Any]
    key: str = ""
    private: bool = False


def listed(items: Sequence[ExpiringItem]) -> str:
    """Return a digest of this list, to compare it with another one."""
    return sha256("\n".join(sorted(f"{item.template} {item.key}" for item in items)).encode()).hexdigest()[:16]


def endings(viewer: Viewer, closes: ClosingAction) -> list[ExpiringItem]:
    """Return the items that end with it, as far as this viewer may know them."""
    return [ending for items in answers(endings_asked, Viewer, viewer=viewer, closes=closes) for ending in items]


def about_to_close(session: GameSession | None) -> ClosingAction | None:
    """Return what a GM is about to close, of the open session; None if it was called off or is already closed."""
    if session is None:
        return None
    announced = Event.objects.filter(
        campaign=session.campaign_id, stream__name=TABLE, session=session, kind=CLOSING_TOLD
    )
    last = announced.select_related("stored").order_by("-seq").first()
    scene = getattr(session, "open_scene", None)
    if (
        last is None
        or not last.is_readable
        or last.scene_id != (scene.pk if scene else None)
        or not last.payload["what"]
    ):
        return None
    return ClosingAction(last.payload["what"])


def closing(viewer: Viewer) -> dict[str, Any] | None:
    """Return the context of campaigns/_closing.html; None if nothing is about to be closed."""
    closes = about_to_close(session_at(viewer))
    return {"closes": closes, "endings": endings(viewer, closes)} if closes else None
