"""When somebody was last here."""

from datetime import timedelta

import pytest
from django.utils import timezone

from campaigns.live import presence
from campaigns.models import Membership, Role, Viewer
from campaigns.services import members as visits
from tests.presence import arrive

HOUR = timedelta(hours=1)


def here(who):
    member = Membership.objects.get(pk=who.member.pk)
    return member.here_at, member.last_visit


def look(who, at, monkeypatch):
    monkeypatch.setattr(timezone, "now", lambda: at)
    member = Membership.objects.select_related("user", "campaign").get(pk=who.member.pk)
    visits.look(Viewer(member.campaign, member, Role(member.role)))


def test_a_visit_goes_on_while_somebody_looks_and_a_new_one_begins_after_an_absence(cast, monkeypatch):
    start = timezone.now()
    look(cast.player, start, monkeypatch)
    assert here(cast.player) == (start, None)
    look(cast.player, start + HOUR / 2, monkeypatch)
    assert here(cast.player) == (start + HOUR / 2, None)
    look(cast.player, start + 3 * HOUR, monkeypatch)
    assert here(cast.player) == (start + 3 * HOUR, start + HOUR / 2)
    look(cast.player, start + 3.5 * HOUR, monkeypatch)
    assert here(cast.player) == (start + 3.5 * HOUR, start + HOUR / 2)


def test_looking_twice_in_a_minute_is_written_down_once(cast, monkeypatch, django_assert_num_queries):
    start = timezone.now()
    look(cast.player, start, monkeypatch)
    with django_assert_num_queries(1):  # the member
        look(cast.player, start + timedelta(seconds=30), monkeypatch)
    assert here(cast.player) == (start, None)


def test_nobody_is_written_down_when_a_gm_looks_through_their_eyes(cast):
    visits.look(Viewer(cast.campaign, cast.player.member, Role.PLAYER, real=cast.gm.member))
    visits.look(Viewer(cast.campaign, None, Role.SPECTATOR))
    assert here(cast.player) == (None, None)


def test_whoever_sits_at_the_table_was_here_until_the_socket_closes(cast, monkeypatch):
    start = timezone.now()
    look(cast.player, start, monkeypatch)
    row = arrive(cast.campaign.pk, cast.player.member.pk)
    monkeypatch.setattr(timezone, "now", lambda: start + 4 * HOUR)
    presence.leave(row)
    assert here(cast.player) == (start + 4 * HOUR, None)
    assert here(cast.other_player) == (None, None)


@pytest.mark.django_db
def test_a_watcher_by_the_link_leaves_no_trace(cast):
    row = arrive(cast.campaign.pk, None)
    presence.leave(row)
    assert set(Membership.objects.values_list("here_at", flat=True)) == {None}
