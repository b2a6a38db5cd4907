"""An event in turns at the table: sheets that change under it, dice that can be checked, rolls of players, races."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.http import QueryDict

from campaigns.errors import Conflict, Forbidden
from characters.models import Character
from characters.services.fields import set_field
from rolls.models import Audience, Roll
from rolls.queries.checking import faults
from rolls.services.rolls import make_roll, void_roll
from rulesets.arc.ruleset import Arc
from rulesets.arc.terms import ArcInput
from tests import dice
from tests.rulesets.arc.procedures.events import begin, do, key_of, line, order, staged, turn_of, waits
from tests.sheets import rewrite

SILAS, VESPER = "Silas Grey", "Vesper"


def said(checks):
    return [event.described["said"] for event in checks.events() if "procedure" in event.payload][-1]


def test_the_order_is_read_from_sheets_and_typed_figures(checks, fight):
    assert order(fight) == [VESPER, "Dog", SILAS]
    card = staged(fight)
    assert card["above"] == "Turn 1 · seconds 0 to 6"
    assert [turn["words"] for turn in card["turns"]] == ["8 m", "8 m", "10 m"]
    first = card["turns"][0]
    assert (first["value"], first["title"]) == ("3", "State of mind 3, Empathy 5, Perception 1")
    assert first["lines"] == ["NPC · shaken"]
    assert said(checks) == "An event in turns began. Turn 1 (seconds 0 to 6): Vesper, Dog, Silas Grey."


def test_players_declare_and_act_for_their_own_and_gms_for_all(checks, fight):
    for name in (VESPER, "Dog"):
        with pytest.raises(Conflict):
            do(fight, checks.mo, "declare", SILAS)
        do(fight, checks.gm, "declare", name, against=[key_of(fight, SILAS)])
        with pytest.raises(Forbidden):
            do(fight, checks.mo, "done", name)
        do(fight, checks.gm, "done", name)
    skills = [f"{checks.silas.pk}:skills/t1/es"]
    do(fight, checks.mo, "declare", SILAS, words="picks the lock", actions=2, skills=skills, moves=3)
    assert said(checks) == "Silas Grey declared: picks the lock (2 actions, 3 m)."
    do(fight, checks.gm, "done", SILAS)
    assert checks.events()[-1].payload["instead_of"]["name"] == checks.mo.name
    with pytest.raises(Forbidden):
        do(fight, checks.mo, "turn")
    do(fight, checks.gm, "outcome", words="the door gives", whom=key_of(fight, SILAS), som=2, becomes="")
    do(fight, checks.gm, "turn")
    assert Character.objects.get(pk=checks.silas.pk).sheet["som"] == 8
    assert "ended: the door gives; Silas Grey: state of mind +2" in checks.events()[-2].described.get(
        "said", ""
    ) + said(checks)
    assert staged(fight)["above"] == "Turn 2 · seconds 6 to 12"


def test_a_som_that_makes_equals_throws_their_dice_with_a_proof(checks, settings):
    settings.DICE_SOURCE = "rolls.services.fairness.fair_dice"
    rewrite(checks.silas, sheet={"som": 6})
    fight = begin(checks.gm, checks.silas, lines=[line("Dog", empathy=5, perception=1)])
    silas = Character.objects.get(pk=checks.silas.pk)
    set_field(checks.mo, silas, "som", 5, expected=6, key=uuid4())
    told = checks.events()[-1]
    assert told.payload["act"]["name"] == "reread" and len(told.payload["dice"]) >= 2
    assert told.payload["proof"]["faces"] == [one["face"] for one in told.payload["dice"]]
    assert "Ties, a d10 each: Dog" in told.described["said"] and ", Silas Grey" in told.described["said"]
    assert not list(faults(checks.campaign))
    assert len(order(fight)) == 2


def test_a_player_rolls_the_reaction_check_that_is_asked_for(checks, fight):
    do(fight, checks.gm, "react", whom=[key_of(fight, SILAS)], occasion="cornered")
    assert said(checks) == "Reaction check for Silas Grey (cornered)."
    assert (SILAS, "to roll a Reaction check") in waits(fight)
    request = fight.requests.get(closed_at=None)
    assert (request.member, request.terms) == (checks.mo, {"kind": "reaction"})
    dice.load(7)
    asked = ArcInput(character=checks.silas.pk, kind="reaction", request=request.pk)
    rolled = make_roll(checks.mo, asked, audience=Audience.TABLE, key=uuid4())
    assert rolled.outcome["result"] == "failure" and order(fight) == [VESPER, "Dog"]
    void_roll(checks.gm, rolled.pk, key=uuid4())
    assert order(fight) == [VESPER, "Dog", SILAS] and fight.requests.filter(closed_at=None).count() == 1
    do(fight, checks.gm, "waive", SILAS)
    assert not fight.requests.filter(closed_at=None).exists()


def test_those_of_the_gm_are_rolled_at_once_and_cost_the_turn(checks):
    fight = begin(
        checks.gm, checks.vesper, lines=[line("Dog", som=10, how="ambushed"), line("Cat", how="ambushed")], Vesper="ambushed",
        faces=(4, 10, 5),
    )  # fmt: skip
    rolls = list(Roll.objects.filter(campaign=checks.campaign).order_by("at", "pk"))
    assert sorted((one.ask["som"], one.outcome["result"]) for one in rolls) == [
        (3, "failure"),
        (5, "success"),
        (10, "success"),
    ]
    assert order(fight) == ["Cat", "Dog"], "the highest SOM rolls as well, or players would know it"
    assert "failure" in turn_of(fight, VESPER)["words"]
    void_roll(checks.gm, rolls[-1].pk, key=uuid4())
    assert fight.requests.count() >= 2


def test_players_are_told_the_order_and_no_score(checks, fight):
    told = staged(fight, is_gm=False)["turns"]
    assert [turn["name"] for turn in told] == [VESPER, "Dog", SILAS]
    assert [turn["lines"] for turn in told] == [["NPC"], ["NPC"], []]
    assert not any(turn["value"] or turn["title"] for turn in told)
    assert [turn["words"] for turn in told] == ["", "", "10 m"], "how far NPCs get, players see when they do"
    Character.objects.filter(pk__in=[checks.silas.pk, checks.vesper.pk]).update(opened=True)
    do(fight, checks.gm, "skip", VESPER)
    told = staged(fight, is_gm=False)["turns"]
    assert [turn["lines"] for turn in told] == [["NPC · shaken"], ["NPC"], ["composed"]], (
        "the sheets are for all to read"
    )
    assert "State of mind" not in str([one.payload for one in checks.events() if "procedure" in one.payload])


# Bad input


@pytest.mark.parametrize(
    ("act", "query", "field"),
    [
        ("open", "n0-name=Dog&n0-es=0", "n0-es"),
        ("open", "n1-name=Dog&n1-es=11", "n1-es"),
        ("open", "n0-name=Dog&n0-som=x", "n0-som"),
        ("open", "n0-name=Dog&n0-size=vast", "n0-size"),
        ("open", "n0-name=Dog&n0-burden=silly", "n0-burden"),
        ("open", "n0-name=Dog&n0-many=21", "n0-many"),
        ("declare", "words=x&actions=0", "actions"),
        ("outcome", "words=x&som=10", "som"),
    ],
)
def test_what_cannot_be_is_said_at_its_field(act, query, field):
    tried = Arc.procedures["tracker"].forms[act](QueryDict(query))
    assert not tried.is_valid() and list(tried.errors) == [field]
