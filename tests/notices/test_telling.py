"""People who are away are told what waits for them: once, together, and only if it still does."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
import time_machine
from django.utils import timezone

from campaigns.services import members, play
from campaigns.services.campaigns import archive_campaign
from campaigns.services.dates import propose_dates
from notices import worker
from notices.models import Choice, Device, Notice, Preferences
from notices.worker import MOST_TRIES, claim, look, settle
from people.models import User
from rolls.models import Audience
from rolls.services import requests
from rolls.services.rolls import make_roll
from rulesets.storyteller.terms import StorytellerInput
from tests.notices.telling import arrive, ask, later, tell, tell_after, turn_on
from webhooks import sending
from webhooks.sending import Answer


def test_what_still_waits_after_ten_minutes_reaches_the_device_and_says_only_which_campaign_and_what(cast, service):
    phone = turn_on(cast.player, service)
    asked = ask(cast.gm, cast.player, reason="across the roof")
    tell_after(9)
    assert phone.received == []
    tell_after(11)
    (told,) = phone.received
    assert {**told, "tag": ""} == {
        "title": "Ashes",
        "body": "It’s your turn.",
        "url": f"/c/ashes/#request-{asked.pk}",
        "tag": "",
    }
    tell_after(30)
    assert len(phone.received) == 1


def test_nobody_is_told_what_was_done_in_the_meantime(cast, service):
    phone = turn_on(cast.player, service)
    asked = ask(cast.gm, cast.player)
    look({})
    make_roll(cast.player.member, StorytellerInput(dice=3, request=asked.pk), audience=Audience.TABLE, key=uuid4())
    # The worker has not looked again since, and does so before it tells.
    with later(minutes=11):
        tell(known={cast.campaign.pk: None})
    assert phone.received == [] and not Notice.objects.exists()


def test_nobody_is_told_while_they_are_at_the_table_and_their_minutes_begin_when_they_leave(cast, service):
    phone = turn_on(cast.player, service)
    ask(cast.gm, cast.player)
    look({})
    here = arrive(cast.player.member)
    with later(minutes=11):
        tell()
        assert phone.received == []
        here.delete()
        tell_after(5)
        assert phone.received == []
        tell_after(11)
    assert len(phone.received) == 1


def test_several_things_come_as_one_message_and_what_begins_to_wait_soon_after_as_the_next(cast, service):
    phone = turn_on(cast.player, service)
    ask(cast.gm, cast.player)
    ask(cast.gm, cast.player)
    tell_after(11)
    with later(minutes=12):
        ask(cast.gm, cast.player)
        tell_after(11)
    assert [told["body"] for told in phone.received] == ["2 things wait for you.", "It’s your turn."]


def test_a_gm_is_told_what_waits_for_the_gms_and_a_player_who_is_not_asked_is_told_nothing(cast, service):
    desk, phone = turn_on(cast.gm, service), turn_on(cast.other_player, service)
    requests.announce_roll(
        cast.player.member, requests.Call(StorytellerInput(dice=3)), audience=Audience.TABLE, key=uuid4()
    )
    tell_after(11)
    assert [told["body"] for told in desk.received] == ["It’s your turn."] and phone.received == []


def test_each_is_told_in_their_own_language(cast, service):
    phone = turn_on(cast.player, service)
    User.objects.filter(pk=cast.player.user.pk).update(language="de")
    ask(cast.gm, cast.player)
    tell_after(11)
    assert phone.received[0]["body"] == "Du bist dran."


def test_a_recap_that_came_out_is_told_to_those_who_were_not_there_since(cast, service):
    gm, phone, seen = cast.gm.member, turn_on(cast.player, service), turn_on(cast.other_player, service)
    watching = turn_on(cast.spectator, service)
    session = play.start_session(gm, "First", key=uuid4())
    play.end_session(gm, key=uuid4())
    expected = play.version({"draft": "", "words": ""})
    play.write_recap(gm, session, "It **burned**.", publish=True, expected=expected, key=uuid4())
    cast.other_player.client.get("/c/ashes/")
    tell_after(11)
    for one in (phone, watching):
        assert [(told["body"], told["url"]) for told in one.received] == [("A recap is out.", "/c/ashes/sessions/1/")]
    assert seen.received == []
    with later(days=3):
        tell()
    assert not Notice.objects.exists() and len(phone.received) == 1


@pytest.mark.parametrize("gone", [404, 410])
def test_a_device_that_is_gone_is_forgotten_and_the_others_are_told(cast, service, gone):
    turn_on(cast.player, service, name="lost")
    phone = turn_on(cast.player, service, name="phone")
    service.answers["/push/lost"] = gone
    ask(cast.gm, cast.player)
    tell_after(11)
    assert len(phone.received) == 1 and [device.endpoint for device in Device.objects.all()] == [phone.endpoint]
    tell_after(60)
    assert service.asked.count("/push/lost") == 1


def test_a_device_that_fails_is_tried_again_without_telling_the_others_twice_and_is_left_in_the_end(cast, service):
    broken, phone = turn_on(cast.player, service, name="broken"), turn_on(cast.player, service, name="phone")
    service.answers["/push/broken"] = 503
    ask(cast.gm, cast.player)
    tell_after(11)
    for minutes in range(12, 100, 10):
        with later(minutes=minutes):
            tell()
    assert service.asked.count("/push/broken") == MOST_TRIES and len(phone.received) == 1
    assert Device.objects.count() == 2 and Notice.objects.get().told_at
    service.answers.clear()
    with later(minutes=200):
        ask(cast.gm, cast.player)
        tell_after(11)
    assert len(broken.received) == 1 and len(phone.received) == 2


def test_a_device_that_was_away_for_a_moment_gets_it_a_little_later(cast, service):
    phone = turn_on(cast.player, service)
    service.answers["/push/mo"] = 429
    ask(cast.gm, cast.player)
    tell_after(11)
    service.answers.clear()
    with later(minutes=11, seconds=10):
        tell()
    assert len(phone.received) == 1


def test_a_push_service_that_does_not_answer_holds_up_nobody_else(cast, service, monkeypatch):
    monkeypatch.setattr(sending, "SECONDS", 0.5)
    turn_on(cast.player, service, name="slow")
    service.silent.add("/push/slow")
    phone = turn_on(cast.other_player, service)
    ask(cast.gm, cast.player)
    ask(cast.gm, cast.other_player)
    tell_after(11)
    assert len(phone.received) == 1 and "/push/slow" in service.asked
    assert Preferences.objects.get(user=cast.player.user).tries == 1


def test_only_one_of_several_workers_tells_and_one_that_died_is_taken_over(cast, service):
    turn_on(cast.player, service)
    ask(cast.gm, cast.player)
    look({})
    with later(minutes=11):
        first = claim(cast.player.user.pk, sending.post)
        assert first and claim(cast.player.user.pk, sending.post) is None
    with later(minutes=20):
        second = claim(cast.player.user.pk, sending.post)
        assert second
        settle(first, [Answer(410)])
        assert Device.objects.exists() and not Notice.objects.get().told_at
        settle(second, [Answer(201)])
        assert Notice.objects.get().told_at


NIGHT = datetime(
    2026, 10, 24, 21, 30, tzinfo=UTC
)  # half past eleven in Berlin, in the night in which its clocks go back


def test_in_the_quiet_hours_of_their_own_day_it_waits_and_comes_as_one_message_in_the_morning(cast, service):
    User.objects.filter(pk=cast.player.user.pk).update(time_zone="Europe/Berlin")
    phone = turn_on(cast.player, service, is_quiet=True, quiet_from=23, quiet_until=8)
    with time_machine.travel(NIGHT, tick=True):
        ask(cast.gm, cast.player)
        look({})
    for hour, minute, heard in ((22, 30, 0), (6, 50, 0), (7, 1, 1)):
        with time_machine.travel(NIGHT.replace(day=24 + (hour < 20), hour=hour, minute=minute), tick=True):
            if not heard:
                ask(cast.gm, cast.player)
            tell()
            assert len(phone.received) == heard, hour
    assert phone.received[0]["body"] in ("2 things wait for you.", "3 things wait for you.")


@pytest.mark.parametrize(
    ("begin", "end", "hour", "over"),
    [
        (23, 8, 23, 8),
        (23, 8, 7, 8),
        (23, 8, 8, None),
        (23, 8, 22, None),
        (1, 6, 0, None),
        (1, 6, 5, 6),
        (9, 9, 9, None),
    ],
)
def test_quiet_hours_may_go_through_midnight_or_not(cast, begin, end, hour, over):
    person = Preferences(user=cast.player.user, quiet_from=begin, quiet_until=end)
    until = person.quiet_end(datetime(2026, 11, 3, hour, 30, tzinfo=UTC))
    assert (until and until.hour) == over and (until is None or until > datetime(2026, 11, 3, hour, 30, tzinfo=UTC))


def test_a_person_who_was_removed_or_left_is_told_nothing_more_and_their_choices_are_gone(cast, service):
    removed, left = turn_on(cast.player, service), turn_on(cast.other_player, service)
    for person in (cast.player, cast.other_player):
        Choice.objects.create(member=person.member, ways={"waits": ["device"]})
        ask(cast.gm, person)
    look({})
    members.remove_member(cast.gm.member, cast.player.member, key=uuid4())
    members.leave(cast.other_player.member, key=uuid4())
    assert not Choice.objects.exists() and not Notice.objects.exists()
    tell_after(11)
    assert removed.received == left.received == []


@pytest.mark.parametrize("muted", [{"is_muted": True}, {"ways": {kind: [] for kind in worker.SOURCES}}])
def test_one_campaign_can_be_muted(cast, service, muted):
    phone = turn_on(cast.player, service)
    Choice.objects.create(member=cast.player.member, **muted)
    ask(cast.gm, cast.player)
    tell_after(11)
    assert phone.received == []


def test_an_archived_campaign_and_an_account_that_is_closed_are_told_nothing(cast, service):
    phone, other = turn_on(cast.player, service), turn_on(cast.other_player, service)
    ask(cast.gm, cast.player)
    ask(cast.gm, cast.other_player)
    look({})
    User.objects.filter(pk=cast.other_player.user.pk).update(is_active=False)
    tell_after(11)
    assert len(phone.received) == 1 and other.received == []
    ask(cast.gm, cast.player)
    look({})
    archive_campaign(cast.gm.member, key=uuid4())
    tell_after(30)
    assert len(phone.received) == 1


def test_tables_where_nothing_changed_are_not_looked_at_again(cast, service, monkeypatch):
    turn_on(cast.player, service)
    seen = []
    monkeypatch.setattr(worker, "see", lambda member, now: seen.append(member.pk))
    known: worker.Known = {}
    with time_machine.travel(datetime(2026, 11, 29, 20, 10, tzinfo=UTC), tick=False):
        look(known)
        look(known)
        assert seen == [cast.player.member.pk]
        ask(cast.gm, cast.other_player)
        look(known)
        assert len(seen) == 2
    with time_machine.travel(datetime(2026, 11, 29, 21, 0, tzinfo=UTC), tick=False):
        look(known)
    assert len(seen) == 3


def test_what_cannot_be_read_is_logged_holds_up_nothing_and_is_not_told_twice(cast, service, monkeypatch, caplog):
    phone = turn_on(cast.player, service)
    propose_dates(cast.gm.member, [timezone.now() + timedelta(days=5)], zone="UTC", key=uuid4())
    tell_after(11)
    with monkeypatch.context() as patch, later(minutes=30):
        patch.setitem(worker.SOURCES, "date", replace(worker.SOURCES["date"], find=lambda viewer: 1 / 0))
        ask(cast.gm, cast.player)
        tell_after(11)
    assert "cannot be told" in caplog.text
    tell_after(60)
    assert [told["body"].partition("?")[0] for told in phone.received] == ["Can you come", "It’s your turn."]


def test_a_press_on_the_test_button_is_answered_at_any_hour_by_every_way_that_is_on(cast, service):
    phone = turn_on(cast.player, service, is_quiet=True, quiet_from=0, quiet_until=23)
    other = turn_on(cast.other_player, service)
    arrive(cast.player.member)
    for url, title in (("/notices/", "Afterburn"), ("/c/ashes/notices/", "Ashes")):
        assert cast.player.client.post(url, {"do": "test"}).status_code == 302
        tell()
        assert (phone.received[-1]["title"], phone.received[-1]["body"]) == (
            title,
            "This is a test. Notices arrive here.",
        )
    assert len(phone.received) == 2 and other.received == []
    assert Preferences.objects.get(user=cast.player.user).test_at is None
