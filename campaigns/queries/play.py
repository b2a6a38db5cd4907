"""What is being played."""

from __future__ import annotations

from campaigns.events import now_words
from campaigns.models import Campaign, GameSession, Scene
from campaigns.models.play import now_of


def now_at(campaign: Campaign) -> dict[str, str]:
    """What is being played, as campaigns/_now_titles.html shows it: {"session", "scene"}, each in words or ""."""
    session = GameSession.objects.filter(campaign=campaign, ended_at=None).first()
    scene = Scene.objects.filter(session=session, closed_at=None).first() if session else None
    return now_words(now_of(session, scene))
