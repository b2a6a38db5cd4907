"""Who is let in by their session: the same as pages let in, in a few queries for however many ask at once."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth import BACKEND_SESSION_KEY
from django.contrib.sessions.models import Session
from django.utils import timezone

from campaigns.access import viewer_of
from campaigns.live.connections import find_viewers
from campaigns.models import Role, Viewer
from tests.cast import seat_at
from tests.doors import watcher
from tests.stored import store


def session_of(client) -> str:
    return client.cookies["sessionid"].value


def found(client, slug: str = "ashes") -> Viewer | None:
    (viewer,) = find_viewers([(slug, session_of(client))])
    return viewer


def test_the_viewers_are_those_that_pages_would_find(cast):
    people = [cast.gm, cast.player, cast.other_player, cast.spectator, cast.outsider, cast.removed]
    asked = [("ashes", session_of(person.client)) for person in people]
    asked += [("no-such-table", asked[1][1]), ("ashes", None), ("ashes", "made-up"), *asked[:2]]
    want = [seat_at(person.member) for person in people[:4]]
    assert find_viewers(asked) == [*want, None, None, None, None, None, *want[:2]]


def test_a_gm_who_sees_it_as_somebody_else_goes_on_so(cast):
    for eyes in ("player", "spectator", cast.player.member.pk):
        cast.gm.client.post("/c/ashes/see-as/", {"as": eyes})
        viewer = found(cast.gm.client)
        assert viewer == viewer_of(cast.gm.user, cast.gm.client.session, "ashes")
        assert viewer.real == cast.gm.member and not viewer.is_gm


def test_who_followed_the_spectator_link_watches_signed_in_or_not(cast):
    watching = Viewer(cast.campaign, None, Role.SPECTATOR)
    assert found(watcher(cast)) == watching
    assert found(watcher(cast, cast.outsider.client)) == watching


@pytest.mark.parametrize("linked", [False, True])
def test_whose_password_is_another_now_is_not_let_in_not_even_by_a_link(cast, linked):
    client = watcher(cast, cast.outsider.client) if linked else cast.player.client
    person = cast.outsider if linked else cast.player
    assert found(client)
    person.user.set_password("quite another one")
    person.user.save()
    assert found(client) is None


def test_a_session_that_has_expired_lets_nobody_in(cast):
    assert found(cast.player.client)
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    assert found(cast.player.client) is None


def test_who_is_switched_off_is_nobody_who_may_have_followed_a_link(cast):
    followed = watcher(cast, cast.player.client)
    assert found(followed) == seat_at(cast.player.member)
    store(cast.player.user, is_active=False)
    assert found(followed) == Viewer(cast.campaign, None, Role.SPECTATOR)
    store(cast.other_player.user, is_active=False)
    assert found(cast.other_player.client) is None


def test_a_session_of_a_way_to_sign_in_that_is_no_more_lets_nobody_in(cast):
    session = cast.player.client.session
    session[BACKEND_SESSION_KEY] = "people.backends.Gone"
    session.save()
    assert found(cast.player.client) is None


@pytest.mark.parametrize("sockets", [1, 50])
def test_all_kinds_of_people_at_once_cost_four(cast, sockets, django_assert_num_queries):
    clients = [cast.gm.client, cast.player.client, watcher(cast)]
    clients.append(watcher(cast, cast.outsider.client))
    keys = [session_of(client) for client in clients[:2] + clients[3:]]
    with django_assert_num_queries(4):
        assert all(find_viewers([("ashes", key) for key in keys * sockets]))
