"""Dates are told to those who are away: each to be answered, once set, and once more the day before."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from functools import partial
from uuid import uuid4

import pytest
import time_machine
import vobject
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.utils import timezone

from campaigns.models import Answer, DateAnswer, Membership, SessionDate
from campaigns.services.dates import answer_date, propose_dates, set_date, set_version, withdraw_date
from notices.models import Choice, Notice
from notices.worker import look
from people.models import User
from tests.cast import gathered
from tests.notices.telling import later, tell, tell_after, turn_on
from tests.racing import at_once
from tests.webhooks.receiving import Receiver, add
from webhooks.models import Format

# In winter Berlin is an hour ahead; its clocks go back in the night before the third of the dates.
NOW = datetime(2026, 10, 20, 12, 0, tzinfo=UTC)
FRIDAY, SUNDAY = datetime(2026, 10, 23, 18, 30, tzinfo=UTC), datetime(2026, 10, 25, 18, 30, tzinfo=UTC)


at = partial(time_machine.travel, tick=True)


def propose(cast, *starts: datetime, at_once: bool = False) -> list[SessionDate]:
    propose_dates(cast.gm.member, starts, zone="UTC", at_once=at_once, key=uuid4())
    return list(SessionDate.objects.order_by("at"))


def settle(cast, date: SessionDate, *, on: bool = True) -> None:
    set_date(cast.gm.member, date, on=on, expected=set_version(cast.campaign, timezone.now()), key=uuid4())


def answer(person, date: SessionDate) -> None:
    answer_date(person.member, date, Answer.NO, key=uuid4())


def bodies(browser) -> list[str]:
    return [told["body"] for told in browser.received]


def in_berlin(person) -> None:
    User.objects.filter(pk=person.user.pk).update(time_zone="Europe/Berlin", language="de")


@pytest.fixture
def cast(cast):
    """Everyone was at the table an hour before."""
    Membership.objects.update(here_at=NOW - timedelta(hours=1))
    return cast


@at(NOW)
def test_who_has_not_answered_is_asked_once_in_their_own_time_and_spectators_are_not(cast, service):
    phone, other, watching = (turn_on(one, service) for one in (cast.player, cast.other_player, cast.spectator))
    in_berlin(cast.other_player)
    (date,) = propose(cast, FRIDAY)
    tell_after(11)
    tell_after(40)
    assert bodies(phone) == ["Can you come? Friday, 23 October 2026, 18:30."] and not watching.received
    assert bodies(other) == ["Kannst du kommen? Freitag, 23. Oktober 2026, 20:30."]
    assert phone.received[0]["url"] == "/c/ashes/sessions/next/"
    answer(cast.player, date)
    look({})
    assert not Notice.objects.filter(member=cast.player.member).exists()


@at(NOW)
def test_a_date_that_was_answered_or_withdrawn_in_time_is_not_told_and_several_come_as_one(cast, service):
    phone, other = turn_on(cast.player, service), turn_on(cast.other_player, service)
    first, _second, third = propose(cast, FRIDAY, FRIDAY + timedelta(days=1), SUNDAY)
    look({})
    answer(cast.player, first)
    withdraw_date(cast.gm.member, third, key=uuid4())
    tell_after(11)
    assert bodies(phone) == ["Can you come? Saturday, 24 October 2026, 18:30."]
    assert bodies(other) == ["Can you come? Friday, 23 October 2026, 18:30 · Saturday, 24 October 2026, 18:30."]


@at(NOW)
def test_a_mail_has_links_that_answer_without_signing_in_each_for_its_own_date_and_person(cast):
    for person in (cast.player, cast.spectator):
        address = f"{person.user.username}@example.org"
        EmailAddress.objects.create(user=person.user, email=address, verified=True, primary=True)
        turn_on(person, None, "mail")
    in_berlin(cast.player)
    _first, second = propose(cast, FRIDAY, SUNDAY)
    tell_after(11)
    (letter,) = mail.outbox
    # Berlin's clocks have gone back before the second.
    assert letter.body.index("20:30\nJa: http") < letter.body.index("25. Oktober 2026, 19:30\nJa: http")
    links = re.findall(r"^Vielleicht: https?://[^/]+(/\S+)", letter.body, re.MULTILINE)
    assert len(links) == 2 and all(link in letter.alternatives[0].content for link in links)
    stranger = Client()
    key = re.search(r'name="key" value="([^"]+)', stranger.get(links[1]).content.decode())[1]
    assert not DateAnswer.objects.exists(), "programs that look into mail follow links"
    stranger.post(links[1], {"key": key})
    given = DateAnswer.objects.get()
    assert (given.member, given.date, given.answer) == (cast.player.member, second, Answer.MAYBE)


@at(NOW)
def test_a_date_set_is_told_once_to_those_who_were_away_and_did_not_set_it(cast, service):
    desk, phone, seen, watching = (
        turn_on(one, service) for one in (cast.gm, cast.player, cast.other_player, cast.spectator)
    )
    (date,) = propose(cast, SUNDAY)
    for person in (cast.gm, cast.player, cast.other_player):
        answer(person, date)
    settle(cast, date)
    Membership.objects.filter(pk=cast.other_player.member.pk).update(here_at=timezone.now())
    for minutes in (11, 40, 60 * 24, 60 * 72):
        tell_after(minutes)
    said = ["The next session is set: Sunday, 25 October 2026, 18:30."]
    assert bodies(phone) == bodies(watching) == said and not desk.received and not seen.received
    with later(days=4):
        settle(cast, date, on=False)
        tell_after(11)
        settle(cast, date)
        tell_after(11)
    assert bodies(phone) == said * 2, "it was set once more"


@at(NOW)
def test_an_answer_after_a_date_was_set_is_told_to_the_others_who_were_away(cast, service):
    desk, mo, iva = (turn_on(one, service) for one in (cast.gm, cast.player, cast.other_player))
    date, other = propose(cast, FRIDAY, SUNDAY)
    for person in (cast.player, cast.other_player):
        answer_date(person.member, date, Answer.YES, key=uuid4())
    settle(cast, date)
    for browser in (desk, mo, iva):
        tell_after(11)
        browser.received.clear()
    with later(minutes=30):
        answer(cast.player, date)
        answer(cast.player, other)
        tell_after(11)
        tell_after(40)
    said = ["There’s a new answer: Friday, 23 October 2026, 18:30."]
    assert bodies(desk) == bodies(iva) == said and not mo.received
    with later(hours=2):
        answer_date(cast.player.member, date, Answer.MAYBE, key=uuid4())
        Membership.objects.filter(pk=cast.other_player.member.pk).update(here_at=timezone.now())
        tell_after(11)
    assert bodies(desk) == said * 2 and bodies(iva) == said
    with later(days=2, hours=7):
        look({})
        assert not Notice.objects.filter(kind="answered").exists(), "the date is over"


def test_the_day_before_is_told_once_after_the_quiet_hours_and_also_if_the_worker_begins_again(cast, service):
    phone = turn_on(cast.player, service, is_quiet=True, day_before_at=5)
    morning = SUNDAY.replace(hour=6)
    with at(NOW):
        (date,) = propose(cast, morning, at_once=True)
        answer(cast.player, date)
        Membership.objects.update(here_at=timezone.now())
    for hour, heard in ((-26, 0), (-24.9, 0), (-21.9, 1), (-3, 1), (-0.5, 1), (1, 1)):
        with at(morning + timedelta(hours=hour)):
            tell()
            tell_after(11)
            assert len(phone.received) == heard, hour
    assert bodies(phone) == ["Next session: Sunday, 25 October 2026, 06:30."] and not Notice.objects.exists()


@pytest.mark.parametrize(
    ("zone", "hours"),
    [("UTC", 24.5), ("Europe/Berlin", 26.5), ("Asia/Kolkata", 6), ("Pacific/Auckland", 13.5)],
)
def test_the_day_before_is_told_at_the_hour_of_ones_own_day(cast, service, zone, hours):
    """On Saturday Berlin is two hours ahead, on Sunday one; in Kolkata the session begins as Monday does."""
    phone = turn_on(cast.player, service)
    User.objects.filter(pk=cast.player.user.pk).update(time_zone=zone)
    with at(NOW):
        (date,) = propose(cast, SUNDAY, at_once=True)
        answer(cast.player, date)
        Membership.objects.update(here_at=timezone.now())
    known = {}
    for early, heard in ((0.05, 0), (-0.02, 1)):
        with at(SUNDAY - timedelta(hours=hours + early)):
            tell(known)
            assert len(phone.received) == heard, early


def test_an_hour_before_is_told_at_once_and_never_too_late(cast, service):
    phone, asleep = turn_on(cast.player, service), turn_on(cast.other_player, service, is_quiet=True, quiet_from=17)
    with at(NOW):
        (date,) = propose(cast, SUNDAY, at_once=True)
        for person in (cast.player, cast.other_player):
            answer(person, date)
        Membership.objects.update(here_at=timezone.now())
    known = {}
    for hours in (-1.3, -0.99, -0.5, 0.1, 14):
        with at(SUNDAY + timedelta(hours=hours)):
            tell(known)
            said = [body for body in bodies(phone) if body.startswith("In an hour")]
            assert len(said) == (hours > -1), hours
    assert said == ["In an hour: Sunday, 25 October 2026, 18:30."]
    assert not [body for body in bodies(asleep) if body.startswith("In an hour")]


@at(NOW)
def test_the_mail_of_a_date_that_is_set_has_it_for_the_calendar(cast):
    EmailAddress.objects.create(user=cast.player.user, email="mo@example.org", verified=True, primary=True)
    turn_on(cast.player, None, "mail")
    (date,) = propose(cast, SUNDAY, at_once=True)
    tell_after(11)
    (letter,) = mail.outbox
    ((name, content, kind),) = letter.attachments
    meeting = vobject.readOne(content).vevent
    assert (name, kind) == ("session.ics", "text/calendar")
    assert meeting.dtstart.value == SUNDAY and meeting.summary.value == cast.campaign.name
    assert meeting.uid.value == f"{date.pk}@afterburn", "the calendar that people subscribe to calls it the same"


@at(NOW)
def test_what_was_set_on_the_day_itself_is_no_reminder_as_well(cast, service):
    phone = turn_on(cast.player, service)
    (date,) = propose(cast, NOW + timedelta(hours=20), at_once=True)
    answer(cast.player, date)
    tell_after(11)
    assert [body.partition(":")[0] for body in bodies(phone)] == ["The next session is set"]


@at(NOW)
@pytest.mark.parametrize("zone", ["Mars/Olympus", "", "../../etc/passwd"])
def test_a_time_zone_that_this_machine_does_not_have_is_utc(cast, service, zone):
    phone = turn_on(cast.player, service, is_quiet=True)
    User.objects.filter(pk=cast.player.user.pk).update(time_zone=zone)
    propose(cast, FRIDAY)
    tell_after(11)
    assert bodies(phone) == ["Can you come? Friday, 23 October 2026, 18:30."]


@at(NOW)
@pytest.mark.parametrize("kind", ["date", "date_set"])
def test_each_kind_is_chosen_by_itself(cast, service, kind):
    phone = turn_on(cast.player, service)
    Choice.objects.create(
        member=cast.player.member,
        ways={"date": [], "date_set": [], "day_before": [], "hour_before": [], kind: ["device"]},
    )
    propose(cast, FRIDAY, at_once=True)
    tell_after(11)
    (said,) = bodies(phone)
    assert said.startswith({"date": "Can you come?", "date_set": "The next session is set"}[kind])


@at(NOW)
@pytest.mark.parametrize("topic", ["roll", "date"])
def test_the_channel_shows_each_reader_their_own_time_and_is_told_once_what_is_set(cast, topic):
    add(cast.gm.member, topic, sent_as=Format.DISCORD)
    turn_on(cast.player, None, "discord")
    propose(cast, FRIDAY, at_once=True)
    receiver = Receiver()
    tell_after(11, send=receiver)
    (told,) = receiver.bodies
    stamp = f"<t:{int(FRIDAY.timestamp())}:F>"
    also = f" The next session is set: {stamp}." if topic == "roll" else ""
    assert told["content"].startswith(f"Mo: Can you come? {stamp}.{also}\n<http") and "/dates/" not in json.dumps(told)


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_tell_each_date_once():
    cast, receiver = gathered(), Receiver()
    add(cast.gm.member, sent_as=Format.DISCORD)
    people = (cast.gm, cast.player, cast.other_player)
    for person in people:
        turn_on(person, None, "discord")

    propose(cast, timezone.now() + timedelta(days=5))
    worker = partial(tell, send=receiver)
    at_once(worker, worker)
    assert Notice.objects.count() == len(people)
    with later(minutes=11):
        at_once(worker, worker)
        worker()
    assert sorted(body["content"].partition(":")[0] for body in receiver.bodies) == sorted(
        person.user.name for person in people
    )
