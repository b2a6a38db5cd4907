"""What procedures and the rest of the table say to each other: changes by name, rolls and their answers, and
buttons, without Django."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from languages.text import gettext, gettext_noop
from rules.acts import Target, target_key
from rules.messages import Words

OPEN: Final = "open"
"""The form that opens a procedure, among those of its acts."""
ROLLED, RECOUNTED, TAKEN_BACK, DROPPED = "rolled", "recounted", "taken_back", "dropped"
REREAD, SCENE_ENDED, USED, PLAYERS_CHANGED = "reread", "scene_ended", "used", "players_changed"
UPGRADED: Final = "upgraded"
"""Changes of a procedure other than by its own acts: a roll of it, a roll that was voided or corrected, a step that was
undone, a GM who closes it, a sheet that it depends on and that has changed, the end of the scene, a procedure that uses
it up, a player in it who leaves (which is not recorded), and the upgrade that ended those of 0.2.1 and before.
"""

SOMEONE: Final = gettext_noop("Someone")
"""The name of a side for which none was typed, as states hold it."""


def called(name: str) -> str:
    """Return the name of a side as it is read."""
    return gettext(name) if name == SOMEONE else name


def named(typed: str) -> str:
    """Return the name that was typed for a side; SOMEONE for none, and for what a form proposes where it has none."""
    return SOMEONE if typed.strip() in ("", called(SOMEONE)) else typed.strip()


@dataclass(frozen=True, slots=True)
class RollPart:
    """Identifies a roll of a procedure: what is rolled, and for what ("resist" and the key of a consequence).

    It is stored with the request of the roll as "resist.c1".
    """

    name: str
    of: str = ""

    @classmethod
    def parse(cls, kept: str) -> RollPart:
        name, _, of = kept.partition(".")
        return cls(name, of)

    def __str__(self) -> str:
        return f"{self.name}.{self.of}" if self.of else self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A roll that is awaited: its `part`, its terms as in a request, and its character (None: dice of a GM's)."""

    part: RollPart
    terms: Mapping[str, Any]
    character: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A standing roll that answers a request: what its Roll keeps."""

    part: RollPart
    outcome: Mapping[str, Any]
    terms: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    """An AvailableAct as it is drawn: what it sends, its `words`, and the `form` that asks for more, if any.

    `on_card` is a part of the form that is pressed on the card. `members` may press it beside the GMs, or every player
    if `open_to_all`. `primary` acts move the procedure on.
    """

    name: str
    target: Target
    sent: str
    words: Words
    form: bool
    members: tuple[int, ...]
    open_to_all: bool = False
    primary: bool = False
    on_card: bool = False

    @property
    def whom(self) -> str:
        """Return the first part of the target."""
        return str(self.target[0]) if self.target else ""

    @property
    def target_key(self) -> str:
        return target_key(self.target)
