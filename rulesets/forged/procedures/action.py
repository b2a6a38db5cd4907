"""The staged action at the table: one card for everyone, from its goal to its consequences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from campaigns.models import Role
from languages.text import gettext_lazy, pgettext_lazy
from rolls.procedures import NextRoll, ProcedureContext, ProcedureKind
from rules.acts import AvailableAct
from rules.procedures import OPEN, Button, RollPart, Values
from rulesets.forged.procedures import action_words as words
from rulesets.forged.procedures.action_forms import FORMS, prepare
from rulesets.forged.procedures.action_stage import Drawing, is_judged
from rulesets.forged.procedures.action_words import carried_words
from rulesets.forged.rules import action_before, action_follows
from rulesets.forged.rules.action_follows import Carried, CarriedRules
from rulesets.forged.rules.action_state import Action, Participant
from rulesets.forged.rules.consequence import Inflicted
from rulesets.forged.rules.staged_action import StagedActionRules
from rulesets.forged.table.action import COHORT
from rulesets.forged.table.ask import ForgedInput, Kind, Push
from rulesets.forged.table.words import FOLLOWS, RESISTED, inflicted_words


def _resistance(consequence: Inflicted) -> NextRoll:
    terms: dict[str, Any] = {
        "kind": Kind.RESISTANCE.value,
        "attribute": consequence.attribute,
        "resisting": consequence.resisting.value,
    }
    dice: dict[str, Any] = {
        "push": Push.DIE.value if consequence.push else "",
        "more": consequence.more,
        "more_from": consequence.why,
    }
    resisted = {name: getattr(consequence, name) for name in RESISTED}
    return NextRoll(
        part=RollPart(action_follows.RESIST, consequence.key),
        ask=ForgedInput(character=UUID(consequence.whom), **terms, **dice, keeps=resisted),
        terms=terms | {"resisted": resisted},
    )


def _by_quality(state: Action, participant: Participant) -> NextRoll:
    """Return the roll of a cohort with its quality, which is no one's own roll."""
    ask = ForgedInput(
        kind=Kind.FORTUNE.value,
        trait=participant.rating,
        disadvantages=int(state.hinders(participant, 2)),
        settles=COHORT,
        keeps={"name": state.called(participant.character)},
    )
    return NextRoll(part=action_follows.part_of(participant), ask=ask)


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
        more=state.more if own else 0,
        more_from=state.why if own and state.more else "",
        group=state.group,
    )
    return NextRoll(part=action_follows.part_of(participant), ask=ask, terms=terms)


def _hurts(state: Action) -> Iterator[dict[str, Any]]:
    """Yield the harm of those who roll, which the GM may spare: its level, and its words."""
    rolling = [state.person(participant.character) for participant in state.participants if not participant.cohort]
    for level, hurt in words.HURT.items():
        if any(person.harm[level - 1] for person in rolling):
            named = ", ".join(filter(None, (person.hurts[level - 1] for person in rolling)))
            yield {"level": level, "words": str(hurt), "named": named}


def _menus(state: Action) -> dict[str, list[tuple[str, str]]]:
    """Return the consequences to choose from, with their words: those that are usual here, and all others."""
    every = [(code, str(FOLLOWS[code])) for code in action_follows.choices(state)]
    usual = len(state.menu) or len(every)
    return {"menu": every[:usual], "others": every[usual:]}


class StagedAction(StagedActionRules, ProcedureKind[Action]):
    label = pgettext_lazy("forged roll", "Action")
    opened_by = Role.PLAYER
    forms = FORMS
    sees_clocks = True

    def prepare(self, context: ProcedureContext, name: str, given: Values) -> Values:
        return prepare(context, name, given)

    def next_roll(self, state: Action) -> NextRoll | None:
        """Return the next participant's roll, or the resistance that a player has decided on."""
        if consequence := state.inflicted_as(state.resisting):
            return _resistance(consequence)
        participant = action_follows.to_roll(state)
        return _roll(state, participant) if participant else None

    def describe(self, state: Action, buttons: Sequence[Button]) -> Values:
        """Return the `staged` card, and the context of its forms: the usual `menu` and the `others`, who was `hit` by
        consequences, the `suggested` position, and
        what `hurts` those who roll.
        """
        return {
            "staged": Drawing(state, buttons).staged(),
            "consequences": [
                {
                    "key": consequence.key,
                    "words": inflicted_words(consequence),
                    "whom": state.called(consequence.whom),
                    "clock": consequence.clock_name,
                    "push": consequence.push,
                    "more": consequence.more,
                    "why": consequence.why,
                }
                for consequence in state.open
            ],
            **(_menus(state) if is_judged(state) else {"menu": [], "others": []}),
            "hit": [(person.character, person.name) for person in action_follows.hit(state)],
            "suggested": action_before.opening(state),
            "hurts": list(_hurts(state)),
        }

    def button_words(self, state: Action, available: AvailableAct) -> str:
        return words.button(state, available)

    def primary(self, state: Action, available: AvailableAct) -> bool:
        """Return whether a button moves the action on: the GM's answer first, then the dice."""
        return available.name in ("usual", "roll")

    def said(self, state: Action, name: str, whom: str) -> str:
        return words.said(state, name, whom)


class CarriedProcedure(CarriedRules, ProcedureKind[Carried]):
    label = gettext_lazy("Carried over")
    token = True

    def describe(self, state: Carried, buttons: Sequence[Button]) -> Values:
        return {
            "name": (name := state.name or _("Whoever follows")),
            "words": carried_words(state),
            "chip": _("{name}: {words}").format(name=name, words=carried_words(state)),
            "buttons": buttons,
        }

    def button_words(self, state: Carried, available: AvailableAct) -> str:
        return _("Remove")

    def said(self, state: Carried, name: str, whom: str) -> str:
        if name != OPEN:
            return ""
        words = _("For {name}’s next action: {words}.") if state.name else _("For whoever follows: {words}.")
        return words.format(name=state.name, words=carried_words(state))
