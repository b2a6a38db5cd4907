"""The words of a staged action on its card, its buttons and in the log."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.utils.text import capfirst

from campaigns.text import signed
from languages.text import colon, gettext_lazy, ngettext, npgettext, pgettext, pgettext_lazy
from languages.text import gettext as _
from rules.acts import AvailableAct
from rules.procedures import OPEN, REREAD, ROLLED, Button
from rulesets.forged.rules.action import PUSH_COST, Direction, Effect, Position, verdict
from rulesets.forged.rules.action_before import as_usual
from rulesets.forged.rules.action_follows import AVOIDED, MORE_DICE, MOVE_TICKS, TAKE_FATAL, Carried
from rulesets.forged.rules.action_state import OPENED, PLAYER, WORSE, Action, ActionStage, Benefit, Participant, Token
from rulesets.forged.rules.body import Attribute
from rulesets.forged.rules.consequence import FATAL, Fate, Inflicted, Kind, Resisting
from rulesets.forged.sheet import called
from rulesets.forged.table.words import (
    ATTRIBUTE_WORDS,
    EFFECTS_SAID,
    HEADLINES,
    POSITION_WORDS,
    inflicted_words,
    on_clock,
    terms_label,
    terms_words,
)

TRADES: Final = {
    Direction.EFFECT: gettext_lazy("a worse position for +1 effect"),
    Direction.POSITION: gettext_lazy("a better position for −1 effect"),
}
BOXES: Final = {
    "armor": gettext_lazy("armour"),
    "heavy_armor": gettext_lazy("heavy armour"),
    "special_armor": gettext_lazy("special armour"),
}
BUTTONS: Final = {
    "set": gettext_lazy("Set position and effect"),
    "agree": gettext_lazy("Agree to the trade"),
    "decline": gettext_lazy("Decline the trade"),
    "bargain": gettext_lazy("Offer a Devil’s Bargain"),
    "accept": gettext_lazy("Take the bargain"),
    "refuse": gettext_lazy("Refuse the bargain"),
    "roll": gettext_lazy("Roll"),
    "withdraw": gettext_lazy("Cancel the action"),
    "press_on": gettext_lazy("Go through with it"),
    "fall_back": gettext_lazy("Withdraw"),
    "set_up": gettext_lazy("Choose what it gives"),
    "nobody_follows": gettext_lazy("No one follows"),
    "inflict": gettext_lazy("Add a consequence"),
    "finish": gettext_lazy("No more consequences"),
    "take": pgettext_lazy("consequence", "Take it"),
    TAKE_FATAL: gettext_lazy("Take it: fatal…"),
    MORE_DICE: gettext_lazy("More dice…"),
}
PUSH_BUTTONS: Final = {
    "die": gettext_lazy("Push for +1 die: {count} stress"),
    "effect": gettext_lazy("Push for +1 effect: {count} stress"),
    "act": gettext_lazy("Push to act despite it: {count} stress"),
}
PUSHED_BUTTONS: Final = {
    "die": gettext_lazy("Don’t push for +1 die"),
    "effect": gettext_lazy("Don’t push for +1 effect"),
    "act": gettext_lazy("Don’t push to act despite it"),
}
ARMOR_BUTTONS: Final = {
    "armor": gettext_lazy("Mark armour"),
    "heavy_armor": gettext_lazy("Mark heavy armour"),
    "special_armor": gettext_lazy("Mark special armour"),
}
NAMED_BUTTONS: Final = {
    "unassist": gettext_lazy("{name} doesn’t help"),
    "join": gettext_lazy("{name} joins"),
    "leave": gettext_lazy("{name} stays out"),
    "leave_out": gettext_lazy("{name} stays out"),
}
GRANT_BUTTONS: Final = {
    Effect.LIMITED: gettext_lazy("Keep limited effect"),
    Effect.STANDARD: gettext_lazy("Keep standard effect"),
    Effect.GREAT: gettext_lazy("Keep great effect"),
    Effect.EXTREME: gettext_lazy("Keep extreme effect"),
}
FATES: Final[dict[str, str]] = {
    Fate.DEAD: gettext_lazy("{name} is dead"),
    Fate.OUT: gettext_lazy("{name} survives, out of play"),
}
"""The words for what became of a character, by code; before 0.2.1 none was chosen."""
HURT: Final = {1: gettext_lazy("lesser harm"), 2: gettext_lazy("moderate harm"), 3: gettext_lazy("severe harm")}
GM_ACTS: Final = frozenset({"usual", "set", "propose", "bargain", "inflict", "finish", "grant", MOVE_TICKS})
"""The acts that are a GM's own; in others a GM acts for players."""


def is_gms(state: Action, button: Button) -> bool:
    """Return whether a button is for GMs as such. GMs also answer players' offers, and may refuse a bargain."""
    trades = button.name in ("agree", "decline") and state.trade_by == PLAYER
    return button.name in GM_ACTS or trades or (button.name == "refuse" and not button.target)


def button(state: Action, available: AvailableAct) -> str:
    """Return the words on an act's button."""
    name, first, second = available.name, available.whom, str(available.target[-1]) if available.target else ""
    if name == "propose":
        return _("Trade: {trade}").format(trade=TRADES[Direction(first)])
    if name == "push":
        return _push(state, first, second)
    if name == "assist":
        words = _("{name} helps {other}: 1 stress") if state.group else _("{name} helps: 1 stress")
        return words.format(name=state.called(first), other=state.called(second))
    if name == "bring" and (cohort := state.cohort(first)):
        return _("{name} joins: quality {quality}").format(name=cohort.name, quality=cohort.quality)
    if name in NAMED_BUTTONS:
        return NAMED_BUTTONS[name].format(name=state.called(first))
    if name == "gambit":
        return _("Don’t spend a gambit") if state.gambit else _("Spend a gambit: +1 die")
    if name == "refuse" and not first:
        return _("Rule out the bargain") if state.bargain_by else _("Withdraw the bargain")
    if name == MOVE_TICKS:
        consequence = state.inflicted_as(first)
        return _("Move the ticks of {clock}…").format(clock=consequence.clock_name if consequence else state.clock_name)
    if name == "grant":
        return str(GRANT_BUTTONS[Effect(first)])
    if name == "resist" and (consequence := state.inflicted_as(first)):
        attribute, pool = ATTRIBUTE_WORDS[Attribute(consequence.attribute)], state.resisting_pool(consequence)
        if pool is None:
            return _("Resist with {attribute}").format(attribute=attribute)
        words = ngettext("Resist with {attribute}: {count} die", "Resist with {attribute}: {count} dice", pool.rolled)
        return words.format(attribute=attribute, count=pool.rolled)
    if name == "armor":
        return str(ARMOR_BUTTONS[second])
    if name == "protect":
        return _("{name} steps in").format(name=state.called(second))
    if name == "usual":
        usual = as_usual(state)
        return terms_label(usual.in_position, usual.built(usual.participants[0]).level.effect)
    if name == "set" and state.stage is ActionStage.SET:
        return _("Change position and effect")
    return str(BUTTONS[name])


def _push(state: Action, character: str, push: str) -> str:
    participant = state.participant(character)
    if participant is not None and getattr(participant, f"push_{push}"):
        return str(PUSHED_BUTTONS[push])
    return PUSH_BUTTONS[push].format(count=PUSH_COST)


def action_words(state: Action) -> str:
    """Return words such as "Prowl", "Prowl as a group"."""
    action = called(state.action)
    return _("{action} as a group").format(action=action) if state.group else action


def set_words(state: Action) -> str:
    """Return words such as "desperate, great effect"."""
    return terms_words(state.in_position, state.built(state.participants[0]).level.effect)


def made_of(state: Action) -> Iterator[str]:
    """Yield how the effect comes about, from what the GM has set; the first begins a sentence."""
    yield _("The GM set {terms}").format(terms=terms_words(Position(state.position), Effect(state.base)))
    factors = (
        (pgettext("factor", "potency {change}"), state.potency),
        (pgettext("factor", "quality {change}"), state.quality),
        (pgettext("factor", "scale {change}"), state.scale),
    )
    yield from (words.format(change=signed(by)) for words, by in factors if by)
    yield from (token_words(token) for token in state.tokens)
    if state.ability:
        yield _("special ability {change}").format(change=signed(state.ability))
    if state.traded:
        yield _("traded {trade}").format(trade=TRADES[Direction(state.trade)])
    if state.hinders(state.participants[0], 1):
        yield hurt_words(state, state.participants[0].character, 1)


def hurt_words(state: Action, character: str, level: int) -> str:
    """Return words such as "lesser harm −1 effect (Bruised)"; its other effects are shown in the pool, and on its chip."""
    hurt = state.person(character).hurts[level - 1]
    words = _("{harm} −1 effect").format(harm=HURT[level]) if level == 1 else str(HURT[level])
    return f"{words} ({hurt})" if hurt else words


def token_words(token: Token) -> str:
    if token.gives == OPENED:
        return _("the score opens in this position: {position}").format(position=POSITION_WORDS[Position(token.to)])
    if token.gives == WORSE:
        return _("a position that got worse: {position} or more").format(position=POSITION_WORDS[Position(token.to)])
    words = (
        _("set up by {name}: +1 effect") if token.gives == Benefit.EFFECT else _("set up by {name}: a better position")
    )
    return words.format(name=token.by)


def carried_words(carried: Carried) -> str:
    """Return the same for what is carried over to a later action."""
    return token_words(Token(id="", gives=carried.gives, to=carried.to, by=carried.by))


def pool_words(state: Action, participant: Participant) -> str:
    """Return words such as "2, push +1, help from Vesper +1, harm −1"."""
    own = participant == state.participants[0]
    rating = _("quality {rating}").format(rating=participant.rating) if participant.cohort else str(participant.rating)
    helped = _("help from {name} +1").format(name=state.called(participant.helper)) if participant.helper else ""
    parts = [
        rating,
        helped,
        _("push +1") if participant.push_die else "",
        _("bargain +1") if own and state.bargained else "",
        _("gambit +1") if own and state.gambit else "",
        extra_words(state.more, state.why) if own else "",
        _minus_die(state, participant) if state.hinders(participant, 2) else "",
    ]
    return ", ".join(filter(None, parts))


def extra_words(more: int, why: str) -> str:
    """Return words such as "Iron will +1"; "" without dice from abilities."""
    return f"{why} {signed(more)}" if more else ""


def resisting_words(consequence: Inflicted) -> str:
    """Return words for what is added to the dice of a resistance roll."""
    push = _("push +1") if consequence.push else ""
    return ", ".join(filter(None, (push, extra_words(consequence.more, consequence.why))))


def _minus_die(state: Action, participant: Participant) -> str:
    if participant.cohort:
        return _("impaired −1")
    hurt = state.person(participant.character).hurts[1]
    return _("harm −1 ({harm})").format(harm=hurt) if hurt else _("harm −1")


def became_words(state: Action, consequence: Inflicted) -> str:
    """Return words for what became of a consequence, as its card and the log have them; "" while it is open."""
    if not consequence.became:
        return ""
    if consequence.became == AVOIDED:
        return pgettext("consequence", "avoided")
    if consequence.kind is Kind.HARM and consequence.row:
        if consequence.row == FATAL:
            words = FATES.get(consequence.fate)
            return words.format(name=state.called(consequence.whom)) if words else pgettext("consequence", "fatal")
        return _("taken, in row {level}").format(level=consequence.row)
    return _("its clock is no longer on the table") if consequence.clock_gone else pgettext("consequence", "taken")


def resists_by(consequence: Inflicted) -> str:
    """Return words for what resisting a consequence does, as the GM set it."""
    if consequence.price:
        return _("the price of the bargain")
    words = (
        _("{attribute} avoids it")
        if consequence.resisting is Resisting.AVOIDS
        else _("{attribute} reduces it by {count}")
    )
    return words.format(attribute=ATTRIBUTE_WORDS[Attribute(consequence.attribute)], count=consequence.by)


def price_words(state: Action) -> str:
    """Return words such as "The guard wants more, 2 coin, Silver ring"; of a refused bargain what was typed."""
    if not state.bargain:
        return state.refused
    count = state.bargain_coin
    coin = npgettext("price", "{count} coin", "{count} coin", count).format(count=count) if count else ""
    return ", ".join(filter(None, (state.bargain, coin, state.bargain_thing)))


def result_words(state: Action) -> str:
    """Return words such as "Full success: done"; of a group those of its best roll, with whose it is."""
    best = state.best
    words = f"{HEADLINES[best.came]}{colon()}{verdict(Position(best.at), best.came)}"
    return (
        _("Group: {result} ({name})").format(result=words, name=state.called(best.character)) if state.group else words
    )


SAID: Final = {
    "decline": gettext_lazy("{name} made no trade."),
    "join": gettext_lazy("{whom} joined in."),
    "leave": gettext_lazy("{whom} stayed out."),
    "bring": gettext_lazy("{whom} joined in."),
    "leave_out": gettext_lazy("{whom} stayed out."),
    "withdraw": gettext_lazy("{name} cancelled the action."),
    "press_on": gettext_lazy("{name} went through with it."),
    "fall_back": gettext_lazy("{name} withdrew."),
    "set_up": gettext_lazy("{name} set up whoever follows."),
    "nobody_follows": gettext_lazy("No one followed {name}’s set-up."),
    "bargain": gettext_lazy("{name} was offered a Devil’s Bargain: “{bargain}”."),
    "accept": gettext_lazy("{name} took the Devil’s Bargain: “{bargain}”."),
    "refuse": gettext_lazy("{name} refused the Devil’s Bargain: “{bargain}”."),
    "take": gettext_lazy("{whom} took a consequence. {met}."),
    TAKE_FATAL: gettext_lazy("{whom} took a consequence. {met}."),
    "armor": gettext_lazy("{whom} marked armour: {met}."),
    "protect": gettext_lazy("{whom} stepped in: {met}."),
}
"""The sentences of the log that name nothing but people, a bargain, and what became of a consequence."""
SILENT: Final = frozenset({"push", "gambit", "assist", "unassist", "roll", "resist", MORE_DICE, ROLLED, REREAD})
"""The acts without a line of their own, since the card or the roll's card shows them."""


def said(state: Action, name: str, whom: str) -> str:
    """Return the sentence of the log for an act that leaves the state so."""
    if name == ROLLED and state.group and not state.inflicted and all(one.result for one in state.participants):
        return f"{result_words(state)}."
    if name in SILENT:
        return ""
    actor, does = state.actor.name, action_words(state)
    if name == OPEN:
        words = _("{name} announced a set-up: {action}.") if state.setup else _("{name} announced an action: {action}.")
        return words.format(name=actor, action=does)
    if name in ("usual", "set"):
        return _("{name}, {action}: {terms}.").format(name=actor, action=does, terms=set_words(state))
    if name == "propose" and state.trade:
        words = (
            _("{name} offered a trade: {trade}.")
            if state.trade_by == PLAYER
            else _("{name} was offered a trade: {trade}.")
        )
        return words.format(name=actor, trade=TRADES[Direction(state.trade)])
    if name == "agree":
        return _("{name} traded: now {terms}.").format(name=actor, terms=set_words(state))
    if name == "grant":
        return _("{name} still got {effect}.").format(name=actor, effect=EFFECTS_SAID[Effect(state.granted)])
    if name == "finish":
        return _finished(state)
    if name == "inflict":
        consequence = state.inflicted[-1]
        return _("{name} faced a consequence. {consequence}.").format(
            name=state.called(consequence.whom), consequence=capfirst(inflicted_words(consequence))
        )
    if name == MOVE_TICKS:
        return _moved(state)
    bargain = price_words(state)
    if name == "refuse" and not whom:
        return _("{name}’s Devil’s Bargain was ruled out: “{bargain}”.").format(name=actor, bargain=bargain)
    if name in SAID:
        met = capfirst(_met(state)) if name in ("take", TAKE_FATAL) else _met(state)
        return SAID[name].format(name=actor, whom=whom, bargain=bargain, met=met)
    return f"{actor}, {does}."


def _finished(state: Action) -> str:
    if not (state.ticked and state.clock_name):
        return _("All consequences were named.")
    return _("All consequences were named: {ticks}.").format(ticks=on_clock(state.ticked, state.clock_name))


def _moved(state: Action) -> str:
    """Return the sentence about where an archived clock's ticks went."""
    consequence = state.inflicted_as(state.met)
    to = consequence.clock_name if consequence and consequence.clock else "" if consequence else state.clock_name
    return (
        _("The ticks went to {clock}.").format(clock=to)
        if to
        else _("The ticks were lost: their clock is no longer on the table.")
    )


def _met(state: Action) -> str:
    """Return words for what became of the consequence settled last."""
    consequence = state.inflicted_as(state.met)
    if consequence is None:
        return ""
    return ", ".join(filter(None, (inflicted_words(consequence), became_words(state, consequence))))
