"""What the drive presses of procedures it reads from the pages: did it find nothing there, it would settle none."""

from __future__ import annotations

from random import Random
from uuid import uuid4

import pytest
from django.utils import timezone

from bench.drive.forms import Drawn
from bench.drive.procedures import BY_PLAYERS, OPENED, SYSTEMS, cards
from campaigns.models import Membership, Role
from campaigns.services.campaigns import create_campaign
from characters.services.cards import Card, make_character

pytestmark = pytest.mark.django_db


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


def test_the_drive_finds_the_buttons_of_what_it_has_opened_and_what_it_presses_counts(cast, driven):
    gm = cast.gm.client
    opened = {address: post(gm, f"{driven}procedures/open/{address}/", form) for address, form in OPENED.items()}
    assert {address: answer.status_code for address, answer in opened.items()} == dict.fromkeys(OPENED, 204)
    offered = cards(gm.get(driven).content.decode())
    acts = {procedure: card.acts[0] for procedure, card in offered.items() if card.acts}
    pressed = {post(gm, f"{driven}procedures/{one}/act/", {"act": act}).status_code for one, act in acts.items()}
    assert acts and pressed == {204}


def test_the_drive_fills_in_what_players_begin_and_what_a_card_asks_for(cast, driven, monkeypatch):
    monkeypatch.setattr("bench.drive.forms.DICE", Random(4))
    mo, gm = cast.player.client, cast.gm.client
    for address, form in BY_PLAYERS.items():
        drawn = Drawn(mo.get(f"{driven}procedures/new/{address}/").content.decode())
        answer = post(mo, f"{driven}procedures/open/{address}/", drawn.filled() | form)
        assert answer.status_code == 204, (address, answer.content.decode())
    parts = [part for card in cards(gm.get(driven).content.decode()).values() for part in card.parts]
    asked = [Drawn(gm.get(part).content.decode()) for part in parts]
    assert asked and all(form.acts or "act" in form.fields for form in asked)
