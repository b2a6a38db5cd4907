"""Every roll that counts and that a viewer may see, read in one pass: what fell, what came of it, what was to be expected."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db.models import Q, QuerySet
from django.db.models.fields.json import KT
from django.db.models.functions import Coalesce

from campaigns.models import Viewer
from rolls.models import Roll
from rolls.registry import ADD_ONS, RULESETS
from rolls.ruleset import Expectation
from rolls.settings import RollSettings, roll_settings
from rolls.table_rules import Terms

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

NO_TRAIT: Final = "Dice by number alone"


class Rolled(NamedTuple):
    """One roll. `succeeded` is None for rolls that are no matter of success, `chance` also where the viewer may not know it.

    `spent` is by resource; `counted` is what add-ons count of it, by their names.
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
    spent: Mapping[str, int]
    counted: Mapping[str, Any]


def rolled(viewer: Viewer) -> Iterator[Rolled]:
    """Oldest first, in one query and those of the add-ons, however many there are.

    Left out are rolls that were taken back, those without dice, and those by rules that are not installed any more.
    """
    settings = roll_settings(viewer.campaign)
    readers = {one.name: one.columns.reader(viewer.campaign, settings) for one in ADD_ONS.values() if one.columns}
    # As text they need no parser of JSON.
    found = _seen(viewer).annotate(
        result=KT("outcome__result"),
        stress=KT("outcome__stress"),
        played=Coalesce("event__filing__scene__session__number", "event__session__number"),
    )
    for row in found.order_by("at", "pk").values_list(*READ).iterator(chunk_size=2000):
        if row[11] and row[6] in RULESETS:
            yield _read(row, readers, settings, is_gm=viewer.is_gm)


def _seen(viewer: Viewer) -> QuerySet[Roll]:
    """As far as its event goes, or since it was shown to everybody."""
    rolls = Roll.objects.filter(campaign=viewer.campaign, voided_at=None)
    if viewer.streams is None:
        return rolls
    return rolls.filter(Q(event__stream__name__in=viewer.streams) | Q(revealed_at__isnull=False))


def _read(
    row: tuple[Any, ...], readers: Mapping[str, Callable[..., Any]], settings: RollSettings, *, is_gm: bool
) -> Rolled:
    pk, by, character, name, owner, shown, system, kind, session, by_hand, ask, faces, result, stress = row
    if character and owner is None and not shown and not is_gm:
        # Players do not know of it any more: it may have another name now.
        character, name = None, ""
    expect = RULESETS[system].expectation
    succeeded = expect.succeeded.get(result) if expect.judges(kind) else None
    return Rolled(
        player=by,
        character=character,
        name=name or "",
        traits=_traits(expect, ask),
        system=system,
        session=session,
        by_hand=by_hand,
        sides=expect.sides(kind, ask, settings),
        faces=tuple(faces),
        succeeded=succeeded,
        chance=expect.chance(kind, ask, settings, is_gm) if succeeded is not None else None,
        spent=expect.spent(ask, int(stress or 0)),
        counted={of: value for of, reader in readers.items() if (value := reader(pk, system, ask)) is not None},
    )


def _traits(expect: Expectation, ask: Terms) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name or NO_TRAIT for name in expect.traits(ask)))
