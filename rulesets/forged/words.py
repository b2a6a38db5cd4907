"""The words of forged rules for codes, as cards, requests, forms and procedures say them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaigns.text import signed
from languages.text import gettext_lazy, pgettext_lazy
from rules.messages import Message, Words, joined, ngettext, worded
from rules.messages import gettext as _
from rulesets.forged.rules import Result
from rulesets.forged.rules.action import FATAL, Attribute, Effect, Inflicted, Position, Resisting
from rulesets.forged.rules.action import Kind as ConsequenceKind
from rulesets.forged.sheet import ATTRIBUTE_LABELS

HEADLINES = {
    Result.BAD: gettext_lazy("Bad outcome"),
    Result.PARTIAL: gettext_lazy("Partial success"),
    Result.FULL: gettext_lazy("Full success"),
    Result.CRITICAL: pgettext_lazy("forged result", "Critical"),
}
RESULT_LOOKS = {Result.BAD: "worst", Result.PARTIAL: "bad", Result.FULL: "fair", Result.CRITICAL: "good"}
"""The look of each result's part in an odds bar; RESULT_FACES are its words."""
RESULT_FACES = {
    Result.BAD: "1–3",
    Result.PARTIAL: "4/5",
    Result.FULL: "6",
    Result.CRITICAL: pgettext_lazy("forged result", "critical"),
}
FELL = {
    Result.BAD: gettext_lazy("1 to 3"),
    Result.PARTIAL: gettext_lazy("4 or 5"),
    Result.FULL: "6",
    Result.CRITICAL: gettext_lazy("a critical"),
}
"""What fell, where it is not judged alone."""
LOWEST = gettext_lazy("two dice, the lowest counts")

POSITION_WORDS = {
    Position.CONTROLLED: pgettext_lazy("position", "controlled"),
    Position.RISKY: pgettext_lazy("position", "risky"),
    Position.DESPERATE: pgettext_lazy("position", "desperate"),
}
POSITION_LABELS = {
    Position.CONTROLLED: pgettext_lazy("position", "Controlled"),
    Position.RISKY: pgettext_lazy("position", "Risky"),
    Position.DESPERATE: pgettext_lazy("position", "Desperate"),
}
EFFECT_WORDS = {
    Effect.ZERO: pgettext_lazy("effect", "zero"),
    Effect.LIMITED: pgettext_lazy("effect", "limited"),
    Effect.STANDARD: pgettext_lazy("effect", "standard"),
    Effect.GREAT: pgettext_lazy("effect", "great"),
    Effect.EXTREME: pgettext_lazy("effect", "extreme"),
}
EFFECT_LABELS = {
    Effect.ZERO: pgettext_lazy("effect", "Zero"),
    Effect.LIMITED: pgettext_lazy("effect", "Limited"),
    Effect.STANDARD: pgettext_lazy("effect", "Standard"),
    Effect.GREAT: pgettext_lazy("effect", "Great"),
    Effect.EXTREME: pgettext_lazy("effect", "Extreme"),
}
EFFECTS_SAID = {
    Effect.ZERO: gettext_lazy("zero effect"),
    Effect.LIMITED: gettext_lazy("limited effect"),
    Effect.STANDARD: gettext_lazy("standard effect"),
    Effect.GREAT: gettext_lazy("great effect"),
    Effect.EXTREME: gettext_lazy("extreme effect"),
}
"""An effect in a sentence, where other languages put the word for how much in another form."""
ATTRIBUTE_WORDS = {attribute: ATTRIBUTE_LABELS[attribute.value] for attribute in Attribute}

BECOMES = {Resisting.REDUCES: gettext_lazy("is reduced"), Resisting.AVOIDS: gettext_lazy("is avoided")}

MENU = {
    "minor_complication": gettext_lazy("minor complication (1 tick)"),
    "complication": gettext_lazy("complication (2 ticks)"),
    "serious_complication": gettext_lazy("serious complication (3 ticks)"),
    "harm_1": gettext_lazy("lesser harm (level 1)"),
    "harm_2": gettext_lazy("moderate harm (level 2)"),
    "harm_3": gettext_lazy("severe harm (level 3)"),
    "harm_4": gettext_lazy("fatal harm (level 4)"),
    "risky_position": gettext_lazy("now risky"),
    "desperate_position": gettext_lazy("now desperate"),
}
"""Consequences that can be resisted, with their amounts."""

FOLLOWS = {
    **MENU,
    "reduced_effect": gettext_lazy("reduced effect"),
    "lost_opportunity": gettext_lazy("lost opportunity"),
    "lost_item": gettext_lazy("lost item"),
    "risky_opportunity": gettext_lazy("risky opportunity"),
}
"""All that a GM picks from."""

WITHDRAW = "withdraw"

STEPS = {
    "special_ability": gettext_lazy("special ability"),
    "set_up": gettext_lazy("set-up"),
    "push": pgettext_lazy("pushing yourself", "push"),
    "trade": pgettext_lazy("of position and effect", "trade"),
    "level_1_harm": gettext_lazy("level 1 harm"),
    "critical": pgettext_lazy("forged result", "critical"),
    "reduced_effect": gettext_lazy("reduced effect"),
}
"""The words for changes of an effect."""

EXTRAS = {
    "help": gettext_lazy("help from {name}"),
    "push": pgettext_lazy("pushing yourself", "push"),
    "bargain": gettext_lazy("Devil’s Bargain"),
    "gambit": gettext_lazy("gambit"),
    "friend": gettext_lazy("a friend"),
    "harm": gettext_lazy("harm"),
    "more": gettext_lazy("special ability"),
    "advantages": gettext_lazy("advantages"),
    "disadvantages": gettext_lazy("disadvantages"),
}
"""The words for what adds or removes dice."""

COSTS = {
    "push": pgettext_lazy("pushing yourself", "push"),
    "help": pgettext_lazy("assisting someone", "help"),
    "resistance": gettext_lazy("resistance"),
}


RESISTED = ("code", "severity", "heat", "words", "clock_name", "segments", "filled")
"""What a resistance roll keeps of a consequence of a staged action, of which the words are made."""


def resisted_words(terms: Mapping[str, Any]) -> str:
    """Return words for what a resistance roll is against: a consequence of a staged action or of the menu, or what was typed;
    "" if nothing was said."""
    resisted = terms.get("resisted")
    if resisted is None:
        return str(terms.get("consequence") or "")
    if resisted.get("severity") is None:
        return str(MENU[resisted["code"]])
    return str(inflicted_words(Inflicted(**resisted)))


def inflicted_words(consequence: Inflicted) -> Message:
    """Return words for what is left of a consequence, such as "harm of level 3: Broken leg"."""
    words = consequence.words
    if consequence.kind is ConsequenceKind.HARM and consequence.severity == FATAL:
        return _("fatal harm: {words}", words=words)
    if consequence.kind is ConsequenceKind.HARM:
        harm = (
            gettext_lazy("harm of level {level}: {words}") if consequence.severity else gettext_lazy("no harm: {words}")
        )
        return worded(harm, level=consequence.severity, words=words)
    if consequence.kind is ConsequenceKind.HEAT:
        return _and_words(_("heat {change}", change=signed(consequence.severity)), words)
    if consequence.kind is ConsequenceKind.COMPLICATION:
        parts: list[Words] = [part for part in (words, _ticks_words(consequence)) if part]
        return _("complication: {words}", words=joined(", ", parts))
    return _and_words(worded(FOLLOWS[consequence.code]), words)


def _and_words(what: Message, words: str) -> Message:
    return _("{name}: {words}", name=what, words=words) if words else what


def _ticks_words(consequence: Inflicted) -> Words:
    """Return words such as "2 ticks on Alarm", "2 ticks on Alarm, a new clock of 6"."""
    if not consequence.clock_name:
        return ""
    ticks = on_clock(consequence.severity, consequence.clock_name)
    if not consequence.segments:
        return ticks
    words = (
        gettext_lazy("{ticks}, a new clock of {segments} with {filled} filled")
        if consequence.filled
        else gettext_lazy("{ticks}, a new clock of {segments}")
    )
    return worded(words, ticks=ticks, segments=consequence.segments, filled=consequence.filled)


def on_clock(ticks: int, clock: str) -> Message:
    """Return words such as "2 ticks on Alarm"."""
    return ngettext("{count} tick on {clock}", "{count} ticks on {clock}", ticks, clock=clock)


def said_words(codes: Mapping[str, Any]) -> dict[str, str]:
    """Return the words for a position and an effect, by their codes: each alone, and both `together`."""
    position, effect = Position(codes["position"]), Effect(codes["effect"])
    return {
        "position": str(POSITION_WORDS[position]),
        "effect": str(EFFECTS_SAID[effect]),
        "together": str(terms_words(position, effect)),
    }


def terms_words(position: Position, effect: Effect) -> Message:
    """Return words such as "desperate, great effect"."""
    return _("{position}, {effect}", position=worded(POSITION_WORDS[position]), effect=worded(EFFECTS_SAID[effect]))
