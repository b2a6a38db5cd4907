"""Invitations: made and withdrawn by GMs, seen by nobody else, and what the page behind one says."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.access import token_hash
from campaigns.errors import Invalid
from campaigns.live.render import render_line
from campaigns.models import Event, Invitation, Membership, Role
from campaigns.models.members import GM
from campaigns.services import campaigns
from campaigns.services import members as services
from characters.models import Character
from characters.services.cards import Card, make_character
from tests.answers import refusal
from tests.doors import invite, page, post
from tests.news import news

# making


def test_only_the_hash_of_a_token_is_kept(cast):
    token, made = invite(cast.gm)
    assert len(token) == 43
    assert made.token_hash == token_hash(token)
    kept = str(list(Invitation.objects.values())) + str([event.payload for event in Event.objects.all()])
    assert token not in kept


def test_the_link_is_shown_once_in_the_answer_to_making_it(cast):
    answer = post(cast.gm.client, "invitations", "ashes", role="player", days="7", uses="2")
    link = answer.context["new_link"]
    assert link in answer.content.decode()
    assert "no-store" in answer["Cache-Control"]
    assert link not in page(cast.gm.client, "invitations", "ashes").content.decode()
    made = Invitation.objects.get(token_hash=token_hash(link.rstrip("/").rpartition("/")[2]))
    assert (made.role, made.uses_left, made.expires_at - made.made_at) == (Role.PLAYER, 2, timedelta(days=7))


def test_a_form_sent_twice_makes_one_and_shows_the_same_link(cast):
    before, form = Invitation.objects.count(), {"role": "player", "days": "0", "uses": "", "key": uuid4()}
    one, two = (post(cast.gm.client, "invitations", "ashes", **form).context["new_link"] for _ in range(2))
    assert one == two
    assert Invitation.objects.count() == before + 1


def test_only_gms_hear_of_invitations(cast):
    _, made = invite(cast.gm, days=3, uses=1)
    services.revoke_invitation(cast.gm.member, made, key=uuid4())
    assert {event.stream.name for event in news()} == {GM}
    lines = [render_line(event, Role.GM) for event in news()]
    assert "an invitation for a player" in lines[0]
    assert "revoked an invitation" in lines[1]


@pytest.mark.parametrize(("limits", "field"), [({"days": 0}, "days"), ({"days": 366}, "days"), ({"uses": 0}, "uses")])
def test_the_service_holds_to_the_limits_by_itself(cast, limits, field):
    assert refusal(Invalid, invite, cast.gm, **limits).field == field


# the page behind the link


def test_it_says_what_one_joins(cast, client):
    campaigns.edit_campaign(
        cast.gm.member,
        name="Ashes",
        pitch="Who lit it?",
        systems=["storyteller"],
        expected=campaigns.campaign_version(cast.campaign),
        key=uuid4(),
    )
    token, _ = invite(cast.gm, Role.SPECTATOR)
    said = page(client, "join", token).content.decode()
    for words in (
        "Ashes",
        "Who lit it?",
        "<b>Gm</b> invited you",
        "as <b>a spectator</b>",
        "4 people have joined",
        "Storyteller",
    ):
        assert words in said
    assert "Other Player" not in said


def test_faces_of_those_who_have_joined_are_seen_by_strangers_without_names_or_pictures_of_their_own(cast, client):
    for who, name, picture in (
        (cast.player, "Silas", "widow"),
        (cast.other_player, "Corvina", "0" * Character.PICTURE),
    ):
        character = make_character(who.member, Card(name, "", who.member), key=uuid4())
        Character.objects.filter(pk=character.pk).update(picture=picture)
    make_character(cast.gm.member, Card("Orsolya", "", None, shown=False), key=uuid4())
    token, _ = invite(cast.gm)
    said = page(client, "join", token).content.decode()
    assert "faces/widow.svg" in said and "/portrait/" not in said
    assert said.count("-portrait") == 2
    assert not any(name in said for name in ("Silas", "Corvina", "Orsolya"))


def test_who_is_not_signed_in_comes_back_to_it_after_signing_in(cast, client):
    token, _ = invite(cast.gm)
    path = reverse("join", args=[token])
    assert f"/accounts/login/?next={path}" in page(client, "join", token).content.decode()
    assert post(client, "join", token).url == f"/accounts/login/?next={path}"
    answer = client.post(
        f"/accounts/login/?next={path}", {"login": "outsider", "password": "a-long-password", "next": path}
    )
    assert answer.url == path
    assert post(client, "join", token).url == "/c/ashes/characters/new/?welcome"


def test_a_new_account_joins_by_it_at_once(cast, client, settings):
    settings.SIGNUP = "invite"
    token, _ = invite(cast.gm)
    path = reverse("join", args=[token])
    assert f"/accounts/signup/?next={path}" in page(client, "join", token).content.decode()
    form = {"username": "ana", "password1": "lanterns-and-soot", "next": path}
    answer = client.post(f"/accounts/signup/?next={path}", form, follow=True)
    assert answer.redirect_chain[-1][0] == "/c/ashes/characters/new/?welcome"
    assert Membership.objects.active().filter(user__username="ana", campaign=cast.campaign).exists()


def test_where_nobody_may_sign_up_it_does_not_offer_it(cast, client, settings):
    settings.SIGNUP = "closed"
    token, _ = invite(cast.gm)
    assert "/accounts/signup/" not in page(client, "join", token).content.decode()
