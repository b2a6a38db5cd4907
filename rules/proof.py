"""The proof of dice as events have it: all one needs to compute their faces again (docs/fairdice.md)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Protocol, TypeAlias

from pydantic import StringConstraints

from campaigns.schema import Code, Schema, Uid

Spec: TypeAlias = Annotated[
    str, StringConstraints(strict=True, pattern=r"^[0-9]{1,3}d[0-9]{1,3}(,[0-9]{1,3}d[0-9]{1,3}){0,19}$")
]
"""Dice in the notation of rules/fairness.py; of several kinds until 0.2.1."""


class Proof(Schema):
    epoch: Code
    actor: int
    roll: Uid
    spec: Spec
    client: Code
    witness: Code
    blind: bool
    faces: list[int]
    cause: Code | None = None


class Proven(Protocol):
    """Dice as they are read, one face after the other, and the proof of those that were read (rolls.services.fairness.Thrown)."""

    def __iter__(self) -> Iterator[int]: ...

    def __next__(self) -> int: ...

    @property
    def proof(self) -> dict[str, Any] | None: ...
