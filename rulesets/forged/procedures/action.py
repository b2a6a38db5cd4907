"""The staged action at the table: one card that all see, from its goal to all that follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from campaigns.models import Role
from campaigns.text import signed
from rolls.odds.shown import Part, bar
from rolls.procedures import NextRoll, ProcedureContext, ProcedureKind
from rolls.rules.acts import AvailableAct
from rolls.rules.procedures import OPEN, Button, RollPart, Values
from rulesets.forged import odds
from rulesets.forged.procedures import action_words as words
from rulesets.forged.procedures.action_forms import FORMS, prepare
from rulesets.forged.procedures.action_stage import staged
from rulesets.forged.procedures.action_words import token_words
from rulesets.forged.rules import action_after, action_before, action_follows
from rulesets.forged.rules.action import Direction
from rulesets.forged.rules.action_after import Carried, CarriedRules
from rulesets.forged.rules.action_state import GM, Action, ActionStage, Participant, Token
from rulesets.forged.rules.consequence import FATAL, Inflicted
from rulesets.forged.rules.roll import Result
from rulesets.forged.rules.staged_action import StagedActionRules
from rulesets.forged.table.ask import ForgedInput, Kind, Push
from rulesets.forged.table.fortune import COHORT
from rulesets.forged.table.words import EFFECT_WORDS, FOLLOWS, HEADLINES, LOWEST, RESULT_FACES, RESULT_LOOKS

BEFORE: Final = (ActionStage.ASKED, ActionStage.SET)


def _resistance(consequence: Inflicted) -> NextRoll:
    terms: dict[str, Any] = {
        "kind": Kind.RESISTANCE.value,
        "attribute": consequence.attribute,
        "consequence": words.inflicted_words(consequence)[:120],
        "resisting": consequence.resisting.value,
    }
    return NextRoll(
        part=RollPart(action_follows.RESIST, consequence.key),
        ask=ForgedInput(character=UUID(consequence.whom), **terms),
        terms=terms,
    )


def _by_quality(state: Action, participant: Participant) -> NextRoll:
    """Return the roll of a cohort, which rolls what it is worth, as nobody's own roll."""
    ask = ForgedInput(
        kind=Kind.FORTUNE.value,
        trait=participant.rating,
        disadvantages=int(state.hinders(participant, 2)),
        settles=COHORT,
        keeps={"name": state.called(participant.character)},
    )
    return NextRoll(part=action_after.part_of(participant), ask=ask)


def _roll(state: Action, participant: Participant) -> NextRoll:
    if participant.cohort:
        return _by_quality(state, participant)
    own, given = participant == state.participants[0], state.influences(participant)
    push = {(True, True): Push.BOTH, (True, False): Push.DIE, (False, True): Push.EFFECT}
    terms: dict[str, Any] = {
        "kind": Kind.ACTION.value,
        "action": state.action,
        "position": state.before_trade.value,
        "effect": state.with_factors.value,
    }
    ask = ForgedInput(
        character=UUID(participant.character),
        **terms,
        helper=UUID(participant.helper) if participant.helper else None,
        push=push.get((participant.push_die, participant.push_effect), Push.NOTHING).value,
        incapacitated=participant.push_act,
        bargain=state.bargain if own else "",
        gambit=own and state.gambit,
        trade=state.trade if state.traded else "",
        setup=given.setup,
        ability=given.ability,
        harm1=given.level1_harm,
        unhurt=2 in state.spared,
    )
    return NextRoll(part=action_after.part_of(participant), ask=ask, terms=terms)


# What the card draws


def _hurts(state: Action) -> list[dict[str, Any]]:
    """Return the harm of those who roll, which the GM may spare: by its level, and what it is."""
    rolling = [state.person(participant.character) for participant in state.participants if not participant.cohort]
    return [
        {
            "level": level,
            "words": words.HURT[level],
            "named": ", ".join(filter(None, (person.hurts[level - 1] for person in rolling))),
        }
        for level in words.HURT
        if any(person.harm[level - 1] for person in rolling)
    ]


class _Placed:
    """Buttons that stand beside what they are about; `left` are the others."""

    def __init__(self, buttons: Sequence[Button]) -> None:
        self.left = list(buttons)

    def take(self, names: tuple[str, ...], whom: str) -> list[Button]:
        taken = [button for button in self.left if button.name in names and whom in button.target]
        self.left = [button for button in self.left if button not in taken]
        return taken


def _judged(state: Action) -> bool:
    return all(participant.result for participant in state.participants)


def _terms(state: Action) -> dict[str, Any] | None:
    if state.stage is ActionStage.ASKED:
        return None
    return {
        "words": words.terms_words(state),
        "made_of": list(words.made_of(state)),
        "why": state.why,
        "clock": state.clock_name,
        "clock_gone": state.clock_gone,
        "desperate": state.in_position == "desperate",
    }


def _participant(state: Action, participant: Participant, placed: _Placed) -> dict[str, Any]:
    pool = state.pool(participant)
    return {
        "name": state.called(participant.character),
        "dice": pool.dice,
        "pool": words.pool_words(state, participant),
        "odds": _odds(odds.results(pool.dice), pool.rolled, LOWEST if pool.lowest else "")
        if not participant.result
        else None,
        "effect": EFFECT_WORDS[state.built(participant).level.effect]
        if state.group and participant.push_effect
        else "",
        "stress": participant.stress,
        "ready": participant.ready,
        "about": state.called(participant.character) if state.group else "",
        "result": HEADLINES[participant.came] if participant.result else "",
        "severe": _hurt(state, participant, 3),
        "less": _hurt(state, participant, 1),
        "buttons": placed.take(("push", "assist", "roll", "leave_out"), participant.character)
        if not participant.result
        else [],
    }


def _hurt(state: Action, participant: Participant, level: int) -> str:
    """Return what hinders somebody at this level; a cohort is weakened instead."""
    if not state.hinders(participant, level):
        return ""
    return (
        words.hurt_words(state, participant.character, level)
        if not participant.cohort
        else f"weakened {signed(-1)} effect"
    )


def _odds(chances: Mapping[Result, Any], dice: int, *lines: str) -> dict[str, Any]:
    parts = [Part(RESULT_LOOKS[result], RESULT_FACES[result], chance) for result, chance in chances.items()]
    return bar(parts, dice=dice, lines=lines)


def _group_odds(state: Action) -> dict[str, Any] | None:
    """Return the odds of the best single result, and the stress that the leader has to expect."""
    if not state.group or state.stage not in BEFORE or state.fallen:
        return None
    pools = [state.pool(participant) for participant in state.participants]
    own, cohorts = (
        [state.pool(participant).dice for participant in state.participants if participant.cohort is is_one]
        for is_one in (False, True)
    )
    group = odds.group(own, cohorts)
    stress = float(sum(stress * chance for stress, chance in group.stress.items()))
    return _odds(
        group.results, sum(pool.rolled for pool in pools), f"{state.actor.name} may expect {stress:.1f} stress"
    )


def _trade(state: Action) -> dict[str, Any] | None:
    if not state.trade:
        return None
    by = "the GM" if state.trade_by == GM else state.actor.name
    return {"words": words.TRADES[Direction(state.trade)], "by": by, "agreed": state.traded}


def _bargain(state: Action) -> dict[str, Any] | None:
    if not state.bargain:
        return None
    pushed = state.participants[0].push_die and not state.bargained
    return {"words": state.bargain, "by": state.bargain_by or "the GM", "taken": state.bargained, "pushed": pushed}


def _inflicted(state: Action, consequence: Inflicted, placed: _Placed) -> dict[str, Any]:
    return {
        "words": words.inflicted_words(consequence),
        "whom": words.name_of(state, consequence.whom),
        "instead_of": words.name_of(state, consequence.first),
        "resists": words.resists_by(consequence),
        "resisted": consequence.resisted,
        "full": not consequence.became and state.person(consequence.whom).full,
        "fatal": not consequence.became and action_follows.row_of(state, consequence) == FATAL,
        "clock_gone": consequence.clock_name if consequence.clock_gone and not consequence.became else "",
        "armor": ", ".join(words.BOXES[box] for box in consequence.marked),
        "became": words.became_words(state, consequence),
        "key": consequence.key,
        "buttons": placed.take(("take", action_follows.TAKE_FATAL, "resist", "armor", "protect"), consequence.key),
    }


class StagedAction(StagedActionRules, ProcedureKind[Action]):
    label = "Action"
    opened_by = Role.PLAYER
    forms = FORMS
    sees_clocks = True

    def prepare(self, context: ProcedureContext, name: str, given: Values) -> Values:
        return prepare(context, name, given)

    def next_roll(self, state: Action) -> NextRoll | None:
        """Return the roll of whoever is next, or the resistance that somebody has decided on."""
        if consequence := state.inflicted_as(state.resisting):
            return _resistance(consequence)
        participant = action_after.to_roll(state)
        return _roll(state, participant) if participant else None

    def describe(self, state: Action, buttons: Sequence[Button]) -> Values:
        """Return `participants` and `consequences`, each with its own buttons, `own` buttons of the GM alone, and in `buttons`
        what is left."""
        placed = _Placed(buttons)
        card = {
            "is_set": state.stage is not ActionStage.ASKED,
            "before": state.stage in BEFORE and not state.fallen,
            "terms": _terms(state),
            "participants": [_participant(state, participant, placed) for participant in state.participants],
            "group_odds": _group_odds(state),
            "trade": _trade(state),
            "bargain": _bargain(state),
            "tokens": [
                words.token_words(token) for token in (state.waiting if state.stage in BEFORE else state.tokens)
            ],
            "result": words.result_words(state) if _judged(state) else "",
            "ticks": state.ticks if _judged(state) else 0,
            "answers": placed.take(("accept", "refuse"), state.actor.character),
            "consequences": [_inflicted(state, consequence, placed) for consequence in state.inflicted],
            "menu": [(code, FOLLOWS[code]) for code in action_follows.choices(state)] if _judged(state) else [],
            "hit": [(consequence.character, consequence.name) for consequence in action_follows.hit(state)],
            "teammates": [
                (person.character, person.name)
                for person in state.people
                if not person.out and person is not state.actor
            ],
            "suggested": action_before.opening(state),
            "hurts": _hurts(state),
            "own": [button for button in placed.left if words.is_gms(state, button)],
            "buttons": [button for button in placed.left if not words.is_gms(state, button)],
        }
        return card | {"staged": staged(state, card)}

    def button_words(self, state: Action, available: AvailableAct) -> str:
        return words.button(state, available)

    def primary(self, state: Action, available: AvailableAct) -> bool:
        """Return whether a button brings the action on: the GM's word first, then the dice."""
        return available.name in ("usual", "roll")

    def said(self, state: Action, name: str, whom: str) -> str:
        return words.said(state, name, whom)


def _words(state: Carried) -> str:
    return token_words(Token(id="", gives=state.gives, to=state.to, by=state.by))


class CarriedProcedure(CarriedRules, ProcedureKind[Carried]):
    label = "Carried over"
    token = True

    def describe(self, state: Carried, buttons: Sequence[Button]) -> Values:
        return {
            "name": state.name,
            "words": _words(state),
            "chip": f"{state.name}: {_words(state)}",
            "buttons": buttons,
        }

    def button_words(self, state: Carried, available: AvailableAct) -> str:
        return "It is past"

    def said(self, state: Carried, name: str, whom: str) -> str:
        return f"leaves for the next action of {state.name}: {_words(state)}" if name == OPEN else ""
