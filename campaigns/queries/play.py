"""What is being played."""

from __future__ import annotations

from campaigns.models import Campaign, GameSession, Scene


def now_at(campaign: Campaign) -> dict[str, str]:
    """What is being played, as campaigns/_now_titles.html shows it: {"session", "scene"}, each in words or ""."""
    session = GameSession.objects.filter(campaign=campaign, ended_at=None).first()
    scene = Scene.objects.filter(session=session, closed_at=None).first() if session else None
    return now_in_words(session, scene)


def now_in_words(session: GameSession | None, scene: Scene | None) -> dict[str, str]:
    """An open session and scene, as `now_at` tells them."""
    return {"session": str(session or ""), "scene": str(scene or "")}
