"""From what is declared to its check with one press; and a check that is an attack to the event in turns."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.errors import Blocked, Conflict, Forbidden
from characters.models import Character
from characters.services.fields import add_row
from rolls.models import Audience, Procedure
from rolls.services.procedures import act, open_procedure, take_back_step
from rolls.services.requests import Call, announce_roll
from rolls.services.rolls import make_roll
from rules.acts import ActKey
from rulesets.arc.ruleset import Arc
from rulesets.arc.table import ArcInput
from tests import dice
from tests.cast import seat_at
from tests.rolls.steps import newest_step
from tests.rulesets.arc.procedures.events import begin, do, key_of, line, shown, staged, turn_of
from tests.rulesets.arc.samples import BLANK
from tests.sheets import rewrite

SILAS, VESPER = "Silas Grey", "Vesper"


@pytest.fixture
def fight(checks):
    """Silas first, who has SOM 2, then Vesper (3), then two dogs (5)."""
    rewrite(checks.silas, sheet=checks.silas.sheet | {"som": 2})
    return begin(checks.gm, checks.silas, checks.vesper, lines=[line("Dog", many=2, size="large")], faces=(3, 8))


def check_of(checks) -> Procedure:
    return Procedure.objects.filter(campaign=checks.campaign, kind="check").latest("opened_at")


def declare(checks, fight, **given: Any) -> None:
    tamper = f"{checks.silas.pk}:skills/t1/es"
    do(fight, checks.mo, "declare", SILAS, words="forces the gate", skills=[tamper], **given)


def offered(fight, name) -> list[str]:
    return [button["name"] for button in turn_of(fight, name, is_gm=False)["buttons"] if button["members"]]


def test_what_a_player_declared_is_announced_with_one_press_and_set_with_another(checks, fight):
    declare(checks, fight)
    assert "resolve" in offered(fight, SILAS)
    do(fight, checks.mo, "resolve", SILAS)
    check = check_of(checks)
    assert checks.events()[-1].described["said"] == "Silas Grey announced a check: Control + Tamper."
    assert "resolve" not in offered(fight, SILAS), "it was one action"
    act(checks.gm, check.pk, ActKey("level", "average"), key=uuid4())
    request = check.requests.get(closed_at=None)
    assert (request.member, request.terms["stat"], request.terms["skill"]) == (checks.mo, "control", "Tamper")
    dice.load(5)
    rolled = make_roll(
        checks.mo,
        ArcInput(character=checks.silas.pk, stat="control", skill="Tamper", request=request.pk),
        audience=Audience.TABLE,
        key=uuid4(),
    )
    assert rolled.outcome["result"] == "success"


def test_what_is_declared_against_somebody_is_an_opposed_check_that_the_gm_lets_them_counter(checks, fight):
    declare(checks, fight, against=[key_of(fight, "Dog 1")])
    do(fight, checks.mo, "resolve", SILAS)
    check = check_of(checks)
    drawn = shown(check)
    assert [one["words"] for one in drawn["waits"]] == ["to let Dog 1 counter it, or set the difficulty"]
    assert drawn["staged"]["own"][0]["words"] == "Let Dog 1 counter"
    with pytest.raises(Forbidden):
        act(checks.mo, check.pk, ActKey("countered"), key=uuid4())
    act(checks.gm, check.pk, ActKey("countered"), key=uuid4())
    asked = {one.part: (one.member, one.terms["chips"]) for one in check.requests.filter(closed_at=None)}
    assert asked == {
        "a": (checks.mo, [{"code": "size", "value": 1}]),
        "b": (checks.gm, [{"code": "size", "value": -1}]),
    }


def test_a_gm_calls_the_check_of_an_npc_with_one_press(checks, fight):
    do(fight, checks.gm, "skip", SILAS)
    watch = f"{checks.vesper.pk}:skills/w1/es"
    do(fight, checks.gm, "declare", VESPER, words="spots him", skills=[watch], against=[key_of(fight, SILAS)])
    assert "Watch" not in str(checks.events()[-1].payload), "skills of an NPC are told with their check"
    do(fight, checks.gm, "resolve", VESPER)
    asked = {one.part: one.member for one in check_of(checks).requests.filter(closed_at=None)}
    assert asked == {"a": checks.gm, "b": checks.mo}


def test_the_box_for_a_fight_is_ticked_while_an_event_in_turns_goes_on(checks, cast):
    url = reverse("procedure_new", args=[checks.campaign.slug, "arc", "check"])
    box = 'name="fight" checked'
    assert box not in cast.gm.client.get(url).content.decode()
    begin(checks.gm, checks.silas)
    assert box in cast.gm.client.get(url).content.decode()


def test_nothing_is_announced_for_the_unconscious(checks):
    rewrite(checks.silas, sheet=checks.silas.sheet | {"unconscious": True})
    given = BLANK | {"character": checks.silas.pk, "skill": "tamper"}
    with pytest.raises(Blocked, match="is unconscious"):
        open_procedure(checks.mo, "arc", "check", given, key=uuid4())
    for kind in ("check", "reaction"):
        asked = ArcInput(character=checks.silas.pk, kind=kind, stat="control", skill="tamper")
        with pytest.raises(Blocked, match="is unconscious"):
            announce_roll(checks.mo, Call(asked), audience=Audience.SELF, key=uuid4())
    open_procedure(checks.gm, "arc", "check", given, key=uuid4())


def test_taking_the_step_back_takes_its_check_back(checks, fight):
    declare(checks, fight)
    do(fight, checks.mo, "resolve", SILAS)
    take_back_step(checks.gm, fight.pk, step=newest_step(fight), key=uuid4())
    assert Procedure.objects.get(pk=check_of(checks).pk).closed_at and "resolve" in offered(fight, SILAS)


def test_who_carries_too_much_is_refused_when_it_is_announced(checks, fight):
    declare(checks, fight)
    silas = Character.objects.get(pk=checks.silas.pk)
    add_row(checks.gm, silas, "carried", {"name": "Millstone", "weight": "900"}, key=uuid4())
    with pytest.raises(Conflict):
        do(fight, checks.mo, "resolve", SILAS)
    with pytest.raises(Blocked) as refused:
        open_procedure(
            checks.mo, "arc", "check", BLANK | {"character": checks.silas.pk, "skill": "tamper"}, key=uuid4()
        )
    assert "can’t act. Put something down first." in refused.value.message
    with pytest.raises(Blocked):
        announce_roll(
            checks.mo,
            Call(ArcInput(kind="opposed", stat="control", skill="tamper", character=checks.silas.pk)),
            audience=Audience.TABLE,
            key=uuid4(),
        )
    assert not Procedure.objects.filter(kind="check").exists()


def attack(checks, fight, *faces):
    """Let Silas attack Vesper, with these faces for both."""
    declare(checks, fight, against=[key_of(fight, VESPER)])
    do(fight, checks.gm, "resolve", SILAS)
    for by, part, face in zip((checks.mo, checks.gm), "ab", faces, strict=True):
        request = check_of(checks).requests.get(part=part, closed_at=None)
        skill = {} if part == "a" else {"stat": "intellect", "skill": "watch"}
        checks.roll(
            face,
            by=by,
            request=request.pk,
            character=request.character_id,
            kind="opposed",
            **{"stat": "", "skill": ""} | skill,
        )


def test_a_won_check_offers_its_outcome_for_the_end_of_the_turn(checks, fight):
    attack(checks, fight, 5, 6 + 1)
    (won,) = [row for row in staged(fight)["rows"] if row["whose"] == SILAS]
    assert won["words"] == "succeeded against Vesper. What happens at the end of the turn?"
    check, form = won["buttons"][0]["whom"], Arc.procedures["tracker"].forms["land"]
    assert form.choices_in(seat_at(checks.gm), now(fight), (check,))["target"][0].whom == key_of(fight, VESPER)
    do(fight, checks.gm, "land", check, words="a cut", whom=key_of(fight, VESPER), som=None, becomes="")
    rows = [row["words"] for row in staged(fight)["rows"]]
    assert "a cut" in rows[0] and len(rows) == 1


def now(fight) -> Procedure:
    return Procedure.objects.get(pk=fight.pk)
