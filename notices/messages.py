"""What is sent: for each way one message about all that waits, which says which campaign it is, what kind of thing, and when; a
mail also how a recap begins.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from hashlib import sha256
from itertools import groupby

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import signing
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from campaigns.live.render import escaped, to_text
from campaigns.models import Answer as ToDate
from campaigns.models import Campaign, Membership, SessionDate
from campaigns.queries.dates import answer_link, calendar_with
from campaigns.templatetags.look import markdown
from notices import push
from notices.models import Choice, Device, Notice, Preferences, Way
from notices.sources import SOURCES, newest_recap
from people.middleware import language_of
from people.models import User, zone_of
from webhooks.delivery import language_at
from webhooks.models import Format, Webhook
from webhooks.sending import Answer, post

SALT = "notices.off"
Send = Callable[[str, bytes, dict[str, str]], Answer]


@dataclass(frozen=True)
class Line:
    """What is said of one campaign, and where that leads. `asked` are the dates to answer, in words, each with the notice that
    asks for it. `recap` is how one that is out begins, for mail alone.
    """

    name: str
    words: str
    path: str
    asked: Sequence[tuple[str, Notice]] = ()
    recap: str = ""

    @property
    def link(self) -> str:
        return f"{settings.SITE_URL}{self.path}"


@dataclass(frozen=True)
class Parcel:
    """A message by one way, known by its `label`: the notices in it, and what sends it, without the database."""

    label: str
    notices: Sequence[Notice]
    send: Callable[[], Answer]


def mail_address(user: User) -> str:
    """Return the confirmed address of a person; "" without one, or where the host sends no mail."""
    found = EmailAddress.objects.filter(user=user, verified=True).order_by("-primary").first() if has_mail() else None
    return found.email if found else ""


def has_mail() -> bool:
    """Return whether this host sends mail, rather than writing it to its log."""
    return not settings.EMAIL_BACKEND.rpartition(".")[0].endswith((".console", ".dummy"))


def discord_of(campaign: Campaign) -> Webhook | None:
    """Return the webhook that leads to a campaign's Discord channel, if there is one that is on."""
    webhooks = Webhook.objects.filter(campaign=campaign, format=Format.DISCORD, is_on=True)
    return webhooks.select_related("campaign").first()


Left = Callable[[Way, str], Sequence[Notice] | None]
"""Returns what is still to be told by a way with a label; None for nothing at all."""
Say = Callable[[Sequence[Notice]], list[Line]]


def parcels(person: Preferences, notices: Sequence[Notice], now: datetime, send: Send = post) -> list[Parcel]:
    """Return a message for each way by which the person wants to be told of any of these, and has not been."""
    choices = Choice.objects.in_bulk({one.member_id for one in notices})

    def left(way: Way, label: str) -> list[Notice] | None:
        chosen = (one for one in notices if way in person.ways_for(one.kind, choices.get(one.member_id)))
        return [one for one in chosen if label not in one.sent] or None

    made = _to_person(person, left, lines_of, now, send)
    for campaign, theirs in by_campaign(notices):
        wanted = left(Way.DISCORD, f"discord:{campaign.pk}")
        if wanted and (webhook := discord_of(campaign)):
            # What the webhook tells everyone there is not told once more.
            here = (one for one in theirs if one in wanted and SOURCES[one.kind].topic not in webhook.topics)
            if said := [one for one in here if one.is_open]:
                made.append(_in_discord(webhook, person, said, partial(lines_of, when=_stamp), send))
    return made


def tests(person: Preferences, now: datetime, send: Send = post) -> list[Parcel]:
    """Return a message by each of a person's ways in the campaign they asked for, or in general, that says it is a test."""
    mine = Membership.objects.active().filter(user=person.user, campaign=person.test_of).select_related("campaign")
    member = mine.first() if person.test_of_id else None
    choice = Choice.objects.filter(member=member).first() if member else None
    ways = {way for kind in SOURCES for way in person.ways_for(kind, choice)}

    def say(_notices: Sequence[Notice]) -> list[Line]:
        words = _("This is a test. Notices arrive here.")
        return [Line(member.campaign.name, words, member.campaign.url) if member else Line("Afterburn", words, "/")]

    made = _to_person(person, lambda way, label: [] if way in ways else None, say, now, send)
    webhook = discord_of(member.campaign) if member and Way.DISCORD in ways else None
    return [*made, *([_in_discord(webhook, person, [], say, send)] if webhook else [])]


def by_campaign(notices: Iterable[Notice]) -> Iterable[tuple[Campaign, list[Notice]]]:
    """Yield the notices of each campaign."""
    ordered = sorted(notices, key=lambda one: (one.member_id, one.pk))
    for _member, theirs in groupby(ordered, key=lambda one: one.member_id):
        together = list(theirs)
        yield together[0].member.campaign, together


def _here(moment: datetime) -> str:
    local = timezone.localtime(moment)
    return f"{date_format(local, 'l')}, {date_format(local, 'DATETIME_FORMAT')}"


def _stamp(moment: datetime) -> str:
    """Return a moment that Discord shows each reader in their own time zone and language."""
    return f"<t:{int(moment.timestamp())}:F>"


def lines_of(notices: Iterable[Notice], when: Callable[[datetime], str] = _here) -> list[Line]:
    """Return what is said of these, campaign by campaign, in the language and time zone of now."""
    lines = []
    for campaign, theirs in by_campaign(notices):
        said = {
            kind: [(when(one.date.at) if one.date else "", one) for one in theirs if one.kind == kind]
            for kind in SOURCES
        }
        words = " ".join(SOURCES[kind].says([at for at, _one in those]) for kind, those in said.items() if those)
        path = theirs[0].url if len({one.url for one in theirs}) == 1 else campaign.url
        recap = newest_recap(campaign) if said["recap"] else None
        lines.append(Line(campaign.name, words, path, said["date"], _beginning(recap.words) if recap else ""))
    return lines


def _beginning(words: str) -> str:
    lines = to_text(markdown(words)).strip().splitlines()
    return Truncator("\n".join(lines[:3])).chars(400)


def _to_person(person: Preferences, left: Left, say: Say, now: datetime, send: Send) -> list[Parcel]:
    user, made = person.user, []
    with translation.override(language_of(user.language)), timezone.override(zone_of(user.time_zone)):
        for device in user.devices.all():
            label = f"device:{device.pk}"
            if (theirs := left(Way.DEVICE, label)) is not None:
                made.append(Parcel(label, theirs, _to_device(device, say(theirs), now, send)))
        if (theirs := left(Way.MAIL, "mail")) is not None and (address := mail_address(user)):
            fixed = [one.date for one in theirs if one.kind == "date_set" and one.date]
            made.append(Parcel("mail", theirs, _by_mail(user, address, say(theirs), fixed)))
    return made


def _to_device(device: Device, lines: Sequence[Line], now: datetime, send: Send) -> Callable[[], Answer]:
    only = lines[0] if len(lines) == 1 else None
    tag = sha256(heading(lines).encode()).hexdigest()[:32]
    shown = {
        "title": only.name if only else "Afterburn",
        "body": only.words if only else "\n".join(f"{line.name}: {line.words}" for line in lines),
        "url": only.path if only else "/",
        "tag": tag,
    }
    body = push.encrypted(json.dumps(shown, ensure_ascii=False).encode(), device.p256dh, device.auth)
    return partial(send, device.endpoint, body, push.headers(device.endpoint, tag, now))


def _by_mail(user: User, address: str, lines: Sequence[Line], fixed: Sequence[SessionDate]) -> Callable[[], Answer]:
    off = f"{settings.SITE_URL}{reverse('notices_off', args=[signing.dumps(user.pk, salt=SALT)])}"
    context = {"lines": [(line, _answers(line)) for line in lines], "off": off}
    context["choose"] = f"{settings.SITE_URL}{reverse('notices')}"
    letter = EmailMultiAlternatives(
        subject=f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}{heading(lines)}",
        body=render_to_string("notices/mail.txt", context),
        from_email=settings.DEFAULT_FROM_EMAIL,
        to=[address],
        headers={"List-Unsubscribe": f"<{off}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"},
    )
    letter.attach_alternative(render_to_string("notices/mail.html", context), "text/html")
    if fixed:
        letter.attach("session.ics", calendar_with(fixed), "text/calendar")
    return partial(_posted, letter)


def _answers(line: Line) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return each date that is asked for, with the answers in words and their links."""
    return [
        (at, [(str(one.label), answer_link(notice.member, notice.date, one)) for one in ToDate])
        for at, notice in line.asked
        if notice.date
    ]


def _posted(letter: EmailMultiAlternatives) -> Answer:
    try:
        letter.send()
    except (OSError, ValueError) as error:  # smtplib's are the former
        # Not in the server's words, which may name the recipient.
        return Answer(fault=type(error).__name__)
    return Answer(250)


def heading(lines: Sequence[Line]) -> str:
    """Return the names of the campaigns."""
    return ", ".join(line.name for line in lines)


def _in_discord(webhook: Webhook, person: Preferences, said: Sequence[Notice], say: Say, send: Send) -> Parcel:
    with translation.override(language_at(webhook.campaign)):
        (line,) = say(said)
    mentioned = person.discord_id
    body = {
        "content": f"{f'<@{mentioned}>' if mentioned else escaped(person.user.name)}: {line.words}\n<{line.link}>",
        "allowed_mentions": {"parse": [], "users": [mentioned] if mentioned else []},
    }
    headers = {"Content-Type": "application/json", "User-Agent": f"Afterburn ({settings.SITE_URL})"}
    sent = partial(send, webhook.address, json.dumps(body, ensure_ascii=False).encode(), headers)
    return Parcel(f"discord:{webhook.campaign_id}", said, sent)
