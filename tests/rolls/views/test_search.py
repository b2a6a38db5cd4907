"""One search: everything that somebody may see is found, wherever it stands, and nothing else, not even as a count."""

from __future__ import annotations

import json
from dataclasses import replace
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Event, Role
from campaigns.models.clocks import ClockVisibility
from campaigns.services import play
from campaigns.services.clocks import Draft, make_clock
from characters.services.cards import Card, make_character
from rolls.queries.search import BEST, MOST, Wanted, search
from rolls.services.tables import write_table
from tests.answers import queries
from tests.cast import viewer
from tests.doors import look, read, watcher
from tests.flows.pictures import upload
from world.models import PageKind
from world.services import draft_of, make_page, page_version, write_page

pytestmark = pytest.mark.run_on("sqlite", "postgresql")
HTMX = {"headers": {"HX-Request": "true"}}


def found(who, words, kind=""):
    """Return what is found as {(kind, title)}."""
    return {(hit.kind, hit.title) for hit in search(viewer(who), Wanted(words), kind).hits}


def page(client: Client, **asked: str) -> str:
    return read(client, "search", "ashes", **asked)


@pytest.fixture
def lanterns(cast):
    """Put a lantern everywhere where all may see it, and one everywhere where only the GM may."""
    gm, mo = cast.gm.member, cast.player.member
    for name, shown in (("Lantern Keeper", True), ("Lantern Thief", False)):
        make_character(gm, Card(name, "Of the old quarter", shown=shown), key=uuid4())
    for name, visibility in (("The lantern fails", ClockVisibility.VISIBLE), ("Lantern oil", ClockVisibility.SECRET)):
        make_clock(gm, Draft(name, segments=6, visibility=visibility), key=uuid4())
    play.add_storyline(gm, "Who lit the lantern", gm_notes="The wicksmith did", key=uuid4())
    play.start_session(gm, "By lantern light", key=uuid4())
    play.open_scene(gm, "The Lantern Room", key=uuid4())
    play.hand_out(gm, "A lantern, drawn", upload("lantern"), key=uuid4())
    play.hand_out(gm, "The lantern’s secret", upload("lantern"), hidden=True, key=uuid4())
    street = make_page(mo, "Lantern Street", PageKind.PLACE, key=uuid4())
    seen = page_version(street, viewer(cast.gm))
    kept = replace(draft_of(street, viewer(cast.gm)), gm_note="The chandler lives here.")
    write_page(gm, street, kept, expected=seen, key=uuid4())
    make_page(gm, "Lantern Vault", PageKind.PLACE, shown=False, key=uuid4())
    write_table(gm, None, name="Lantern weather", dice="", lines="rain\nfog", key=uuid4())
    play.say(mo, "I lift the lantern", key=uuid4())
    play.whisper(cast.other_player.member, "Nobody lights my lantern", to=[gm], key=uuid4())


OPEN = {
    ("NPC", "Lantern Keeper"),
    ("Clock", "The lantern fails"),
    ("Storyline", "Who lit the lantern"),
    ("Session", "Session 1: By lantern light"),
    ("Scene", "The Lantern Room"),
    ("Handout", "A lantern, drawn"),
    ("Place", "Lantern Street"),
}
HIDDEN = {
    ("NPC", "Lantern Thief"),
    ("Clock", "Lantern oil"),
    ("Handout", "The lantern’s secret"),
    ("Place", "Lantern Vault"),
    ("Roll table", "Lantern weather"),
}


def test_everybody_finds_what_they_may_see_and_counts_no_more(cast, lanterns):
    for who, more in ((cast.spectator, 0), (cast.player, 0), (cast.other_player, 1)):
        result = search(viewer(who), Wanted("lantern"))
        things = {(hit.kind, hit.title) for hit in result.hits if not hit.event}
        assert things - {("Command", "/search")} == OPEN
        counted = {kind.name: kind.many for kind in result.kinds}
        lines = Event.objects.seen_by(viewer(who)).filter(index__words__contains="lantern").count()
        assert counted["log"] == lines
        assert counted["characters"] == counted["clocks"] == counted["handouts"] == 1
        whispers = [hit for hit in result.hits if "Nobody lights my lantern" in hit.title]
        assert len(whispers) == more
    things = {one for one in found(cast.gm, "lantern") if one[0] not in ("Log", "Command")}
    assert things == OPEN | HIDDEN


@pytest.mark.parametrize(
    "words", ["thief", "lantern oil", "lantern secret", "wicksmith", "nobody lights", "vault", "weather", "chandler"]
)
def test_what_is_hidden_is_found_by_gms_alone(cast, lanterns, words):
    assert found(cast.gm, words)
    for client in (cast.player.client, cast.spectator.client, watcher(cast)):
        answer = page(client, q=words)
        assert "Nothing found" in answer and "found-kinds" not in answer and 'class="hit"' not in answer
    look(cast, Role.PLAYER)
    assert "Nothing found" in page(cast.gm.client, q=words)


def test_what_is_called_so_comes_first_and_each_hit_leads_to_where_it_stands(cast, lanterns):
    hits = search(viewer(cast.player), Wanted("lantern")).hits
    assert hits[0].title == "Lantern Keeper"
    for hit in hits:
        address = hit.url.split("#")[0]
        assert cast.player.client.get(address).status_code == 200, address
    hits += search(viewer(cast.player), Wanted("mo"), "members").hits
    for kind, anchor in (
        ("Storyline", "storyline-"),
        ("Handout", "handout-"),
        ("Log", "event-"),
        ("Member", "member-"),
    ):
        hit = next(hit for hit in hits if hit.kind == kind)
        address, _, there = hit.url.partition("#")
        assert there.startswith(anchor)
        assert f'id="{there}"' in cast.player.client.get(address).content.decode()


def test_rules_of_the_games_at_the_table_lead_to_their_section(cast):
    hits = [hit for hit in search(viewer(cast.player), Wanted("burn"), "rules").hits if hit.kind == "Rules"]
    assert hits and "mark" in page(cast.player.client, q="burn", kind="rules")
    address, _, there = hits[0].url.partition("#")
    assert f'id="{there}"' in cast.player.client.get(address).content.decode()
    played = set(cast.campaign.systems) | {"scale"}
    assert {hit.url.split("/")[2] for hit in hits} <= played


def test_commands_are_found_by_who_may_use_them(cast):
    assert ("Command", "/w") in found(cast.player, "/w")
    assert {kind for kind, _ in found(cast.player, "/")} == {"Command", "Page"}
    assert ("Command", "/ask") in found(cast.gm, "/ask") and ("Command", "/ask") not in found(cast.player, "/ask")
    assert not {kind for kind, _ in found(cast.spectator, "/")} & {"Command", "Waits for you"}
    assert ("Page", "Settings") in found(cast.gm, "settings") - found(cast.player, "settings")
    assert found(cast.player, "/lantern") == set()


def test_words_inside_words_accents_and_scripts_without_blanks(cast):
    make_character(cast.gm.member, Card("Nachtwächterin Zoé", "守り人、東京都から"), key=uuid4())
    play.say(cast.player.member, "夜の幽霊屋敷へ行く。", key=uuid4())
    for words in ("wachter", "NACHTWÄCHT", "zoe", "東京", "守", "zo wächter"):
        assert ("NPC", "Nachtwächterin Zoé") in found(cast.player, words), words
    for words in ("a chter", "京東", "oé"):
        assert ("NPC", "Nachtwächterin Zoé") not in found(cast.player, words), words
    assert "夜の<mark>幽霊屋敷</mark>へ行く。" in page(cast.player.client, q="幽霊屋敷")


@pytest.mark.parametrize(
    "words",
    [
        "\x00",
        "a\x00b",
        '"',
        "'; DROP TABLE x; --",
        "%",
        "_",
        "* AND NEAR(",
        "()[]\\",
        "x" * 5000,
        "ß" * 5000,
        "🎲",
        "\u202e",
        "/" * 300,
        "%ff",
        " ",
    ],
)
def test_whatever_is_typed_is_answered(cast, lanterns, words):
    for kind in ("", "log", "nothing", "\x00"):
        assert cast.gm.client.get(reverse("search", args=["ashes"]), {"q": words, "kind": kind}).status_code == 200
        assert (
            cast.player.client.get(reverse("search", args=["ashes"]), {"q": words, "kind": kind}, **HTMX).status_code
            == 200
        )


def test_what_was_typed_is_escaped_where_it_is_marked(cast):
    make_character(cast.gm.member, Card("<b>Bold & Co", ""), key=uuid4())
    assert "&lt;b&gt;<mark>Bold</mark> &amp; Co" in page(cast.player.client, q="bold")
    assert "<script>" not in page(cast.player.client, q='"><script>')


def test_queries_have_a_bound_and_so_have_hits(cast, patience):
    play.say(cast.player.member, "lantern", key=uuid4())
    make_character(cast.gm.member, Card("Lantern", ""), key=uuid4())
    address = f"{reverse('search', args=['ashes'])}?q=lantern"
    few = queries(cast.player.client, address)
    for number in range(MOST + 5):
        play.say(cast.player.member, f"lantern {number}", key=uuid4())
    for number in range(5):
        make_character(cast.gm.member, Card(f"Lantern {number}", ""), key=uuid4())
    assert queries(cast.player.client, address) <= few
    result = search(viewer(cast.player), Wanted("lantern"))
    assert len(result.hits) == BEST and result.and_more
    log = search(viewer(cast.player), Wanted("lantern"), "log")
    assert len(log.hits) == MOST and log.kind == "log"
    assert "50+" in page(cast.player.client, q="lantern")


def test_the_command_asks_for_the_dialog_and_says_nothing(cast):
    form = {"key": str(uuid4()), "text": "/search the lantern", "voice": "player"}
    answer = cast.player.client.post(reverse("compose", args=["ashes"]), form, **HTMX)
    assert json.loads(answer["HX-Trigger"])["afterburn:search"] == {"words": "the lantern"}
    plain = cast.player.client.post(reverse("compose", args=["ashes"]), form)
    assert plain.status_code == 302 and plain["Location"].endswith("/search/?q=the+lantern")
    assert not Event.objects.filter(kind="campaigns.said").exists()


def test_the_dialog_gets_a_list_of_options_and_the_page_a_list_of_links(cast, lanterns):
    address, asked = reverse("search", args=["ashes"]), {"q": "lantern"}
    fetched = cast.player.client.get(address, asked, **HTMX).content.decode()
    many = len(search(viewer(cast.player), Wanted("lantern")).hits)
    assert fetched.count('role="option"') == many and fetched.count('role="listbox"') == 1
    alone = page(cast.player.client, **asked)
    assert alone.count('role="listitem"') == many and 'role="option"' not in alone
