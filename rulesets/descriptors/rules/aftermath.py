"""What follows from a contest, each of it once (descriptors.txt, "What does success do?"): the winner may make a Scene
Descriptor, the loser crosses off a box or takes an Injury, the GM settles a stalemate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from campaigns.schema import Code, Name
from characters.reasons import Reason
from characters.sheets.steps import Add, Step
from languages.text import gettext, gettext_lazy
from rules.dice import LARGEST_POOL
from rules.effects import Write
from rules.errors import NotPossible, whole
from rules.procedures import Act
from rulesets.descriptors.rules.filling import Side
from rulesets.descriptors.rules.will import Fund
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.sheet import MOST_DICE

MAKE, MAKE_NONE, CROSS, INJURE, BUMP, SHIFT = "make", "make_none", "cross", "injure", "bump", "shift"
LOST: Final = Reason("lost_roll", gettext_lazy("a lost roll"))
LONGEST_SHIFT: Final = 200


class Made(StrEnum):
    """What the winner makes of the successes."""

    OPEN = "open"
    MADE = "made"
    NOTHING = "nothing"


class Hit(StrEnum):
    """Names what the loser takes."""

    OPEN = "open"
    BOX = "box"
    INJURY = "injury"
    BOTH = "both"
    NOBODY = "nobody"
    """There is no sheet to write on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Falls:
    """Holds what falls on the loser as their Power track is now: `box` (None where no higher one is free), `injury` dice that
    come with it (0 for none), whether that puts them `out`; and the dice of the Injury that they may choose `instead` (0: they
    may not). `gone` is the box that was hit, where it is crossed off already."""

    box: int | None
    injury: int
    out: bool
    instead: int
    gone: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class After:
    """A rolled contest: the faces of both, the key of the side that `won` ("" in a stalemate), and what followed."""

    a: tuple[int, ...]
    b: tuple[int, ...]
    won: Code
    successes: int
    target: int | None
    made: Made = Made.OPEN
    made_name: Name = ""
    hit: Hit = Hit.OPEN
    falls: Falls | None = None
    injury_name: Name = ""
    shifted: Name = ""

    @property
    def settled(self) -> bool:
        if not self.won:
            return bool(self.shifted)
        return self.made is not Made.OPEN and self.hit is not Hit.OPEN


def fallen(after: After, fund: Fund | None, settings: Settings) -> After:
    """Return the aftermath with the hit on the loser's sheet (None: no sheet of these rules), if that is still open."""
    if after.hit is not Hit.OPEN or not after.won:
        return after
    if fund is None:
        return replace(after, hit=Hit.NOBODY, falls=None)
    return replace(after, falls=falls_on(fund, after.successes, settings))


def falls_on(fund: Fund, successes: int, settings: Settings) -> Falls:
    """Return what a lost roll does to a character (descriptors.txt, "Third, the loser crosses off the box").

    A free box is crossed off, or the loser may take an Injury of as many dice as successes instead. If the box is
    already crossed off, the next higher free one is, and an Injury of its number is added; without a free one there is
    only an Injury of the last box's number. Crossing off the last box puts the loser out of the scene. An Injury on a
    sheet has 20 dice at most. Raises OutOfRange for anything but 1 to 100 successes.
    """
    crossed = fund.crossed
    # More successes than there are boxes hit the last one (our decision).
    hit = min(whole("successes", successes, 1, LARGEST_POOL), fund.boxes)
    higher = (box for box in range(hit + 1, fund.boxes + 1) if box not in crossed)
    box = hit if hit not in crossed else next(higher, None)
    chosen = settings.excess_may_be_injury or successes <= fund.boxes
    instead = successes if chosen and (hit not in crossed or settings.injury_instead_of_bump) else 0
    return Falls(
        box=box,
        injury=0 if box == hit else min(box or fund.boxes, MOST_DICE),
        out=box == fund.boxes if box else settings.full_track_puts_out,
        instead=min(instead, MOST_DICE),
        gone=hit if hit in crossed else None,
    )


def waits(after: After, winner: Side | None, loser: Side | None) -> Iterator[tuple[str, str]]:
    if not after.won and not after.shifted:
        yield "", gettext("to shift the situation")
    if winner and after.made is Made.OPEN:
        yield winner.key, gettext("to make a Scene Descriptor, or none")
    if loser and after.hit is Hit.OPEN and after.falls:
        yield loser.key, gettext("to choose a box or an Injury") if after.falls.instead else gettext("to take the hit")


def hurt(loser: Side, steps: Sequence[Step]) -> Write:
    return Write(character=loser.character or "", steps=tuple(steps), why=LOST)


def injury(name: str, dice: int) -> Add:
    return Add("injuries", {"name": name, "dice": dice})


def typed(step: Act, field: str, longest: int) -> str:
    """Return the text typed into a field, on one line. Raises NotPossible if it is empty or too long."""
    text = " ".join(str(step.values.get(field, "")).split())
    if not 1 <= len(text) <= longest:
        message = gettext("Write up to {count} characters.").format(count=longest)
        raise NotPossible(field, text, allowed=f"1 to {longest} characters", message=message)
    return text
