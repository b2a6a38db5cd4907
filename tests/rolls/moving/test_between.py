"""A campaign that moves from a server with SQLite to one with PostgreSQL, as hosts move it: by the two commands."""

import io
import lzma
import re
import sqlite3
from contextlib import suppress
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.urls import reverse

from campaigns.errors import Blocked, Invalid
from campaigns.models import Campaign
from rolls.queries.checking import faults
from rolls.queries.table import standing_of, under_way
from rolls.registry import procedure_called
from rolls.services.procedures import act
from rules.acts import Actor
from tests.cast import person
from tests.released import kept
from tests.rolls.moving.test_moving import gm_of
from tools.databases import manage

pytestmark = [pytest.mark.django_db, pytest.mark.only_on("postgresql")]


@pytest.fixture
def there(tmp_path):
    """Yield the address of an SQLite database as the newest release left it."""
    backup = tmp_path / "backup"
    backup.write_bytes(lzma.decompress(kept("sqlite")[-1].read_bytes()))
    url = f"sqlite:///{tmp_path}/there.sqlite3"
    manage("restore", str(backup), DATABASE_URL=url)
    return url


def test_a_campaign_moves_from_sqlite_to_postgresql_and_what_is_under_way_goes_on(there, tmp_path, settings):
    settings.DICE_SOURCE = "rolls.services.fairness.fair_dice"
    with sqlite3.connect(there.removeprefix("sqlite:///")) as database:
        ((slug,),) = database.execute("SELECT slug FROM campaigns_campaign")
    file, told = tmp_path / "campaign.zip", io.StringIO()
    manage("campaign", "export", slug, str(file), DATABASE_URL=there)
    call_command("campaign", "import", str(file), stdout=told)
    campaign = Campaign.objects.get()
    assert list(faults(campaign)) == []
    newcomer = person("gm", "New Here")
    token = re.search(r"/join/([^/]+)/", told.getvalue())[1]
    answer = newcomer.client.post(reverse("join", args=[token]), {"key": uuid4()}, follow=True)
    assert answer.status_code == 200
    gm, taken = gm_of(campaign), 0
    for procedure in under_way(campaign):
        rules = procedure_called(procedure.system, procedure.kind)
        offers = rules.available(standing_of(procedure, rules, is_gm=True), Actor(is_gm=True))
        for offer in [one for one in offers if one.name not in rules.forms][:1]:
            with suppress(Blocked, Invalid):  # what has to be settled first
                act(gm, procedure.pk, offer.key, key=uuid4())
                taken += 1
    assert taken > 5
    assert list(faults(campaign)) == []
    assert newcomer.client.get(reverse("table", args=[campaign.slug])).status_code == 200
