"""A resistance roll: it always works, and the dice decide its cost (forged.txt, Resistance Roll)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, Final

from django.utils.translation import gettext as _

from campaigns.kinds import Payload
from characters.models import Character
from languages.text import colon, gettext_lazy
from rolls.models import Roll
from rolls.odds import Part, bar, decimal, percent
from rolls.settings import RollSettings
from rolls.table_rules import Odds, OddsContext, Outcome, RollContext, Terms
from rules.dice import Faces, mean
from rules.errors import word
from rulesets.forged.odds import resistance_stress
from rulesets.forged.rules.action import PUSH_COST
from rulesets.forged.rules.body import Attribute, resist_cost, resist_pool
from rulesets.forged.rules.consequence import Resisting
from rulesets.forged.rules.roll import Pool, Result, resolve, with_more
from rulesets.forged.settings import Settings
from rulesets.forged.table.ask import ForgedInput, Kind, Push, more_dice, rated_attribute, refused_at, short_words
from rulesets.forged.table.roll import ForgedRoll, check_room, extras_of, marks, read_outcome
from rulesets.forged.table.words import ATTRIBUTE_WORDS, BECOMES, MENU, resisted_words

KEPT: Final = ("attribute", "rating", "consequence", "resisted", "resisting")
STRESS: Final = (("good", gettext_lazy("no stress"), (-1, 0)), ("fair", "1–2", (1, 2)), ("worst", "3–5", (3, 4, 5)))
"""The parts of the bar; a line says the chance of each."""
NONE: Final = Fraction()


class ResistanceRoll(ForgedRoll):
    """A roll of an attribute against a consequence."""

    kind = Kind.RESISTANCE
    unset = gettext_lazy("attribute and what it does as you said: the GM hasn’t set them")

    def terms(self, character: Character | None, ask: ForgedInput, settings: Settings) -> Terms:
        with refused_at():
            attribute = word("attribute", ask.attribute, Attribute)
            rating = rated_attribute(character, attribute, ask)
            push = ask.push == Push.DIE
            pool = with_more(resist_pool(rating), ask.more, push=push)
            resisting = word("resisting", ask.resisting, Resisting)
        return {
            "attribute": attribute.value,
            "rating": rating,
            "dice": pool.dice,
            "push_die": push,
            **more_dice(ask),
            "resisting": resisting.value,
            **({"resisted": dict(ask.keeps)} if ask.keeps else _against(ask.consequence)),
        }

    def checked(self, context: RollContext, ask: ForgedInput, terms: Terms) -> Terms:
        if terms["push_die"]:
            check_room(context.character, PUSH_COST, "push", context.settings.of(Settings))
        return marks(context)

    def read(self, terms: Terms, faces: Faces, settings: RollSettings) -> Outcome:
        """Return the outcome; its `stress` is -1 where a critical clears one."""
        with refused_at():
            word("resisting", terms["resisting"], Resisting)
            outcome = resolve(Pool(terms["dice"]), faces)
        return read_outcome(outcome, {"stress": resist_cost(outcome)})

    def charges(self, roll: Roll) -> Iterable[tuple[str | None, int, str]]:
        own = str(roll.character_id) if roll.character_id else None
        return (own, PUSH_COST * bool(roll.ask.get("push_die")), "push"), (own, roll.outcome["stress"], "resistance")

    def own_card(self, roll: Roll) -> dict[str, Any]:
        kept = {name: roll.ask[name] for name in KEPT if name in roll.ask}
        return kept | extras_of(roll.ask) | {"stress": roll.outcome["stress"]}

    def own_words(self, payload: Payload, result: Result) -> Payload:
        stress, becomes = payload["stress"], BECOMES[Resisting(payload["resisting"])]
        return {
            "headline": _("{count} stress").format(count=stress)
            if stress > 0
            else _("Clears {count} stress").format(count=1)
            if stress
            else _("No stress"),
            "detail": _("{consequence} {becomes}").format(
                consequence=resisted_words(payload) or _("the consequence"), becomes=becomes
            ),
        }

    def trait_name(self, terms: Mapping[str, Any]) -> str:
        return str(ATTRIBUTE_WORDS[Attribute(terms["attribute"])])

    def again_fields(self, roll: Roll) -> Terms:
        return {name: roll.ask[name] for name in ("attribute", "resisting")}

    def requested(self, ask: ForgedInput) -> Terms:
        with refused_at():
            attribute, resisting = (
                word("attribute", ask.attribute, Attribute),
                word("resisting", ask.resisting, Resisting),
            )
        return _against(ask.consequence) | {"attribute": attribute.value, "resisting": resisting.value}

    def request_fields(self, terms: Terms) -> Terms:
        fields = {name: value for name, value in terms.items() if name != "resisted"}
        against = resisted_words(terms)
        return fields | ({"consequence": against} if against else {})

    def request_words(self, terms: Terms) -> str:
        """Return words for a request: "Resist with Prowess: a fall is reduced"."""
        consequence = resisted_words(terms) or _("the consequence")
        if "attribute" not in terms:
            return _("Resist: {consequence}").format(consequence=consequence)
        return _("Resist with {attribute}: {consequence} {becomes}").format(
            attribute=ATTRIBUTE_WORDS[Attribute(terms["attribute"])],
            consequence=consequence,
            becomes=BECOMES[Resisting(terms["resisting"])],
        )

    def preview(self, context: OddsContext, ask: ForgedInput) -> Odds:
        """Return the chances of the stress that it may cost."""
        terms = self.terms(context.character, ask, context.settings.of(Settings))
        pool = Pool(terms["dice"])
        return stress_bar(pool, [_each(resistance_stress(pool.dice)), *self.notes(context, ask, terms)])


def stress_bar(pool: Pool, lines: list[str]) -> Odds:
    """Return the bar of the stress that resisting with these dice may cost, with what to expect before the `lines`."""
    chances = resistance_stress(pool.dice)
    parts = [
        Part(look, str(words), sum((chances.get(stress, NONE) for stress in each), NONE))
        for look, words, each in STRESS
    ]
    expected = _("expected stress {stress}").format(stress=decimal(mean(chances), 1))
    return bar(parts, dice=pool.rolled, lines=[expected, *lines])


def _against(consequence: str) -> Terms:
    """Return what is resisted as it is kept: a consequence of the menu by its code, else what was typed. Raises Invalid."""
    typed = short_words(consequence, "consequence")
    code = next((code for code, words in MENU.items() if str(words) == typed), None)
    return {"resisted": {"code": code}} if code else {"consequence": typed} if typed else {}


def _each(chances: Mapping[int, Fraction]) -> str:
    """Return the chance of each stress that can come: "clears 1: 7 %, 0: 35 %, 1: 28 %"."""
    can = [(stress, chance) for stress, chance in sorted(chances.items()) if chance]
    clears = _("clears 1")
    return ", ".join(f"{stress if stress >= 0 else clears}{colon()}{percent(chance)}" for stress, chance in can)
