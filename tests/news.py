"""What tests ask of the log."""

from datetime import timedelta

from django.utils import timezone

from campaigns.live.campaign_feed import Readers
from campaigns.models import Event, Role

PAGES = [Readers(role, "en-gb") for role in Role]
"""The pages of all roles, as one frame is drawn for them."""


def news():
    """Return the events since the cast joined, oldest first."""
    return Event.objects.filter(at__gt=timezone.now() - timedelta(minutes=30)).order_by("pk").select_related("stream")
