"""Load at the table: how much each carries into a score, declared once; and which of their things turn up (public rules).

How long it lasts is our decision, for nobody says: until what the score has brought is written down, when the downtime begins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Final

from campaigns.schema import Code
from characters.reasons import Reason
from languages.text import gettext_lazy
from rolls.stage import Row, Staged
from rules.acting import OPEN, OneOf, Procedure, Waits, act, owner
from rules.messages import Words, worded
from rules.messages import gettext as _
from rules.procedures import Button
from rules.table import Refused, Table
from rulesets.forged.rows import Item, Scoundrel, people
from rulesets.forged.rules.score import MOST_ITEMS, Load
from rulesets.forged.sheet import LOADS

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


def choices(procedure: Loads, table: Table) -> Iterator[tuple[Scoundrel, Load]]:
    return ((who, load) for who in unchosen(procedure, table) for load in Load)


def carriers(procedure: Loads, table: Table) -> list[Scoundrel]:
    return [who for who in people(table) if procedure.fitting(who)]


def items(procedure: Loads, table: Table, who: Scoundrel) -> Iterator[tuple[str, Words]]:
    for key, item in procedure.fitting(who):
        yield key, _("{item}, {load} load", item=item.name, load=item.load)


class Loads(Procedure):
    """Each chooses for their own, and says what turns up."""

    label = gettext_lazy("Loads")
    why = Reason("forged_load", gettext_lazy("load for a score"))
    token = True

    chosen: dict[Code, Load] = {}

    @act(label, says=gettext_lazy("Everyone was asked to choose a load for the score."))
    def open(self, table: Table) -> None:
        """Everyone starts over: whatever was carried is put down when they choose."""
        if not people(table):
            raise Refused(_("No character in this campaign has a Forged in the Dark sheet."))

    @act(lambda self, table, who, load: worded(CHOICES[load], most=MOST_ITEMS[load]), by=owner, each=choices)
    def choose(self, table: Table, who: Scoundrel, load: Load) -> Words:
        """Choose a load, once a score: all armour is restored (forged.txt, Armor), and nothing is carried yet."""
        self.chosen[who.id] = load
        who.load = load.value
        who.armor = who.heavy_armor = who.special_armor = False
        for item in who.items.values():
            item.carried = False
        return self._chose(who)

    @act(gettext_lazy("Carry an item"), by=owner, each=carriers)
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
        if act in (OPEN, "rest"):
            return worded(self.acts[act].says)
        if who is None or who.id not in self.chosen or act not in self.acts:
            return ""
        return self._chose(who) if act == "choose" else self._carries(who)

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
        return Row(
            whose=who.name,
            character=who.id,
            words=words,
            buttons=[button for button in buttons if button.whom == who.id],
            about=who.name,
            acts_for=who.name,
        )


def _carrier_before(one: Mapping[str, Any]) -> Scoundrel:
    held = {"carried": Item(name="", load=one["carried"], carried=True)}
    fits = {"fits": Item(name="", load=0)} if one["fits"] else {}
    return Scoundrel(id=one["character"], name=one["name"], items=held | fits)
