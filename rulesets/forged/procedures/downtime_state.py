"""What a downtime knows of each who spends it (rulesets/forged/procedures/downtime.py)."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from pydantic import BaseModel

from campaigns.schema import Code, Name
from languages.text import gettext_lazy
from rules.messages import Words, ngettext
from rules.messages import gettext as _
from rulesets.forged.procedures.experience import label
from rulesets.forged.rules.downtime import Activity, amount_of
from rulesets.forged.rules.roll import Result


class Away(StrEnum):
    """Why someone takes no more activities. Who has overindulged may be lost: they are gone for a while."""

    PRISON = "prison"
    LOST = "lost"


AWAY: Final = {Away.PRISON: gettext_lazy("in prison"), Away.LOST: gettext_lazy("gone for a while")}


class Score(BaseModel):
    """The gains of the crew."""

    rep: int
    coin: int
    heat: int


class Plan(BaseModel):
    """An activity whose dice are about to fall: `rating` dice, of an `action` where one is rolled, a die each of a `friend` and
    of a `push`. Of a project its `clock` by id, or the `segments` of a new one, called `name`. Of an asset its `name`."""

    what: Activity
    rating: int
    action: Code = ""
    friend: bool = False
    push: bool = False
    clock: Code = ""
    name: Name = ""
    segments: int = 0


class Taken(BaseModel):
    """An activity that was taken, and its `amount`: segments, heat, stress, xp, or the Tier of an asset.

    `bettered` is the coin paid to improve it, `rating` the dice without bonus. An asset is written on the sheet with its dice.
    """

    what: Activity
    amount: int
    result: Result | None = None
    name: Name = ""
    clock: Code = ""
    rating: int = 0
    bettered: int = 0

    @property
    def asset(self) -> str:
        """Return the name of an acquired asset on a sheet, which is the same in every language."""
        return f"{self.name} (Tier {self.amount})"

    @property
    def gain(self) -> Words:
        """Return words such as "−2 heat"."""
        name, count = self.name, self.amount
        match self.what:
            case Activity.PROJECT:
                return ngettext("{name}: {count} segment", "{name}: {count} segments", count, name=name)
            case Activity.RECOVER:
                return _("{count} on the healing clock", count=count)
            case Activity.HEAT:
                return _("−{count} heat", count=count)
            case Activity.ACQUIRE:
                return _("{name}, Tier {count}", name=name, count=count)
            case Activity.TRAIN:
                return _("{name} +{count}", name=label(name), count=count)
        return _("{count} stress cleared", count=count)

    def better(self, coin: int) -> int:
        """Return the amount for so much coin more."""
        return amount_of(self.what, self.result or Result.BAD, coin=self.bettered + coin, tier=self.rating)


class Person(BaseModel):
    """The downtime of one character; `over`: they have overindulged, and have yet to choose what comes of it."""

    bought: int = 0
    taken: list[Taken] = []
    plan: Plan | None = None
    over: bool = False
    away: Away | None = None
    done: bool = False

    def has(self, what: Activity, name: str = "") -> bool:
        """Return whether they took an activity in this downtime, with this name."""
        return any(taken.what is what and taken.name == name for taken in self.taken)
