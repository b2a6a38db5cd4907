"""What ends with a scene or a session unless somebody does something about it: apps above register who knows (rolls: tokens that
vanish), and the table lists it before a GM closes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Any, TypeAlias

from campaigns.models import Viewer


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


Find: TypeAlias = Callable[[Viewer, ClosingAction], Sequence[ExpiringItem]]
"""What ends of what this viewer may know of."""

_finders: list[Find] = []


def register(find: Find) -> None:
    """Called once by an app, when it is ready."""
    _finders.append(find)


def listed(those: Sequence[ExpiringItem]) -> str:
    """What tells this list from another one."""
    return sha256("\n".join(sorted(f"{one.template} {one.key}" for one in those)).encode()).hexdigest()[:16]


def endings(viewer: Viewer, closes: ClosingAction) -> list[ExpiringItem]:
    return [ending for find in _finders for ending in find(viewer, closes)]
