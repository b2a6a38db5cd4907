"""Acts of procedures as buttons and addresses name them: who acts, on what target (rules/acting.py)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, ClassVar, TypeAlias, TypeVar

from rules.checked import stored

F = TypeVar("F", bound=Callable[..., Any])

Target: TypeAlias = tuple[Any, ...]
"""The target of an act: strings, numbers and members of enums, such as the key of a consequence and an attribute; () if
it has none.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """Someone who acts: a GM acts for everyone, others for the `characters` that they play, by their ids."""

    is_gm: bool = False
    characters: frozenset[str] = frozenset()

    def plays(self, character: str | None) -> bool:
        """Return whether they may act for this character; only GMs act for None."""
        return self.is_gm or character in self.characters


@dataclass(frozen=True, slots=True)
class ActKey:
    """Names an act as a button sends it: "done", "done:3", "resist:c1.prowess", "ready:a~0f3c96b1e2".

    `target` is the act's target, as `target_key` writes it, and `mark` a digest of the terms that were seen
    (AvailableAct.mark); None if they do not matter.
    """

    PATTERN: ClassVar = re.compile(r"(?P<name>[a-z_]{1,20})(:(?P<target>[a-z0-9._-]{1,80}))?(~(?P<mark>[0-9a-f]{10}))?")
    TARGET: ClassVar = re.compile(r"[a-z0-9._-]{0,80}")
    MARK_DIGITS: ClassVar = 10

    name: str
    target: str = ""
    mark: str | None = None

    @classmethod
    def parse(cls, sent: str) -> ActKey:
        """Read what a button sent, which names the terms that were seen. Raises ValueError for anything else."""
        match = cls.PATTERN.fullmatch(sent)
        if match is None:
            raise ValueError(sent)
        return cls(match["name"], match["target"] or "", match["mark"] or "")

    def __str__(self) -> str:
        return self.name + (f":{self.target}" if self.target else "") + (f"~{self.mark}" if self.mark else "")

    @property
    def parts(self) -> tuple[str, ...]:
        """Return the parts of the target as it was sent; it may no longer exist."""
        return tuple(self.target.split(".")) if self.target else ()


def target_key(target: Target) -> str:
    """Return an act's target as in addresses and ids: "c1.prowess"."""
    return ".".join(map(str, target))


@dataclass(frozen=True, slots=True, order=True)
class AvailableAct:
    """An act that may be taken now.

    `terms` are what it commits to and others may change: the box to cross off, a price, the text of a bargain. They
    hold only what everyone may know, in values that a state may have. Whoever acts sends the `mark` of the terms that
    they saw; with other terms it is another offer.
    """

    name: str
    target: Target = ()
    terms: tuple[Any, ...] = field(default=(), compare=False)

    @property
    def whom(self) -> str:
        """Return the first part of the target, usually a person in the state; "" without one."""
        return str(self.target[0]) if self.target else ""

    @property
    def mark(self) -> str:
        """Return a digest of these terms, to compare them with others; "" without any."""
        digest = sha256(json.dumps(stored(self.terms)).encode()).hexdigest()
        return digest[: ActKey.MARK_DIGITS] if self.terms else ""

    @property
    def key(self) -> ActKey:
        return ActKey(self.name, target_key(self.target), self.mark)
