"""How an add-on takes part in the rolls of rulesets that it knows nothing about: what it learns of a roll, and what it
answers.

A roll calls its hooks in its own transaction, in this order:

extra_dice -> held -> marks -> after      when it is made; `odds` is what the composer says of it before
take_back                                 when it is taken back
keeps -> hand_over, or take_back -> held -> marks -> after      when it is corrected
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from campaigns.models import Campaign, Event
from campaigns.services.log import UnitOfWork
from characters.models import Character
from characters.sheets.sheet import Values
from characters.sheets.steps import Step
from rolls.models import Audience, Roll
from rolls.settings import RollSettings
from rules.tally import FallenDie, Shifts, Tally

BOTH: Final = "both"
"""Said by terms of two sides that play for the same table: whoever counts the dice of all who do counts both, and others take it
out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gift:
    """What an add-on's result gives a character, for better or worse.

    `code` names it. `name` and `words` are written on the sheet, in English: messages with the gettext context
    "condition", in which each reader gets them (Text.context). `face` is that of its d10, 0 if it takes none.
    """

    code: str
    name: str
    words: str = ""
    face: int = 0


class Countable:
    """A reading of action rolls' dice that lets an add-on count them by its own Tally."""

    usual: Mapping[str, Any]
    """Terms of some roll, as `shifts` takes them."""

    def no_action(self, kind: str) -> str:
        """Return in a few words what a kind of roll is that is no action roll, "" for one that is."""
        return ""

    def fallen(self, payload: Mapping[str, Any]) -> Sequence[FallenDie]:
        """Return the dice of a card, judged by the terms that the card names."""
        raise NotImplementedError

    def shifts(self, terms: dict[str, Any], tally: Tally) -> Shifts:
        """Return how likely each sum is for the terms of a roll."""
        raise NotImplementedError

    def wanted(self, settings: RollSettings) -> bool:
        """Return whether a campaign has these dice counted; most rulesets leave that to the add-on."""
        return True

    def gives(self, gift: Gift, values: Values, settings: RollSettings) -> Sequence[Step] | None:
        """Return the steps by which a sheet with these values takes a gift: () if nothing has to be done, None if it
        has no place for it.
        """
        return None


@dataclass(frozen=True, kw_only=True)
class HookContext:
    """The dice that fall, or may fall: for this character, by this ruleset, of this kind, for this audience.

    `has_dice` is False for an automatic success. In `remembered` an add-on may store under its name what it has read,
    for its later hooks: all are called under one lock.
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
    """An add-on's marks for fallen dice: `given` is drawn under each die of the card, in order, None for nothing.

    `aside` is a code for why it stays out of this roll (AddOn.aside has the words), "" if it does not.
    """

    given: tuple[int | None, ...] = ()
    aside: str = ""


@dataclass(frozen=True, kw_only=True)
class Told:
    """What an add-on did in the transaction of a roll: `payload` is recorded with it, for ever, for all who see it.

    `follow` is called with the event once that is recorded and the roll is stored, and records further events, in any
    stream; None if everything is told with the card.
    """

    payload: Mapping[str, Any]
    follow: Callable[[Event], None] | None = None


class RollHook:
    """An add-on's part in rolls. An add-on overrides what it needs; by default it has no part in them."""

    def extra_dice(self, context: HookContext) -> int:
        """Return how many dice more (or fewer, below 0) are in the pool of this roll; changes nothing."""
        return 0

    def odds(self, context: HookContext, terms: Mapping[str, Any]) -> Iterable[str]:
        """Return lines below the composer's odds; `terms` as the ruleset's `shifts` takes them."""
        return ()

    def held(self, context: HookContext) -> None:
        """Raise Blocked where this roll cannot be made now."""

    def marks(self, context: HookContext, roll: Roll) -> Marks:
        """Return the marks for dice that have fallen; the roll is not stored yet."""
        return Marks()

    def after(self, work: UnitOfWork, context: HookContext, roll: Roll) -> Told | None:
        """Do what follows from the roll, which has its id; None for nothing."""
        return None

    def take_back(self, work: UnitOfWork, roll: Roll) -> Told | None:
        """Undo what the hook did for a roll, or raise Blocked; None if there was nothing."""
        return None

    def keeps(self, old: Roll, new: Roll) -> Marks | None:
        """Return the marks of a corrected roll from which all follows that followed from the old one; None where it does not."""
        return None

    def hand_over(self, old: Roll, new: Roll) -> Mapping[str, Any]:
        """Let the corrected roll, which has its id, replace the old one that it `keeps`; return the fields for its card."""
        return {}
