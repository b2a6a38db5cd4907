"""When a table meets next: GMs propose dates and set them, everyone who plays answers, and nobody sets one unseen."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import partial
from importlib import import_module
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
import vobject
from django.core import signing
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from time_machine import travel

from campaigns.errors import Blocked, Conflict, Invalid, NotFound
from campaigns.models import Answer, Campaign, DateAnswer, Membership, Role, SessionDate
from campaigns.queries.dates import answer_link, dates_table, meeting_between, set_between, unanswered
from campaigns.queries.play import next_meeting
from campaigns.services.campaigns import archive_campaign
from campaigns.services.dates import answer_date, propose_dates, set_date, set_version, withdraw_date
from campaigns.services.members import change_role, remove_member
from campaigns.services.play import end_session, start_session
from tests.cast import viewer
from tests.doors import page, post, watcher
from tests.news import news
from tests.rulesets.descriptors.procedures.test_races import at_once
from tests.stored import store

YES, MAYBE, NO = Answer
BERLIN = ZoneInfo("Europe/Berlin")


def days(*ahead):
    """Return whole hours, so many days from now."""
    return [timezone.now().replace(minute=0, second=0, microsecond=0) + timedelta(days=n) for n in ahead]


def propose(cast, *starts, zone="UTC", **how):
    propose_dates(cast.gm.member, starts or days(5), zone=zone, key=uuid4(), **how)
    return list(SessionDate.objects.upcoming(timezone.now()))


def answer(person, date, given):
    return answer_date(person.member, date, given, key=uuid4())


def settle(cast, date, *, on=True, seen=None):
    seen = set_version(cast.campaign, timezone.now()) if seen is None else seen
    return set_date(cast.gm.member, date, on=on, expected=seen, key=uuid4())


def told():
    return [event.kind.partition(".")[2] for event in news()]


# Proposing


def test_several_dates_are_one_event_that_everyone_is_told(cast):
    first, second = propose(cast, *days(5, 6))
    (event,) = news()
    assert event.stream.name == "table" and [one["id"] for one in event.payload["dates"]] == [
        str(first.pk),
        str(second.pk),
    ]
    assert "proposed 2 dates" in page(cast.spectator.client, "table", "ashes").content.decode()


@travel("2026-10-12T12:00:00Z", tick=False)
def test_every_second_friday_stays_at_the_same_hour_when_clocks_change(cast):
    dates = propose(cast, datetime(2026, 10, 16, 17, 30, tzinfo=UTC), zone="Europe/Berlin", weeks=2, times=3)
    assert [(date.at.astimezone(BERLIN).strftime("%a %d %H:%M"), date.at.hour) for date in dates] == [
        ("Fri 16 19:30", 17),
        ("Fri 30 19:30", 18),
        ("Fri 13 19:30", 18),
    ]


def test_a_gm_writes_in_their_own_zone_and_everyone_reads_in_theirs(cast):
    for person, zone in ((cast.gm, "Asia/Tokyo"), (cast.player, "Asia/Kolkata")):
        store(person.user, time_zone=zone)
    day = (timezone.now() + timedelta(days=40)).date()
    answered = post(cast.gm.client, "dates_propose", "ashes", at=[f"{day}T19:30", ""], weeks="0", times="6")
    assert (answered.status_code, answered.url) == (302, "/c/ashes/sessions/next/")
    assert SessionDate.objects.get().at == datetime(day.year, day.month, day.day, 10, 30, tzinfo=UTC)
    mine = page(cast.player.client, "dates", "ashes").content.decode()
    assert "Your time, Kolkata" in mine and ">16:00<" in mine and "Tokyo, 3.5 h later" in " ".join(mine.split())


def test_where_people_are_is_not_told_to_who_only_watches(cast):
    propose(cast)
    store(cast.player.user, time_zone="Asia/Tokyo")
    assert "Tokyo" in page(cast.spectator.client, "dates", "ashes").content.decode()
    watching = page(watcher(cast), "dates", "ashes").content.decode()
    assert "Mo" in watching and "Tokyo" not in watching


@pytest.mark.parametrize(
    ("starts", "how", "why"),
    [
        ([-1], {}, "next two years"),
        ([3, -1], {}, "next two years"),
        ([800], {}, "next two years"),
        ([700], {"weeks": 4, "times": 12}, "next two years"),
        (range(1, 401), {}, "24 dates at most"),
        ([3], {"zone": "Middle/Earth"}, "time zone from the list"),
        ([3], {"zone": "../../etc/passwd"}, "time zone from the list"),
    ],
)
def test_what_cannot_be_proposed_is_refused_and_nothing_is(cast, starts, how, why):
    with pytest.raises(Invalid, match=why):
        propose(cast, *days(*starts), **how)
    assert not SessionDate.objects.exists() and not news().exists()


def test_what_is_proposed_already_is_not_twice_and_not_more_than_a_page_holds(cast):
    propose(cast, *days(5))
    assert len(propose(cast, *days(5, 6))) == 2
    with pytest.raises(Invalid, match="proposed already"):
        propose(cast, *days(5, 6))
    with pytest.raises(Invalid, match="24 dates at most"):
        propose(cast, *days(*range(7, 30)))


# Answering


def test_each_who_plays_answers_once_and_may_think_again(cast):
    (date,) = propose(cast)
    for person, given in ((cast.player, MAYBE), (cast.player, YES), (cast.player, YES), (cast.gm, NO)):
        answer(person, date, given)
    (column,) = dates_table(viewer(cast.player))["columns"]
    assert column.mine == "yes" and {one.name: given for one, given in column.answers.items()} == {
        "Mo": "yes",
        "Gm": "no",
    }
    assert told() == ["dates_proposed", "date_answered", "date_answered", "date_answered"]
    assert "might come" in page(cast.spectator.client, "log", "ashes").content.decode()


def test_who_does_not_play_sees_dates_and_is_not_asked(cast):
    propose(cast)
    seen = page(cast.spectator.client, "dates", "ashes").content.decode()
    assert "Dates and answers" in seen and "/answer/" not in seen and "/set/" not in seen


def test_a_date_of_another_table_and_an_answer_that_is_none_are_refused(cast):
    (date,) = propose(cast)
    assert post(cast.player.client, "date_answer", "ashes", uuid4(), answer="yes").status_code == 404
    assert post(cast.player.client, "date_answer", "ashes", date.pk, answer="perhaps").status_code == 422
    assert not DateAnswer.objects.exists()


def test_a_date_that_has_passed_is_over(cast):
    (date,) = propose(cast)
    with travel(date.at + timedelta(minutes=1)):
        for late in (partial(answer, cast.player, date, YES), partial(settle, cast, date)):
            with pytest.raises(Blocked, match="has passed"):
                late()
        assert not dates_table(viewer(cast.gm))["columns"] and not unanswered([cast.player.member])


def test_who_left_is_not_counted(cast):
    (date,) = propose(cast)
    answer(cast.player, date, YES)
    remove_member(cast.gm.member, cast.player.member, key=uuid4())
    table = dates_table(viewer(cast.gm))
    assert not table["columns"][0].answers and "Mo" not in [row.member.name for row in table["rows"]]


def test_the_best_is_the_one_that_most_can_and_says_so(cast):
    first, second = propose(cast, *days(5, 6))
    for person in (cast.gm, cast.player):
        answer(person, first, MAYBE)
        answer(person, second, YES)

    def best():
        return [column.why for column in dates_table(viewer(cast.gm))["columns"]]

    assert best() == ["", "most can"]
    answer(cast.other_player, second, YES)
    assert best() == ["", "everyone can"]


# Setting


def test_a_date_that_is_set_is_the_next_one_for_all_until_it_is_cancelled(cast):
    first, second = propose(cast, *days(5, 6))
    settle(cast, second)
    assert next_meeting(cast.campaign, None) == second
    settle(cast, first)
    assert next_meeting(cast.campaign, None) == first
    settle(cast, first, on=False)
    assert next_meeting(cast.campaign, None) == second
    planned = [
        (bool(one.payload["at"]), bool(one.payload["before"])) for one in news().filter(kind__endswith="planned")
    ]
    assert planned == [(True, False), (True, False), (False, True)]
    assert "cancelled the session" in page(cast.player.client, "table", "ashes").content.decode()
    assert page(cast.player.client, "home").context["lead"].next == second


def test_dates_may_be_set_without_asking(cast):
    first, second = propose(cast, *days(5, 6), at_once=True)
    assert first.set_at and second.set_at
    assert told() == ["dates_proposed", "session_planned", "session_planned"]


def test_what_is_set_is_cancelled_before_it_is_withdrawn(cast):
    (date,) = propose(cast, at_once=True)
    with pytest.raises(Blocked, match="Cancel it first"):
        withdraw_date(cast.gm.member, date, key=uuid4())
    settle(cast, date, on=False)
    withdraw_date(cast.gm.member, date, key=uuid4())
    assert not SessionDate.objects.exists()
    with pytest.raises(NotFound):
        answer(cast.player, date, YES)


def test_a_set_date_is_of_the_session_that_begins_then(cast):
    date, later = propose(cast, *days(5, 12), at_once=True)
    with travel(date.at - timedelta(minutes=10)):
        session = start_session(cast.gm.member, key=uuid4())
        assert next_meeting(cast.campaign, session) == later
        end_session(cast.gm.member, key=uuid4())


@pytest.mark.django_db(transaction=True)
@pytest.mark.run_on("sqlite", "postgresql")
def test_of_two_gms_in_the_same_second_one_sets_their_date_and_the_other_is_told(cast):

    change_role(cast.gm.member, cast.other_player.member, Role.GM, expected=Role.PLAYER, key=uuid4())
    first, second = propose(cast, *days(5, 6))
    seen = set_version(cast.campaign, timezone.now())
    both = [
        partial(set_date, person.member, date, on=True, expected=seen, key=uuid4())
        for person, date in ((cast.gm, first), (cast.other_player, second))
    ]
    answers = at_once(*both)
    assert [type(one) for one in answers if isinstance(one, Exception)] == [Conflict]
    assert SessionDate.objects.exclude(set_at=None).count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.run_on("sqlite", "postgresql")
def test_two_tabs_of_one_person_leave_one_answer(cast):
    (date,) = propose(cast)
    at_once(*(partial(answer, cast.player, date, given) for given in (YES, NO)))
    assert DateAnswer.objects.count() == 1


def test_the_second_gm_sees_what_was_set_and_may_set_theirs_then(cast):
    first, second = propose(cast, *days(5, 6))
    seen = set_version(cast.campaign, timezone.now())
    settle(cast, first)
    answered = post(cast.gm.client, "date_set", "ashes", second.pk, expected=seen)
    assert answered.status_code == 409 and "Gm changed this first" in answered.content.decode()
    now = set_version(cast.campaign, timezone.now())
    assert post(cast.gm.client, "date_set", "ashes", second.pk, expected=now).status_code == 302


def test_an_archived_table_takes_none(cast):
    (date,) = propose(cast)
    archive_campaign(cast.gm.member, key=uuid4())
    for act in (partial(propose, cast, *days(8)), partial(answer, cast.player, date, YES), partial(settle, cast, date)):
        with pytest.raises(Blocked, match="archived"):
            act()
    assert not unanswered(Membership.objects.filter(pk=cast.player.member.pk).select_related("campaign"))


def test_what_was_planned_before_the_upgrade_is_a_date_that_is_set(cast):
    at, apps = days(5)[0], MigrationLoader(connection).project_state([("campaigns", "0020_dates")]).apps
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE campaigns_campaign ADD COLUMN next_session_at datetime NULL")
    apps.get_model("campaigns", "Campaign").objects.update(next_session_at=at)
    store(cast.gm.user, time_zone="Asia/Tokyo")
    import_module("campaigns.migrations.0020_dates").keep_what_is_planned(apps, None)
    date = next_meeting(cast.campaign, None)
    assert (date.at, date.zone, date.minutes) == (at, "Asia/Tokyo", 180)


# What people are asked and told


def test_home_asks_and_a_press_there_answers(cast):
    first, _ = propose(cast, *days(5, 6))

    def asked(person):
        return page(person.client, "home_waiting").content.decode().count('class="date-answers"')

    assert [asked(person) for person in (cast.player, cast.gm, cast.spectator, cast.outsider)] == [2, 2, 0, 0]
    url = reverse("date_answer", args=["ashes", first.pk])
    form = {"key": uuid4(), "answer": "maybe"}
    assert cast.player.client.post(url, form, headers={"HX-Request": "true"}).status_code == 204
    assert asked(cast.player) == 1
    settle(cast, first)
    assert (asked(cast.player), asked(cast.gm)) == (0, 1)


def test_the_last_session_asks_for_the_next(cast):
    start_session(cast.gm.member, key=uuid4())
    end_session(cast.gm.member, key=uuid4())
    (date,) = propose(cast)
    answer(cast.player, date, MAYBE)
    mine, theirs = (
        " ".join(page(one.client, "session", "ashes", 1).content.decode().split())
        for one in (cast.player, cast.spectator)
    )
    assert 'value="maybe" aria-pressed="true"' in mine and "is-maybe" in theirs and "/answer/" not in theirs
    part = cast.player.client.get(reverse("dates", args=["ashes"]), {"part": "next"}).content.decode()
    assert 'value="maybe" aria-pressed="true"' in " ".join(part.split()) and "<html" not in part


def test_notices_know_what_was_set_and_what_comes(cast):
    before, (date, other) = timezone.now(), propose(cast, *days(5, 6))
    settle(cast, date)
    now = timezone.now()
    assert list(set_between(before, now)) == [date] and not set_between(now, now + timedelta(hours=1))
    assert list(meeting_between(now + timedelta(days=4), now + timedelta(days=7))) == [date]
    assert {(one.name, at.pk) for one, at in unanswered([cast.player.member, cast.spectator.member])} == {
        ("Mo", date.pk)
    }
    assert other.set_at is None


# The link of a mail


def follow(link, **form):
    client = Client()
    path = "/" + link.split("/", 3)[3]
    return client.post(path, {"key": uuid4()} | form) if form else client.get(path)


def test_the_link_of_a_mail_answers_by_its_button_alone_in_the_reader_s_words_and_zone(cast):
    (date,) = propose(cast, datetime(2027, 1, 8, 18, 30, tzinfo=UTC))
    cast.player.user.time_zone, cast.player.user.language = "Asia/Tokyo", "de"
    cast.player.user.save()
    link = answer_link(cast.player.member, date, YES)
    shown = follow(link)
    assert shown.status_code == 200 and "Samstag" in shown.content.decode() and "03:30" in shown.content.decode()
    assert not DateAnswer.objects.exists()
    assert follow(link, sent="1").status_code == 302
    given = DateAnswer.objects.get()
    assert (given.member, given.answer) == (cast.player.member, "yes")
    assert news().last().actor == cast.player.member
    assert "<form" not in follow(link).content.decode().partition("<main")[2]


def test_a_link_opens_nothing_else_and_ends_with_the_date_the_proposal_and_the_membership(cast):
    first, second = propose(cast, *days(5, 6))
    link = answer_link(cast.player.member, first, YES)
    forged = signing.dumps([str(second.pk), cast.player.member.pk, "yes"], salt="another")
    for broken in (link[:-2] + "/", link.replace("/dates/", "/dates/x"), f"http://testserver/dates/{forged}/"):
        assert follow(broken).status_code == 404
    with travel(first.at + timedelta(minutes=1)):
        assert follow(link, sent="1").status_code == 404
    change_role(cast.gm.member, cast.player.member, Role.SPECTATOR, expected=Role.PLAYER, key=uuid4())
    assert follow(link, sent="1").status_code == 404
    theirs = answer_link(cast.other_player.member, first, NO)
    remove_member(cast.gm.member, cast.other_player.member, key=uuid4())
    assert follow(theirs, sent="1").status_code == 404
    own = answer_link(cast.gm.member, first, NO)
    withdraw_date(cast.gm.member, first, key=uuid4())
    assert follow(own, sent="1").status_code == 404
    assert not DateAnswer.objects.exists()


def test_what_the_link_cannot_do_now_is_said_there(cast):
    (date,) = propose(cast)
    link = answer_link(cast.player.member, date, YES)
    archive_campaign(cast.gm.member, key=uuid4())
    refused = follow(link, sent="1")
    assert refused.status_code == 409 and "is archived" in refused.content.decode()


# The calendar


def address(person):
    """Give a person's calendar a new address, and return it."""
    post(person.client, "calendar_link", "ashes")
    return page(person.client, "dates", "ashes").context["calendar"]


def events_at(link):
    answered = follow(link)
    assert answered.status_code == 200 and answered["Content-Type"].startswith("text/calendar")
    return list(vobject.readOne(answered.content.decode()).contents.get("vevent", []))


@travel("2026-10-12T12:00:00Z", tick=False)
def test_another_program_reads_the_calendar_across_a_change_of_clocks(cast):
    start = datetime(2026, 10, 16, 17, 30, tzinfo=UTC)
    dates = propose(cast, start, zone="Europe/Berlin", weeks=2, times=2, minutes=240, at_once=True)
    propose(cast, datetime(2026, 11, 1, 12, tzinfo=UTC))
    read = sorted(events_at(address(cast.player)), key=lambda event: event.dtstart.value)
    assert [event.dtstart.value.astimezone(BERLIN).strftime("%d %H:%M %z") for event in read] == [
        "16 19:30 +0200",
        "30 19:30 +0100",
    ]
    assert {event.dtend.value - event.dtstart.value for event in read} == {timedelta(hours=4)}
    assert {event.summary.value for event in read} == {"Ashes"}
    assert [event.uid.value for event in read] == [f"{date.pk}@afterburn" for date in dates]
    assert all(set(event.contents) == {"dtstart", "dtend", "dtstamp", "summary", "uid"} for event in read)


def test_a_calendar_has_one_s_own_tables_and_its_address_is_one_s_own_until_it_is_revoked(cast):
    propose(cast, at_once=True)
    Campaign.objects.update(name="Ashes; over, Harrow\\n" + "ö" * 50)
    mine, theirs = address(cast.player), address(cast.spectator)
    (event,) = events_at(mine)
    assert event.summary.value == "Ashes; over, Harrow\\n" + "ö" * 50
    assert mine != theirs and len(events_at(theirs)) == 1
    remove_member(cast.gm.member, cast.spectator.member, key=uuid4())
    assert not events_at(theirs)
    again = address(cast.player)
    assert follow(mine).status_code == 404 and follow(again).status_code == 200
    post(cast.player.client, "calendar_link", "ashes", off="1")
    assert follow(again).status_code == 404 and follow(again[:-9] + "x.ics").status_code == 404
    cast.player.user.refresh_from_db()
    assert cast.player.user.calendar_key is None
