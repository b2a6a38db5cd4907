"""A flashback at the table: the player says what happened, the GM sets the cost, and the player pays or drops it (public
rules)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

from campaigns.schema import Code
from characters.reasons import Reason
from languages.text import gettext_lazy
from rolls.stage import Staged
from rules.acting import Between, OneOf, Procedure, Waits, act, anyone, owner
from rules.messages import Words, worded
from rules.messages import gettext as _
from rules.procedures import SCENE_ENDED, Button
from rules.table import Refused, Table
from rulesets.forged.rows import Scoundrel, people
from rulesets.forged.rules.body import FULL_STRESS, full_words
from rulesets.forged.rules.score import FLASHBACK_STRESS, MOST_EXTRA_STRESS
from rulesets.forged.rules.score import Flashback as Kind

MOST_STRESS: Final = FLASHBACK_STRESS[Kind.ELABORATE] + MOST_EXTRA_STRESS


def own(procedure: Flashback, table: Table) -> list[Scoundrel]:
    return [one for one in people(table) if table.by.plays(one.id)]


def whose(procedure: Flashback, table: Table) -> list[Scoundrel]:
    there = table.find(Scoundrel, procedure.who)
    return [there] if there else []


def costs(stress: int) -> Words:
    return _("{count} stress", count=stress) if stress else _("no stress")


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
        each=lambda self, table: (price for price in FLASHBACK_STRESS.values() if price != self.stress),
    )
    def set(self, table: Table, stress: int) -> Words:
        return self._priced(table, stress)

    @act(gettext_lazy("More stress…"))
    def more(self, table: Table, *, stress: Annotated[int, Between(0, MOST_STRESS), gettext_lazy("Stress")]) -> Words:
        return self._priced(table, stress)

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
    def accept(self, table: Table, who: Scoundrel) -> Mapping[str, Words]:
        """Mark the stress as far as there is room, which may bring a trauma; the flashback has still happened."""
        stress, room = self.stress or 0, who.room(table)
        if not who.in_play:
            raise Refused(_("{name} is no longer in play.", name=who.name))
        if stress and room <= 0:
            table.forbid(FULL_STRESS, full_words(who.name))
        if self._is_too_much(table, who):
            raise Refused(_("That would fill the stress track, which your campaign doesn’t allow here."))
        who.stress += min(stress, max(0, room))
        self._end("paid")
        return {"cost": costs(stress)}

    @act(gettext_lazy("Drop it"), says=gettext_lazy("{who} dropped the flashback."), by=owner, each=whose)
    def drop(self, table: Table, who: Scoundrel) -> None:
        self._end("dropped")

    def scene_ended(self, table: Table) -> Words:
        """Drop a flashback that was not paid for before the scene ended."""
        self._end("dropped")
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
        who = self._name(table)
        if act in ("set", "more"):
            return self._priced(table, self.stress or 0)
        if act == SCENE_ENDED:
            return self.scene_ended(table)
        return (
            worded(self.acts[act].says, who=who, character=who, cost=costs(self.stress or 0))
            if act in self.acts
            else ""
        )

    def _priced(self, table: Table, stress: int) -> Words:
        self.stress = stress
        return _("{who}’s flashback was priced: {cost}.", who=self._name(table), cost=costs(stress))

    def _is_too_much(self, table: Table, who: Scoundrel) -> bool:
        marked = min(self.stress or 0, max(0, who.room(table)))
        return not table.settings.filling_stress_counts and 0 < marked == who.room(table)

    def _name(self, table: Table) -> Words:
        return there.name if (there := table.find(Scoundrel, self.who)) else _("Someone")

    def _end(self, how: str) -> None:
        self.ended, self.over = how, True
