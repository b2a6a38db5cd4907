"""The SOM of an NPC stands in what GMs are told, and in nothing that others are."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.models import Role, Viewer
from characters.models import Character
from rolls.models import Audience, Roll
from rolls.queries.statistics.rolled import rolled
from rolls.services.rolls import reveal_roll, void_roll
from tests.rulesets.arc.procedures.events import begin, do, key_of, outcomes

VESPERS = 3


def told(checks, stream):
    return [json.dumps(event.payload) + str(event.described) for event in checks.events(stream)]


def test_a_reaction_of_an_npc_tells_its_som_to_gms_alone(checks, cast):
    roll = checks.roll(4, by=checks.gm, kind="reaction")
    assert roll.outcome["result"] == "failure"
    assert not any("som" in one.lower().replace("the som", "") for one in told(checks, "table"))
    assert [event.described["som"] for event in checks.told("gm")] == [VESPERS]
    seen = {
        who.user: who.client.get(reverse("table", args=[checks.campaign.slug])).content.decode()
        for who in (cast.gm, cast.player, cast.spectator)
    }
    for who, page in seen.items():
        is_gm = who == cast.gm.user
        assert "above the state of mind" in page
        assert ("state of mind of 3" in page, "State of mind <b>3</b>" in page) == (is_gm, is_gm)


@pytest.mark.parametrize("known", [{"owner": True}, {"opened": True}])
def test_a_som_that_all_may_read_is_told(checks, known):
    changed = {"owner": checks.mo} if "owner" in known else known
    Character.objects.filter(pk=checks.vesper.pk).update(**changed)
    checks.roll(4, by=checks.gm, kind="reaction")
    assert [event.described["som"] for event in checks.told()] == [VESPERS] and not checks.told("gm")


def test_a_som_that_a_gm_types_for_the_nameless_is_a_secret(checks):
    checks.roll(9, by=checks.gm, kind="reaction", character=None, som=7)
    assert "som" not in checks.told()[-1].described and checks.told("gm")[-1].described["som"] == 7


def test_it_stays_a_secret_when_the_roll_is_shown_or_taken_back(checks):
    roll = checks.roll(4, by=checks.gm, kind="reaction", audience=Audience.GM)
    reveal_roll(checks.gm, roll.pk, key=uuid4())
    void_roll(checks.gm, roll.pk, key=uuid4())
    assert len(checks.told()) > 1
    assert not any("som" in event.payload["card"] for event in checks.told())


def test_a_roll_of_an_older_version_tells_it_no_more(checks):
    roll = checks.roll(4, by=checks.gm, kind="reaction")
    Roll.objects.filter(pk=roll.pk).update(ask={name: roll.ask[name] for name in roll.ask if name != "secret"})
    void_roll(checks.gm, roll.pk, key=uuid4())
    assert "som" not in checks.told()[-1].payload["card"]


def test_what_was_to_be_expected_of_it_is_for_gms(checks, cast):
    checks.roll(4, by=checks.gm, kind="reaction")
    checks.roll(4, kind="reaction")
    readers = [cast.gm.member, cast.player.member, cast.spectator.member]
    viewers = [Viewer(checks.campaign, one, Role(one.role)) for one in readers]
    assert [[one.chance for one in rolled(viewer)] for viewer in viewers] == [[0.3, 0.6], [None, 0.6], [None, 0.6]]


def test_how_the_som_of_an_npc_moves_is_told_to_gms_alone(checks):
    fight = begin(checks.gm, checks.silas, checks.vesper)
    for name, words in (("Vesper", ""), ("Silas Grey", "")):
        do(fight, checks.gm, "outcome", words=words, whom=key_of(fight, name), som=-2, becomes="")
    told = {is_gm: outcomes(fight, is_gm=is_gm) for is_gm in (True, False)}
    assert told[True] == ["Vesper: state of mind −2", "Silas Grey: state of mind −2"]
    assert told[False] == ["Vesper: only the GM sees how", "Silas Grey: state of mind −2"]
