"""Which character is at hand on the table page, and what is shown of it."""

from uuid import uuid4

import pytest
from django.template.loader import render_to_string

from campaigns.models import Role, Viewer
from characters.services.cards import Card, make_character, retire_character
from characters.services.fields import set_field
from characters.views.in_play import hand_of
from tests.cast import viewer

pytestmark = pytest.mark.run_on("sqlite", "postgresql")


def field(hand, name):
    return next(cell for group in hand["groups"] for cell in group["cells"] if cell["field"] == name)


def test_the_only_character_of_a_player_is_at_hand(cast, silas, npc):
    hand = hand_of(viewer(cast.player))
    assert (hand["name"], hand["rolls"], hand["others"]) == ("Silas Grey", True, [])
    assert hand["character"].number("willpower_now") == 3
    assert [group["words"] for group in hand["groups"]] == [
        "Physical",
        "Social",
        "Mental",
        "Abilities",
        "Virtues",
        "Willpower",
        "Inspiration",
        "Humanity or Path",
        "Blood",
        "Health",
        "Disciplines and other powers",
        "Backgrounds",
    ]
    assert next(item["label"] for item in hand["in_play"]["resources"]) == "Health"


def test_who_has_no_character_has_nothing_at_hand(cast, silas, npc):
    for person in (cast.other_player, cast.spectator):
        assert hand_of(viewer(person)) is None
    assert hand_of(Viewer(cast.campaign, None, Role.SPECTATOR)) is None


def test_a_gm_has_npcs_and_the_own_characters_first(cast, silas, npc):
    own = make_character(cast.gm.member, Card("Zeno", owner=cast.gm.member), key=uuid4())
    hand = hand_of(viewer(cast.gm))
    assert hand["name"] == "Zeno"
    assert [(other["name"], other["current"]) for other in hand["others"]] == [("Zeno", True), ("Vesper", False)]
    assert hand_of(viewer(cast.gm), str(npc.pk))["name"] == "Vesper"
    assert hand["others"][1]["url"] == f"/c/ashes/?character={npc.pk}" and own.pk


@pytest.mark.parametrize("chosen", ["", "x", "9" * 5000, "\x00", "5f0c1d0a-3c53-4d9e-9a52-6f6b6b8f2f10"])
def test_what_is_nobodys_id_counts_as_nothing_chosen(cast, silas, chosen):
    assert hand_of(viewer(cast.player), chosen)["name"] == "Silas Grey"


def test_the_characters_of_others_are_never_at_hand(cast, silas, npc):
    make_character(cast.other_player.member, Card("Corvina", owner=cast.other_player.member), key=uuid4())
    for other in (silas, npc):
        assert hand_of(viewer(cast.other_player), str(other.pk))["name"] == "Corvina"


def test_the_retired_are_not_at_hand(cast, silas):
    retire_character(cast.player.member, silas, key=uuid4())
    assert hand_of(viewer(cast.player)) is None


def test_seen_as_a_player_nothing_can_be_picked(cast, silas):
    hand = hand_of(viewer(cast.player, real=cast.gm.member))
    assert hand["name"] == "Silas Grey" and not hand["rolls"]
    assert "<button" not in render_to_string("characters/_at_hand.html", {"hand": hand, "campaign": cast.campaign})


def test_every_rollable_trait_is_a_button_that_says_what_it_is_worth(cast, silas):
    set_field(cast.player.member, silas, "perception", 3, expected=1, key=uuid4())
    hand = hand_of(viewer(cast.player))
    silas.refresh_from_db()
    picked = {"rollable": True, "trait": "perception", "slot": "pool"}
    assert field(hand, "perception") == silas.cell("perception") | picked
    drawn = render_to_string("characters/_at_hand.html", {"hand": hand, "campaign": cast.campaign})
    assert drawn.count("data-trait=") == 46
    assert 'data-trait="perception"' in drawn and 'data-trait="willpower_now"' not in drawn
    assert f'id="character-{silas.pk}-willpower_now"' in drawn


def test_it_takes_a_query_for_those_there_are_and_one_for_the_rows_of_the_one_that_is_shown(
    cast, django_assert_num_queries
):
    for name in "abcdefgh":
        make_character(cast.gm.member, Card(name), key=uuid4())
    here = viewer(cast.gm)
    with django_assert_num_queries(2):
        hand_of(here)
