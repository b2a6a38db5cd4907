"""What the table shows of characters of these rules beside rolls: Keys and Advances, Injuries and what sticks."""

from __future__ import annotations

from typing import Any

from django.db.models import prefetch_related_objects

from campaigns.models import Campaign, GameSession, Role, Viewer
from characters.ledger import drawn_balance
from characters.models import Character, CharacterQuerySet, Claim, rows_of
from characters.queries.ledger import balances_of, of_this_scene
from rolls.settings import roll_settings
from rulesets.descriptors.models import Burden, Key
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
    found = _claimable(viewer)
    once = roll_settings(viewer.campaign).of(Settings).levels_once_per_scene
    done = _claimed(viewer.campaign) if once else set()
    return [
        {
            "id": str(one.pk),
            "name": one.name,
            "balance": drawn_balance(SHEET.name, balances_of(one)[0].payload()),
            "keys": [_key(key, done) for key in theirs],
        }
        for one, theirs in found.items()
    ]


def _claimable(viewer: Viewer) -> dict[Character, list[Key]]:
    """The Keys that this viewer may claim for, by whose they are."""
    if viewer.membership is None or viewer.is_read_only or not viewer.role.at_least(Role.PLAYER):
        return {}
    mine = Character.objects.controlled_by(viewer.membership) if not viewer.is_gm else _in_play(viewer.campaign)
    there = Key.objects.filter(character__in=mine.values("pk")).select_related("character__campaign")
    found: dict[Character, list[Key]] = {}
    for key in there.order_by("character__name", "character", "position", "pk"):
        found.setdefault(key.character, []).append(key)
    # By the rest of their sheets it is said what they have to spend.
    prefetch_related_objects(list(found), rows_of(None))
    return found


def _in_play(campaign: Campaign) -> CharacterQuerySet:
    return Character.objects.active().filter(campaign=campaign, is_crew=False)


def _key(key: Key, done: set[tuple[str, str, str]]) -> dict[str, Any]:
    levels = [
        {
            "level": level.value,
            "words": LEVELS[level],
            "xp": xp,
            "done": (str(key.character_id), key.uid, level.value) in done,
        }
        for level, xp in keys.XP[keys.KeyKind(key.framework)].items()
    ]
    return {
        "id": key.uid,
        "name": key.name,
        "words": key.words,
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
    left = {
        character: [key.name for key in theirs if (str(character.pk), key.uid) not in counted]
        for character, theirs in _claimable(viewer).items()
    }
    return [{"id": str(one.pk), "name": one.name, "keys": names} for one, names in left.items() if names]


def clinging(viewer: Viewer) -> dict[str, Any]:
    """Who bears what: `those` [{id, name, rows: [{rows, id, name, dice, origin, ends, less, keeps}]}], who is `out` of the scene
    [{name, will: whether any is left}], and whether there is anything that this viewer `acts` on. It tells of sheets
    that this viewer may read."""
    settings = roll_settings(viewer.campaign).of(Settings)
    known = Character.objects.seen_by(viewer).active().filter(system=SHEET.name, is_crew=False).order_by("name")
    acts = viewer.role.at_least(Role.PLAYER) and not viewer.is_read_only
    read = [one for one in known if one.opens_for(viewer)]
    burdens = sorted(Burden.objects.of(*read), key=lambda burden: not burden.sticks)
    borne = [
        (one, [_clings(burden, viewer, settings, acts=acts) for burden in burdens if burden.character_id == one.pk])
        for one in read
    ]
    those = [{"id": str(one.pk), "name": one.name, "rows": rows} for one, rows in borne if rows]
    out = [
        {"name": one.name, "will": will_of(one.field_values, settings) != 0}
        for one in read
        if one.field_values.get("out_of_scene")
    ]
    can = any(row["ends"] or row["less"] or row["keeps"] for _, rows in borne for row in rows)
    return {"those": those, "out": out, "acts": can}


def _clings(burden: Burden, viewer: Viewer, settings: Settings, *, acts: bool) -> dict[str, Any]:
    gm = acts and viewer.is_gm
    return {
        "rows": burden.group,
        "id": burden.uid,
        "name": burden.name,
        "dice": burden.dice,
        "origin": burden.origin,
        "ends": gm or (acts and burden.sticks),
        "less": gm and burden.dice > 1,
        "keeps": gm and burden.sticks and settings.temporary_may_stay_for_good,
    }
