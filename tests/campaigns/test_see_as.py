"""A GM sees every page as a player, a spectator or a certain member would, and changes nothing meanwhile."""

from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.access import viewer_of
from campaigns.models import Event, Membership, Role
from campaigns.models.members import TABLE
from campaigns.services import members
from campaigns.services.campaigns import create_campaign
from campaigns.services.play import add_storyline, whisper
from tests.cast import person
from tests.doors import look, post, watcher
from tests.news import news

SECRET = "xylophone"  # is only in the GM's notes
GM_PAGES = ("campaign_settings", "invitations")
PAGES = ("members", "storylines", "sessions")


def page(cast, name="members", slug="ashes"):
    return cast.gm.client.get(reverse(name, args=[slug]))


def viewer(cast):
    return viewer_of(cast.gm.user, cast.gm.client.session, "ashes")


@pytest.mark.parametrize(
    ("eyes", "role", "words"),
    [
        ("player", Role.PLAYER, "Previewing as a player."),
        ("spectator", Role.SPECTATOR, "Previewing as a spectator."),
    ],
)
def test_as_any_player_or_spectator_sees_it(cast, eyes, role, words):
    assert look(cast, eyes).url == "/c/ashes/"
    assert (viewer(cast).role, viewer(cast).streams, viewer(cast).real) == (role, [TABLE], cast.gm.member)
    assert words in page(cast).content.decode()


def test_as_a_certain_member_sees_it(cast):
    look(cast, cast.player.member.pk)
    assert viewer(cast).membership == cast.player.member
    assert viewer(cast).streams == [TABLE, cast.player.member.stream]
    assert "Previewing as Mo." in page(cast).content.decode()


def test_whispers_to_others_are_not_seen_through_the_eyes_of_a_member(cast):
    whisper(cast.gm.member, "For Mo", to=[cast.player.member], key=uuid4())
    whisper(cast.gm.member, "For the other", to=[cast.other_player.member], key=uuid4())
    look(cast, cast.player.member.pk)
    seen = Event.objects.seen_by(viewer(cast)).filter(kind="campaigns.said")
    assert {event.payload["words"] for event in seen} == {"For Mo"}


def test_no_page_shows_what_is_for_gms(cast):
    add_storyline(cast.gm.member, "Silas owes", gm_notes=SECRET, key=uuid4())
    assert SECRET in page(cast, "storylines").content.decode()
    for eyes in ("player", "spectator", cast.player.member.pk, cast.spectator.member.pk):
        look(cast, eyes)
        assert all(SECRET not in page(cast, name).content.decode() for name in PAGES)
        assert [page(cast, name).status_code for name in GM_PAGES] == [403, 403]
        assert "/role/" not in page(cast).content.decode()
        assert "Settings" not in [entry["words"] for entry in page(cast).context["nav"]]


def test_a_refused_page_still_offers_the_way_back(cast):
    look(cast, "player")
    assert "Back to GM view" in page(cast, "campaign_settings").content.decode()


@pytest.mark.parametrize("eyes", ["player", "member"])
def test_nothing_can_be_changed_meanwhile(cast, eyes):
    look(cast, cast.player.member.pk if eyes == "member" else eyes)
    for name in ("leave", "campaign_archive", "invitations", "session_start"):
        answer = cast.gm.client.post(reverse(name, args=["ashes"]), {"key": uuid4()})
        assert answer.status_code == 403, name
        assert "Go back to the GM view" in answer.content.decode(), name
    assert not news().exists()
    assert Membership.objects.active().filter(pk=cast.player.member.pk).exists()


def test_one_button_goes_back(cast):
    look(cast, "spectator")
    # The button of the banner sends no other fields.
    cast.gm.client.post(reverse("see_as", args=["ashes"]))
    assert (viewer(cast).role, viewer(cast).real) == (Role.GM, None)
    assert page(cast).context["see_as"] is None


def test_it_is_for_this_campaign_alone(cast):
    create_campaign(cast.gm.user, name="Harrow", systems=["storyteller"], key=uuid4())
    look(cast, "player")
    assert page(cast, "campaign_settings", "harrow").status_code == 200


def test_the_eyes_of_somebody_who_goes_are_given_back(cast):
    look(cast, cast.player.member.pk)
    members.leave(cast.player.member, key=uuid4())
    assert viewer(cast).is_gm


def test_who_is_no_gm_any_more_has_their_own_eyes(cast):
    look(cast, cast.other_player.member.pk)
    members.hand_over(cast.gm.member, cast.player.member, key=uuid4())
    assert (viewer(cast).membership, viewer(cast).role) == (cast.gm.member, Role.PLAYER)


def test_only_eyes_of_this_table_that_are_no_gms(cast):
    elsewhere = create_campaign(person("ana").user, name="Harrow", systems=["storyteller"], key=uuid4())
    foreign = Membership.objects.get(campaign=elsewhere)
    for eyes in (foreign.pk, cast.removed.member.pk, cast.gm.member.pk, "gm", "king", -1, "9" * 40):
        assert look(cast, eyes).status_code == 422, eyes
        assert viewer(cast).is_gm


def test_choices_are_the_roles_and_those_who_are_here(cast):
    choices = [words for _, words in page(cast).context["see_as_form"].fields["as_"].choices]
    assert choices == [
        "any player",
        "any spectator",
        "Mo (Player)",
        "Other Player (Player)",
        "Spectator (Spectator)",
    ]


def test_the_link_spectator_has_no_other_eyes(cast):
    assert post(watcher(cast), "see_as", "ashes", **{"as": "player"}).status_code == 403
