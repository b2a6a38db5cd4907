"""Players' claims by the Descriptors rules: that a Key came up (descriptors.txt). Everything else is settled at the table now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.errors import Invalid
from campaigns.models import Campaign
from campaigns.schema import Code, Name, Schema
from characters.advancement import ClaimKind, Given, Granted, SettledClaim, Standing, Told, Wording
from characters.sheets.fields import Choice, Field, RowGone
from characters.sheets.sheet import Values
from characters.sheets.steps import Take
from languages.text import gettext_lazy
from rolls.settings import roll_settings
from rules.errors import RuleError
from rulesets.descriptors.rules import keys
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.sheet import SHEET

KEY, LEVEL = "key", "level"

LEVEL_WORDS = {
    keys.Level.INVOLVED: gettext_lazy("{name}: it was part of the scene"),
    keys.Level.CHALLENGED: gettext_lazy("{name}: it was a great challenge"),
    keys.Level.PROGRESSES: gettext_lazy("{name}: it moved on"),
    keys.Level.EXPRESSED: gettext_lazy("{name}: it showed"),
    keys.Level.AT_A_PRICE: gettext_lazy("{name}: it was followed at a price"),
    keys.Level.BUYOFF: gettext_lazy("{name}: it’s bought off and goes"),
}


def _level_words(level: keys.Level, name: str) -> str:
    return LEVEL_WORDS[level].format(name=name)


class CameUp(Schema):
    name: Name
    level: Code


class KeyClaim:
    """A Key came up in the scene: XP for how it was met; a Key that is bought off is removed."""

    label = gettext_lazy("A Key came up")
    wording = Wording(CameUp, lambda payload: _level_words(keys.Level(payload["level"]), payload["name"]))

    def asks(self, standing: Standing) -> tuple[Field, ...]:
        levels = tuple(
            (f"{row['id']}/{level}", _("{words} ({xp} XP)").format(words=_level_words(level, row["name"]), xp=xp))
            for row in SHEET.rows(standing.values, "keys")
            for level, xp in keys.XP[keys.KeyKind(row["framework"])].items()
        )
        return (Choice(LEVEL, _("What happened"), choices=levels, default=levels[0][0]),) if levels else ()

    def claim(self, standing: Standing, given: Given, earlier: Sequence[Given]) -> tuple[dict[str, Any], Told]:
        row_id, __, said = str(given[LEVEL]).partition("/")
        row, level, _xp = _came_up(standing, row_id, said)
        before = [keys.Level(claimed[LEVEL]) for claimed in earlier if claimed[KEY] == row_id]
        try:
            keys.check_level(level, before, roll_settings(standing.campaign).of(Settings))
        except RuleError as error:
            raise Invalid(error.message) from None
        return {KEY: row_id, LEVEL: said}, {"name": row["name"], "level": level.value}

    def grant(self, standing: Standing, kept: Given) -> Granted:
        _row, level, xp = _came_up(standing, kept[KEY], kept[LEVEL])
        return Granted((Take("keys", kept[KEY]),) if level is keys.Level.BUYOFF else (), xp, "xp")

    def at_once(self, campaign: Campaign) -> bool:
        return not roll_settings(campaign).of(Settings).gm_confirms_xp


def _came_up(standing: Standing, row_id: str, said: str) -> tuple[Values, keys.Level, int]:
    """Return the row of a Key, what happened to it and the XP of that."""
    try:
        row = SHEET.row(standing.values, "keys", row_id)
        level = keys.Level(said)
        return row, level, keys.xp_of(keys.KeyKind(row["framework"]), level)
    except RowGone:
        raise Invalid(_("That Key is no longer on the sheet.")) from None
    except RuleError as error:
        raise Invalid(error.message) from None


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
    count = payload["successes"]
    if payload["instead"]:
        words = ngettext(
            "Hit with {count} success, an Injury instead", "Hit with {count} successes, an Injury instead", count
        )
    else:
        words = ngettext("Hit with {count} success", "Hit with {count} successes", count)
    return words.format(count=count)


def _recovery(payload: Told) -> str:
    name, dice, left = payload["name"], payload["dice"], max(0, payload["dice"] - payload["successes"])
    if not payload["successes"]:
        return _("Recovery: {name} stays as it is").format(name=name)
    words = _("Recovery: {name} {dice}D, now {left}D") if left else _("Recovery: {name} {dice}D, gone")
    return words.format(name=name, dice=dice, left=left)


def _refreshment(payload: Told) -> str:
    other = payload["other"] or _("someone")
    return _("A Refreshment Scene with {name}; the GM may make things worse once in return").format(name=other)


RETIRED: Final[Mapping[str, ClaimKind]] = MappingProxyType(
    {
        "hit": SettledClaim(gettext_lazy("A roll was lost"), Wording(Hit, _hit)),
        "recovery": SettledClaim(gettext_lazy("A recovery roll was made"), Wording(Recovered, _recovery)),
        "refreshment": SettledClaim(gettext_lazy("A Refreshment Scene was played"), Wording(Refreshed, _refreshment)),
        "keep": SettledClaim(
            gettext_lazy("Something stuck became permanent"),
            Wording(Kept, lambda payload: _("{name} {dice}D is permanent now").format(**payload)),
        ),
    }
)
