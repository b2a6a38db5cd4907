"""Claims of a player of the forged rules that something has happened away from the table: harm (public rules). What else was
once claimed is settled by procedures now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from campaigns.errors import Invalid
from campaigns.models import Campaign
from campaigns.schema import Code, Name, Schema
from characters.advancement import ClaimKind, Given, Granted, Standing, Told, Wording
from characters.sheets.fields import Choice, Field, Flag, Text
from characters.sheets.sheet import Values
from characters.sheets.steps import Add, Put
from rulesets.forged import sheet as forged
from rulesets.forged.rules import consequence
from rulesets.forged.rules.consequence import FATAL

GROUP: Final = "group"
"""Why stress is marked, where it is no flashback."""


def trauma(payload: Told) -> str:
    after = "it was the last, and they retire" if payload["retired"] else "they are out of this"
    return f"Trauma: {payload['trauma']}, and the stress is cleared; {after}"


def harm(payload: Told) -> str:
    words, row = f"Harm {payload['level']}: {payload['name']}", payload["row"]
    if row == FATAL:
        return f"{words}, fatal or as good as that"
    return f"{words}, written as {row} since what is below is full" if row > payload["level"] else words


def recovery(payload: Told) -> str:
    down = payload["down"]
    after = f"; every harm comes down {'a level' if down == 1 else f'{down} levels'}" if down else ""
    return f"Recovery, {payload['ticks']} on the healing clock{after}"


def vice(payload: Told) -> str:
    done = "indulged" if payload["indulged"] else "left alone"
    over = "; overindulged" if payload["over"] else ""
    return f"The vice was {done}: stress {payload['before']} to {payload['after']}{over}"


def stress(payload: Told) -> str:
    return f"{payload['stress']} stress for {'a group action' if payload['why'] == GROUP else 'a flashback'}"


def heat(payload: Told) -> str:
    raised = f"; the wanted level is {payload['wanted']}" if payload["wanted"] is not None else ""
    return f"{payload['added']} heat, now {payload['heat']}{raised}"


def payoff(payload: Told) -> str:
    return f"{payload['rep']} rep and {payload['coin']} coin; what a track has no room for is theirs to place"


LEVELS = tuple((str(level), f"{level}, {words.lower()}") for level, words in sorted(forged.HARM_WORDS.items()))


class Harm(Schema):
    level: int
    name: Name
    row: int


class Trauma(Schema):
    trauma: Code
    retired: bool


class Recovery(Schema):
    ticks: int
    down: int


class Vice(Schema):
    indulged: bool
    over: bool
    before: int
    after: int


class Stress(Schema):
    why: Code
    stress: int


class Heat(Schema):
    added: int
    heat: int
    wanted: int | None = None


class Payoff(Schema):
    rep: int
    coin: int


class HarmClaim:
    """A harm goes into its row, or into the next one where that is full; it empties the healing clock."""

    label = "Harm was taken"
    wording = Wording(Harm, harm)

    def asks(self, standing: Standing) -> tuple[Field, ...]:
        return (
            Choice("level", "Level", choices=(*LEVELS, (str(consequence.FATAL), "4, fatal")), default="2"),
            Text("name", "What it is", longest=80, required=True),
            Flag("fatal", "It may be fatal"),
        )

    def claim(self, standing: Standing, given: Given, earlier: Sequence[Given]) -> tuple[dict[str, Any], Told]:
        level = int(given["level"])
        taken = consequence.record(rows_of(standing.values), level)
        if taken.fatal and not given.get("fatal"):
            message = "No row of harm is free for this: it is fatal. Tick “It may be fatal” if that is how it ends."
            raise Invalid(message, field="fatal")
        return dict(given), {"level": level, "name": given["name"], "row": taken.row}

    def grant(self, standing: Standing, kept: Given) -> Granted:
        taken = consequence.record(rows_of(standing.values), int(kept["level"]))
        if taken.fatal:
            return Granted()
        return Granted((Add(forged.harm_rows(taken.row), {"name": kept["name"]}), Put("healing", taken.healing)))

    def at_once(self, campaign: Campaign) -> bool:
        return True


class SettledClaim:
    """A claim that was made once and is settled at the table by now (procedures/): no more is asked, and what the log tells of
    it is drawn as before."""

    def __init__(self, label: str, wording: Wording) -> None:
        self.label, self.wording = label, wording

    def asks(self, standing: Standing) -> tuple[Field, ...]:
        return ()

    def claim(self, standing: Standing, given: Given, earlier: Sequence[Given]) -> tuple[dict[str, Any], Told]:
        raise Invalid("That is settled at the table.")

    def grant(self, standing: Standing, kept: Given) -> Granted:
        raise Invalid("That is settled at the table.")

    def at_once(self, campaign: Campaign) -> bool:
        return True


OF_SCOUNDRELS: Mapping[str, ClaimKind] = {
    "trauma": SettledClaim("The stress is full", Wording(Trauma, trauma)),
    "harm": HarmClaim(),
    "recovery": SettledClaim("Somebody treated them", Wording(Recovery, recovery)),
    "vice": SettledClaim(
        "A downtime, with the vice or without",
        Wording(Vice, vice),
    ),
    "stress": SettledClaim("A group action or a flashback cost stress", Wording(Stress, stress)),
}
OF_CREWS: Mapping[str, ClaimKind] = {
    "heat": SettledClaim("A score brought heat", Wording(Heat, heat)),
    "payoff": SettledClaim("A score paid off", Wording(Payoff, payoff)),
}


def rows_of(values: Values) -> Mapping[int, int]:
    """Return how many harms are in each row."""
    return {level: len(names) for level, names in forged.harm(values).items()}
