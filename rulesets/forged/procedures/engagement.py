"""The engagement roll: its factors as chips, its exact odds, and the position that it leaves on the table (public rules)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

from campaigns import schema
from campaigns.schema import Code
from campaigns.text import signed
from languages.text import gettext_lazy
from rolls.stage import Staged
from rules.acting import OPEN, Between, OneOf, Procedure, Roll, Text, Waits, act, nobody
from rules.chances import percent_said
from rules.messages import Words, joined, worded
from rules.messages import gettext as _
from rules.procedures import USED, Button
from rules.table import Table
from rulesets.forged.odds import results
from rulesets.forged.procedures.fortune import dice_said, pushing, who_pushes
from rulesets.forged.rows import Scoundrel
from rulesets.forged.rules.action import Position
from rulesets.forged.rules.roll import MOST_MORE, Pool, Result, check_more, fortune_pool, with_more
from rulesets.forged.rules.score import FACTORS, OPPOSITES, engagement
from rulesets.forged.terms import ENGAGEMENT, LONGEST_WORDS, FortuneTerms
from rulesets.forged.words import POSITION_WORDS, RESULT_LOOKS

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
        push: Annotated[Scoundrel | None, OneOf(who_pushes), gettext_lazy("Pushes for +1 die, 2 stress")] = None,
        more: Annotated[int, Between(-MOST_MORE, MOST_MORE), gettext_lazy("Extra dice")] = 0,
        why: Annotated[str, Text(LONGEST_WORDS), gettext_lazy("Where they come from")] = "",
    ) -> None:
        """Say which dice abilities add, and who pushes for one."""
        check_more({"more": more, "why": why})
        self.push, self.more, self.source = push.id if push else None, more, why

    @act(gettext_lazy("Roll"), terms=lambda self, table: [*self.factors, self.more, self.push], primary=True)
    def roll(self, table: Table) -> None:
        self.ready = True

    def next_roll(self, table: Table) -> Roll | None:
        if not self.ready:
            return None
        ask = FortuneTerms(
            trait=1,
            advantages=self._counted(1),
            disadvantages=self._counted(-1),
            settles=ENGAGEMENT,
            more=self.more,
            more_from=self.source,
            **pushing(self.push),
        )
        return Roll(part="engagement", ask=ask)

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
                    for result, chance in results(self.pool.dice).items()
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

    def line_before(self, table: Table, act: str, whom: str) -> Words:
        return worded(self.acts[OPEN].says) if act == OPEN else ""

    @property
    def pool(self) -> Pool:
        pool = fortune_pool(advantages=self._counted(1), disadvantages=self._counted(-1))
        return with_more(pool, self.more, push=self.push is not None)

    def _counted(self, dice: int) -> int:
        return sum(FACTORS[factor] == dice for factor in self.factors)

    def _pool_said(self, table: Table) -> Words:
        """Return words such as "3 dice (Cross pushes +1, Inside man +1)"."""
        added: list[Words] = []
        if self.push and (who := table.find(Scoundrel, self.push)):
            added.append(_("{name} pushes +1", name=who.name))
        if self.more:
            added.append(f"{self.source} {signed(self.more)}")
        dice = dice_said(self.pool)
        return joined("", (dice, " (", joined(", ", added), ")")) if added else dice

    def _chip(self, code: str, buttons: Sequence[Button]) -> dict[str, Any]:
        """Return a chip with the button that turns it, for those who may."""
        turns = next((button for button in buttons if button.name == "turn" and button.whom == code), None)
        words = worded(FACTOR_WORDS[code])
        return {"words": words, "dice": FACTORS[code], "on": code in self.factors, "button": turns}


class Opening(Procedure):
    """The opening position until the first action, which uses it up, or the end of the scene; `past` the first obstacle on a
    critical. A GM may remove it."""

    label = gettext_lazy("Opening position")
    token = True

    position: Position = Position.RISKY
    past: bool = False

    @act(label, by=nobody)
    def open(self, table: Table, *, position: Position, past: bool) -> None:
        self.position, self.past = position, past

    @act(gettext_lazy("Remove"), says=gettext_lazy("The opening position was removed from the table."))
    def use(self, table: Table) -> None:
        self.over = True

    def scene_ended(self, table: Table) -> Words:
        self.over = True
        return ""

    def used(self, table: Table) -> Words:
        return _(
            "The first action used the opening position: {position}.", position=worded(POSITION_WORDS[self.position])
        )

    def chip_words(self, table: Table) -> Words:
        position = worded(POSITION_WORDS[self.position])
        if self.past:
            return _("Opening position: {position}, past the first obstacle", position=position)
        return _("Opening position: {position}", position=position)

    def card(self, table: Table, buttons: Sequence[Button]) -> Staged:
        return Staged(notes=[joined("", (self.chip_words(table), "."))], acts=buttons)

    @classmethod
    def told_before(cls, state: Mapping[str, Any]) -> Table:
        return Table([cls(position=state["position"], past=state["past"], over=state["used"])])

    def line_before(self, table: Table, act: str, whom: str) -> Words:
        """Return a sentence where it is used up; what the roll's card says is not said again."""
        if act == "use":
            return worded(self.acts["use"].says)
        return self.used(table) if act == USED else ""
