"""How what happens to characters looks: the line in the log, and that what the socket swaps is what a reload shows."""

import re
from uuid import uuid4

import pytest

from campaigns.live.render import render_line, render_live
from campaigns.models import Role
from characters.services.cards import Card, make_character, retire_character, return_character
from characters.services.fields import set_field
from tests.characters.operations import SECRET_NAME, change, page, told
from tests.dom import parse
from tests.following import plain


def last(stream="table"):
    return told(stream)[-1]


def words(html):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html)).replace(" .", ".").strip()


def parts(html):
    """Return how the parts of characters look in some HTML, by id."""
    found = parse(plain(html)).by_ids()
    return {name: str(node) for name, node in found.items() if node.tag == "span" and name.startswith("character-")}


def test_the_log_says_what_a_field_was_and_is(cast, silas):
    set_field(cast.player.member, silas, "willpower", 2, expected=3, key=uuid4())
    line = words(render_line(last(cast.player.member.stream), Role.PLAYER))
    assert "Silas Grey: Current Willpower from 3 to 2 (no more than Willpower)" in line


def test_a_disposition_is_told_with_its_sign(cast):
    npc = make_character(cast.gm.member, Card("Vesper"), key=uuid4())
    set_field(cast.gm.member, npc, "disposition", -2, expected=0, key=uuid4())
    assert "Vesper: Disposition from 0 to \N{MINUS SIGN}2" in words(render_line(last("gm"), Role.GM))


@pytest.mark.parametrize(
    ("to", "line"),
    [
        ({"name": "Silas Black"}, "Silas Grey was renamed Silas Black."),
        ({"concept": "Librarian"}, "Silas Grey : concept from Archivist to Librarian."),
        ({"owner": None}, "Silas Grey became an NPC."),
        ({"owner": None, "shown": False}, "Silas Grey left the table."),
    ],
)
def test_the_log_says_what_changed_on_a_card(cast, silas, to, line):
    change(cast.gm.member, silas, **to)
    assert line in words(render_line(last(), Role.PLAYER))


def test_showing_an_npc_is_news_to_players_and_a_change_to_gms(cast):
    npc = make_character(cast.gm.member, Card(SECRET_NAME, shown=False), key=uuid4())
    change(cast.gm.member, npc, name="Corvin", shown=True)
    assert "Corvin joined the table · NPC" in words(render_line(last(), Role.PLAYER))
    assert SECRET_NAME not in render_live(last(), Role.PLAYER)
    assert f"{SECRET_NAME} was renamed Corvin. Corvin was revealed to players." in words(
        render_line(last("gm"), Role.GM)
    )


def test_coming_and_going_is_told(cast, silas):
    retire_character(cast.gm.member, silas, key=uuid4())
    assert "Silas Grey retired." in words(render_line(last(), Role.PLAYER))
    return_character(cast.gm.member, silas, key=uuid4())
    assert "Silas Grey returned to play." in words(render_line(last(), Role.PLAYER))


@pytest.mark.parametrize(
    ("field", "value", "seen", "swapped"),
    [
        ("strength", 4, 1, {"strength"}),
        ("alertness", 6, 0, {"alertness"}),
        ("willpower", 8, 3, {"willpower", "willpower_now"}),
        ("willpower_now", 0, 3, {"willpower_now"}),
        ("humanity", 0, 7, {"humanity"}),
    ],
)
def test_a_changed_field_looks_live_as_after_a_reload(cast, silas, field, value, seen, swapped):
    set_field(cast.player.member, silas, field, value, expected=seen, key=uuid4())
    live = parts(render_live(last(cast.player.member.stream), Role.PLAYER))
    left = live.pop(f"character-{silas.pk}-willpower_now-left", None)
    assert set(live) == {f"character-{silas.pk}-{name}" for name in swapped}
    assert bool(left) == (field == "willpower_now")
    shown = parts(page(cast.player, "character", cast, silas.pk).content.decode())
    assert {name: shown[name] for name in live} == live


def test_the_composer_counts_spent_willpower_live_as_after_a_reload(cast, silas):
    set_field(cast.player.member, silas, "willpower_now", 1, expected=3, key=uuid4())
    live = parts(render_live(told()[-1], Role.PLAYER))
    table = parts(page(cast.player, "table", cast).content.decode())
    assert {name: table[name] for name in live} == live
    assert "(1 left)" in live[f"character-{silas.pk}-willpower_now-left"]


@pytest.mark.parametrize("to", [{"name": "Silas Black"}, {"concept": ""}, {"owner": None}])
def test_a_changed_card_looks_live_as_after_a_reload(cast, silas, to):
    change(cast.gm.member, silas, **to)
    live = parts(render_live(last(), Role.PLAYER))
    assert set(live) == {f"character-{silas.pk}-{part}" for part in ("name", "who", "concept", "portrait")}
    at_hand = parts(page(cast.player, "table", cast).content.decode())
    concept = live.pop(f"character-{silas.pk}-concept")
    assert at_hand.get(f"character-{silas.pk}-concept") == (None if "owner" in to else concept)
    shown = parts(page(cast.other_player, "character", cast, silas.pk).content.decode())
    assert {name: shown[name] for name in live} == live


def test_an_npc_that_is_hidden_leaves_the_players_pages_and_stays_on_the_gms(cast):
    npc = make_character(cast.gm.member, Card("Vesper"), key=uuid4())
    change(cast.gm.member, npc, shown=False)
    assert f'data-remove="character-{npc.pk}-card"' in render_live(last(), Role.PLAYER)
    assert "data-remove" not in render_live(last(), Role.GM) + render_live(last("gm"), Role.GM)
