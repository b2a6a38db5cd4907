"""Whoever follows an open sheet sees what loading it anew shows, whatever happened to it; and nothing that is not theirs."""

from uuid import uuid4

import pytest

from campaigns.access import viewer_of
from campaigns.errors import Invalid
from campaigns.models import Event
from characters.services.cards import Card, lock_sheet, make_character, mark_complete
from characters.services.fields import add_row, remove_row, row_version, set_field, undo_change
from characters.sheets import SHEETS
from characters.sheets.fields import Choice, Field, Flag, Link, Measure, Number, Text, Visibility
from tests.canaries import canary
from tests.characters.operations import change, page
from tests.dom import parse
from tests.following import differing, follow, plain

VIEWERS = ("gm", "player", "other_player", "spectator")


def another(field: Field, now: object, npc) -> object:
    """Return a value that the field may hold and does not hold now."""
    if isinstance(field, Number):
        return field.minimum if now != field.minimum else field.minimum + 1
    if isinstance(field, Text):
        return "Some *other* words" if field.long else "Other words"
    if isinstance(field, Choice):
        return next(value for value, _ in field.choices if value != now)
    if isinstance(field, Flag):
        return not now
    if isinstance(field, Measure):
        return "2.5"
    assert isinstance(field, Link)
    return str(npc.pk)


def play(cast, character, npc) -> None:
    """Set everything on a sheet once, or some of it with what the party shows; each list gets two rows, the second of
    which is removed.
    """
    gm = cast.gm.member
    in_sight = {name for one in character.rules.layout.resources for name in one.shows} & {*character.rules.fields}

    def put(address):
        character.refresh_from_db()
        now = character.value(address)
        try:
            set_field(gm, character, address, another(character.field(address), now, npc), expected=now, key=uuid4())
        except Invalid as full:
            # A limit that is reached, a score above another: what there is no room for stays out.
            assert "in total" in full.message or "goes from" in full.message, address

    for name in dict.fromkeys([*character.rules.fields, *sorted(in_sight)]):
        put(name)
    for name, rows in character.rules.lists.items():
        keys = [uuid4(), uuid4()][: rows.most]
        for key in keys:
            given = {"name": "A"} if rows.title == "name" else {"words": "A"}
            add_row(gm, character, name, given, key=key)
        for column in rows.columns:
            put(f"{name}/{keys[0].hex}/{column.name}")
        if len(keys) == 2:
            character.refresh_from_db()
            seen = row_version(character, name, keys[1].hex)
            remove_row(gm, character, name, keys[1].hex, expected=seen, key=uuid4())
    undo_change(gm, character, key=uuid4())
    mark_complete(gm, character, True, key=uuid4())
    lock_sheet(gm, character, key=uuid4())


@pytest.fixture(params=SHEETS)
def sheet(request, cast, all_systems, patience):
    """Return a character with each of the sheets, at a table without a rate limit."""
    if request.param == "crew":
        return make_character(cast.gm.member, Card("The Wick"), is_crew=True, key=uuid4())
    return make_character(cast.player.member, Card("Wren", "", cast.player.member), system=request.param, key=uuid4())


def shown(person, cast, character):
    return parse(plain(page(person, "character", cast, character.pk).content.decode()))


@pytest.mark.parametrize("opened", [False, True])
@pytest.mark.thorough
def test_following_a_sheet_shows_what_reloading_it_shows(cast, sheet, npc, opened):
    if opened and not sheet.is_crew:
        change(cast.gm.member, sheet, opened=True)
    before = {who: shown(getattr(cast, who), cast, sheet) for who in VIEWERS}
    first = Event.objects.latest("id").pk
    play(cast, sheet, npc)
    for who, followed in before.items():
        person = getattr(cast, who)
        touched, reloaded = follow(followed, person, cast.campaign, first), shown(person, cast, sheet)
        assert not differing(touched, followed, reloaded), who
        sees = sheet.visibilities(viewer_of(person.user, {}, cast.campaign.slug))
        assert len(touched & reloaded.by_ids().keys()) > (30 if Visibility.SHEET in sees else -1), who


def test_every_sheet_holds_in_its_page_what_its_reader_may_see_and_nothing_else(cast, sheet):
    gm = cast.gm.member
    set_field(gm, sheet, "gm_notes", canary("gm", "sheet"), expected="", key=uuid4())
    for who in VIEWERS:
        person = getattr(cast, who)
        viewer = viewer_of(person.user, {}, cast.campaign.slug)
        root = shown(person, cast, sheet)
        there = {node.attrs["data-field"] for node in root.walk() if node.attrs.get("data-field")}
        lists = {node.attrs["data-rows"] for node in root.walk() if node.attrs.get("data-rows")}
        sees = sheet.visibilities(viewer)
        if Visibility.SHEET not in sees:
            assert there == {"pronouns"} and not lists
            continue
        wanted = {name for name, field in sheet.rules.fields.items() if field.visibility in sees}
        assert {name for name in there if "/" not in name} == wanted, who
        assert lists == {name for name, rows in sheet.rules.lists.items() if rows.visibility in sees}, who
