"""The roll of Storyteller at the table: traits of a sheet or a typed pool against a difficulty."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.errors import Forbidden, Invalid
from campaigns.kinds import Payload
from campaigns.schema import Code, Name, Schema
from campaigns.text import signed
from characters.models import Character
from characters.reasons import ROLL
from characters.sheets.sheet import Values
from characters.sheets.steps import Add, Shift, Step, Take
from characters.sheets.traits import Trait, folded
from languages.text import gettext_lazy
from rolls.models import Roll, RollRequest
from rolls.odds import Part, bar
from rolls.services.roll_context import as_requested, by_the_rules, check_seen
from rolls.settings import RollSettings
from rolls.stage import dice_words
from rolls.table_rules import (
    Again,
    CardDie,
    Odds,
    OddsContext,
    Outcome,
    PreparedRoll,
    Requested,
    RollContext,
    TableRules,
    Terms,
)
from rules.dice import Faces
from rules.effects import Write
from rules.errors import Block, RuleError, whole
from rules.tally import FallenDie, Shifts, Tally
from rulesets.storyteller import sheet
from rulesets.storyteller.odds import deltas, joint
from rulesets.storyteller.rules import roll as rules
from rulesets.storyteller.rules.damage import Harm, Health, hurt
from rulesets.storyteller.rules.roll import (
    RESULT_WORDS,
    Ask,
    Kind,
    Pool,
    Result,
    Role,
    degree,
    resolve,
    severity_name,
    severity_words,
    typed_pool,
    why,
)
from rulesets.storyteller.settings import HIGHEST_DIFFICULTY, LOWEST_DIFFICULTY, Settings
from rulesets.storyteller.sheet import SHEET
from rulesets.storyteller.table.ask import (
    KIND_WORDS,
    NAME,
    OWN_KINDS,
    StorytellerInput,
    asked_pool,
    asked_words,
    check_spared,
    has_paid,
    kind_of,
    no_one_to_pay,
    paid_words,
    pool_of,
    rated_values,
    trait_words,
    turn_of,
    wounds_of,
)
from scale.counting import Countable, Gift
from scale.services.moving import extra_dice, odds_lines

# How the Scale counts the dice of Storyteller rolls, and what a result of it does on a Storyteller sheet.


NO_ACTION: Final = {
    Kind.SOAK: gettext_lazy("a soak roll"),
    Kind.WILLPOWER: gettext_lazy("a Willpower roll"),
    Kind.INSPIRATION: gettext_lazy("an Inspiration roll"),
    Kind.HUMANITY: gettext_lazy("a Humanity roll"),
    Kind.VIRTUE: gettext_lazy("a Virtue roll"),
    Kind.INITIATIVE: gettext_lazy("an initiative roll"),
    Kind.DAMAGE: gettext_lazy("a damage roll"),
    Kind.OTHER: gettext_lazy("not an action roll"),
}
"""The words for rolls that are no action rolls (scale.txt, Scale Procedure; our decision for Inspiration, virtues, damage and
all else).
"""

HEALED: Final = 3
HURT: Final = 6
MOST_BASHING: Final = 5
"""The highest face of a d10 by which harm is bashing."""


class StorytellerCountable(Countable):
    usual = {"dice": 5, "difficulty": 6}

    def no_action(self, kind: str) -> str:
        return str(NO_ACTION.get(Kind(kind), ""))

    def fallen(self, payload: Mapping[str, Any]) -> Sequence[FallenDie]:
        """Return the dice in the order in which they fell. 1s that a mastered Ability removed from a botch cancel nothing."""
        faces = [die["face"] for die in payload["dice"]]
        outcome = resolve(Ask(pool=typed_pool(len(faces)), difficulty=payload["difficulty"]), iter(faces))
        return [FallenDie(die.face, die.role is Role.CANCELS) for die in outcome.dice]

    def shifts(self, terms: Terms, tally: Tally) -> Shifts:
        return deltas(terms["dice"], terms["difficulty"], tally)

    def gives(self, gift: Gift, values: Values, settings: RollSettings) -> Sequence[Step] | None:
        """Heal the lightest levels first; end the first condition of this name."""
        health = Health(**{harm.value: SHEET.number(values, harm.value) for harm in Harm})
        match gift.code:
            case "heal":
                bashing = min(HEALED, health.bashing)
                return _shifts(bashing=-bashing, lethal=-min(HEALED - bashing, health.lethal))
            case "heal_aggravated":
                return _shifts(aggravated=-min(1, health.aggravated))
            case "blood":
                return _shifts(blood=-min(1, SHEET.number(values, "blood")))
            case "hurt":
                harm = Harm.BASHING if gift.face <= MOST_BASHING else Harm.LETHAL
                after = hurt(health, harm, HURT, settings.of(Settings))[0]
                return _shifts(**{name: getattr(after, name) - getattr(health, name) for name in map(str, Harm)})
            case "end":
                rows = (row for row in SHEET.rows(values, "conditions") if folded(row["name"]) == folded(gift.name))
                return [Take("conditions", row["id"]) for row in rows][:1]
            case "condition":
                return [Add("conditions", {"name": gift.name, "words": gift.words})]
        return None


def _shifts(**by: int) -> list[Step]:
    """Return the steps, those that make less first, since a sheet never holds more levels than there are."""
    return [Shift(name, change) for name, change in sorted(by.items(), key=lambda pair: pair[1]) if change]


INCAPACITATED: Final = Block("incapacitated", gettext_lazy("while incapacitated"))
PAID: Final = Block("willpower_paid", gettext_lazy("a second Willpower point this turn"))
OF_WOUNDS: Final = ("wounds", "wounds_left_out")
PARTS: Final = {
    "botch": ("worst", RESULT_WORDS["botch"]),
    "failure": ("bad", RESULT_WORDS["failure"]),
    "marginal": ("fair", RESULT_WORDS["marginal"]),
    "two_or_more": ("good", gettext_lazy("two or more")),
}
"""The parts of the bar of odds: how each looks, and its words."""


class TraitTold(Schema):
    code: Code
    name: Name | None = None


class PoolTold(Schema):
    traits: list[TraitTold]
    dots: int
    modifier: int
    extra_dice: int
    wounds: int | None = None
    wounds_left_out: int | None = None
    dice: int


class Card(Schema):
    pool: PoolTold
    difficulty: int
    dice: list[CardDie]
    willpower: bool
    automatic: bool
    total: int
    severity: int
    severity_name: Name | None = None


class RequestTerms(Schema):
    """Names what a GM asks for, or a player announces, who leaves the difficulty to the GM; `automatic` is then what they ask
    for. `dice` is a number of dice without traits.
    """

    difficulty: int | None = None
    kind: Code
    automatic: bool
    traits: list[Code] | None = None
    dice: int | None = None


class StorytellerTable(TableRules):
    schema = Card
    request_schema = RequestTerms
    correctable = ("difficulty", "kind", "ability")
    counted = StorytellerCountable()

    def prepare(self, context: RollContext, ask: StorytellerInput) -> PreparedRoll:
        """Raise Invalid for what the rules do not allow, Conflict when the GM has since changed the request, Forbidden for an
        automatic success that no one allowed."""
        character = context.character
        ask = _bound(context.request, ask)
        kind = kind_of(ask, rated_values(character))
        if not context.work.by.is_gm and context.requested.get("kind") != kind.value:
            check_spared(kind, ask, rated_values(character))
        _check_able(context, kind)
        falling = context.falling(NAME, kind.value, has_dice=not ask.automatic)
        wounds = wounds_of(character, ask, kind, context.settings)
        pool, traits = pool_of(character, ask, extra_dice(falling), 0 if ask.unhurt else wounds)
        with by_the_rules():
            asked = rules.Ask(pool=pool, difficulty=ask.difficulty, kind=kind, willpower=ask.willpower)
        if ask.automatic:
            _check_let_through(context)
        turn = _pays(context, character) if ask.willpower else ""
        terms = {
            # The sheet's own traits are identified by its names, rows also by their typed names.
            "traits": [{"code": trait.name} | ({"name": trait.label} if "/" in trait.name else {}) for trait in traits],
            "dots": pool.dots,
            "modifier": pool.modifier,
            "extra_dice": pool.extra_dice,
            "wounds": pool.wounds,
            "wounds_left_out": wounds - pool.wounds,
            "ability": pool.ability,
            "dice": pool.dice,
            "difficulty": asked.difficulty,
            "kind": asked.kind.value,
            "willpower": asked.willpower,
            "automatic": ask.automatic,
        }
        if turn:
            terms["turn"] = turn
        return PreparedRoll(kind=kind.value, terms=terms, count=0 if ask.automatic else pool.dice)

    def read(self, terms: Terms, faces: Faces, settings: RollSettings) -> Outcome:
        """Read the faces. How the pool came to be does not matter, only how many dice it had; without dice, how many dots, since
        modifiers do not count there."""
        automatic = terms["automatic"]
        ask = rules.Ask(
            pool=typed_pool(terms["dots" if automatic else "dice"], ability=terms["ability"]),
            difficulty=terms["difficulty"],
            kind=Kind(terms["kind"]),
            willpower=terms["willpower"],
        )
        outcome = rules.succeed_automatically(ask) if automatic else rules.resolve(ask, faces, settings.of(Settings))
        stored = {
            "result": outcome.result.value,
            "dice": [{"face": die.face, "role": die.role.value} for die in outcome.dice],
            "total": outcome.total,
            "severity": outcome.severity,
        }
        # A botch has a name where the table calls it otherwise than is usual.
        if outcome.severity and outcome.severity_name != severity_name(outcome.severity):
            stored["severity_name"] = outcome.severity_name
        return Outcome(faces=outcome.faces, outcome=stored)

    def writes(self, roll: Roll) -> list[Write]:
        """Return the point of Willpower that was spent on it."""
        if not roll.ask["willpower"] or roll.character_id is None:
            return []
        return [Write(character=str(roll.character_id), steps=(Shift("willpower_now", -1),), why=ROLL)]

    def card(self, roll: Roll) -> dict[str, Any]:
        # Of wounds most have nothing to tell, and rolls from before they counted do not know of them.
        pool = {name: roll.ask[name] for name in PoolTold.model_fields if name not in OF_WOUNDS or roll.ask.get(name)}
        return super().card(roll) | {"pool": pool}

    def describe(self, payload: Payload) -> Payload:
        words, difficulty = _pool_words(payload["pool"]), payload["difficulty"]
        return {
            "words": words,
            "pool": {**payload["pool"], "words": words},
            "kind_words": str(KIND_WORDS[Kind(payload["kind"])]),
            "dice": [{**die, "why": why(Role(die["role"]), difficulty)} for die in payload["dice"]],
            "headline": capfirst(str(RESULT_WORDS[degree(payload["total"]) or payload["outcome"]])),
            "detail": _detail(payload),
        }

    def again(self, roll: Roll) -> Again:
        """Return its pool, modifier, difficulty and kind, without Willpower."""
        terms, kind = roll.ask, Kind(roll.kind)
        pool = " + ".join(trait_words(terms["traits"])) or str(terms["dots"])
        said = Kind.ACTION if terms["traits"] and kind in OWN_KINDS.values() else kind
        fields = {"pool": pool, "modifier": terms["modifier"], "difficulty": terms["difficulty"], "kind": said.value}
        return Again(words=_pool_words(terms), fields=fields)

    def preview(self, context: OddsContext, ask: StorytellerInput) -> Odds | None:
        """Return None while there is no pool that could be rolled. All in it comes from the roller's own sheet and form."""
        try:
            kind = kind_of(ask, rated_values(context.character))
            falling = context.falling(NAME, kind.value, has_dice=not ask.automatic)
            wounds = wounds_of(context.character, ask, kind, context.settings)
            pool, traits = pool_of(context.character, ask, extra_dice(falling), 0 if ask.unhurt else wounds)
            asked = rules.Ask(pool=pool, difficulty=ask.difficulty, kind=kind, willpower=ask.willpower)
            if ask.automatic:
                rules.succeed_automatically(asked)
        except (Invalid, RuleError, ValueError):
            return None
        if ask.automatic:
            parts = _parts({"marginal": Fraction(1)})
            return bar(parts, dice=0, lines=odds_lines(falling, {}))
        parts = _parts(chances(asked, context.settings))
        warning = beyond_human() if pool.is_beyond_human else ""
        lines = [*odds_lines(falling, {"dice": pool.dice, "difficulty": ask.difficulty}), warning]
        return bar(parts, dice=pool.dice, pool=_reckoned(traits, pool), hurt=wounds > 0, lines=lines)

    def request(self, context: OddsContext, ask: StorytellerInput) -> Requested:
        """Return traits or a number of dice, a difficulty, what the roll is, and whether a large pool may go without dice.
        A player who announces one leaves the difficulty to the GM."""
        # Without a sheet yet: only whether there are such traits, their names, and their effect on the roll.
        kind = kind_of(ask, {})
        terms: dict[str, Any] = {"kind": kind.value, "automatic": ask.automatic}
        with by_the_rules():
            if context.is_gm:
                terms["difficulty"] = whole("difficulty", ask.difficulty, LOWEST_DIFFICULTY, HIGHEST_DIFFICULTY)
            if ask.traits:
                terms["traits"] = [trait.name for trait in sheet.pool({}, ask.traits).traits]
            elif ask.dice is not None:
                terms["dice"] = typed_pool(ask.dice).dots
        return Requested(terms=terms)

    def request_words(self, terms: Terms) -> str:
        return asked_words(terms)

    def request_fields(self, terms: Terms) -> Terms:
        pool = asked_pool(terms)
        fields = {name: terms[name] for name in ("difficulty", "kind", "automatic") if name in terms}
        return fields | ({"pool": pool} if pool else {})


def _bound(asked: RollRequest | None, ask: StorytellerInput) -> StorytellerInput:
    """Return the ask with the GM's terms. Whether to go without dice, where that is allowed, is the player's to say. Raises
    Conflict."""
    if asked is None:
        return ask
    ask = as_requested(ask, {field: asked.terms[field] for field in ("difficulty", "kind")})
    if not asked_pool(asked.terms):
        return ask
    with by_the_rules():
        typed = "" if ask.dice is None else str(ask.dice)
        seen = sheet.pool({}, ask.traits).label if ask.traits else typed
    check_seen("pool", seen, asked_pool(asked.terms))
    return replace(ask, traits=tuple(asked.terms.get("traits", ())), dice=asked.terms.get("dice"))


def _check_able(context: RollContext, kind: Kind) -> None:
    """Block an action of an incapacitated character, unless the campaign allows it (our decision, like all figures)."""
    values = rated_values(context.character)
    if kind is not Kind.ACTION or not values or context.settings.of(Settings).incapacitated_may_act:
        return
    if context.character and sheet.is_incapacitated(values):
        name = context.character.name
        message = _("{name} is incapacitated and can’t act until a health level heals.").format(name=name)
        context.block(INCAPACITATED, message)


def _pays(context: RollContext, character: Character | None) -> str:
    """Return the turn in which a character spends Willpower, "" outside turns. Raises Invalid, Blocked."""
    if character is None:
        raise Invalid(no_one_to_pay(), field="willpower")
    if character.number("willpower_now") < 1:
        raise Invalid(_("{name} has no Willpower left.").format(name=character.name), field="willpower")
    turn = turn_of(character)
    if turn and has_paid(character.pk, turn):
        context.block(PAID, paid_words(character.name))
    return turn


def _check_let_through(context: RollContext) -> None:
    """Refuse a roll that the GM has not waved through (storyteller.txt, Automatic Successes)."""
    allowed = context.settings.of(Settings).automatic_success or context.requested.get("automatic")
    if not (context.work.by.is_gm or allowed):
        raise Forbidden(_("Only the GM can allow an automatic success."))


def chances(asked: rules.Ask, settings: RollSettings) -> dict[str, Fraction]:
    """Return the chance of each part of the bar, of 1 in all."""
    own = settings.of(Settings)
    odds = joint(asked.pool.dice, asked.difficulty, ability=asked.pool.ability, settings=own)
    summed = dict.fromkeys(PARTS, Fraction())
    for verdict, _delta, ways in odds:
        botched = verdict.botch and rules.may_botch(asked.kind, own)
        botched = botched and not (asked.willpower and own.willpower_prevents_botch)
        total = verdict.net + asked.willpower
        outcome = "botch" if botched else "failure" if total < 1 else "marginal" if total == 1 else "two_or_more"
        summed[outcome] += Fraction(ways, odds.total)
    return summed


def _parts(shares: Mapping[str, Fraction]) -> list[Part]:
    return [Part(PARTS[name][0], str(PARTS[name][1]), chance) for name, chance in shares.items()]


def beyond_human() -> str:
    """Return the warning for a pool of more than ten dice."""
    return _("More than 10 dice is beyond human ability.")


def _pool_words(pool: Payload) -> str:
    return " + ".join(trait_words(pool["traits"])) or dice_words(pool["dots"])


def _reckoned(traits: Iterable[Trait], pool: Pool) -> str:
    """Return how a pool is made up: "Dexterity 3 + Stealth 4, hurt −2"; "" for a plain number of dice."""
    named = " + ".join(f"{trait.label} {trait.rating}" for trait in traits)
    changes = (
        (_("modifier {dice}"), pool.modifier),
        (_("Burn {dice}"), pool.extra_dice),
        (_("wounds {dice}"), -pool.wounds),
    )
    changed = [words.format(dice=signed(dice)) for words, dice in changes if dice]
    return ", ".join([named or str(pool.dots), *changed]) if named or changed else ""


def _detail(payload: Payload) -> str:
    """Return how many successes there are, or why there are none."""
    result, roles = Result(payload["outcome"]), [die["role"] for die in payload["dice"]]
    cancelled, total, severity = roles.count(Role.CANCELLED), payload["total"], payload["severity"]
    if result is Result.BOTCH:
        named = severity_words(payload.get("severity_name") or severity_name(severity))
        words = ngettext("{severity}: no successes and a 1", "{severity}: no successes and {count} 1s", severity)
        return words.format(severity=named, count=severity)
    if result is Result.SUCCESS:
        if payload["dice"] and payload["willpower"]:
            words = ngettext("{count} success, by Willpower", "{count} successes, one of them by Willpower", total)
        else:
            words = ngettext("{count} success", "{count} successes", total)
        return words.format(count=total)
    if cancelled:
        words = ngettext("{count} success, cancelled", "{count} successes, all cancelled", cancelled)
        return words.format(count=cancelled)
    return _("no botch thanks to the Ability") if Role.SPARED in roles else _("no successes")
