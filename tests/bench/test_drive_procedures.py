"""What the drive presses of procedures it reads from the pages: did it find nothing there, it would settle none."""

from __future__ import annotations

from random import Random
from uuid import uuid4

import pytest
from django.utils import timezone

from bench.drive.forms import Drawn
from bench.drive.procedures import OPENED, SYSTEMS, cards
from campaigns.models import Membership, Role
from campaigns.services.campaigns import create_campaign
from characters.services.cards import Card, make_character


@pytest.fixture
def driven(cast):
    campaign = create_campaign(cast.gm.user, name="Driven", systems=[*SYSTEMS], key=uuid4())
    now = timezone.now()
    player = Membership.objects.create(campaign=campaign, user=cast.player.user, role=Role.PLAYER, joined_at=now)
    for system in SYSTEMS:
        make_character(player, Card(f"Of {system}", owner=player), system=system, key=uuid4())
    return f"/c/{campaign.slug}/"


def post(client, path, form):
    return client.post(path, {**form, "client_seed": "c1" * 16, "key": str(uuid4())}, headers={"HX-Request": "true"})


def test_the_drive_begins_what_it_fills_in_and_what_it_presses_there_counts(cast, driven, monkeypatch):
    monkeypatch.setattr("bench.drive.forms.DICE", Random(4))
    clients = {"gm": cast.gm.client, "player": cast.player.client}
    for address, (role, fields) in OPENED.items():
        drawn = Drawn(clients[role].get(f"{driven}procedures/new/{address}/").content.decode())
        answer = post(clients[role], f"{driven}procedures/open/{address}/", drawn.filled() | fields)
        assert answer.status_code == 204, (address, answer.content.decode())
    offered = cards(cast.gm.client.get(driven).content.decode())
    acts = {procedure: card.acts[0] for procedure, card in offered.items() if card.acts}
    parts = [Drawn(cast.gm.client.get(part).content.decode()) for card in offered.values() for part in card.parts]
    assert parts and all(form.acts or "act" in form.fields for form in parts)
    pressed = {
        post(cast.gm.client, f"{driven}procedures/{one}/act/", {"act": act}).status_code for one, act in acts.items()
    }
    assert acts and pressed == {204}
