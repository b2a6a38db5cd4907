"""The schemas of this app's payloads (campaigns/schema.py)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from campaigns.schema import ChosenBy, Code, Moment, Name, Path, PayloadSchema, Person, Ref, Schema, Text, Uid
from characters.ledger import claim_wording, purchase_wording


class Card(Ref):
    concept: Name
    whose: Person | None = None
    also: list[Person]
    shown: bool
    opened: bool
    free: bool = False
    crew: bool


class Portrait(Schema):
    character: Uid
    colour: Code
    initial: Name
    url: Path
    face: Code = ""


class OfCharacter(PayloadSchema):
    character: Ref


class CharacterMade(OfCharacter):
    card: Card
    portrait: Portrait | None = None


class CharacterChanged(OfCharacter):
    card: Card | None = None
    before: Card | None = None
    portrait: Portrait | None = None


class PortraitChanged(OfCharacter):
    portrait: Portrait


class Template(Ref):
    system: Code
    crew: bool
    offered: bool


class TemplateChanged(PayloadSchema):
    template: Template
    gone: bool


class BudgetFigure(Schema):
    name: Code
    before: int
    after: int


class CreationChanged(PayloadSchema):
    changes: list[BudgetFigure]


def _in(value: Any, *names: str) -> str:
    """Return the text at these nested names of a payload of any shape; "None" if it is missing."""
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return str(value)


class Cell(Schema):
    """A value (characters/sheets/told.py)."""

    field: Code
    value: Any
    of: int
    row: Name
    name: Name


class Figure(Schema):
    name: Code
    values: list[Any]


class State(Schema):
    code: Code
    values: list[Any]


class Claimed(Schema):
    """A claim by the scheme of a sheet, which defines how it is kept."""

    sheet: Code
    kind: Code
    told: Annotated[
        Any, ChosenBy(lambda fields, payload: claim_wording(_in(fields, "sheet"), _in(fields, "kind")).schema)
    ]


class Written(OfCharacter):
    """A write on a sheet, and its reason."""

    sheet: Code
    why: Text
    cause: Code
    by_hand: bool
    undoes: Code
    follows: Code
    claimed: Claimed | None = None
    figures: list[Figure]
    states: list[State] | None = None
    """The effects of an operation in play (characters/figures.py)."""
    quiet: bool | None = None
    """Whether another event of the operation already says that in its line."""


class FieldChanged(Written):
    cell: Cell
    also: list[Cell]
    before: Any
    after: Any


class RowChanged(Written):
    rows: Code
    at: int
    title: Name


class AddedRow(Schema):
    id: Code
    cells: list[Cell]


class RemovedRow(Schema):
    id: Code
    values: dict[str, Any]


class RowAdded(RowChanged):
    row: AddedRow


class RowRemoved(RowChanged):
    row: RemovedRow


class SheetMarked(OfCharacter):
    mark: Code
    on: bool
    locked: bool
    complete: bool


def _claim_told(fields: Mapping[str, Any], payload: Mapping[str, Any]) -> Any:
    return claim_wording(_in(payload, "sheet"), _in(fields, "kind")).schema


def _purchase_told(fields: Mapping[str, Any], payload: Mapping[str, Any]) -> Any:
    return purchase_wording(_in(payload, "sheet"), _in(fields, "kind")).schema


class EntryClaimed(Schema):
    kind: Code
    told: Annotated[Any, ChosenBy(_claim_told)]


class EntryBought(Schema):
    kind: Code
    told: Annotated[Any, ChosenBy(_purchase_told)]


class Entry(Schema):
    """A line of a ledger; its scheme defines how purchases and claims are kept."""

    id: Uid
    kind: Code
    currency: Code
    amount: int
    reason: Text
    by: Person
    at: Moment
    order: int
    claimed: EntryClaimed | None = None
    bought: EntryBought | None = None


class Balance(Schema):
    currency: Code
    have: int
    numbers: list[int]


class Entered(OfCharacter):
    sheet: Code
    entry: Entry
    undoes: Code
    balances: list[Balance]


class Claim(EntryClaimed):
    id: Uid
    state: Code
    by: Person
    at: Moment


class ClaimChanged(OfCharacter):
    sheet: Code
    claim: Claim
    quiet: bool | None = None
    """Whether the award of its XP already says that in its line."""
