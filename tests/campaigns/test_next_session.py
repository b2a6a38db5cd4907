"""When a table meets next: GMs say it, everybody is told, and nobody overwrites it unseen."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from campaigns.errors import Invalid
from campaigns.models import Campaign
from campaigns.services.play import plan_session, plan_version
from tests.doors import page, post
from tests.news import news

pytestmark = pytest.mark.django_db


@pytest.fixture
def friday():
    return timezone.now().replace(microsecond=0) + timedelta(days=5)


def plan(cast, at):
    return plan_session(cast.gm.member, at, expected=plan_version(Campaign.objects.get()), key=uuid4())


def test_it_is_an_event_that_everybody_is_told(cast, friday):
    assert plan(cast, friday).next_session_at == friday
    plan(cast, friday + timedelta(days=7))
    plan(cast, None)
    told = [(event.stream.name, bool(event.payload["at"]), bool(event.payload["before"])) for event in news()]
    assert told == [("table", True, False), ("table", True, True), ("table", False, True)]
    assert Campaign.objects.get().next_session_at is None
    assert "removed the date of the next session" in page(cast.player.client, "table", "ashes").content.decode()


def test_the_same_date_again_tells_nothing(cast, friday):
    plan(cast, friday)
    plan(cast, friday)
    assert news().count() == 1


def test_what_is_past_or_far_away_is_refused(cast):
    for at in (timezone.now() - timedelta(minutes=1), timezone.now() + timedelta(days=800)):
        with pytest.raises(Invalid):
            plan(cast, at)
    assert not news().exists()


def test_a_gm_writes_it_in_their_own_time_zone(cast):
    cast.gm.user.time_zone = "Asia/Tokyo"
    cast.gm.user.save()
    day = (timezone.now() + timedelta(days=40)).date()
    seen = plan_version(cast.campaign)
    answer = post(cast.gm.client, "session_plan", "ashes", at=f"{day}T19:30", expected=seen)
    assert (answer.status_code, answer.url) == (302, "/c/ashes/sessions/")
    at = datetime(day.year, day.month, day.day, 10, 30, tzinfo=UTC)
    assert Campaign.objects.get().next_session_at == at
    assert f'value="{day}T19:30"' in page(cast.gm.client, "session_plan", "ashes").content.decode()
    assert f"{at:%Y-%m-%d}T10:30:00+00:00" in page(cast.player.client, "sessions", "ashes").content.decode()
