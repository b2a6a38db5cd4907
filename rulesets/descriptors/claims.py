"""What a player of the Descriptors rules claims: that a Key came up (descriptors.txt). All else is settled at the table now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, NoReturn

from campaigns.errors import Invalid
from campaigns.models import Campaign
from campaigns.schema import Code, Name, Schema
from characters.advancement import ClaimKind, Given, Granted, Standing, Told, Wording
from characters.sheets.fields import Choice, Field, RowGone
from characters.sheets.steps import Take
from rolls.rules.errors import RuleError
from rolls.settings import roll_settings
from rulesets.descriptors.rules import keys
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.sheet import SHEET

KEY, LEVEL = "key", "level"

LEVEL_WORDS = {
    keys.Level.INVOLVED: "it was part of the scene",
    keys.Level.CHALLENGED: "it was a great challenge",
    keys.Level.PROGRESSES: "it moved on",
    keys.Level.EXPRESSED: "it showed",
    keys.Level.AT_A_PRICE: "it was followed at a price",
    keys.Level.BUYOFF: "it is bought off and goes",
}


class CameUp(Schema):
    name: Name
    level: Code


class KeyClaim:
    """A Key came up in the scene: XP by what happened to it; bought off, it goes."""

    label = "A Key came up"
    wording = Wording(CameUp, lambda payload: f"{payload['name']}: {LEVEL_WORDS[keys.Level(payload['level'])]}")

    def asks(self, standing: Standing) -> tuple[Field, ...]:
        levels = tuple(
            (f"{row['id']}/{level}", f"{row['name']}: {LEVEL_WORDS[level]} ({xp} XP)")
            for row in SHEET.rows(standing.values, "keys")
            for level, xp in keys.XP[keys.KeyKind(row["framework"])].items()
        )
        return (Choice(LEVEL, "What happened", choices=levels, default=levels[0][0]),) if levels else ()

    def claim(self, standing: Standing, given: Given, earlier: Sequence[Given]) -> tuple[dict[str, Any], Told]:
        row_id, _, level = str(given[LEVEL]).partition("/")
        claim = _claim(standing, row_id, level)
        before = [claimed for claimed in earlier if claimed[KEY] == row_id]
        _xp([*(_claim(standing, row_id, claimed[LEVEL]) for claimed in before), claim], standing.campaign)
        return {KEY: row_id, LEVEL: level}, {"name": claim.key.name, "level": claim.level.value}

    def grant(self, standing: Standing, kept: Given) -> Granted:
        claim = _claim(standing, kept[KEY], kept[LEVEL])
        gone = (Take("keys", kept[KEY]),) if claim.level is keys.Level.BUYOFF else ()
        return Granted(gone, _xp([claim], standing.campaign), "xp")

    def at_once(self, campaign: Campaign) -> bool:
        return not roll_settings(campaign).of(Settings).gm_confirms_xp


def _claim(standing: Standing, row_id: str, level: str) -> keys.Claim:
    try:
        row = SHEET.row(standing.values, "keys", row_id)
        return keys.Claim(keys.Key(row["name"], keys.KeyKind(row["framework"])), keys.Level(level), confirmed=True)
    except RowGone:
        raise Invalid("That Key is not on the sheet any more.") from None
    except RuleError as error:
        raise Invalid(error.message) from None


def _xp(claims: Sequence[keys.Claim], campaign: Campaign) -> int:
    try:
        return keys.scene_xp(claims, roll_settings(campaign).of(Settings))
    except RuleError as error:
        raise Invalid(error.message) from None


NOW: Final = "This is settled at the table now, and written on the sheet by that. Refuse what still waits."


@dataclass
class RetiredClaim:
    """It is offered no more."""

    label: str
    wording: Wording

    def asks(self, standing: Standing) -> tuple[Field, ...]:
        return ()

    def claim(self, standing: Standing, given: Given, earlier: Sequence[Given]) -> tuple[dict[str, Any], Told]:
        raise Invalid(NOW)

    def grant(self, standing: Standing, kept: Given) -> NoReturn:
        raise Invalid(NOW)

    def at_once(self, campaign: Campaign) -> bool:
        return False


class Hit(Schema):
    successes: int
    instead: bool


class Recovered(Schema):
    name: Name
    dice: int
    successes: int


class Refreshed(Schema):
    other: Name | None = None


class Kept(Schema):
    name: Name
    dice: int


def _hit(payload: Told) -> str:
    many = "1 success" if payload["successes"] == 1 else f"{payload['successes']} successes"
    return f"Hit with {many}{', an Injury instead' if payload['instead'] else ''}"


def _recovery(payload: Told) -> str:
    name, dice, left = payload["name"], payload["dice"], max(0, payload["dice"] - payload["successes"])
    if not payload["successes"]:
        return f"{name} withstands recovery"
    return f"Recovery: {name} {dice}D, {f'now {left}D' if left else 'gone'}"


def _refreshment(payload: Told) -> str:
    return f"A Refreshment Scene with {payload['other'] or 'somebody'}; the GM may make things worse for it, once"


RETIRED: Final[Mapping[str, ClaimKind]] = MappingProxyType(
    {
        "hit": RetiredClaim("A roll was lost", Wording(Hit, _hit)),
        "recovery": RetiredClaim("A recovery roll was made", Wording(Recovered, _recovery)),
        "refreshment": RetiredClaim("A Refreshment Scene was played", Wording(Refreshed, _refreshment)),
        "keep": RetiredClaim(
            "Something that sticks is there for good",
            Wording(Kept, lambda payload: f"{payload['name']} {payload['dice']}D is there for good"),
        ),
    }
)
