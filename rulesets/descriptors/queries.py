"""What the table shows of characters of these rules beside rolls: Keys and Advances, Injuries and what sticks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from campaigns.models import Campaign, GameSession, Role, Viewer
from characters.ledger import drawn_balance
from characters.models import Character, CharacterQuerySet, Claim
from characters.queries.ledger import balances_of, of_this_scene
from rolls.settings import roll_settings
from rulesets.descriptors.rules import keys
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.sheet import SHEET, will_of

LEVELS = {
    keys.Level.INVOLVED: "part of the scene",
    keys.Level.CHALLENGED: "a challenge",
    keys.Level.PROGRESSES: "moved on",
    keys.Level.EXPRESSED: "it showed",
    keys.Level.AT_A_PRICE: "at a price",
    keys.Level.BUYOFF: "buy it off",
}


def keys_of(viewer: Viewer) -> list[dict[str, Any]]:
    """Characters whom this viewer may claim for, with their Keys and Advances:
    {id, name, balance, keys: [{id, name, words, levels: [{level, words, xp, done}], buyoff}]}."""
    found = _claiming(viewer)
    once = roll_settings(viewer.campaign).of(Settings).levels_once_per_scene
    done = _claimed(viewer.campaign) if once else set()
    return [
        {
            "id": str(one.pk),
            "name": one.name,
            "balance": drawn_balance(SHEET.name, balances_of(one)[0].payload()),
            "keys": [_key(row, str(one.pk), done) for row in SHEET.rows(one.values, "keys")],
        }
        for one in found
    ]


def _claiming(viewer: Viewer) -> list[Character]:
    if viewer.membership is None or viewer.is_read_only or not viewer.role.at_least(Role.PLAYER):
        return []
    mine = Character.objects.controlled_by(viewer.membership) if not viewer.is_gm else _in_play(viewer.campaign)
    there = mine.filter(system=SHEET.name).select_related("campaign", "owner__user").order_by("name").with_rows()
    return [one for one in there if SHEET.rows(one.values, "keys")]


def _in_play(campaign: Campaign) -> CharacterQuerySet:
    return Character.objects.active().filter(campaign=campaign, is_crew=False)


def _key(row: dict[str, Any], character: str, done: set[tuple[str, str, str]]) -> dict[str, Any]:
    levels = [
        {
            "level": level.value,
            "words": LEVELS[level],
            "xp": xp,
            "done": (character, row["id"], level.value) in done,
        }
        for level, xp in keys.XP[keys.KeyKind(row["framework"])].items()
    ]
    return {
        "id": row["id"],
        "name": row["name"],
        "words": row["words"],
        "levels": [one for one in levels if one["level"] != keys.Level.BUYOFF],
        "buyoff": next(one for one in levels if one["level"] == keys.Level.BUYOFF),
    }


def _claimed(campaign: Campaign) -> set[tuple[str, str, str]]:
    """(character, Key, level) of this scene, or between scenes of the one before with what was claimed since."""
    claims = of_this_scene(Claim.objects.filter(character__campaign=campaign, kind="key"), campaign)
    counted = claims.exclude(state=Claim.State.REFUSED)
    return {(str(one.character_id), one.given["key"], one.given["level"]) for one in counted}


def unclaimed(viewer: Viewer, session: GameSession) -> list[dict[str, Any]]:
    """Characters with the Keys that nothing was claimed for in this session, of those whom this viewer may claim for:
    {id, name, keys: [names]}."""
    claims = Claim.objects.filter(character__campaign=viewer.campaign, kind="key", at__gte=session.started_at)
    if session.ended_at:
        claims = claims.filter(at__lte=session.ended_at)
    counted = {(str(one.character_id), one.given["key"]) for one in claims.exclude(state=Claim.State.REFUSED)}
    return list(_without(_claiming(viewer), counted))


def _without(those: list[Character], counted: set[tuple[str, str]]) -> Iterator[dict[str, Any]]:
    for one in those:
        rows = SHEET.rows(one.values, "keys")
        if left := [row["name"] for row in rows if (str(one.pk), row["id"]) not in counted]:
            yield {"id": str(one.pk), "name": one.name, "keys": left}


def clinging(viewer: Viewer) -> dict[str, Any]:
    """Who bears what: `those` [{id, name, rows: [{rows, id, name, dice, origin, ends, less, keeps}]}], who is `out` of the scene
    [{name, will: whether any is left}], and whether there is anything that this viewer `acts` on. It tells of sheets
    that this viewer may read."""
    settings = roll_settings(viewer.campaign).of(Settings)
    there = Character.objects.seen_by(viewer).with_rows(viewer).active()
    known = there.filter(system=SHEET.name, is_crew=False).order_by("name")
    acts = viewer.role.at_least(Role.PLAYER) and not viewer.is_read_only
    read = [one for one in known if one.opens_for(viewer)]
    borne = [(one, list(_clings(one, viewer, settings, acts=acts))) for one in read]
    those = [{"id": str(one.pk), "name": one.name, "rows": rows} for one, rows in borne if rows]
    out = [
        {"name": one.name, "will": will_of(one.values, settings) != 0}
        for one in read
        if SHEET.value(one.values, "out_of_scene")
    ]
    can = any(row["ends"] or row["less"] or row["keeps"] for _, rows in borne for row in rows)
    return {"those": those, "out": out, "acts": can}


def _clings(one: Character, viewer: Viewer, settings: Settings, *, acts: bool) -> Iterator[dict[str, Any]]:
    gm = acts and viewer.is_gm
    for rows in ("stuck", "injuries"):
        for row in SHEET.rows(one.values, rows):
            yield {
                "rows": rows,
                "id": row["id"],
                "name": row["name"],
                "dice": row["dice"],
                "origin": row.get("origin", ""),
                "ends": gm or (acts and rows == "stuck"),
                "less": gm and row["dice"] > 1,
                "keeps": gm and rows == "stuck" and settings.temporary_may_stay_for_good,
            }
