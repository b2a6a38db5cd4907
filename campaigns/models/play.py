"""Sessions with their scenes, pins and recaps, the storylines, and who is at the table now."""

from __future__ import annotations

from enum import StrEnum
from typing import Any
from uuid import uuid4

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext as _

from campaigns.models.members import Campaign, Membership
from languages.text import gettext_noop


class Manner(StrEnum):
    """The manner in which something is said: in character, out of character, by the narrator, or to some only."""

    CHARACTER = "character"
    PLAYER = "player"
    NARRATION = "narration"
    WHISPER = "whisper"


def session_words(number: int, title: str) -> str:
    """Return a session as people read it: "Session 2: The Long Wake"."""
    words = _("Session {number}: {title}") if title else _("Session {number}")
    return words.format(number=number, title=title)


def scene_words(number: int, title: str) -> str:
    """Return a scene as people read it: "Scene 1, the lantern room"."""
    words = _("Scene {number}, {title}") if title else _("Scene {number}")
    return words.format(number=number, title=title)


class GameSession(models.Model):
    """One evening. At most one is open in a campaign; numbers run 1, 2, 3 …"""

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="sessions")
    number = models.PositiveIntegerField()
    title = models.CharField(max_length=120, blank=True)
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "number"], name="session_numbers_are_unique"),
            models.UniqueConstraint(fields=["campaign"], condition=Q(ended_at=None), name="one_open_session"),
        ]

    def __str__(self) -> str:
        return session_words(self.number, self.title)

    def payload(self) -> dict[str, Any]:
        return {"number": self.number, "title": self.title}


class Scene(models.Model):
    """A scene inside a session. At most one is open; numbers run 1, 2, 3 … within the session."""

    session = models.ForeignKey(GameSession, on_delete=models.PROTECT, related_name="scenes")
    number = models.PositiveIntegerField()
    title = models.CharField(max_length=120, blank=True)
    cover = models.CharField(max_length=Campaign.COVER, blank=True)
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["session", "number"], name="scene_numbers_are_unique"),
            models.UniqueConstraint(fields=["session"], condition=Q(closed_at=None), name="one_open_scene"),
        ]

    def __str__(self) -> str:
        return scene_words(self.number, self.title)

    def payload(self) -> dict[str, Any]:
        return {"number": self.number, "title": self.title}


def now_of(session: GameSession | None, scene: Scene | None) -> dict[str, Any]:
    """Return a session and a scene, or none, as payloads name them."""
    return {"session": session.payload() if session else None, "scene": scene.payload() if scene else None}


class StorylineQuerySet(models.QuerySet["Storyline"]):
    def of(self, campaign: Campaign) -> StorylineQuerySet:
        """Return a campaign's storylines in order, with everything needed to draw them."""
        return self.filter(campaign=campaign).select_related("whose__user")

    def open(self) -> StorylineQuerySet:
        return self.filter(resolved_at=None)


class Storyline(models.Model):
    """A thread of the story, of one member or of the whole table. The open ones have an order."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="storylines")
    title = models.CharField(max_length=120)
    whose = models.ForeignKey(Membership, null=True, blank=True, on_delete=models.PROTECT, related_name="storylines")
    order = models.PositiveIntegerField(default=0)
    gm_notes = models.TextField(max_length=10_000, blank=True)
    resolved_at = models.DateTimeField(null=True, blank=True)

    objects = StorylineQuerySet.as_manager()

    class Meta:
        ordering = ["order", "title"]

    def __str__(self) -> str:
        return self.title


class Presence(models.Model):
    """One open socket. Rows are renewed while it lives; a row not renewed for `campaigns.live.presence.GONE_AFTER` is dead.

    It is not part of the log: page visits are not recorded there. `place` says where on a page the person is writing, as
    {"subject", "field", "streams"}; only those who see one of these streams are told.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="+")
    membership = models.ForeignKey(Membership, null=True, on_delete=models.CASCADE, related_name="+")
    seen_at = models.DateTimeField()
    place = models.JSONField(null=True)


class Pin(models.Model):
    """An event worth coming back to, by its uid, for all who may see that event. `session` is the one it is filed under."""

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="pins")
    session = models.ForeignKey(GameSession, on_delete=models.PROTECT, related_name="pins")
    uid = models.UUIDField()
    by = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["at"]
        constraints = [models.UniqueConstraint(fields=["campaign", "uid"], name="a_moment_is_pinned_once")]

    def __str__(self) -> str:
        return f"{self.uid} in {self.session}"


UNWRITTEN = gettext_noop("What happened here?")
"""What stands under each scene of a draft that the site has put together, in its reader's language."""


class Recap(models.Model):
    """The text that was written about a session, in Markdown: `draft` for GMs, `words` for all once it is published."""

    session = models.OneToOneField(GameSession, primary_key=True, on_delete=models.PROTECT, related_name="recap")
    draft = models.TextField(max_length=10_000, blank=True)
    words = models.TextField(max_length=10_000, blank=True)
    published_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"Recap of {self.session}"
