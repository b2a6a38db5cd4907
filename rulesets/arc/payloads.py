"""What the cards and the requests of rolls keep (rulesets/arc/table.py)."""

from __future__ import annotations

from campaigns.schema import Code, Name, Person, Ref, Schema, Uid
from rolls.table_rules import CardDie


class Trait(Schema):
    code: Code
    name: Name | None = None


class Side(Schema):
    """The check that a counter answers, as `side_of` returns it."""

    roll: Uid
    uid: Code
    who: Person
    character: Ref | None = None
    kind: Code
    traits: list[Trait]
    versus: Name | None = None


class WrittenChip(Schema):
    """A part of the other adjustments that was named: a typed `word`, or "size" as the code."""

    word: Name | None = None
    code: Code | None = None
    value: int


class Numbers(Schema):
    ks: int
    us: int
    other: int
    adjustment: int
    total: int
    margin: int | None = None


class Die(CardDie):
    sides: int


class Card(Schema):
    dice: list[Die]
    paired: bool
    som: int | None = None
    traits: list[Trait] | None = None
    es: int | None = None
    adjustment: int | None = None
    other: int | None = None
    chips: list[WrittenChip] | None = None
    threshold: int | None = None
    level: Code | None = None
    against: Side | None = None
    versus: Name | None = None
    acts: bool | None = None
    numbers: Numbers | None = None


class TakenBack(Schema):
    reopened: Side | None = None
    ended: Side | None = None


class Against(Schema):
    roll: Uid
    name: Name
    kind: Code
    traits: list[Trait]


class Versus(Schema):
    name: Name
    acts: bool


class RequestTerms(Schema):
    """The terms of a request; the skill as it was typed, `versus` for one of two sides that both roll."""

    kind: Code
    stat: Code | None = None
    skill: Name | None = None
    other: int | None = None
    chips: list[WrittenChip] | None = None
    level: Code | None = None
    threshold: int | None = None
    against: Against | None = None
    versus: Versus | None = None
