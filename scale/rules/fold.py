"""The Scale as the fold of its log: its standing events, replayed in order, give its current state.

Undo goes backwards only, so what is left of a log that was taken back in part is always a log that could have happened.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypeAlias

from languages.text import gettext
from rules.errors import NotPossible
from scale.rules.scale import (
    DEFAULTS,
    EFFECT_CHOSEN_BY,
    Answer,
    BurnKind,
    Effect,
    Settings,
    Side,
    State,
    answer,
    effect,
    spend,
    step,
    use_activation,
)


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
