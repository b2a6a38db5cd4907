"""Lanterns at the table: a roll's input, its terms and costs, its card, and the words for it."""

from dataclasses import dataclass
from typing import Any, ClassVar

from afterburn.rules import Faces
from afterburn.ruleset import (
    CardDie,
    Character,
    Code,
    Invalid,
    LogOutcome,
    Odds,
    OddsContext,
    Outcome,
    Part,
    Payload,
    PreparedRoll,
    Requested,
    Result,
    Roll,
    RollContext,
    RollInput,
    RollSettings,
    Schema,
    TableRules,
    Terms,
    Write,
    as_requested,
    bar,
    by_the_rules,
)
from afterburn.sheets import ROLL, Shift, find
from afterburn_lanterns import rules
from afterburn_lanterns.odds import lights
from afterburn_lanterns.rules import Check, Light, Settings
from afterburn_lanterns.sheet import SHEET, TRAITS

CALLED = {"": "A trait"} | {name: SHEET.fields[name].label for name in TRAITS}
RESULTS = {
    Light.DARK: Result("Dark", LogOutcome.FAILURE),
    Light.FLICKER: Result("Flicker", LogOutcome.PARTIAL),
    Light.BRIGHT: Result("Bright", LogOutcome.SUCCESS),
}
LOOKS = {Light.DARK: "bad", Light.FLICKER: "fair", Light.BRIGHT: "good"}


class Card(Schema):
    named: Code
    trait: int
    wind: int
    oil: int
    total: int
    dice: list[CardDie]


class RequestTerms(Schema):
    wind: int
    trait: Code | None = None


@dataclass(frozen=True, kw_only=True)
class LanternsInput(RollInput):
    """A roll of a `trait`: its name on the sheet, or a number of 0 to 3. The `wind` is the GM's to say."""

    system: ClassVar[str] = "lanterns"

    trait: str = ""
    wind: int = 0
    oil: bool = False


def _check(character: Character | None, ask: LanternsInput, settings: Settings) -> tuple[str, Check]:
    """Return the name of the trait, "" for a number, and the check to roll. Raises Invalid."""
    bears = character is not None and character.system == LanternsInput.system
    if ask.oil and not (bears and character.number("oil")):
        raise Invalid("There is no oil to burn.", field="oil")
    oil = settings.oil_adds if ask.oil else 0
    with by_the_rules("trait"):
        if ask.trait.isdecimal():
            return "", Check(trait=int(ask.trait), wind=ask.wind, oil=oil)
        if not bears:
            raise Invalid("Without a lantern-bearer, type a number from 0 to 3.", field="trait")
        trait = find(SHEET, ask.trait, character.sheet)
        return trait.name, Check(trait=trait.rating, wind=ask.wind, oil=oil)


class LanternsTable(TableRules):
    schema = Card
    request_schema = RequestTerms
    correctable = ("wind",)

    def prepare(self, context: RollContext, ask: LanternsInput) -> PreparedRoll:
        """Raises Invalid for what the rules do not allow, Conflict where the GM has just asked for something else."""
        ask = as_requested(ask, context.requested)
        named, check = _check(context.character, ask, context.settings.of(Settings))
        terms = {"named": named, "trait": check.trait, "wind": check.wind, "oil": check.oil}
        return PreparedRoll(kind="check", terms=terms, count=rules.DICE + check.oil, die=rules.D6)

    def read(self, terms: Terms, faces: Faces, settings: RollSettings) -> Outcome:
        """Return the outcome of the faces, as the roll keeps it for its card."""
        check = Check(trait=terms["trait"], wind=terms["wind"], oil=terms["oil"])
        fell, total, light = rules.resolve(check, faces, settings.of(Settings))
        dice: list[dict[str, Any]] = [{"face": face, "role": "blank"} for face in fell[: rules.DICE]]
        dice += [{"face": face, "role": "bonus"} for face in fell[rules.DICE :]]
        return Outcome(faces=fell, outcome={"result": light.value, "total": total, "dice": dice})

    def describe(self, payload: Payload) -> Payload:
        """Return the words that templates/lanterns/card.html draws beside the card."""
        said = {"headline": RESULTS[payload["outcome"]].words, "detail": f"{payload['total']} in all"}
        return {"words": CALLED[payload["named"]]} | said

    def preview(self, context: OddsContext, ask: LanternsInput) -> Odds:
        """Raises Invalid while there is nothing that could be rolled."""
        settings = context.settings.of(Settings)
        _, check = _check(context.character, ask, settings)
        parts = [Part(LOOKS[light], light.value, chance) for light, chance in lights(check, settings).items()]
        return bar(parts, dice=rules.DICE + check.oil)

    def request(self, context: OddsContext, ask: LanternsInput) -> Requested:
        """Return a request with a trait and the wind. Whether to burn oil is the player's choice."""
        with by_the_rules("trait"):
            trait = find(SHEET, ask.trait, {}).name if ask.trait else ""
            wind = Check(trait=0, wind=ask.wind).wind
        return Requested(terms={"wind": wind} | ({"trait": trait} if trait else {}))

    def request_words(self, terms: Terms) -> str:
        """Return words for a request: "Nerve, wind 2"."""
        return f"{CALLED[terms.get('trait', '')]}, wind {terms['wind']}"

    def writes(self, roll: Roll) -> list[Write]:
        """Return the oil that the roll burned, and the xp for a roll that went dark."""
        if roll.character is None or roll.character.system != LanternsInput.system:
            return []
        steps = [Shift("oil", -bool(roll.ask["oil"])), Shift("xp", int(roll.outcome["result"] == Light.DARK))]
        return [Write(character=str(roll.character.pk), steps=(step,), why=ROLL) for step in steps if step.by]
