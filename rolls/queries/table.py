"""A campaign's characters and procedures as the rules read them: rows of plain objects (rules/table.py), read when they are asked
for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, TypeVar
from uuid import UUID

from django.db import models
from django.db.models import F, FilteredRelation, Q, QuerySet

from campaigns.access import id_or_none
from campaigns.models import Campaign, Membership, Role
from campaigns.models import Clock as StoredClock
from campaigns.models.clocks import ClockQuerySet, ClockVisibility
from campaigns.models.members import TABLE
from campaigns.queries.play import open_session
from characters.models import Character
from characters.models.characters import CharacterQuerySet
from database.compiled import Parameter, compiled
from rolls.models import Procedure as StoredProcedure
from rolls.procedures import ProcedureKind
from rolls.registry import RULESETS, procedure_called
from rolls.settings import roll_settings
from rules.acting import Procedure, Standing
from rules.acts import Actor
from rules.table import A_GM, Clock, Held, Row, Sheet, Table

R = TypeVar("R", bound=Row)
P = TypeVar("P", bound=Procedure)
OWN = frozenset(Sheet.model_fields)
"""The fields that a character has beside those of its sheet."""


class StoredTable(Table):
    """All that a campaign has by the rules of one game. What players do not know of is there, and hidden."""

    def __init__(self, campaign: Campaign, system: str, *, by: Actor = A_GM, override: bool = False) -> None:
        group = RULESETS[system].settings
        settings = roll_settings(campaign).of(group.kind) if group else None
        super().__init__(by=by, settings=settings, override=override)
        self.campaign, self.system = campaign, system

    @property
    def in_scene(self) -> bool:
        return getattr(open_session.first(campaign=self.campaign.pk), "open_scene", None) is not None

    def hold(self, row: P, pk: UUID) -> P:
        """Put a procedure on the table as it stands in an operation, in place of what is stored of it. Return it."""
        row.id = str(pk)
        self._hold(row)
        return row

    def _load(self, kind: type[Row], id: str) -> Row | None:
        if issubclass(kind, Sheet):
            return next(iter(self._sheets(kind, pk=id)), None) if id_or_none(id) else None
        if issubclass(kind, Clock):
            return next(iter(self._clocks(pk=id)), None) if id_or_none(id) else None
        found = StoredProcedure.objects.filter(campaign=self.campaign, pk=id, closed_at=None).first()
        return self._procedure(found) if found else None

    def _load_all(self, kind: type[R]) -> Iterable[R]:
        if issubclass(kind, Sheet):
            return self._sheets(kind)
        if issubclass(kind, Clock):
            return [row for row in self._clocks() if isinstance(row, kind)]
        return [row for row in self._under_way if isinstance(row, kind)]

    @cached_property
    def _under_way(self) -> list[Procedure]:
        """The open procedures of the game, read once for all their kinds."""
        there = under_way(self.campaign)
        return [row for one in there if one.system == self.system and (row := self._procedure(one))]

    def _sheets(self, kind: type[R], **only: str) -> Iterator[R]:
        if kind is Sheet:
            return  # of no game: what was read already
        for character in self._characters(**only):
            if issubclass(kind, Sheet) and character.rules.name == kind.sheet:
                yield kind.model_validate(row_of(kind, character))

    def _clocks(self, **only: str) -> list[Clock]:
        running: ClockQuerySet = StoredClock.objects.running().filter(campaign=self.campaign, opened=True, **only)
        return [
            Clock(
                id=str(one.pk),
                hidden=not one.shown,
                name=one.name,
                segments=one.segments,
                filled=one.filled,
                untold=one.visibility == ClockVisibility.KNOWN,
                kind=one.kind,
            )
            for one in running
        ]

    def _characters(self, **only: str) -> Iterable[Character]:
        return self._stored_characters(**only)

    def _stored_characters(self, **only: str) -> CharacterQuerySet:
        there = Character.objects.filter(campaign=self.campaign, system=self.system, deleted_at=None, **only)
        return there.with_rows().order_by("name", "pk")

    def history(self, *kinds: type[R]) -> list[R]:
        told = StoredProcedure.objects.filter(campaign=self.campaign, system=self.system, stream=TABLE)
        rows = (self._procedure(one) for one in told.order_by("opened_at", "pk"))
        return [row for row in rows if isinstance(row, kinds)]

    def _procedure(self, found: StoredProcedure) -> Procedure | None:
        """Return another procedure that is there: hidden where not everyone was told of it."""
        rules = procedure_called(found.system, found.kind)
        if rules is None:
            return None
        row = procedure_row(rules.rows, found)
        row.hidden = found.stream != TABLE
        return row


def under_way(campaign: Campaign) -> list[StoredProcedure]:
    """Return all open procedures of a campaign, oldest first."""
    return _open.rows(campaign=campaign.pk)


@compiled(campaign=models.UUIDField())
def _open(campaign: Parameter) -> QuerySet[StoredProcedure]:
    return StoredProcedure.objects.filter(campaign=campaign, closed_at=None).select_related("opened_by__user")


def procedure_row(kind: type[Procedure], found: StoredProcedure) -> Procedure:
    """Return a stored procedure as its rules know it; one that has been over since 0.2 keeps a state of then."""
    if not found.cards:
        table = kind.told_before(found.state)
        (row,) = table.all(kind) if table else (kind(over=True),)
        return row.model_copy(update={"id": str(found.pk)})
    return kind.model_validate(found.state | {"id": str(found.pk)})


def standing_of(found: StoredProcedure, rules: ProcedureKind, *, is_gm: bool) -> Standing:
    """Return a procedure as it stands on the table that GMs see, or that players may know."""
    table = StoredTable(found.campaign, found.system)
    row = table.hold(procedure_row(rules.rows, found), found.pk)
    return Standing(row, table if is_gm else table.seen())


def row_of(kind: type[Sheet], character: Character) -> dict[str, Any]:
    """Return the fields of a character's row: those of its sheet that this kind of row has."""
    values, lists = character.values, character.rules.lists
    own = {
        "id": str(character.pk),
        "name": character.name,
        "hidden": character.is_hidden,
        "in_play": character.plays,
        "dead": character.died_at is not None,
        "is_played": character.owner_id is not None,
        "opened": character.opened or not character.is_npc,
        "shared": character.opened,
        "values": Held(values),
    }
    return own | {
        name: {row["id"]: row for row in values.get(name, ())} if name in lists else character.rules.value(values, name)
        for name in kind.model_fields
        if name not in OWN
    }


def actors(campaign: Campaign) -> Mapping[int, Actor]:
    """Return the players of a campaign with the characters that they act for, by their numbers."""
    own: dict[int, set[str]] = {}
    for player in _players.rows(campaign=campaign.pk):
        theirs = (player.own, player.shared)  # type: ignore[attr-defined]  # annotated
        own.setdefault(player.number, set()).update(str(character) for character in theirs if character)
    return {number: Actor(characters=frozenset(those)) for number, those in own.items()}


@compiled(campaign=models.UUIDField())
def _players(campaign: Parameter) -> QuerySet[Membership]:
    """Return the players, once for each pair of a character in play of their own and one that they share."""
    players = Membership.objects.active().filter(campaign=campaign, role=Role.PLAYER)
    in_play = players.annotate(mine=_in_play("characters"), ours=_in_play("co_owned"))
    return in_play.annotate(own=F("mine__pk"), shared=F("ours__pk")).only("abroad")


def _in_play(relation: str) -> FilteredRelation:
    gone = {f"{relation}__{when}": None for when in ("deleted_at", "died_at", "retired_at")}
    return FilteredRelation(relation, condition=Q(**gone, **{f"{relation}__owner__isnull": False}))
