"""What the events of this app say: the schemas of their payloads (campaigns/schema.py)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from campaigns.schema import ChosenBy, Code, Name, PayloadSchema, Person, Ref, Schema, Text, Uid
from rolls.registry import RULESETS
from rules.messages import Line
from rules.proof import Proof, Spec
from scale.payloads import WithRolls, WithSettings


class Reroll(Schema):
    """Dice of a roll that a step of 0.2.0 threw again: their positions (`at`), faces `before`, and all `faces` after it."""

    at: list[int]
    before: list[int]
    faces: list[int]
    proof: Proof | None = None


class Amended(Schema):
    """Why a step of 0.2.0 changed a roll (characters/reasons.py), and how many dice it threw again."""

    why: Code
    dice: int


class WitnessedBy(Schema):
    """Who witnessed a GM's dice."""

    by: Person | None = None


class Face(Schema):
    face: int


class FaceOf(Face):
    sides: int


def _card(fields: Mapping[str, Any], payload: Mapping[str, Any]) -> Any:
    """Return the schema that the ruleset gives its cards; of one that is not installed nothing is known."""
    ruleset = RULESETS.get(str(fields.get("system")))
    return ruleset.table.schema if ruleset else dict[str, Any]


def _back(fields: Mapping[str, Any], payload: Mapping[str, Any]) -> Any:
    ruleset = RULESETS.get(str(fields.get("system")))
    return ruleset.table.back_schema if ruleset else dict[str, Any]


class AddOns(Schema):
    """What the Scale did beside a roll. Logs have it under this name of the field, and of the Scale."""

    scale: WithRolls | None = None


class AddOnsOfSettings(Schema):
    scale: WithSettings | None = None


class Aside(Schema):
    """Why a roll moves no Scale; `add_on` is always "scale"."""

    add_on: Code
    why: Code


class MoveMade(Schema):
    """A move in a log of a release up to 0.2.1: of one from a sheet its name, and what it said about the result."""

    id: Code
    name: Name | None = None
    says: Text | None = None


class TableRolled(PayloadSchema):
    """A GM's table was rolled on; `text` is all that it came to. `of` is the roll whose result named this table."""

    roll: Uid
    of: Uid | None = None
    table: Ref
    who: Person
    audience: Code
    dice: list[FaceOf]
    number: int
    text: Name
    proof: Proof | None = None
    witness: WitnessedBy | None = None


class TableWritten(Schema):
    name: Name
    dice: Code
    lines: Name


class TableChanged(PayloadSchema):
    """A table was made (no `before`), rewritten, or deleted (no `after`)."""

    table: Ref
    before: TableWritten | None = None
    after: TableWritten | None = None


class AnyRoll(PayloadSchema):
    roll: Uid
    system: Code
    character: Ref | None = None
    who: Person
    kind: Code
    outcome: Code
    card: Annotated[Any, ChosenBy(_card)]
    move: MoveMade | None = None
    add_ons: AddOns | None = None


class RollMade(AnyRoll):
    rolled_for: Person | None = None
    rolled_by: Person | None = None
    audience: Code
    note: Text
    hand_rolled: bool
    proof: Proof | None = None
    rerolls: list[Reroll] | None = None
    amended: Amended | None = None
    witness: WitnessedBy | None = None
    asides: list[Aside]
    overridden: list[Code] | None = None
    less: bool | None = None


class RollRevealed(RollMade):
    of: Code


class RollVoided(AnyRoll):
    reason: Text
    corrected: bool
    amended: Amended | None = None
    of: Uid
    back: Annotated[Any, ChosenBy(_back)]


def _terms(fields: Mapping[str, Any], payload: Mapping[str, Any]) -> Any:
    ruleset = RULESETS.get(str(fields.get("system")))
    return ruleset.table.request_schema if ruleset else dict[str, Any]


class Asked(Schema):
    """A request for a roll; its ruleset defines the terms."""

    system: Code
    terms: Annotated[Any, ChosenBy(_terms)]


class Request(Asked):
    id: Uid
    whose: Person | None = None
    announced: bool
    reason: Text
    audience: Code
    waits_for: list[Person]
    rolled: list[Person] | None = None
    order: int
    procedure: Uid | None = None
    character: Ref | None = None


class OfRequest(PayloadSchema):
    request: Request


class RequestChanged(OfRequest):
    before: Asked | None = None


class RequestClosed(OfRequest):
    dropped: bool


class SettingChanged(Schema):
    name: Code
    before: Any
    after: Any


class SettingsChanged(PayloadSchema):
    changes: list[SettingChanged]
    add_ons: AddOnsOfSettings


class EpochCommitted(PayloadSchema):
    epoch: Code
    commitment: Code
    blind: Code


class EpochRevealed(PayloadSchema):
    epoch: Code
    seed: Code


class BlindRevealed(PayloadSchema):
    epoch: Code
    secret: Code


class WitnessAsked(PayloadSchema):
    roll: Uid
    epoch: Code
    client: Code
    spec: Spec


class WitnessGiven(PayloadSchema):
    roll: Uid
    seed: Code
    who: Person


class Players(Schema):
    """Who may act for a character."""

    character: Uid
    members: list[Person]


class Procedure(Schema):
    id: Uid
    system: Code
    kind: Code
    state: dict[str, Any]
    card: Code | None = None
    reason: Text
    version: int
    order: int
    opened_by: Person
    step: Uid | None = None
    players: list[Players]


class Act(Schema):
    name: Code
    whom: Name


class ProcedureChanged(PayloadSchema):
    """A change of a procedure, its act, and the dice that fell with it."""

    procedure: Procedure
    act: Act
    line: Line | None = None
    words: list[Text] | None = None
    instead_of: Person | None = None
    overridden: bool | None = None
    less: bool
    dice: list[Face]
    proof: Proof | None = None
    witness: WitnessedBy | None = None


class ProcedureClosed(ProcedureChanged):
    dropped: bool
