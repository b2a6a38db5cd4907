"""The common ground of the three kinds of forged rolls: what their cards and requests keep, and the stress that they cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar, Final

from campaigns.errors import Invalid
from campaigns.kinds import Payload
from campaigns.schema import Code, Name, Ref, Schema, Text
from characters.models import Character
from characters.reasons import Reason
from characters.sheets.steps import Shift
from rolls.models import Roll, RollRequest
from rolls.odds import Part, bar
from rolls.services.roll_context import as_requested
from rolls.services.roll_making import step_on
from rolls.table_rules import (
    Again,
    CardDie,
    Odds,
    OddsContext,
    Outcome,
    PreparedRoll,
    Requested,
    RollContext,
    RollKind,
    Terms,
)
from rules.effects import Write
from rulesets.forged.odds import results
from rulesets.forged.rules.blocks import full_words
from rulesets.forged.rules.body import check_payment
from rulesets.forged.rules.roll import D6, Pool, Result, Role, why
from rulesets.forged.rules.roll import Outcome as Rolled
from rulesets.forged.settings import Settings
from rulesets.forged.table.ask import ForgedInput, Kind, has_sheet, refused_at
from rulesets.forged.table.words import COSTS, EXTRAS, KIND_WORDS, LOWEST, RESULT_FACES, RESULT_LOOKS

SET_BY_GM: Final = ("position", "effect", "attribute", "resisting")
"""The terms of a request that a player who announces a roll leaves to the GM."""
REASONS = {code: Reason(f"stress_{code}", words) for code, words in COSTS.items()}

# What is stored


class Cost(Schema):
    """Stress that someone pays. `marked` is what the track moved by, None where no one has marked it; `full` asks for a
    trauma."""

    character: Ref | None = None
    stress: int
    why: Code
    marked: int | None = None
    full: bool


class Said(Schema):
    position: Code
    effect: Code


class Step(Schema):
    """A step that moved the effect."""

    why: Code
    change: int


class CardPool(Schema):
    dice: int
    lowest: bool


class Extra(Schema):
    code: Code
    name: Name | None = None
    dice: int


class Resisted(Schema):
    """What is resisted: a consequence of the menu, or with its severity one of a staged action (words.RESISTED)."""

    code: Code
    severity: int | None = None
    heat: bool | None = None
    words: Name | None = None
    clock_name: Name | None = None
    segments: int | None = None
    filled: int | None = None


class Card(Schema):
    """The payload of a card of any kind."""

    pool: CardPool
    dice: list[CardDie]
    costs: list[Cost]
    ticks: int
    set_by_gm: bool
    usual: bool | None = None
    staged: bool | None = None
    attribute: Code | None = None
    rating: int | None = None
    trait: int | None = None
    extras: list[Extra] | None = None
    # Of an action, which may be one that its roller made up.
    action: Name | None = None
    said: Said | None = None
    position: Code | None = None
    effect: Code | None = None
    trade: Code | None = None
    reached: Code | None = None
    steps: list[Step] | None = None
    menu: list[Code] | None = None
    bargain: Text | None = None
    more_from: Text | None = None
    group: bool | None = None
    harm_left_out: bool | None = None
    xp: int | None = None
    xp_marked: int | None = None
    gambits: int | None = None
    # Of resisting.
    consequence: Name | None = None
    resisted: Resisted | None = None
    resisting: Code | None = None
    stress: int | None = None
    # Of what a procedure settles: its name in words of the table, the heat, and the die that counts.
    settles: Code | None = None
    thing: Name | None = None
    heat: int | None = None
    face: int | None = None


class RequestTerms(Schema):
    """The terms of a request; the action and the consequence as the GM has typed them, or what is `resisted`."""

    kind: Code
    action: Name | None = None
    position: Code | None = None
    effect: Code | None = None
    consequence: Name | None = None
    resisted: Resisted | None = None
    attribute: Code | None = None
    resisting: Code | None = None
    trait: int | None = None
    advantages: int | None = None
    disadvantages: int | None = None


class ForgedRoll(RollKind):
    """A roll of a pool of six-sided dice, of which the highest counts."""

    schema = Card
    kind: ClassVar[Kind]
    unset: ClassVar[str] = ""
    """Shown in place of the odds while no GM has set the terms."""

    # What each kind says

    def terms(self, character: Character | None, ask: ForgedInput, settings: Settings) -> Terms:
        """Return the terms needed to read the dice, with the `dice` of the pool. Raises Invalid for what the rules do
        not allow.
        """
        raise NotImplementedError

    def checked(self, context: RollContext, ask: ForgedInput, terms: Terms) -> Terms:
        """Return further terms to keep, once those who roll and pay were checked under the lock."""
        raise NotImplementedError

    def requested(self, ask: ForgedInput) -> Terms:
        """Return the terms of a request for such a roll. Raises Invalid."""
        raise NotImplementedError

    def trait_name(self, terms: Mapping[str, Any]) -> str:
        """Return the name of what was rolled, by a roll's terms or its card's payload: "Skirmish", "Prowess", "Fortune"."""
        raise NotImplementedError

    def rating(self, terms: Mapping[str, Any]) -> int:
        """Return how many dice that gave."""
        return int(terms["rating"])

    def charges(self, roll: Roll) -> Iterable[tuple[str | None, int, str]]:
        """Return the id of each payer, the stress, and a code for its reason; a charge of 0 is none."""
        return ()

    def own_card(self, roll: Roll) -> dict[str, Any]:
        """Return the fields of the card that only this kind has."""
        raise NotImplementedError

    def own_words(self, payload: Payload, result: Result) -> Payload:
        """Return the words for what `own_card` has kept."""
        raise NotImplementedError

    def again_fields(self, roll: Roll) -> Terms:
        """Return the fields of the form that ask for the same roll once more; what cost stress is left out."""
        raise NotImplementedError

    # A roll

    def prepare(self, context: RollContext, ask: ForgedInput) -> PreparedRoll:
        """Raises Invalid for what the rules do not allow, at the field at fault, Conflict where the GM has just asked for
        something else."""
        ask = as_requested(ask, self.request_fields(context.requested))
        terms = self.terms(context.character, ask, context.settings.of(Settings)) | {"kind": self.kind.value}
        terms |= self.checked(context, ask, terms)
        return PreparedRoll(kind=self.kind.value, terms=terms, count=Pool(terms["dice"]).rolled, die=D6)

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

    # Its descriptions

    def card(self, roll: Roll) -> dict[str, Any]:
        pool = Pool(roll.ask["dice"])
        return {
            "pool": {"dice": pool.dice, "lowest": pool.lowest},
            "dice": roll.outcome["dice"],
            "costs": [_cost(roll, cost) for cost in self._costs(roll)],
            "ticks": roll.outcome.get("ticks", 0),
            "set_by_gm": set_by_gm(roll),
            **({"staged": True} if is_staged(roll.request) else {}),
            **self.own_card(roll),
        }

    def describe(self, payload: Payload) -> Payload:
        pool, words = Pool(payload["pool"]["dice"]), f"{self.trait_name(payload)} {self.rating(payload)}"
        dice = [{**die, "why": why(Role(die["role"]), pool)} for die in payload["dice"]]
        extras = payload.get("extras") or []
        return {
            "words": words,
            "kind_words": str(KIND_WORDS[self.kind]),
            "pool": {**payload["pool"], "words": words},
            "dice": dice,
            "costs": [{**cost, "why": str(COSTS[cost["why"]])} for cost in payload["costs"]],
            "extras": [
                {"words": _extra_words(extra, payload.get("more_from")), "dice": extra["dice"]} for extra in extras
            ],
            **self.own_words(payload, Result[payload["outcome"].upper()]),
        }

    def again(self, roll: Roll) -> Again | None:
        """Return the same roll in the position that was set; what a procedure has rolled is not rolled by hand."""
        if roll.ask.get("settles"):
            return None
        words = f"{self.trait_name(roll.ask)} {self.rating(roll.ask)}"
        return Again(words=words, fields={"kind": roll.kind} | self.again_fields(roll))

    # Before the dice fall

    def request(self, context: OddsContext, ask: ForgedInput) -> Requested:
        """Return the request; a player's announcement gets its position and effect when the GM sets them. Raises Invalid."""
        terms = self.requested(ask)
        if not context.is_gm:
            terms = {name: value for name, value in terms.items() if name not in SET_BY_GM}
        return Requested(terms={"kind": self.kind.value} | terms)

    def preview(self, context: OddsContext, ask: ForgedInput) -> Odds:
        """Return the chances of the four results, from the roller's own sheet and form only. Raises Invalid without a
        valid pool.
        """
        terms = self.terms(context.character, ask, context.settings.of(Settings))
        return self.results_bar(terms, self.notes(context, ask, terms))

    def notes(self, context: OddsContext, ask: ForgedInput, terms: Terms) -> list[str]:
        """Return the lines below a bar."""
        return [str(LOWEST) if Pool(terms["dice"]).lowest else "", str(self.unset) if is_own(context, ask) else ""]

    def results_bar(self, terms: Terms, lines: list[str], *, pool: str = "", hurt: bool = False) -> Odds:
        return results_bar(results(terms["dice"]), Pool(terms["dice"]).rolled, lines, pool=pool, hurt=hurt)

    # Its cost

    def _costs(self, roll: Roll) -> list[dict[str, Any]]:
        """Return who paid what for the roll, and how far each track moved."""
        if "costs" in roll.ask:
            return list(roll.ask["costs"])
        return [_charged(roll, *charge) for charge in self.charges(roll) if charge[1]]


def results_bar(
    chances: Mapping[Result, Fraction], dice: int, lines: list[str], *, pool: str = "", hurt: bool = False
) -> Odds:
    """Return the bar of the four results, of so many `dice`."""
    parts = [Part(RESULT_LOOKS[result], str(RESULT_FACES[result]), chance) for result, chance in chances.items()]
    return bar(parts, dice=dice, pool=pool, hurt=hurt, lines=lines)


def read_outcome(outcome: Rolled, kept: Mapping[str, Any]) -> Outcome:
    """Return the faces taken, and the outcome as a Roll keeps it, with what its kind has `kept`."""
    dice = [{"face": die.face, "role": die.role.value} for die in outcome.dice]
    told = {"result": outcome.result.name.lower(), "dice": dice, **kept}
    return Outcome(faces=tuple(die.face for die in outcome.dice), outcome=told)


def extra_dice(*extras: tuple[str, int]) -> list[dict[str, Any]]:
    """Return the dice added or removed, by code, without zeros."""
    return [{"code": code, "dice": dice} for code, dice in extras if dice]


def _extra_words(extra: Mapping[str, Any], why: str | None) -> str:
    """Return the words for an added die: what was typed for those of abilities."""
    return why if extra["code"] == "more" and why else EXTRAS[extra["code"]].format(name=extra.get("name"))


def extras_of(ask: Terms) -> dict[str, Any]:
    """Return the card's fields of a push for a die and of dice from abilities."""
    extras = extra_dice(("push", int(ask.get("push_die", False))), ("more", ask.get("more", 0)))
    return {"extras": extras, **({"more_from": ask["more_from"]} if ask.get("more_from") else {})}


def is_own(context: OddsContext, ask: ForgedInput) -> bool:
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


def character_of(roll: Roll, wanted: str | None) -> Character | None:
    """Return a character that the terms of a roll name by id, as it is now."""
    return Character.objects.filter(campaign=roll.campaign, pk=wanted).with_related().first() if wanted else None


def check_room(character: Character | None, cost: int, field: str, settings: Settings) -> None:
    """Raise Invalid at `field` where `cost` may not be marked before the roll; without a sheet there is nothing to check."""
    if not cost or character is None or not has_sheet(character):
        return
    marked = character.number("stress")
    if marked >= settings.boxes:
        raise Invalid(full_words(character.name), field=field)
    with refused_at(cost=field):
        check_payment(marked, cost, settings)


def marks(context: RollContext, helper: Character | None = None) -> Terms:
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
    payer = character_of(roll, cost["payer"])
    terms = {name: cost[name] for name in ("stress", "why", "marked", "full")}
    return terms | {"character": payer.ref if payer else None}


def _charged(roll: Roll, payer: str | None, stress: int, reason: str) -> dict[str, Any]:
    cost = {"payer": payer, "stress": stress, "why": reason, "marked": None, "full": False}
    step = step_on(roll, payer, "stress") if payer else None
    if step is None:
        return cost
    moved = step["after"] - step["before"]
    return cost | {"marked": moved, "full": moved > 0 and step["after"] >= roll.ask["boxes"]}
