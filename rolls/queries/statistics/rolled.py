"""Every roll that counts and that a viewer may see, alike ones together: the database groups them, and one of each is read."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

from django.conf import settings as site
from django.db.models import Aggregate, Min, Q, QuerySet, TextField
from django.db.models.fields.json import KT
from django.db.models.functions import Coalesce
from django.utils import translation

from campaigns.models import Event, GameSession, Viewer
from campaigns.models.log import moved
from rolls.events import ROLL_CORRECTED, ROLL_MADE
from rolls.models import Roll
from rolls.registry import RULESETS
from rolls.ruleset import Expectation
from rolls.settings import RollSettings, roll_settings
from rolls.table_rules import Terms

AT_ONCE: Final = 10_000
"""Rolls that one query names; SQLite takes no more than some 30,000."""

NO_TRAIT: Final = "Dice by number alone"
"""The key for pools without traits; pages use other words for it."""


class Listed(Aggregate):
    """All values of a group, with commas between them."""

    function = "GROUP_CONCAT"
    output_field = TextField()

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        template = "STRING_AGG((%(expressions)s)::text, ',')"
        return self.as_sql(compiler, connection, template=template, **context)


@dataclass(frozen=True, slots=True)
class Rolled:
    """Rolls of one player for one character (an id as text, or ""), with the same result and the same terms but for notes. The
    character may be one that the viewer no longer knows of.

    `events` are those that recorded them, in order; `sessions` how many there were in which. `faces` are those of each roll,
    `replaced` those that were rerolled since. `result` is one that the ruleset names, or "".
    `succeeded` is None for rolls without success or failure, `chance` and `chances` (by result) also if the viewer may not know
    them. `spent` is what one of them cost, by resource.
    """

    player: int
    character: str
    system: str
    by_hand: bool
    terms: Terms
    traits: tuple[str, ...]
    events: Sequence[int]
    sessions: Mapping[int, int]
    sides: int
    faces: Sequence[Sequence[int]]
    replaced: Sequence[int]
    result: str
    succeeded: bool | None
    chance: float | None
    chances: Mapping[str, float] | None
    spent: Mapping[str, int]

    @property
    def count(self) -> int:
        return len(self.events)

    @property
    def fallen(self) -> list[int]:
        """Return the faces that fell, including those replaced by a reroll: without these, dice that are rerolled when they
        fall badly would seem better than they are.
        """
        return [*chain.from_iterable(self.faces), *self.replaced]


def rolled(viewer: Viewer, session: GameSession | None = None) -> list[Rolled]:
    """Return rolls, of one session or all, in the order of the first of each group.

    Voided rolls, those without dice, and those by rules that are no longer installed are left out.
    """
    whose = seen(viewer, session).order_by().values("by_id", "character_id", "hand_rolled", "alike")
    groups = whose.annotate(
        first=Min("event"),
        events=Listed("event_id"),
        sessions=Listed(Coalesce("event__filing__scene__session__number", "event__session__number")),
        fallen=Listed("faces"),
        again=Listed("rerolls"),
    )
    listed = groups.values_list(
        "first", "by_id", "character_id", "hand_rolled", "events", "sessions", "fallen", "again"
    )
    found = {first: row for first, *row in listed}
    settings, samples = roll_settings(viewer.campaign), _samples(sorted(found))
    return [_read(found[sample[0]], sample[1:], settings, is_gm=viewer.is_gm) for sample in samples]


def _samples(events: Sequence[int]) -> Iterator[tuple[Any, ...]]:
    """Yield (event, system, kind, terms, result, stress) of the rolls of these events, in their order."""
    # As text they need no parser of JSON.
    rolls = Roll.objects.annotate(result=KT("outcome__result"), stress=KT("outcome__stress")).order_by("event")
    for at in range(0, len(events), AT_ONCE):
        some = rolls.filter(event__in=events[at : at + AT_ONCE])
        yield from some.values_list("event_id", "system", "kind", "ask", "result", "stress")


def seen(viewer: Viewer, session: GameSession | None = None) -> QuerySet[Roll]:
    """Return the standing rolls with dice and known rules that a viewer sees: by their events, or those that were revealed."""
    rolls = Roll.objects.filter(campaign=viewer.campaign, voided_at=None, system__in=[*RULESETS]).exclude(faces=[])
    if session:
        rolls = rolls.filter(event__in=_told_in(session))
    if viewer.streams is None:
        return rolls
    return rolls.filter(Q(event__stream__name__in=viewer.streams) | Q(revealed_at__isnull=False))


def _told_in(session: GameSession) -> set[int]:
    """Return the ids of a session's roll events, with those moved into it and without those moved away: the fastest way
    to its rolls.
    """
    here, away = moved(session=session.pk)
    events = Event.objects.filter(session=session, kind__in=[ROLL_MADE, ROLL_CORRECTED])
    return {*events.values_list("pk", flat=True), *here} - {*away}


def _read(row: Sequence[Any], sample: tuple[Any, ...], settings: RollSettings, *, is_gm: bool) -> Rolled:
    player, character, by_hand, events, sessions, faces, rerolls = row
    system, kind, terms, named, stress = sample
    expect = RULESETS[system].expectation
    result, succeeded, chance, chances = _judged(system, kind, terms, named, settings, is_gm=is_gm)
    return Rolled(
        player=player,
        character=str(character or ""),
        system=system,
        by_hand=by_hand,
        terms=terms,
        traits=_traits(expect, terms),
        events=sorted(map(int, events.split(","))),
        sessions=Counter(map(int, sessions.split(","))) if sessions else {},
        sides=expect.sides(kind, terms, settings),
        faces=json.loads(f"[{faces}]"),
        replaced=[face for throws in json.loads(f"[{rerolls}]") for throw in throws for face in throw["before"]],
        result=result,
        succeeded=succeeded,
        chance=chance,
        chances=chances,
        spent=expect.spent(terms, int(stress or 0)),
    )


def _judged(
    system: str, kind: str, terms: Terms, result: str, settings: RollSettings, *, is_gm: bool
) -> tuple[str, bool | None, float | None, Mapping[str, float] | None]:
    ruleset = RULESETS[system]
    if not ruleset.expectation.judges(kind) or result not in ruleset.results:
        return "", None, None, None
    succeeded = ruleset.successes.get(result)
    chance, chances = ruleset.expected(kind, terms, settings, for_gm=is_gm)
    return result, succeeded, chance if succeeded is not None else None, chances


def _traits(expect: Expectation, terms: Terms) -> tuple[str, ...]:
    with translation.override(site.LANGUAGE_CODE):
        return tuple(dict.fromkeys(name or NO_TRAIT for name in expect.traits(terms)))
