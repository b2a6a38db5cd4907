"""A Refreshment Scene, and the GM's right that it gives (descriptors.txt, Refreshment).

One character asks another for one between scenes, both let their guard down, and the GM may make the situation worse for it,
once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any

from pydantic import BaseModel

from campaigns.schema import Code, Name
from characters.reasons import Reason
from languages.text import gettext_lazy
from rolls.stage import Staged
from rules.acting import Like, OneOf, Text, Waits, act, anyone, nobody
from rules.acts import Actor
from rules.messages import Message, Words, worded
from rules.messages import gettext as _
from rules.procedures import Button
from rules.table import Refused, Table
from rulesets.descriptors.rows import Ends, Hero, everyone, own
from rulesets.descriptors.sheet import LONGEST_NAME

CALLER, PARTNER = "caller", "partner"


class Person(BaseModel):
    """One of the two: a `character` by its id, or a person of the GM's without a sheet, who only has a `name`."""

    name: Name = ""
    character: Code | None = None


class Stage(StrEnum):
    ASKED = "asked"
    PLAYED = "played"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"


def others(procedure: Refreshment, table: Table) -> list[Hero]:
    mine = own(procedure, table)
    return [one for one in everyone(procedure, table) if len(mine) > 1 or one not in mine]


def _plays(procedure: Refreshment, who: Actor, whom: str) -> bool:
    return who.plays(procedure.people[whom].character)


def _forbid_in_scene(table: Table) -> None:
    if table.in_scene:
        raise Refused(_("A Refreshment Scene takes place between scenes. End the scene first."), "in_scene")


class Refreshment(Ends):
    """`caller` has asked `partner` for it, who answers; the caller may withdraw."""

    label = gettext_lazy("Refreshment Scene")
    why = Reason("refreshment", gettext_lazy("a Refreshment Scene"))

    caller: Person = Person()
    partner: Person = Person()
    stage: Stage = Stage.ASKED

    @property
    def people(self) -> dict[str, Person]:
        return {CALLER: self.caller, PARTNER: self.partner}

    @act(label, says=gettext_lazy("{caller} asked {partner} for a Refreshment Scene."), by=anyone)
    def open(
        self,
        table: Table,
        *,
        caller: Annotated[Hero, OneOf(own), gettext_lazy("Character")],
        partner: Annotated[Hero | None, OneOf(others, gettext_lazy("someone else")), gettext_lazy("Partner")] = None,
        name: Annotated[
            str, Text(LONGEST_NAME), Like(gettext_lazy("an NPC without a sheet")), gettext_lazy("Or a name")
        ] = "",
    ) -> Mapping[str, Words]:
        _forbid_in_scene(table)
        if caller is partner:
            raise Refused(_("Choose another character."), PARTNER)
        name = partner.name if partner else name.strip()
        if not name:
            words = _("Choose who it’s with, or write a name of up to {count} characters.", count=LONGEST_NAME)
            raise Refused(words, "name")
        self.caller = Person(name=caller.name, character=caller.id)
        self.partner = Person(name=name, character=partner.id if partner else None)
        return self.line_names(table)

    @act(
        gettext_lazy("Agree"),
        says=gettext_lazy(
            "{partner} and {caller} had a Refreshment Scene. Will and Power came back, Injuries stayed, and the GM may make "
            "the situation worse once in return."
        ),
        by=_plays,
        each=lambda self, table: [PARTNER],
        tried=False,
        primary=True,
    )
    def agree(self, table: Table, whom: str) -> None:
        """Restore both, or the caller alone by the campaign's setting, and give the GM the right to escalate."""
        _forbid_in_scene(table)
        for person in self.people.values():
            there = table.find(Hero, person.character) if person.character else None
            if person.character and not (there and there.plays):
                raise Refused(_("{name} is no longer in play.", name=person.name))
            if there and (table.settings.both_refreshed or person is self.caller):
                there.refresh(table.settings)
        table.begin(Escalation, caller=self.caller.name, partner=self.partner.name)
        self.end_as(Stage.PLAYED)

    @act(
        gettext_lazy("Not now"),
        says=gettext_lazy("{partner} declined a Refreshment Scene with {caller}."),
        by=_plays,
        each=lambda self, table: [PARTNER],
    )
    def decline(self, table: Table, whom: str) -> None:
        self.end_as(Stage.DECLINED)

    @act(
        gettext_lazy("Never mind"),
        says=gettext_lazy("{caller} no longer asks {partner} for a Refreshment Scene."),
        by=_plays,
        each=lambda self, table: [CALLER],
    )
    def withdraw(self, table: Table, whom: str) -> None:
        self.end_as(Stage.WITHDRAWN)

    def so_far(self, act: str, table: Table, *target: Any) -> Mapping[str, Any]:
        """Propose a partner for the first of the actor's characters."""
        mine = own(self, table)[:1]
        return {"partner": next((one for one in others(self, table) if one not in mine), None)}

    def stands(self, table: Table) -> Message:
        return _("Refreshment Scene: {caller} with {partner}.", **self.line_names(table))

    def waits(self, table: Table) -> Sequence[Waits]:
        words = _("to agree to a Refreshment Scene")
        return [Waits(self.partner.character or "", words, self.partner.name, PARTNER)]

    def party(self, table: Table, key: str) -> tuple[str, str | None]:
        person = self.people.get(key, Person())
        return person.name, person.character

    def card(self, table: Table, buttons: Sequence[Button]) -> Staged:
        return Staged(
            above=worded(self.label),
            title=_(
                "{name} asks {other} to let their guard down together for a while.",
                name=self.caller.name,
                other=self.partner.name,
            ),
            faces=[person.character for person in self.people.values() if person.character],
            notes=[
                _("Will and Power come back, Injuries stay, and the GM may make the situation worse once in return.")
            ],
            acts=buttons,
        )

    def line_names(self, table: Table) -> Mapping[str, Words]:
        return {key: person.name for key, person in self.people.items()}


def what_gets_worse(procedure: Escalation, table: Table) -> Message:
    return _("What gets worse while {caller} and {partner} rest", caller=procedure.caller, partner=procedure.partner)


class Escalation(Ends):
    """The right for the Refreshment Scene of these two, by their names. It is the GM's, and keeps until it is used."""

    label = gettext_lazy("The GM may escalate")
    token = True

    caller: Name = ""
    partner: Name = ""
    stage: Code = "held"

    @act(label, by=nobody)
    def open(self, table: Table, *, caller: str, partner: str) -> None:
        self.caller, self.partner = caller, partner

    @act(
        gettext_lazy("Make it worse"),
        says=gettext_lazy("The GM made the situation worse for {caller} and {partner}’s Refreshment Scene."),
    )
    def use(self, table: Table, *, words: Annotated[str, Text(500), what_gets_worse]) -> None:
        """Use it with a sentence on what gets worse, which is told."""
        table.say(words)
        self.end_as("used")

    @act(
        gettext_lazy("Let it be"),
        says=gettext_lazy("The GM let {caller} and {partner}’s Refreshment Scene pass without making anything worse."),
    )
    def waive(self, table: Table) -> None:
        self.end_as("waived")

    def stands(self, table: Table) -> Message:
        return _(
            "The GM may make the situation worse for {caller} and {partner}’s Refreshment Scene.",
            **self.line_names(table),
        )

    def card(self, table: Table, buttons: Sequence[Button]) -> Staged:
        return Staged(notes=[self.stands(table)], acts=buttons)

    def line_names(self, table: Table) -> Mapping[str, Words]:
        return {"caller": self.caller, "partner": self.partner}
