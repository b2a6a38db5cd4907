"""Forged rolls at the table: actions, resistance and fortune, from their terms (terms.py) to the words of their cards, with the
stress that they cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from campaigns.errors import Invalid
from campaigns.kinds import Payload
from campaigns.text import signed
from characters.models import Character
from characters.reasons import Reason
from characters.sheets.steps import Shift
from languages.text import colon, gettext_lazy, pgettext_lazy
from rolls.models import Roll, RollRequest
from rolls.odds import Part, bar, decimal, percent
from rolls.services.roll_context import as_requested
from rolls.services.roll_making import step_on
from rolls.settings import RollSettings
from rolls.table_rules import (
    Again,
    Odds,
    OddsContext,
    Outcome,
    PreparedRoll,
    Requested,
    RollContext,
    RollKind,
    TableRules,
    Terms,
)
from rules.dice import Faces, mean
from rules.effects import Write
from rules.messages import worded
from rulesets.forged import sheet
from rulesets.forged.odds import resistance_stress, results
from rulesets.forged.rules import D6, PERFORMANCES, Pool, Result, Role, Settings, resolve, why
from rulesets.forged.rules.action import (
    ASSIST_COST,
    FULL_STRESS,
    SEVERE_HARM,
    Attribute,
    Effect,
    Position,
    Resisting,
    check_payment,
    full_words,
    severe_words,
    verdict,
)
from rulesets.forged.rules.downtime import (
    ENTANGLEMENT,
    ENTANGLEMENT_WORDS,
    Activity,
    amount_of,
    engagement,
    entanglement,
)
from rulesets.forged.terms import (
    COHORT,
    CORRECTABLE,
    ENGAGEMENT,
    NAME,
    ActionTerms,
    Card,
    ForgedTerms,
    FortuneTerms,
    Kind,
    RequestTerms,
    ResistanceTerms,
    harms,
    has_sheet,
    refused_at,
)
from rulesets.forged.words import (
    ATTRIBUTE_WORDS,
    BECOMES,
    COSTS,
    EFFECTS_SAID,
    EXTRAS,
    FELL,
    FOLLOWS,
    HEADLINES,
    LOWEST,
    POSITION_LABELS,
    RESULT_FACES,
    RESULT_LOOKS,
    STEPS,
    WITHDRAW,
    resisted_words,
    said_words,
    terms_words,
)

SET_BY_GM: Final = ("position", "effect", "attribute", "resisting")
"""The terms of a request that a player who announces a roll leaves to the GM."""
REASONS: Final = {code: Reason(f"stress_{code}", words) for code, words in COSTS.items()}
DESPERATE: Final = Reason("forged_desperate", gettext_lazy("a desperate action"), quiet=True)
"""Of the XP that the roll's card says."""
STRESS: Final = (("good", gettext_lazy("no stress"), (-1, 0)), ("fair", "1–2", (1, 2)), ("worst", "3–5", (3, 4, 5)))
"""The parts of the bar of resisting; a line says the chance of each."""
UNSAID: Final[Mapping[str, Any]] = {"reached": "", "ticks": 0, "steps": [], "menu": []}
"""What the card of one roll of a group leaves to the group: the best result counts for all."""
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


class ForgedRoll(RollKind):
    """A roll of a pool of six-sided dice, of which the highest counts."""

    schema = Card
    kind: ClassVar[Kind]
    terms: ClassVar[type[ForgedTerms]]
    label: ClassVar[str]
    """What a card calls it."""
    at: ClassVar[Mapping[str, str]] = {}
    """The fields of the form, by what the rules call them, where those differ."""
    unset: ClassVar[str] = ""
    """Shown in place of the odds while no GM has set the terms."""
    again_by: ClassVar[tuple[str, ...]] = ()
    """The terms that ask for the same roll once more; what cost stress is left out."""

    # What each kind says

    def checked(self, context: RollContext, terms: Any) -> Terms:
        """Return further terms to keep, once those who roll and pay were checked under the lock."""
        raise NotImplementedError

    def trait_name(self, terms: Mapping[str, Any]) -> str:
        """Return the name of what was rolled, by a roll's terms or its card's payload: "Skirmish", "Prowess", "Fortune"."""
        raise NotImplementedError

    def charges(self, roll: Roll) -> Iterable[tuple[str | None, int, str]]:
        """Return the id of each payer, the stress, and a code for its reason; a charge of 0 is none."""
        return ((_own(roll), self.terms.of(roll.ask).stress, "push"),)

    def own_card(self, roll: Roll) -> dict[str, Any]:
        """Return the fields of the card that only this kind has."""
        raise NotImplementedError

    def own_words(self, payload: Payload, result: Result) -> Payload:
        """Return the words for what `own_card` has kept."""
        raise NotImplementedError

    # A roll

    def prepare(self, context: RollContext, ask: ForgedTerms) -> PreparedRoll:
        """Raises Invalid for what the rules do not allow, at the field at fault, Conflict where the GM has just asked for
        something else."""
        ask = as_requested(ask, self.request_fields(context.requested))
        terms, kept = self._kept(context.character, ask, context.settings)
        kept |= self.checked(context, terms)
        return PreparedRoll(kind=self.kind.value, terms=kept, count=Pool(kept["dice"]).rolled, die=D6)

    def read(self, terms: Terms, faces: Faces, settings: RollSettings) -> Outcome:
        """Return the outcome of the terms as they are now; a GM may have corrected some."""
        with refused_at(**self.at):
            known, outcome = self.terms.of(terms), resolve(Pool(terms["dice"]), faces)
            kept = known.result(outcome, settings.of(Settings))
        dice = [{"face": die.face, "role": die.role.value} for die in outcome.dice]
        told = {"result": outcome.result.name.lower(), "dice": dice, **kept}
        return Outcome(faces=tuple(die.face for die in outcome.dice), outcome=told)

    def writes(self, roll: Roll) -> Sequence[Write]:
        """Return the stress that it costs or clears."""
        if "costs" in roll.ask:  # from an earlier version, which stored its marks here
            return [
                Write(character=cost["payer"], steps=(Shift("stress", cost["marked"]),), why=REASONS[cost["why"]])
                for cost in roll.ask["costs"]
                if cost["marked"]
            ]
        return [
            Write(character=payer, steps=(Shift("stress", stress, most=roll.ask["boxes"]),), why=REASONS[reason])
            for payer, stress, reason in self.charges(roll)
            if stress and payer is not None and payer in roll.ask.get("marks", ())
        ]

    def _kept(self, character: Character | None, ask: ForgedTerms, settings: RollSettings) -> tuple[ForgedTerms, Terms]:
        """Return the terms with what the sheet gives, and as a roll keeps them. Raises Invalid."""
        with refused_at(**self.at):
            terms = ask.completed(character)
            return terms, terms.kept(settings.of(Settings))

    # Its descriptions

    def card(self, roll: Roll) -> dict[str, Any]:
        pool, terms = Pool(roll.ask["dice"]), self.terms.of(roll.ask)
        helper = _character_of(roll, roll.ask.get("helper"))
        named = {"help": {"name": helper.name if helper else ""}}
        charged = (_charged(roll, *charge) for charge in self.charges(roll) if charge[1])
        costs = roll.ask.get("costs", charged)
        return {
            "pool": {"dice": pool.dice, "lowest": pool.lowest},
            "dice": roll.outcome["dice"],
            "costs": [_cost(roll, cost) for cost in costs],
            "ticks": roll.outcome.get("ticks", 0),
            "set_by_gm": set_by_gm(roll),
            "extras": [{"code": code, "dice": dice} | named.get(code, {}) for code, dice in terms.extras if dice],
            **({"more_from": terms.more_from} if terms.more_from else {}),
            **({"staged": True} if is_staged(roll.request) else {}),
            **self.own_card(roll),
        }

    def describe(self, payload: Payload) -> Payload:
        pool, words, named = Pool(payload["pool"]["dice"]), self._rated(payload), {"more": payload.get("more_from")}
        dice = [{**die, "why": why(Role(die["role"]), pool)} for die in payload["dice"]]
        return {
            "words": words,
            "kind_words": str(self.label),
            "pool": {**payload["pool"], "words": words},
            "dice": dice,
            "costs": [{**cost, "why": str(COSTS[cost["why"]])} for cost in payload["costs"]],
            "extras": [
                {
                    "words": named.get(extra["code"]) or EXTRAS[extra["code"]].format(name=extra.get("name")),
                    "dice": extra["dice"],
                }
                for extra in payload.get("extras") or []
            ],
            **self.own_words(payload, Result[payload["outcome"].upper()]),
        }

    def again(self, roll: Roll) -> Again | None:
        """Return the same roll in the position that was set; what a procedure has rolled is not rolled by hand."""
        if roll.ask.get("settles"):
            return None
        return Again(words=self._rated(roll.ask), fields={"kind": roll.kind} | self.again_fields(roll))

    def again_fields(self, roll: Roll) -> Terms:
        """Return the fields of the form that ask for the same roll once more; what cost stress is left out."""
        return {name: roll.ask[name] for name in self.again_by}

    def _rated(self, terms: Mapping[str, Any]) -> str:
        """Return what was rolled with its dice, by a roll's terms or its card's payload."""
        return f"{self.trait_name(terms)} {terms['trait' if self.kind is Kind.FORTUNE else 'rating']}"

    # Before the dice fall

    def request(self, context: OddsContext, ask: Any) -> Requested:
        """Return the request; a player's announcement gets its position and effect when the GM sets them. Raises Invalid."""
        terms = ask.asked()
        if not context.is_gm:
            terms = {name: value for name, value in terms.items() if name not in SET_BY_GM}
        return Requested(terms=terms)

    def preview(self, context: OddsContext, ask: ForgedTerms) -> Odds:
        """Return the chances, from the roller's own sheet and form only. Raises Invalid without a valid pool."""
        terms, kept = self._kept(context.character, ask, context.settings)
        pool = Pool(kept["dice"])
        lines = [str(LOWEST) if pool.lowest else "", str(self.unset) if _is_own(context, ask) else ""]
        return self.bar(context, ask, terms, pool, lines)

    def bar(self, context: OddsContext, ask: Any, terms: Any, pool: Pool, lines: list[str]) -> Odds:
        """Return the bar of these dice, by default that of the four results: of what was `ask`ed for, and its whole `terms`."""
        return bar(result_parts(results(pool.dice)), dice=pool.rolled, lines=lines)


class ActionRoll(ForgedRoll):
    """An action in the position and with the effect that the GM has said (forged.txt, Action Roll)."""

    kind = Kind.ACTION
    terms = ActionTerms
    label = pgettext_lazy("forged roll", "action")
    at = {  # it is a ClassVar in the base
        "rating": "action",
        "assists": "helper",
        "level2_harm": "harm2",
        "level1_harm": "harm1",
        "direction": "trade",
    }
    unset = gettext_lazy("position and effect as you said: the GM hasn’t set them")

    def checked(self, context: RollContext, terms: ActionTerms) -> Terms:
        """Raises Invalid for a helper who cannot help, and for a push without room on the stress track."""
        settings = context.settings.of(Settings)
        helper = _helper_of(context, terms)
        _check_said(context, terms)
        _check_able(context, terms)
        _check_room(context.character, terms.stress, "push", settings)
        if helper is not None and (helper.written_by(context.work.by) or is_staged(context.request)):
            _check_room(helper, ASSIST_COST, "helper", settings)
        kept = _marks(context, helper)
        return kept if kept["set_by_gm"] else kept | {"usual": settings.only_gm_sets}

    def charges(self, roll: Roll) -> Iterable[tuple[str | None, int, str]]:
        helper = roll.ask["helper"]
        return *super().charges(roll), (helper, ASSIST_COST if helper else 0, "help")

    def writes(self, roll: Roll) -> Sequence[Write]:
        """Return the stress that it costs, and the xp of a desperate action, unless a procedure marks that."""
        address = _xp_track(roll)
        earned = Write(character=str(roll.character_id), steps=(Shift(address, roll.outcome["xp"]),), why=DESPERATE)
        return [*super().writes(roll), *([earned] if address else [])]

    def names(self, roll: Roll) -> list[Character]:
        helper = _character_of(roll, roll.ask.get("helper"))
        return [helper] if helper else []

    def own_card(self, roll: Roll) -> dict[str, Any]:
        ask, outcome, address = roll.ask, roll.outcome, _xp_track(roll)
        marked = step_on(roll, str(roll.character_id), address) if address else None
        return {
            "said": {"position": ask["position"], "effect": ask["effect"]},
            **{name: ask[name] for name in ("action", "attribute", "rating", "trade", "bargain")},
            **{name: outcome[name] for name in ("position", "effect", "reached", "steps", "menu", "xp", "gambits")},
            **({"xp_marked": marked["after"] - marked["before"]} if marked else {}),
            **({"harm_left_out": True} if ask.get("harm_left_out") else {}),
            **({"usual": True} if ask.get("usual") and not set_by_gm(roll) else {}),
            **({**UNSAID, "group": True} if ask.get("group") else {}),
        }

    def own_words(self, payload: Payload, result: Result) -> Payload:
        position, attribute = Position(payload["position"]), payload["attribute"]
        now, said = said_words(payload), said_words(payload["said"])
        return {
            "position_words": now["position"],
            "effect_words": now["effect"],
            "terms_words": now["together"],
            "said_words": said,
            "reached_words": str(EFFECTS_SAID[Effect(payload["reached"])]) if payload["reached"] else "",
            "headline": str(FELL[result] if payload.get("group") else HEADLINES[result]),
            "detail": _("the best roll of the group counts")
            if payload.get("group")
            else str(verdict(position, result)),
            "steps": [{**step, "why": str(STEPS[step["why"]])} for step in payload["steps"]],
            "steps_words": ", ".join(f"{STEPS[step['why']]} {signed(step['change'])}" for step in payload["steps"]),
            "follows": _choices(position, result, payload["menu"]),
            "xp_in": str(ATTRIBUTE_WORDS[Attribute(attribute)]) if attribute else _("the action’s attribute"),
        }

    def trait_name(self, terms: Mapping[str, Any]) -> str:
        return sheet.called(str(terms["action"])) or pgettext("forged roll", "Action")

    def again_fields(self, roll: Roll) -> Terms:
        terms = roll.ask
        on_sheet = terms["action"] and roll.character and roll.character.system == roll.system
        action = terms["action"] if on_sheet else f"{terms['action']} {terms['rating']}".strip()
        return {"action": action, "position": terms["position"], "effect": terms["effect"]}

    def request(self, context: OddsContext, ask: ActionTerms) -> Requested:
        if ask.rating is not None:
            message = _("Type only the action. Its rating comes from the sheet, or from the player.")
            raise Invalid(message, field="action")
        return super().request(context, ask)

    def whole(self, terms: Terms) -> bool:
        return "action" in terms and "position" in terms

    def request_words(self, terms: Terms) -> str:
        """Return words for a request: "Prowl, risky, standard effect"."""
        action = sheet.called(terms["action"]) if "action" in terms else _("An action")
        if "position" not in terms:
            return action
        return _("{action}, {terms}").format(action=action, terms=said_words(terms)["together"])

    def announces(self, ask: ActionTerms) -> tuple[str, Mapping[str, Any]] | None:
        """Return the procedure for an action of a forged sheet; None for others, which become requests. Raises Invalid
        for an unknown action.
        """
        theirs = Character.objects.filter(pk=ask.character, system=NAME) if ask.character else None
        if ask.rating is not None or theirs is None or not theirs.exists():
            return None
        if not ask.action.strip():
            raise Invalid(_("Type which action you announce."), field="action")
        with refused_at(pool="action"):
            name = sheet.action({}, ask.action).name
        given = {"character": ask.character, "action": name, "group": False, "setup": False}
        return "action", given | {"push_die": ask.push_die, "push_effect": ask.push_effect}

    def bar(self, context: OddsContext, ask: ActionTerms, terms: ActionTerms, pool: Pool, lines: list[str]) -> Odds:
        settings, chances = context.settings.of(Settings), results(pool.dice)
        # The GM has yet to set the stakes of a player's own roll.
        unsaid = _is_own(context, ask) and settings.only_gm_sets
        lines = lines[:1] if unsaid else [*_stakes(terms, chances, settings), *lines]
        added = [
            _("help +1") if code == "help" else f"{terms.more_from if code == 'more' else EXTRAS[code]} {signed(dice)}"
            for code, dice in terms.extras
            if dice
        ]
        made_of = ", ".join([self._rated(vars(terms)), *added])
        hurt = ask.rating is None and bool(harms(context.character).get(2))
        return bar(result_parts(chances), dice=pool.rolled, pool=made_of, hurt=hurt, lines=lines)


def _stakes(terms: ActionTerms, chances: Mapping[Result, Fraction], settings: Settings) -> list[str]:
    """Return lines for what is at stake, and the expected ticks."""
    usual, best = terms.built(settings), terms.built(settings, critical=True)
    critical, bad = chances[Result.CRITICAL], chances[Result.BAD]
    expected = (1 - bad - critical) * usual.ticks + critical * best.ticks
    return [
        str(terms_words(terms.rolled_in(settings), usual.effect)),
        _("expected ticks {ticks}").format(ticks=decimal(expected, 1)),
        _("{count} stress").format(count=terms.stress) if terms.stress else "",
    ]


def _check_said(context: RollContext, terms: ActionTerms) -> None:
    """Raise Invalid where a campaign holds to it that position and effect are the GM's (forged.txt, The GM Sets the Position)."""
    free = context.work.by.is_gm or context.request is not None or not context.settings.of(Settings).only_gm_sets
    said = (terms.position, terms.effect, terms.trade, terms.setup, terms.ability)
    if not free and said != (Position.RISKY, Effect.STANDARD, None, False, 0):
        message = _("The GM sets position and effect: announce the action, or roll it risky with standard effect.")
        raise Invalid(message, field="position")


def _check_able(context: RollContext, ask: ActionTerms) -> None:
    """Raise BlockedByState, unless a GM overrides it: full stress needs its trauma first; severe harm needs help or a push.

    A staged action has checked this on its card.
    """
    character = context.character
    if is_staged(context.request) or character is None or not has_sheet(character):
        return
    if character.number("stress") >= context.settings.of(Settings).boxes:
        context.block(FULL_STRESS, full_words(character.name))
    if harms(character).get(3) and ask.rating is None and not (ask.incapacitated or ask.helper):
        context.block(SEVERE_HARM, severe_words(character.name))


def _xp_track(roll: Roll) -> str:
    """Return the address of the track on which a roll marks xp; "" where it marks none."""
    earns = roll.outcome["xp"] and roll.ask["attribute"] and not is_staged(roll.request)
    if not earns or str(roll.character_id) not in roll.ask.get("marks", ()):
        return ""
    return sheet.xp_of(roll.ask["attribute"])


def _choices(position: Position, result: Result, menu: Iterable[str]) -> dict[str, Any]:
    """Return the choice that follows and who makes it: {"words", "menu"}, the menu empty if it is the player's."""
    consequences = [str(FOLLOWS[item]) for item in menu if item != WITHDRAW]
    if not consequences:
        return {"words": "", "menu": []}
    if position is Position.CONTROLLED and result is Result.BAD:
        return {"words": _("Press on through a risky opening, or withdraw and try another way."), "menu": []}
    if position is Position.CONTROLLED:
        return {"words": _("Withdraw and try another way, or do it and the GM picks"), "menu": consequences}
    if result is Result.BAD:
        return {"words": _("The GM says whether anything comes of it, and picks"), "menu": consequences}
    return {"words": _("The GM picks one or more"), "menu": consequences}


class FortuneRoll(ForgedRoll):
    """A roll of a trait: how something turns out that no one here decides (forged.txt, Fortune Roll). It costs only who pushes
    for a die: whoever is named as helper, else who rolls. Procedures make some that settle something of their own: dice that
    are read alike, with other words on their card."""

    kind = Kind.FORTUNE
    terms = FortuneTerms
    label = gettext_lazy("fortune")
    at = {"pool": "trait"}
    again_by = ("trait", "advantages", "disadvantages")

    def checked(self, context: RollContext, terms: FortuneTerms) -> Terms:
        pushes = _helper_of(context, terms)
        _check_room(pushes or context.character, terms.stress, "push", context.settings.of(Settings))
        return _marks(context, pushes) | {"set_by_gm": True}

    def charges(self, roll: Roll) -> Iterable[tuple[str | None, int, str]]:
        ((own, stress, why),) = super().charges(roll)
        return ((roll.ask.get("helper") or own, stress, why),)

    def own_card(self, roll: Roll) -> dict[str, Any]:
        ask, kept = roll.ask, {"trait": roll.ask["trait"]}
        if not (settles := ask.get("settles")):
            return kept
        keeps = ask["keeps"]
        return {
            **kept,
            "settles": settles,
            "face": next(die["face"] for die in roll.outcome["dice"] if die["role"] == "kept"),
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

    def whole(self, terms: Terms) -> bool:
        return True

    def request_words(self, terms: Terms) -> str:
        """Return words for a request: "Fortune 2 +1"."""
        changes = [signed(dice) for dice in (terms["advantages"], -terms["disadvantages"]) if dice]
        return " ".join([_("Fortune {dice}").format(dice=terms["trait"]), *changes])


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


class ResistanceRoll(ForgedRoll):
    """A roll of an attribute against a consequence. It always works, and the dice decide its cost (forged.txt, Resistance)."""

    kind = Kind.RESISTANCE
    terms = ResistanceTerms
    label = gettext_lazy("resistance")
    unset = gettext_lazy("attribute and what it does as you said: the GM hasn’t set them")
    again_by = ("attribute", "resisting")

    def checked(self, context: RollContext, terms: ResistanceTerms) -> Terms:
        _check_room(context.character, terms.stress, "push", context.settings.of(Settings))
        return _marks(context)

    def charges(self, roll: Roll) -> Iterable[tuple[str | None, int, str]]:
        return *super().charges(roll), (_own(roll), roll.outcome["stress"], "resistance")

    def own_card(self, roll: Roll) -> dict[str, Any]:
        kept = ("attribute", "rating", "consequence", "resisted", "resisting")
        told = {name: roll.ask[name] for name in kept if roll.ask.get(name) not in (None, "")}
        return told | {"stress": roll.outcome["stress"]}

    def own_words(self, payload: Payload, result: Result) -> Payload:
        stress, becomes = payload["stress"], BECOMES[Resisting(payload["resisting"])]
        consequence = resisted_words(payload) or _("the consequence")
        costs = _("{count} stress") if stress > 0 else _("Clears {count} stress") if stress else _("No stress")
        return {
            "headline": costs.format(count=abs(stress)),
            "detail": _("{consequence} {becomes}").format(consequence=consequence, becomes=becomes),
        }

    def trait_name(self, terms: Mapping[str, Any]) -> str:
        return str(ATTRIBUTE_WORDS[Attribute(terms["attribute"])])

    def request_fields(self, terms: Terms) -> Terms:
        fields = {name: value for name, value in terms.items() if name != "resisted"}
        against = resisted_words(terms)
        return fields | ({"consequence": against} if against else {})

    def whole(self, terms: Terms) -> bool:
        return "attribute" in terms

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

    def bar(
        self, context: OddsContext, ask: ResistanceTerms, terms: ResistanceTerms, pool: Pool, lines: list[str]
    ) -> Odds:
        """Return the chances of the stress that it may cost."""
        chances, clears = resistance_stress(pool.dice), _("clears 1")
        each = (
            f"{stress if stress >= 0 else clears}{colon()}{percent(chance)}"
            for stress, chance in sorted(chances.items())
            if chance
        )
        expected = _("expected stress {stress}").format(stress=decimal(mean(chances), 1))
        return bar(stress_parts(chances), dice=pool.rolled, lines=[expected, ", ".join(each), *lines])


KINDS: Final[Mapping[str, ForgedRoll]] = {
    rules.kind.value: rules for rules in (ActionRoll(), ResistanceRoll(), FortuneRoll())
}


class ForgedTable(TableRules):
    schema = Card
    request_schema = RequestTerms
    correctable = CORRECTABLE
    typed = ("bargain", "more_from")
    kinds = KINDS


def result_parts(chances: Mapping[Result, Fraction]) -> list[Part]:
    """Return the parts of a bar of the four results, with their words as they are stored."""
    return [Part(RESULT_LOOKS[result], worded(RESULT_FACES[result]), chances[result]) for result in Result]


def stress_parts(chances: Mapping[int, Fraction]) -> list[Part]:
    """Return the parts of a bar of the stress that resisting costs, likewise."""
    return [
        Part(look, worded(words), sum((chances.get(stress, Fraction()) for stress in each), Fraction()))
        for look, words, each in STRESS
    ]


def _is_own(context: OddsContext, ask: ForgedTerms) -> bool:
    """Return whether this is a player's own roll, without terms set by a GM."""
    return not context.is_gm and not ask.request


def is_staged(request: RollRequest | None) -> bool:
    """Return whether a procedure makes the roll; who pays was settled there."""
    return request is not None and request.procedure_id is not None


def set_by_gm(roll: Roll) -> bool:
    """Return whether the GM's terms are from a GM, who asked for, rolled or corrected it. Older rolls that do not say
    count as such.
    """
    return roll.corrects_id is not None or bool(roll.ask.get("set_by_gm", True))


def _character_of(roll: Roll, wanted: str | None) -> Character | None:
    """Return a character that the terms of a roll name by id, as it is now."""
    return Character.objects.filter(campaign=roll.campaign, pk=wanted).with_related().first() if wanted else None


def _own(roll: Roll) -> str | None:
    return str(roll.character_id) if roll.character_id else None


def _helper_of(context: RollContext, terms: ActionTerms | FortuneTerms) -> Character | None:
    """Return the other player's character at this table who helps, if any (forged.txt, Assist). Raises Invalid."""
    if not terms.helper:
        return None
    others = Character.objects.active().filter(campaign=context.work.campaign).exclude(owner=None)
    helper = others.with_related().filter(pk=terms.helper).first()
    if helper is None:
        raise Invalid(_("Only player characters in play can help. Choose one from the list."), field="helper")
    if context.character is not None and helper.pk == context.character.pk:
        raise Invalid(_("A character can’t help themselves. Choose another one."), field="helper")
    return helper


def _check_room(character: Character | None, cost: int, field: str, settings: Settings) -> None:
    """Raise Invalid at `field` where `cost` may not be marked before the roll; without a sheet there is nothing to check."""
    if not cost or character is None or not has_sheet(character):
        return
    marked = character.number("stress")
    if marked >= settings.boxes:
        raise Invalid(full_words(character.name), field=field)
    with refused_at(cost=field):
        check_payment(marked, cost, settings)


def _marks(context: RollContext, helper: Character | None = None) -> Terms:
    """Return the sheets that the roll writes on, their number of boxes, and whether the GM has set it.

    The roller may write on the character's sheet. Another player's helper pays too, but marks it themselves, unless a
    procedure has asked them: the card says so.
    """
    helps = helper is not None and (is_staged(context.request) or helper.written_by(context.work.by))
    characters = [
        character
        for character in (context.character, helper if helps else None)
        if character is not None and has_sheet(character)
    ]
    return {
        "marks": [str(character.pk) for character in characters],
        "boxes": context.settings.of(Settings).boxes,
        "set_by_gm": context.work.by.is_gm or context.request is not None,
    }


def _cost(roll: Roll, cost: Mapping[str, Any]) -> dict[str, Any]:
    """Return a cost as the card keeps it, with the payer's current name."""
    payer = _character_of(roll, cost["payer"])
    terms = {name: cost[name] for name in ("stress", "why", "marked", "full")}
    return terms | {"character": payer.ref if payer else None}


def _charged(roll: Roll, payer: str | None, stress: int, reason: str) -> dict[str, Any]:
    cost = {"payer": payer, "stress": stress, "why": reason, "marked": None, "full": False}
    step = step_on(roll, payer, "stress") if payer else None
    if step is None:
        return cost
    moved = step["after"] - step["before"]
    return cost | {"marked": moved, "full": moved > 0 and step["after"] >= roll.ask["boxes"]}
