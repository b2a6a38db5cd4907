"""Every roll that counts and that a viewer may see, read in one pass: its faces, its result, its expectation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db.models import Q, QuerySet
from django.db.models.fields.json import KT
from django.db.models.functions import Coalesce
from django.utils import translation

from campaigns.models import Event, GameSession, Viewer
from campaigns.models.log import moved
from rolls.events import ROLL_CORRECTED, ROLL_MADE
from rolls.models import Roll
from rolls.registry import ADD_ONS, RULESETS
from rolls.ruleset import Expectation
from rolls.settings import RollSettings, roll_settings
from rolls.table_rules import Terms

READ: Final = (
    "pk",
    "event_id",
    "by_id",
    "character_id",
    "system",
    "kind",
    "played",
    "hand_rolled",
    "ask",
    "faces",
    "result",
    "stress",
    "rerolls",
)

NO_TRAIT: Final = "Dice by number alone"
"""The key for pools without traits; pages use other words for it."""


class Judged(NamedTuple):
    """The result of a roll, one that its ruleset names or "". `succeeded` is None for rolls without success or failure,
    `chance` and `chances` (by result) also if the viewer may not know them.
    """

    result: str
    succeeded: bool | None
    chance: float | None
    chances: Mapping[str, float] | None


class Rolled(NamedTuple):
    """One roll, recorded by `event`. `result` to `chances` are as in Judged. `character` may be one that the viewer no
    longer knows of.

    `spent` is by resource; `counted` are add-ons' counts of it, by their names. `replaced` are the faces that were
    rerolled since.
    """

    event: int
    player: int
    character: UUID | None
    traits: tuple[str, ...]
    system: str
    session: int | None
    by_hand: bool
    sides: int
    faces: tuple[int, ...]
    result: str
    succeeded: bool | None
    chance: float | None
    chances: Mapping[str, float] | None
    spent: Mapping[str, int]
    counted: Mapping[str, Sequence[float]]
    replaced: tuple[int, ...] = ()

    @property
    def fallen(self) -> tuple[int, ...]:
        """Return the faces that fell, including those replaced by a reroll: without these, dice that were rerolled when they fell
        badly would seem better than they are.
        """
        return (*self.faces, *self.replaced)


def rolled(
    viewer: Viewer, *, after: int = 0, upto: int | None = None, session: GameSession | None = None
) -> Iterator[Rolled]:
    """Yield rolls, oldest first, in one query and those of the add-ons: those after one event and up to another, or
    those filed in a session.

    Voided rolls, those without dice, and those by rules that are no longer installed are left out.
    """
    rolls = _seen(viewer)
    if after:
        rolls = rolls.filter(event__gt=after)
    rolls = rolls.annotate(played=Coalesce("event__filing__scene__session__number", "event__session__number"))
    if upto is not None:
        rolls = rolls.filter(event__lte=upto)
    if session:
        rolls = rolls.filter(event__in=_told_in(session))
    settings = roll_settings(viewer.campaign)
    readers = {add_on.name: add_on.columns.reader(rolls, settings) for add_on in ADD_ONS.values() if add_on.columns}
    # As text they need no parser of JSON.
    rows = rolls.annotate(result=KT("outcome__result"), stress=KT("outcome__stress"))
    for row in rows.order_by("event").values_list(*READ).iterator(chunk_size=2000):
        if row[9] and row[4] in RULESETS:
            yield _read(row, readers, settings, is_gm=viewer.is_gm)


def judged(viewer: Viewer, session: GameSession) -> Iterator[Judged]:
    """Yield only the results of those rolls of a session that `rolled` would yield and that were not made by hand."""
    settings = roll_settings(viewer.campaign)
    rolls = _seen(viewer).filter(event__in=_told_in(session), hand_rolled=False).annotate(result=KT("outcome__result"))
    for system, kind, ask, faces, result in rolls.values_list("system", "kind", "ask", "faces", "result"):
        if faces and system in RULESETS:
            yield _judged(system, kind, ask, result, settings, is_gm=viewer.is_gm)


def _told_in(session: GameSession) -> set[int]:
    """Return the ids of a session's roll events, with those moved into it and without those moved away: the fastest way
    to its rolls.
    """
    here, away = moved(session=session.pk)
    events = Event.objects.filter(session=session, kind__in=[ROLL_MADE, ROLL_CORRECTED])
    return {*events.values_list("pk", flat=True), *here} - {*away}


def _seen(viewer: Viewer) -> QuerySet[Roll]:
    """Return the standing rolls whose events the viewer sees, and those revealed to everyone."""
    rolls = Roll.objects.filter(campaign=viewer.campaign, voided_at=None)
    if viewer.streams is None:
        return rolls
    return rolls.filter(Q(event__stream__name__in=viewer.streams) | Q(revealed_at__isnull=False))


def _read(
    row: tuple[Any, ...], readers: Mapping[str, Callable[..., Any]], settings: RollSettings, *, is_gm: bool
) -> Rolled:
    pk, event, by, character, system, kind, session, by_hand, ask, faces, result, stress, rerolls = row
    expect = RULESETS[system].expectation
    result, succeeded, chance, chances = _judged(system, kind, ask, result, settings, is_gm=is_gm)
    return Rolled(
        event=event,
        player=by,
        character=character,
        traits=_traits(expect, ask),
        system=system,
        session=session,
        by_hand=by_hand,
        sides=expect.sides(kind, ask, settings),
        faces=tuple(faces),
        result=result,
        succeeded=succeeded,
        chance=chance,
        chances=chances,
        spent=expect.spent(ask, int(stress or 0)),
        replaced=tuple(face for thrown in rerolls for face in thrown["before"]),
        counted={of: value for of, reader in readers.items() if (value := reader(pk, system, ask)) is not None},
    )


def _judged(system: str, kind: str, ask: Terms, result: str, settings: RollSettings, *, is_gm: bool) -> Judged:
    ruleset = RULESETS[system]
    if not ruleset.expectation.judges(kind) or result not in ruleset.results:
        return Judged("", None, None, None)
    succeeded = ruleset.successes.get(result)
    chance, chances = ruleset.expected(kind, ask, settings, for_gm=is_gm)
    return Judged(result, succeeded, chance if succeeded is not None else None, chances)


def _traits(expect: Expectation, ask: Terms) -> tuple[str, ...]:
    with translation.override(settings.LANGUAGE_CODE):
        return tuple(dict.fromkeys(name or NO_TRAIT for name in expect.traits(ask)))
