"""The roll of Descriptors: two pools fall at once and are compared pair by pair; both sides pay their Will before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final
from uuid import UUID

from django.utils.translation import gettext as _

from campaigns.errors import Blocked, Invalid
from campaigns.kinds import Payload
from campaigns.schema import Name, Schema
from characters.models import Character
from characters.reasons import ROLL, Reason
from characters.services.sheet_writes import get_character
from characters.sheets.steps import Put, Shift
from languages.text import gettext_lazy
from rolls.models import Roll
from rolls.odds import Part, bar, bar_said, decimal
from rolls.services.roll_context import as_requested, keep_hidden, named
from rolls.settings import RollSettings
from rolls.table_rules import (
    Again,
    Change,
    Odds,
    OddsContext,
    Outcome,
    PreparedRoll,
    Requested,
    RollContext,
    TableRules,
    Terms,
    Written,
    as_written,
)
from rules import messages
from rules.chances import decimal_said
from rules.dice import Die, Faces
from rules.effects import Write
from rules.messages import Words, joined, read, stored
from rules.tally import FallenDie, Shifts, Tally, shifts_of
from rulesets.descriptors.odds import Opposed, opposed
from rulesets.descriptors.rules.contest import SOMEBODY, Side, resolve
from rulesets.descriptors.rules.will import block_message, fund_of
from rulesets.descriptors.settings import COUNTED_SIDES, Settings
from rulesets.descriptors.sheet import SHEET
from rulesets.descriptors.table.ask import (
    NAME,
    ContestTerms,
    DescriptorsInput,
    Pool,
    Sides,
    descriptors_of,
    read_pool,
    sides_of,
    stored_pool,
)
from rulesets.descriptors.table.card import (
    HEADLINES,
    TOLD,
    Card,
    TakenBack,
    after,
    detail,
    falls_of,
    follow_words,
    followed,
    opponent_of,
    pairs,
    side_told,
    stored_outcome,
)
from scale.counting import BOTH, Countable
from scale.services.moving import extra_dice, odds_lines

# The dice of opposed rolls, for what counts them beside the roll's own result, where a campaign wants that.
#
# Neither text knows of the other, so all of it is our decision. An opposed action is an action roll, and moves what the dice of
# whoever rolls give. Those against them are no dice of theirs; but where both are player characters, both act, and a Scale that
# the table shares counts the dice of both. No die strikes out another: dice that are passed over as equal
# count like any other. A recovery roll answers an Injury, as a soak roll answers damage, and is left out.


KIND: Final = "opposed"
RECOVERY: Final = "recovery"
NO_ACTION: Final = {RECOVERY: gettext_lazy("a recovery roll")}


class DescriptorsCountable(Countable):
    usual = {"a": {"dice": 4}}

    def no_action(self, kind: str) -> str:
        return NO_ACTION.get(kind, "")

    def fallen(self, payload: Mapping[str, Any]) -> Sequence[FallenDie]:
        both = bool(payload.get(BOTH))
        sides = ((die["face"], die["side"] == Side.A) for die in payload["dice"])
        return [FallenDie(face, counts=mine, other=both and not mine) for face, mine in sides]

    def shifts(self, terms: Terms, tally: Tally) -> Shifts:
        both = terms["b"]["dice"] if terms.get(BOTH) else 0
        return shifts_of(terms["a"]["dice"] + both, COUNTED_SIDES, tally)

    def wanted(self, settings: RollSettings) -> bool:
        return settings.of(Settings).moves_scale


NO_WILL: Final = Reason("no_will", gettext_lazy("no Will left"))


def _written(roll: Roll) -> Iterator[tuple[Write, dict[str, Any]]]:
    """Yield what a roll writes of each paying side: the Will that it spends and gains, and whether it puts a character without
    any out of the scene, each with what the first rolls did by it."""
    terms = ContestTerms.of(roll.ask)
    for side, payer in ((terms.a, roll.character_id and str(roll.character_id)), (terms.b, terms.opponent)):
        if not payer or not side.pays:
            continue
        will = {"address": "will", "before": side.spent, "after": side.gained, "counts": True}
        yield Write(character=payer, steps=(Shift("will", side.gained - side.spent),), why=ROLL), will
        if side.out:
            out = {"address": "out_of_scene", "before": not side.left, "after": True, "counts": False}
            yield Write(character=payer, steps=(Put("out_of_scene", to=True),), why=NO_WILL), out


MOST_WORK: Final = 2_000_000
"""The limit on sides times dice cubed, the work of counting, that is done while someone types (58 ten-sided dice)."""


def _odds(a: int, b: int, settings: Settings) -> Opposed | None:
    """Return the odds while pools are filled; None for pools that are too large to be counted between two keystrokes, or smaller
    than the rules let one roll."""
    if min(a, b) < settings.fewest_dice or settings.sides * max(a, b) ** 3 > MOST_WORK:
        return None
    return opposed(a, b, settings)


def odds_bar(a: int, b: int, settings: Settings, *, names: tuple[Words, Words]) -> Odds | None:
    """Return the odds, to be stored, for two sides of these names, while their pools are filled by their owners; None where they
    are not counted."""
    if (odds := _odds(a, b, settings)) is None:
        return None
    each = [
        messages.gettext("{average} if {name} wins", average=decimal_said(average, 1), name=name)
        for average, name in zip(odds.averages, names, strict=True)
        if average
    ]
    lines = [messages.gettext("Average successes: {averages}", averages=joined(", ", each))] if each else []
    loses, wins = (messages.gettext("{name} wins", name=name) for name in reversed(names))
    return bar_said(_parts(odds, loses, wins), dice=a + b, lines=lines)


def _parts(odds: Opposed, loses: Words, wins: Words) -> list[Part]:
    parts = [
        Part("bad", loses, odds.lose),
        Part("fair", messages.gettext("stalemate"), odds.stalemate),
        Part("good", wins, odds.win),
    ]
    return [part for part in parts if part.chance]


def _successes(odds: Opposed) -> str:
    """Return how many successes the winner has on average, for each side that can win."""
    each = zip((_("{average} successes if you win"), _("{average} if you lose")), odds.averages, strict=True)
    return ", ".join(words.format(average=decimal(average, 1)) for words, average in each if average)


def _cost(sides: Sides) -> str:
    cost, values = len(sides.a.entries), descriptors_of(sides.mine)
    if not cost:
        return ""
    if values is None:
        return _("costs {cost} Will").format(cost=cost)
    will = SHEET.number(values, "will")
    words = _("costs {cost} of {will} Will") if cost <= will else _("costs {cost} Will, but only {will} is left")
    return words.format(cost=cost, will=will)


class RequestTerms(Schema):
    against: Pool
    versus: Name | None = None


def _keep_out(context: RollContext, settings: Settings) -> None:
    """Refuse a character without Will, or out of the scene. In a contest that is checked when they are ready."""
    values = descriptors_of(context.character)
    block = fund_of(values, settings).block if values is not None else None
    if block is not None and context.character is not None:
        context.block(block, block_message(context.character.name, block))


def _side(character: Character | None, name: str) -> dict[str, Any]:
    return {"name": character.name if character else name, "character": str(character.pk) if character else None}


class DescriptorsTable(TableRules):
    schema = Card
    request_schema = RequestTerms
    back_schema = TakenBack
    counted = DescriptorsCountable()

    def prepare(self, context: RollContext, ask: DescriptorsInput) -> PreparedRoll:
        """Check the roll. Raises Invalid for impossible pools, missing Will, and an opponent whom the roll would betray;
        Conflict if the GM has just asked for something else; BlockedByState for a character whose state keeps them out.
        """
        settings = context.settings.of(Settings)
        if ask.pools:
            a, b = ask.pools
            opponent = get_character(context.work, Character(pk=ask.opponent)) if ask.opponent else None
            versus = "" if opponent else ask.versus
            sides = Sides(mine=context.character, opponent=opponent, opens=True, versus=versus, a=a, b=b)
        else:
            ask = as_requested(ask, self.request_fields(context.requested)) if context.request else ask
            sides = sides_of(context.work.campaign, context.character, ask, settings, is_gm=context.work.by.is_gm)
            _keep_out(context, settings)
        keep_hidden(sides.opponent, context.audience, field="versus")
        kind = RECOVERY if ask.recovery else KIND
        sides = replace(sides, a=sides.a.burnt(extra_dice(context.falling(NAME, kind))))
        both = sides.both and not ask.recovery
        terms = sides.terms(settings, recovery=ask.recovery or None, both=both or None, bound=bool(ask.pools) or None)
        return PreparedRoll(kind=kind, terms=terms.kept, count=sides.a.dice + sides.b.dice, die=Die(settings.sides))

    def read(self, terms: Terms, faces: Faces, settings: RollSettings) -> Outcome:
        """Read the faces, of which those of the roller's side come first."""
        own, said = settings.of(Settings), ContestTerms.of(terms)
        outcome = resolve(terms["a"]["dice"], terms["b"]["dice"], faces, own)
        loser = {Side.A: said.b, Side.B: said.a}[outcome.winner] if outcome.winner and not said.recovery else None
        follows = after(outcome.successes, loser, own) if loser else None
        fell = tuple(die.face for die in (*outcome.a, *outcome.b))
        return Outcome(faces=fell, outcome=stored_outcome(outcome) | {"after": follows})

    def begins(self, roll: Roll) -> tuple[str, Mapping[str, Any]] | None:
        """Return the contest that settles what follows; None if no character takes part."""
        opponent = opponent_of(roll)
        if roll.character is None and opponent is None:
            return None
        sides = [_side(roll.character, roll.by.name), _side(opponent, roll.ask["versus"] or SOMEBODY)]
        return "contest", {"a_character": None, "sides": sides, "fell": roll.outcome}

    def held(self, roll: Roll, change: Change) -> None:
        """Raise Blocked for a correction, which would let it all follow once more."""
        if change is Change.CORRECT and roll.outcome.get("follows"):
            raise Blocked(_("This roll already has consequences. Void it and roll again."))

    def taken_back(self, roll: Roll) -> dict[str, Any]:
        """Return the mark that what followed from it is undone as well."""
        return {"unfollowed": True} if roll.outcome.get("follows") else {}

    def names(self, roll: Roll) -> list[Character]:
        opponent = opponent_of(roll)
        written = {UUID(who) for followed in roll.outcome.get("follows", {}).values() for who, _ in followed["done"]}
        others = Character.objects.filter(campaign=roll.campaign_id, pk__in=written).select_related("owner__user")
        return [*([opponent] if opponent else []), *others]

    def writes(self, roll: Roll) -> list[Write]:
        """Return the Will that paying sheets spend and gain; a character with none left is out of the scene."""
        return [write for write, _done in _written(roll)]

    def wrote(self, roll: Roll) -> list[Written]:
        """Return the writes of a roll that kept only whether it sent a character out (`left`), and for games from
        before contests settled that, what followed from its card.
        """
        written = [as_written(write, [done]) for write, done in _written(roll)]
        followed = [pair for row in roll.outcome.get("follows", {}).values() for pair in row["done"]]
        return written + [{"write": None, "done": {"character": who, "steps": done}} for who, done in followed]

    def card(self, roll: Roll) -> dict[str, Any]:
        ask, opponent = roll.ask, opponent_of(roll)
        a, b = ({name: ask[side][name] for name in TOLD if name in ask[side]} for side in Side)
        versus = {"character": opponent.ref if opponent else None, "name": opponent.name if opponent else ask["versus"]}
        return super().card(roll) | {"a": a, "b": b | versus, "done": followed(roll)}

    def describe(self, payload: Payload) -> Payload:
        """Return the words with both pools pair by pair."""
        a, b = (side_told(payload, side) for side in Side)
        return {
            "words": _("{pool} against {other}").format(pool=a["words"], other=b["words"]),
            "a": a,
            "b": b,
            "pairs": read(stored(pairs(payload))),
            "falls": str(falls_of(payload)),
            "headline": str(HEADLINES[payload["outcome"]]),
            "detail": str(detail(payload)),
            "done": [str(follow_words(step)) for step in payload["done"]],
        }

    def again(self, roll: Roll) -> Again:
        """Return the roll form's values for the same pool; the opponent has to be chosen again."""
        pool = stored_pool(roll.ask["a"])
        return Again(words=pool.told, fields={"pool": pool.typed})

    def preview(self, context: OddsContext, ask: DescriptorsInput) -> Odds | None:
        """Return None for a pool that is too large to be counted at once. Raises Invalid for one that cannot be rolled.

        It reads no sheet that the one who looks may not read.
        """
        settings = context.settings.of(Settings)
        sides = sides_of(context.campaign, context.character, ask, settings, is_gm=context.is_gm)
        falling = context.falling(NAME, KIND, has_dice=sides.a.dice > 0)
        sides = replace(sides, a=sides.a.burnt(extra_dice(falling)))
        if (odds := _odds(sides.a.dice, sides.b.dice, settings)) is None:
            return None
        terms = {"a": {"dice": sides.a.dice}, "b": {"dice": sides.b.dice}, BOTH: sides.both}
        beside = odds_lines(falling, terms)
        lines = [_successes(odds), _cost(sides), sides.a.burn, *beside]
        return bar(_parts(odds, _("lose"), _("win")), dice=sides.a.dice + sides.b.dice, lines=lines)

    def request(self, context: OddsContext, ask: DescriptorsInput) -> Requested:
        """Return the request for a pool against another, such as the door guard's Shield wall of 4. A Descriptor
        without dice is read from the opponent's sheet.

        Raises Invalid for an impossible pool, and for a character whom players do not know.
        """
        nobody = DescriptorsInput(pool="1", against=ask.against, versus=ask.versus)
        sides = sides_of(context.campaign, None, nobody, context.settings.of(Settings), is_gm=context.is_gm)
        opponent = sides.opponent
        if opponent is not None and opponent.is_hidden:
            message = _("Players don’t know {name} yet. Use other words, or reveal {name} first.")
            raise Invalid(message.format(name=opponent.name), field="versus")
        against = read_pool("against", sides.b.typed, None, None, context.settings.of(Settings))
        whose = named(versus=opponent.name if opponent else sides.versus)
        return Requested(terms={"against": against.stored} | whose)

    def request_words(self, terms: Terms) -> str:
        pool = stored_pool(terms["against"]).told
        if not terms.get("versus"):
            return _("Roll against {pool}").format(pool=pool)
        return _("Roll against {name}: {pool}").format(name=terms["versus"], pool=pool)

    def request_fields(self, terms: Terms) -> Terms:
        versus = {"versus": terms["versus"]} if "versus" in terms else {}
        return {"against": stored_pool(terms["against"]).typed} | versus
