"""What is being played, and what was."""

from __future__ import annotations

from typing import Final

from django.db.models import Q, QuerySet, Subquery

from campaigns.events import now_words
from campaigns.models import Campaign, GameSession, Scene
from campaigns.models.play import now_of

OFFERED: Final = 40
"""Sessions that a list to choose from has, the newest ones: that of a campaign of many years would have no end."""


def sessions_offered(campaign: Campaign, also: Q | None = None) -> QuerySet[GameSession]:
    """The newest sessions, and whichever are wanted besides, the newest first."""
    sessions = GameSession.objects.filter(campaign=campaign).order_by("-number")
    newest = Q(number__gt=Subquery(sessions.values("number")[:1]) - OFFERED)
    return sessions.filter(newest | also if also else newest)


def now_at(campaign: Campaign) -> dict[str, str]:
    """What is being played, as campaigns/_now_titles.html shows it: {"session", "scene"}, each in words or ""."""
    session = GameSession.objects.filter(campaign=campaign, ended_at=None).first()
    scene = Scene.objects.filter(session=session, closed_at=None).first() if session else None
    return now_words(now_of(session, scene))
