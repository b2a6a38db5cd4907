"""The trauma from a full stress track, as it is chosen at the table (public rules, Stress and Trauma)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from campaigns.schema import Code
from characters.reasons import Reason
from languages.text import gettext_lazy
from rolls.stage import Mark, Row, Staged
from rules.acting import OPEN, Procedure, Waits, act, nobody, owner
from rules.messages import Message, Words, joined, worded
from rules.messages import gettext as _
from rules.procedures import Button
from rules.table import Table
from rulesets.forged.rows import Scoundrel
from rulesets.forged.settings import Settings
from rulesets.forged.sheet import TRAUMA_LABELS, TRAUMAS, trauma_of

LABELS: Final[Mapping[str, Message]] = {code: worded(label) for code, label in TRAUMA_LABELS.items()}


def choices(procedure: Trauma, table: Table) -> Iterator[tuple[Scoundrel, str]]:
    for who in procedure.choosing(table):
        yield from ((who, trauma) for trauma in TRAUMAS if trauma not in who.traumas)


class Trauma(Procedure):
    """One choice for all whom the same step has brought there. It ends by itself for who is cleared, or leaves play."""

    label = gettext_lazy("Trauma")
    why = Reason("forged_trauma", gettext_lazy("a trauma"))

    those: list[Code] = []
    chosen: dict[Code, Code] = {}
    retired: list[Code] = []

    @act(label, says=gettext_lazy("The stress track is full, which brings a trauma: {names}."), by=nobody)
    def open(self, table: Table, *, those: list[str]) -> Mapping[str, Words]:
        self.those = those
        return {"names": joined(", ", (who.name for who in self._people(table)))}

    @act(lambda self, table, who, trauma: LABELS[trauma], by=owner, each=choices)
    def choose(self, table: Table, who: Scoundrel, trauma: str) -> Words:
        """Take a trauma: the track is cleared, the surplus is lost, and the last trauma retires the character."""
        if self._is_last(table, who):
            who.in_play = False
            self.retired.append(who.id)
        setattr(who, trauma_of(trauma), True)
        who.stress = 0
        self.chosen[who.id] = trauma
        return self._took(who)

    def settle(self, table: Table) -> None:
        self.over = not self.choosing(table)

    @property
    def unchosen(self) -> list[str]:
        """Return those who have not chosen, by their ids."""
        return [who for who in self.those if who not in self.chosen]

    def choosing(self, table: Table) -> list[Scoundrel]:
        """Return those who have not chosen, and whose track is still full."""
        people = (table.find(Scoundrel, who) for who in self.unchosen)
        return [who for who in people if who and who.in_play and who.room(table) <= 0]

    def waits(self, table: Table) -> Sequence[Waits]:
        return [Waits(who.id, _("to choose a trauma")) for who in self.choosing(table)]

    def card(self, table: Table, buttons: Sequence[Button]) -> Staged:
        return Staged(above=_("Trauma"), rows=[self._row(table, who, buttons) for who in self._people(table)])

    @classmethod
    def told_before(cls, state: Mapping[str, Any]) -> Table:
        settings = Settings(**state["settings"])
        people = {one["character"]: one for one in state["those"]}
        rows = [
            Scoundrel(
                id=who,
                name=one["name"],
                stress=0 if one["chosen"] or one["eased"] else settings.boxes,
                **dict.fromkeys(map(trauma_of, one["had"]), True),  # type: ignore[arg-type]  # none of them is `values`
            )
            for who, one in people.items()
        ]
        told = cls(
            those=[*people],
            chosen={who: one["chosen"] for who, one in people.items() if one["chosen"]},
            retired=[who for who, one in people.items() if one["retired"]],
        )
        table = Table([told, *rows], settings=settings)
        told.settle(table)
        return table

    def line_before(self, table: Table, act: str, whom: str) -> Words:
        if act == OPEN:
            return worded(self.acts[OPEN].says, names=joined(", ", (who.name for who in self._people(table))))
        return next((self._took(who) for who in self._people(table) if act == "choose" and who.name == whom), "")

    def _people(self, table: Table) -> list[Scoundrel]:
        return [who for one in self.those if (who := table.find(Scoundrel, one))]

    def _is_last(self, table: Table, who: Scoundrel) -> bool:
        last: int = table.settings.last_trauma
        return len(who.traumas) + 1 >= last

    def _took(self, who: Scoundrel) -> Words:
        trauma = LABELS[self.chosen[who.id]]
        if who.id in self.retired:
            return _("{name} took a trauma and retired: {trauma}.", name=who.name, trauma=trauma)
        return _("{name} took a trauma: {trauma}.", name=who.name, trauma=trauma)

    def _row(self, table: Table, who: Scoundrel, buttons: Sequence[Button]) -> Row:
        trauma = self.chosen.get(who.id)
        last = who.id in self.retired if trauma else self._is_last(table, who)
        return Row(
            whose=who.name,
            character=who.id,
            words=LABELS[trauma] if trauma else _("out of the scene; comes back with a trauma and no stress"),
            marks=[Mark(_("last trauma: {name} retires", name=who.name), "trouble")] if last else (),
            look="settled" if trauma else "trouble",
            buttons=[button for button in buttons if button.whom == who.id],
            about=who.name,
            acts_for=who.name,
        )
