"""A player's claims by the forged rules: harm that happened away from the table (public rules). Other former claims are
settled by procedures now.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.errors import Invalid
from campaigns.models import Campaign
from campaigns.schema import Code, Name, Schema
from characters.advancement import ClaimKind, Given, Granted, SettledClaim, Standing, Told, Wording
from characters.sheets.fields import Choice, Field, Flag, Text
from characters.sheets.sheet import Values
from characters.sheets.steps import Add, Put
from languages.text import gettext_lazy
from rulesets.forged import sheet as forged
from rulesets.forged.rules.consequence import FATAL, harm_row
from rulesets.forged.sheet import coins

GROUP: Final = "group"
"""The reason for marking stress other than by a flashback."""


def trauma(payload: Told) -> str:
    words = _("Last trauma: {trauma}. They retire.") if payload["retired"] else _("Trauma: {trauma}. Stress cleared.")
    return words.format(trauma=forged.TRAUMA_LABELS.get(payload["trauma"], payload["trauma"]))


def harm(payload: Told) -> str:
    words = _("Level {level} harm: {name}")
    if payload["row"] == FATAL:
        words = _("Level {level} harm: {name}, fatal")
    elif payload["row"] > payload["level"]:
        words = _("Level {level} harm: {name}, moved up to level {row} since lower rows are full")
    return words.format(level=payload["level"], name=payload["name"], row=payload["row"])


def recovery(payload: Told) -> str:
    words = _("Recovery: {ticks} on the healing clock")
    if payload["down"]:
        words = ngettext(
            "Recovery: {ticks} on the healing clock, all harm down {count} level",
            "Recovery: {ticks} on the healing clock, all harm down {count} levels",
            payload["down"],
        )
    return words.format(ticks=payload["ticks"], count=payload["down"])


def vice(payload: Told) -> str:
    words = _("Vice not indulged: stress {before} to {after}")
    if payload["indulged"]:
        words = _("Vice indulged: stress {before} to {after}")
    if payload["over"]:
        words = _("Vice overindulged: stress {before} to {after}")
    return words.format(before=payload["before"], after=payload["after"])


def stress(payload: Told) -> str:
    words = _("{count} stress for a group action") if payload["why"] == GROUP else _("{count} stress for a flashback")
    return words.format(count=payload["stress"])


def heat(payload: Told) -> str:
    words = _("{added} heat, now {heat}")
    if payload["wanted"] is not None:
        words = _("{added} heat, now {heat}; wanted level {wanted}")
    return words.format(added=payload["added"], heat=payload["heat"], wanted=payload["wanted"])


def payoff(payload: Told) -> str:
    return _("{rep} rep, {coin}").format(rep=payload["rep"], coin=coins(payload["coin"]))


LEVELS = (
    ("1", gettext_lazy("1, lesser harm")),
    ("2", gettext_lazy("2, moderate harm")),
    ("3", gettext_lazy("3, severe harm")),
    (str(FATAL), gettext_lazy("4, fatal")),
)


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

    label = gettext_lazy("Harm taken")
    wording = Wording(Harm, harm)

    def asks(self, standing: Standing) -> tuple[Field, ...]:
        return (
            Choice("level", gettext_lazy("Level"), choices=LEVELS, default="2"),
            Text("name", gettext_lazy("What it is"), longest=80, required=True),
            Flag("fatal", gettext_lazy("It may be fatal")),
        )

    def claim(self, standing: Standing, given: Given, earlier: Sequence[Given]) -> tuple[dict[str, Any], Told]:
        level = int(given["level"])
        row = harm_row(rows_of(standing.values), level)
        if row == FATAL and not given.get("fatal"):
            message = _("No harm row is free, so this would be fatal. Tick “It may be fatal” to confirm.")
            raise Invalid(message, field="fatal")
        return dict(given), {"level": level, "name": given["name"], "row": row}

    def grant(self, standing: Standing, kept: Given) -> Granted:
        row = harm_row(rows_of(standing.values), int(kept["level"]))
        if row == FATAL:
            return Granted()
        return Granted((Add(forged.harm_rows(row), {"name": kept["name"]}), Put("healing", 0)))

    def at_once(self, campaign: Campaign) -> bool:
        return True


OF_SCOUNDRELS: Mapping[str, ClaimKind] = {
    "trauma": SettledClaim(gettext_lazy("The stress track is full"), Wording(Trauma, trauma)),
    "harm": HarmClaim(),
    "recovery": SettledClaim(gettext_lazy("Treatment"), Wording(Recovery, recovery)),
    "vice": SettledClaim(
        gettext_lazy("Downtime, with or without the vice"),
        Wording(Vice, vice),
    ),
    "stress": SettledClaim(gettext_lazy("Stress for a group action or flashback"), Wording(Stress, stress)),
}
OF_CREWS: Mapping[str, ClaimKind] = {
    "heat": SettledClaim(gettext_lazy("Heat from a score"), Wording(Heat, heat)),
    "payoff": SettledClaim(gettext_lazy("Payoff of a score"), Wording(Payoff, payoff)),
}


def rows_of(values: Values) -> Mapping[int, int]:
    """Return how many harms are in each row."""
    return {level: len(names) for level, names in forged.harm(values).items()}
