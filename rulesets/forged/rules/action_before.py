"""A staged action until its dice fall: position and effect, trade, bonus dice, who joins (forged.txt, Action Roll, 1 to 4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from rolls.rules.bars import Bar
from rolls.rules.effects import Led
from rolls.rules.errors import RuleError, whole, word
from rolls.rules.procedures import Act, Actor, Values
from rulesets.forged.rules.action import MOST_LEVELS, Direction, Effect, Position, trade
from rulesets.forged.rules.action_state import GM, OPENED, PLAYER, WORSE, Action, Participant, Stage, Token
from rulesets.forged.rules.moves import NOBODY, Move, refused

FULL_STRESS: Final = Bar("full_stress", "with the stress full")
SEVERE_HARM: Final = Bar("severe_harm", "in spite of severe harm")
PUSHES: Final = ("die", "effect", "act")
FOR: Final = ".for."
USUAL: Final[Values] = {"base": Effect.STANDARD.value, "potency": 0, "quality": 0, "scale": 0, "ability": 0}
NO_BARGAIN: Final = (
    "There is nobody to bargain with now: a bargain goes with an action that is set, before its dice fall."
)
EITHER: Final = "The second bonus die is either a push or a Devil’s Bargain."


def start(given: Values) -> Action:
    """`given` are the fields of an Action. Raises a RuleError for an actor who is not there."""
    state = Action(**given)
    if not state.actor.able:
        raise refused("character", _full(state.actor.name))
    return state


def _full(name: str) -> str:
    return f"The stress of {name} is full: the trauma comes first."


def unrolled(state: Action) -> bool:
    return state.stage in (Stage.ASKED, Stage.SET) and not state.fallen


def _bare(state: Action, *, when: bool) -> tuple[str, ...]:
    return NOBODY if when else ()


def _gm(state: Action, who: Actor, whom: str) -> bool:
    return who.is_gm


def by_actor(state: Action, who: Actor, whom: str) -> bool:
    return who.plays(state.actor.character)


def own(state: Action, who: Actor, whom: str) -> bool:
    """Whom the step is for stands first in it."""
    return who.plays(whom.split(".")[0])


def with_participant(state: Action, participant: Participant) -> Action:
    changed = (participant if one.character == participant.character else one for one in state.participants)
    return replace(state, participants=tuple(changed))


def _nobody_ready(state: Action) -> Action:
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
    return _nobody_ready(replace(state, **said, **anew, tokens=_used(state), stage=Stage.SET))


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
    return _nobody_ready(tradable_still(replace(state, traded=True)))


def _decline(state: Action, who: Actor, act: Act) -> Action:
    return _nobody_ready(replace(state, trade="", trade_by="", traded=False))


# Bonus dice


def _pushes(state: Action) -> Iterator[str]:
    """To act in spite of harm only where it would keep somebody from it."""
    for one in state.participants if unrolled(state) else ():
        if one.cohort:
            continue
        severe = one.push_act or state.hinders(one, 3)
        yield from (f"{one.character}.{push}" for push in PUSHES if push != "act" or severe)


def _push(state: Action, who: Actor, act: Act) -> Action:
    """On and off."""
    character, push = act.whom.split(".")
    participant = state.participant(character) or state.participants[0]
    name = f"push_{push}"
    turned: dict[str, Any] = {name: not getattr(participant, name), "ready": False}
    if push == "die" and not participant.push_die and state.bargained and participant == state.participants[0]:
        raise refused("push", EITHER)
    return tradable_still(with_participant(state, replace(participant, **turned)))


def tradable_still(state: Action) -> Action:
    """Raises a RuleError where what was traded could not be any more."""
    for one in state.participants:
        state.built(one)
    return state


def _assists(state: Action) -> Iterator[str]:
    """One helper for a roll, who is not among those who roll (forged.txt, Assist)."""
    if not unrolled(state):
        return
    busy = {one.character for one in state.participants} | {one.helper for one in state.participants}
    for person in state.people:
        if person.able and person.character not in busy:
            yield from (
                f"{person.character}{FOR}{one.character}"
                for one in state.participants
                if not one.helper and not one.cohort
            )


def _assist(state: Action, who: Actor, act: Act) -> Action:
    helper, _, character = act.whom.partition(FOR)
    participant = state.participant(character) or state.participants[0]
    return with_participant(state, replace(participant, helper=helper))


def _helping(state: Action) -> Iterator[str]:
    if unrolled(state):
        yield from (one.helper for one in state.participants if one.helper)


def _unassist(state: Action, who: Actor, act: Act) -> Action:
    """Whoever counted on it looks again."""
    helped = next(one for one in state.participants if one.helper == act.whom)
    return with_participant(state, replace(helped, helper="", ready=False))


def _others(state: Action, who: Actor, whom: str) -> bool:
    """The GM, or another player (forged.txt, The Devil’s Bargain)."""
    plays = {one.character for one in state.people} & who.characters
    return who.is_gm or (bool(plays) and state.actor.character not in who.characters)


def _bargain(state: Action, who: Actor, act: Act) -> Action:
    words = str(act.values["words"]).strip()
    if not words:
        raise refused("words", "Say what the bargain costs.")
    names = [one.name for one in state.people if one.character in who.characters]
    return replace(state, bargain=words, bargain_by="" if who.is_gm else names[0])


def _accept(state: Action, who: Actor, act: Act) -> Action:
    if state.participants[0].push_die:
        raise refused("bargain", EITHER)
    return with_participant(replace(state, bargained=True), replace(state.participants[0], ready=False))


def _refuse(state: Action, who: Actor, act: Act) -> Action:
    return _nobody_ready(replace(state, bargain="", bargain_by="", bargained=False))


def _has_gambit(state: Action) -> bool:
    there = state.crew is not None and bool(state.crew.gambits)
    return unrolled(state) and state.settings.gambits and (there or state.gambit)


def _gambit(state: Action, who: Actor, act: Act) -> Action:
    return with_participant(replace(state, gambit=not state.gambit), replace(state.participants[0], ready=False))


# Those who roll


def _rolling(state: Action) -> Iterator[str]:
    if state.stage is Stage.SET:
        yield from (one.character for one in state.participants if one.waits and not one.result)


def _bars(state: Action, whom: str) -> tuple[Bar, str] | None:
    person, participant = state.person(whom), state.participant(whom)
    if person.full:
        return FULL_STRESS, _full(person.name)
    if participant and state.hinders(participant, 3) and not participant.push_act and not participant.helper:
        return SEVERE_HARM, f"Severe harm: {person.name} acts only with help, or by a push of 2 stress."
    return None


def _roll(state: Action, who: Actor, act: Act) -> Action:
    """An offer that nobody has answered lapses; once all are ready, the dice fall."""
    if state.group and len(state.participants) < 2:
        raise refused("group", "A group takes at least two. Let somebody join first.")
    if any(token not in state.waiting for token in state.tokens):
        raise refused("tokens", "A set-up that was counted on has been used meanwhile. The GM sets this anew.")
    state = state if state.traded else replace(state, trade="", trade_by="")
    state = state if state.bargained else replace(state, bargain="", bargain_by="")
    participant = state.participant(act.whom) or state.participants[0]
    return with_participant(state, replace(participant, ready=True))


def _withdraw(state: Action, who: Actor, act: Act) -> Led[Action]:
    return Led(replace(state, stage=Stage.WITHDRAWN))


MOVES: Final = {
    "usual": Move(there=lambda state: _bare(state, when=state.stage is Stage.ASKED), by=_gm, do=_usual),
    "set": Move(there=lambda state: _bare(state, when=unrolled(state)), by=_gm, do=_set),
    "propose": Move(there=_tradable, by=by_actor, do=_propose),
    "agree": Move(
        there=lambda state: _bare(state, when=unrolled(state) and bool(state.trade) and not state.traded),
        by=_other_side,
        do=_agree,
    ),
    "decline": Move(
        there=lambda state: _bare(state, when=unrolled(state) and bool(state.trade)), by=by_actor, do=_decline
    ),
    "push": Move(there=_pushes, by=own, do=_push),
    "assist": Move(there=_assists, by=own, do=_assist),
    "unassist": Move(there=_helping, by=own, do=_unassist),
    "bargain": Move(
        there=lambda state: _bare(state, when=state.stage is Stage.SET and not state.fallen and not state.bargain),
        by=_others,
        do=_bargain,
        gone=NO_BARGAIN,
    ),
    "accept": Move(
        there=lambda state: _bare(state, when=unrolled(state) and bool(state.bargain) and not state.bargained),
        by=by_actor,
        do=_accept,
    ),
    "refuse": Move(
        there=lambda state: _bare(state, when=unrolled(state) and bool(state.bargain)), by=by_actor, do=_refuse
    ),
    "gambit": Move(there=lambda state: _bare(state, when=_has_gambit(state)), by=by_actor, do=_gambit),
    "roll": Move(there=_rolling, by=own, do=_roll, bars=_bars),
    "withdraw": Move(there=lambda state: _bare(state, when=unrolled(state)), by=by_actor, do=_withdraw),
}
