"""Coming in by an invitation: whom it lets in, in which place, and when it no longer does."""

from functools import partial
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from campaigns.errors import Blocked, Gone, Invalid, ServiceError
from campaigns.live.render import render_line
from campaigns.models import Invitation, Membership, Role
from campaigns.models.members import TABLE
from campaigns.services import campaigns, members
from people.models import User
from tests.cast import gathered, person
from tests.doors import invite, join, page, post, seated
from tests.news import news
from tests.racing import at_once

CARD = {"known": "card", "system": "storyteller"}

pytestmark = [pytest.mark.django_db, pytest.mark.run_on("sqlite", "postgresql")]


# coming in


@pytest.mark.parametrize("role", ["player", "spectator"])
def test_whoever_signs_up_on_the_way_has_joined_and_one_whose_link_is_used_up_reads_so(cast, client, settings, role):
    settings.SIGNUP = "open"
    token, _ = invite(cast.gm, Role(role), uses=1)
    form = {"password1": "lanterns-and-soot-7", "next": reverse("join", args=[token])}
    answer = client.post(reverse("account_signup"), form | {"username": "ana"}, follow=True)
    campaign = cast.gm.member.campaign
    assert answer.redirect_chain[-1][0] == (campaign.newcomers_url if role == "player" else campaign.url)
    assert Membership.objects.get(user__username="ana").role == role
    client.post(reverse("account_logout"))
    answer = client.post(reverse("account_signup"), form | {"username": "ben"}, follow=True)
    assert answer.status_code == 410 and User.objects.filter(username="ben").exists()
    assert not Membership.objects.filter(user__username="ben").exists()


def test_whoever_joins_sits_at_the_table_and_all_hear_of_it(cast):
    token, _ = invite(cast.gm)
    answer = post(cast.outsider.client, "join", token)
    member = Membership.objects.get(user=cast.outsider.user)
    assert answer.url == "/c/ashes/characters/new/?welcome"
    assert (member.role, member.left_at) == (Role.PLAYER, None)
    event = news().last()
    who = {"member": member.pk, "name": "Outsider"}
    assert (event.kind, event.stream.name) == ("campaigns.member_joined", TABLE)
    assert event.payload == {"who": who, "role": "player", "by": who}
    assert "Outsider joined as a player" in render_line(event, Role.SPECTATOR)
    assert page(cast.outsider.client, "members", "ashes").status_code == 200


def test_whoever_looks_like_another_at_the_table_joins_with_a_number(cast):
    User.objects.filter(pk=cast.outsider.user.pk).update(display_name="Other\u2002PLAYER")
    token, _ = invite(cast.gm)
    post(cast.outsider.client, "join", token)
    assert news().last().payload["who"]["name"] == "Other\u2002PLAYER (2)"


def test_a_spectator_goes_to_the_table_and_a_player_to_the_ways_to_a_character(cast):
    token, _ = invite(cast.gm, Role.SPECTATOR)
    assert post(cast.outsider.client, "join", token).url == "/c/ashes/"
    token, _ = invite(cast.gm)
    late = person("late")
    ways = late.client.get(post(late.client, "join", token).url).content.decode()
    assert 'href="/c/ashes/"' in ways and "Quick start" in ways
    assert 'href="/c/ashes/characters/new/arc/?welcome"' in ways
    made = late.client.post("/c/ashes/characters/new/?welcome", {"key": (key := uuid4()), "name": "Thorn", **CARD})
    assert made.url == f"/c/ashes/?character={key}"


def test_what_a_messenger_shows_of_the_link_does_not_tell_which_table_it_is_for(cast, client):
    token, _ = invite(cast.gm)
    head = page(client, "join", token).content.decode().partition("</head>")[0]
    assert "You’re invited to Afterburn" in head and "Ashes" not in head and "og:image" not in head


def test_a_key_of_somebody_else_lets_nobody_in(cast):
    token, _ = invite(cast.gm)
    key = uuid4()
    join(cast.outsider, token, key)
    with pytest.raises(Invalid):
        join(person("ana"), token, key)
    assert seated(cast) == 5


def test_whoever_sits_there_already_is_told_so_and_takes_no_use(cast):
    token, made = invite(cast.gm, Role.GM, uses=1)
    assert "You’re already in this campaign, as a player" in page(cast.player.client, "join", token).content.decode()
    answer = post(cast.player.client, "join", token)
    assert answer.status_code == 409
    assert "You’re already in this campaign, as a player" in answer.content.decode()
    assert Invitation.objects.get(pk=made.pk).uses_left == 1
    assert Membership.objects.get(pk=cast.player.member.pk).role == Role.PLAYER


def test_even_by_a_link_that_is_used_up(cast):
    token, _ = invite(cast.gm, uses=1)
    join(cast.outsider, token)
    assert page(cast.outsider.client, "join", token).status_code == 200


def test_who_had_left_gets_their_place_back(cast):
    members.leave(cast.player.member, key=uuid4())
    token, _ = invite(cast.gm, Role.SPECTATOR)
    again = join(cast.player, token)
    assert again.pk == cast.player.member.pk
    assert (again.role, again.left_at) == (Role.SPECTATOR, None)


def test_an_old_link_does_not_bring_back_who_was_removed(cast):
    old, made = invite(cast.gm)
    members.remove_member(cast.gm.member, cast.player.member, key=uuid4())
    for answer in (page(cast.player.client, "join", old), post(cast.player.client, "join", old)):
        assert answer.status_code == 410
        assert "from before you left" in answer.content.decode()
    assert not Membership.objects.active().filter(user=cast.player.user).exists()
    join(cast.player, invite(cast.gm)[0])
    assert Membership.objects.active().filter(user=cast.player.user).exists()
    assert Invitation.objects.get(pk=made.pk).uses_left is None


# when it no longer works


def used_up(cast):
    token, _ = invite(cast.gm, uses=1)
    join(person("ana"), token)
    return token


def run_out(cast):
    token, made = invite(cast.gm, days=1)
    Invitation.objects.filter(pk=made.pk).update(expires_at=timezone.now())
    return token


def withdrawn(cast):
    token, made = invite(cast.gm)
    assert post(cast.gm.client, "invitation_revoke", "ashes", made.pk).status_code == 302
    return token


@pytest.mark.parametrize("spent", [used_up, run_out, withdrawn])
def test_one_clear_page_for_all_that_no_longer_work(cast, client, spent):
    token = spent(cast)
    before = seated(cast)
    for answer in (page(client, "join", token), post(cast.outsider.client, "join", token)):
        assert answer.status_code == 410
        assert "This invitation no longer works" in answer.content.decode()
        assert "Ashes" not in answer.content.decode()
    with pytest.raises(Gone):
        join(cast.outsider, token)
    assert seated(cast) == before


def test_what_was_never_a_link_is_not_here(cast, client):
    for token in ("x", "a" * 43, "a" * 5000):
        assert page(client, "join", token).status_code == 404
        assert post(cast.outsider.client, "join", token).status_code == 404
        assert page(client, "watch", token).status_code == 404


def test_a_spent_link_does_not_open_the_door_to_an_account(cast, client, settings):
    settings.SIGNUP = "invite"
    page(client, "join", run_out(cast))
    form = {"username": "ana", "password1": "lanterns-and-soot"}
    client.post("/accounts/signup/", form)
    assert not User.objects.filter(username="ana").exists()


def test_nobody_joins_an_archived_campaign(cast, client):
    token, _ = invite(cast.gm)
    campaigns.archive_campaign(cast.gm.member, key=uuid4())
    assert page(client, "join", token).status_code == 409
    with pytest.raises(Blocked):
        join(cast.outsider, token)
    with pytest.raises(Blocked):
        invite(cast.gm)


def test_spent_ones_leave_the_list(cast):
    _, good = invite(cast.gm)
    for spent in (used_up, run_out, withdrawn):
        spent(cast)
    assert list(page(cast.gm.client, "invitations", "ashes").context["invitations"]) == [good]


@pytest.mark.django_db(transaction=True)
def test_of_many_who_come_at_once_the_last_use_lets_one_in():
    cast = gathered()
    token, made = invite(cast.gm, uses=1)
    guests = [person(f"guest{number}") for number in range(5)]
    answers = at_once(*(partial(join, guest, token) for guest in guests))
    assert [one.status for one in answers if isinstance(one, ServiceError)] == [410] * 4
    assert Invitation.objects.get(pk=made.pk).uses_left == 0
