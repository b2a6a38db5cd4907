"""Pool against pool by the composer's form: what it asks for, its odds, its card, and what it refuses."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse

from characters.services.cards import Card, make_character
from rolls.models import Roll
from rulesets.descriptors.sheet import MOST_POWER_BOXES
from tests.sheets import create_character


def post(person, **data):
    url = reverse("roll", args=[person.member.campaign.slug])
    headers = {"hx-request": "true", "hx-trigger": "roll"}
    return person.client.post(url, {"key": uuid4(), "system": "descriptors"} | data, headers=headers)


def get(person, name, **query):
    url = reverse(name, args=[person.member.campaign.slug])
    return person.client.get(url, {"system": "descriptors"} | query).content.decode()


def test_two_pools_fall_and_the_table_sees_them_pair_by_pair(cast, dice):
    dice(9, 7, 5, 6, 4)
    answer = post(cast.player, pool="Swordplay 3", against="2", versus="the door guard", note="at last")
    assert (answer.status_code, answer.content) == (204, b"")
    shown = cast.spectator.client.get(reverse("table", args=[cast.campaign.slug])).content.decode()
    assert "Mo wins" in shown
    assert "<b>the door guard</b>" in shown
    assert "Mo may make a Scene Descriptor with 2 dice." in shown
    assert "A hit of 2 on the door guard, who has no sheet here." in shown
    assert "Mo: 1 Will to pay" in shown
    words = " ".join(shown.split())
    assert "Mo. Swordplay 3 against the door guard, 2 dice: 9, 7, 5 against 6, 4. Mo wins, 2 successes" in words


def test_a_stalemate_is_the_gms(cast, dice):
    dice(5, 5)
    post(cast.player, pool="1", against="1")
    shown = cast.player.client.get(reverse("table", args=[cast.campaign.slug])).content.decode()
    assert "Stalemate" in shown
    assert "the GM shifts the situation" in shown


def test_faces_of_a_real_table_are_typed_mine_first(cast):
    assert post(cast.player, pool="1", against="2", faces="3 9 0").status_code == 204
    roll = Roll.objects.get()
    assert (roll.faces, roll.hand_rolled) == ([3, 9, 10], True)
    assert "Rolled by hand." in get(cast.player, "table")
    assert "yours, then theirs" in get(cast.player, "roll_form")


@pytest.mark.run_on("sqlite", "postgresql")
@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("pool", {"pool": "many"}),
        ("pool", {"pool": "5\x00"}),
        ("against", {"against": ""}),
        ("versus", {"versus": "a\u202eb"}),
        ("faces", {"faces": "1 2 3"}),
        ("note", {"note": "x" * 201}),
    ],
)
def test_bad_input_is_named_at_its_field_and_changes_nothing(cast, field, wrong):
    answer = post(cast.player, **{"pool": "1", "against": "1"} | wrong)
    assert answer.status_code == 422
    assert f'data-field="{field}"' in answer.content.decode()
    assert not Roll.objects.exists()


def test_the_odds_follow_the_form(cast):
    shown = get(cast.player, "odds", pool="Swordplay 3", against="2")
    assert "odds-bar" in shown
    assert "successes if you win" in shown
    assert "5 dice" in shown
    for pool in ("1000000000", "-1", "text", ""):
        assert "odds-bar" not in get(cast.player, "odds", pool=pool, against="2")


def test_the_form_offers_those_whom_one_may_know(cast):
    make_character(cast.gm.member, Card("Orsolya"), key=uuid4())
    make_character(cast.gm.member, Card("Unseen", "", None, shown=False), key=uuid4())
    assert "Unseen" not in get(cast.player, "roll_form")
    assert "Orsolya" in get(cast.player, "roll_form")
    assert "Unseen" in get(cast.gm, "roll_form")


def test_what_is_typed_is_drawn_as_text(cast):
    post(cast.player, pool="<b>Luck</b> 2", against="1", versus="<script>")
    shown = cast.player.client.get(reverse("table", args=[cast.campaign.slug])).content.decode()
    assert "&lt;b&gt;Luck&lt;/b&gt; 2" in shown
    assert "<b>&lt;script&gt;</b>" in shown
    assert "&amp;lt;" not in shown


def test_a_campaign_without_these_rules_neither_rolls_nor_shows_them(cast):
    cast.campaign.systems = ["storyteller"]
    cast.campaign.save()
    answer = post(cast.player, pool="1", against="1")
    assert answer.status_code == 422
    assert 'data-field="system"' in answer.content.decode()
    assert 'name="against"' not in get(cast.player, "roll_form")
    assert not Roll.objects.exists()


def test_a_press_on_a_descriptor_of_the_sheet_writes_its_name(cast):
    own = {"id": "4f2a", "name": "Swordplay", "dice": 3}
    member = cast.player.member
    create_character(
        campaign=cast.campaign, name="Abigail", owner=member, system="descriptors", sheet={"descriptors": [own]}
    )
    shown = cast.player.client.get(reverse("table", args=[cast.campaign.slug])).content.decode()
    assert 'data-hand-rows="descriptors"' in shown and 'data-value="Swordplay"' in shown
    assert 'name="against"' in shown


def test_each_box_of_the_power_track_says_which_number_is_the_length_of_the_track(cast):
    """The page hides those beyond it (static/js/sheet.js)."""
    captain = make_character(
        cast.player.member, Card("Ilse", "", cast.player.member), key=uuid4(), system="descriptors"
    )
    page = cast.player.client.get(reverse("character", args=[cast.campaign.slug, captain.pk])).content.decode()
    assert page.count('data-length="power_boxes"') == page.count("data-track=") == MOST_POWER_BOXES
