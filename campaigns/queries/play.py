"""What is being played, and what was."""

from __future__ import annotations

from typing import Final

from django.db import models
from django.db.models import FilteredRelation, Q, QuerySet, Subquery

from campaigns.events import now_words
from campaigns.models import Campaign, GameSession
from campaigns.models.play import now_of
from database.compiled import Parameter, compiled

OFFERED: Final = 40
"""Sessions that a list to choose from has, the newest ones: that of a campaign of many years would have no end."""


def sessions_offered(campaign: Campaign, also: Q | None = None) -> QuerySet[GameSession]:
    """The newest sessions, and whichever are wanted besides, the newest first."""
    sessions = GameSession.objects.filter(campaign=campaign).order_by("-number")
    newest = Q(number__gt=Subquery(sessions.values("number")[:1]) - OFFERED)
    return sessions.filter(newest | also if also else newest)


def now_at(campaign: Campaign) -> dict[str, str]:
    """What is being played, as campaigns/_now_titles.html shows it: {"session", "scene"}, each in words or ""."""
    session = open_session.first(campaign=campaign.pk)
    return now_words(now_of(session, getattr(session, "open_scene", None)))


@compiled(campaign=models.UUIDField())
def open_session(campaign: Parameter) -> QuerySet[GameSession]:
    """The session that is open, with the scene that is open in it as `open_scene`; without the name where there is none."""
    open_scene = FilteredRelation("scenes", condition=Q(scenes__closed_at=None))
    sessions = GameSession.objects.annotate(open_scene=open_scene)
    sessions = sessions.select_related("open_scene")  # type: ignore[misc]  # annotated
    return sessions.filter(campaign=campaign, ended_at=None)
