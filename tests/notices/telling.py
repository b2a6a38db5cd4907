"""What tests of notices do: turn them on, let something wait, let time pass, and let the worker tell."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import time_machine
from django.utils import timezone

from campaigns.models import Membership, Presence
from notices.models import Device, Preferences
from notices.sources import SOURCES
from notices.worker import Known, Notifier, look
from rolls.models import Audience, RollRequest
from rolls.services import requests
from rulesets.storyteller.terms import StorytellerInput
from tests.cast import Person
from tests.notices.service import Browser, PushService
from webhooks.sending import post

TEN = timedelta(minutes=10, seconds=5)


def turn_on(person: Person, service: PushService | None = None, *ways: str, name: str = "", **chosen) -> Browser | None:
    """Let a person be told by these ways, on a new device if there is a service; without quiet hours if nothing is said."""
    ways = ways or ("device",)
    values = {"ways": {kind: list(ways) for kind in SOURCES}, "is_quiet": False} | chosen
    Preferences.objects.update_or_create(user=person.user, defaults=values)
    if service is None:
        return None
    browser = service.subscribe(name or person.user.username)
    Device.objects.create(user=person.user, name="A browser", **browser.form)
    return browser


def ask(gm: Person, whom: Person, audience: Audience = Audience.TABLE, reason: str = "") -> RollRequest:
    call = requests.Call(StorytellerInput(dice=3), reason=reason)
    return requests.ask_for_roll(gm.member, call, member=whom.member.pk, audience=audience, key=uuid4())


def later(**passed: float):
    return time_machine.travel(timezone.now() + timedelta(**passed), tick=True)


def tell(known: Known | None = None, send=post) -> None:
    """Look at the tables, and tell all that is due now."""
    look({} if known is None else known)
    notifier = Notifier(send)
    while notifier.turn():
        pass
    notifier.stop()
    notifier.run()


def tell_after(minutes: float, **options) -> None:
    """Look now, and tell what is due after so many minutes."""
    look({})
    with later(minutes=minutes):
        tell(**options)


def arrive(member: Membership) -> Presence:
    """Open the table in a browser of a member."""
    return Presence.objects.create(campaign=member.campaign, membership=member, seen_at=timezone.now())
