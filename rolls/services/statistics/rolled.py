"""Every roll that counts and that a viewer may see, read in one pass: what fell, what came of it, what was to be expected."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db.models import Q, QuerySet
from django.db.models.fields.json import KT
from django.db.models.functions import Coalesce

from campaigns.access import Seat
from campaigns.models import Campaign
from rolls.models import Roll, Step
from rolls.services.statistics.expected import Expected, expected
from rolls.settings import roll_settings

READ: Final = (
    "pk",
    "by_id",
    "character_id",
    "character__name",
    "character__owner_id",
    "character__shown",
    "system",
    "kind",
    "played",
    "hand_rolled",
    "ask",
    "faces",
    "result",
    "stress",
)

SUCCEEDED: Final = {
    "storyteller": {"success": True, "failure": False, "botch": False},
    "descriptors": {"win": True, "loss": False, "stalemate": False},
    "arc": {"success": True, "failure": False},
    "forged": {"critical": True, "full": True, "partial": True, "bad": False},
}
"""What counts as success in each system. An opposed check that waits to be countered has no result yet."""

RATING = re.compile(r"\s+-?[0-9]+$")
BARE = re.compile(r"(no|[0-9]+) (die|dice)")
NO_TRAIT: Final = "Dice by number alone"


class Rolled(NamedTuple):
    """One roll. `succeeded` is None for rolls that are no matter of success, `chance` also where the viewer may not know it.

    `delta` is what it gave the Scale, `drift` what such a roll gives on average; both None for those that fed none.
    """

    player: int
    character: UUID | None
    name: str
    traits: tuple[str, ...]
    system: str
    session: int | None
    by_hand: bool
    sides: int
    faces: tuple[int, ...]
    succeeded: bool | None
    chance: float | None
    delta: int | None
    drift: float | None
    willpower: int
    will: int
    stress: int


def rolled(seat: Seat) -> Iterator[Rolled]:
    """Oldest first. Rolls that were taken back are left out, and those without dice; two queries, however many there are."""
    deltas = _deltas(seat.campaign)
    known = expected(roll_settings(seat.campaign), for_gm=seat.is_gm)
    # As text they need no parser of JSON.
    found = _seen(seat).annotate(
        result=KT("outcome__result"),
        stress=KT("outcome__stress"),
        played=Coalesce("event__filing__scene__session__number", "event__session__number"),
    )
    for row in found.order_by("at", "pk").values_list(*READ).iterator(chunk_size=2000):
        if row[11]:
            yield _read(row, deltas, known, is_gm=seat.is_gm)


def _seen(seat: Seat) -> QuerySet[Roll]:
    """As far as its event goes, or since it was shown to everybody."""
    rolls = Roll.objects.filter(campaign=seat.campaign, voided_at=None)
    if seat.streams is None:
        return rolls
    return rolls.filter(Q(event__stream__name__in=seat.streams) | Q(revealed_at__isnull=False))


def _deltas(campaign: Campaign) -> Mapping[UUID, int]:
    steps = Step.objects.filter(scale__campaign=campaign, undone_at=None, event__payload__facts__scale__has_key="delta")
    return dict(steps.values_list("roll_id", "event__payload__facts__scale__delta"))


def _read(row: tuple[Any, ...], deltas: Mapping[UUID, int], known: Expected, *, is_gm: bool) -> Rolled:
    pk, by, character, name, owner, shown, system, kind, session, by_hand, ask, faces, result, stress = row
    if character and owner is None and not shown and not is_gm:
        # Players do not know of it any more: it may have another name now.
        character, name = None, ""
    matters = (system, kind) != ("forged", "resistance")
    succeeded = SUCCEEDED[system].get(result) if matters else None
    delta = deltas.get(pk)
    return Rolled(
        player=by,
        character=character,
        name=name or "",
        traits=_traits(system, ask["words"]),
        system=system,
        session=session,
        by_hand=by_hand,
        sides=known.sides(system, kind, ask),
        faces=tuple(faces),
        succeeded=succeeded,
        chance=known.chance(system, kind, ask) if succeeded is not None else None,
        delta=delta,
        drift=known.drift(ask) if delta is not None else None,
        willpower=int(ask.get("willpower", False)) if system == "storyteller" else 0,
        will=ask["a"]["spent"] if system == "descriptors" and ask["a"]["pays"] else 0,
        stress=int(stress or 0) + ask.get("stress", 0) if system == "forged" else 0,
    )


def _traits(system: str, words: str) -> tuple[str, ...]:
    """The names in "Perception + Alertness" or "Skirmish 2"; of pools against each other those of the one who rolls."""
    own = words.split(" against ")[0] if system == "descriptors" else words
    names = (NO_TRAIT if BARE.fullmatch(part) else RATING.sub("", part) for part in own.split(" + "))
    return tuple(dict.fromkeys(names))
