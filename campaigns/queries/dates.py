"""Read the dates of sessions: who can come, who has not answered, and what people are told of and have in their calendars."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.core import signing
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.timezone import get_current_timezone, localtime, now
from icalendar import Calendar, Event

from campaigns.errors import NotFound
from campaigns.models import Answer, DateAnswer, Membership, Role, SessionDate, Viewer
from languages.text import gettext as _
from people.models import User, zone_of


@dataclass(frozen=True)
class Column:
    """A date on its page, with the answers that were given (yes, maybe, no), by member; `mine` is the viewer's or "". `why`
    is what makes it the best proposal."""

    date: SessionDate
    answers: dict[Membership, str]
    mine: str
    why: str = ""

    @property
    def counts(self) -> Counter[str]:
        return Counter(self.answers.values())


@dataclass(frozen=True)
class Row:
    """A person on it, with each column and their answer there, or "". `place` is where they are, and `ahead` how many hours their
    clocks are ahead of the reader's; "" where the reader may not know."""

    member: Membership
    is_me: bool
    cells: list[tuple[Column, str]]
    place: str
    ahead: float

    @property
    def behind(self) -> float:
        return -self.ahead


def dates_table(viewer: Viewer) -> dict[str, Any]:
    """Return the context of campaigns/_dates.html: `columns` (the dates to come), `rows` (everyone who plays) and
    how many answers are `missing`."""
    dates = SessionDate.objects.filter(campaign=viewer.campaign).upcoming(now()).prefetch_related("answers")
    here = Membership.objects.active().filter(campaign=viewer.campaign).exclude(role=Role.SPECTATOR)
    me = viewer.membership
    people = sorted(here.select_related("user"), key=lambda member: (member != me, member.joined_at, member.pk))
    columns = []
    for date in dates:
        given = {answer.member_id: answer.answer for answer in date.answers.all()}
        answers = {member: given[member.pk] for member in people if member.pk in given}
        columns.append(Column(date, answers, given.get(me.pk, "") if me else ""))
    columns = _with_the_best(columns, len(people))
    at = columns[0].date.at if columns else now()
    rows = []
    for member in people:
        cells = [(column, column.answers.get(member, "")) for column in columns]
        rows.append(Row(member, member == me, cells, *(_whereabouts(member, at) if viewer.belongs else ("", 0))))
    missing = len(people) * len(columns) - sum(len(column.answers) for column in columns)
    return {"columns": columns, "rows": rows, "missing": missing}


ON_THE_CURTAIN: Final = 4
"""Proposals shown there while none is set."""


def next_dates(viewer: Viewer) -> list[Column]:
    """Return the next date that is set; while none is, the next proposals."""
    columns = dates_table(viewer)["columns"]
    return [column for column in columns if column.date.set_at][:1] or columns[:ON_THE_CURTAIN]


def _with_the_best(columns: list[Column], people: int) -> list[Column]:
    """Say why the best of the proposals is that: the most can come, the most of the others may, and it is the next."""
    open_ones = [column for column in columns if not column.date.set_at and column.counts[Answer.YES]]
    best = max(open_ones, key=lambda one: (one.counts[Answer.YES], one.counts[Answer.MAYBE]), default=None)
    if best is None:
        return columns
    words = _("everyone can") if best.counts[Answer.YES] == people else _("most can")
    return [replace(one, why=words) if one is best else one for one in columns]


def _whereabouts(member: Membership, at: datetime) -> tuple[str, float]:
    zone = zone_of(member.user.time_zone if member.user else "UTC")
    ahead = (at.astimezone(zone).utcoffset() or timedelta()) - (localtime(at).utcoffset() or timedelta())
    return place_of(zone.key), ahead / timedelta(hours=1)


def place_of(zone: str) -> str:
    """Return the place of a time zone, as "Berlin"."""
    return zone.rpartition("/")[2].replace("_", " ")


def zone_here() -> str:
    """Return the place of the reader's time zone."""
    return place_of(str(get_current_timezone()))


# For notices: what is to be answered, what was set, what comes.


def unanswered(members: Iterable[Membership]) -> list[tuple[Membership, SessionDate]]:
    """Return the dates that these members, each with their campaign, are asked for and have not answered, the next one first:
    those that are set or, at a table where none is, all that are proposed. Spectators are not asked.
    """
    asked = [one for one in members if one.role != Role.SPECTATOR and not one.left_at and not one.campaign.archived_at]
    dates = list(SessionDate.objects.filter(campaign__in={one.campaign_id for one in asked}).upcoming(now()))
    agreed = {date.campaign_id for date in dates if date.set_at}
    given = set(DateAnswer.objects.filter(member__in=asked).values_list("member", "date"))
    return [
        (member, date)
        for date in dates
        for member in asked
        if member.campaign_id == date.campaign_id
        and (date.set_at or date.campaign_id not in agreed)
        and (member.pk, date.pk) not in given
    ]


def set_between(since: datetime, until: datetime) -> QuerySet[SessionDate]:
    """Return the dates to come that were set in this time, with their campaigns."""
    dates = SessionDate.objects.filter(set_at__gt=since, set_at__lte=until, campaign__archived_at=None)
    return dates.upcoming(until).select_related("campaign")


def meeting_between(since: datetime, until: datetime) -> QuerySet[SessionDate]:
    """Return the dates that are set and lie in this time, with their campaigns: for reminders."""
    dates = SessionDate.objects.filter(at__lte=until, campaign__archived_at=None).exclude(set_at=None)
    return dates.upcoming(since).select_related("campaign")


SALT: Final = "campaigns.date"
"""Of the links that answer a date."""


def answer_link(member: Membership, date: SessionDate, answer: Answer) -> str:
    """Return the address at which a member gives this answer without signing in. It does that alone, and works until the date has
    passed or is withdrawn, and they have left.
    """
    token = signing.dumps([str(date.pk), member.pk, answer.value], salt=SALT)
    return settings.SITE_URL + reverse("date_link", args=[token])


def read_answer(token: str) -> tuple[Membership, SessionDate, Answer]:
    """Return what the link of a token answers. Raises NotFound for a broken one, and once it works no longer."""
    try:
        date, member, answer = signing.loads(token, salt=SALT)
    except signing.BadSignature:
        raise NotFound(_("This link is broken. Copy the whole link from the mail.")) from None
    there = SessionDate.objects.select_related("campaign").filter(pk=date).upcoming(now()).first()
    here = Membership.objects.active().select_related("user", "campaign")
    answering = here.filter(pk=member).exclude(role=Role.SPECTATOR).first()
    if there is None or answering is None or answering.campaign_id != there.campaign_id:
        raise NotFound(_("This date has passed, or you’re no longer asked for it."))
    return answering, there, Answer(answer)


# One's own calendar, for other programs


def calendar_address(user: User) -> str:
    """Return the address of a person's calendar; "" while they have none. Only the database and SECRET_KEY together give it."""
    if user.calendar_key is None:
        return ""
    return settings.SITE_URL + reverse("calendar", args=[_calendar_signer().sign(user.calendar_key.hex)])


def calendar_of(token: str) -> bytes:
    """Return the calendar at an address: when a person's tables meet, and what they are called. Raises NotFound where it was
    revoked."""
    try:
        user = User.objects.filter(calendar_key=_calendar_signer().unsign(token), is_active=True).first()
    except signing.BadSignature:
        user = None
    if user is None:
        raise NotFound
    mine = Q(campaign__memberships__user=user, campaign__memberships__left_at=None, campaign__archived_at=None)
    dates = SessionDate.objects.filter(mine).exclude(set_at=None).select_related("campaign").order_by("-at", "pk")
    return calendar_with(dates[:LONGEST])


def calendar_with(dates: Iterable[SessionDate]) -> bytes:
    """Return a calendar of these dates, which are set, with their campaigns' names as titles."""
    calendar = Calendar.new(prodid="-//Afterburn//EN", name="Afterburn", refresh_interval=timedelta(hours=6))
    for date in dates:
        end = date.at + timedelta(minutes=date.minutes)
        name = date.campaign.name
        event = Event.new(uid=f"{date.pk}@afterburn", stamp=date.set_at, start=date.at, end=end, summary=name)
        calendar.add_component(event)
    return bytes(calendar.to_ical())


LONGEST: Final = 200
"""Sessions in a calendar, the newest ones."""


def _calendar_signer() -> signing.Signer:
    return signing.Signer(salt="campaigns.calendar", sep=".")
