"""What a GM may ask for in Storyteller: traits, a difficulty, what the roll is, and whether a large pool may go without dice."""

from __future__ import annotations

from dataclasses import replace

from rolls.models import RollRequest
from rolls.rules.errors import whole
from rolls.services.refusal import by_the_rules
from rolls.services.requested import as_requested, check_seen
from rolls.table_rules import Looker, Requested
from rulesets.storyteller import sheet
from rulesets.storyteller.rules.roll import HIGHEST_DIFFICULTY, LOWEST_DIFFICULTY, Kind
from rulesets.storyteller.table.ask import OWN_KINDS, Ask, kind_of
from rulesets.storyteller.table.card import KIND_WORDS


def request(looker: Looker, ask: Ask) -> Requested:
    """ "Perception + Alertness, difficulty 7". Raises Invalid."""
    # No sheet yet: only whether there are such traits, what they are called and what they make of the roll.
    kind = kind_of(ask, {})
    with by_the_rules():
        difficulty = whole("difficulty", ask.difficulty, LOWEST_DIFFICULTY, HIGHEST_DIFFICULTY)
        traits = sheet.pool({}, ask.traits).label if ask.traits else ""
    # Traits that make it what it is say so themselves.
    said = kind is Kind.ACTION or (traits and kind in OWN_KINDS.values())
    named = "" if said else f", {KIND_WORDS[kind]}"
    return Requested(
        terms={"difficulty": difficulty, "kind": kind.value, "automatic": ask.automatic}
        | ({"pool": traits} if traits else {}),
        words=f"{traits or 'A roll'}, difficulty {difficulty}{named}",
    )


def bound(asked: RollRequest | None, ask: Ask) -> Ask:
    """The ask with the GM's terms. Whether to go without dice, where that is allowed, is the player's to say. Raises Stale."""
    if asked is None:
        return ask
    terms = {field: asked.terms[field] for field in ("difficulty", "kind")}
    ask = as_requested(ask, terms)
    if "pool" not in asked.terms:
        return ask
    with by_the_rules():
        typed = "" if ask.dice is None else str(ask.dice)
        seen = sheet.pool({}, ask.traits).label if ask.traits else typed
    check_seen("pool", seen, asked.terms["pool"])
    return replace(ask, traits=tuple(asked.terms["pool"].split(" + ")))
