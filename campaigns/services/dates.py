"""Dates for sessions: GMs propose and set them, everyone who plays answers."""

from __future__ import annotations

import zoneinfo
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

from django.utils.translation import gettext as _

from campaigns import chain, events
from campaigns.errors import Blocked, Invalid, existing
from campaigns.models import Answer, Campaign, DateAnswer, Role, SessionDate
from campaigns.services.campaigns import campaign_subject
from campaigns.services.log import UnitOfWork, compare_and_set, service, version

FURTHEST: Final = timedelta(days=731)
TIMES: Final = 12
"""Dates that a rhythm such as every second Friday gives at most."""


@service(Role.GM)
def propose_dates(
    work: UnitOfWork,
    starts: Sequence[datetime],
    *,
    zone: str,
    minutes: int = 180,
    weeks: int = 0,
    times: int = 1,
    at_once: bool = False,
    key: UUID,
) -> None:
    """Propose dates, each of them `times` times, every so many `weeks` at the same hour in the time zone. With `at_once` they are
    set, too. Raises Invalid for an unknown zone, the past, more than two years ahead, too many, and if there is none that is new.
    """
    if zone not in zoneinfo.available_timezones():
        raise Invalid(_("Choose a time zone from the list, such as Europe/Berlin."), field="zone")
    last = work.now + FURTHEST
    # The sum is one of clocks on the wall: the hour stays when they change.
    wanted = {
        (start.astimezone(zoneinfo.ZoneInfo(zone)) + timedelta(weeks=weeks * time)).astimezone(UTC)
        for start in starts
        if work.now < start < last
        for time in range(min(times, TIMES) if weeks else 1)
    }
    if any(not work.now < at < last for at in (*starts, *wanted)):
        raise Invalid(_("Choose a time in the next two years."), field="at")
    there = set(SessionDate.objects.filter(campaign=work.campaign).upcoming(work.now).values_list("at", flat=True))
    if not wanted - there:
        raise Invalid(_("These dates are proposed already."), field="at")
    if len(wanted | there) > SessionDate.MOST:
        message = _("Propose {n} dates at most. Withdraw some first.").format(n=SessionDate.MOST)
        raise Invalid(message, field="at")
    dates = [
        SessionDate(id=work.id(str(at)), campaign=work.campaign, at=at, zone=zone, minutes=minutes, made_at=work.now)
        for at in sorted(wanted - there)
    ]
    SessionDate.objects.bulk_create(dates)
    work.record(events.DATES_PROPOSED, {"dates": [_told(date) for date in dates], "withdrawn": False})
    for date in dates if at_once else ():
        _set(work, date, on=True)


@service(Role.GM)
def withdraw_date(work: UnitOfWork, date: SessionDate, *, key: UUID) -> None:
    """Take a proposal back, with the answers to it. Raises Blocked for a date that is set."""
    current = _upcoming(work, date)
    if current.set_at:
        raise Blocked(_("This date is set. Cancel it first."))
    work.record(events.DATES_PROPOSED, {"dates": [_told(current)], "withdrawn": True})
    current.delete()


@service(Role.PLAYER)
def answer_date(work: UnitOfWork, date: SessionDate, answer: Answer, *, key: UUID) -> SessionDate:
    """Say whether one can come on a date. Raises Blocked once it has passed."""
    current = _upcoming(work, date)
    before = DateAnswer.objects.filter(date=current, member=work.by).first()
    if before is None or before.answer != answer:
        DateAnswer.objects.update_or_create(date=current, member=work.by, defaults={"answer": answer})
        work.record(events.DATE_ANSWERED, {"date": _told(current), "answer": answer.value})
    return current


@service(Role.GM)
def set_date(work: UnitOfWork, date: SessionDate, *, on: bool, expected: str, key: UUID) -> SessionDate:
    """Set a date, or cancel one that is set. Raises Conflict if others were set or cancelled since `expected` (set_version),
    and Blocked once it has passed.
    """
    current = _upcoming(work, date)
    plan = {"set": _set_dates(work.campaign, work.now)}
    compare_and_set(work.campaign, campaign_subject(work.campaign), expected=expected, current=plan)
    if bool(current.set_at) != on:
        _set(work, current, on=on)
    return current


def set_version(campaign: Campaign, moment: datetime) -> str:
    """Return the `expected` of `set_date`."""
    return version({"set": _set_dates(campaign, moment)})


def _set_dates(campaign: Campaign, moment: datetime) -> list[str]:
    dates = SessionDate.objects.filter(campaign=campaign).exclude(set_at=None).upcoming(moment)
    return [str(pk) for pk in dates.values_list("pk", flat=True)]


def _set(work: UnitOfWork, date: SessionDate, *, on: bool) -> None:
    date.set_at = work.now if on else None
    date.save(update_fields=["set_at"])
    at, before = (chain.moment(date.at), None) if on else (None, chain.moment(date.at))
    work.record(events.SESSION_PLANNED, {"at": at, "before": before}, subjects=[campaign_subject(work.campaign)])


def _upcoming(work: UnitOfWork, date: SessionDate) -> SessionDate:
    current = existing(SessionDate.objects.filter(campaign=work.campaign, pk=date.pk).first())
    if current.at <= work.now:
        raise Blocked(_("This date has passed."))
    return current


def _told(date: SessionDate) -> dict[str, str]:
    return {"id": str(date.pk), "at": chain.moment(date.at)}
