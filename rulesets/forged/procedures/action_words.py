"""The words of a staged action on its card, its buttons and in the log."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from campaigns.text import signed
from rolls.rules.acts import AvailableAct
from rolls.rules.procedures import OPEN, Button
from rulesets.forged.rules.action import PUSH_COST, Direction, Effect, Position, verdict
from rulesets.forged.rules.action_before import opening
from rulesets.forged.rules.action_follows import AVOIDED, MOVE_TICKS, TAKE_FATAL
from rulesets.forged.rules.action_state import OPENED, PLAYER, WORSE, Action, ActionStage, Benefit, Participant, Token
from rulesets.forged.rules.body import Attribute
from rulesets.forged.rules.consequence import FATAL, Inflicted, Kind, Resisting
from rulesets.forged.table.words import ATTRIBUTE_WORDS, EFFECT_WORDS, FOLLOWS, HEADLINES, POSITION_WORDS

TRADES: Final = {
    Direction.EFFECT: "a worse position for +1 effect",
    Direction.POSITION: "a better position for −1 effect",
}
PUSHES: Final = {"die": "+1 die", "effect": "+1 effect", "act": "acting in spite of it"}
BOXES: Final = {"armor": "armour", "heavy_armor": "heavy armour", "special_armor": "special armour"}
BUTTONS: Final = {
    "set": "Set position and effect",
    "agree": "Agree to the trade",
    "decline": "No trade",
    "bargain": "Offer a Devil’s Bargain",
    "accept": "Take the bargain",
    "refuse": "No bargain",
    "roll": "Roll",
    "withdraw": "Take it back",
    "press_on": "Go through with it",
    "fall_back": "Withdraw",
    "set_up": "Say what it gives",
    "nobody_follows": "Nobody follows",
    "inflict": "A consequence",
    "finish": "That is all",
    "take": "Take it",
    TAKE_FATAL: "Take it: fatal",
}
HURT: Final = {1: "lesser harm", 2: "moderate harm", 3: "severe harm"}
GM_ACTS: Final = frozenset({"usual", "set", "propose", "bargain", "inflict", "finish", "grant", MOVE_TICKS})
"""What is a GM's own to do; the rest they do for others."""


def is_gms(state: Action, button: Button) -> bool:
    """Return whether a GM does this as such. GMs also answer what a player offers, and may rule out a bargain."""
    trades = button.name in ("agree", "decline") and state.trade_by == PLAYER
    return button.name in GM_ACTS or trades or (button.name == "refuse" and not button.target)


def button(state: Action, available: AvailableAct) -> str:
    """Return what stands on it."""
    name, first, second = available.name, available.whom, str(available.target[-1]) if available.target else ""
    if name == "propose":
        return f"Trade: {TRADES[Direction(first)]}"
    if name == "push":
        return _push(state, first, second)
    if name == "assist":
        return f"{state.called(first)} helps{f' {state.called(second)}' if state.group else ''}: 1 stress"
    if name == "bring" and (cohort := state.cohort(first)):
        return f"{cohort.name} joins: quality {cohort.quality}"
    if name in ("unassist", "join", "leave", "leave_out"):
        said = {"unassist": "{} does not help", "join": "{} joins"}
        said |= dict.fromkeys(("leave", "leave_out"), "{} stays out")
        return said[name].format(state.called(first))
    if name == "gambit":
        return "No gambit" if state.gambit else "Spend a gambit: +1 die"
    if name == "refuse" and not first:
        return "Rule the bargain out" if state.bargain_by else "Withdraw the bargain"
    if name == MOVE_TICKS:
        consequence = state.inflicted_as(first)
        return f"Say where the ticks on {consequence.clock_name if consequence else state.clock_name} go"
    if name == "grant":
        return f"It has {EFFECT_WORDS[Effect(first)]} effect all the same"
    if name == "resist" and (consequence := state.inflicted_as(first)):
        return f"Resist with {ATTRIBUTE_WORDS[Attribute(consequence.attribute)]}"
    if name == "armor":
        return f"Mark {BOXES[second]}"
    if name == "protect":
        return f"{state.called(second)} steps in"
    if name == "usual":
        return f"{POSITION_WORDS[Position(opening(state))].capitalize()}, {EFFECT_WORDS[Effect.STANDARD]} effect"
    if name == "set" and state.stage is ActionStage.SET:
        return "Set it anew"
    return BUTTONS[name]


def _push(state: Action, character: str, push: str) -> str:
    participant = state.participant(character)
    on = participant is not None and bool(getattr(participant, f"push_{push}"))
    return f"No push for {PUSHES[push]}" if on else f"Push for {PUSHES[push]}: {PUSH_COST} stress"


def action_words(state: Action) -> str:
    """Return words such as "Prowl", "Prowl as a group"."""
    return state.action.capitalize() + (" as a group" if state.group else "")


def terms_words(state: Action) -> str:
    """Return words such as "desperate, great effect"."""
    built = state.built(state.participants[0]).level
    return f"{POSITION_WORDS[state.in_position]}, {EFFECT_WORDS[built.effect]} effect"


def made_of(state: Action) -> Iterator[str]:
    """Yield how the effect comes about, from what the GM has set."""
    yield f"the GM set {POSITION_WORDS[Position(state.position)]}, {EFFECT_WORDS[Effect(state.base)]} effect"
    for factor in ("potency", "quality", "scale"):
        if by := getattr(state, factor):
            yield f"{factor} {signed(by)}"
    yield from (token_words(token) for token in state.tokens)
    if state.ability:
        yield f"special ability {signed(state.ability)}"
    if state.traded:
        yield f"traded {TRADES[Direction(state.trade)]}"
    if state.hinders(state.participants[0], 1):
        yield hurt_words(state, state.participants[0].character, 1)


def hurt_words(state: Action, character: str, level: int) -> str:
    """Return words such as "lesser harm −1 effect (Bruised)"; what else it does stands in the pool, and on its chip."""
    person = state.person(character)
    named = f" ({person.hurts[level - 1]})" if person.hurts[level - 1] else ""
    return f"{HURT[level]} {signed(-1)} effect{named}" if level == 1 else f"{HURT[level]}{named}"


def token_words(token: Token) -> str:
    if token.gives == OPENED:
        return f"the score opens {POSITION_WORDS[Position(token.to)]}"
    if token.gives == WORSE:
        return f"a position that got worse: {POSITION_WORDS[Position(token.to)]} or more"
    gives = "+1 effect" if token.gives == Benefit.EFFECT else "a better position"
    return f"set up by {token.by}: {gives}"


def pool_words(state: Action, participant: Participant) -> str:
    """Return words such as "2, push +1, help of Vesper +1, harm −1"."""
    own = participant == state.participants[0]
    parts = [
        f"quality {participant.rating}" if participant.cohort else str(participant.rating),
        *([f"help of {state.called(participant.helper)} +1"] if participant.helper else []),
        *(["push +1"] if participant.push_die else []),
        *(["bargain +1"] if own and state.bargained else []),
        *(["gambit +1"] if own and state.gambit else []),
        *([_minus_die(state, participant)] if state.hinders(participant, 2) else []),
    ]
    return ", ".join(parts)


def _minus_die(state: Action, participant: Participant) -> str:
    if participant.cohort:
        return f"impaired {signed(-1)}"
    named = state.person(participant.character).hurts[1]
    return f"harm {signed(-1)}{f' ({named})' if named else ''}"


def inflicted_words(consequence: Inflicted) -> str:
    """Return what is left of a consequence, such as "severe harm (level 3): Broken leg"."""
    if consequence.kind is Kind.HARM:
        return f"harm of level {consequence.severity or 'none'}: {consequence.words}"
    if consequence.kind is Kind.HEAT:
        return f"heat {signed(consequence.severity)}{f': {consequence.words}' if consequence.words else ''}"
    if consequence.kind is Kind.COMPLICATION:
        return "complication: " + ", ".join(part for part in (consequence.words, _ticks_words(consequence)) if part)
    return FOLLOWS[consequence.code] + (f": {consequence.words}" if consequence.words else "")


def _ticks_words(consequence: Inflicted) -> str:
    """Return words such as "2 ticks on Alarm", "2 ticks on Alarm, a new clock of 6"."""
    if not consequence.clock:
        return ""
    new = (
        f", a new clock of {consequence.segments}{f' with {consequence.filled} filled' if consequence.filled else ''}"
        if consequence.segments
        else ""
    )
    return f"{consequence.severity} {'tick' if consequence.severity == 1 else 'ticks'} on {consequence.clock_name}{new}"


def became_words(state: Action, consequence: Inflicted) -> str:
    """Return what became of it, as its card and the log say it."""
    if not consequence.became:
        return ""
    if consequence.became == AVOIDED:
        return "avoided"
    if consequence.kind is Kind.HARM:
        return (
            "fatal, or as good as that" if consequence.row == FATAL else f"taken, in the row of level {consequence.row}"
        )
    return "its clock is no longer on the table" if consequence.clock_gone else "it happens"


def resists_by(consequence: Inflicted) -> str:
    """Return what the GM has said that resisting does."""
    if consequence.price:
        return "the price of the bargain"
    does = "avoids it" if consequence.resisting is Resisting.AVOIDS else f"makes it {consequence.by} less"
    return f"{ATTRIBUTE_WORDS[Attribute(consequence.attribute)]} {does}"


def result_words(state: Action) -> str:
    best = state.best
    return f"{HEADLINES[best.came]}: {verdict(Position(best.at), best.came)}"


BARGAINS: Final = {
    "bargain": "offers {} a Devil’s Bargain",
    "accept": "takes the Devil’s Bargain",
    "refuse": "refuses the Devil’s Bargain",
    "rule_out": "rules out the Devil’s Bargain",
}
SILENT: Final = frozenset({"push", "gambit", "assist", "unassist", "roll", "resist", "rolled", "reread"})
"""What the card or the roll's own card shows."""


def said(state: Action, name: str, whom: str) -> str:
    """Return the sentence of the log for an act that leaves the state so."""
    if name in SILENT:
        return ""
    actor, does = state.actor.name, action_words(state)
    if name == OPEN:
        return f"announces an action: {actor}, {does}{', as a set-up' if state.setup else ''}"
    if name in ("usual", "set"):
        return f"sets {terms_words(state)} for {actor}, {does}"
    sentences = {
        "propose": f"offers a trade to {actor}: {TRADES[Direction(state.trade)]}" if state.trade else "",
        "agree": f"agrees to the trade: {terms_words(state)}" if name == "agree" else "",
        "decline": "does not trade",
        "join": f"joins in: {whom}",
        "leave": f"stays out: {whom}",
        "bring": f"brings a cohort: {whom}",
        "leave_out": f"leaves a cohort out: {whom}",
        "withdraw": f"takes the action of {actor} back",
        "press_on": f"goes through with it: {actor}",
        "fall_back": f"withdraws: {actor}",
        "grant": f"lets it have {state.granted} effect all the same",
        "set_up": f"says what the set-up of {actor} gives",
        "nobody_follows": f"lets the set-up of {actor} go",
        "finish": _finished(state),
    }
    if name == "inflict":
        consequence = state.inflicted[-1]
        return f"names a consequence for {state.called(consequence.whom)}: {inflicted_words(consequence)}"
    if name in ("take", TAKE_FATAL, "armor", "protect"):
        return _met(state, name, whom)
    if name in BARGAINS:
        words = BARGAINS["rule_out" if name == "refuse" and not whom else name].format(actor)
        return f"{words}: {state.bargain or state.refused}"
    if name == MOVE_TICKS:
        return _moved(state)
    return sentences.get(name, f"{actor}, {does}")


def _finished(state: Action) -> str:
    ticks = f", {state.ticked} on {state.clock_name}" if state.ticked and state.clock_name else ""
    return f"says that this is all that follows{ticks}"


def _moved(state: Action) -> str:
    """Return where the ticks of a clock go that was archived."""
    consequence = state.inflicted_as(state.met)
    to = consequence.clock_name if consequence and consequence.clock else "" if consequence else state.clock_name
    return f"lets the ticks go to {to}" if to else "lets ticks be lost: their clock is no longer on the table"


def _met(state: Action, name: str, whom: str) -> str:
    """Return what became of a consequence that was just met."""
    does = {"armor": "marks armour", "protect": "steps in"}.get(name, "takes a consequence")
    consequence = state.inflicted_as(state.met)
    became = (
        ", ".join(part for part in (inflicted_words(consequence), became_words(state, consequence)) if part)
        if consequence
        else ""
    )
    return f"{does} for {whom}: {became}" if name == "armor" else f"{does}: {whom}, {became}"
