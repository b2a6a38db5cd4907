"""What a player of the Descriptors rules claims: that a Key came up, that a lost roll hit (descriptors.txt)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from campaigns.errors import Invalid
from campaigns.models import Campaign
from campaigns.schema import CODE, NAME
from characters.advancement import Given, Granted, Standing, Told, Wording
from characters.sheets.fields import Choice, Field, Flag, Number, RowGone, Text
from characters.sheets.sheet import Values
from characters.sheets.steps import Add, Put, Step, Take
from rolls.rules.errors import RuleError
from rolls.settings import roll_settings
from rulesets.descriptors.rules import keys
from rulesets.descriptors.rules.power import Hit, Track, hit, may_take_injury
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.sheet import MOST_DICE, SHEET, power_box, track

KEY, LEVEL = "key", "level"

LEVEL_WORDS = {
    keys.Level.INVOLVED: "it was part of the scene",
    keys.Level.CHALLENGED: "it was a great challenge",
    keys.Level.PROGRESSES: "it moved on",
    keys.Level.EXPRESSED: "it showed",
    keys.Level.AT_A_PRICE: "it was followed at a price",
    keys.Level.BUYOFF: "it is bought off and goes",
}


class KeyClaim:
    """A Key came up in the scene: XP by what happened to it; bought off, it goes."""

    label = "A Key came up"
    wording = Wording(
        {"name": NAME, "level": CODE}, lambda told: f"{told['name']}: {LEVEL_WORDS[keys.Level(told['level'])]}"
    )

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
        before = [one for one in earlier if one[KEY] == row_id]
        _xp([*(_claim(standing, row_id, one[LEVEL]) for one in before), claim], standing.campaign)
        return {KEY: row_id, LEVEL: level}, {"name": claim.key.name, "level": claim.level.value}

    def grant(self, standing: Standing, kept: Given) -> Granted:
        claim = _claim(standing, kept[KEY], kept[LEVEL])
        gone = (Take("keys", kept[KEY]),) if claim.level is keys.Level.BUYOFF else ()
        return Granted(gone, _xp([claim], standing.campaign), "xp")

    def at_once(self, campaign: Campaign) -> bool:
        return not roll_settings(campaign).of(Settings).gm_confirms_xp


def _hit_words(told: Told) -> str:
    many = "1 success" if told["successes"] == 1 else f"{told['successes']} successes"
    return f"Hit with {many}{', an Injury instead' if told['instead'] else ''}"


class HitClaim:
    """A lost roll hit: a box of the Power track goes, or an Injury is taken."""

    label = "A roll was lost"
    wording = Wording({"successes": int, "instead": bool}, _hit_words)

    def asks(self, standing: Standing) -> tuple[Field, ...]:
        return (
            Number("successes", "Successes of the winner", minimum=1, maximum=MOST_DICE, default=1),
            Flag("injury", "An Injury instead of the box, where it is free"),
            Text("name", "What the Injury would be called", longest=80, default="Injury", required=True),
        )

    def claim(self, standing: Standing, given: Given, earlier: Sequence[Given]) -> tuple[dict[str, Any], Told]:
        instead = _hit(standing, given).box is None and bool(given["injury"])
        return dict(given), {"successes": given["successes"], "instead": instead}

    def grant(self, standing: Standing, kept: Given) -> Granted:
        return Granted(hit_steps(_hit(standing, kept), kept["name"]))

    def at_once(self, campaign: Campaign) -> bool:
        return False


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
        return keys.scene_xp(claims, roll_settings(campaign).of(Settings)).xp
    except RuleError as error:
        raise Invalid(error.message) from None


def _hit(standing: Standing, given: Given) -> Hit:
    return the_hit(standing.values, standing.campaign, given["successes"], injury=given["injury"])


def the_hit(values: Values, campaign: Campaign, successes: int, *, injury: bool) -> Hit:
    """What so many successes (1 to 100) do to who has this sheet; `injury` is chosen instead of a box where there is a choice."""
    return hit(_track(values), successes, take_injury=injury, settings=roll_settings(campaign).of(Settings))


def injury_is_a_choice(values: Values, campaign: Campaign, successes: int) -> bool:
    """Whether who has this sheet may take an Injury instead of the box that so many successes (1 to 100) hit."""
    return may_take_injury(_track(values), successes, roll_settings(campaign).of(Settings))


def _track(values: Values) -> Track:
    there = track(values)
    return Track(there.boxes, there.crossed)


def hit_steps(done: Hit, name: str) -> tuple[Step, ...]:
    """It as it is written on the sheet, with an Injury of this name."""
    steps: list[Step] = []
    if done.box:
        steps.append(Put(power_box(done.box), to=True))
    if done.injury:
        steps.append(Add("injuries", {"name": name, "dice": done.injury}))
    if done.out:
        steps.append(Put("out_of_scene", to=True))
    return tuple(steps)
