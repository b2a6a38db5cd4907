"""A staged action until its dice fall: position and effect, the trade, who is ready (forged.txt, Action Roll, 1 to 4). What gives
more dice is in action_bonus.py, who joins in action_group.py."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from rolls.rules.acts import Actor
from rolls.rules.bars import Bar
from rolls.rules.effects import StepResult
from rolls.rules.errors import RuleError, whole, word
from rolls.rules.function_procedures import Act
from rolls.rules.procedures import Values
from rulesets.forged.rules.action import ASSIST_COST, MOST_LEVELS, Direction, Effect, Position, trade
from rulesets.forged.rules.action_state import GM, OPENED, PLAYER, WORSE, Action, Participant, Stage, Token
from rulesets.forged.rules.action_terms import as_rolled, as_set, as_traded
from rulesets.forged.rules.body import pay
from rulesets.forged.rules.moves import NOBODY, Move, by_gm, refused

FULL_STRESS: Final = Bar("full_stress", "with the stress full")
SEVERE_HARM: Final = Bar("severe_harm", "in spite of severe harm")
USUAL: Final[Values] = {"base": Effect.STANDARD.value, "potency": 0, "quality": 0, "scale": 0, "ability": 0}


def start(given: Values) -> Action:
    """`given` are the fields of an Action. Raises a RuleError for an actor who is not there."""
    state = Action(**given)
    if not state.actor.able:
        raise refused("character", full_words(state.actor.name))
    return state


def full_words(name: str) -> str:
    return f"The stress of {name} is full: the trauma comes first."


def unrolled(state: Action) -> bool:
    return state.stage in (Stage.ASKED, Stage.SET) and not state.fallen


def bare(state: Action, *, when: bool) -> tuple[str, ...]:
    return NOBODY if when else ()


def by_actor(state: Action, who: Actor, whom: str) -> bool:
    return who.plays(state.actor.character)


def own(state: Action, who: Actor, whom: str) -> bool:
    """Whom the step is for stands first in it."""
    return who.plays(whom.split(".")[0])


def with_participant(state: Action, participant: Participant) -> Action:
    changed = (participant if one.character == participant.character else one for one in state.participants)
    return replace(state, participants=tuple(changed))


def nobody_ready(state: Action) -> Action:
    return replace(state, participants=tuple(replace(one, ready=False) for one in state.participants))


# What the GM sets


def _set(state: Action, who: Actor, act: Act) -> Action:
    """Anew each time: a trade was one from what is said no more."""
    said = dict(act.values)
    word("position", said["position"], Position)
    word("base", said["base"], Effect)
    for factor in ("potency", "quality", "scale"):
        whole(factor, said[factor], -1, 1)
    whole("ability", said["ability"], 0, MOST_LEVELS)
    anew: dict[str, Any] = {"trade": "", "trade_by": "", "traded": False, "clock_gone": False}
    return nobody_ready(replace(state, **said, **anew, tokens=_used(state), stage=Stage.SET))


def opening(state: Action) -> str:
    """The position that the GM begins with: as it is set, or as the engagement has it for the first action."""
    opened = [one.to for one in state.waiting if one.gives == OPENED]
    return opened[0] if opened and state.stage is Stage.ASKED else state.position


def _usual(state: Action, who: Actor, act: Act) -> Action:
    """As the text begins: risky, or as the engagement has it, and standard (forged.txt, The GM Sets the Effect Level)."""
    return _set(state, who, replace(act, values={**USUAL, "position": opening(state)}))


def _used(state: Action) -> tuple[Token, ...]:
    """Of those that wait for it, one of each sort; of positions that got worse all, of which the worst counts."""
    found: dict[str, Token] = {}
    for token in state.waiting:
        found.setdefault(token.id if token.gives == WORSE else token.gives, token)
    return tuple(found.values())


# The trade


def _tradable(state: Action) -> Iterator[str]:
    if state.stage is not Stage.SET or state.fallen or state.trade:
        return
    for direction in Direction:
        try:
            trade(
                state.before_trade, state.built(state.participants[0]).level.effect, direction, settings=state.settings
            )
            replace(state, trade=direction.value, traded=True).built(state.participants[0])
        except RuleError:
            continue
        yield direction.value


def _propose(state: Action, who: Actor, act: Act) -> Action:
    return replace(state, trade=act.whom, trade_by=GM if who.is_gm else PLAYER)


def _other_side(state: Action, who: Actor, whom: str) -> bool:
    """What the GM offers the player accepts, and the other way round."""
    return who.is_gm if state.trade_by == PLAYER else who.plays(state.actor.character)


def _agree(state: Action, who: Actor, act: Act) -> Action:
    return nobody_ready(tradable_still(replace(state, traded=True)))


def _decline(state: Action, who: Actor, act: Act) -> Action:
    return nobody_ready(replace(state, trade="", trade_by="", traded=False))


def tradable_still(state: Action) -> Action:
    """Raises a RuleError where what was traded could not be any more."""
    for one in state.participants:
        state.built(one)
    return state


# Those who roll


def _rolling(state: Action) -> Iterator[str]:
    if state.stage is Stage.SET:
        waited = [one.character for one in state.participants if one.waits and not one.result]
        yield from (one for one in waited if not state.person(one).out)


def _bars(state: Action, whom: str) -> tuple[Bar, str] | None:
    person, participant = state.person(whom), state.participant(whom)
    if person.full:
        return FULL_STRESS, full_words(person.name)
    if participant and state.hinders(participant, 3) and not participant.push_act and not participant.helper:
        return SEVERE_HARM, f"Severe harm: {person.name} acts only with help, or by a push of 2 stress."
    return None


def _roll(state: Action, who: Actor, act: Act) -> Action:
    """An offer that nobody has answered lapses; once all are ready, the dice fall."""
    if alone(state):
        raise refused("group", "A group takes at least two. Let somebody join first.")
    if spent(state):
        raise refused("tokens", "A set-up that was counted on has been used meanwhile. The GM sets this anew.")
    participant = state.participant(act.whom) or state.participants[0]
    affords(state, participant.character, participant.stress)
    if participant.helper:
        affords(state, participant.helper, ASSIST_COST)
    state = state if state.traded else replace(state, trade="", trade_by="")
    state = state if state.bargained else replace(state, bargain="", bargain_by="")
    return with_participant(state, replace(participant, ready=True))


def alone(state: Action) -> bool:
    """Whether a group has nobody in it yet but who leads it."""
    return state.group and len(state.participants) < 2


def spent(state: Action) -> bool:
    """Whether a set-up that it counts on was used by another action."""
    return any(token not in state.waiting for token in state.tokens)


def affords(state: Action, character: str, stress: int) -> None:
    """Raises a RuleError where so much stress cannot be marked before the dice fall (forged.txt, Pushing Yourself)."""
    person = state.person(character)
    if stress and person.full:
        raise refused("push", full_words(person.name))
    pay(min(person.stress, state.settings.boxes), 0, stress, state.settings)


def _withdraw(state: Action, who: Actor, act: Act) -> StepResult[Action]:
    return StepResult(replace(state, stage=Stage.WITHDRAWN))


MOVES: Final = {
    "usual": Move(there=lambda state: bare(state, when=state.stage is Stage.ASKED), by=by_gm, do=_usual),
    "set": Move(there=lambda state: bare(state, when=unrolled(state)), by=by_gm, do=_set, asks=True, terms=as_set),
    "propose": Move(there=_tradable, by=by_actor, do=_propose, terms=as_set),
    "agree": Move(
        there=lambda state: bare(state, when=unrolled(state) and bool(state.trade) and not state.traded),
        by=_other_side,
        do=_agree,
        terms=as_traded,
    ),
    "decline": Move(
        there=lambda state: bare(state, when=unrolled(state) and bool(state.trade)),
        by=by_actor,
        do=_decline,
        terms=as_traded,
    ),
    "roll": Move(there=_rolling, by=own, do=_roll, bars=_bars, terms=as_rolled),
    "withdraw": Move(there=lambda state: bare(state, when=unrolled(state)), by=by_actor, do=_withdraw),
}
