"""The values of which procedures are made (rolls/procedures.py): who acts, what they do, what is asked for and what was
rolled."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final, TypeAlias

from rolls.rules.dice import D10, Die
from rolls.rules.states import stored

OPEN: Final = "open"
"""The form that opens a procedure, among those of its acts."""
ROLLED, RECOUNTED, TAKEN_BACK, DROPPED = "rolled", "recounted", "taken_back", "dropped"
MARK: Final = 10
"""How many digits the mark of an offer has."""
ANYWAY: Final = "!"
"""Behind an act as it is sent: a GM allows what somebody's state forbids."""
REREAD, SCENE_ENDED, USED, PLAYERS_CHANGED = "reread", "scene_ended", "used", "players_changed"
"""What else changes a procedure than its own acts: a roll of it, one that was voided or corrected, a step that was taken
back, a GM who closes it, a sheet that it goes by and that has changed, the end of the scene, a procedure that uses it up,
somebody who plays in it and leaves (of which it says nothing)."""

Values: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """Who acts: a GM for everybody, others for the `characters` that they play, by their ids."""

    is_gm: bool = False
    characters: frozenset[str] = frozenset()

    def plays(self, character: str | None) -> bool:
        """Whether they act for this character; for what is no character, GMs do."""
        return self.is_gm or character in self.characters


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One step: its `name`, for `whom` of those in the state ("" where it is for nobody), and what a form said of it.

    With `override` a GM allows what somebody's state forbids (rolls/rules/bars.py). `seen` is what it goes by beside the state,
    where its rules ask for that (ProcedureRules.sees).
    """

    name: str
    whom: str = ""
    values: Values = field(default_factory=dict)
    override: bool = False
    seen: Snapshot | None = None


@dataclass(frozen=True, slots=True, order=True)
class AvailableAct:
    """Something that may be done now.

    `terms` are what it commits to as others may change it: the box that is crossed off, a price, what a bargain says. They are
    made of what everybody may know, in values that a state may have. Who does it sends the `mark` of those that they saw,
    and with other terms it is another offer.
    """

    name: str
    whom: str = ""
    terms: tuple[Any, ...] = field(default=(), compare=False)

    @property
    def mark(self) -> str:
        """Tells these terms from others; "" where there are none."""
        return sha256(json.dumps(stored(self.terms)).encode()).hexdigest()[:MARK] if self.terms else ""

    @property
    def sent(self) -> str:
        """As its button sends it: "done", "done:3", "ready:a~0f3c96b1e2"."""
        return self.name + (f":{self.whom}" if self.whom else "") + (f"~{self.mark}" if self.terms else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A roll that is waited for: which `part` it is, by what terms of a request, for which character (None: dice of a GM's)."""

    part: str
    terms: Mapping[str, Any]
    character: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A roll that answers what was asked for, and stands: what its Roll keeps."""

    part: str
    outcome: Mapping[str, Any]
    terms: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetSnapshot:
    """A character in play whom a procedure goes by: `values` are those of the sheet of `system`."""

    name: str
    system: str
    values: Values


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """What a procedure may go by beside its own state, as it is under the lock.

    `sheets` are those of the characters that it plays, by their ids, without those who are not in play any more and those who
    were hidden from those who are told of it; `dead` are those of them who have died. `open` are the other procedures of the
    same ruleset that go on, as (id, state), by kind. `clocks` are the ids of those that run, of which `full_clocks` are full.
    `settings` are those of the ruleset. `extra_dice` are those that add-ons put into the pools of its rolls, by character.
    """

    sheets: Mapping[str, SheetSnapshot] = field(default_factory=dict)
    dead: frozenset[str] = frozenset()
    open: Mapping[str, Sequence[tuple[str, Any]]] = field(default_factory=dict)
    settings: Any = None
    clocks: frozenset[str] = frozenset()
    full_clocks: frozenset[str] = frozenset()
    in_scene: bool = False
    extra_dice: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dice:
    """Dice that a procedure throws itself. Ties may take more of the same throw."""

    count: int
    die: Die = D10

    @property
    def spec(self) -> str:
        return f"{self.count}{self.die}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    """An AvailableAct as it is drawn: what it sends, `words` on it, `form` where more is asked first, of which some may be
    pressed `on_card`, `members` who may press it beside the GMs: these, or every player where it is `open_to_all`. `primary`
    is what brings the procedure on."""

    name: str
    whom: str
    sent: str
    words: str
    form: bool
    members: tuple[int, ...]
    open_to_all: bool = False
    primary: bool = False
    on_card: bool = False
