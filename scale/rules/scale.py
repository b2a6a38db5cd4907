"""The Scale: the momentum of the story, read off the faces of action rolls (scale.txt).

`tally` says what each face of a roll gives; `step` adds that to the State and says in its Step what it sets off: a Burn on offer,
two Burns at once, or a Major Burn. `answer`, `spend` and `effect` are what people do with Burns. `Fold` replays a whole
log; `oracles.py` consults the oracles, and `odds.py` looks ahead.

The Scale may be the table's or a character's own. One State serves both: `die_modifier` and `free_activations` always belong to
the acting character, the rest to the Scale it moves.

The dice are looked at a second time, after the rules of the roll have settled it. Only faces count, not success: a 3 that
succeeds is -1, a 9 that fails is +1, and a Willpower success is no die and gives nothing (our decision). Skipped are the 1s that
struck out a success; those that a mastered Ability took out of a botch count (our decision).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final, TypeAlias

from languages.text import gettext, gettext_lazy
from rules.checked import Checked, YesNo
from rules.dice import LARGEST_POOL
from rules.errors import NotPossible, UnknownWord, whole
from rules.tally import Tally

BURN_AT: Final = 3
MAJOR_AT: Final = 8
"""The threshold of a Major Burn (scale.txt, Burns). Reaching includes passing; points beyond a Major Burn are lost."""


class BurnKind(StrEnum):
    GRACE = "grace"
    TROUBLE = "trouble"

    @property
    def sign(self) -> int:
        return 1 if self is BurnKind.GRACE else -1

    @property
    def label(self) -> str:
        return gettext("Grace") if self is BurnKind.GRACE else gettext("Trouble")


class Side(StrEnum):
    """Names who acts: the player of the acting character (for an NPC the GM sits there), or the GM as GM."""

    PLAYER = "player"
    GM = "gm"


class Answer(StrEnum):
    """The two answers to an offer. Declining is not one: banking is the way to put a Burn off."""

    ACCEPT = "accept"
    BANK = "bank"


class Effect(StrEnum):
    """Names what a Burn does: a die on the next action roll, a Discipline, or the disposition of an NPC.

    Trouble may say how it complicates a Discipline, with one of COMPLICATIONS; DISCIPLINE leaves that to the GM's words.
    """

    DIE = "die"
    DISCIPLINE = "discipline"
    MISFIRE = "misfire"
    EXTRA_BLOOD = "extra_blood"
    ATTENTION = "attention"
    DISPOSITION = "disposition"


COMPLICATIONS: Final = (Effect.MISFIRE, Effect.EXTRA_BLOOD, Effect.ATTENTION)
"""The ways in which Trouble complicates a Discipline; the GM picks and describes one (scale.txt, Trouble Burn)."""


class Reached(StrEnum):
    """Names what a step sets off."""

    OFFER = "offer"
    BOTH = "both"
    MAJOR = "major"


EFFECT_CHOSEN_BY: Final = {BurnKind.GRACE: Side.PLAYER, BurnKind.TROUBLE: Side.GM}
"""The only side that may choose the effect (scale.txt, Voluntary Burn)."""


class Settings(Checked):
    """Holds what a campaign may decide about its Scale.

    `shared`: one Scale for the table; off, every player character has its own.
    `npcs_feed`: the GM's action rolls for NPCs move it too.
    `cancelled_ones_count`: 1s that struck out a success count -1 like any other. The text skips them, which makes the Scale
    drift upward by E[min(successes, ones)] a roll.
    `players_call_in_trouble`: a banked Trouble may be called in by the player as well as by the GM.
    `staying_is_reaching`: every action roll that ends at 3 or beyond reaches a Burn; off, only coming in from elsewhere does.
    `major_clears_bank`: a Major Burn takes a banked Burn with it; off, that one stays until it is spent.
    """

    shared: YesNo = True
    npcs_feed: YesNo = False
    cancelled_ones_count: YesNo = False
    players_call_in_trouble: YesNo = True
    staying_is_reaching: YesNo = False
    major_clears_bank: YesNo = False


DEFAULTS: Final = Settings()

WORDS: Final[Mapping[str, str]] = {
    "shared": gettext_lazy("One Scale for the whole table"),
    "npcs_feed": gettext_lazy("Action rolls of NPCs move the Scale too"),
    "cancelled_ones_count": gettext_lazy("A 1 that cancelled a success still counts on the Scale"),
    "players_call_in_trouble": gettext_lazy("Players may call in banked Trouble too"),
    "staying_is_reaching": gettext_lazy("Every roll that ends at 3 or beyond reaches a Burn"),
    "major_clears_bank": gettext_lazy("A Major Burn takes a banked Burn with it"),
}
"""The labels of the settings."""

HELP: Final[Mapping[str, str]] = {
    "shared": gettext_lazy("Off: each player character has its own."),
    "cancelled_ones_count": gettext_lazy(
        "By default they’re skipped, which lets the Scale drift upward. Counting them stops the drift."
    ),
}
"""The help texts of the settings."""


@dataclass(frozen=True, slots=True)
class State:
    """Between two operations: the Scale (-7 to +7), the Burn on offer, the Burn in the bank, and what Burns left on the
    character.

    `die_modifier` are dice for its next action roll, `free_activations` Disciplines it may still use for nothing.
    """

    scale: int = 0
    pending: BurnKind | None = None
    banked: BurnKind | None = None
    die_modifier: int = 0
    free_activations: int = 0

    def __post_init__(self) -> None:
        whole("scale", self.scale, 1 - MAJOR_AT, MAJOR_AT - 1)
        whole("die_modifier", self.die_modifier, -LARGEST_POOL, LARGEST_POOL)
        whole("free_activations", self.free_activations, 0, LARGEST_POOL)
        for field, kind in (("pending", self.pending), ("banked", self.banked)):
            if kind is not None and not isinstance(kind, BurnKind):
                raise UnknownWord(field, kind, BurnKind)
        if self.pending and self.banked:
            message = gettext("There’s already a banked Burn, so a second isn’t offered: both fire.")
            raise NotPossible("pending", self.pending, allowed="an empty bank", message=message)


@dataclass(frozen=True, slots=True)
class Burn:
    """A Burn that fires: its effect is to be chosen, or, of a Major Burn, its oracles to be consulted."""

    kind: BurnKind
    major: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """One move of the Scale; `fires` are in the order to show."""

    after: State
    event: Reached | None = None
    fires: tuple[Burn, ...] = ()


def step(state: State, delta: int, settings: Settings = DEFAULTS) -> Step:
    """Move the Scale by the `delta` (-100 to +100) of an action roll that feeds it, and use up the character's Burn dice.

    scale.txt, Burns. In this order: an unanswered offer goes to the bank; at 8 and beyond a Major Burn fires and swallows
    whatever else the roll would have reached; coming to 3 or beyond is offered, or, with a Burn in the bank, fires both, the
    banked one first.
    """
    whole("delta", delta, -LARGEST_POOL, LARGEST_POOL)
    rested = replace(state, pending=None, banked=state.banked or state.pending, die_modifier=0)
    new = state.scale + delta

    if abs(new) >= MAJOR_AT:
        bank = None if settings.major_clears_bank else rested.banked
        return Step(replace(rested, scale=0, banked=bank), Reached.MAJOR, (Burn(_kind(new), major=True),))
    reached = _zone(new) != 0 and (settings.staying_is_reaching or _zone(new) != _zone(state.scale))
    if not reached:
        return Step(replace(rested, scale=new))
    if rested.banked is None:
        return Step(replace(rested, scale=new, pending=_kind(new)), Reached.OFFER)
    return Step(replace(rested, scale=0, banked=None), Reached.BOTH, (Burn(rested.banked), Burn(_kind(new))))


def answer(state: State, choice: Answer) -> Step:
    """Take the Burn on offer, which resets the Scale, or bank it, which does not (scale.txt, Voluntary Burn)."""
    if state.pending is None:
        raise NotPossible("choice", choice, allowed="an open offer", message=gettext("There’s no Burn on offer."))
    if choice == Answer.BANK:
        return Step(replace(state, pending=None, banked=state.pending))
    if choice == Answer.ACCEPT:
        return Step(replace(state, pending=None, scale=0), fires=(Burn(state.pending),))
    raise UnknownWord("choice", choice, Answer)


def spend(state: State, by: Side = Side.PLAYER, settings: Settings = DEFAULTS) -> Step:
    """Fire the Burn in the bank, at any time outside a roll; spending is burning, so the Scale goes back to 0."""
    if state.banked is None:
        raise NotPossible("banked", state.banked, allowed="a banked Burn", message=gettext("There’s no banked Burn."))
    if by not in spent_by(state.banked, settings):
        whose = "player" if state.banked is BurnKind.GRACE else "GM"
        message = (
            gettext("Only the player can spend a banked Grace.")
            if state.banked is BurnKind.GRACE
            else gettext("Only the GM can call in a banked Trouble.")
        )
        raise NotPossible("by", by, allowed=whose, message=message)
    return Step(replace(state, banked=None, scale=0), fires=(Burn(state.banked),))


def spent_by(kind: BurnKind, settings: Settings = DEFAULTS) -> frozenset[Side]:
    """Return who may spend a banked Burn of this kind: Grace the player, Trouble the GM and, by default, the player too."""
    if kind is BurnKind.GRACE:
        return frozenset({Side.PLAYER})
    return frozenset(Side) if settings.players_call_in_trouble else frozenset({Side.GM})


def effect(state: State, kind: BurnKind, chosen: Effect, by: Side) -> State:
    """Apply the effect of a Burn that fired (scale.txt, Grace Burn, Trouble Burn): the player chooses Grace, the GM Trouble.

    A Discipline of Grace adds a free activation, once the GM finds it plausible; neither one of Trouble, which
    is a complication, nor the disposition of an NPC leaves a number behind here.
    """
    if by != EFFECT_CHOSEN_BY[kind]:
        chooser = {Side.PLAYER: "player", Side.GM: "GM"}[EFFECT_CHOSEN_BY[kind]]
        message = (
            gettext("The player chooses what Grace does.")
            if kind is BurnKind.GRACE
            else gettext("The GM chooses what Trouble does.")
        )
        raise NotPossible("by", by, allowed=chooser, message=message)
    if chosen == Effect.DIE:
        return replace(state, die_modifier=state.die_modifier + kind.sign)
    if chosen == Effect.DISPOSITION or (kind is BurnKind.TROUBLE and chosen in COMPLICATIONS):
        return state
    if chosen == Effect.DISCIPLINE:
        return replace(state, free_activations=state.free_activations + (kind is BurnKind.GRACE))
    raise UnknownWord("effect", chosen, Effect)


def use_activation(state: State) -> State:
    """Use up a free activation. Raises NotPossible when there is none."""
    if not state.free_activations:
        message = gettext("No free activations left.")
        raise NotPossible("free_activations", state.free_activations, allowed="1 or more", message=message)
    return replace(state, free_activations=state.free_activations - 1)


def _zone(scale: int) -> int:
    return (scale >= BURN_AT) - (scale <= -BURN_AT)


def _kind(scale: int) -> BurnKind:
    return BurnKind.GRACE if scale > 0 else BurnKind.TROUBLE


UP_FROM: Final = 8
DOWN_TO: Final = 3
"""Faces from 8 up give +1, faces up to 3 give -1, successes or not."""


def tally(settings: Settings = DEFAULTS) -> Tally:
    """Return how the Scale counts dice by a campaign's settings."""
    return Tally(UP_FROM, DOWN_TO, skips_cancelling=not settings.cancelled_ones_count)


def feeds(is_action: bool, *, is_npc: bool, settings: Settings = DEFAULTS) -> bool:
    """Return whether a roll with dice moves a Scale (scale.txt, Scale Procedure). A success without dice never does.

    scale.txt leaves out soak, Willpower, Humanity and initiative; leaving out damage and everything else is our decision.
    """
    return is_action and (settings.npcs_feed or not is_npc)


# The Scale as the fold of its log: its standing events, replayed in order, give its current state.
#
# Undo goes backwards only, so what is left of a log that was taken back in part is always a log that could have happened.


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """Something that happened to a Scale. `ref` names it, once in a log; `who` is the acting character."""

    ref: str
    who: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rolled(Fact):
    """An action roll that feeds this Scale, with its delta."""

    delta: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered(Fact):
    choice: Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent(Fact):
    """The Burn in the bank was spent or called in."""

    by: Side = Side.PLAYER


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen(Fact):
    """The effect of a Burn that fired, on the character `who`."""

    kind: BurnKind
    effect: Effect


@dataclass(frozen=True, slots=True, kw_only=True)
class Activated(Fact):
    """A free activation was used."""


Carried: TypeAlias = Mapping[str, tuple[int, int]]
"""By character: extra dice for its next action roll, and free activations. A Scale may be shared; these never are."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A standing event, the acting character's State after it, and every character's momentum then."""

    fact: Fact
    state: State
    carried: Carried


@dataclass(frozen=True, slots=True)
class Fold:
    """A log so far. Folding on from here gives what folding the whole log at once would have given."""

    moments: tuple[Moment, ...] = ()

    def state_of(self, who: str = "") -> State:
        """Return the current State, for this character to act in."""
        return _state_of(self.moments[-1] if self.moments else None, who)


def fold(log: Iterable[Fact], start: Fold | None = None, settings: Settings = DEFAULTS) -> Fold:
    """Replay `log`, from an empty Scale or from where `start` left off.

    Raises RuleError at the first fact that could not have happened, such as an answer without an offer, or a ref used twice.
    """
    moments = list(start.moments) if start else []
    refs = {moment.fact.ref for moment in moments}
    for fact in log:
        if fact.ref in refs:
            message = gettext("The same operation is in the log twice.")
            raise NotPossible("ref", fact.ref, allowed="a new name", message=message)
        refs.add(fact.ref)
        moments.append(_moment(fact, moments[-1] if moments else None, settings))
    return Fold(tuple(moments))


def _moment(fact: Fact, last: Moment | None, settings: Settings) -> Moment:
    after = _apply(fact, _state_of(last, fact.who), settings)
    carried = {**(last.carried if last else {}), fact.who: (after.die_modifier, after.free_activations)}
    return Moment(fact, after, MappingProxyType(carried))


def _apply(fact: Fact, state: State, settings: Settings) -> State:
    match fact:
        case Rolled():
            return step(state, fact.delta, settings).after
        case Answered():
            return answer(state, fact.choice).after
        case Spent():
            return spend(state, fact.by, settings).after
        case Chosen():
            return effect(state, fact.kind, fact.effect, by=EFFECT_CHOSEN_BY[fact.kind])
        case Activated():
            return use_activation(state)
        case _:
            raise NotPossible(
                "fact", fact, allowed="a fact of a Scale", message=gettext("This doesn’t belong to a Scale.")
            )


def _state_of(last: Moment | None, who: str) -> State:
    if last is None:
        return State()
    die_modifier, free_activations = last.carried.get(who, (0, 0))
    return replace(last.state, die_modifier=die_modifier, free_activations=free_activations)
