"""How an add-on takes part in the rolls of rulesets that it knows nothing of: what it is told of a roll, and what it answers.

A roll calls its hooks in its own transaction, in this order:

extra_dice -> held -> marks -> after      when it is made; `odds` is what the composer says of it before
take_back                                 when it is taken back
keeps -> hand_over, or take_back -> held -> marks -> after      when it is corrected
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from campaigns.models import Campaign, Event
from campaigns.services.log import UnitOfWork
from characters.models import Character
from rolls.models import Audience, Roll
from rolls.settings import RollSettings


@dataclass(frozen=True, kw_only=True)
class HookContext:
    """These dice fall, or may fall: for this character, by this ruleset, of this kind, for these eyes.

    `has_dice` is False for a roll that is let through without any. In `remembered` an add-on may put under its name what it has
    read, for its hooks that come after: all are called under one lock.
    """

    campaign: Campaign
    character: Character | None
    system: str
    kind: str
    audience: Audience
    settings: RollSettings
    has_dice: bool = True
    remembered: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)


@dataclass(frozen=True, kw_only=True)
class Marks:
    """What an add-on reads from dice that fell: `given` is drawn under each die of the card, in their order, None for nothing.

    `aside` is a code for why it stays out of this roll (AddOn.aside has the words), "" where it does not.
    """

    given: tuple[int | None, ...] = ()
    aside: str = ""


def _nothing(event: Event) -> None:
    """Most of what is done is told with the card."""


@dataclass(frozen=True, kw_only=True)
class Told:
    """What an add-on did in the transaction of a roll: `payload` are told with it, for ever, to all who see it.

    `follow` is called with the event once that is recorded and the roll is stored, and records what else there is to tell, in
    whatever stream.
    """

    payload: Mapping[str, Any]
    follow: Callable[[Event], None] = _nothing


@dataclass(frozen=True, kw_only=True)
class RollHook:
    """What an add-on does with rolls.

    extra_dice(context) -> int              dice more (or fewer, below 0) in the pool of this roll; changes nothing
    odds(context, terms) -> lines           what stands under the composer's odds; `terms` as the ruleset's `shifts` takes them
    held(context)                           raises Blocked where this roll cannot be made now
    marks(context, roll) -> Marks           of dice that have fallen; the roll is not stored yet
    after(table, context, roll) -> Told     does what follows from the roll, which has its id; None for nothing
    take_back(table, roll) -> Told          undoes that, or raises Blocked; None where there was nothing
    keeps(old, new) -> Marks                whether all that followed from a roll also follows from the corrected one: None if not
    hand_over(old, new) -> payload            then the corrected one, which has its id, takes its place; told with its card
    """

    extra_dice: Callable[[HookContext], int]
    odds: Callable[[HookContext, Mapping[str, Any]], Iterable[str]]
    held: Callable[[HookContext], None]
    marks: Callable[[HookContext, Roll], Marks]
    after: Callable[[UnitOfWork, HookContext, Roll], Told | None]
    take_back: Callable[[UnitOfWork, Roll], Told | None]
    keeps: Callable[[Roll, Roll], Marks | None]
    hand_over: Callable[[Roll, Roll], Mapping[str, Any]]
