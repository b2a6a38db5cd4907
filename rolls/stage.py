"""A procedure's display on the stage: one value that every kind gives (`staged` of ProcedureKind.describe), and that
one template draws (templates/rolls/_staged.html).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from languages.text import ngettext
from rules.messages import Words
from rules.procedures import Button

Odds = Mapping[str, Any]
"""Odds for rolls/_odds.html."""


class Mark(NamedTuple):
    """A word on a thing; `look` is "", good, trouble or ember."""

    words: Words
    look: str = ""


def dice_words(count: int) -> str:
    """Return "1 die" or "2 dice"."""
    return ngettext("{count} die", "{count} dice", count).format(count=count)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """Something that is set, as one of several `options`: (words, whether it is that); `note` says why."""

    label: Words
    options: Sequence[tuple[Words, bool]]
    look: str = ""
    note: Words = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An entry in a pool, or one that counts for a side; `look` is "", theirs or pending. GMs have `gm_buttons` if
    theirs differ.
    """

    words: Words
    value: Words = ""
    look: str = ""
    buttons: Sequence[Button] = ()
    gm_buttons: Sequence[Button] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of the opposed sides, with the dice of their `pool` (None if it has none). A player's buttons are folded away
    for a GM, to act for `acts_for`.
    """

    name: Words
    character: str = ""
    words: Words = ""
    pool: int | None = None
    marks: Sequence[Mark] = ()
    entries: Sequence[Entry] = ()
    warnings: Sequence[Words] = ()
    buttons: Sequence[Button] = ()
    acts_for: Words = ""
    odds: Odds | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One of those who act after each other; `status` is a code, `value` what orders them and `title` how it came about.

    `boxes` are those of their health, each with the code of what marks it or "". Of the current one, `prepares` are the acts
    that are prepared on the card, folded away for a GM where they are `acts_for` a player's; what `rolls` is a kind of roll
    that they may make instead.
    """

    name: Words
    character: str = ""
    value: Words = ""
    title: Words = ""
    words: Words = ""
    lines: Sequence[Words] = ()
    boxes: Sequence[str] = ()
    status: str = ""
    current: bool = False
    buttons: Sequence[Button] = ()
    prepares: Sequence[Button] = ()
    acts_for: Words = ""
    rolls: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One thing to be settled, with its choices. Where they are a player's, a GM has them folded away, to act for `acts_for`."""

    words: Words
    whose: Words = ""
    character: str = ""
    detail: Words = ""
    lines: Sequence[Words] = ()
    marks: Sequence[Mark] = ()
    look: str = ""
    odds: Odds | None = None
    buttons: Sequence[Button] = ()
    about: Words = ""
    acts_for: Words = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Press:
    """Something to press while an act is prepared on its card: it sets the field `name` to `value`, and is `on` where that is
    so; one without a name is only said. `strong` is its figure, `character` whose `face` it shows, if any; `key` tells it from
    others, and `label` says it to who listens."""

    words: Words
    name: str = ""
    value: Any = ""
    on: bool | None = None
    strong: Words = ""
    face: bool = False
    character: str = ""
    key: str = ""
    label: Words = ""


def faces(name: str, those: Iterable[Any], chosen: Any) -> list[Press]:
    """Return the faces of those who take part, of whom one is chosen by the field `name`."""
    return [
        Press(
            name=name,
            value=one.id,
            words=one.name,
            on=one is chosen,
            face=True,
            character=one.character or "",
            key=f"at-{one.id}",
        )
        for one in those
    ]


class Presses(NamedTuple):
    """One line of what is prepared on a card, or a `note` in place of it."""

    key: str
    label: Words
    presses: Sequence[Press]
    note: Words = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """An act that is prepared on its card by presses (templates/rolls/_prepared.html): what is `kept` of earlier ones by its
    fields' names, its `rows`, its `odds`, and the button that `sends` it ("": there is nothing to send), beside which stands what
    is sent (`strong`) and more `words`, or `why` it cannot be."""

    kept: Mapping[str, Any]
    rows: Sequence[Presses]
    odds: Odds | None = None
    sends: Words = ""
    strong: Words = ""
    words: Words = ""
    why: Words = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Staged:
    """A staged procedure's card. `faces` are characters by their ids; it is at `step` of its `steps`.

    `dice` are those of the pool, each with its label ("" or "+1"), with so many `sides`; `pool` says what they are made of.
    `offers` may be taken, `acts` move it on; `own` are the GM's own, `theirs` those that a GM sees differently. Where offers
    and acts are `acts_for` somebody else, they are folded away for a GM. Turns and rows have the headings `turns_head` and
    `rows_head`. `extra` is a template for what no other kind has, of the values in `more`.
    """

    title: Words = ""
    above: Words = ""
    faces: Sequence[str] = ()
    steps: Sequence[Words] = ()
    step: int = -1
    settings: Sequence[Setting] = ()
    said: Words = ""
    marks: Sequence[Mark] = ()
    notes: Sequence[Words] = ()
    progress: tuple[int, int] | None = None
    dice: Sequence[str] = ()
    die: int = 10
    pool: Words = ""
    outcome: Words = ""
    outcome_words: Words = ""
    sides: Sequence[Side] = ()
    turns: Sequence[Turn] = ()
    turns_head: Words = ""
    rows: Sequence[Row] = ()
    rows_head: Words = ""
    odds: Odds | None = None
    offers: Sequence[Button] = ()
    acts: Sequence[Button] = ()
    own: Sequence[Button] = ()
    theirs: Sequence[Button] = ()
    acts_for: Words = ""
    extra: str = ""
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def score(self) -> tuple[int, int] | None:
        """Return the dice of two opposed sides, if both have a pool."""
        pools = [side.pool for side in self.sides]
        if len(pools) != 2 or pools[0] is None or pools[1] is None:
            return None
        return pools[0], pools[1]

    @property
    def for_others(self) -> Sequence[Button]:
        """Return the offers and acts that are folded away for a GM."""
        return [*self.offers, *self.acts] if self.acts_for else ()
