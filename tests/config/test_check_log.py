"""`manage.py check_log` on a site where people go on playing."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.db import connection

from campaigns.models import Clock, Membership
from campaigns.queries import standing
from campaigns.services.campaigns import create_campaign
from campaigns.services.clocks import Draft, make_clock, tick_clock
from people.models import User

pytestmark = pytest.mark.django_db(transaction=True)


def test_what_is_played_meanwhile_is_no_fault(monkeypatch):
    campaign = create_campaign(User.objects.create_user("gm"), name="Ashes", systems=["forged"], key=uuid4())
    gm = Membership.objects.select_related("campaign", "user").get(campaign=campaign)
    clock = make_clock(gm, Draft("Watch", 6), filled=0, key=uuid4())

    def play():
        tick_clock(gm, Clock.objects.get(pk=clock.pk), 1, key=uuid4())
        connection.close()

    compare = standing.Clocks.faults

    def late(clocks):
        # The log has been read; what follows from it has not.
        with ThreadPoolExecutor(1) as somebody:
            somebody.submit(play).result()
        yield from compare(clocks)

    monkeypatch.setattr(standing.Clocks, "faults", late)
    told = StringIO()
    call_command("check_log", stdout=told)
    assert told.getvalue() == f"{campaign.slug}: 2 events, all as they were written.\n"
    assert Clock.objects.get().filled == 1
