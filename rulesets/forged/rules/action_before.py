"""A staged action until its dice fall: position and effect, the trade, who is ready (forged.txt, Action Roll, 1 to 4). What gives
more dice, and who joins, is in action_bonus.py."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from rolls.rules.acts import Actor, act
from rolls.rules.blocks import Block
from rolls.rules.errors import RuleError, whole, word
from rolls.rules.procedures import Act, ProcedureRules, Values
from rulesets.forged.rules.action import ASSIST_COST, MOST_LEVELS, Direction, Effect, Position, trade
from rulesets.forged.rules.action_state import (
    GM,
    OPENED,
    PLAYER,
    WORSE,
    Action,
    ActionStage,
    Participant,
    Token,
    by_actor,
    own,
    refused,
)
from rulesets.forged.rules.body import pay

FULL_STRESS: Final = Block("full_stress", "with the stress full")
SEVERE_HARM: Final = Block("severe_harm", "in spite of severe harm")
USUAL: Final[Values] = {"base": Effect.STANDARD.value, "potency": 0, "quality": 0, "scale": 0, "ability": 0}


def full_words(name: str) -> str:
    return f"The stress of {name} is full: the trauma comes first."


def unrolled(state: Action) -> bool:
    return state.stage in (ActionStage.ASKED, ActionStage.SET) and not state.fallen


def with_participant(state: Action, participant: Participant) -> Action:
    changed = (participant if other.character == participant.character else other for other in state.participants)
    return replace(state, participants=tuple(changed))


def nobody_ready(state: Action) -> Action:
    return replace(state, participants=tuple(replace(participant, ready=False) for participant in state.participants))


def opening(state: Action) -> str:
    """The position that the GM begins with: as it is set, or as the engagement has it for the first action."""
    opened = [token.to for token in state.waiting if token.gives == OPENED]
    return opened[0] if opened and state.stage is ActionStage.ASKED else state.position


def _used(state: Action) -> tuple[Token, ...]:
    """Of those that wait for it, one of each sort; of positions that got worse all, of which the worst counts."""
    tokens: dict[str, Token] = {}
    for token in state.waiting:
        tokens.setdefault(token.id if token.gives == WORSE else token.gives, token)
    return tuple(tokens.values())


def _tradable(state: Action) -> Iterator[Direction]:
    if state.stage is not ActionStage.SET or state.fallen or state.trade:
        return
    for direction in Direction:
        try:
            trade(
                state.before_trade, state.built(state.participants[0]).level.effect, direction, settings=state.settings
            )
            replace(state, trade=direction.value, traded=True).built(state.participants[0])
        except RuleError:
            continue
        yield direction


def _traded_about(state: Action) -> bool:
    return unrolled(state) and bool(state.trade) and not state.traded


def _other_side(state: Action, who: Actor) -> bool:
    """Return whether this actor answers the offer: the player what the GM offers, the GM what the player does."""
    return who.is_gm if state.trade_by == PLAYER else who.plays(state.actor.character)


def tradable_still(state: Action) -> Action:
    """Raises a RuleError where what was traded could not be any more."""
    for participant in state.participants:
        state.built(participant)
    return state


def _rolling(state: Action) -> Iterator[str]:
    if state.stage is ActionStage.SET:
        waited = [
            participant.character for participant in state.participants if participant.waits and not participant.result
        ]
        yield from (character for character in waited if not state.person(character).out)


def _hindered(state: Action, character: str) -> tuple[Block, str] | None:
    person, participant = state.person(character), state.participant(character)
    if person.full:
        return FULL_STRESS, full_words(person.name)
    if participant and state.hinders(participant, 3) and not participant.push_act and not participant.helper:
        return SEVERE_HARM, f"Severe harm: {person.name} acts only with help, or by a push of 2 stress."
    return None


def alone(state: Action) -> bool:
    """Return whether a group has nobody in it yet but who leads it."""
    return state.group and len(state.participants) < 2


def spent(state: Action) -> bool:
    """Return whether a set-up that it counts on was used by another action."""
    return any(token not in state.waiting for token in state.tokens)


def affords(state: Action, character: str, stress: int) -> None:
    """Raises a RuleError where so much stress cannot be marked before the dice fall (forged.txt, Pushing Yourself)."""
    person = state.person(character)
    if stress and person.full:
        raise refused("push", full_words(person.name))
    pay(min(person.stress, state.settings.boxes), 0, stress, state.settings)


def as_set(state: Action, *target: Any) -> tuple[Any, ...]:
    """Return what the GM has said of it."""
    said = (
        state.position,
        state.base,
        state.potency,
        state.quality,
        state.scale,
        state.ability,
        state.why,
        state.spared,
    )
    return (state.stage, *said, state.clock, state.tokens)


def as_rolled(state: Action, character: str) -> tuple[Any, ...]:
    """All that bears on one's own dice; an offer that lapses with them, too."""
    own = next(participant for participant in state.participants if participant.character == character)
    agreed = (state.trade, state.traded, state.bargain, state.bargained, state.gambit)
    return (*as_set(state), *agreed, replace(own, ready=False))


def as_traded(state: Action) -> tuple[Any, ...]:
    return (*as_set(state), state.trade, state.trade_by)


class BeforeTheDice(ProcedureRules[Action]):
    """Position and effect, the trade, and who is ready."""

    @act(when=lambda state: state.stage is ActionStage.ASKED)
    def usual(self, state: Action, step: Act) -> Action:
        """As the text begins: risky, or as the engagement has it, and standard (forged.txt, The GM Sets the Effect Level)."""
        return self.set_terms(state, replace(step, values={**USUAL, "position": opening(state)}))

    @act("set", when=unrolled, terms=as_set, asks=True)
    def set_terms(self, state: Action, step: Act) -> Action:
        """Anew each time: a trade was one from what is said no more."""
        said = dict(step.values)
        word("position", said["position"], Position)
        word("base", said["base"], Effect)
        for factor in ("potency", "quality", "scale"):
            whole(factor, said[factor], -1, 1)
        whole("ability", said["ability"], 0, MOST_LEVELS)
        anew: dict[str, Any] = {"trade": "", "trade_by": "", "traded": False, "clock_gone": False}
        return nobody_ready(replace(state, **said, **anew, tokens=_used(state), stage=ActionStage.SET))

    @act(by=by_actor, each=_tradable, terms=as_set)
    def propose(self, state: Action, step: Act, direction: Direction) -> Action:
        return replace(state, trade=direction.value, trade_by=GM if step.by.is_gm else PLAYER)

    @act(by=_other_side, when=_traded_about, terms=as_traded)
    def agree(self, state: Action, step: Act) -> Action:
        return nobody_ready(tradable_still(replace(state, traded=True)))

    @act(by=by_actor, when=lambda state: unrolled(state) and bool(state.trade), terms=as_traded)
    def decline(self, state: Action, step: Act) -> Action:
        return nobody_ready(replace(state, trade="", trade_by="", traded=False))

    @act(by=own, each=_rolling, blocks=_hindered, terms=as_rolled)
    def roll(self, state: Action, step: Act, character: str) -> Action:
        """An offer that nobody has answered lapses; once all are ready, the dice fall."""
        if alone(state):
            raise refused("group", "A group takes at least two. Let somebody join first.")
        if spent(state):
            raise refused("tokens", "A set-up that was counted on has been used meanwhile. The GM sets this anew.")
        participant = state.participant(character) or state.participants[0]
        affords(state, participant.character, participant.stress)
        if participant.helper:
            affords(state, participant.helper, ASSIST_COST)
        state = state if state.traded else replace(state, trade="", trade_by="")
        state = state if state.bargained else replace(state, bargain="", bargain_by="")
        return with_participant(state, replace(participant, ready=True))

    @act(by=by_actor, when=unrolled)
    def withdraw(self, state: Action, step: Act) -> Action:
        return replace(state, stage=ActionStage.WITHDRAWN)
