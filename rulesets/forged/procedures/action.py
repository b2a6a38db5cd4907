"""The staged action at the table: one card that all see, from its goal to all that follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from campaigns.models import Role
from campaigns.numbers import signed
from rolls.odds.bar import Part, bar
from rolls.procedures import NextRoll, ProcedureContext, ProcedureKind
from rolls.rules.acts import AvailableAct
from rolls.rules.procedures import Button, RollPart, Values
from rulesets.forged import odds
from rulesets.forged.procedures import action_words as words
from rulesets.forged.procedures.action_forms import FORMS, prepare
from rulesets.forged.procedures.action_stage import staged
from rulesets.forged.rules import action_after, action_before, action_follows
from rulesets.forged.rules.action import Direction
from rulesets.forged.rules.action_state import GM, Action, Participant, Stage
from rulesets.forged.rules.harm import FATAL
from rulesets.forged.rules.inflicted import Inflicted
from rulesets.forged.rules.roll import Result
from rulesets.forged.rules.staged_action import StagedActionRules
from rulesets.forged.table.ask import Kind, Push, RollInput
from rulesets.forged.table.preview import LOWEST, RESULTS, WORDS
from rulesets.forged.table.settled import COHORT
from rulesets.forged.table.words import EFFECT_WORDS, FOLLOWS, HEADLINES

BEFORE: Final = (Stage.ASKED, Stage.SET)


def _resistance(one: Inflicted) -> NextRoll:
    terms: dict[str, Any] = {
        "kind": Kind.RESISTANCE.value,
        "attribute": one.attribute,
        "consequence": words.inflicted_words(one)[:120],
        "resisting": one.resisting.value,
    }
    return NextRoll(
        part=RollPart(action_follows.RESIST, one.key), ask=RollInput(character=UUID(one.whom), **terms), terms=terms
    )


def _by_quality(state: Action, participant: Participant) -> NextRoll:
    """A cohort rolls what it is worth, as nobody's own roll."""
    ask = RollInput(
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
    ask = RollInput(
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
    """The harm of those who roll, which the GM may spare: by its level, and what it is."""
    those = [state.person(one.character) for one in state.participants if not one.cohort]
    return [
        {
            "level": level,
            "words": words.HURT[level],
            "named": ", ".join(filter(None, (one.hurts[level - 1] for one in those))),
        }
        for level in words.HURT
        if any(one.harm[level - 1] for one in those)
    ]


class _Placed:
    """Buttons that stand beside what they are about; `left` are the others."""

    def __init__(self, buttons: Sequence[Button]) -> None:
        self.left = list(buttons)

    def take(self, names: tuple[str, ...], whom: str) -> list[Button]:
        found = [one for one in self.left if one.name in names and whom in one.target]
        self.left = [one for one in self.left if one not in found]
        return found


def _judged(state: Action) -> bool:
    return all(one.result for one in state.participants)


def _terms(state: Action) -> dict[str, Any] | None:
    if state.stage is Stage.ASKED:
        return None
    return {
        "words": words.terms_words(state),
        "made_of": list(words.made_of(state)),
        "why": state.why,
        "clock": state.clock_name,
        "clock_gone": state.clock_gone,
        "desperate": state.in_position == "desperate",
    }


def _participant(state: Action, one: Participant, placed: _Placed) -> dict[str, Any]:
    pool = state.pool(one)
    return {
        "name": state.called(one.character),
        "dice": pool.dice,
        "pool": words.pool_words(state, one),
        "odds": _odds(odds.results(pool.dice), pool.rolled, LOWEST if pool.lowest else "") if not one.result else None,
        "effect": EFFECT_WORDS[state.built(one).level.effect] if state.group and one.push_effect else "",
        "stress": one.stress,
        "ready": one.ready,
        "about": state.called(one.character) if state.group else "",
        "result": HEADLINES[one.came] if one.result else "",
        "severe": _hurt(state, one, 3),
        "less": _hurt(state, one, 1),
        "buttons": placed.take(("push", "assist", "roll", "leave_out"), one.character) if not one.result else [],
    }


def _hurt(state: Action, one: Participant, level: int) -> str:
    """What hinders somebody at this level; a cohort is weakened instead."""
    if not state.hinders(one, level):
        return ""
    return words.hurt_words(state, one.character, level) if not one.cohort else f"weakened {signed(-1)} effect"


def _odds(chances: Mapping[Result, Any], dice: int, *lines: str) -> dict[str, Any]:
    parts = [Part(RESULTS[result], WORDS[result], chance) for result, chance in chances.items()]
    return bar(parts, dice=dice, lines=lines)


def _group_odds(state: Action) -> dict[str, Any] | None:
    """Of the best single result, and the stress that the leader has to expect."""
    if not state.group or state.stage not in BEFORE or state.fallen:
        return None
    pools = [state.pool(one) for one in state.participants]
    own, cohorts = (
        [state.pool(one).dice for one in state.participants if one.cohort is is_one] for is_one in (False, True)
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


def _inflicted(state: Action, one: Inflicted, placed: _Placed) -> dict[str, Any]:
    return {
        "words": words.inflicted_words(one),
        "whom": words.name_of(state, one.whom),
        "instead_of": words.name_of(state, one.first),
        "resists": words.resists_by(one),
        "resisted": one.resisted,
        "full": not one.became and state.person(one.whom).full,
        "fatal": not one.became and action_follows.row_of(state, one) == FATAL,
        "clock_gone": one.clock_name if one.clock_gone and not one.became else "",
        "armor": ", ".join(words.BOXES[box] for box in one.marked),
        "became": words.became_words(state, one),
        "key": one.key,
        "buttons": placed.take(("take", action_follows.TAKE_FATAL, "resist", "armor", "protect"), one.key),
    }


class StagedAction(StagedActionRules, ProcedureKind[Action]):
    label = "Action"
    opened_by = Role.PLAYER
    forms = FORMS
    sees_clocks = True

    def prepare(self, context: ProcedureContext, name: str, given: Values) -> Values:
        return prepare(context, name, given)

    def next_roll(self, state: Action) -> NextRoll | None:
        """The roll of whoever is next, or the resistance that somebody has decided on."""
        if one := state.inflicted_as(state.resisting):
            return _resistance(one)
        participant = action_after.to_roll(state)
        return _roll(state, participant) if participant else None

    def describe(self, state: Action, buttons: Sequence[Button]) -> Values:
        """`participants`, `consequences`, each with its own buttons; `own` are those of the GM alone, `buttons` what is left."""
        placed = _Placed(buttons)
        card = {
            "is_set": state.stage is not Stage.ASKED,
            "before": state.stage in BEFORE and not state.fallen,
            "terms": _terms(state),
            "participants": [_participant(state, one, placed) for one in state.participants],
            "group_odds": _group_odds(state),
            "trade": _trade(state),
            "bargain": _bargain(state),
            "tokens": [words.token_words(one) for one in (state.waiting if state.stage in BEFORE else state.tokens)],
            "result": words.result_words(state) if _judged(state) else "",
            "ticks": state.ticks if _judged(state) else 0,
            "answers": placed.take(("accept", "refuse"), state.actor.character),
            "consequences": [_inflicted(state, one, placed) for one in state.inflicted],
            "menu": [(code, FOLLOWS[code]) for code in action_follows.choices(state)] if _judged(state) else [],
            "hit": [(one.character, one.name) for one in action_follows.hit(state)],
            "teammates": [(one.character, one.name) for one in state.people if not one.out and one is not state.actor],
            "suggested": action_before.opening(state),
            "hurts": _hurts(state),
            "own": [one for one in placed.left if words.is_gms(state, one)],
            "buttons": [one for one in placed.left if not words.is_gms(state, one)],
        }
        return card | {"staged": staged(state, card)}

    def button_words(self, state: Action, available: AvailableAct) -> str:
        return words.button(state, available)

    def primary(self, state: Action, available: AvailableAct) -> bool:
        """What brings it on: the GM's word, then the dice."""
        return available.name in ("usual", "roll")

    def said(self, state: Action, name: str, whom: str) -> str:
        return words.said(state, name, whom)
