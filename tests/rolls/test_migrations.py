"""What was asked for and decided before is there still, as far as it can be."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from campaigns.models import Campaign
from rolls.settings import roll_settings

BEFORE, AFTER = [("rolls", "0002_fairness")], [("rolls", "0003_requests_of_any_system")]


def model(state):
    executor = MigrationExecutor(connection)
    executor.migrate(state)
    return executor.loader.project_state(state).apps.get_model("rolls", "RollRequest")


@pytest.fixture
def newest(transactional_db):
    yield
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


def test_a_request_from_before_keeps_what_it_asks_for(newest, cast):
    soak = {"traits": "Perception + Alertness", "difficulty": 8, "kind": "soak", "automatic": True}
    for set_by_gm in (soak, {}):
        model(BEFORE).objects.create(campaign_id=cast.campaign.pk, asked_at=timezone.now(), **set_by_gm)
    after = [(asked.system, asked.words, asked.terms) for asked in model(AFTER).objects.order_by("asked_at")]
    assert after == [
        (
            "storyteller",
            "Perception + Alertness, difficulty 8, soak",
            {"pool": "Perception + Alertness", "difficulty": 8, "kind": "soak", "automatic": True},
        ),
        ("storyteller", "A roll, difficulty 6", {"difficulty": 6, "kind": "action", "automatic": False}),
    ]
    again = model(BEFORE).objects.order_by("asked_at")[0]
    assert {name: getattr(again, name) for name in soak} == soak


def test_more_boxes_and_traumas_than_a_sheet_has_become_what_it_has(newest, cast):
    model([("rolls", "0004_witness")])
    decided = {"scale": {"shared": False}, "forged": {"boxes": 12, "last_trauma": 3, "gambits": True}}
    Campaign.objects.filter(pk=cast.campaign.pk).update(settings=decided)
    model([("rolls", "0005_settings_within_the_sheet")])
    decided["forged"]["boxes"] = 9
    campaign = Campaign.objects.get(pk=cast.campaign.pk)
    assert campaign.settings == decided
    assert roll_settings(campaign).forged.boxes == 9
