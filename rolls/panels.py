"""Slots of pages in which rulesets and add-ons show something of their own.

A panel names a template and what that is given as `panel`. A page draws every panel of a slot in a loop:

    {% for panel in panels.side %}{% include panel.template with panel=panel.context %}{% endfor %}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from campaigns.models import GameSession, Viewer


class Slot(StrEnum):
    """The place of a panel; the replay has some for the state when the session began."""

    PAGE = "page"
    """On every page of a campaign, before all else: what stops the room."""
    TOP = "top"
    """At the table, above the feed. The first one's context may have a `label` for that part of the page."""
    HAND = "hand"
    """At the table, below the character at hand."""
    SIDE = "side"
    """At the table, below clocks and storylines."""
    STORYLINES = "storylines"
    """On the page of storylines: a sentence for GMs."""
    STORYLINE_LINKS = "storyline_links"
    """On the page of storylines: a link for GMs."""
    NO_STORYLINES = "no_storylines"
    """Shown if there are no storylines: a sentence on what they are good for."""
    SESSION_STORY = "session_story"
    """On a session's page, below its recap: what the story says."""
    SESSION = "session"
    """On a session's page, at the right."""
    SESSION_PART = "session_part"
    """On a session's page, in a column."""
    REPLAY_TOP = "replay_top"
    REPLAY_SIDE = "replay_side"
    OVERLAY = "overlay"
    """The overlay of a stream, where each panel is a `part` of its own."""


class Panel:
    """The content of a slot. Panels of one class show parts of the same data, and share the result of `context`.

    `part` is its name in the overlay's address, in small letters.
    """

    def __init__(self, slot: Slot, template: str, part: str = "") -> None:
        self.slot, self.template, self.part = slot, template, part

    def context(self, viewer: Viewer, session: GameSession | None) -> Mapping[str, Any] | None:
        """Return the template's `panel` for this viewer, and on a session's page for this session; None to leave the
        panel out.
        """
        return {}


@dataclass(frozen=True)
class Shown:
    """A panel as a page draws it."""

    template: str
    context: Mapping[str, Any]
    part: str = ""
