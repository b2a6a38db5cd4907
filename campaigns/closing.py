"""What ends with a scene or a session unless somebody does something about it: apps above register who knows (rolls: tokens that
vanish), and the table lists it before a GM closes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias

from campaigns.models import Viewer


class Closes(StrEnum):
    """What a GM is about to do."""

    SCENE = "scene"
    NEXT = "next"
    SESSION = "session"

    @property
    def words(self) -> str:
        return {
            Closes.SCENE: "close the scene",
            Closes.NEXT: "open the next scene",
            Closes.SESSION: "end the session",
        }[self]


@dataclass(frozen=True)
class Ending:
    """Something that ends: a template of a row in campaigns/_endings.html, and what that is given as `ending`."""

    template: str
    context: Mapping[str, Any]


Find: TypeAlias = Callable[[Viewer, Closes], Sequence[Ending]]
"""What ends of what this viewer may know of."""

_finders: list[Find] = []


def register(find: Find) -> None:
    """Called once by an app, when it is ready."""
    _finders.append(find)


def endings(viewer: Viewer, closes: Closes) -> list[Ending]:
    return [ending for find in _finders for ending in find(viewer, closes)]
