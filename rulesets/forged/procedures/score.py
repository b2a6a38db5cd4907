"""Around a score, at the table: fortune for the GM, the engagement roll, loads, and flashbacks (forged.txt, Fortune Roll; public
rules)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import product
from typing import Annotated, Any, Final

from pydantic import BaseModel

from campaigns import schema
from campaigns.schema import Code, Name
from campaigns.text import signed
from characters.reasons import Reason
from languages.text import gettext_lazy
from rolls.stage import Mark, Row, Staged
from rules.acting import OPEN, Between, OneOf, Procedure, Roll, Text, Waits, act, anyone, nobody, owner
from rules.chances import percent_said
from rules.messages import Message, Words, joined, ngettext, worded
from rules.messages import gettext as _
from rules.procedures import ROLLED, SCENE_ENDED, USED, Button
from rules.table import Refused, Table
from rulesets.forged.odds import results
from rulesets.forged.rows import Crew, Item, Scoundrel, check_people, found, own, people, row_of
from rulesets.forged.rules import (
    DEFAULTS,
    LONGEST_NAME,
    MAGNITUDES,
    MOST_BOXES,
    MOST_MAJOR,
    MOST_TRAIT,
    ORDER,
    PERFORMANCES,
    Pool,
    Result,
    check_more,
)
from rulesets.forged.rules.action import Position
from rulesets.forged.rules.downtime import (
    FACTORS,
    FLASHBACK_STRESS,
    MOST_ITEMS,
    OPPOSITES,
    Load,
    engagement,
)
from rulesets.forged.sheet import LOADS
from rulesets.forged.terms import ENGAGEMENT, FortuneTerms, Line, More, MoreFrom
from rulesets.forged.words import POSITION_WORDS, RESULT_LOOKS

# Fortune: a trait or a number of dice, alone or against another side

MOST_BY_JUDGMENT: Final = 4
"""The most dice that a GM may give by judgement alone (forged.txt, Fortune Roll)."""


class Side(BaseModel):
    """A side of a fortune roll: whose it is, its trait and major advantages and disadvantages in dice, `more` dice with the
    reason `why`, the id of who pays for a `push` for one, and its result once it has fallen."""

    name: schema.Name
    trait: int
    advantages: int
    disadvantages: int
    more: int = 0
    why: schema.Text = ""
    push: schema.Code | None = None
    result: Result | None = None

    @property
    def terms(self) -> FortuneTerms:
        """Return the terms of its roll."""
        return FortuneTerms(
            trait=self.trait,
            advantages=self.advantages,
            disadvantages=self.disadvantages,
            note=self.name,
            more=self.more,
            more_from=self.why,
            push_die=self.push is not None,
            helper=self.push,
        )

    @property
    def performed(self) -> Words:
        return worded(PERFORMANCES[self.result].quality) if self.result else ""

    @property
    def row(self) -> Row:
        pool = self.terms.pool(DEFAULTS)
        likely = [
            joined(" ", (worded(PERFORMANCES[result].quality), percent_said(chance)))
            for result, chance in results(pool.dice).items()
            if chance
        ]
        marks = [Mark(self.performed)] if self.performed else ()
        return Row(whose=self.name or _("Fortune"), words=dice_said(pool), detail=joined(", ", likely), marks=marks)


def traits(procedure: Fortune, table: Table) -> Iterator[tuple[int, Words]]:
    """Yield what can be rolled, with its dice: luck or the GM's judgement; a crew's known traits and its cohorts; a magnitude."""
    for dice in range(1, MOST_BY_JUDGMENT + 1):
        yield dice, _("1: sheer luck") if dice == 1 else _("{dice}: your judgement", dice=dice)
    of_crews = (
        trait
        for crew in table.all(Crew)
        if crew.in_play and not crew.hidden
        for trait in (
            (crew.tier, _("Tier of {name}", name=crew.name)),
            (crew.wanted, _("Wanted level of {name}", name=crew.name)),
            *((one.quality, _("Quality of {name}", name=one.name)) for one in crew.cohorts.values()),
        )
    )
    powers = enumerate(MAGNITUDES["force"])
    strong = ((level, _("Magnitude or Tier: {words}", words=worded(words))) for level, words in powers)
    for dice, words in (*of_crews, *strong):
        yield dice, joined(": ", (str(dice), words))


Called = Annotated[str, Text(LONGEST_NAME)]
Trait = Annotated[int, Between(0, MOST_TRAIT), OneOf(traits), gettext_lazy("Trait")]
Advantages = Annotated[int, Between(0, MOST_MAJOR), gettext_lazy("Major advantages")]
Disadvantages = Annotated[int, Between(0, MOST_MAJOR), gettext_lazy("Major disadvantages")]
Pushes = Annotated[Scoundrel | None, OneOf(lambda procedure, table: people(table))]
"""Who pushes themselves for a die of a roll that is nobody's own."""


class Fortune(Procedure):
    """A roll of fate for one side or two. Its dice fall at once; a GM rolls again only what was voided."""

    label = gettext_lazy("Fortune roll")

    sides: dict[str, Side] = {}

    @act(label)
    def open(
        self,
        table: Table,
        *,
        a_name: Called = "",
        a_trait: Trait = 1,
        a_advantages: Advantages = 0,
        a_disadvantages: Disadvantages = 0,
        a_push: Pushes = None,
        a_more: More = 0,
        a_why: Line = "",
        opposed: bool = False,
        b_name: Called = "",
        b_trait: Trait = 1,
        b_advantages: Advantages = 0,
        b_disadvantages: Disadvantages = 0,
        b_push: Pushes = None,
        b_more: More = 0,
        b_why: Line = "",
    ) -> None:
        if opposed and (not a_name or not b_name or a_name == b_name):
            raise Refused(_("Give each side its own name."), "b_name")
        self._add("a", a_name, a_trait, a_advantages, a_disadvantages, a_push, a_more, a_why)
        if opposed:
            self._add("b", b_name, b_trait, b_advantages, b_disadvantages, b_push, b_more, b_why)

    @act(gettext_lazy("Roll again"))
    def roll(self, table: Table) -> None:
        """Let the dice fall that were voided."""

    def next_roll(self, table: Table) -> Roll | None:
        due = (Roll(part=part, ask=side.terms) for part, side in self.sides.items() if side.result is None)
        return next(due, None)

    def on_roll(self, table: Table, part: str, outcome: Mapping[str, Any]) -> Words:
        self.sides[part].result = Result[outcome["result"].upper()]
        self.over = all(side.result for side in self.sides.values())
        return self.fell() if self.over and len(self.sides) > 1 else ""

    def fell(self) -> Message:
        """Return how two sides compare: "Lampblacks good, Crows mixed: Lampblacks ahead by 1 level."""
        a, b = self.sides.values()
        both = joined(", ", (joined(" ", (side.name, side.performed)) for side in (a, b)))
        levels = ORDER.index(a.result) - ORDER.index(b.result) if a.result and b.result else 0
        if not levels:
            return _("{results}: equal, and the GM says what that means.", results=both)
        ahead = a if levels > 0 else b
        return ngettext(
            "{results}: {name} ahead by {count} level.",
            "{results}: {name} ahead by {count} levels.",
            abs(levels),
            results=both,
            name=ahead.name,
        )

    def waits(self, table: Table) -> Sequence[Waits]:
        return [Waits("", _("to roll again"))]

    def card(self, table: Table, buttons: Sequence[Button]) -> Staged:
        """Return the card, which is only seen if a roll of it was voided."""
        return Staged(above=worded(self.label), rows=[side.row for side in self.sides.values()], acts=buttons)

    @classmethod
    def told_before(cls, state: Mapping[str, Any]) -> Table:
        sides = {part: Side.model_validate(state[part]) for part in ("a", "b") if state.get(part)}
        return Table([cls(sides=sides, over=all(side.result for side in sides.values()))])

    def line_before(self, table: Table, act: str, whom: str) -> Words:
        return self.fell() if act == ROLLED and self.over and len(self.sides) > 1 else ""

    def _add(
        self, part: str, name: str, trait: int, more: int, fewer: int, push: Scoundrel | None, extra: int, why: str
    ) -> None:
        check_more({"more": extra, "why": why}, f"{part}_why")
        self.sides[part] = Side(
            name=name,
            trait=trait,
            advantages=more,
            disadvantages=fewer,
            more=extra,
            why=why,
            push=push.id if push else None,
        )


def dice_said(pool: Pool) -> Message:
    """Return "3 dice", or "no dice: roll two, the lowest counts"."""
    if pool.lowest:
        return _("no dice: roll two, the lowest counts")
    return ngettext("{count} die", "{count} dice", pool.dice)


# The engagement roll: its factors as chips, its exact odds, and the position that it leaves on the table

FACTOR_WORDS: Final = {
    "bold": gettext_lazy("a daring plan"),
    "weak_spot": gettext_lazy("it strikes at a weakness"),
    "friends": gettext_lazy("friends lend a hand"),
    "smaller": gettext_lazy("a lower-Tier target"),
    "for_it": gettext_lazy("something else in its favour"),
    "complex": gettext_lazy("a complicated plan"),
    "strong_spot": gettext_lazy("it strikes where they’re strong"),
    "rivals": gettext_lazy("someone gets in the way"),
    "larger": gettext_lazy("a higher-Tier target"),
    "against_it": gettext_lazy("something else against it"),
}
OPENS: Final = {
    Result.BAD: worded(POSITION_WORDS[Position.DESPERATE]),
    Result.PARTIAL: worded(POSITION_WORDS[Position.RISKY]),
    Result.FULL: worded(POSITION_WORDS[Position.CONTROLLED]),
    Result.CRITICAL: _("past the first obstacle"),
}


class Engage(Procedure):
    """A GM says what counts, and rolls."""

    label = gettext_lazy("Engagement roll")

    factors: list[Code] = []
    more: int = 0
    source: schema.Text = ""
    """Where more dice come from."""
    push: Code | None = None
    """Who pays for a push."""
    ready: bool = False
    result: Result | None = None

    @act(label, says=gettext_lazy("An engagement roll was started."))
    def open(self, table: Table) -> None: ...

    @act(
        lambda self, table, factor: worded(FACTOR_WORDS[factor]),
        each=lambda self, table: FACTORS,
        terms=lambda self, table, factor: factor in self.factors,
    )
    def turn(self, table: Table, factor: str) -> None:
        """Let a factor count, or no more; what cannot both be so goes with it."""
        if factor in self.factors:
            self.factors.remove(factor)
        else:
            self.factors = [*(counted for counted in self.factors if counted != OPPOSITES.get(factor)), factor]

    @act(gettext_lazy("More dice…"))
    def more_dice(
        self,
        table: Table,
        *,
        push: Annotated[Pushes, gettext_lazy("Pushes for +1 die, 2 stress")] = None,
        more: More = 0,
        why: MoreFrom = "",
    ) -> None:
        """Say which dice abilities add, and who pushes for one."""
        check_more({"more": more, "why": why})
        self.push, self.more, self.source = push.id if push else None, more, why

    @act(gettext_lazy("Roll"), terms=lambda self, table: [*self.factors, self.more, self.push], primary=True)
    def roll(self, table: Table) -> None:
        self.ready = True

    def next_roll(self, table: Table) -> Roll | None:
        return Roll(part="engagement", ask=self.terms) if self.ready else None

    def on_roll(self, table: Table, part: str, outcome: Mapping[str, Any]) -> Words:
        """Lay the position on the table, in control past the first obstacle on a critical. The roll has its own card."""
        self.ready, self.result = False, Result[outcome["result"].upper()]
        self.over, position = True, engagement(self.result)
        table.begin(Opening, position=position or Position.CONTROLLED, past=position is None)
        return ""

    def undo_roll(self, table: Table, part: str) -> None:
        self.ready, self.result, self.over = False, None, False

    def waits(self, table: Table) -> Sequence[Waits]:
        return [Waits("", _("to choose what counts, and roll"))]

    def card(self, table: Table, buttons: Sequence[Button]) -> Staged:
        """Return the chips for and against it, those that count pressed, the dice and their odds."""
        chips = [self._chip(code, buttons) for code in FACTORS]
        return Staged(
            above=_("Engagement roll"),
            extra="forged/_factors.html",
            more={
                "for_it": [chip for chip in chips if chip["dice"] > 0],
                "against_it": [chip for chip in chips if chip["dice"] < 0],
                "some_for": bool(self._counted(1)),
                "some_against": bool(self._counted(-1)),
                "pool": self._pool_said(table),
                "odds": [
                    {"look": RESULT_LOOKS[result], "words": OPENS[result], "chance": percent_said(chance)}
                    for result, chance in results(self.terms.pool(DEFAULTS).dice).items()
                    if chance
                ],
            },
            acts=[button for button in buttons if button.name != "turn"],
        )

    @classmethod
    def told_before(cls, state: Mapping[str, Any]) -> Table:
        names = {state["push"]: state["push_name"]} if state.get("push") else {}
        own = {name: state[name] for name in ("factors", "more", "push", "ready", "result") if name in state}
        told = cls(**own, source=state.get("why", ""), over=state["result"] is not None)
        return Table([told, *(Scoundrel(id=who, name=name) for who, name in names.items())])

    @property
    def terms(self) -> FortuneTerms:
        """Return the terms of its roll."""
        return FortuneTerms(
            advantages=self._counted(1),
            disadvantages=self._counted(-1),
            settles=ENGAGEMENT,
            more=self.more,
            more_from=self.source,
            push_die=self.push is not None,
            helper=self.push,
        )

    def _counted(self, dice: int) -> int:
        return sum(FACTORS[factor] == dice for factor in self.factors)

    def _pool_said(self, table: Table) -> Words:
        """Return words such as "3 dice (Cross pushes +1, Inside man +1)"."""
        pushes = [_("{name} pushes +1", name=who.name) for who in found(table, filter(None, [self.push]))]
        added: list[Words] = [*pushes, *([f"{self.source} {signed(self.more)}"] if self.more else [])]
        dice = dice_said(self.terms.pool(DEFAULTS))
        return joined("", (dice, " (", joined(", ", added), ")")) if added else dice

    def _chip(self, code: str, buttons: Sequence[Button]) -> dict[str, Any]:
        """Return a chip with the button that turns it, for those who may."""
        turns = next((button for button in buttons if button.name == "turn" and button.whom == code), None)
        words = worded(FACTOR_WORDS[code])
        return {"words": words, "dice": FACTORS[code], "on": code in self.factors, "button": turns}


class ForNext(Procedure):
    """What lies on the table for a later action, until it uses this up, a GM removes it, or the scene ends."""

    token = True

    def scene_ended(self, table: Table) -> Words:
        self.over = True
        return ""

    def card(self, table: Table, buttons: Sequence[Button]) -> Staged:
        return Staged(notes=[joined("", (self.chip_words(table), "."))], acts=buttons)


class Opening(ForNext):
    """The opening position for the first action; `past` the first obstacle on a critical."""

    label = gettext_lazy("Opening position")

    position: Position = Position.RISKY
    past: bool = False

    @act(label, by=nobody)
    def open(self, table: Table, *, position: Position, past: bool) -> None:
        self.position, self.past = position, past

    @act(gettext_lazy("Remove"), says=gettext_lazy("The opening position was removed from the table."))
    def use(self, table: Table) -> None:
        self.over = True

    def used(self, table: Table) -> Words:
        return _(
            "The first action used the opening position: {position}.", position=worded(POSITION_WORDS[self.position])
        )

    def chip_words(self, table: Table) -> Words:
        position = worded(POSITION_WORDS[self.position])
        if self.past:
            return _("Opening position: {position}, past the first obstacle", position=position)
        return _("Opening position: {position}", position=position)

    @classmethod
    def told_before(cls, state: Mapping[str, Any]) -> Table:
        return Table([cls(position=state["position"], past=state["past"], over=state["used"])])

    def line_before(self, table: Table, act: str, whom: str) -> Words:
        """Return a sentence where it is used up; what the roll's card says is not said again."""
        return self.used(table) if act == USED else super().line_before(table, act, whom)


# Load: how much each carries into a score, declared once; and which of their things turn up. How long it lasts is our decision,
# for nobody says: until what the score has brought is written down, when the downtime begins.

CARRIED = Reason("forged_carried", gettext_lazy("carried into the score"))
CHOICES: Final = {
    Load.LIGHT: gettext_lazy("Light, up to {most}"),
    Load.NORMAL: gettext_lazy("Normal, up to {most}"),
    Load.HEAVY: gettext_lazy("Heavy, up to {most}"),
    Load.ENCUMBERED: gettext_lazy("Encumbered, up to {most}"),
}
CHOSEN: Final = {
    Load.LIGHT: gettext_lazy("{name} chose a light load: room for {most}, armour restored."),
    Load.NORMAL: gettext_lazy("{name} chose a normal load: room for {most}, armour restored."),
    Load.HEAVY: gettext_lazy("{name} chose a heavy load: room for {most}, armour restored."),
    Load.ENCUMBERED: gettext_lazy("{name} chose to be encumbered: room for {most}, armour restored."),
}


def unchosen(procedure: Loads, table: Table) -> list[Scoundrel]:
    return [who for who in people(table) if who.id not in procedure.chosen]


def items(procedure: Loads, table: Table, who: Scoundrel) -> Iterator[tuple[str, Words]]:
    fitting = procedure.fitting(who)
    return ((key, _("{item}, {load} load", item=item.name, load=item.load)) for key, item in fitting)


class Loads(Procedure):
    """Each chooses for their own, and says what turns up."""

    label = gettext_lazy("Loads")
    why = Reason("forged_load", gettext_lazy("load for a score"))
    token = True

    chosen: dict[Code, Load] = {}

    @act(label, says=gettext_lazy("Everyone was asked to choose a load for the score."))
    def open(self, table: Table) -> None:
        """Everyone starts over: whatever was carried is put down when they choose."""
        check_people(table)

    @act(
        lambda self, table, who, load: worded(CHOICES[load], most=MOST_ITEMS[load]),
        by=owner,
        each=lambda self, table: product(unchosen(self, table), Load),
    )
    def choose(self, table: Table, who: Scoundrel, load: Load) -> Words:
        """Choose a load, once a score: all armour is restored (forged.txt, Armor), and nothing is carried yet."""
        self.chosen[who.id] = load
        who.load = load.value
        who.armor = who.heavy_armor = who.special_armor = False
        for item in who.items.values():
            item.carried = False
        return self._chose(who)

    @act(gettext_lazy("Carry an item"), by=owner, each=lambda self, table: filter(self.fitting, people(table)))
    def carry(self, table: Table, who: Scoundrel, *, item: Annotated[str, OneOf(items), gettext_lazy("Item")]) -> Words:
        """Let an item of the sheet turn up, as far as the load has room for it."""
        who.items[item].carried = True
        table.why = CARRIED
        return self._carries(who)

    @act(
        gettext_lazy("Normal load for the rest"),
        says=gettext_lazy("Everyone who hadn’t chosen took a normal load, with armour restored."),
        when=lambda self, table: bool(unchosen(self, table)),
    )
    def rest(self, table: Table) -> None:
        """Let all who have not chosen carry a normal load, so that no one holds the others up."""
        for who in unchosen(self, table):
            self.choose(table, who, Load.NORMAL)

    def most(self, who: Scoundrel) -> int:
        """Return how much they can carry, 0 before they have chosen."""
        return MOST_ITEMS[self.chosen[who.id]] if who.id in self.chosen else 0

    def fitting(self, who: Scoundrel) -> list[tuple[str, Item]]:
        """Return what they do not carry, and have room for."""
        room = self.most(who) - who.carried
        left = ((key, item) for key, item in who.items.items() if not item.carried)
        return [(key, item) for key, item in left if who.id in self.chosen and item.load <= room]

    def waits(self, table: Table) -> Sequence[Waits]:
        return [Waits(who.id, _("to choose a load")) for who in unchosen(self, table)]

    def chip_words(self, table: Table) -> Words:
        there = people(table)
        chosen = sum(who.id in self.chosen for who in there)
        return _("Loads: {chosen} of {people} chosen", chosen=chosen, people=len(there))

    def card(self, table: Table, buttons: Sequence[Button]) -> Staged:
        return Staged(
            rows=[self._row(who, buttons) for who in people(table)],
            acts=[button for button in buttons if button.name == "rest"],
        )

    @classmethod
    def told_before(cls, state: Mapping[str, Any]) -> Table:
        carriers = [one for one in state["those"] if one["there"]]
        told = cls(chosen={one["character"]: one["load"] for one in carriers if one["load"]})
        return Table([told, *(_carrier_before(one) for one in carriers)])

    def line_before(self, table: Table, act: str, whom: str) -> Words:
        who = next((one for one in people(table) if one.name == whom), None)
        if who and who.id in self.chosen and act in ("choose", "carry"):
            return self._chose(who) if act == "choose" else self._carries(who)
        return super().line_before(table, act, whom)

    def _chose(self, who: Scoundrel) -> Words:
        return worded(CHOSEN[self.chosen[who.id]], name=who.name, most=self.most(who))

    def _carries(self, who: Scoundrel) -> Words:
        words = gettext_lazy("{name} turned out to carry something: {carried} of {most} carried.")
        return worded(words, name=who.name, carried=who.carried, most=self.most(who))

    def _row(self, who: Scoundrel, buttons: Sequence[Button]) -> Row:
        words: Words = _("no load chosen")
        if who.id in self.chosen:
            sentence = (
                gettext_lazy("{load}: {carried} of {most} carried")
                if self.fitting(who)
                else gettext_lazy("{load}: {carried} of {most} carried, nothing else on the sheet fits")
            )
            load = worded(dict(LOADS)[self.chosen[who.id]])
            words = worded(sentence, load=load, carried=who.carried, most=self.most(who))
        return row_of(who, buttons, words=words)


def _carrier_before(one: Mapping[str, Any]) -> Scoundrel:
    held = {"carried": Item(name="", load=one["carried"], carried=True)}
    fits = {"fits": Item(name="", load=0)} if one["fits"] else {}
    return Scoundrel(id=one["character"], name=one["name"], items=held | fits)


# A flashback: the player says what happened, the GM sets the cost, and the player pays or drops it


def whose(procedure: Flashback, table: Table) -> list[Scoundrel]:
    return found(table, [procedure.who])


PRICED: Final = gettext_lazy("{who}’s flashback was priced: {cost}.")


class Flashback(Procedure):
    label = gettext_lazy("Flashback")
    why = Reason("forged_flashback", gettext_lazy("a flashback"))

    who: Code = ""
    stress: int | None = None
    """What it costs; None until the GM has said so."""
    ended: Code = ""

    against = ("character", "")

    @act(label, says=gettext_lazy("{character} announced a flashback."), by=anyone)
    def open(self, table: Table, *, character: Annotated[Scoundrel, OneOf(own), gettext_lazy("Character")]) -> None:
        self.who = character.id

    @act(
        lambda self, table, stress: _("{count} stress", count=stress) if stress else _("No stress"),
        says=PRICED,
        each=lambda self, table: (price for price in FLASHBACK_STRESS if price != self.stress),
    )
    def set(self, table: Table, stress: int) -> None:
        self.stress = stress

    @act(gettext_lazy("More stress…"), says=PRICED)
    def more(self, table: Table, *, stress: Annotated[int, Between(0, MOST_BOXES), gettext_lazy("Stress")]) -> None:
        self.stress = stress

    @act(
        lambda self, table, who: (
            _("Pay {count} stress", count=self.stress) if self.stress else _("Confirm the flashback")
        ),
        says=gettext_lazy("{who} had the flashback, for {cost}."),
        by=owner,
        when=lambda self, table: self.stress is not None,
        each=whose,
        primary=True,
    )
    def accept(self, table: Table, who: Scoundrel) -> None:
        """Mark the stress as far as there is room, which may bring a trauma; the flashback has still happened."""
        if not who.in_play:
            raise Refused(_("{name} is no longer in play.", name=who.name))
        if self.stress:
            who.check_room(table)
        if self._is_too_much(table, who):
            raise Refused(_("That would fill the stress track, which your campaign doesn’t allow here."))
        who.strain(table, self.stress or 0)
        self.ended, self.over = "paid", True

    @act(gettext_lazy("Drop it"), says=gettext_lazy("{who} dropped the flashback."), by=owner, each=whose)
    def drop(self, table: Table, who: Scoundrel) -> None:
        self.ended, self.over = "dropped", True

    def scene_ended(self, table: Table) -> Words:
        """Drop a flashback that was not paid for before the scene ended."""
        self.ended, self.over = "dropped", True
        return _("{who}’s flashback was dropped: the scene ended.", who=self._name(table))

    def waits(self, table: Table) -> Sequence[Waits]:
        who = table.find(Scoundrel, self.who)
        if self.stress is None:
            return [Waits("", _("to set what it costs"))]
        if who is None or not who.in_play:
            return [Waits("", _("to drop it: {name} is no longer in play", name=self._name(table)))]
        if self._is_too_much(table, who):
            return [Waits("", _("to ask for less stress than would fill the track")), Waits(who.id, _("to drop it"))]
        is_full = self.stress and who.room(table) <= 0
        return [Waits(who.id, _("to choose a trauma first, or drop it") if is_full else _("to pay for it, or drop it"))]

    def card(self, table: Table, buttons: Sequence[Button]) -> Staged:
        price = _("It costs {count} stress.", count=self.stress) if self.stress else _("It costs nothing.")
        return Staged(
            above=_("Flashback"),
            title=self._name(table),
            faces=[self.who],
            notes=[_("The GM hasn’t set the cost yet.") if self.stress is None else price],
            acts=[one for one in buttons if one.whom == self.who],
            own=[one for one in buttons if one.whom != self.who],
            acts_for=self._name(table),
        )

    @classmethod
    def told_before(cls, state: Mapping[str, Any]) -> Table:
        who, ended = Scoundrel(id=state["character"], name=state["name"]), state.get("ended", "")
        return Table([cls(who=who.id, stress=state.get("stress"), ended=ended, over=bool(ended)), who])

    def line_before(self, table: Table, act: str, whom: str) -> Words:
        return self.scene_ended(table) if act == SCENE_ENDED else super().line_before(table, act, whom)

    def line_names(self, table: Table) -> Mapping[str, Words]:
        cost = _("{count} stress", count=self.stress) if self.stress else _("no stress")
        return {"who": self._name(table), "character": self._name(table), "cost": cost}

    def _is_too_much(self, table: Table, who: Scoundrel) -> bool:
        marked = min(self.stress or 0, max(0, who.room(table)))
        return not table.settings.filling_stress_counts and 0 < marked == who.room(table)

    def _name(self, table: Table) -> Words:
        return there.name if (there := table.find(Scoundrel, self.who)) else _("Someone")


# What an action leaves for a later one: a set-up for whoever follows, or a position that got worse (forged.txt, Set up,
# Consequences)


class Gives(StrEnum):
    """The benefit that a set-up gives to each who follows; a position that is `worse`, from a consequence; or that in which a
    score `opened`, which tells the GM what to set."""

    EFFECT = "effect"
    POSITION = "position"
    WORSE = "worse"
    OPENED = "opened"


def token_words(gives: Gives, to: Position | None, by: str) -> Words:
    """Return what it brings to an action."""
    if to and gives in (Gives.OPENED, Gives.WORSE):
        sentence = (
            gettext_lazy("the score opens in this position: {position}")
            if gives is Gives.OPENED
            else gettext_lazy("a position that got worse: {position} or more")
        )
        return worded(sentence, position=worded(POSITION_WORDS[to]))
    if gives is Gives.EFFECT:
        return _("set up by {name}: +1 effect", name=by)
    return _("set up by {name}: a better position", name=by)


class Carried(ForNext):
    """For the next action of `who`, by their id, or, as it is `who`'s set-up, for all others who follow until the scene ends."""

    label = gettext_lazy("Carried over")

    who: Code = ""
    gives: Gives = Gives.EFFECT
    to: Position | None = None
    by: Name = ""
    """Whose set-up it is, by name."""

    @act(
        label,
        says=lambda self, table: (
            gettext_lazy("For whoever follows: {words}.")
            if self.stays
            else gettext_lazy("For {name}’s next action: {words}.")
        ),
        by=nobody,
    )
    def open(self, table: Table, *, who: str, gives: Gives, to: Position | None, by: str) -> None:
        self.who, self.gives, self.to, self.by = who, gives, to, by

    @act(gettext_lazy("Remove"), says=gettext_lazy("Removed from the table: {words}."))
    def drop(self, table: Table) -> None:
        self.over = True

    @property
    def stays(self) -> bool:
        """Return whether it is for whoever follows, and counts for the next of them as well."""
        return self.gives in (Gives.EFFECT, Gives.POSITION)

    def serves(self, who: str) -> bool:
        """Return whether it counts for this character's action; nobody follows up on their own set-up."""
        return self.who != who if self.stays else self.who == who

    def settle(self, table: Table) -> None:
        """Drop it for someone who has left play."""
        who = table.find(Scoundrel, self.who)
        self.over = self.over or not (self.stays or (who and who.in_play))

    def chip_words(self, table: Table) -> Words:
        return _("{name}: {words}", name=self._for(table), words=self.words)

    @property
    def words(self) -> Words:
        return token_words(self.gives, self.to, self.by)

    @classmethod
    def told_before(cls, state: Mapping[str, Any]) -> Table:
        worse = state["gives"] == Gives.WORSE
        who = (state["character"] if worse else state.get("setter")) or ""
        told = cls(who=who, gives=state["gives"], to=state["to"] or None, by=state["by"], over=state["gone"])
        return Table([told, Scoundrel(id=who, name=state["name"])])

    def line_before(self, table: Table, act: str, whom: str) -> Words:
        return super().line_before(table, act, whom) if act == OPEN else ""

    def line_names(self, table: Table) -> Mapping[str, Words]:
        return {"name": self._for(table), "words": self.words}

    def _for(self, table: Table) -> Words:
        who = None if self.stays else table.find(Scoundrel, self.who)
        return who.name if who else _("Whoever follows")
