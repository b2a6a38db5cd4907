"""What people are told of: for each kind a plain function that finds what waits for a viewer now.

What it returns has neither titles nor names: notices say which campaign, what kind of thing, for dates when, and no more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from hashlib import sha256
from typing import Final

from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.events import DATE_ANSWERED, SESSION_PLANNED
from campaigns.models import Campaign, Event, Recap, Role, SessionDate, Viewer
from campaigns.queries.dates import meeting_between, set_between, unanswered
from languages.text import gettext_lazy
from people.models import zone_of
from rolls.queries.home import waits_of


@dataclass(frozen=True)
class Found:
    """Something that waits: `key` stays the same while it does, `url` leads there, `is_open` if all at the table know of it.
    `date` is the one that it is about."""

    key: str
    url: str
    is_open: bool = False
    date: SessionDate | None = None


@dataclass(frozen=True)
class Source:
    """A kind of thing: its words on the page of notices and in a message about them, which gets the dates in words (for
    others ""), and what finds them. A Discord channel whose webhook has this `topic` tells everyone there anyway. What
    `keeps_time` waits for nothing first.
    """

    label: str
    hint: str
    says: Callable[[Sequence[str]], str]
    find: Callable[[Viewer], Iterable[Found]]
    topic: str = ""
    keeps_time: bool = False


def waits(viewer: Viewer) -> Iterable[Found]:
    """Find the rolls, steps and offers that wait for the viewer: what the first page lists for them."""
    # The key must not depend on who reads it.
    with translation.override("en-gb"):
        mine = list(waits_of(viewer, viewer))
        known = {pending.id for pending, _wait in waits_of(Viewer(viewer.campaign, None, Role.SPECTATOR), viewer)}
        for pending, wait in mine:
            about = [pending.id, pending.order, wait.whom, wait.character, wait.own or wait.words]
            key = sha256("|".join(map(str, about)).encode()).hexdigest()
            yield Found(key, f"{viewer.campaign.url}#{pending.leads}", pending.id in known)


RECENT: Final = timedelta(days=2)
"""A recap that was out for longer is no news, nor a date that was set before."""
DAY: Final = timedelta(days=1)
HOUR: Final = timedelta(hours=1)


def date(viewer: Viewer) -> Iterable[Found]:
    """Find the dates that the viewer has not answered."""
    for _member, one in unanswered([viewer.by]):
        yield Found(f"date {one.pk}", _dates(viewer), is_open=True, date=one)


def date_set(viewer: Viewer) -> Iterable[Found]:
    """Find the dates that others have set since the member was last at the table."""
    now, seen = timezone.now(), viewer.by.here_at
    for one in set_between(now - RECENT, now).filter(campaign=viewer.campaign):
        if one.set_at and (seen is None or seen < one.set_at) and not _did(viewer, one.set_at):
            yield Found(f"set {one.pk} {one.set_at:%y%m%d%H%M%S}", _dates(viewer), is_open=True, date=one)


def _did(viewer: Viewer, moment: datetime) -> bool:
    told = Event.objects.filter(campaign=viewer.campaign, at=moment, kind=SESSION_PLANNED)
    return told.filter(actor=viewer.by).exists()


def answered(viewer: Viewer) -> Iterable[Found]:
    """Find the dates to come to which others have answered after they were set, and since the member was last at the table."""
    now = timezone.now()
    since = max(now - RECENT, viewer.by.here_at or now - RECENT)
    told = Event.objects.filter(campaign=viewer.campaign, at__gt=since, kind=DATE_ANSWERED).exclude(actor=viewer.by)
    last = {event.payload["date"]["id"]: event for event in told.select_related("stored").order_by("pk")}
    for one in SessionDate.objects.filter(campaign=viewer.campaign, pk__in=last, set_at__isnull=False).upcoming(now):
        event = last[str(one.pk)]
        if one.set_at and one.set_at < event.at:
            yield Found(f"answered {event.pk}", _dates(viewer), is_open=True, date=one)


def day_before(viewer: Viewer) -> Iterable[Found]:
    """Find the sessions of the day that comes, from the hour on at which the member wants to hear of it. Those that were set on
    the day before itself are told as that.
    """
    user = viewer.by.user
    if user is None:
        return
    now, zone = timezone.now(), zone_of(user.time_zone)
    hour = time(user.notices.day_before_at)
    for one in meeting_between(now, now + 2 * DAY).filter(campaign=viewer.campaign):
        day = one.at.astimezone(zone).date() - DAY
        begun = datetime.combine(day, time(), zone)
        if datetime.combine(day, hour, zone) <= now and one.set_at and one.set_at < begun:
            yield Found(f"before {one.pk}", _dates(viewer), is_open=True, date=one)


def hour_before(viewer: Viewer) -> Iterable[Found]:
    """Find the sessions of the coming hour."""
    now = timezone.now()
    for one in meeting_between(now, now + HOUR).filter(campaign=viewer.campaign):
        if one.set_at and one.set_at < one.at - 2 * HOUR:
            yield Found(f"hour {one.pk}", _dates(viewer), is_open=True, date=one)


def _dates(viewer: Viewer) -> str:
    return reverse("dates", args=[viewer.campaign.slug])


def recap(viewer: Viewer) -> Iterable[Found]:
    """Find the newest recap, if it came out since the member was last at the table."""
    one, seen = newest_recap(viewer.campaign), viewer.by.here_at
    if one and one.published_at and (seen is None or seen < one.published_at):
        url = reverse("session", args=[viewer.campaign.slug, one.session.number])
        yield Found(f"recap {one.pk} {one.published_at:%Y%m%d%H%M%S}", url, is_open=True)


def newest_recap(campaign: Campaign) -> Recap | None:
    """Return the recap of a campaign that came out last; None where that is no news."""
    recent = Recap.objects.filter(session__campaign=campaign, published_at__gt=timezone.now() - RECENT)
    return recent.select_related("session").order_by("-published_at").first()


SOURCES: Final = {
    "waits": Source(
        gettext_lazy("A roll or a step waits for me"),
        gettext_lazy("If it still waits after a while"),
        lambda those: ngettext("It’s your turn.", "%(n)s things wait for you.", len(those)) % {"n": len(those)},
        waits,
    ),
    "date": Source(
        gettext_lazy("A date is proposed"),
        gettext_lazy("If you haven’t answered yet"),
        lambda those: _("Can you come? %(when)s.") % {"when": " · ".join(those)},
        date,
    ),
    "date_set": Source(
        gettext_lazy("A date is set"),
        gettext_lazy("With a calendar file in the email, if you haven’t been at the table since"),
        lambda those: _("The next session is set: %(when)s.") % {"when": " · ".join(those)},
        date_set,
        topic="date",
    ),
    "answered": Source(
        gettext_lazy("A new answer to a date that is set"),
        gettext_lazy("When someone can come after all, or can’t"),
        lambda those: _("There’s a new answer: %(when)s.") % {"when": " · ".join(those)},
        answered,
        topic="date",
    ),
    "day_before": Source(
        gettext_lazy("The day before a session"),
        gettext_lazy("At the hour you choose below"),
        lambda those: _("Next session: %(when)s.") % {"when": " · ".join(those)},
        day_before,
        keeps_time=True,
    ),
    "hour_before": Source(
        gettext_lazy("An hour before a session"),
        gettext_lazy("Not in your quiet hours"),
        lambda those: _("In an hour: %(when)s.") % {"when": " · ".join(those)},
        hour_before,
        keeps_time=True,
    ),
    "recap": Source(
        gettext_lazy("A recap is out"),
        gettext_lazy("If you haven’t been at the table since"),
        lambda those: _("A recap is out."),
        recap,
        topic="recap",
    ),
}
"""All kinds by name, in the order of the page. Names are stored with people's choices and never change."""
