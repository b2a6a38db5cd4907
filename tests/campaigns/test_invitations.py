"""Links that let people in: what they say, whom they let in, and when they no longer do."""

from datetime import timedelta
from threading import Thread
from uuid import uuid4

import pytest
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from campaigns.access import WATCHING, seat_of, token_hash
from campaigns.errors import Forbidden, Gone, Invalid, Missing, Refused, Waiting
from campaigns.live.render import render_line
from campaigns.live.seats import lost
from campaigns.models import Campaign, Event, Invitation, Membership, Role
from campaigns.models.log import GM, TABLE
from campaigns.services import campaigns, members
from campaigns.services import invitations as services
from people.models import User
from tests.answers import same_page
from tests.cast import gathered, person
from tests.news import news

pytestmark = pytest.mark.django_db


def invite(by, role=Role.PLAYER, **limits):
    """The token of a new invitation, and its row."""
    key = uuid4()
    made = services.invite(by.member, role, **{"days": None, "uses": None} | limits, key=key)
    return services.invitation_token(key), made


def join(somebody, token, key=None):
    return services.join(somebody.user, token, key=key or uuid4())


def watch(cast, key=None):
    """The token of the spectator link, switched on."""
    key = key or uuid4()
    campaigns.start_watching(cast.gm.member, key=key)
    return campaigns.watch_token(key)


def page(client, name, *args):
    return client.get(reverse(name, args=args))


def post(client, name, *args, **form):
    return client.post(reverse(name, args=args), {"key": uuid4()} | form)


def seated(cast):
    return Membership.objects.here().filter(campaign=cast.campaign).count()


# making


def test_only_the_hash_of_a_token_is_kept(cast):
    token, made = invite(cast.gm)
    assert len(token) == 43
    assert made.token_hash == token_hash(token)
    kept = str(list(Invitation.objects.values())) + str([event.facts for event in Event.objects.all()])
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
    before, form = Invitation.objects.count(), {"role": "player", "days": "", "uses": "", "key": uuid4()}
    one, two = (post(cast.gm.client, "invitations", "ashes", **form).context["new_link"] for _ in range(2))
    assert one == two
    assert Invitation.objects.count() == before + 1


def test_only_gms_hear_of_invitations(cast):
    _, made = invite(cast.gm, days=3, uses=1)
    services.revoke_invitation(cast.gm.member, made, key=uuid4())
    assert {event.stream.name for event in news()} == {GM}
    lines = [render_line(event, Role.GM) for event in news()]
    assert "an invitation for a player" in lines[0]
    assert "withdrew an invitation" in lines[1]


@pytest.mark.parametrize(
    "wrong",
    [{"role": "king"}, {"days": "2"}, {"uses": "0"}, {"uses": "-1"}, {"uses": "1001"}, {"uses": "x"}, {"key": "x"}],
)
def test_nonsense_makes_none(cast, wrong):
    before = Invitation.objects.count()
    form = {"role": "player", "days": "7", "uses": "1"} | wrong
    assert post(cast.gm.client, "invitations", "ashes", **form).status_code == 422
    assert Invitation.objects.count() == before


@pytest.mark.parametrize(("limits", "field"), [({"days": 0}, "days"), ({"days": 366}, "days"), ({"uses": 0}, "uses")])
def test_the_service_holds_to_the_limits_by_itself(cast, limits, field):
    with pytest.raises(Invalid) as refusal:
        invite(cast.gm, **limits)
    assert refusal.value.field == field


def test_only_gms_make_see_and_withdraw_them(cast):
    token, made = invite(cast.gm)
    for who, status in [("player", 403), ("spectator", 403), ("outsider", 404), ("removed", 404)]:
        client = cast.everybody[who].client
        answers = [
            page(client, "invitations", "ashes"),
            post(client, "invitations", "ashes", role="gm", days="", uses=""),
            post(client, "invitation_revoke", "ashes", made.pk),
            post(client, "spectator_link", "ashes", on="1"),
        ]
        assert [answer.status_code for answer in answers] == [status] * 4, who
        assert all(token not in answer.content.decode() for answer in answers)
    with pytest.raises(Forbidden):
        invite(cast.player, Role.GM)
    assert Invitation.objects.get(pk=made.pk).is_good(timezone.now())
    assert Campaign.objects.get().watch_hash == ""


def test_those_of_other_tables_cannot_be_withdrawn(cast):
    ana = person("ana")
    harrow = campaigns.create_campaign(ana.user, name="Harrow", systems=["storyteller"], key=uuid4())
    ana.seat = Membership.objects.get(campaign=harrow)
    _, foreign = invite(ana)
    assert post(cast.gm.client, "invitation_revoke", "ashes", foreign.pk).status_code == 404
    with pytest.raises(Missing):
        services.revoke_invitation(cast.gm.member, foreign, key=uuid4())
    assert Invitation.objects.get(pk=foreign.pk).revoked_at is None


# the page behind the link


def test_it_says_what_one_joins(cast, client):
    campaigns.edit_campaign(
        cast.gm.member,
        name="Ashes",
        pitch="Who lit it?",
        systems=["storyteller"],
        seen=campaigns.campaign_version(cast.campaign),
        key=uuid4(),
    )
    token, _ = invite(cast.gm, Role.SPECTATOR)
    said = page(client, "join", token).content.decode()
    for words in ("Ashes", "Who lit it?", "<b>Gm</b> invites you", "as <b>Spectator</b>", "4 sit at the table"):
        assert words in said
    assert "Mo" not in said


def test_who_is_not_signed_in_comes_back_to_it_after_signing_in(cast, client):
    token, _ = invite(cast.gm)
    path = reverse("join", args=[token])
    assert f"/accounts/login/?next={path}" in page(client, "join", token).content.decode()
    assert post(client, "join", token).url == f"/accounts/login/?next={path}"
    answer = client.post(
        f"/accounts/login/?next={path}", {"login": "outsider", "password": "a-long-password", "next": path}
    )
    assert answer.url == path
    assert post(client, "join", token).url == "/c/ashes/"


def test_a_new_account_comes_back_to_it_too(cast, client, settings):
    settings.SIGNUP = "invite"
    token, _ = invite(cast.gm)
    path = reverse("join", args=[token])
    assert f"/accounts/signup/?next={path}" in page(client, "join", token).content.decode()
    form = {"username": "ana", "password1": "lanterns-and-soot", "password2": "lanterns-and-soot", "next": path}
    assert client.post(f"/accounts/signup/?next={path}", form).url == path
    assert post(client, "join", token).url == "/c/ashes/"
    assert Membership.objects.here().filter(user__username="ana", campaign=cast.campaign).exists()


def test_where_nobody_may_sign_up_it_does_not_offer_it(cast, client, settings):
    settings.SIGNUP = "closed"
    token, _ = invite(cast.gm)
    assert "/accounts/signup/" not in page(client, "join", token).content.decode()


# coming in


def test_whoever_joins_sits_at_the_table_and_all_hear_of_it(cast):
    token, _ = invite(cast.gm)
    answer = post(cast.outsider.client, "join", token)
    member = Membership.objects.get(user=cast.outsider.user)
    assert answer.url == "/c/ashes/"
    assert (member.role, member.left_at) == (Role.PLAYER, None)
    event = news().last()
    who = {"member": member.pk, "name": "Outsider"}
    assert (event.kind, event.stream.name) == ("campaigns.member_joined", TABLE)
    assert event.facts == {"who": who, "role": "player", "by": who}
    assert "Outsider sat down at the table, as a player" in render_line(event, Role.SPECTATOR)
    assert page(cast.outsider.client, "members", "ashes").status_code == 200


def test_a_form_sent_twice_lets_one_in(cast):
    token, made = invite(cast.gm, uses=1)
    key = uuid4()
    assert join(cast.outsider, token, key) == join(cast.outsider, token, key)
    assert Invitation.objects.get(pk=made.pk).uses_left == 0
    assert [event.kind for event in news()].count("campaigns.member_joined") == 1


def test_a_key_of_somebody_else_lets_nobody_in(cast):
    token, _ = invite(cast.gm)
    key = uuid4()
    join(cast.outsider, token, key)
    with pytest.raises(Invalid):
        join(person("ana"), token, key)
    assert seated(cast) == 5


def test_whoever_sits_there_already_is_told_so_and_takes_no_use(cast):
    token, made = invite(cast.gm, Role.GM, uses=1)
    assert "You already sit at this table, as Player" in page(cast.player.client, "join", token).content.decode()
    answer = post(cast.player.client, "join", token)
    assert answer.status_code == 409
    assert "You already sit at this table, as Player" in answer.content.decode()
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
    answer = post(cast.player.client, "join", old)
    assert answer.status_code == 410
    assert "from before you left" in answer.content.decode()
    assert not Membership.objects.here().filter(user=cast.player.user).exists()
    join(cast.player, invite(cast.gm)[0])
    assert Membership.objects.here().filter(user=cast.player.user).exists()
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
    form = {"username": "ana", "password1": "lanterns-and-soot", "password2": "lanterns-and-soot"}
    client.post("/accounts/signup/", form)
    assert not User.objects.filter(username="ana").exists()


def test_nobody_joins_an_archived_campaign(cast, client):
    token, _ = invite(cast.gm)
    campaigns.archive_campaign(cast.gm.member, key=uuid4())
    assert page(client, "join", token).status_code == 409
    with pytest.raises(Waiting):
        join(cast.outsider, token)


def test_spent_ones_leave_the_list(cast):
    _, good = invite(cast.gm)
    for spent in (used_up, run_out, withdrawn):
        spent(cast)
    assert list(page(cast.gm.client, "invitations", "ashes").context["invitations"]) == [good]


@pytest.mark.django_db(transaction=True)
def test_of_many_who_come_at_once_the_last_use_lets_one_in():
    cast = gathered()
    token, made = invite(cast.gm, uses=1)
    came, turned_away = [], []

    def come(somebody):
        try:
            came.append(join(somebody, token))
        except Refused as refusal:
            turned_away.append(refusal.status)
        finally:
            connection.close()

    threads = [Thread(target=come, args=[person(f"guest{number}")]) for number in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(came), turned_away) == (1, [410] * 4)
    assert Invitation.objects.get(pk=made.pk).uses_left == 0


# the spectator link


def test_whoever_follows_the_spectator_link_looks_on_and_does_nothing(cast, client):
    assert page(client, "watch", watch(cast)).url == "/c/ashes/"
    assert page(client, "table", "ashes").status_code == 200
    assert page(client, "members", "ashes").status_code == 200
    assert page(client, "campaign_settings", "ashes").status_code == 403
    for name in ("leave", "see_as", "campaign_archive"):
        assert post(client, name, "ashes").status_code == 403
    assert [event.kind for event in news()] == ["campaigns.watching_changed"]


def test_it_opens_one_campaign_only(cast, client):
    ana = person("ana")
    campaigns.create_campaign(ana.user, name="Harrow", systems=["storyteller"], key=uuid4())
    page(client, "watch", watch(cast))
    assert page(client, "members", "harrow").status_code == 404


def test_switched_off_it_shows_nothing_more(cast, client):
    token = watch(cast)
    page(client, "watch", token)
    seat = seat_of(cast.outsider.user, client.session, "ashes")
    assert lost([(seat, None)]) == set()
    assert post(cast.gm.client, "spectator_link", "ashes", on="").status_code == 302
    assert lost([(seat, None)]) == {0}
    assert page(client, "members", "ashes").status_code == 404
    answer = page(client, "watch", token)
    assert answer.status_code == 404
    assert "switched off" in answer.content.decode()


def test_switched_on_again_it_is_another(cast, client):
    old = watch(cast)
    page(client, "watch", old)
    campaigns.stop_watching(cast.gm.member, key=uuid4())
    new = watch(cast)
    assert old != new
    assert page(client, "members", "ashes").status_code == 404
    assert page(client, "watch", old).status_code == 404
    assert page(client, "watch", new).status_code == 302


def test_the_link_is_shown_once_and_only_its_hash_is_kept(cast):
    answer = post(cast.gm.client, "spectator_link", "ashes", on="1")
    link = answer.context["watch_link"]
    token = link.rstrip("/").rpartition("/")[2]
    assert link in answer.content.decode()
    assert link not in page(cast.gm.client, "invitations", "ashes").content.decode()
    assert Campaign.objects.get().watch_hash == token_hash(token)


def test_only_gms_hear_that_it_was_switched(cast):
    watch(cast)
    campaigns.stop_watching(cast.gm.member, key=uuid4())
    assert [(event.stream.name, event.facts["on"]) for event in news()] == [(GM, True), (GM, False)]


def test_switching_off_what_is_off_tells_nothing(cast):
    campaigns.stop_watching(cast.gm.member, key=uuid4())
    assert not news().exists()


def test_it_can_be_switched_off_at_an_archived_table(cast, client):
    page(client, "watch", watch(cast))
    campaigns.archive_campaign(cast.gm.member, key=uuid4())
    assert page(client, "members", "ashes").status_code == 200
    campaigns.stop_watching(cast.gm.member, key=uuid4())
    assert page(client, "members", "ashes").status_code == 404


def test_a_forged_note_in_the_session_opens_nothing(cast, client):
    session = client.session
    session[WATCHING] = {str(cast.campaign.pk): ""}
    session.save()
    client.cookies["sessionid"] = session.session_key
    assert page(client, "members", "ashes").status_code == 404


def test_a_player_cannot_tell_that_it_was_switched_on(cast):
    before = page(cast.player.client, "members", "ashes")
    watch(cast)
    assert same_page(page(cast.player.client, "members", "ashes"), before)
