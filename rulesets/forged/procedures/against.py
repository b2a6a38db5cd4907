"""Those whom an action is against. They roll nothing: against several it is one action, with one position and one effect
(forged.txt, Position and Effect, lines 26 to 29). Their number counts as scale, "in battle, more people are better" (Scale, line
37): one step less is proposed for one who acts alone against several, and none for a group; the GM sets it. What came of it for
each of them the GM presses once the dice have fallen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Any, Final

from languages.text import gettext_lazy, pgettext_lazy
from rolls.stage import Turn
from rules.messages import Words, joined, worded
from rules.messages import gettext as _
from rules.procedures import Button
from rules.table import Refused, Table
from rulesets.forged.procedures.action_state import ActionState, Foe
from rulesets.forged.rows import Scoundrel

MOST_FOES: Final = 20


class Fared(StrEnum):
    HURT = "hurt"
    OUT = "out"
    UNHURT = "unhurt"


FARED: Final = {
    Fared.HURT: pgettext_lazy("an opponent", "Hurt"),
    Fared.OUT: pgettext_lazy("an opponent", "Out"),
    Fared.UNHURT: pgettext_lazy("an opponent", "Unhurt"),
}
FARED_SAID: Final = {
    Fared.HURT: gettext_lazy("{name} was hurt."),
    Fared.OUT: gettext_lazy("{name} is out of the fight."),
    Fared.UNHURT: gettext_lazy("{name} was unhurt."),
}


def opponents(action: ActionState, table: Table, *target: Any) -> list[Scoundrel]:
    """Return the NPCs that players know of, and that the action is not against yet."""
    return [
        one
        for one in table.all(Scoundrel)
        if one.in_play and not (one.is_played or one.hidden) and all(one.id != foe.id for foe in action.foes)
    ]


def added(foes: Sequence[Foe], those: Sequence[Scoundrel], typed: str) -> list[Foe]:
    """Return the same with these NPCs, and with the names that were typed, each once. Raises Refused for too many."""
    there = {one.name: int(one.id[1:]) for one in foes if one.name}
    names = dict.fromkeys(name for part in typed.split(",") if (name := part.strip()) and name not in there)
    new = (Foe(id=f"f{number}", name=name) for number, name in enumerate(names, max(there.values(), default=0) + 1))
    every = [*foes, *(Foe(id=who.id) for who in those), *new]
    if len(every) > MOST_FOES:
        raise Refused(_("An action can be against up to {count}. Name the others together.", count=MOST_FOES), "others")
    return every


def known(action: ActionState, table: Table) -> Iterator[tuple[Foe, str]]:
    """Yield those of whom everyone knows, with their names."""
    for one in action.foes:
        who = table.find(Scoundrel, one.id)
        if one.name or (who and not who.hidden):
            yield one, action.called(table, one.id)


def sources(action: ActionState, table: Table, *target: Any) -> Iterator[tuple[str, str]]:
    """Yield from whom a consequence may come."""
    return ((one.id, name) for one, name in known(action, table))


def from_words(action: ActionState, table: Table, source: str) -> Words:
    """Return words such as "from Vesk"; "" for nobody in particular."""
    name = dict(sources(action, table)).get(source)
    return _("from {name}", name=name) if name else ""


def fared_words(action: ActionState, table: Table) -> Words:
    """Return what came of it for each, such as "Vesk: Hurt, Dog: Out"."""
    told = ((name, worded(FARED[Fared(one.fared)])) for one, name in known(action, table) if one.fared)
    return joined(", ", (_("{name}: {words}", name=name, words=words) for name, words in told))


def turns(action: ActionState, table: Table, buttons: Sequence[Button]) -> Iterator[Turn]:
    """Yield the faces of those of whom the reader knows, with what can be pressed for each."""
    for one in action.foes:
        if name := action.called(table, one.id):
            yield Turn(
                name=name,
                character="" if one.name else one.id,
                lines=[worded(FARED[Fared(one.fared)])] if one.fared else (),
                status="done" if one.fared == Fared.OUT else "",
                buttons=[button for button in buttons if button.whom == one.id],
            )
