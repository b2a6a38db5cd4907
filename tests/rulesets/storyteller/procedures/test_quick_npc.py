"""A quick NPC: the dice that were named when it was made are rolled wherever no traits are named."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse

from characters.models import Character
from rolls.services.procedures import open_procedure
from tests import dice
from tests.characters.operations import send
from tests.rulesets.storyteller.procedures.test_attack import DODGE, do, rolled, strike

WARDEN = "Foundry warden"


@pytest.fixture
def warden(play, cast):
    send(cast.gm, "npc_new", cast, name=f"{WARDEN} pool 5", shown="on")
    return Character.objects.get(name=WARDEN)


def test_it_attacks_with_its_dice(fighters, warden):
    play = fighters
    procedure = strike(play, play.gm, a_character=warden.pk, a_pool="", target=play.corvina.pk)
    do(play.other, procedure, "take_hit", "target", 7, 7, 2, 2, 2)
    assert len(rolled(procedure, "attack").faces) == 5


def test_it_defends_with_its_dice(fighters, warden):
    play = fighters
    procedure = strike(play, play.mo, a_character=play.silas.pk, target=warden.pk)
    do(play.gm, procedure, "defend", "target", 7, 7, 7, 5, 5, 7, 5, 5, 5, 5, given=DODGE)
    assert len(rolled(procedure, "guard").faces) == 5


def test_what_is_typed_counts_instead(fighters, warden):
    play = fighters
    procedure = strike(play, play.gm, a_character=warden.pk, a_pool="3", target=play.corvina.pk)
    do(play.other, procedure, "take_hit", "target", 7, 7, 2)
    assert len(rolled(procedure, "attack").faces) == 3


def test_its_dice_stand_for_dexterity_and_wits_in_a_conflict(play, warden):
    dice.load(4)
    given = {"characters": [str(warden.pk)], "names": "", "anew": False}
    fight = open_procedure(play.gm, "storyteller", "conflict", given, key=uuid4())
    assert [(one["traits"], one["die"]) for one in fight.state["participants"]] == [(5, 4)]


def test_it_opposes_others_with_its_dice(play, warden):
    terms = {"until": "once", "goal": 1, "on_tie": "defender"}
    sides = {"a_character": play.silas.pk, "a_pool": "wits", "a_difficulty": 6, "a_name": ""}
    sides |= {"b_character": warden.pk, "b_pool": "", "b_difficulty": 6, "b_name": ""}
    contest = open_procedure(play.gm, "storyteller", "opposed", sides | terms, key=uuid4())
    assert contest.state["b"]["dice"] == 5


def test_its_dice_stand_in_the_roll_form_when_it_is_at_hand_again(play, cast, warden):
    url = f"{reverse('table', args=[play.campaign.slug])}?character={warden.pk}"
    assert 'name="pool"' in (page := cast.gm.client.get(url).content.decode())
    assert 'value="5"' in page[page.index('name="pool"') :][:200]


def test_only_the_gm_reads_its_dice(play, cast, warden):
    Character.objects.filter(pk=warden.pk).update(opened=True)
    url = reverse("character", args=[play.campaign.slug, warden.pk])
    assert "Dice for any roll" in cast.gm.client.get(url).content.decode()
    assert "Dice for any roll" not in cast.player.client.get(url).content.decode()
