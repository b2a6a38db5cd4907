"""What a player of the forged rules says has happened away from the table: harm (public rules). What else was once claimed is
settled by procedures now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from campaigns.errors import Invalid
from campaigns.models import Campaign
from campaigns.schema import Code, Name, Schema
from characters.advancement import ClaimKind, Given, Granted, Standing, Told, Wording
from characters.sheets.fields import Choice, Field, Flag, Text
from characters.sheets.sheet import Values
from characters.sheets.steps import Add, Put
from rulesets.forged import claim_words
from rulesets.forged import sheet as forged
from rulesets.forged.rules import harm

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
    wording = Wording(Harm, claim_words.harm)

    def asks(self, standing: Standing) -> tuple[Field, ...]:
        return (
            Choice("level", "Level", choices=(*LEVELS, (str(harm.FATAL), "4, fatal")), default="2"),
            Text("name", "What it is", longest=80, required=True),
            Flag("fatal", "It may be fatal"),
        )

    def claim(self, standing: Standing, given: Given, earlier: Sequence[Given]) -> tuple[dict[str, Any], Told]:
        level = int(given["level"])
        taken = harm.record(rows_of(standing.values), level)
        if taken.fatal and not given.get("fatal"):
            message = "No row of harm is free for this: it is fatal. Tick “It may be fatal” if that is how it ends."
            raise Invalid(message, field="fatal")
        return dict(given), {"level": level, "name": given["name"], "row": taken.row}

    def grant(self, standing: Standing, kept: Given) -> Granted:
        taken = harm.record(rows_of(standing.values), int(kept["level"]))
        if taken.fatal:
            return Granted()
        return Granted((Add(forged.harm_rows(taken.row), {"name": kept["name"]}), Put("healing", taken.healing)))

    def at_once(self, campaign: Campaign) -> bool:
        return True


class SettledClaim:
    """What was claimed once and is settled at the table by now (procedures/): no more is asked, and what the log tells of it is
    drawn as before."""

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
    "trauma": SettledClaim("The stress is full", Wording(Trauma, claim_words.trauma)),
    "harm": HarmClaim(),
    "recovery": SettledClaim("Somebody treated them", Wording(Recovery, claim_words.recovery)),
    "vice": SettledClaim(
        "A downtime, with the vice or without",
        Wording(Vice, claim_words.vice),
    ),
    "stress": SettledClaim("A group action or a flashback cost stress", Wording(Stress, claim_words.stress)),
}
OF_CREWS: Mapping[str, ClaimKind] = {
    "heat": SettledClaim("A score brought heat", Wording(Heat, claim_words.heat)),
    "payoff": SettledClaim("A score paid off", Wording(Payoff, claim_words.payoff)),
}


def rows_of(values: Values) -> Mapping[int, int]:
    """How many harms are in each row."""
    return {level: len(names) for level, names in forged.harm(values).items()}
