"""What ends with a membership, and with a sign-in on a device."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from allauth.usersessions.adapter import DefaultUserSessionsAdapter
from allauth.usersessions.models import UserSession
from django.contrib.auth.signals import user_logged_out
from django.db.models.signals import post_save
from django.dispatch import receiver
from django.http import HttpRequest

from campaigns.models import Membership
from notices.models import Choice, Device, Notice
from people.sessions import live

DEVICE = "device"
"""In a session: the id of the Device that it is."""


@receiver(post_save, sender=Membership)
def forget(instance: Membership, **_: Any) -> None:
    """Delete what someone who has left, or was removed, had chosen for the campaign, and what waited for them there."""
    if instance.left_at:
        Choice.objects.filter(member=instance).delete()
        Notice.objects.filter(member=instance).delete()


@receiver(user_logged_out)
def forget_device(request: HttpRequest, **_: Any) -> None:
    """Send nothing more to a device where somebody signed out: others may use it."""
    if device := request.session.get(DEVICE):
        Device.objects.filter(pk=device).delete()


class SessionsAdapter(DefaultUserSessionsAdapter):
    def end_sessions(self, sessions: Iterable[UserSession]) -> None:
        """End these sessions, and send nothing more to their devices. Their sockets close with them (campaigns/services)."""
        held = [*sessions]
        devices = (session.get(DEVICE) for session in live(one.session_key for one in held).values())
        Device.objects.filter(pk__in=[device for device in devices if device]).delete()
        super().end_sessions(held)
