"""Tables that are written in, and one process that writes in some of them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from itertools import cycle
from time import perf_counter
from uuid import UUID, uuid4

from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import connection, transaction
from django.utils import timezone

from campaigns.live import notifications
from campaigns.live.notifications import CHANNEL
from campaigns.models import Membership, Role
from campaigns.services.campaigns import create_campaign
from campaigns.services.log import happening_at
from campaigns.services.members import invitation_token, invite, join
from campaigns.services.play import start_session
from characters.services.cards import Card, make_character
from rolls.models import Audience
from rolls.registry import RULESETS
from rolls.services.rolls import make_roll

BETWEEN = timedelta(seconds=2)  # from one roll of a person to the next, by the clock of the table: no flood
SYSTEM = "forged"


def lay_out(tables: int) -> None:
    """Campaigns with a player and a character each."""
    call_command("migrate", verbosity=0)
    with happening_at(timezone.now() - timedelta(days=1)):
        for number in range(tables):
            users = [get_user_model().objects.create(username=f"{name}{number}") for name in ("gm", "mo")]
            campaign = create_campaign(users[0], name=f"Table {number}", systems=[SYSTEM], key=uuid4())
            gm, invitation = Membership.objects.get(campaign=campaign), uuid4()
            invite(gm, Role.PLAYER, days=1, uses=1, key=invitation)
            player = join(users[1], invitation_token(invitation), key=uuid4())
            start_session(gm, "One", key=uuid4())
            make_character(player, Card("Ada", "", player), system=SYSTEM, key=uuid4())


class Writer:
    """Writes at each table in turn: `what` is "rolls" or "bare", `way` how others are notified, `which` such as "0/4"."""

    def __init__(self, what: str, way: str, which: str) -> None:
        notifications.send = SENDS[way]
        number, _, processes = which.partition("/")
        players = Membership.objects.filter(role=Role.PLAYER).select_related("user", "campaign").order_by("pk")
        self.players = cycle(list(players)[int(number) :: int(processes)])
        self.write = {"rolls": self._roll, "bare": self._bare}[what]
        self.now = timezone.now()
        typed = {"kind": "fortune", "trait": "2"}
        form = RULESETS[SYSTEM].form(typed)
        assert form.is_valid(), form.errors  # for mypy
        self.ask = form.ask()
        self.write()

    def write_for(self, seconds: float) -> int:
        """Write as often as possible for so many seconds. Return how often."""
        done, until = 0, perf_counter() + seconds
        while perf_counter() < until:
            self.write()
            done += 1
        return done

    def _roll(self) -> None:
        self.now += BETWEEN
        with happening_at(self.now):
            make_roll(next(self.players), self.ask, audience=Audience.TABLE, key=uuid4())

    def _bare(self) -> None:
        player = next(self.players)
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("UPDATE campaigns_campaign SET lock = lock + 1 WHERE id = %s", [player.campaign_id])
            cursor.execute(
                "INSERT INTO campaigns_idempotencykey (campaign_id, key, by_id, fingerprint, result, at) "
                "VALUES (%s, %s, %s, '', '', now() - interval '1 year')",
                [player.campaign_id, uuid4(), player.pk],
            )
            notifications.send(player.campaign_id)


def _inside(campaign_id: UUID) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, str(campaign_id)])


SENDS: dict[str, Callable[[UUID], None]] = {
    "inside": _inside,
    "after": notifications.send,
    "none": lambda campaign_id: None,
}
