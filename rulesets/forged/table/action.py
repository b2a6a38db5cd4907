"""An action roll: its pool, its position and effect, and its outcome by the rules (forged.txt, Action Roll)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from campaigns.errors import Invalid
from campaigns.kinds import Payload
from campaigns.text import signed
from characters.models import Character
from characters.reasons import Reason
from characters.sheets.steps import Shift
from languages.text import colon, gettext_lazy, pgettext_lazy
from rolls.models import Roll
from rolls.odds import Part, bar, decimal, percent
from rolls.services.roll_context import named
from rolls.services.roll_making import step_on
from rolls.settings import RollSettings
from rolls.table_rules import Odds, OddsContext, Outcome, PreparedRoll, RollContext, Terms
from rules.dice import Faces, mean
from rules.effects import Write
from rules.errors import word
from rulesets.forged import sheet
from rulesets.forged.odds import resistance_stress, results
from rulesets.forged.rules.action import (
    ASSIST_COST,
    PUSH_COST,
    Built,
    Direction,
    Effect,
    Influences,
    Level,
    Position,
    build,
    desperate_xp,
    gambits_gained,
    menu_of,
    push_cost,
    trade,
    verdict,
)
from rulesets.forged.rules.blocks import FULL_STRESS, SEVERE_HARM, full_words, severe_words
from rulesets.forged.rules.body import Attribute, resist_cost, resist_pool
from rulesets.forged.rules.consequence import Resisting
from rulesets.forged.rules.downtime import ENTANGLEMENT, ENTANGLEMENT_WORDS, Activity, amount_of, entanglement
from rulesets.forged.rules.fortune import PERFORMANCES
from rulesets.forged.rules.roll import Pool, Result, action_pool, fortune_pool, resolve, with_more
from rulesets.forged.rules.score import engagement
from rulesets.forged.settings import Settings
from rulesets.forged.table.ask import (
    NAME,
    ForgedInput,
    Kind,
    Push,
    harms,
    has_sheet,
    helper_of,
    is_harmed,
    more_dice,
    rated_action,
    rated_attribute,
    refused_at,
    short_words,
)
from rulesets.forged.table.roll import (
    ForgedRoll,
    character_of,
    check_room,
    extra_dice,
    extras_of,
    is_own,
    is_staged,
    marks,
    read_outcome,
    set_by_gm,
)
from rulesets.forged.table.words import (
    ATTRIBUTE_WORDS,
    BECOMES,
    EFFECTS_SAID,
    EXTRAS,
    FELL,
    FOLLOWS,
    HEADLINES,
    MENU,
    POSITION_LABELS,
    STEPS,
    WITHDRAW,
    resisted_words,
    said_words,
    terms_words,
)

AT: Final = {
    "rating": "action",
    "assists": "helper",
    "level2_harm": "harm2",
    "level1_harm": "harm1",
    "direction": "trade",
}
"""The fields of the form, by what the rules call them."""
DESPERATE: Final = Reason("forged_desperate", gettext_lazy("a desperate action"), quiet=True)
"""Of the XP that the roll's card says."""
AS_ASKED: Final = ("incapacitated", "gambit", "setup", "ability", "harm1", "harm2")
"""The terms that a roll stores under the names of the form's fields."""
KEPT_TERMS: Final = ("action", "attribute", "rating", "trade", "bargain")
KEPT_OUTCOME: Final = ("position", "effect", "reached", "steps", "menu", "xp", "gambits")
UNSAID: Final[Mapping[str, Any]] = {"reached": "", "ticks": 0, "steps": [], "menu": []}
"""What the card of one roll of a group leaves to the group: the best result counts for all."""
ONE_DIE: Final = {"push_die": ("push", 1), "bargain": ("bargain", 1), "gambit": ("gambit", 1), "harm2": ("harm", -1)}
"""The terms that add or remove a die, with the name of the reason."""


class ActionRoll(ForgedRoll):
    """An action in the position and with the effect that the GM has said."""

    kind = Kind.ACTION
    unset = gettext_lazy("position and effect as you said: the GM hasn’t set them")

    def prepare(self, context: RollContext, ask: ForgedInput) -> PreparedRoll:
        return super().prepare(context, replace(ask, action=sheet.code_of(ask.action)))

    def terms(self, character: Character | None, ask: ForgedInput, settings: Settings) -> Terms:
        rated = rated_action(character, ask)
        bargain = short_words(ask.bargain, "bargain")
        harmed = is_harmed(character, ask)
        ask = replace(ask, harm2=ask.harm2 or (harmed and not ask.unhurt))
        with refused_at(**AT):
            pushed = _pushed(ask)
            pool = action_pool(
                rating=rated.rating,
                assists=int(ask.helper is not None),
                push=pushed["push_die"],
                bargain=bool(bargain),
                gambit=ask.gambit,
                level2_harm=ask.harm2,
                more=ask.more,
                settings=settings,
            )
            kept: Terms = {
                "action": rated.name,
                "attribute": rated.attribute,
                "rating": rated.rating,
                "dice": pool.dice,
                "position": word("position", ask.position, Position).value,
                "effect": word("effect", ask.effect, Effect).value,
                "trade": word("trade", ask.trade, Direction).value if ask.trade else "",
                "bargain": bargain,
                "reduced": False,
                "harm_left_out": harmed and not ask.harm2,
            }
            kept |= pushed | {name: getattr(ask, name) for name in AS_ASKED} | more_dice(ask)
            kept |= {"group": True} if ask.group else {}
            _position_of(kept, settings)
            _effect_of(kept, settings)
        return kept

    def checked(self, context: RollContext, ask: ForgedInput, terms: Terms) -> Terms:
        """Raises Invalid for a helper who cannot help, and for a push without room on the stress track."""
        settings = context.settings.of(Settings)
        helper = helper_of(context, ask.helper) if ask.helper else None
        _check_said(context, ask)
        _check_able(context, ask)
        check_room(context.character, terms["stress"], "push", settings)
        if helper is not None and (helper.written_by(context.work.by) or is_staged(context.request)):
            check_room(helper, ASSIST_COST, "helper", settings)
        kept = {"helper": str(helper.pk) if helper else None} | marks(context, helper)
        return kept if kept["set_by_gm"] else kept | {"usual": settings.only_gm_sets}

    def read(self, terms: Terms, faces: Faces, settings: RollSettings) -> Outcome:
        """Return the outcome with the current position and effect, which a GM may have corrected. A 1-3 has no effect."""
        own = settings.of(Settings)
        with refused_at(**AT):
            position = _position_of(terms, own)
            outcome = resolve(Pool(terms["dice"]), faces)
            set_up = _effect_of(terms, own)
            reached = _effect_of(terms, own, critical=outcome.result is Result.CRITICAL)
        done = outcome.result is not Result.BAD
        kept = {
            "position": position.value,
            "effect": set_up.level.effect.value,
            "reached": reached.level.effect.value if done else "",
            "ticks": reached.level.ticks if done else 0,
            "steps": [{"why": step.why, "change": step.change} for step in reached.steps],
            "menu": list(menu_of(position, outcome.result)),
            "xp": desperate_xp(position),
            "gambits": gambits_gained(position, outcome.result, spent=terms["gambit"], settings=own),
        }
        return read_outcome(outcome, kept)

    def charges(self, roll: Roll) -> Iterable[tuple[str | None, int, str]]:
        own, helper = str(roll.character_id) if roll.character_id else None, roll.ask["helper"]
        return (own, roll.ask["stress"], "push"), (helper, ASSIST_COST if helper else 0, "help")

    def writes(self, roll: Roll) -> Sequence[Write]:
        """Return the stress that it costs, and the xp of a desperate action, unless a procedure marks that."""
        address = _xp_track(roll)
        earned = Write(character=str(roll.character_id), steps=(Shift(address, roll.outcome["xp"]),), why=DESPERATE)
        return [*super().writes(roll), *([earned] if address else [])]

    def names(self, roll: Roll) -> list[Character]:
        helper = character_of(roll, roll.ask.get("helper"))
        return [helper] if helper else []

    def own_card(self, roll: Roll) -> dict[str, Any]:
        ask, outcome = roll.ask, roll.outcome
        helper, address = character_of(roll, ask["helper"]), _xp_track(roll)
        marked = step_on(roll, str(roll.character_id), address) if address else None
        helped = [{"code": "help", "name": helper.name, "dice": 1}] if helper else []
        return {
            "extras": [
                *helped,
                *extra_dice(
                    *(extra for term, extra in ONE_DIE.items() if ask[term]), ("more", int(ask.get("more", 0)))
                ),
            ],
            **({"more_from": ask["more_from"]} if ask.get("more_from") else {}),
            "said": {"position": ask["position"], "effect": ask["effect"]},
            **{name: ask[name] for name in KEPT_TERMS},
            **{name: outcome[name] for name in KEPT_OUTCOME},
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

    def requested(self, ask: ForgedInput) -> Terms:
        if ask.rating is not None:
            raise Invalid(
                _("Type only the action. Its rating comes from the sheet, or from the player."), field="action"
            )
        name = named(action=sheet.code_of(ask.action))
        with refused_at():
            position, effect = word("position", ask.position, Position), word("effect", ask.effect, Effect)
        return name | {"position": position.value, "effect": effect.value}

    def request_words(self, terms: Terms) -> str:
        """Return words for a request: "Prowl, risky, standard effect"."""
        action = sheet.called(terms["action"]) if "action" in terms else _("An action")
        if "position" not in terms:
            return action
        return _("{action}, {terms}").format(action=action, terms=said_words(terms)["together"])

    def announces(self, ask: ForgedInput) -> tuple[str, Mapping[str, Any]] | None:
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
        pushes = {"push_die": ask.push in (Push.DIE, Push.BOTH), "push_effect": ask.push in (Push.EFFECT, Push.BOTH)}
        return "action", {"character": ask.character, "action": name, "group": False, "setup": False} | pushes

    def preview(self, context: OddsContext, ask: ForgedInput) -> Odds:
        settings = context.settings.of(Settings)
        terms = self.terms(context.character, ask, settings)
        lines = self.notes(context, ask, terms)
        # The GM has yet to set the stakes of a player's own roll.
        unsaid = is_own(context, ask) and settings.only_gm_sets
        lines = lines[:1] if unsaid else [*_stakes(terms, settings), *lines]
        changes = [f"{EXTRAS[code]} {signed(dice)}" for term, (code, dice) in ONE_DIE.items() if terms[term]]
        changes += [f"{terms['more_from']} {signed(terms['more'])}"] if terms["more"] else []
        helped = [_("help +1")] if ask.helper else []
        pool = ", ".join([f"{self.trait_name(terms)} {terms['rating']}", *helped, *changes])
        return self.results_bar(terms, lines, pool=pool, hurt=is_harmed(context.character, ask))


def _pushed(ask: ForgedInput) -> Terms:
    """Return the terms of a push: what it is for, and the stress it costs."""
    push = word("push", ask.push, Push)
    for_die, for_effect = push in (Push.DIE, Push.BOTH), push in (Push.EFFECT, Push.BOTH)
    stress = push_cost(die=for_die, effect=for_effect, incapacitated=ask.incapacitated)
    return {"push_die": for_die, "push_effect": for_effect, "stress": stress}


def _position_of(terms: Terms, settings: Settings) -> Position:
    """Return the position that is rolled in: the GM's, after a trade. Raises RuleError for a trade that cannot be."""
    said = Position(word("position", terms["position"], Position))
    if not terms["trade"]:
        return said
    before = build(terms["effect"], _before_trade(terms), settings).level.effect
    return trade(said, before, Direction(terms["trade"]), settings=settings)[0]


def _effect_of(terms: Terms, settings: Settings, *, critical: bool = False) -> Built:
    """Return how far the effect goes, step by step in the order of the rules. Raises RuleError for a trade that cannot be."""
    influences = replace(
        _before_trade(terms),
        trade=Direction(terms["trade"]) if terms["trade"] else None,
        level1_harm=terms["harm1"],
        critical=critical,
        reduced=terms["reduced"],
    )
    return build(terms["effect"], influences, settings)


def _before_trade(terms: Terms) -> Influences:
    return Influences(ability=terms["ability"], setup=terms["setup"], push=terms["push_effect"])


def _stakes(terms: Terms, settings: Settings) -> list[str]:
    """Return lines for what is at stake, and the expected ticks."""
    chances, usual = results(terms["dice"]), _effect_of(terms, settings).level
    critical, bad = chances[Result.CRITICAL], chances[Result.BAD]
    best = _effect_of(terms, settings, critical=True).level
    expected = (1 - bad - critical) * usual.ticks + critical * best.ticks
    return [
        str(terms_words(_position_of(terms, settings), usual.effect)),
        _("expected ticks {ticks}").format(ticks=decimal(expected, 1)),
        _("{count} stress").format(count=terms["stress"]) if terms["stress"] else "",
    ]


def _check_said(context: RollContext, ask: ForgedInput) -> None:
    """Raise Invalid where a campaign holds to it that position and effect are the GM's (forged.txt, The GM Sets the Position)."""
    free = context.work.by.is_gm or context.request is not None or not context.settings.of(Settings).only_gm_sets
    said = (ask.position, ask.effect, ask.trade, ask.setup, ask.ability)
    if not free and said != (Position.RISKY, Effect.STANDARD, "", False, 0):
        message = _("The GM sets position and effect: announce the action, or roll it risky with standard effect.")
        raise Invalid(message, field="position")


def _check_able(context: RollContext, ask: ForgedInput) -> None:
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


# A fortune roll: how something turns out that no one here decides (forged.txt, Fortune Roll).
#
# Procedures make some that settle something of their own: dice that are read alike, with other words on their card.


LEVELS_OF_RESULTS: Final = {Result.BAD: 0, Result.PARTIAL: 1, Result.FULL: 2, Result.CRITICAL: 3}
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
        return read_outcome(outcome, {"ticks": Level(LEVELS_OF_RESULTS[outcome.result]).ticks})

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


# A resistance roll: it always works, and the dice decide its cost (forged.txt, Resistance Roll).


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
