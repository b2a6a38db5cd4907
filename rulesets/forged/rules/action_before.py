"""A staged action until its dice fall: position and effect, the trade, who is ready (forged.txt, Action Roll, 1 to 4); what gives
more dice or effect (Add Bonus Dice).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final

from languages.text import gettext as _
from languages.text import gettext_lazy
from rules.acts import Actor, act
from rules.errors import Block, RuleError, whole, word
from rules.procedures import Act, ProcedureRules, Values
from rulesets.forged import sheet
from rulesets.forged.rules.action import ASSIST_COST, MOST_LEVELS, Direction, Effect, Position, trade
from rulesets.forged.rules.action_state import (
    GM,
    OPENED,
    PLAYER,
    Action,
    ActionStage,
    Participant,
    by_actor,
    own,
    refused,
)
from rulesets.forged.rules.body import check_payment
from rulesets.forged.rules.roll import check_more

FULL_STRESS: Final = Block("full_stress", gettext_lazy("with full stress"))
SEVERE_HARM: Final = Block("severe_harm", gettext_lazy("despite severe harm"))
FACTORS: Final = ("potency", "quality", "scale")
USUAL: Final[Values] = {"base": Effect.STANDARD.value, **dict.fromkeys((*FACTORS, "ability", "more"), 0)}


def full_words(name: str) -> str:
    return _("{name}’s stress track is full. Choose a trauma first.").format(name=name)


def severe_words(name: str) -> str:
    return _("Severe harm: to act, {name} needs help, or a push for 2 stress.").format(name=name)


def unrolled(state: Action) -> bool:
    return state.stage in (ActionStage.ASKED, ActionStage.SET) and not state.fallen


def with_participant(state: Action, participant: Participant) -> Action:
    changed = (participant if other.character == participant.character else other for other in state.participants)
    return replace(state, participants=tuple(changed))


def nobody_ready(state: Action) -> Action:
    return replace(state, participants=tuple(replace(participant, ready=False) for participant in state.participants))


def opening(state: Action) -> str:
    """Return the position that the GM starts from: the one already set, or that of the engagement."""
    opened = [token.to for token in state.waiting if token.gives == OPENED]
    return opened[0] if opened and state.stage is ActionStage.ASKED else state.position


def as_usual(state: Action) -> Action:
    """Return the action on the terms that are usual, with what waits for it: what the GM is suggested at first."""
    return replace(state, **USUAL, position=opening(state), tokens=state.usable())


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
    """Return whether this actor answers the offer: the player a GM's offer, the GM a player's."""
    return who.is_gm if state.trade_by == PLAYER else who.plays(state.actor.character)


def tradable_still(state: Action) -> Action:
    """Return the state. Raises a RuleError if what was traded would no longer be possible."""
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
        return SEVERE_HARM, severe_words(person.name)
    return None


def alone(state: Action) -> bool:
    """Return whether a group action has only its leader so far."""
    return state.group and len(state.participants) < 2


def spent(state: Action) -> bool:
    """Return whether a set-up that the action relies on was used by another one."""
    return any(token not in state.waiting for token in state.tokens)


def affords(state: Action, character: str, stress: int) -> None:
    """Raises a RuleError where so much stress cannot be marked before the dice fall (forged.txt, Pushing Yourself)."""
    person = state.person(character)
    if stress and person.full:
        raise refused("push", full_words(person.name))
    check_payment(person.stress, stress, state.settings)


def as_set(state: Action, *target: Any) -> tuple[Any, ...]:
    """Return the terms that the GM has set."""
    said = (
        state.position,
        state.base,
        state.potency,
        state.quality,
        state.scale,
        state.ability,
        state.more,
        state.why,
        state.spared,
    )
    return (state.stage, *said, state.clock, state.tokens)


def as_rolled(state: Action, character: str) -> tuple[Any, ...]:
    """Return all terms of one's own dice, with an offer that lapses with them."""
    own = next(participant for participant in state.participants if participant.character == character)
    agreed = (state.trade, state.traded, state.bargain, state.bargained, state.gambit)
    return (*as_set(state), *agreed, replace(own, ready=False))


def as_traded(state: Action) -> tuple[Any, ...]:
    return (*as_set(state), state.trade, state.trade_by)


class BeforeTheDice(ProcedureRules[Action]):
    """Position and effect, the trade, and who is ready."""

    @act(when=lambda state: state.stage is ActionStage.ASKED)
    def usual(self, state: Action, step: Act) -> Action:
        """Set position risky, or that of the engagement, and effect standard (forged.txt, The GM Sets the Effect Level)."""
        return self.set_terms(state, replace(step, values={**USUAL, "position": opening(state)}))

    @act("set", when=unrolled, terms=as_set, asks=True)
    def set_terms(self, state: Action, step: Act) -> Action:
        """Set position, effect and the rest; a trade based on earlier terms is dropped."""
        said = dict(step.values)
        tokens = state.usable(said.pop("without", ()))
        word("position", said["position"], Position)
        word("base", said["base"], Effect)
        for factor in FACTORS:
            whole(factor, said[factor], -1, 1)
        whole("ability", said["ability"], 0, MOST_LEVELS)
        check_more(said)
        dropped: dict[str, Any] = {"trade": "", "trade_by": "", "traded": False, "clock_gone": False}
        return nobody_ready(replace(state, **said, **dropped, tokens=tokens, stage=ActionStage.SET))

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
        """Say that a participant is ready. An unanswered offer lapses; once all are ready, the dice fall."""
        if alone(state):
            raise refused("group", _("A group action needs at least two people. Wait until someone joins."))
        if spent(state):
            raise refused("tokens", _("A set-up that this action relied on is gone. The GM needs to set it again."))
        participant = state.participant(character) or state.participants[0]
        affords(state, participant.character, participant.stress)
        if participant.helper:
            affords(state, participant.helper, ASSIST_COST)
        state = state if state.traded else replace(state, trade="", trade_by="")
        state = state if state.bargained else replace(state, **NO_BARGAIN)
        return with_participant(state, replace(participant, ready=True))

    @act(by=by_actor, when=unrolled)
    def withdraw(self, state: Action, step: Act) -> Action:
        return replace(state, stage=ActionStage.WITHDRAWN)


NO_BARGAIN: Final[Values] = {
    "bargain": "",
    "bargain_by": "",
    "bargain_coin": 0,
    "bargain_item": "",
    "bargain_thing": "",
    "bargained": False,
}
PUSHES: Final = ("die", "effect", "act")
EITHER: Final = gettext_lazy("The second bonus die comes from a push or from a Devil’s Bargain, not from both.")


def _pushes(state: Action) -> Iterator[tuple[str, str]]:
    """Yield who may push for what; to act despite harm only where it would keep someone from it."""
    for participant in state.participants if unrolled(state) else ():
        if participant.cohort:
            continue
        severe = participant.push_act or state.hinders(participant, 3)
        yield from ((participant.character, push) for push in PUSHES if push != "act" or severe)


def _assists(state: Action) -> Iterator[tuple[str, str]]:
    """Yield who may help whom: each roll has one helper, who does not roll in this action (forged.txt, Assist)."""
    if not unrolled(state):
        return
    busy = {participant.character for participant in state.participants} | {
        participant.helper for participant in state.participants
    }
    for person in state.people:
        if person.able and person.character not in busy:
            yield from (
                (person.character, participant.character)
                for participant in state.participants
                if not participant.helper and not participant.cohort
            )


def _helping(state: Action) -> Iterator[str]:
    if unrolled(state):
        yield from (participant.helper for participant in state.participants if participant.helper)


def _others(state: Action, who: Actor) -> bool:
    """Return whether the actor is a GM or another player (forged.txt, The Devil’s Bargain)."""
    plays = {person.character for person in state.people} & who.characters
    return who.is_gm or (bool(plays) and state.actor.character not in who.characters)


def _open_bargain(state: Action) -> tuple[str, ...]:
    available = unrolled(state) and bool(state.bargain) and not state.bargained
    return (state.actor.character,) if available else ()


def _refusable(state: Action) -> list[tuple[str, ...]]:
    """Return the targets for refusing a bargain: the character it was offered to, and () for the GM, who decides."""
    return [(state.actor.character,), ()] if unrolled(state) and state.bargain else []


def _may_refuse(state: Action, who: Actor, *taker: str) -> bool:
    return own(state, who, *taker) if taker else who.is_gm


def _has_gambit(state: Action) -> bool:
    has_gambits = state.crew is not None and bool(state.crew.gambits)
    return unrolled(state) and state.settings.gambits and (has_gambits or state.gambit)


def as_bargained(state: Action, *target: Any) -> tuple[Any, ...]:
    return (state.bargain, state.bargain_by, state.bargain_coin, state.bargain_item)


def _check_paid(state: Action, step: Act, coin: int, item: str) -> None:
    """Raises a RuleError for coin, or an item, that is not on the sheet."""
    seen = step.seen.sheets.get(state.actor.character) if step.seen else None
    if seen and sheet.SHEET.number(seen.values, "coin") < coin:
        raise refused("coin", _("{name} doesn’t have that much coin.").format(name=state.actor.name))
    if item and item not in state.actor.items:
        raise refused("item", _("That item is no longer on the sheet."))


def _push_as_it_is(state: Action, character: str, push: str) -> tuple[Any, ...]:
    """Return the terms of a push: whether it is on."""
    return tuple(
        getattr(participant, f"push_{push}") for participant in state.participants if participant.character == character
    )


class BonusDice(ProcedureRules[Action]):
    """Pushes, help, a Devil’s Bargain, a gambit."""

    @act(by=own, each=_pushes, terms=_push_as_it_is)
    def push(self, state: Action, step: Act, character: str, push: str) -> Action:
        """Turn a push on or off."""
        participant = state.participant(character) or state.participants[0]
        name = f"push_{push}"
        turned: dict[str, Any] = {name: not getattr(participant, name), "ready": False}
        if push == "die" and not participant.push_die and state.bargained and participant == state.participants[0]:
            raise refused("push", str(EITHER))
        after = replace(participant, **turned)
        if turned[name]:
            affords(state, character, after.stress)
        return tradable_still(with_participant(state, after))

    @act(by=own, each=_assists)
    def assist(self, state: Action, step: Act, helper: str, character: str) -> Action:
        affords(state, helper, ASSIST_COST)
        participant = state.participant(character) or state.participants[0]
        return with_participant(state, replace(participant, helper=helper))

    @act(by=own, each=_helping)
    def unassist(self, state: Action, step: Act, helper: str) -> Action:
        """Take help back, so that the one who counted on it looks again."""
        helped = next(participant for participant in state.participants if participant.helper == helper)
        return with_participant(state, replace(helped, helper="", ready=False))

    @act(
        by=_others,
        when=lambda state: state.stage is ActionStage.SET and not state.fallen and not state.bargain,
        asks=True,
    )
    def bargain(self, state: Action, step: Act) -> Action:
        words = str(step.values["words"]).strip()
        if not words:
            raise refused("words", _("Say what the bargain costs."))
        coin, item = whole("coin", step.values["coin"], 0, sheet.COIN), step.values["item"]
        _check_paid(state, step, coin, item)
        names = [person.name for person in state.people if person.character in step.by.characters]
        paid = {"bargain_coin": coin, "bargain_item": item, "bargain_thing": step.values["thing"]}
        return replace(state, bargain=words, bargain_by="" if step.by.is_gm else names[0], refused="", **paid)

    @act(by=own, each=_open_bargain, terms=as_bargained)
    def accept(self, state: Action, step: Act, taker: str) -> Action:
        if state.participants[0].push_die:
            raise refused("bargain", str(EITHER))
        _check_paid(state, step, state.bargain_coin, state.bargain_item)
        return with_participant(replace(state, bargained=True), replace(state.participants[0], ready=False))

    @act(by=_may_refuse, each=_refusable, terms=as_bargained)
    def refuse(self, state: Action, step: Act, *taker: str) -> Action:
        return nobody_ready(replace(state, **NO_BARGAIN, refused=state.bargain))

    @act(by=by_actor, when=_has_gambit, terms=lambda state: (state.gambit,))
    def gambit(self, state: Action, step: Act) -> Action:
        return with_participant(replace(state, gambit=not state.gambit), replace(state.participants[0], ready=False))


# A group action: who rolls together (forged.txt, Lead a group action).


def _joining(state: Action) -> Iterator[str]:
    if state.group and unrolled(state):
        busy = {participant.character for participant in state.participants} | {
            participant.helper for participant in state.participants
        }
        yield from (person.character for person in state.people if person.able and person.character not in busy)


def _cohorts(state: Action) -> Iterator[str]:
    """Yield the cohorts that are not in it yet, and can do anything."""
    if state.group and unrolled(state) and state.crew is not None:
        busy = {participant.character for participant in state.participants}
        yield from (cohort.key for cohort in state.crew.cohorts if cohort.able and cohort.key not in busy)


def _with(state: Action, joined: Participant) -> Action:
    return tradable_still(replace(state, participants=(*state.participants, joined)))


def _without(state: Action, character: str) -> Action:
    return replace(
        state,
        participants=tuple(participant for participant in state.participants if participant.character != character),
    )


def _in_it(*, cohorts: bool) -> Callable[[Action], list[str]]:
    def taking_part(state: Action) -> list[str]:
        others = state.participants[1:] if unrolled(state) else ()
        return [other.character for other in others if other.cohort is cohorts]

    return taking_part


class GroupAction(ProcedureRules[Action]):
    """The acts by which people join a group, and leave it."""

    @act(by=own, each=_joining)
    def join(self, state: Action, step: Act, character: str) -> Action:
        """Join with the rating of the sheet, which `reads` keeps up to date."""
        snapshot = step.seen.sheets.get(character) if step.seen else None
        rating = sheet.action(snapshot.values, state.action).rating if snapshot else 0
        return _with(state, Participant(character=character, rating=rating))

    @act(by=own, each=_in_it(cohorts=False))
    def leave(self, state: Action, step: Act, character: str) -> Action:
        return _without(state, character)

    @act(by=by_actor, each=_cohorts)
    def bring(self, state: Action, step: Act, key: str) -> Action:
        cohort = state.cohort(key)
        return _with(state, Participant(character=key, cohort=True, rating=cohort.quality if cohort else 0))

    @act(by=by_actor, each=_in_it(cohorts=True))
    def leave_out(self, state: Action, step: Act, key: str) -> Action:
        return _without(state, key)
