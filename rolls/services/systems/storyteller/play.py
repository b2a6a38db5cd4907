"""Storyteller rolls at the table: traits of a sheet or a typed pool against a difficulty, feeding the Scale."""

from __future__ import annotations

from campaigns.errors import Forbidden, Invalid
from campaigns.models import Campaign
from campaigns.services.log import Table
from characters.models import Character
from characters.services import return_willpower, spend_willpower
from rolls.models import Audience, Roll
from rolls.rules import storyteller as rules
from rolls.rules.dice import Faces
from rolls.rules.scale_read import read as read_scale
from rolls.rules.storyteller import Kind
from rolls.rules.storyteller_pool import typed_pool
from rolls.services.refusal import by_the_rules
from rolls.services.scale import WITHOUT_DICE, momentum_of, scale_of, wait_for_narration, why_unfed
from rolls.services.systems.base import Feeds, Plan, Reading, Roller, RollSystem, Terms
from rolls.services.systems.storyteller.ask import NAME, Ask, kind_of, pool_of, rated_values
from rolls.services.systems.storyteller.card import card, stored_outcome
from rolls.services.systems.storyteller.odds import preview
from rolls.services.systems.storyteller.request import bound, request
from rolls.settings import RollSettings


def plan(roller: Roller, ask: Ask) -> Plan:
    """Raises Invalid for what the rules do not allow, Stale when the GM has changed the request meanwhile, Forbidden for an
    automatic success that nobody allowed, Waiting while a Major Burn is to be narrated."""
    character = roller.character
    ask = bound(roller.request, ask)
    kind = kind_of(ask, rated_values(character))
    feeds = _feeds(roller.table.campaign, character, kind, roller.audience, roller.settings, automatic=ask.automatic)
    if feeds.scale is not None:
        wait_for_narration(feeds.scale)
    burn_dice = momentum_of(character).die_modifier if feeds.scale is not None and character is not None else 0
    pool, words = pool_of(character, ask, burn_dice)
    with by_the_rules():
        asked = rules.Ask(pool=pool, difficulty=ask.difficulty, kind=kind, willpower=ask.willpower)
    if ask.automatic:
        _check_let_through(roller)
    if ask.willpower and character is None:
        raise Invalid("Only a character has Willpower to spend.", field="willpower")
    count = 0 if ask.automatic else pool.dice
    return Plan(kind=kind.value, terms=_terms(asked, words, ask), count=count, feeds=feeds)


def read(terms: Terms, faces: Faces, settings: RollSettings, feeds: Feeds) -> Reading:
    """How the pool came to be no longer matters, only how many dice it had; without dice, how many dots, since modifiers do not
    count there."""
    automatic = terms["automatic"]
    ask = rules.Ask(
        pool=typed_pool(terms["dots" if automatic else "dice"], ability=terms["ability"]),
        difficulty=terms["difficulty"],
        kind=Kind(terms["kind"]),
        willpower=terms["willpower"],
    )
    outcome = rules.succeed_automatically(ask) if automatic else rules.resolve(ask, faces, settings.storyteller)
    gives = read_scale(outcome, settings.scale) if feeds.scale else None
    return Reading(faces=outcome.faces, outcome=stored_outcome(outcome, gives, feeds.why_not), gives=gives)


def _check_let_through(roller: Roller) -> None:
    """storyteller.txt, Automatic Successes: the GM may wave a roll through."""
    allowed = roller.settings.automatic_success or (roller.request and roller.request.terms["automatic"])
    if not (roller.table.by.is_gm or allowed):
        raise Forbidden("Only the GM lets a roll through without dice.")


def _terms(asked: rules.Ask, words: str, ask: Ask) -> Terms:
    pool = asked.pool
    return {
        "words": words,
        "dots": pool.dots,
        "modifier": pool.modifier,
        "burn_dice": pool.burn_dice,
        "ability": pool.ability,
        "dice": pool.dice,
        "difficulty": asked.difficulty,
        "kind": asked.kind.value,
        "willpower": asked.willpower,
        "automatic": ask.automatic,
    }


def _feeds(
    campaign: Campaign,
    character: Character | None,
    kind: Kind,
    audience: Audience,
    settings: RollSettings,
    *,
    automatic: bool,
) -> Feeds:
    why_not = WITHOUT_DICE if automatic else why_unfed(character, kind, audience, settings)
    if why_not or character is None:
        return Feeds(why_not=why_not)
    return Feeds(scale=scale_of(campaign, character, settings))


def _feeds_corrected(roll: Roll, settings: RollSettings) -> Feeds:
    audience, automatic = Audience(roll.audience), roll.ask["automatic"]
    return _feeds(roll.campaign, roll.character, Kind(roll.kind), audience, settings, automatic=automatic)


def _pay(table: Table, roll: Roll) -> None:
    if roll.ask["willpower"] and roll.character:
        spend_willpower(table, roll.character, why="a roll")


def _repay(table: Table, roll: Roll) -> None:
    if roll.ask["willpower"] and roll.character:
        return_willpower(table, roll.character, why="a roll was taken back")


SYSTEM = RollSystem(
    name=NAME,
    plan=plan,
    read=read,
    card=card,
    preview=preview,
    request=request,
    pay=_pay,
    repay=_repay,
    feeds=_feeds_corrected,
    correctable=("difficulty", "kind", "ability"),
)
