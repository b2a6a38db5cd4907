"""The panels of Descriptors beside rolls, and what is pressed in them: Keys and Advances, Injuries and stuck Descriptors, and
Keys without a claim."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_POST

from campaigns.access import member_view, request_key
from campaigns.forms.fields import LineField, valid
from campaigns.models import Campaign, GameSession, Role, Viewer
from campaigns.queries.play import ExpiringItem
from campaigns.views.answers import done
from characters.ledger import drawn_balance
from characters.models import Character, Claim, read_rows
from characters.queries.in_play import in_play, own_of
from characters.queries.ledger import balances_of, of_this_scene
from characters.views.sheet import character_at
from languages.text import gettext_lazy
from rolls.ruleset import Panel
from rolls.settings import roll_settings
from rulesets.descriptors.figures import SPENT, XP
from rulesets.descriptors.models import Burden, Key
from rulesets.descriptors.rules import keys
from rulesets.descriptors.services import Does, change_clinging, hit_key
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.sheet import SHEET, will_of

LEVELS = {
    keys.Level.INVOLVED: gettext_lazy("Part of the scene"),
    keys.Level.CHALLENGED: gettext_lazy("A challenge"),
    keys.Level.PROGRESSES: gettext_lazy("Moved on"),
    keys.Level.EXPRESSED: gettext_lazy("It showed"),
    keys.Level.AT_A_PRICE: gettext_lazy("At a price"),
    keys.Level.BUYOFF: gettext_lazy("Buy it off"),
}


def keys_of(viewer: Viewer) -> list[dict[str, Any]]:
    """Return the characters that this viewer may claim or spend for, with their Keys and Advances: {id, name, balance,
    keys: [{id, name, words, levels: [{level, words, xp, done}], buyoff}]}.
    """
    claimable = _claimable(viewer)
    once = roll_settings(viewer.campaign).of(Settings).levels_once_per_scene
    done = _claimed(viewer.campaign) if once and any(claimable.values()) else set()
    return [
        {
            "id": str(character.pk),
            "name": character.name,
            "balance": drawn_balance(SHEET.name, balances_of(character)[0].payload()),
            "keys": [_key(key, done) for key in theirs],
        }
        for character, theirs in claimable.items()
        if theirs or _advances(character) > 0
    ]


def _advances(character: Character) -> int:
    """Return the Advances that are left, without asking the ledger: a table page would, for every character."""
    xp, spent = (SHEET.number(character.sheet, name) for name in (XP, SPENT))
    return xp // keys.XP_PER_ADVANCE - spent


def _claimable(viewer: Viewer) -> dict[Character, list[Key]]:
    """Return the Keys that this viewer may claim for, by whose they are."""
    if viewer.membership is None or viewer.is_read_only or not viewer.role.at_least(Role.PLAYER):
        return {}
    own = own_of(viewer)
    mine = _played(character for character in in_play(viewer) if viewer.is_gm or character in own)
    read_rows(viewer, mine)
    return {character: Key.objects.on(character) for character in mine}


def _played(characters: Iterable[Character]) -> list[Character]:
    return [character for character in characters if character.system == SHEET.name and not character.is_crew]


def _key(key: Key, done: set[tuple[str, str, str]]) -> dict[str, Any]:
    levels = [
        {
            "level": level.value,
            "words": str(LEVELS[level]),
            "xp": xp,
            "done": (str(key.character_id), key.uid, level.value) in done,
        }
        for level, xp in keys.XP[keys.KeyKind(key.framework)].items()
    ]
    return {
        "id": key.uid,
        "name": key.name,
        "words": key.words,
        "levels": [level for level in levels if level["level"] != keys.Level.BUYOFF],
        "buyoff": next(level for level in levels if level["level"] == keys.Level.BUYOFF),
    }


def _claimed(campaign: Campaign) -> set[tuple[str, str, str]]:
    """Return (character, Key, level) of this scene's claims; between scenes those of the last scene and since."""
    claims = of_this_scene(Claim.objects.filter(character__campaign=campaign, kind="key"), campaign)
    counted = claims.exclude(state=Claim.State.REFUSED)
    return {(str(claim.character_id), claim.given["key"], claim.given["level"]) for claim in counted}


def unclaimed(viewer: Viewer, session: GameSession) -> list[dict[str, Any]]:
    """Return the viewer's characters with Keys that had no claim in this session: {id, name, keys: [names]}."""
    claims = Claim.objects.filter(character__campaign=viewer.campaign, kind="key", at__gte=session.started_at)
    if session.ended_at:
        claims = claims.filter(at__lte=session.ended_at)
    counted = {(str(claim.character_id), claim.given["key"]) for claim in claims.exclude(state=Claim.State.REFUSED)}
    left = {
        character: [key.name for key in theirs if (str(character.pk), key.uid) not in counted]
        for character, theirs in _claimable(viewer).items()
    }
    return [
        {"id": str(character.pk), "name": character.name, "keys": names} for character, names in left.items() if names
    ]


def clinging(viewer: Viewer) -> dict[str, Any]:
    """Return the burdens on the sheets that this viewer may read: `those` [{id, name, rows: [{rows, id, name, dice,
    origin, ends, less, keeps}]}], who is `out` of the scene [{name, will: whether any is left}], and whether there is
    anything that this viewer `acts` on.
    """
    settings = roll_settings(viewer.campaign).of(Settings)
    acts = viewer.role.at_least(Role.PLAYER) and not viewer.is_read_only
    read = [character for character in _played(in_play(viewer)) if character.opens_for(viewer)]
    read_rows(viewer, read)
    # Stuck Descriptors stand before Injuries.
    burdens = ((one, sorted(Burden.objects.on(one), key=lambda burden: not burden.sticks)) for one in read)
    borne = [(one, [_clings(burden, viewer, settings, acts=acts) for burden in those]) for one, those in burdens]
    bearers = [{"id": str(character.pk), "name": character.name, "rows": rows} for character, rows in borne if rows]
    out = [
        {"name": character.name, "will": will_of(character.field_values, settings) != 0}
        for character in read
        if character.field_values.get("out_of_scene")
    ]
    can = any(row["ends"] or row["less"] or row["keeps"] for _, rows in borne for row in rows)
    return {"those": bearers, "out": out, "acts": can}


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


class KeysPanel(Panel):
    def context(self, viewer: Viewer, session: GameSession | None) -> dict[str, Any]:
        return {"those": keys_of(viewer)}


class ClingingPanel(Panel):
    def context(self, viewer: Viewer, session: GameSession | None) -> dict[str, Any]:
        return clinging(viewer)


class UnclaimedPanel(Panel):
    """On the page of a session: the Keys for which nothing was claimed in it."""

    def context(self, viewer: Viewer, session: GameSession | None) -> dict[str, Any] | None:
        left = unclaimed(viewer, session) if session else []
        return {"those": left} if left else None


def unclaimed_keys(viewer: Viewer) -> Sequence[ExpiringItem]:
    session = GameSession.objects.filter(campaign=viewer.campaign, ended_at=None).first()
    left = unclaimed(viewer, session) if session else []
    return [ExpiringItem("descriptors/_unclaimed_of.html", {"of": bearer}, key=str(bearer)) for bearer in left]


# What is pressed there

LONGEST_WHY = 200


class ClingingForm(forms.Form):
    """A press at a row: `row` is "<what is done>:<character>:<rows>:<row>:<dice>", `why` the reason."""

    row = forms.RegexField(r"(?:end|less|keep):[0-9a-f-]{36}:[a-z]{1,20}:[0-9a-f]{1,40}:[0-9]{1,3}")
    why = LineField(max_length=LONGEST_WHY, required=False)


class KeyForm(forms.Form):
    """Asks what happened to a `row` of Keys, and `words` for it."""

    row = forms.RegexField(r"[0-9a-f]{1,40}")
    level = forms.ChoiceField(choices=[(level.value, level.value) for level in keys.Level])
    words = LineField(max_length=LONGEST_WHY, required=False)


@require_GET
@member_view(Role.SPECTATOR)
def keys_panel(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show the Keys of the viewer's own characters."""
    return render(request, "descriptors/_keys.html", {"panel": {"those": keys_of(viewer)}})


@require_POST
@member_view(Role.PLAYER)
def key_hit(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    key, form = request_key(request), valid(KeyForm(request.POST))
    given, character = form.cleaned_data, character_at(viewer, character_id)
    hit_key(viewer.by, character, given["row"], keys.Level(given["level"]), words=given["words"], key=key)
    return done(request, "table", viewer.campaign.slug)


@require_GET
@member_view(Role.SPECTATOR)
def clinging_panel(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show the burdens of all characters."""
    return render(request, "descriptors/_clinging.html", {"panel": clinging(viewer)})


@require_POST
@member_view(Role.PLAYER)
def clinging_change(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Do what a press at one of these rows says."""
    key, given = request_key(request), valid(ClingingForm(request.POST)).cleaned_data
    does, character, rows, row_id, dice = given["row"].split(":")
    change_clinging(viewer.by, UUID(character), rows, row_id, Does(does), dice=int(dice), why=given["why"], key=key)
    return done(request, "table", viewer.campaign.slug)
