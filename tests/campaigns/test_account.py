"""Deleting an account: the person goes, the logs stay readable, and no campaign is left without a GM."""

from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.errors import Invalid
from campaigns.live.campaign_feed import frames_of
from campaigns.live.render import render_line
from campaigns.models import Event, EventSubject, Membership, Role, Stream
from campaigns.services.campaigns import archive_campaign, create_campaign
from campaigns.services.members import change_role, delete_account, remove_member
from campaigns.services.play import say, whisper
from people.models import User
from tests.answers import refusal
from tests.campaigns.test_log import check_chain
from tests.cast import PASSWORD
from tests.news import PAGES, news
from tests.stored import store

NAME = "Quillon"  # written nowhere but in the name of the person who goes


@pytest.fixture
def quillon(cast):
    """Return the player under a searchable name, after a few operations."""
    store(cast.player.user, display_name=NAME)
    cast.player.member.refresh_from_db()
    change_role(cast.gm.member, cast.player.member, Role.SPECTATOR, expected=Role.PLAYER, key=uuid4())
    change_role(cast.gm.member, cast.player.member, Role.PLAYER, expected=Role.SPECTATOR, key=uuid4())
    say(cast.player.member, "I light it.", key=uuid4())
    whisper(cast.player.member, "Tell nobody.", to=[cast.other_player.member], key=uuid4())
    whisper(cast.gm.member, "Come here.", to=[cast.player.member, cast.other_player.member], key=uuid4())
    return cast.player


def delete(client, password=PASSWORD):
    return client.post(reverse("profile_delete"), {"password": password})


def lines(cast, role=Role.GM):
    return "".join(render_line(event, role) for event in Event.objects.filter(campaign=cast.campaign).order_by("pk"))


def test_the_log_calls_them_a_former_player_everywhere(cast, quillon):
    assert NAME in lines(cast)
    assert delete(quillon.client).status_code == 302
    assert not User.objects.filter(pk=quillon.user.pk).exists()
    said = lines(cast)
    assert NAME not in said
    assert "<b>a former player</b>" in said
    assert "whispered to a former player, Other Player" in said
    assert EventSubject.objects.filter(name="Other Player").exists()
    assert "I light it." in said
    kept = str([event.payload for event in Event.objects.all()]) + str(list(EventSubject.objects.values()))
    assert NAME not in kept


def test_the_chain_still_holds(cast, quillon):
    heads = {(stream.name, stream.seq, stream.head) for stream in Stream.objects.all()}
    delete(quillon.client)
    check_chain(cast.campaign)
    assert heads <= set(Event.objects.values_list("stream__name", "seq", "hash"))


def test_they_leave_every_table_and_their_sockets_end(cast, quillon):
    delete(quillon.client)
    event = news().last()
    assert event.kind == "campaigns.member_left"
    assert event.payload["who"] == {"member": quillon.member.pk, "name": "a former player"}
    assert frames_of([event], PAGES)[0].removes == quillon.member.pk
    member = Membership.objects.get(pk=quillon.member.pk)
    assert member.user is None
    assert member.left_at is not None
    assert quillon.client.get(reverse("profile")).status_code == 302
    url = reverse("members", args=["ashes"])
    assert all(NAME not in person.client.get(url).content.decode() for person in (cast.gm, cast.player))
    # A GM may still have to erase their texts.
    assert "a former player" not in cast.player.client.get(url).content.decode()


def test_tables_they_had_left_before_forget_the_name_too_and_hear_nothing_new(cast, quillon):
    remove_member(cast.gm.member, quillon.member, key=uuid4())
    before = len(news())
    delete(quillon.client)
    assert len(news()) == before
    assert NAME not in lines(cast)
    assert "Gm removed a former player from the campaign." in lines(cast)


def test_the_last_gm_of_a_campaign_is_told_what_to_do_first(cast):
    answer = delete(cast.gm.client)
    assert answer.status_code == 422
    assert "You’re the only GM of Ashes." in answer.content.decode()
    assert User.objects.filter(pk=cast.gm.user.pk).exists()
    assert Membership.objects.active().filter(pk=cast.gm.member.pk).exists()
    assert not news().exists()


def test_all_such_campaigns_are_named_and_nothing_is_changed_at_the_others(cast):
    for name in ("Harrow", "Tin Coast"):
        create_campaign(cast.player.user, name=name, systems=["storyteller"], key=uuid4())
    refused = refusal(Invalid, delete_account, cast.player.user)
    assert "Harrow" in refused.message
    assert "Tin Coast" in refused.message
    assert "Ashes" not in refused.message
    assert Membership.objects.active().filter(user=cast.player.user).count() == 3


def test_the_last_gm_of_an_archived_campaign_may_go(cast):
    archive_campaign(cast.gm.member, key=uuid4())
    assert delete(cast.gm.client).status_code == 302
    assert "a former player started the campaign Ashes." in lines(cast)


def test_a_gm_among_several_may_go(cast):
    change_role(cast.gm.member, cast.player.member, Role.GM, expected=Role.PLAYER, key=uuid4())
    assert delete(cast.gm.client).status_code == 302


@pytest.mark.parametrize("password", ["", "not it"])
def test_it_asks_for_the_password(cast, password):
    answer = delete(cast.outsider.client, password)
    assert answer.status_code == 422
    assert User.objects.filter(pk=cast.outsider.user.pk).exists()


def test_the_page_says_what_happens_and_looking_at_it_does_nothing(cast):
    page = cast.outsider.client.get(reverse("profile_delete")).content.decode()
    assert "a former player" in page
    assert User.objects.filter(pk=cast.outsider.user.pk).exists()


def test_it_is_for_those_who_are_signed_in(client, db):
    assert delete(client).url == f"/accounts/login/?next={reverse('profile_delete')}"
