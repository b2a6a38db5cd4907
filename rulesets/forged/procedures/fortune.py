"""Fortune for the GM: a trait or a number of dice, alone or against another side (forged.txt, Fortune Roll)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Final

from pydantic import BaseModel

from campaigns import schema
from languages.text import gettext_lazy
from rolls.stage import Mark, Row, Staged
from rules.acting import Between, OneOf, Procedure, Roll, Text, Waits, act
from rules.chances import percent_said
from rules.messages import Message, Words, joined, ngettext, worded
from rules.messages import gettext as _
from rules.procedures import ROLLED, Button
from rules.table import Refused, Table
from rulesets.forged.odds import results
from rulesets.forged.rows import Crew, Scoundrel, people
from rulesets.forged.rules.roll import (
    LONGEST_NAME,
    MAGNITUDES,
    MOST_MAJOR,
    MOST_MORE,
    MOST_TRAIT,
    ORDER,
    PERFORMANCES,
    Measure,
    Pool,
    Result,
    check_more,
    fortune_pool,
    with_more,
)
from rulesets.forged.terms import LONGEST_WORDS, FortuneTerms

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
    def pool(self) -> Pool:
        pool = fortune_pool(trait=self.trait, advantages=self.advantages, disadvantages=self.disadvantages)
        return with_more(pool, self.more, push=self.push is not None)

    @property
    def performed(self) -> Words:
        return worded(PERFORMANCES[self.result].quality) if self.result else ""

    @property
    def row(self) -> Row:
        chances = results(self.pool.dice).items()
        likely = [
            joined(" ", (worded(PERFORMANCES[result].quality), percent_said(chance)))
            for result, chance in chances
            if chance
        ]
        marks = [Mark(self.performed)] if self.performed else ()
        return Row(
            whose=self.name or _("Fortune"), words=dice_said(self.pool), detail=joined(", ", likely), marks=marks
        )


def traits(procedure: Fortune, table: Table) -> Iterator[tuple[int, Words]]:
    """Yield what can be rolled, with its dice: luck or the GM's judgement; a crew's known traits and its cohorts; a magnitude."""
    for dice in range(1, MOST_BY_JUDGMENT + 1):
        yield dice, _("1: sheer luck") if dice == 1 else _("{dice}: your judgement", dice=dice)
    named: list[tuple[int, Words]] = []
    for crew in table.all(Crew):
        if crew.in_play and not crew.hidden:
            named.append((crew.tier, _("Tier of {name}", name=crew.name)))
            named.append((crew.wanted, _("Wanted level of {name}", name=crew.name)))
            named += [(one.quality, _("Quality of {name}", name=one.name)) for one in crew.cohorts.values()]
    powers = enumerate(MAGNITUDES[Measure.FORCE])
    named += [(level, _("Magnitude or Tier: {words}", words=worded(words))) for level, words in powers]
    for dice, words in named:
        yield dice, joined(": ", (str(dice), words))


def who_pushes(procedure: Fortune, table: Table) -> list[Scoundrel]:
    """Return the characters who may push themselves for a die of a roll that is nobody's own."""
    return people(table)


Called = Annotated[str, Text(LONGEST_NAME)]
Trait = Annotated[int, Between(0, MOST_TRAIT), OneOf(traits), gettext_lazy("Trait")]
Advantages = Annotated[int, Between(0, MOST_MAJOR), gettext_lazy("Major advantages")]
Disadvantages = Annotated[int, Between(0, MOST_MAJOR), gettext_lazy("Major disadvantages")]
Pushes = Annotated[Scoundrel | None, OneOf(who_pushes)]
More = Annotated[int, Between(-MOST_MORE, MOST_MORE), gettext_lazy("Extra dice")]
Why = Annotated[str, Text(LONGEST_WORDS)]


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
        a_why: Why = "",
        opposed: bool = False,
        b_name: Called = "",
        b_trait: Trait = 1,
        b_advantages: Advantages = 0,
        b_disadvantages: Disadvantages = 0,
        b_push: Pushes = None,
        b_more: More = 0,
        b_why: Why = "",
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
        for part, side in self.sides.items():
            if side.result is None:
                ask = FortuneTerms(
                    trait=side.trait,
                    advantages=side.advantages,
                    disadvantages=side.disadvantages,
                    note=side.name,
                    more=side.more,
                    more_from=side.why,
                    **pushing(side.push),
                )
                return Roll(part=part, ask=ask)
        return None

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


def pushing(who: str | None) -> dict[str, Any]:
    """Return the fields of a roll that someone pushes themselves for."""
    return {"push_die": True, "helper": who} if who else {}


def dice_said(pool: Pool) -> Message:
    """Return "3 dice", or "no dice: roll two, the lowest counts"."""
    if pool.lowest:
        return _("no dice: roll two, the lowest counts")
    return ngettext("{count} die", "{count} dice", pool.dice)
