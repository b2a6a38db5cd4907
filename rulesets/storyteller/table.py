"""The roll of Storyteller at the table: traits of a sheet or a typed pool against a difficulty."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from characters.reasons import ROLL
from characters.sheets.sheet import Values
from characters.sheets.steps import Add, Shift, Step, Take
from characters.sheets.traits import folded
from languages.text import gettext_lazy
from rolls.models import Procedure, Roll, RollRequest
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
from rulesets.storyteller.odds import deltas, outcomes
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
from rulesets.storyteller.terms import (
    KIND_WORDS,
    NAME,
    NO_ONE_TO_PAY,
    OWN_KINDS,
    PAID_BEFORE,
    TO_BE_SET,
    StorytellerInput,
    check_spared,
    has_paid,
    rated_values,
    trait_words,
    turn_of,
)
from scale.counting import Countable, Gift
from scale.services.moving import Falling, extra_dice, odds_lines

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
LOOKS: Final = {Result.BOTCH: "worst", Result.FAILURE: "bad", "marginal": "fair"}
"""How the parts of a bar of odds look that are not good."""
KEPT: Final = ("dots", "modifier", "extra_dice", "wounds", "wounds_left_out", "ability", "dice")
"""What a roll keeps of its pool."""


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
        ask = _bound(context.request, ask)
        asked = _asked(context, ask)
        pool, kind = asked.pool, asked.kind.value
        if not context.work.by.is_gm and context.requested.get("kind") != kind:
            with by_the_rules():
                check_spared(asked)
        _check_able(context, asked.kind)
        if ask.automatic and not (
            context.work.by.is_gm
            or context.requested.get("automatic")
            or context.settings.of(Settings).automatic_success
        ):
            raise Forbidden(_("Only the GM can allow an automatic success."))
        turn = _pays(context) if ask.willpower else ""
        terms = {
            # The sheet's own traits are identified by its names, rows also by their typed names.
            "traits": [
                {"code": trait.name} | ({"name": trait.label} if "/" in trait.name else {}) for trait in pool.traits
            ],
            **{name: getattr(pool, name) for name in KEPT},
            "difficulty": asked.difficulty,
            "kind": kind,
            "willpower": asked.willpower,
            "automatic": ask.automatic,
            **({"turn": turn} if turn else {}),
        }
        return PreparedRoll(kind=kind, terms=terms, count=0 if ask.automatic else pool.dice)

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
            asked = _asked(context, ask)
            if ask.automatic:
                rules.succeed_automatically(asked)
        except (Invalid, RuleError):
            return None
        pool, falling = asked.pool, _falling(context, ask, asked.kind)
        if ask.automatic:
            return bar(parts_of({rules.DEGREES[0]: Fraction(1)}), dice=0, lines=odds_lines(falling, {}))
        lines = odds_lines(falling, {"dice": pool.dice, "difficulty": asked.difficulty})
        return bar(
            two_or_more(parts_of(outcomes(asked, context.settings.of(Settings)))),
            dice=pool.dice,
            pool=_reckoned(pool),
            hurt=pool.wounds + pool.wounds_left_out > 0,
            lines=[*lines, beyond_human() if pool.is_beyond_human else ""],
        )

    def request(self, context: OddsContext, ask: StorytellerInput) -> Requested:
        """Return traits or a number of dice, a difficulty, what the roll is, and whether a large pool may go without dice.
        A player who announces one leaves the difficulty to the GM."""
        with by_the_rules():
            asked = ask.settled()
            if context.is_gm:
                whole("difficulty", ask.difficulty, LOWEST_DIFFICULTY, HIGHEST_DIFFICULTY)
        return Requested(terms=asked.terms if context.is_gm else replace(asked, difficulty=TO_BE_SET).terms)

    def request_words(self, terms: Terms) -> str:
        return str(StorytellerInput.of(terms).words)

    def request_fields(self, terms: Terms) -> Terms:
        pool = StorytellerInput.of(terms).pool
        fields = {name: terms[name] for name in ("difficulty", "kind", "automatic") if name in terms}
        return fields | ({"pool": pool} if pool else {})


def _bound(asked: RollRequest | None, ask: StorytellerInput) -> StorytellerInput:
    """Return the ask with the GM's terms. Whether to go without dice, where that is allowed, is the player's to say. Raises
    Conflict."""
    if asked is None:
        return ask
    ask = as_requested(ask, {field: asked.terms[field] for field in ("difficulty", "kind")})
    wanted = StorytellerInput.of(asked.terms)
    if not wanted.pool:
        return ask
    with by_the_rules():
        seen = sheet.pool({}, ask.traits).label if ask.traits else ask.pool
    check_seen("pool", seen, wanted.pool)
    return replace(ask, traits=wanted.traits, dice=wanted.dice)


def _asked(context: RollContext | OddsContext, ask: StorytellerInput) -> rules.Ask:
    """Return what is rolled as things stand. Raises Invalid."""
    character = context.character
    if ask.traits and character is None:
        raise Invalid(_("Choose a character to roll traits, or type a number of dice."), field="pool")
    if ask.traits and character and character.system != NAME:
        words = _("{name} has no Storyteller traits. Type a number of dice.")
        raise Invalid(words.format(name=character.name), field="pool")
    with by_the_rules():
        return ask.on(
            rated_values(character),
            context.settings.of(Settings),
            lambda kind: extra_dice(_falling(context, ask, kind)),
        )


def _falling(context: RollContext | OddsContext, ask: StorytellerInput, kind: Kind) -> Falling:
    return context.falling(NAME, kind.value, has_dice=not ask.automatic)


def _check_able(context: RollContext, kind: Kind) -> None:
    """Block an action of an incapacitated character, unless the campaign allows it (our decision, like all figures)."""
    values = rated_values(context.character)
    if kind is not Kind.ACTION or not values or context.settings.of(Settings).incapacitated_may_act:
        return
    if context.character and sheet.is_incapacitated(values):
        name = context.character.name
        message = _("{name} is incapacitated and can’t act until a health level heals.").format(name=name)
        context.block(INCAPACITATED, message)


def _pays(context: RollContext) -> str:
    """Return the turn in which a character spends Willpower, "" outside turns. Raises Invalid, Blocked."""
    character = context.character
    if character is None:
        raise Invalid(str(NO_ONE_TO_PAY), field="willpower")
    if character.number("willpower_now") < 1:
        raise Invalid(_("{name} has no Willpower left.").format(name=character.name), field="willpower")
    turn = turn_of(character, Procedure.objects.filter(campaign=character.campaign_id, kind="conflict", closed_at=None))
    if turn and has_paid(character.pk, turn):
        context.block(PAID, PAID_BEFORE.format(name=character.name))
    return turn


def parts_of(chances: Mapping[str, Fraction]) -> list[Part]:
    """Return results and degrees as a bar draws them."""
    return [Part(LOOKS.get(name, "good"), str(RESULT_WORDS[name]), chance) for name, chance in chances.items()]


def two_or_more(parts: Sequence[Part]) -> list[Part]:
    """Return the parts of all results and degrees, those from two successes on as one."""
    return [*parts[:3], Part("good", _("two or more"), sum((part.chance for part in parts[3:]), Fraction()))]


def beyond_human() -> str:
    """Return the warning for a pool of more than ten dice."""
    return _("More than 10 dice is beyond human ability.")


def _pool_words(pool: Payload) -> str:
    return " + ".join(trait_words(pool["traits"])) or dice_words(pool["dots"])


def _reckoned(pool: Pool) -> str:
    """Return how a pool is made up: "Dexterity 3 + Stealth 4, hurt −2"; "" for a plain number of dice."""
    named = " + ".join(f"{trait.label} {trait.rating}" for trait in pool.traits)
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
