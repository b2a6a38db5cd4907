"""The schemas of this app's payloads, and of its part in those of rolls (campaigns/schema.py)."""

from __future__ import annotations

from campaigns.schema import Code, Name, PayloadSchema, Person, Ref, Schema, Text, Uid
from rules.proof import Proof


class Scale(Schema):
    id: Uid
    name: Name | None = None
    value: int
    pending: Code | None = None
    banked: Code | None = None
    order: int
    before: int | None = None
    delta: int | None = None
    after: int | None = None
    step: int | None = None


class Momentum(Schema):
    character: Ref
    whose: Person | None = None
    die_modifier: int
    free_activations: int


class Oracle(Schema):
    """A die of a Major Burn, with the GM's own entries of the table at the time; without the original ones."""

    oracle: Code
    die: int
    title: Name | None = None
    text: Name | None = None


class Burn(Schema):
    id: Uid
    scale: Uid
    kind: Code
    major: bool
    state: Code
    order: int
    whose: Person | None = None
    character: Ref
    chosen_by: Code
    effect: Code
    words: Text
    npc: Ref | None = None
    at: int
    reached: int | None = None
    oracles: list[Oracle] | None = None
    storyline: Name | None = None
    narration: Text | None = None
    seen_by: list[Person] | None = None
    seen_of: int | None = None


class Rules(Schema):
    cancelled_ones_count: bool
    staying_is_reaching: bool
    major_clears_bank: bool
    shared: bool | None = None


class WithRolls(Schema):
    """The Scale's part in the payload of a roll, and of a voided one."""

    scale: Scale | None = None
    momentum: list[Momentum] | None = None
    rules: Rules | None = None
    burns: list[Burn] | None = None
    undone: list[int] | None = None


class WithSettings(Schema):
    """The Scale's part in the payload of changed settings."""

    scales: list[Scale]
    gone: list[Uid]


class OfBurns(PayloadSchema):
    burns: list[Burn]


class Settled(OfBurns):
    scale: Scale
    momentum: list[Momentum]


class BurnOffered(OfBurns):
    how: Code
    scale: Scale


class BurnFired(BurnOffered):
    momentum: list[Momentum] | None = None
    by_side: Code | None = None


class BurnBanked(OfBurns):
    automatic: bool
    scale: Scale
    momentum: list[Momentum] | None = None


class ActivationUsed(Settled):
    character: Ref
    note: Text


class MajorBurn(BurnOffered):
    proof: Proof | None = None


class BurnTakenBack(OfBurns):
    """A Burn that is undone with the roll that led to it; `of` is the uid of its event."""

    of: Uid
    scale: Scale


class OracleMarked(Settled):
    """A die of a Major Burn was marked on its character's sheet; the parent is the event of the Burn."""

    oracle: Code
    choice: Code
    face: int | None = None
    proof: Proof | None = None


class BurnUndone(OfBurns):
    of: Uid
    reason: Text
    undone: list[int]
    oracle: Code | None = None
    scale: Scale | None = None
    momentum: list[Momentum]


class Moved(WithRolls, PayloadSchema):
    character: Ref | None = None


class OracleEntry(Schema):
    title: Name
    text: Name
    shift: bool


class OracleEntryChanged(Schema):
    face: int
    before: OracleEntry | None = None
    after: OracleEntry | None = None


class OracleChanged(PayloadSchema):
    oracle: Code
    changes: list[OracleEntryChanged]
    reset: bool
