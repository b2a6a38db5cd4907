"""What ends with a scene or a session unless somebody does something about it, such as tokens that vanish: the table lists it
before a GM closes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Any

from campaigns.models import Viewer
from campaigns.signals import answers, endings_asked


class ClosingAction(StrEnum):
    """What a GM is about to do."""

    SCENE = "scene"
    NEXT = "next"
    SESSION = "session"

    @property
    def question(self) -> str:
        """Return what the dialog of the table asks."""
        return {
            ClosingAction.SCENE: "End this scene?",
            ClosingAction.NEXT: "Start the next scene?",
            ClosingAction.SESSION: "End this session?",
        }[self]


@dataclass(frozen=True)
class ExpiringItem:
    """Something that ends: a template of a row in campaigns/_endings.html, and what that is given as `ending`. `key` tells it
    from others: a GM confirms what was listed, and not what has come since. `private`: some at the table are not told of it."""

    template: str
    context: Mapping[str, Any]
    key: str = ""
    private: bool = False


def listed(those: Sequence[ExpiringItem]) -> str:
    """What tells this list from another one."""
    return sha256("\n".join(sorted(f"{item.template} {item.key}" for item in those)).encode()).hexdigest()[:16]


def endings(viewer: Viewer, closes: ClosingAction) -> list[ExpiringItem]:
    """Return what ends of what this viewer may know of."""
    return [ending for items in answers(endings_asked, Viewer, viewer=viewer, closes=closes) for ending in items]
