"""The table page: what each of us finds on it, and what it costs."""

from __future__ import annotations

import json
import re
from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.models import Campaign
from campaigns.services.play import narrate
from characters.services.cards import Card, make_character
from rolls.models import Audience
from rolls.registry import RULESETS
from rolls.services.rolls import make_roll
from rulesets.storyteller.terms import StorytellerInput
from tests.answers import queries
from tests.stored import store


@pytest.fixture
def url(cast):
    return reverse("table", args=[cast.campaign.slug])


@pytest.fixture
def silas(cast):
    mo = cast.player.member
    return make_character(mo, Card("Silas", "", mo), key=uuid4())


def page(person, url):
    return person.client.get(url).content.decode()


def test_a_player_finds_their_character_and_the_composer(cast, url, silas):
    html = page(cast.player, url)
    assert 'data-trait="perception"' in html
    assert 'id="composer"' in html
    assert f'value="character:{silas.pk}"' in html


def test_who_only_looks_finds_no_composer_and_no_way_to_it(cast, url):
    for person in (cast.spectator, cast.gm):
        if person is cast.gm:
            person.client.post(reverse("see_as", args=[cast.campaign.slug]), {"as": "player", "key": uuid4()})
        html = page(person, url)
        assert 'id="composer"' not in html
        assert 'href="#composer"' not in html


def test_the_page_asks_for_twelve_style_sheets_and_scripts_at_most(cast, url, silas):
    for person in (cast.gm, cast.player):
        assert len(set(re.findall(r"[\w/.-]+\.(?:css|js)\b", page(person, url)))) <= 12


def test_the_page_says_where_it_stands_in_each_of_its_streams(cast, url):
    def heads(person):
        found = re.search(r'data-heads="([^"]*)"', page(person, url))
        return json.loads(found[1].replace("&quot;", '"'))

    make_roll(cast.player.member, StorytellerInput(dice=3), audience=Audience.SELF, key=uuid4())
    make_roll(cast.gm.member, StorytellerInput(dice=3), audience=Audience.GM, key=uuid4())
    mine = cast.player.member.stream
    assert set(heads(cast.player)) == {"table", mine}
    assert set(heads(cast.spectator)) == {"table"}
    assert set(heads(cast.gm)) == {"table", "gm", mine}


def test_in_a_mixed_campaign_a_player_finds_the_games_of_their_own_sheets(cast, url, silas):
    Campaign.objects.update(systems=list(RULESETS))
    make_character(cast.player.member, Card("Wren", "", cast.player.member), system="forged", key=uuid4())

    def games(person):
        html = page(person, url)
        return {name for name in RULESETS if f'id="open-{name}-' in html or f"system={name}&" in html}

    assert games(cast.player) == {"storyteller", "forged"}
    assert games(cast.gm) == games(cast.other_player) == {*RULESETS}


def test_a_hidden_npc_is_no_voice(cast, url):
    make_character(cast.gm.member, Card("Unseen", "", None, shown=False), key=uuid4())
    make_character(cast.gm.member, Card("Orsolya"), key=uuid4())
    html = page(cast.gm, url)
    assert "as Orsolya" in html
    assert "as Unseen" not in html


def test_whoever_has_a_character_at_hand_speaks_as_that_one(cast, url, silas):
    mo = cast.player.member
    aurel = make_character(mo, Card("Aurel", "", mo), key=uuid4())
    for hand in (silas, aurel):
        voices = re.findall(r'value="(character:[^"]+)"', page(cast.player, f"{url}?character={hand.pk}"))
        assert voices[0] == f"character:{hand.pk}"


def test_what_is_no_character_of_mine_counts_as_nothing_chosen(cast, url, silas):
    for chosen in ("nonsense", str(uuid4())):
        assert "Silas" in page(cast.player, f"{url}?character={chosen}")


def test_a_long_feed_costs_no_more_queries_than_a_short_one(cast, url, silas, patience):
    make_roll(cast.player.member, StorytellerInput(character=silas.pk, dice=5), audience=Audience.TABLE, key=uuid4())
    cast.player.client.get(url)  # the first visit stores when the member was last present
    short = queries(cast.player.client, url)
    for _ in range(20):
        narrate(cast.gm.member, "It rains.", key=uuid4())
        make_roll(cast.player.member, StorytellerInput(dice=5), audience=Audience.TABLE, key=uuid4())
    assert queries(cast.player.client, url) == short


def test_a_campaign_without_storyteller_rolls_shows_no_scale(cast, url):
    assert 'id="burns"' in page(cast.player, url)
    store(cast.campaign, systems=["forged"])
    html = page(cast.player, url)
    assert 'id="burns"' not in html
    assert 'class="scale' not in html


# another chosen character, on a page that stays open


def test_another_character_is_at_hand_without_a_page(cast, url):
    orsolya = make_character(cast.gm.member, Card("Orsolya"), key=uuid4())
    make_character(cast.gm.member, Card("Abel"), key=uuid4())
    answer = cast.gm.client.get(f"{url}?character={orsolya.pk}", HTTP_HX_REQUEST="true").content.decode()
    assert "<html" not in answer and 'id="feed"' not in answer
    assert f'<input type="hidden" name="character" value="{orsolya.pk}">' in answer
    voices = re.findall(r'value="(character:[^"]+)"', answer)
    assert voices[0] == f"character:{orsolya.pk}"
    back = cast.gm.client.get(url, HTTP_HX_REQUEST="true", HTTP_HX_HISTORY_RESTORE_REQUEST="true")
    assert "<html" in back.content.decode() and "HX-Request" in back["Vary"]


def test_a_gm_may_have_a_players_character_at_hand_and_others_may_not(cast, url, silas):
    chosen = f"{url}?character={silas.pk}"
    assert f'name="character" value="{silas.pk}"' in page(cast.gm, chosen)
    assert "Silas" not in cast.gm.client.get(url, HTTP_HX_REQUEST="true").content.decode()
    for person in (cast.other_player, cast.spectator):
        assert f'name="character" value="{silas.pk}"' not in page(person, chosen)


# made in the dialog


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        (
            "clock_new",
            {"name": "Dawn", "kind": "danger", "segments": 4, "visibility": "visible", "owner": "gm", "filled": 0},
            "name",
        ),
        ("storyline_new", {"title": "Who lit it"}, "title"),
    ],
)
def test_what_is_made_in_the_dialog_is_done_or_says_why_not(cast, name, good, bad):
    where = reverse(name, args=[cast.campaign.slug])

    def post(**data):
        return cast.gm.client.post(where, {"key": uuid4(), **data}, HTTP_HX_REQUEST="true", HTTP_HX_TRIGGER="desk-form")

    asked = cast.gm.client.get(where, HTTP_HX_REQUEST="true").content.decode()
    assert "<html" not in asked and 'data-closes="desk"' in asked and 'id="desk-head"' in asked
    refused = post(**(good | {bad: ""}))
    assert refused.status_code == 422 and refused["HX-Retarget"] == "#desk-form-errors"
    assert f'data-field="{bad}"' in refused.content.decode()
    assert post(**good).status_code == 204
    page = cast.gm.client.get(where)
    assert "<html" in page.content.decode() and "HX-Request" in page["Vary"]


def test_a_roll_is_asked_of_whose_portrait_was_pressed(cast, url, silas):
    asked = cast.gm.client.get(
        reverse("request_new", args=[cast.campaign.slug]), {"character": silas.pk}
    ).content.decode()
    assert f'<option value="{cast.player.member.pk}:{silas.pk}" selected>' in asked
