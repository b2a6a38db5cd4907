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
from rolls.services.procedures import act, open_procedure
from rolls.services.requests import Call, announce_roll
from rolls.services.rolls import make_roll
from rules.acts import ActKey
from rulesets.arc.terms import ArcInput
from tests import dice
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


def test_what_is_declared_against_ones_own_side_is_announced_and_a_gm_lets_them_counter_it(checks, fight):
    """Or a player would choose what to exceed, and when."""
    do(fight, checks.gm, "join", lines=[line("Ally", som=9, ally=True)])
    declare(checks, fight, against=[key_of(fight, "Ally")])
    do(fight, checks.mo, "resolve", SILAS)
    check = check_of(checks)
    drawn = shown(check)
    assert [one["words"] for one in drawn["waits"]] == ["to let Ally counter it, or set the difficulty"]
    assert drawn["staged"]["own"][0]["words"] == "Let Ally counter"
    with pytest.raises(Forbidden):
        act(checks.mo, check.pk, ActKey("countered"), key=uuid4())
    act(checks.gm, check.pk, ActKey("countered"), key=uuid4())
    assert {one.part: one.member for one in check.requests.filter(closed_at=None)} == {"a": checks.mo, "b": checks.gm}


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
    roll_both(checks, *faces)


def roll_both(checks, *faces):
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


# The card on which an attack is prepared


def on_card(client, who, fight, whom, **pressed):
    client.force_login(who.user)
    address = reverse("procedure_on_card", args=[who.campaign.slug, fight.pk, "attack"])
    return client.get(address, {"whom": key_of(fight, whom), **pressed})


def test_the_card_offers_skills_faces_and_the_odds_of_the_die_alone(checks, fight, client):
    drawn = on_card(client, checks.mo, fight, SILAS).content.decode()
    assert "Control + Tamper <b>5</b>" in drawn and "Build + Climbing <b>3</b>" in drawn
    assert drawn.index("Tamper") < drawn.index("Climbing") and "Attack Vesper" in drawn
    assert "malus" in drawn and "success" not in drawn, "a US would follow from the chance of success"
    pressed = {
        "character": str(checks.silas.pk),
        "skill": "climbing",
        "stat": "control",
        "target": key_of(fight, "Dog 1"),
    }
    drawn = on_card(client, checks.mo, fight, SILAS, **pressed).content.decode()
    assert "Control + Climbing <b>3</b>" in drawn and "Tamper" not in drawn and "Attack Dog 1" in drawn
    odd = {
        "actions": "²",
        "using": "x",
        "target": "x",
        "skill": "x" * 300,
        "stat": "x",
        "character": str(checks.silas.pk),
    }
    assert "Control + Tamper <b>5</b>" in on_card(client, checks.mo, fight, SILAS, **odd).content.decode()
    assert on_card(client, checks.other, fight, SILAS).status_code == 204


def test_no_card_of_the_turns_tells_a_player_of_an_npcs_skills_or_scores(checks, fight, client):
    sheet = checks.vesper.sheet | {"skills": [{"id": "c1", "name": "Canary", "es": 9, "stat": "build"}], "som": 3}
    rewrite(checks.vesper, sheet=sheet)
    do(fight, checks.gm, "skip", SILAS)
    assert on_card(client, checks.mo, fight, VESPER).status_code == 204
    assert "Canary" in on_card(client, checks.gm, fight, VESPER).content.decode()
    players, gms = (str(staged(fight, is_gm=is_gm)) for is_gm in (False, True))
    assert VESPER in players and "Canary" not in players and "shaken" not in players
    assert "shaken" in gms


def test_an_attack_is_asked_of_both_and_landed_by_a_press(checks, fight):
    tamper = f"{checks.silas.pk}:skills/t1/es"
    given = {"using": tamper, "using_stat": "", "actions": 1, "target": key_of(fight, VESPER)}
    with pytest.raises(Forbidden):
        do(fight, checks.other, "attack", SILAS, **given)
    do(fight, checks.mo, "attack", SILAS, **given)
    assert {one.part for one in check_of(checks).requests.filter(closed_at=None)} == {"a", "b"}
    roll_both(checks, 5, 6 + 1)
    (won,) = [row for row in staged(fight)["rows"] if row["whose"] == SILAS]
    assert [button["words"] for button in won["buttons"]] == [
        "Add outcome",
        "State of mind −1",
        "Falls unconscious",
        "Dies",
        "Nothing comes of it",
    ]
    act(
        checks.gm,
        fight.pk,
        ActKey.parse(next(one["sent"] for one in won["buttons"] if "Falls" in one["words"])),
        key=uuid4(),
    )
    assert [row["words"] for row in staged(fight)["rows"]] == ["", "Vesper: unconscious"]
