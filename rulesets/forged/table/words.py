"""The words of forged rules for codes, as cards, requests, forms and procedures say them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from languages.text import gettext as _
from languages.text import gettext_lazy, pgettext_lazy
from rulesets.forged.rules.action import Effect, Position
from rulesets.forged.rules.body import Attribute
from rulesets.forged.rules.consequence import Resisting
from rulesets.forged.rules.roll import Result
from rulesets.forged.sheet import ATTRIBUTE_LABELS
from rulesets.forged.table.ask import Kind

KIND_WORDS = {
    Kind.ACTION: pgettext_lazy("forged roll", "action"),
    Kind.RESISTANCE: gettext_lazy("resistance"),
    Kind.FORTUNE: gettext_lazy("fortune"),
}
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
    "risky_position": gettext_lazy("now risky"),
    "desperate_position": gettext_lazy("now desperate"),
}
"""Consequences that can be resisted, with their amounts."""

FOLLOWS = {
    **MENU,
    "reduced_effect": gettext_lazy("reduced effect"),
    "lost_opportunity": gettext_lazy("lost opportunity"),
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
    "advantages": gettext_lazy("advantages"),
    "disadvantages": gettext_lazy("disadvantages"),
}
"""The words for what adds or removes dice."""

COSTS = {
    "push": pgettext_lazy("pushing yourself", "push"),
    "help": pgettext_lazy("assisting someone", "help"),
    "resistance": gettext_lazy("resistance"),
}


def said_words(codes: Mapping[str, Any]) -> dict[str, str]:
    """Return the words for a position and an effect, by their codes: each alone, and both `together`."""
    position, effect = Position(codes["position"]), Effect(codes["effect"])
    return {
        "position": str(POSITION_WORDS[position]),
        "effect": str(EFFECTS_SAID[effect]),
        "together": terms_words(position, effect),
    }


def terms_words(position: Position, effect: Effect) -> str:
    """Return words such as "desperate, great effect"."""
    return _("{position}, {effect}").format(position=POSITION_WORDS[position], effect=EFFECTS_SAID[effect])


def terms_label(position: Position, effect: Effect) -> str:
    """Return the same with a capital, for a button."""
    return _("{position}, {effect}").format(position=POSITION_LABELS[position], effect=EFFECTS_SAID[effect])
