"""The roll of Descriptors: two pools fall at once and are compared pair by pair; both sides pay their Will before. Its card keeps
codes, numbers and names; the words are drawn whenever it is read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final
from uuid import UUID

from django.utils.translation import gettext

from campaigns.errors import Blocked, Invalid
from campaigns.kinds import Payload
from campaigns.schema import Code, Name, Ref, Schema
from characters.models import Character
from characters.reasons import ROLL, Reason
from characters.services.sheet_writes import get_character
from characters.sheets.steps import Put, Shift
from languages.text import gettext_lazy, pgettext_lazy
from rolls.models import Roll
from rolls.odds import Part, bar, bar_said, decimal
from rolls.services.roll_context import as_requested, keep_hidden, named
from rolls.settings import RollSettings
from rolls.table_rules import (
    Again,
    CardDie,
    Change,
    Odds,
    OddsContext,
    PreparedRoll,
    Requested,
    RollContext,
    TableRules,
    Terms,
    Written,
    as_written,
)
from rolls.table_rules import Outcome as RollOutcome
from rules.chances import decimal_said
from rules.dice import Die as DieOfRules
from rules.dice import Faces
from rules.effects import Write
from rules.messages import Message, Words, capital, joined, ngettext, read, stored, worded
from rules.messages import gettext as _
from rules.tally import FallenDie, Shifts, Tally, shifts_of
from rulesets.descriptors.events import Followed, follow_words, followed
from rulesets.descriptors.odds import Opposed, opposed
from rulesets.descriptors.rules.contest import (
    SOMEBODY,
    Falls,
    Outcome,
    Role,
    Side,
    block_message,
    called,
    fund_of,
    resolve,
    why,
)
from rulesets.descriptors.settings import COUNTED_SIDES, DEFAULTS, Settings
from rulesets.descriptors.sheet import SHEET
from rulesets.descriptors.terms import (
    NAME,
    ContestTerms,
    DescriptorsInput,
    Pool,
    Sides,
    SideTerms,
    descriptors_of,
    read_pool,
    sides_of,
    stored_pool,
)
from scale.counting import BOTH, Countable
from scale.services.moving import extra_dice, odds_lines

# What cards keep, and their words

RESULTS = {Side.A: "win", Side.B: "loss", None: "stalemate"}
HEADLINES = {
    "win": pgettext_lazy("opposed roll", "Win"),
    "loss": pgettext_lazy("opposed roll", "Loss"),
    "stalemate": gettext_lazy("Stalemate"),
}


TOLD: Final = ("entries", "unnamed", "extra", "spent", "gained", "pays", "out")
"""What a card tells of the terms of a side."""


class Versus(SideTerms):
    character: Ref | None = None
    name: Name


class Die(CardDie):
    side: Code


class After(Schema):
    """Older cards knew no track, and said what falls on one that is free: `box`, `last`, `injury_instead`."""

    dice: int
    falls: Falls | None = None
    box: int | None = None
    last: bool | None = None
    injury_instead: bool | None = None


class Card(Schema):
    """The card of a roll. `bound`: a procedure made it, once all were ready, so it does not belong to who pressed last.
    `both` sides are player characters.
    """

    a: SideTerms
    b: Versus
    winner: Code | None = None
    successes: int
    target: int | None = None
    dice: list[Die]
    after: After | None = None
    done: list[Followed]
    bound: bool | None = None
    both: bool | None = None


class TakenBack(Schema):
    unfollowed: bool | None = None


def opponent_of(roll: Roll) -> Character | None:
    """Return the character on the other side, as it is now."""
    wanted = roll.ask["opponent"]
    people = Character.objects.select_related("owner__user")
    return people.get(campaign=roll.campaign_id, pk=UUID(wanted)) if wanted else None


def stored_outcome(outcome: Outcome) -> dict[str, Any]:
    """Return an Outcome as the Roll keeps it. It has no names: a hidden character may have another name later."""
    return {
        "result": RESULTS[outcome.winner],
        "winner": outcome.winner.value if outcome.winner else None,
        "successes": outcome.successes,
        "target": outcome.target_number,
        "dice": [
            {"face": die.face, "side": side.value, "role": die.role.value}
            for side in Side
            for die in outcome.dice(side)
        ],
    }


def after(successes: int, loser: SideTerms, settings: Settings = DEFAULTS) -> dict[str, Any]:
    """Return what may follow (descriptors.txt, "What does success do?"): the dice of the winner's Scene Descriptor, and
    the hit on the loser; none without a sheet.
    """
    if loser.crossed is None:  # of an older roll, which is corrected: what settles it asks the sheet
        return {"dice": successes}
    falls = loser.falls(successes, settings)
    return {"dice": successes, "falls": falls.model_dump() if falls else None}


ROLE_WORDS: Final = {
    Role.IGNORED: gettext_lazy("Ignored: {why}"),
    Role.TARGET: gettext_lazy("Target number: {why}"),
    Role.SUCCESS: gettext_lazy("Success: {why}"),
    Role.BELOW: gettext_lazy("No success: {why}"),
    Role.OVER: gettext_lazy("Left over: {why}"),
}
LOOKS: Final = {
    Role.IGNORED: "ignored",
    Role.TARGET: "target",
    Role.SUCCESS: "success",
    Role.OVER: "success",
    Role.BELOW: "below",
}
"""The look of each die by its role: dice that win by their face or by being left over look the same."""


def falls_of(payload: Payload) -> Words:
    """Return words for the hit on the loser, as the contest that settles it has them; "" if there is none."""
    after = payload["after"]
    if not after or not payload["winner"]:
        return ""
    b, actor = payload["b"]["name"] or SOMEBODY, payload.get("character") or payload.get("who") or {}
    loser = b if payload["winner"] == Side.A else actor.get("name", "")
    if "falls" in after:
        return falls_words(Falls.model_validate(after["falls"]) if after["falls"] else None, loser, after["dice"])
    if "box" not in after:
        return ""
    words = [_("{name} crosses off box {box} if it’s free.", name=called(loser), box=after["box"])]
    words += [_("It’s the last box: {name} is out of the scene.", name=called(loser))] if after["last"] else []
    return _joined([*words, *_instead(after["dice"] if after["injury_instead"] else 0, called(loser))])


def falls_words(falls: Falls | None, loser: str, successes: int) -> Message:
    """Return words such as "Box 4 is gone, so Bob crosses off box 5 and takes a level 5 Injury."; of who has no sheet, how large
    the hit is."""
    name = called(loser)
    if falls is None:
        return _("A hit of {successes} on {name}, who has no sheet here.", successes=successes, name=name)
    return _joined([_falling(falls, name), *_out(falls, name), *_instead(falls.instead, name)])


def _falling(falls: Falls, name: Words) -> Message:
    if falls.gone and falls.box:
        return _(
            "Box {gone} is gone, so {name} crosses off box {box} and takes a level {injury} Injury.",
            gone=falls.gone,
            name=name,
            box=falls.box,
            injury=falls.injury,
        )
    if falls.gone:
        return _(
            "Box {gone} is gone and no higher box is free, so {name} takes a level {injury} Injury.",
            gone=falls.gone,
            name=name,
            injury=falls.injury,
        )
    if falls.injury:
        return _(
            "{name} crosses off box {box} and takes a level {injury} Injury.",
            name=name,
            box=falls.box,
            injury=falls.injury,
        )
    return _("{name} crosses off box {box}.", name=name, box=falls.box)


def taken_words(falls: Falls, loser: str, injury: str, *, instead: bool) -> Message:
    """Return words for what the loser has taken, with the `injury`'s name: "Bob crossed off box 5 and took a level 5
    Injury: Broken rib."; `instead`: it was an Injury instead of a box.
    """
    name, named = called(loser), {"level": falls.injury, "injury": injury}
    if instead:
        words = _(
            "{name} took a level {level} Injury instead of crossing off a box: {injury}.",
            name=name,
            level=falls.instead,
            injury=injury,
        )
        return _joined([words])
    if falls.box and falls.injury:
        words = _(
            "{name} crossed off box {box} and took a level {level} Injury: {injury}.",
            name=name,
            box=falls.box,
            **named,
        )
    elif falls.injury:
        words = _("{name} took a level {level} Injury: {injury}.", name=name, **named)
    else:
        words = _("{name} crossed off box {box}.", name=name, box=falls.box)
    return _joined([words, *_out(falls, name)])


def _out(falls: Falls, name: Words) -> list[Message]:
    return [_("{name} is out of the scene.", name=name)] if falls.out else []


def _instead(level: int, name: Words) -> list[Message]:
    return [_("{name} may take a level {level} Injury instead.", name=name, level=level)] if level else []


def _joined(sentences: Sequence[Message]) -> Message:
    return joined(" ", map(capital, sentences))


def detail(payload: Mapping[str, Any]) -> Message:
    """Return how many successes, and what decided."""
    dice = payload["dice"]
    if payload["winner"] is None:
        return _("the same dice on both sides") if dice else _("no dice on either side")
    count, target = payload["successes"], payload["target"]
    if target is not None:
        return ngettext(
            "{count} success, target number {target}",
            "{count} successes, target number {target}",
            count,
            target=target,
        )
    if any(die["role"] == Role.IGNORED for die in dice):
        return ngettext(
            "{count} success: all pairs are equal, and more dice win",
            "{count} successes: all pairs are equal, and more dice win",
            count,
        )
    return ngettext("{count} success: no dice against it", "{count} successes: no dice against it", count)


def cost_words(side: Mapping[str, Any]) -> str:
    """Return words for what a side paid and gained, or owes without a sheet: "2 Will paid, 1 Will gained"."""
    spent, gained = side["spent"], side["gained"]
    if side["pays"]:
        words = (_("{count} Will paid", count=spent), _("{count} Will gained", count=gained))
    else:
        words = (_("{count} Will to pay", count=spent), _("{count} Will to gain", count=gained))
    return ", ".join(str(one) for one, count in zip(words, (spent, gained), strict=True) if count)


def side_told(payload: Payload, which: Side) -> dict[str, Any]:
    side, faces = payload[which], [die["face"] for die in _ranked(payload, which)]
    pool = stored_pool(side)
    return {**side, "words": pool.told, "burn": str(pool.burn), "faces": faces, "costs": cost_words(side)}


def _ranked(payload: Mapping[str, Any], side: Side) -> list[dict[str, Any]]:
    """Return the dice of a side from the highest down; of equal ones the first that fell."""
    return sorted((die for die in payload["dice"] if die["side"] == side), key=lambda die: -int(die["face"]))


def pairs(payload: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return dice of equal rank side by side, from the highest down; None where one side has no more. The first that differ
    decide."""
    a, b = ([_drawn(die, payload) for die in _ranked(payload, side)] for side in Side)
    decides = sum(die["look"] == LOOKS[Role.IGNORED] for die in a) if payload["winner"] else None
    return [
        {"a": a[rank] if rank < len(a) else None, "b": b[rank] if rank < len(b) else None, "decides": rank == decides}
        for rank in range(max(len(a), len(b)))
    ]


def _drawn(die: Mapping[str, Any], payload: Mapping[str, Any]) -> dict[str, Any]:
    role = Role(die["role"])
    because = why(role, die["face"], payload["target"], wins=die["side"] == payload["winner"])
    drawn = {"face": die["face"], "look": LOOKS[role], "why": worded(ROLE_WORDS[role], why=because)}
    return drawn | {name: die[name] for name in ("given", "given_to") if die.get("given")}


class RequestTerms(Schema):
    against: Pool
    versus: Name | None = None


# The dice of opposed rolls, for what counts them beside the roll's own result, where a campaign wants that.
#
# Neither text knows of the other, so all of it is our decision. An opposed action is an action roll, and moves what the dice of
# whoever rolls give. Those against them are no dice of theirs; but where both are player characters, both act, and a Scale that
# the table shares counts the dice of both. No die strikes out another: dice that are passed over as equal
# count like any other. A recovery roll answers an Injury, as a soak roll answers damage, and is left out.


KIND: Final = "opposed"
RECOVERY: Final = "recovery"


class DescriptorsCountable(Countable):
    usual = {"a": {"dice": 4}}

    def no_action(self, kind: str) -> str:
        return gettext_lazy("a recovery roll") if kind == RECOVERY else ""

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
        _("{average} if {name} wins", average=decimal_said(average, 1), name=name)
        for average, name in zip(odds.averages, names, strict=True)
        if average
    ]
    lines = [_("Average successes: {averages}", averages=joined(", ", each))] if each else []
    loses, wins = (_("{name} wins", name=name) for name in reversed(names))
    return bar_said(_parts(odds, loses, wins), dice=a + b, lines=lines)


def _parts(odds: Opposed, loses: Words, wins: Words) -> list[Part]:
    parts = [
        Part("bad", loses, odds.lose),
        Part("fair", _("stalemate"), odds.stalemate),
        Part("good", wins, odds.win),
    ]
    return [part for part in parts if part.chance]


def _successes(odds: Opposed) -> str:
    """Return how many successes the winner has on average, for each side that can win."""
    each = zip(
        (gettext("{average} successes if you win"), gettext("{average} if you lose")), odds.averages, strict=True
    )
    return ", ".join(words.format(average=decimal(average, 1)) for words, average in each if average)


def _cost(sides: Sides) -> str:
    cost, values = len(sides.a.entries), descriptors_of(sides.mine)
    if not cost:
        return ""
    if values is None:
        return gettext("costs {cost} Will").format(cost=cost)
    will = SHEET.number(values, "will")
    words = (
        gettext("costs {cost} of {will} Will")
        if cost <= will
        else gettext("costs {cost} Will, but only {will} is left")
    )
    return words.format(cost=cost, will=will)


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
        return PreparedRoll(
            kind=kind, terms=terms.kept, count=sides.a.dice + sides.b.dice, die=DieOfRules(settings.sides)
        )

    def read(self, terms: Terms, faces: Faces, settings: RollSettings) -> RollOutcome:
        """Read the faces, of which those of the roller's side come first."""
        own, said = settings.of(Settings), ContestTerms.of(terms)
        outcome = resolve(terms["a"]["dice"], terms["b"]["dice"], faces, own)
        loser = {Side.A: said.b, Side.B: said.a}[outcome.winner] if outcome.winner and not said.recovery else None
        follows = after(outcome.successes, loser, own) if loser else None
        fell = tuple(die.face for die in (*outcome.a, *outcome.b))
        return RollOutcome(faces=fell, outcome=stored_outcome(outcome) | {"after": follows})

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
            raise Blocked(gettext("This roll already has consequences. Void it and roll again."))

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
            "words": gettext("{pool} against {other}").format(pool=a["words"], other=b["words"]),
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
        return bar(_parts(odds, gettext("lose"), gettext("win")), dice=sides.a.dice + sides.b.dice, lines=lines)

    def request(self, context: OddsContext, ask: DescriptorsInput) -> Requested:
        """Return the request for a pool against another, such as the door guard's Shield wall of 4. A Descriptor
        without dice is read from the opponent's sheet.

        Raises Invalid for an impossible pool, and for a character whom players do not know.
        """
        nobody = DescriptorsInput(pool="1", against=ask.against, versus=ask.versus)
        sides = sides_of(context.campaign, None, nobody, context.settings.of(Settings), is_gm=context.is_gm)
        opponent = sides.opponent
        if opponent is not None and opponent.is_hidden:
            message = gettext("Players don’t know {name} yet. Use other words, or reveal {name} first.")
            raise Invalid(message.format(name=opponent.name), field="versus")
        against = read_pool("against", sides.b.typed, None, None, context.settings.of(Settings))
        whose = named(versus=opponent.name if opponent else sides.versus)
        return Requested(terms={"against": against.model_dump(mode="json", exclude_none=True)} | whose)

    def request_words(self, terms: Terms) -> str:
        pool = stored_pool(terms["against"]).told
        if not terms.get("versus"):
            return gettext("Roll against {pool}").format(pool=pool)
        return gettext("Roll against {name}: {pool}").format(name=terms["versus"], pool=pool)

    def request_fields(self, terms: Terms) -> Terms:
        versus = {"versus": terms["versus"]} if "versus" in terms else {}
        return {"against": stored_pool(terms["against"]).typed} | versus
