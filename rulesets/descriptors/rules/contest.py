"""Descriptors: two pools of ten-sided dice against each other, walked down pair by pair, the Will that pays them, and what a lost
roll does (descriptors.txt).

    outcome = oppose(a=[9, 7, 5], b=[6, 4])
    outcome.winner, outcome.successes, outcome.target_number   # Side.A, 2, 6

`keys.py` counts XP and Advances. Both share `Settings`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from campaigns.schema import Schema
from characters.sheets.sheet import Values
from languages.text import gettext, gettext_lazy, gettext_noop
from rules.dice import LARGEST_POOL, Die, Faces, draw
from rules.errors import Block, NotPossible, OutOfRange, whole
from rules.messages import Message, Words
from rules.messages import gettext as _
from rulesets.descriptors.settings import DEFAULTS, LARGEST_COUNT, Settings
from rulesets.descriptors.sheet import MOST_DICE, SHEET, track, will_of

SOMEBODY: Final = gettext_noop("the other side")
"""The stored name of a side without a name; `called` gives the words for it."""

SUCCESSES_BY_SIZE: Final = 1
"""The successes of the larger pool if every pair is tied, however many more dice it has (descriptors.txt, rolling)."""


class Side(StrEnum):
    A = "a"
    B = "b"

    @property
    def other(self) -> Side:
        return Side.B if self is Side.A else Side.A


class Role(StrEnum):
    """Names what one die did in its roll."""

    IGNORED = "ignored"  # one of an equal pair, both of which are passed over
    TARGET = "target"  # the loser's highest die left, which the winner's dice have to beat
    SUCCESS = "success"  # a die of the winner above the target number
    BELOW = "below"  # left over without effect: not above the target number
    OVER = "over"  # beyond the last pair when all are tied: having such dice wins


@dataclass(frozen=True, slots=True)
class RolledDie:
    """One die: its face, its rank in its own pool (0 the highest), and its role.

    Dice of equal rank are compared. Of equal faces in a pool the one rolled first ranks first.
    """

    face: int
    rank: int
    role: Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A resolved roll; `a` and `b` are the dice of either side in the order in which they fell.

    `winner` is None in a stalemate, which has 0 successes; otherwise there is at least 1. `target_number` is None unless a higher
    die decided. `ignored_pairs` are the equal pairs passed over from the top.
    """

    a: tuple[RolledDie, ...]
    b: tuple[RolledDie, ...]
    winner: Side | None
    successes: int
    target_number: int | None
    ignored_pairs: int

    def dice(self, side: Side) -> tuple[RolledDie, ...]:
        return self.a if side is Side.A else self.b


def resolve(a: int, b: int, faces: Faces, settings: Settings = DEFAULTS) -> Outcome:
    """Roll so many dice of side a, then those of side b, and compare them. Raises as `oppose` and `dice.draw` do."""
    die = Die(settings.sides)
    for side, count in zip(Side, (a, b), strict=True):
        whole(side, count, settings.fewest_dice, LARGEST_POOL)
    first, second = (draw(count, die, faces) if count else () for count in (a, b))
    return oppose(first, second, settings)


def oppose(a: Sequence[object], b: Sequence[object], settings: Settings = DEFAULTS) -> Outcome:
    """Compare the faces of two pools of 0 to 100 dice (descriptors.txt, "You and your opponent both roll" and what follows).

    From the top down equal pairs are ignored. The higher die of the first unequal pair wins, the lower one is the target number,
    and the winner's dice above it are the successes. Without an unequal pair more dice win, with one success.

    Raises OutOfRange for a pool or a face that cannot be.
    """
    pools = {Side.A: _pool(Side.A, a, settings), Side.B: _pool(Side.B, b, settings)}
    high_a, high_b = (sorted(pools[side], reverse=True) for side in Side)
    ranked = enumerate(zip(high_a, high_b, strict=False))
    ignored = next((rank for rank, (one, other) in ranked if one != other), min(len(high_a), len(high_b)))
    # Lists compare like words in a dictionary, and that is the whole rule of who wins.
    winner = None if high_a == high_b else Side.A if high_a > high_b else Side.B
    loser = high_b if winner is Side.A else high_a
    target = loser[ignored] if ignored < len(loser) else None
    dice = {side: _dice(pools[side], ignored, target, wins=side is winner) for side in Side}
    beating = sum(die.role is Role.SUCCESS for side in Side for die in dice[side])
    return Outcome(
        a=dice[Side.A],
        b=dice[Side.B],
        winner=winner,
        successes=SUCCESSES_BY_SIZE if winner and target is None else beating,
        target_number=target,
        ignored_pairs=ignored,
    )


def called(name: str) -> Words:
    """Return the name of a side, or the words for one without a name."""
    return _("the other side") if name == SOMEBODY else name


def _pool(side: Side, faces: object, settings: Settings) -> tuple[int, ...]:
    if not isinstance(faces, list | tuple):
        raise OutOfRange(side, faces, settings.fewest_dice, LARGEST_POOL)
    whole(side, len(faces), settings.fewest_dice, LARGEST_POOL)
    die = Die(settings.sides)
    return tuple(die.face(face) for face in faces)


def _dice(faces: tuple[int, ...], ignored: int, target: int | None, *, wins: bool) -> tuple[RolledDie, ...]:
    order = sorted(range(len(faces)), key=lambda place: -faces[place])
    ranks = {place: rank for rank, place in enumerate(order)}
    return tuple(
        RolledDie(face, ranks[place], _role(face, ranks[place] - ignored, target, wins=wins))
        for place, face in enumerate(faces)
    )


def _role(face: int, left: int, target: int | None, *, wins: bool) -> Role:
    """Return a die's role. `left` is its rank among the dice that are not ignored, below 0 for ignored ones."""
    if left < 0:
        return Role.IGNORED
    if target is None:
        return Role.OVER
    if wins:
        return Role.SUCCESS if face > target else Role.BELOW
    return Role.TARGET if left == 0 else Role.BELOW


def why(role: Role, face: int, target: int | None, *, wins: bool) -> Message:
    """Return words for why a die has its role; `wins`: its side has won."""
    match role:
        case Role.IGNORED:
            return _("cancelled by the other side’s {face}", face=face)
        case Role.OVER:
            return _("no die left against it")
        case Role.SUCCESS:
            return _("beats {target}", target=target)
        case Role.TARGET:
            return _("this side’s highest die left")
        case Role.BELOW:
            if wins:
                return _("doesn’t beat {target}", target=target)
            return _("below this side’s highest die left")


# Will: what Descriptors cost the roller, and give the one they are used against; and what keeps a character out.
#
# Every Descriptor, Scene Descriptor or Injury in a pool costs its user 1 Will, the opponent's own ones too, and those give their
# owner 1. An Injury is a Descriptor of its bearer; a Scene Descriptor that is stuck to nobody is nobody's. Out of scenes are
# those with 0 Will, until a Refreshment Scene, and those with a full Power track, until the scene has ended (descriptors.txt,
# Will points and "What does success do?").

COST: Final = 1
GAIN: Final = 1
"""Will for each Descriptor in your pool, and for each of yours in your opponent's."""

UNLIMITED: Final = None
"""A fund without end, which the GM may give to an NPC. It neither falls nor rises: our decision."""


def with_extra(dice: int, extra: int) -> int:
    """Return a pool with the dice that a Burn gives or takes: at least one die is left, and no pool at all takes none (our
    decision, as for every pool that the Scale counts)."""
    return max(1, min(LARGEST_POOL, dice + extra)) if dice and extra else dice


@dataclass(frozen=True, slots=True)
class WillAfter:
    """A fund after it paid: 0 and up, None without limit. `out_after_roll`: once the roll is made, its owner leaves the scene."""

    before: int | None
    spent: int
    gained: int
    after: int | None
    out_after_roll: bool


def is_out(will: int | None) -> bool:
    """Return whether this fund keeps its owner out of scenes until a Refreshment Scene (descriptors.txt, Will points)."""
    return fund(will) == 0


def fund(will: int | None) -> int | None:
    """Return `will` if it is a fund: 0 to 1,000,000, or None without limit. Raises OutOfRange otherwise."""
    return UNLIMITED if will is UNLIMITED else whole("will", will, 0, LARGEST_COUNT)


def spend(will: int | None, points: int) -> int | None:
    """Return the fund less 0 to 100 points, paid outside a roll or in one; NotPossible when it holds fewer."""
    whole("points", points, 0, LARGEST_POOL)
    fund(will)
    if will is None:
        return UNLIMITED
    if points > will:
        message = (
            gettext("This costs {cost} Will, but only {will} is left.").format(cost=points, will=will)
            if will
            else gettext("No Will left to spend.")
        )
        raise NotPossible("will", will, allowed=f"{points} or more", message=message)
    return will - points


def pay_for_roll(will: int | None, *, invoked: int, used_against: int = 0, settings: Settings = DEFAULTS) -> WillAfter:
    """Return a fund after `invoked` Descriptors (0 to 100) were paid and `used_against` of its owner's (0 to 100) paid in.

    Costs and gains take effect together, before the dice fall; the gains do not pay for the same roll unless a campaign says so.
    NotPossible when the Will does not suffice, OutOfRange for numbers that cannot be.
    """
    spent = COST * whole("invoked", invoked, 0, LARGEST_POOL)
    gained = GAIN * whole("used_against", used_against, 0, LARGEST_POOL)
    fund(will)
    if will is None:
        return WillAfter(UNLIMITED, spent, gained, UNLIMITED, out_after_roll=False)
    spend(min(will + gained, LARGEST_COUNT) if settings.gains_pay else will, spent)
    after = min(will - spent + gained, LARGEST_COUNT)
    if after == 0 and spent and not settings.last_point_rolls:
        message = gettext("In this campaign the last point of Will can’t be spent.")
        raise NotPossible("will", will, allowed=f"{spent + 1} or more", message=message)
    return WillAfter(will, spent, gained, after, out_after_roll=after == 0)


def check_once(used: Iterable[tuple[bool, str]]) -> None:
    """Refuse a Descriptor used twice in a roll: `used` says for each whether it is the roller's, and its name.

    Raises NotPossible. Whether a Descriptor makes sense here is for the GM to say.
    """
    for (_mine, name), times in Counter(used).items():
        if times > 1:
            message = already_used(name)
            raise NotPossible("descriptor", name, allowed="once in a roll", message=message)


def already_used(name: str) -> str:
    """Return the message for a Descriptor used twice in a roll."""
    return gettext("“{name}” is already in this roll. A Descriptor counts once, in one pool.").format(name=name)


NO_WILL: Final = Block("descriptors_no_will", gettext_lazy("without Will"))
OUT_OF_SCENE: Final = Block("descriptors_out_of_scene", gettext_lazy("out of the scene"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Fund:
    """The part of a sheet that a contest depends on, which not everyone may read: Will (None without limit), the Power
    track of so many `boxes` with those `crossed` off, and whether its owner is `out` of the scene.
    """

    will: int | None
    boxes: int
    crossed: tuple[int, ...] = ()
    out: bool = False

    @property
    def block(self) -> Block | None:
        """Return the block that keeps the sheet's owner out of contests and rolls; None if there is none."""
        if is_out(self.will):
            return NO_WILL
        return OUT_OF_SCENE if self.out else None


def fund_of(values: Values, settings: Settings) -> Fund:
    """Return the fund of a sheet of these rules."""
    power_track = track(values)
    return Fund(
        will=will_of(values, settings),
        boxes=power_track.boxes,
        crossed=tuple(sorted(power_track.crossed)),
        out=bool(SHEET.value(values, "out_of_scene")),
    )


def block_message(name: str, block: Block) -> str:
    if block == NO_WILL:
        return gettext("{name} has no Will left and needs a Refreshment Scene first.").format(name=name)
    return gettext("{name} is out of this scene until it ends.").format(name=name)


class Falls(Schema):
    """Holds what falls on the loser as their Power track is now: `box` (None where no higher one is free), `injury` dice that
    come with it (0 for none), whether that puts them `out`; and the dice of the Injury that they may choose `instead` (0: they
    may not). `gone` is the box that was hit, where it is crossed off already."""

    box: int | None = None
    injury: int
    out: bool
    instead: int
    gone: int | None = None


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
