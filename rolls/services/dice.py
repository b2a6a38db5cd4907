"""Where faces come from. `settings.DICE_SOURCE` names the source, so that dice which anyone can check, or dice that a test has
loaded, can take the place of the server's own."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias
from uuid import UUID

from django.conf import settings
from django.utils.module_loading import import_string

from rolls.rules.dice import D10, Die, Faces

_random = secrets.SystemRandom()


@dataclass(frozen=True, kw_only=True)
class Throw:
    """What dice are thrown for: `id` is the roll or the Burn, `actor` the membership that throws, `spec` such as "5d10".

    A rule may ask for more dice than `spec` says; they go on in the same stream of faces.
    """

    campaign: UUID
    actor: int
    id: UUID
    spec: str
    die: Die = D10


Source: TypeAlias = Callable[[Throw], Iterator[int]]


def server_dice(throw: Throw) -> Iterator[int]:
    """Faces without end from the operating system's random numbers."""
    while True:
        yield _random.randint(1, throw.die.sides)


def faces_for(throw: Throw) -> Faces:
    """The faces of a throw, from the source this site is set to."""
    source: Source = import_string(settings.DICE_SOURCE)
    return source(throw)
