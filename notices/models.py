"""How each person is told of what waits for them, and what waits: the worker's list (notices/worker.py)."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import uuid4

from django.db import models
from django.utils.translation import gettext_lazy, ngettext

from campaigns.models import Campaign, Membership, SessionDate
from people.models import User, zone_of


class Way(models.TextChoices):
    DEVICE = "device", gettext_lazy("Your devices")
    MAIL = "mail", gettext_lazy("Email")
    DISCORD = "discord", "Discord"


USUAL = [Way.DEVICE.value]
"""How someone is told who has chosen nothing else: on the devices that they have turned it on for, and on no other."""


class Preferences(models.Model):
    """What a person has chosen for all their campaigns; who has none was never at the page, and is told nothing.

    `ways` has a list of ways (Way) by the name of what may be told (notices/sources.py). `patience` is the minutes that
    something has to wait first. `quiet_from`, `quiet_until` and `day_before_at`, of the reminder, are hours of the person's own
    day.

    `next_at` is when they may be told again, `tries` how often that failed. `holder` is the key of the worker's attempt
    that nobody else makes before `held_until`. `test_at` is when they asked for a test, and `test_of` for which campaign.
    """

    user = models.OneToOneField(User, primary_key=True, on_delete=models.CASCADE, related_name="notices")
    ways = models.JSONField(default=dict)
    patience = models.PositiveSmallIntegerField(default=10)
    is_quiet = models.BooleanField(default=True)
    quiet_from = models.PositiveSmallIntegerField(default=23)
    quiet_until = models.PositiveSmallIntegerField(default=8)
    day_before_at = models.PositiveSmallIntegerField(default=18)
    discord_id = models.CharField(max_length=20, blank=True)
    next_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    holder = models.UUIDField(null=True, blank=True)
    held_until = models.DateTimeField(null=True, blank=True)
    test_at = models.DateTimeField(null=True, blank=True)
    test_of = models.ForeignKey(Campaign, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")

    PATIENCES = (5, 10, 30, 60)

    @staticmethod
    def patiences() -> list[tuple[int, str]]:
        """Return the minutes to choose from, in words."""
        return [(n, ngettext("%(n)s minute", "%(n)s minutes", n) % {"n": n}) for n in Preferences.PATIENCES]

    def ways_for(self, kind: str, choice: Choice | None) -> list[str]:
        """Return how this person is told of something of this kind, in a campaign with a choice of its own or none."""
        if choice and choice.is_muted:
            return []
        own: list[str] = (choice.ways if choice else {}).get(kind, self.ways.get(kind, USUAL))
        return own

    def leave_out(self, way: Way) -> None:
        """Tell this person nothing more by a way, whatever they had chosen for any campaign."""
        everywhere: list[Preferences | Choice] = [self, *Choice.objects.filter(member__user=self.user_id)]
        for chosen in everywhere:
            chosen.ways = {kind: [one for one in ways if one != way] for kind, ways in chosen.ways.items()}
            chosen.save(update_fields=["ways"])

    def quiet_end(self, now: datetime) -> datetime | None:
        """Return when the quiet hours end that it is now; None outside of them."""
        here = now.astimezone(zone_of(self.user.time_zone))
        begin, end = self.quiet_from, self.quiet_until
        within = begin <= here.hour < end if begin < end else here.hour >= begin or here.hour < end
        if not self.is_quiet or begin == end or not within:
            return None
        over = here.replace(hour=end, minute=0, second=0, microsecond=0)
        return over if over > here else over + timedelta(days=1)


class Choice(models.Model):
    """What a member has chosen for one campaign; it goes when they leave (notices/leaving.py)."""

    member = models.OneToOneField(Membership, primary_key=True, on_delete=models.CASCADE, related_name="notice_choice")
    ways = models.JSONField(default=dict)
    is_muted = models.BooleanField(default=False)


class Device(models.Model):
    """A browser that takes notices: its push service's address, a secret of theirs, and its keys (notices/push.py)."""

    MOST = 10
    """Of one person; a further one takes the place of the oldest."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="devices")
    endpoint = models.TextField(max_length=1000, unique=True)
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=40)
    name = models.CharField(max_length=60)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["made_at"]


class Notice(models.Model):
    """Something that waits for a member who was away when it was seen: of a kind of notices/sources.py, known by `key`.

    It goes when it no longer waits. It is told after `due_at`: `sent` has the ways that have done so, `told_at` is set
    once all have. `is_open` says whether everyone at the table may know of it. `date` is the one that it is about.
    """

    member = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=64)
    url = models.CharField(max_length=200)
    is_open = models.BooleanField()
    date = models.ForeignKey(SessionDate, null=True, on_delete=models.CASCADE, related_name="+")
    due_at = models.DateTimeField()
    sent = models.JSONField(default=list)
    told_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["member", "key"], name="a_notice_is_told_once")]
