"""The health track: one line of marks, drawn of three counted fields, on the sheet and at the table."""

import re
from uuid import uuid4

import pytest

from campaigns.live.render import render_live
from campaigns.models import Event, Role
from characters.figures import Figure
from characters.services.cards import Card, make_character
from rulesets.storyteller.figures import StorytellerFigures
from tests.characters.operations import put

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("marks", "words"),
    [
        (("",) * 7 + (0,), "unhurt"),
        (("bashing",) + ("",) * 6 + (0,), "Bruised: 1 bashing"),
        (
            ("aggravated", "lethal", "lethal", "bashing", "", "", "", 2),
            "Wounded: 1 aggravated, 2 lethal, 1 bashing, \N{MINUS SIGN}2 dice",
        ),
        (("lethal",) * 7 + (5,), "Incapacitated: 7 lethal, \N{MINUS SIGN}5 dice"),
    ],
)
def test_how_hurt_somebody_is_is_said_in_words(marks, words):
    assert StorytellerFigures().words(Figure("health", marks)) == ("Health", words)


def levels(html):
    """Return the damage of each marked level, in order."""
    return re.findall(r'class="health-level is-(\w+)"', html)


def test_the_track_stands_on_the_sheet_and_at_the_table_and_follows(cast):
    player = cast.player
    wren = make_character(player.member, Card("Wren", "", player.member), system="storyteller", key=uuid4())
    for path in (f"/c/{cast.campaign.slug}/?character={wren.pk}", f"/c/{cast.campaign.slug}/characters/{wren.pk}/"):
        before = player.client.get(path).content.decode()
        assert 'health-words">unhurt' in before and "Incapacitated" in before and not levels(before)
    put(player.member, wren, "bashing", 2, seen=0)
    put(player.member, wren, "lethal", 1, seen=0)
    told = render_live(Event.objects.with_related().select_related("campaign").latest("pk"), Role.PLAYER)
    assert levels(told) == ["lethal", "bashing", "bashing"]
    assert 'health-words">Injured: 1 lethal, 2 bashing, \N{MINUS SIGN}1 die' in told
