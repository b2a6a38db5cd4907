"""Who sits at the table: roles, leaving, being removed, handing over; and never a campaign without a GM."""

from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.errors import Blocked, Conflict, Invalid, NotFound
from campaigns.live.campaign_feed import frames_of
from campaigns.live.render import render_line
from campaigns.models import Event, Invitation, Membership, Role
from campaigns.models.members import TABLE
from campaigns.services import members as services
from campaigns.services.campaigns import archive_campaign, create_campaign
from campaigns.services.members import invite
from campaigns.services.play import say
from tests.answers import queries, refusal
from tests.cast import person
from tests.doors import post
from tests.news import PAGES, news

OPERATIONS = ("member_role", "member_remove", "member_hand_over")


def role_of(somebody):
    return Membership.objects.get(pk=somebody.member.pk).role


def is_here(somebody):
    return Membership.objects.active().filter(pk=somebody.member.pk).exists()


def change(by, somebody, role, expected=None, key=None):
    return services.change_role(
        by.member, somebody.member, role, expected=expected or role_of(somebody), key=key or uuid4()
    )


def about(somebody):
    return {"member": somebody.member.pk, "name": somebody.user.name}


# roles


def test_a_role_is_changed_for_everybody_to_read(cast):
    change(cast.gm, cast.player, Role.SPECTATOR)
    event = news().get()
    assert role_of(cast.player) == Role.SPECTATOR
    assert (event.kind, event.stream.name) == ("campaigns.role_changed", TABLE)
    assert event.payload == {"who": about(cast.player), "role": "spectator", "before": "player", "by": about(cast.gm)}
    assert "Mo became a spectator" in render_line(event, Role.PLAYER)


def test_sockets_of_whoever_gets_another_role_or_goes_end_there(cast):
    change(cast.gm, cast.player, Role.SPECTATOR)
    services.remove_member(cast.gm.member, cast.other_player.member, key=uuid4())
    services.leave(cast.spectator.member, key=uuid4())
    frames = [frames_of([event], PAGES)[0] for event in news()]
    assert [(frame.reseats, frame.removes) for frame in frames] == [
        (cast.player.member.pk, None),
        (None, cast.other_player.member.pk),
        (None, cast.spectator.member.pk),
    ]


def test_giving_the_role_that_somebody_has_tells_nothing(cast):
    change(cast.gm, cast.player, Role.PLAYER)
    assert not news().exists()


def test_a_role_is_not_changed_unseen(cast):
    change(cast.gm, cast.player, Role.SPECTATOR)
    assert refusal(Conflict, change, cast.gm, cast.player, Role.GM, expected=Role.PLAYER).current == "spectator"
    answer = post(cast.gm.client, "member_role", "ashes", cast.player.member.pk, role="gm", expected="player")
    assert answer.status_code == 409
    assert "Mo is now a spectator" in answer.content.decode()
    assert role_of(cast.player) == Role.SPECTATOR


def test_there_may_be_several_gms(cast):
    change(cast.gm, cast.player, Role.GM)
    change(cast.player, cast.gm, Role.PLAYER)
    assert (role_of(cast.gm), role_of(cast.player)) == (Role.PLAYER, Role.GM)


# the last GM


def test_a_campaign_never_loses_its_last_gm(cast):
    for operation in (
        lambda: change(cast.gm, cast.gm, Role.PLAYER),
        lambda: services.leave(cast.gm.member, key=uuid4()),
        lambda: services.remove_member(cast.gm.member, cast.gm.member, key=uuid4()),
        lambda: services.hand_over(cast.gm.member, cast.gm.member, key=uuid4()),
    ):
        with pytest.raises(Invalid):
            operation()
    assert role_of(cast.gm) == Role.GM
    assert is_here(cast.gm)
    assert not news().exists()


def test_nor_does_an_archived_one(cast):
    archive_campaign(cast.gm.member, key=uuid4())
    with pytest.raises(Invalid, match="needs a GM"):
        services.leave(cast.gm.member, key=uuid4())


def test_the_page_says_so_beside_the_member(cast):
    for answer in (
        post(cast.gm.client, "leave", "ashes"),
        post(cast.gm.client, "member_role", "ashes", cast.gm.member.pk, role="player", expected="gm"),
    ):
        assert answer.status_code == 422
        assert "Make someone else a GM first." in answer.content.decode()


def test_a_second_gm_may_leave(cast):
    change(cast.gm, cast.player, Role.GM)
    assert post(cast.gm.client, "leave", "ashes").url == reverse("home")
    assert not is_here(cast.gm)
    assert cast.gm.client.get(reverse("members", args=["ashes"])).status_code == 404


# going


def test_who_is_removed_is_out_at_once_and_their_words_stay(cast):
    said = say(cast.player.member, "I light it.", key=uuid4())
    services.remove_member(cast.gm.member, cast.player.member, key=uuid4())
    event = news().last()
    assert (event.kind, event.stream.name) == ("campaigns.member_removed", TABLE)
    assert event.payload == {"who": about(cast.player), "by": about(cast.gm)}
    with pytest.raises(NotFound):
        say(cast.player.member, "Still here?", key=uuid4())
    for page in ("table", "members", "sessions"):
        assert cast.player.client.get(reverse(page, args=["ashes"])).status_code == 404
    assert Event.objects.get(pk=said.pk).payload["words"] == "I light it."


def test_who_leaves_is_out_at_once(cast):
    assert post(cast.player.client, "leave", "ashes").url == reverse("home")
    assert news().get().payload == {"who": about(cast.player), "by": about(cast.player)}
    assert cast.player.client.get(reverse("members", args=["ashes"])).status_code == 404


def test_one_may_leave_an_archived_campaign_but_not_be_removed(cast):
    archive_campaign(cast.gm.member, key=uuid4())
    with pytest.raises(Blocked):
        services.remove_member(cast.gm.member, cast.spectator.member, key=uuid4())
    services.leave(cast.player.member, key=uuid4())
    assert (is_here(cast.player), is_here(cast.spectator)) == (False, True)


# handing over


def test_handing_over_makes_a_gm_and_a_player_in_one_operation(cast):
    key = uuid4()
    services.hand_over(cast.gm.member, cast.player.member, key=key)
    assert (role_of(cast.gm), role_of(cast.player)) == (Role.PLAYER, Role.GM)
    told = [(event.payload["who"]["name"], event.payload["role"]) for event in news()]
    assert told == [("Mo", "gm"), ("Gm", "player")]
    assert len({event.uid for event in news()}) == 2


def test_one_may_hand_over_to_somebody_who_is_a_gm_already(cast):
    change(cast.gm, cast.player, Role.GM)
    assert post(cast.gm.client, "member_hand_over", "ashes", cast.player.member.pk).status_code == 302
    assert (role_of(cast.gm), role_of(cast.player)) == (Role.PLAYER, Role.GM)


# the links of former GMs


@pytest.mark.parametrize(
    "operation",
    [
        lambda cast: change(cast.gm, cast.player, Role.PLAYER),
        lambda cast: services.remove_member(cast.gm.member, cast.player.member, key=uuid4()),
        lambda cast: services.leave(cast.player.member, key=uuid4()),
        lambda cast: services.hand_over(cast.player.member, cast.other_player.member, key=uuid4()),
    ],
)
def test_with_the_rank_go_the_invitations(cast, operation):
    change(cast.gm, cast.player, Role.GM)
    cast.player.member.refresh_from_db()
    theirs = invite(cast.player.member, Role.GM, days=None, uses=None, key=uuid4())
    mine = invite(cast.gm.member, Role.PLAYER, days=None, uses=None, key=uuid4())
    operation(cast)
    assert Invitation.objects.get(pk=theirs.pk).revoked_at is not None
    assert Invitation.objects.get(pk=mine.pk).revoked_at is None


# who may do it, and to whom


def test_members_of_other_tables_and_those_gone_are_not_here(cast):
    elsewhere = create_campaign(person("ana").user, name="Harrow", systems=["storyteller"], key=uuid4())
    foreign = Membership.objects.get(campaign=elsewhere)
    for pk in (foreign.pk, cast.removed.member.pk, 10**30):
        for page in OPERATIONS:
            assert post(cast.gm.client, page, "ashes", pk, role="spectator", expected="gm").status_code == 404
    with pytest.raises(NotFound):
        services.change_role(cast.gm.member, foreign, Role.PLAYER, expected=Role.GM, key=uuid4())
    assert Membership.objects.get(pk=foreign.pk).role == Role.GM


@pytest.mark.parametrize("wrong", [{"role": "king"}, {"role": ""}, {"expected": "king"}, {"key": ""}])
def test_nonsense_changes_nothing(cast, wrong):
    form = {"role": "gm", "expected": "player"} | wrong
    assert post(cast.gm.client, "member_role", "ashes", cast.player.member.pk, **form).status_code == 422
    assert role_of(cast.player) == Role.PLAYER


# the page


def test_everybody_reads_who_is_here_and_only_gms_read_who_was(cast):
    for who in ("gm", "player", "other_player", "spectator"):
        page = cast.everybody[who].client.get(reverse("members", args=["ashes"])).content.decode()
        assert all(name in page for name in ("Gm", "Mo", "Other Player", "Spectator")), who
        # GMs, since they can be asked to erase what those have said.
        assert ("Removed" in page) == (who == "gm"), who


def test_only_a_gm_is_shown_the_forms_for_others(cast):
    def forms(who):
        page = cast.everybody[who].client.get(reverse("members", args=["ashes"])).content.decode()
        return [part for part in ("/role/", "/remove/", "/hand-over/", "/see-as/", "/leave/") if part in page]

    assert forms("gm") == ["/role/", "/remove/", "/hand-over/", "/see-as/", "/leave/"]
    assert forms("player") == forms("spectator") == ["/leave/"]


def test_gms_come_first(cast):
    change(cast.gm, cast.other_player, Role.GM)
    rows = cast.player.client.get(reverse("members", args=["ashes"])).context["rows"]
    assert [row["member"].name for row in rows] == ["Gm", "Other Player", "Mo", "Spectator"]


def test_the_page_takes_as_many_queries_for_many_as_for_few(cast):
    url = reverse("members", args=["ashes"])
    few = queries(cast.gm.client, url)
    for number in range(5):
        person(f"more{number}").join(cast.gm.member, Role.PLAYER)
    assert queries(cast.gm.client, url) == few
