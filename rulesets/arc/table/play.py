"""Checks at the table: against a threshold (ARCT), against another's check (ARCO), and reaction (arc.txt, V.5, V.7, V.8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from campaigns.kinds import Payload
from rolls.models import Audience, Roll
from rolls.rules.dice import D10, Faces, draw
from rolls.rules.errors import word
from rolls.services.rule_errors import by_the_rules
from rolls.settings import RollSettings
from rolls.table_rules import (
    Again,
    Change,
    Odds,
    OddsContext,
    Outcome,
    PreparedRoll,
    Requested,
    RollContext,
    TableRules,
    Terms,
)
from rulesets.arc.rules import check as rules
from rulesets.arc.rules.turn import Reaction
from rulesets.arc.settings import Settings
from rulesets.arc.table import answer as answer_module
from rulesets.arc.table import card as card_module
from rulesets.arc.table import preview as preview_module
from rulesets.arc.table import request as request_module
from rulesets.arc.table import words as words_module
from rulesets.arc.table.answer import countered, other_side, side_of
from rulesets.arc.table.ask import Kind, RollInput, scores_of, som_of, threshold_of
from rulesets.arc.table.bars import may_act
from rulesets.arc.table.card import (
    Card,
    TakenBack,
    acting_outcome,
    counter_outcome,
    open_outcome,
    reaction_outcome,
    threshold_outcome,
)
from rulesets.arc.table.request import RequestTerms, bound, chips_of, must_be_asked

SCORES = ("ks", "us", "es", "other")


def _som_is_secret(context: RollContext) -> bool:
    """Whether players may not know the SOM: that of an NPC whose sheet they do not read, and what is typed of the nameless."""
    character = context.character
    if character is not None:
        return character.is_npc and not character.opened
    by_a_procedure = context.request is not None and context.request.procedure_id is not None
    return by_a_procedure or context.work.by.is_gm


def _plan(context: RollContext, kind: Kind, terms: Terms) -> PreparedRoll:
    die = rules.core_row(terms["es"], context.settings.of(Settings)).die
    return PreparedRoll(kind=kind.value, terms=terms | {"kind": kind.value}, count=1, die=die)


def _side(context: RollContext, kind: Kind, terms: Terms) -> PreparedRoll:
    """One side of a check that the table settles: they roll in any order, and the second is read against the first."""
    versus = context.requested["versus"]
    terms |= {"versus": versus["name"], "acts": versus["acts"]}
    first = other_side(context.request)
    return _plan(context, kind, terms) if first is None else _after(context, first, terms)


def _counter(context: RollContext, ask: RollInput, terms: Terms) -> PreparedRoll:
    """It is seen by those who see the check that it answers, and by nobody else."""
    return _after(context, countered(context.work.by, ask.against), terms)


def _after(context: RollContext, first: Roll, terms: Terms) -> PreparedRoll:
    acting = {name: first.ask[name] for name in SCORES} | {"face": first.faces[0]}
    planned = _plan(context, Kind.COUNTER, terms | {"against": side_of(first), "acting": acting})
    return replace(planned, audience=Audience(first.audience), amends=first.event)


def _against_first(terms: Terms, check: rules.Check, settings: Settings) -> dict[str, Any]:
    """The second roll of two. `acting` is the first; but where the second is that of the side that `acts`, it counters."""
    first = _resolved(terms["acting"], iter([terms["acting"]["face"]]), settings)
    if terms.get("acts"):
        return acting_outcome(rules.versus(check, first))
    return counter_outcome(rules.versus(first, check))


def _resolved(terms: Terms, faces: Faces, settings: Settings) -> rules.Check:
    return rules.resolve(rules.Ask(**{name: terms[name] for name in SCORES}), faces, settings)


class ArcTable(TableRules):
    schema = Card
    request_schema = RequestTerms
    back_schema = TakenBack
    correctable = ("threshold",)

    def prepare(self, context: RollContext, ask: RollInput) -> PreparedRoll:
        """Raises Invalid for what the rules do not allow, for scores that the roller cannot know and for a player's check that
        no GM has asked for; and what `bound` and `countered` raise."""
        ask = bound(context, ask)
        with by_the_rules():
            kind = word("kind", ask.kind, Kind)
        may_act(context, kind)
        if kind is Kind.REACTION:
            terms = {"kind": kind.value, "som": som_of(context.character, ask), "secret": _som_is_secret(context)}
            return PreparedRoll(kind=kind.value, terms=terms, count=1, die=D10)
        must_be_asked(context)
        scores = scores_of(context.character, ask, for_gm=context.work.by.is_gm)
        terms = (
            {"traits": scores.traits} | {name: getattr(scores.asked, name) for name in SCORES} | chips_of(context, ask)
        )
        if kind is Kind.CHECK:
            return _plan(context, kind, terms | {"threshold": threshold_of(ask, context.settings.of(Settings))})
        if "versus" in context.requested:
            return _side(context, kind, terms)
        if kind is Kind.OPPOSED and ask.against is None:
            return _plan(context, kind, terms)
        return _counter(context, ask, terms)

    def read(self, terms: Terms, faces: Faces, settings: RollSettings) -> Outcome:
        """Return what the die makes of it."""
        kind = Kind(terms["kind"])
        if kind is Kind.REACTION:
            reaction = Reaction(terms["som"], *draw(1, D10, faces))
            return Outcome(faces=(reaction.face,), outcome=reaction_outcome(reaction))
        check = _resolved(terms, faces, settings.of(Settings))
        if kind is Kind.CHECK:
            outcome = threshold_outcome(rules.versus_threshold(check, terms["threshold"]), settings.of(Settings))
        elif kind is Kind.OPPOSED:
            outcome = open_outcome(check)
        else:
            outcome = _against_first(terms, check, settings.of(Settings))
        return Outcome(faces=(check.adjustment.face,), outcome=outcome)

    def held(self, roll: Roll, change: Change) -> None:
        answer_module.held(roll, change)

    def card(self, roll: Roll) -> dict[str, Any]:
        return card_module.card(roll)

    def card_for_gm(self, roll: Roll) -> dict[str, Any]:
        return card_module.card_for_gm(roll)

    def describe(self, payload: Payload) -> Payload:
        return words_module.describe(payload)

    def taken_back(self, roll: Roll) -> dict[str, Any]:
        return answer_module.taken_back(roll)

    def again(self, roll: Roll) -> Again | None:
        return words_module.again(roll)

    def preview(self, context: OddsContext, ask: RollInput) -> Odds | None:
        return preview_module.preview(context, ask)

    def request(self, context: OddsContext, ask: RollInput) -> Requested:
        return request_module.request(context, ask)

    def announces(self, ask: RollInput) -> tuple[str, Mapping[str, Any]] | None:
        return request_module.announces(ask)

    def whole(self, terms: Terms) -> bool:
        return request_module.whole(terms)

    def request_words(self, terms: Terms) -> str:
        return words_module.request_words(terms)

    def request_fields(self, terms: Terms) -> Terms:
        return words_module.request_fields(terms)
