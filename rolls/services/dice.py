"""Where faces come from. `settings.DICE_SOURCE` names the source: dice that anyone can check, or dice that a test has loaded."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from uuid import UUID

from django.conf import settings
from django.utils.module_loading import import_string

from rolls.models import SeedEpoch
from rules import fairness
from rules.dice import Faces

_random = secrets.SystemRandom()


@dataclass(frozen=True, kw_only=True)
class DiceRequest:
    """The terms of a throw: `id` is the roll or what it caused, `actor` the membership that throws, `spec` such as
    "5d10".

    A rule may ask for more dice than `spec` says; they continue the same stream of faces. Dice that can be checked come
    from the seed of `epoch` and from others' contributions: 32 hex digits each, or "".
    """

    campaign: UUID
    actor: int
    id: UUID
    spec: str
    epoch: SeedEpoch | None = None
    client_seed: str = ""
    witness_seed: str = ""


Source: TypeAlias = Callable[[DiceRequest], Iterator[int]]


@dataclass
class Thrown(Iterator[int]):
    """Dice as they are read, one face after the other. `terms` is their proof without the faces; None: no proof."""

    faces: Faces
    terms: dict[str, Any] | None = None
    read: list[int] = field(default_factory=list)

    def __next__(self) -> int:
        face = next(self.faces)
        self.read.append(face)
        return face

    @property
    def proof(self) -> dict[str, Any] | None:
        """Return all one needs to compute the faces again, with the faces read; None for dice that cannot be checked."""
        return self.terms | {"faces": self.read} if self.terms else None


def server_dice(throw: DiceRequest) -> Iterator[int]:
    """Faces without end from the operating system's random numbers."""
    for sides in fairness.without_end(throw.spec):
        yield _random.randint(1, sides)


def fair_dice(throw: DiceRequest) -> Iterator[int]:
    """Return faces that anyone can compute once the epoch's seed is revealed; the server's own if nothing was committed
    to yet.
    """
    if throw.epoch is None:
        return server_dice(throw)
    return fairness.faces(throw.epoch.seed, fairness.message_of(str(throw.campaign), terms_of(throw, throw.epoch)))


def terms_of(throw: DiceRequest, epoch: SeedEpoch) -> dict[str, Any]:
    """Return a throw's proof without its faces."""
    return {
        "epoch": epoch.name,
        "actor": throw.actor,
        "roll": str(throw.id),
        "client": throw.client_seed,
        "witness": throw.witness_seed,
        "spec": throw.spec,
    }


def can_be_checked() -> bool:
    """Return whether this site's dice source is the one that anyone can check."""
    return import_string(settings.DICE_SOURCE) is fair_dice


def faces_for(throw: DiceRequest) -> Faces:
    """Return the faces of a throw, from the source this site is set to."""
    source: Source = import_string(settings.DICE_SOURCE)
    return source(throw)
