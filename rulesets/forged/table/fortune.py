"""A fortune roll: how something turns out that no one here decides (forged.txt, Fortune Roll).

Procedures make some that settle something of their own: dice that are read alike, with other words on their card.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.kinds import Payload
from campaigns.text import signed
from characters.models import Character
from languages.text import gettext_lazy, pgettext_lazy
from rolls.models import Roll
from rolls.settings import RollSettings
from rolls.table_rules import Outcome, RollContext, Terms
from rules.dice import Faces
from rulesets.forged.rules.action import PUSH_COST, Level
from rulesets.forged.rules.downtime import ENTANGLEMENT_WORDS, Activity, amount_of, entanglement
from rulesets.forged.rules.downtime_activities import ENTANGLEMENT
from rulesets.forged.rules.fortune import PERFORMANCES
from rulesets.forged.rules.roll import Pool, Result, fortune_pool, resolve, with_more
from rulesets.forged.rules.score import engagement
from rulesets.forged.settings import Settings
from rulesets.forged.table.ask import ForgedInput, Kind, Push, has_sheet, helper_of, more_dice, refused_at
from rulesets.forged.table.roll import ForgedRoll, check_room, extra_dice, extras_of, marks, read_outcome
from rulesets.forged.table.words import FELL, POSITION_LABELS

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


class FortuneRoll(ForgedRoll):
    """A roll of a trait. It costs only who pushes for a die: whoever is named as helper, else who rolls."""

    kind = Kind.FORTUNE

    def terms(self, character: Character | None, ask: ForgedInput, settings: Settings) -> Terms:
        settles = {"settles": ask.settles, "keeps": dict(ask.keeps)} if ask.settles else {}
        more = more_dice(ask)
        push = ask.push == Push.DIE and (ask.helper is not None or has_sheet(character))
        with refused_at():
            dice = with_more(_pool(ask), ask.more, push=push).dice
        return self.requested(ask) | {"dice": dice, "push_die": push, **more, **settles}

    def checked(self, context: RollContext, ask: ForgedInput, terms: Terms) -> Terms:
        pushes = helper_of(context, ask.helper) if ask.helper else None
        if terms["push_die"]:
            check_room(pushes or context.character, PUSH_COST, "push", context.settings.of(Settings))
        return marks(context, pushes) | {"helper": str(pushes.pk) if pushes else None, "set_by_gm": True}

    def read(self, terms: Terms, faces: Faces, settings: RollSettings) -> Outcome:
        with refused_at():
            outcome = resolve(Pool(terms["dice"]), faces)
        return read_outcome(outcome, {"ticks": Level(STEPS[outcome.result]).ticks})

    def charges(self, roll: Roll) -> Iterable[tuple[str | None, int, str]]:
        own = str(roll.character_id) if roll.character_id else None
        return ((roll.ask.get("helper") or own, PUSH_COST * bool(roll.ask.get("push_die")), "push"),)

    def own_card(self, roll: Roll) -> dict[str, Any]:
        ask, added = roll.ask, extras_of(roll.ask)
        bonus = extra_dice(("advantages", ask["advantages"]), ("disadvantages", -ask["disadvantages"]))
        kept = {"trait": ask["trait"], **added, "extras": [*bonus, *added["extras"]]}
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
    settles, thing, fell = payload["settles"], payload.get("thing") or "", str(FELL[result])
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
