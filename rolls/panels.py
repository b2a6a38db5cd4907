"""Slots of pages in which rulesets show something of their own.

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
    """The place of a panel."""

    HAND = "hand"
    """At the table, below the character at hand."""
    SIDE = "side"
    """At the table, below clocks and storylines."""
    SESSION_PART = "session_part"
    """On a session's page, in a column."""


class Panel:
    """The content of a slot. Panels of one class show parts of the same data, and share the result of `context`."""

    def __init__(self, slot: Slot, template: str) -> None:
        self.slot, self.template = slot, template

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
