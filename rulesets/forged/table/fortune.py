"""A fortune roll: how something turns out that no one here decides (forged.txt, Fortune Roll).

Procedures make some that settle something of their own: dice that are read alike, with other words on their card.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.kinds import Payload
from campaigns.text import signed
from characters.models import Character
from languages.text import gettext_lazy, pgettext_lazy
from rolls.models import Roll
from rolls.rules.dice import Faces
from rolls.settings import RollSettings
from rolls.table_rules import Outcome, RollContext, Terms
from rulesets.forged.rules.action import Level
from rulesets.forged.rules.downtime import ENTANGLEMENT_WORDS, Activity, amount_of, entanglement
from rulesets.forged.rules.downtime_activities import ENTANGLEMENT
from rulesets.forged.rules.fortune import PERFORMANCES
from rulesets.forged.rules.roll import Pool, Result, fortune_pool, resolve
from rulesets.forged.rules.score import engagement
from rulesets.forged.settings import Settings
from rulesets.forged.table.ask import ForgedInput, Kind, refused_at
from rulesets.forged.table.roll import ForgedRoll, extra_dice, read_outcome
from rulesets.forged.table.words import POSITION_LABELS

STEPS: Final = {Result.BAD: 0, Result.PARTIAL: 1, Result.FULL: 2, Result.CRITICAL: 3}
"""The effect of each result, as steps of an action's effect: little, limited, standard, great."""
ASKED: Final = ("trait", "advantages", "disadvantages")

ENGAGEMENT: Final = "engagement"
COHORT: Final = "cohort"
SETTLED_NAMES: Final[Mapping[str, str]] = {
    Activity.PROJECT: gettext_lazy("Long-term project"),
    Activity.RECOVER: gettext_lazy("Recovery"),
    Activity.HEAT: gettext_lazy("Reduce heat"),
    Activity.ACQUIRE: gettext_lazy("Acquire an asset"),
    Activity.VICE: gettext_lazy("Vice"),
    ENTANGLEMENT: gettext_lazy("Entanglement"),
    ENGAGEMENT: gettext_lazy("Engagement"),
    COHORT: pgettext_lazy("cohort", "Quality"),
}
SETTLED_RESULTS: Final = {
    Result.BAD: gettext_lazy("1 to 3"),
    Result.PARTIAL: gettext_lazy("4 or 5"),
    Result.FULL: "6",
    Result.CRITICAL: gettext_lazy("a critical"),
}


class FortuneRoll(ForgedRoll):
    """A roll of a trait, which costs no one anything."""

    kind = Kind.FORTUNE

    def terms(self, character: Character | None, ask: ForgedInput, settings: Settings) -> Terms:
        settles = {"settles": ask.settles, "keeps": dict(ask.keeps)} if ask.settles else {}
        return self.requested(ask) | {"dice": _pool(ask).dice, **settles}

    def checked(self, context: RollContext, ask: ForgedInput, terms: Terms) -> Terms:
        return {"set_by_gm": True}

    def read(self, terms: Terms, faces: Faces, settings: RollSettings) -> Outcome:
        with refused_at():
            outcome = resolve(Pool(terms["dice"]), faces)
        return read_outcome(outcome, {"ticks": Level(STEPS[outcome.result]).ticks})

    def own_card(self, roll: Roll) -> dict[str, Any]:
        ask = roll.ask
        bonus = extra_dice(("advantages", ask["advantages"]), ("disadvantages", -ask["disadvantages"]))
        kept = {"trait": ask["trait"], "extras": bonus}
        settles = ask.get("settles")
        if not settles:
            return kept
        keeps = ask["keeps"]
        if settles not in (ENGAGEMENT, COHORT):
            kept["extras"] = extra_dice(*((code, int(bool(keeps.get(code)))) for code in ("friend", "push")))
        face = next(die["face"] for die in roll.outcome["dice"] if die["role"] == "kept")
        return {
            **kept,
            "settles": settles,
            "face": face,
            **({"thing": keeps["name"]} if keeps.get("name") else {}),
            **({"heat": keeps["heat"]} if settles == ENTANGLEMENT else {}),
        }

    def own_words(self, payload: Payload, result: Result) -> Payload:
        if payload.get("settles"):
            return _settled_words(payload, result)
        performance = PERFORMANCES[result]
        return {"headline": str(performance.headline), "detail": str(performance.effect)}

    def trait_name(self, terms: Mapping[str, Any]) -> str:
        return str(SETTLED_NAMES.get(terms.get("settles") or "") or _("Fortune"))

    def rating(self, terms: Mapping[str, Any]) -> int:
        return int(terms["trait"])

    def again_fields(self, roll: Roll) -> Terms:
        return {name: roll.ask[name] for name in ASKED}

    def requested(self, ask: ForgedInput) -> Terms:
        _pool(ask)
        return {name: getattr(ask, name) for name in ASKED}

    def request_words(self, terms: Terms) -> str:
        """Return words for a request: "Fortune 2 +1"."""
        changes = [signed(dice) for dice in (terms["advantages"], -terms["disadvantages"]) if dice]
        return " ".join([_("Fortune {dice}").format(dice=terms["trait"]), *changes])


def _pool(ask: ForgedInput) -> Pool:
    with refused_at(pool="trait"):
        return fortune_pool(trait=ask.trait, advantages=ask.advantages, disadvantages=ask.disadvantages)


def _settled_words(payload: Payload, result: Result) -> Payload:
    """Return the words for what a procedure settles with its roll."""
    settles, thing, fell = payload["settles"], payload.get("thing") or "", str(SETTLED_RESULTS[result])
    if settles == ENGAGEMENT:
        position = engagement(result)
        headline = str(POSITION_LABELS[position]) if position else _("Past the first obstacle")
        return {"kind_words": _("engagement"), "headline": headline, "detail": _("how the score opens"), "ticks": 0}
    if settles == ENTANGLEMENT:
        entries = [str(ENTANGLEMENT_WORDS[code]) for code in entanglement(min(payload["heat"], 8), result)]
        headline = " / ".join(entries)
        return {"kind_words": _("entanglement"), "headline": headline, "detail": fell, "ticks": 0}
    if settles == COHORT:
        return {"kind_words": _("group action"), "headline": thing, "detail": fell, "ticks": 0}
    detail = ", ".join(filter(None, (thing, fell)))
    words_of_downtime = {"kind_words": _("downtime"), "detail": detail, "ticks": 0}
    if settles == Activity.VICE:
        headline = _("Clears {count} stress").format(count=payload["face"])
        return words_of_downtime | {"headline": headline, "detail": _("or all of it, if there’s less")}
    amount = amount_of(Activity(settles), result, tier=payload["trait"] if settles == Activity.ACQUIRE else 0)
    headlines = {
        Activity.PROJECT: ngettext("{count} segment", "{count} segments", amount),
        Activity.RECOVER: _("{count} on the healing clock"),
        Activity.HEAT: _("−{count} heat"),
        Activity.ACQUIRE: _("Tier {count}"),
    }
    return words_of_downtime | {"headline": headlines[Activity(settles)].format(count=amount)}
