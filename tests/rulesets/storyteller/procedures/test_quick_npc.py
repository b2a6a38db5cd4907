"""A quick NPC: the dice that were named when it was made stand in the roll form, and are the GM's to know."""

from __future__ import annotations

import pytest
from django.urls import reverse

from characters.models import Character
from tests.characters.operations import send

WARDEN = "Foundry warden"


@pytest.fixture
def warden(play, cast):
    send(cast.gm, "npc_new", cast, name=f"{WARDEN} pool 5", shown="on")
    return Character.objects.get(name=WARDEN)


def test_its_dice_stand_in_the_roll_form_when_it_is_at_hand_again(play, cast, warden):
    url = f"{reverse('table', args=[play.campaign.slug])}?character={warden.pk}"
    assert 'name="pool"' in (page := cast.gm.client.get(url).content.decode())
    assert 'value="5"' in page[page.index('name="pool"') :][:200]


def test_only_the_gm_reads_its_dice(play, cast, warden):
    Character.objects.filter(pk=warden.pk).update(opened=True)
    url = reverse("character", args=[play.campaign.slug, warden.pk])
    assert "Dice for any roll" in cast.gm.client.get(url).content.decode()
    assert "Dice for any roll" not in cast.player.client.get(url).content.decode()
