"""The list of characters: who is under which heading, and what of each a reader learns."""

import re
from uuid import uuid4

import pytest

from campaigns.models import Role
from characters.services.cards import (
    Card,
    delete_character,
    kill_character,
    lock_sheet,
    make_character,
    mark_complete,
    retire_character,
)
from characters.services.fields import set_field
from tests.answers import queries
from tests.canaries import canary
from tests.cast import person
from tests.characters.operations import at, change, page, text


def under(answer):
    """Return {heading: [names]} of the page."""
    found = {}
    for section in text(answer).split("<section")[1:]:
        heading = re.search(r"<h2[^>]*> ?(.*?) ?</h2>", section)[1]
        found[heading] = re.findall(r'class="cast-name cluster[^"]*"> <a [^>]*>(.*?)</a>', section)
    return found


def crowd(cast, many):
    for number in range(many):
        make_character(cast.gm.member, Card(f"Guard {number}", "Watches"), key=uuid4())


def test_each_is_under_the_heading_that_fits_its_reader(cast, silas, npc, hidden, crew):
    mo, gm = cast.player.member, cast.gm.member
    gone = retire_character(mo, make_character(mo, Card("Old Tom", "", mo), key=uuid4()), key=uuid4())
    kill_character(gm, make_character(gm, Card("Poor Ned"), key=uuid4()), key=uuid4())
    wrong = make_character(mo, Card("Typo", "", mo), key=uuid4())
    delete_character(mo, wrong, "Typo", key=uuid4())
    rest = {"Crews": ["The Wick"], "Retired": [gone.name], "Dead": ["Poor Ned"]}
    known = rest | {"NPCs": ["Vesper"]}
    assert under(page(cast.player, "characters", cast)) == known | {"Yours": ["Silas Grey"], "Other characters": []}
    for reader in (cast.other_player, cast.spectator):
        lists = under(page(reader, "characters", cast))
        lists.pop("Yours", None)
        assert lists == known | {"Other characters": ["Silas Grey"]}
    lists = under(page(cast.gm, "characters", cast))
    assert lists == rest | {"Player characters": ["Silas Grey"], "NPCs": [hidden.name, "Vesper"]}


def test_who_plays_a_character_beside_its_owner_has_it_among_their_own(cast, silas):
    change(cast.gm.member, silas, also=(cast.other_player.member,))
    assert under(page(cast.other_player, "characters", cast))["Yours"] == ["Silas Grey"]


def test_whether_a_sheet_is_complete_or_locked_those_learn_who_read_it(cast, silas):
    set_field(cast.player.member, silas, "pronouns", "he/him", expected="", key=uuid4())
    mark_complete(cast.player.member, silas, True, key=uuid4())
    lock_sheet(cast.gm.member, silas, key=uuid4())
    for reader, learns in ((cast.gm, True), (cast.player, True), (cast.other_player, False), (cast.spectator, False)):
        said = text(page(reader, "characters", cast))
        assert ("complete</span>" in said, "locked by the GM</span>" in said) == (learns, learns)
        assert "he/him" in said


def searched(reader, cast):
    """Return whether the list has a search of its own, beside the campaign's."""
    return 'type="search"' in text(page(reader, "characters", cast)).partition("<main")[2].partition("</main>")[0]


def test_a_search_is_there_when_there_are_many_and_finds_name_concept_and_player(cast, silas, npc):
    assert not searched(cast.player, cast)
    crowd(cast, 11)
    assert searched(cast.player, cast)
    for wanted, names in (("sil gr", ["Silas Grey"]), ("ARCHIV", ["Silas Grey"]), ("mo", ["Silas Grey"]), ("x", [])):
        lists = under(cast.player.client.get(at("characters", cast), {"q": wanted}))
        assert [name for found in lists.values() for name in found] == names, wanted
    said = text(cast.player.client.get(at("characters", cast), {"q": "<b>nobody"}))
    assert "No match for “&lt;b&gt;nobody”" in said


def test_a_search_finds_no_hidden_npc_for_players_nor_gives_its_number_away(cast, silas):
    secret = canary("gm", "npc")
    crowd(cast, 11)
    make_character(cast.gm.member, Card(secret, "", shown=False), key=uuid4())
    assert not searched(cast.player, cast)
    assert not any(under(cast.player.client.get(at("characters", cast), {"q": "canary"})).values())
    assert any(under(cast.gm.client.get(at("characters", cast), {"q": "canary"})).values())


def test_the_list_costs_the_same_queries_however_long_it_is(cast, silas, npc):
    late = person("late", "Late")
    late.join(cast.gm.member, Role.PLAYER)
    change(cast.gm.member, silas, also=(late.member,))
    before = queries(cast.player.client, at("characters", cast))
    crowd(cast, 8)
    for owner in (late.member, cast.other_player.member):
        for name in "ABC":
            make_character(cast.gm.member, Card(name, "", owner, also=(cast.player.member,)), key=uuid4())
    assert queries(cast.player.client, at("characters", cast)) == before


@pytest.mark.run_on("sqlite", "postgresql")
def test_a_search_of_any_length_is_answered(cast, silas):
    for wanted in ("x" * 5000, "\x00", "%", "  "):
        assert cast.player.client.get(at("characters", cast), {"q": wanted}).status_code == 200
