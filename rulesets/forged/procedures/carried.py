"""What an action leaves for a later one: a set-up for whoever follows, or a position that got worse (forged.txt, Set up,
Consequences)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from campaigns.schema import Code, Name
from languages.text import gettext_lazy
from rolls.stage import Staged
from rules.acting import OPEN, Procedure, act, nobody
from rules.messages import Words, joined, worded
from rules.messages import gettext as _
from rules.procedures import Button
from rules.table import Table
from rulesets.forged.rows import Scoundrel
from rulesets.forged.rules.action import Position
from rulesets.forged.words import POSITION_WORDS


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


class Carried(Procedure):
    """For the next action of `who`, by their id, or, as it is `who`'s set-up, for all others who follow until the scene ends."""

    label = gettext_lazy("Carried over")
    token = True

    who: Code = ""
    gives: Gives = Gives.EFFECT
    to: Position | None = None
    by: Name = ""
    """Whose set-up it is, by name."""

    @act(label, by=nobody)
    def open(self, table: Table, *, who: str, gives: Gives, to: Position | None, by: str) -> Words:
        self.who, self.gives, self.to, self.by = who, gives, to, by
        return self._opened(table)

    @act(gettext_lazy("Remove"), says=gettext_lazy("Removed from the table: {words}."))
    def drop(self, table: Table) -> Mapping[str, Words]:
        self.over = True
        return {"words": self.words}

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

    def scene_ended(self, table: Table) -> Words:
        self.over = True
        return ""

    def chip_words(self, table: Table) -> Words:
        return _("{name}: {words}", name=self._for(table), words=self.words)

    def card(self, table: Table, buttons: Sequence[Button]) -> Staged:
        return Staged(notes=[joined("", (self.chip_words(table), "."))], acts=buttons)

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
        return self._opened(table) if act == OPEN else ""

    def _for(self, table: Table) -> Words:
        who = None if self.stays else table.find(Scoundrel, self.who)
        return who.name if who else _("Whoever follows")

    def _opened(self, table: Table) -> Words:
        if self.stays:
            return _("For whoever follows: {words}.", words=self.words)
        return _("For {name}’s next action: {words}.", name=self._for(table), words=self.words)
