"""A conflict at the table: sheets that are read, dice that can be checked, turns of players and GMs, races."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.errors import Conflict, Forbidden, Invalid, NotFound
from campaigns.services.members import remove_member
from characters.models import Character
from rolls.models import Procedure
from rolls.queries.checking import faults
from rolls.queries.procedures import open_procedures
from rolls.services.procedures import act, open_procedure
from rules.acts import ActKey
from rules.messages import read
from tests import dice
from tests.cast import seat_at
from tests.rolls.conftest import character
from tests.sheets import rewrite


@pytest.fixture
def fight(play):
    """Silas (16), Corvina (12), the dog (7), by these dice."""
    rewrite(play.silas, sheet={"dexterity": 3, "wits": 4, "lethal": 2})
    rewrite(play.corvina, sheet={"dexterity": 2, "wits": 2})
    dice.load(10, 8, 2)
    given = {"characters": [str(play.silas.pk), str(play.corvina.pk)], "names": "Dog 5", "anew": False}
    return open_procedure(play.gm, "storyteller", "conflict", given, reason="at the gate", key=uuid4())


def now(play, who=None):
    return open_procedures(seat_at(who or play.watcher))[0]


def do(play, by, name, whom="", faces=(), **given):
    """Take a step in the current state, for the participant with this name."""
    dice.unload()
    dice.load(*faces)
    shown = now(play)
    key = next(
        (button["whom"] for turn in shown["staged"]["turns"] if turn["name"] == whom for button in turn["buttons"]), ""
    )
    return act(by, shown["id"], ActKey(name, key), given=given, key=uuid4())


def order(play):
    return [(turn["name"], int(turn["value"])) for turn in now(play)["staged"]["turns"]]


def said(play):
    return play.events()[-1].described["said"]


def waited_for(play) -> list[str]:
    return [one["name"] for one in now(play)["waits"]]


def test_players_end_their_own_turns_and_the_gm_those_of_others(play, fight):
    with pytest.raises(Conflict):
        do(play, play.other, "done", "Corvina")
    with pytest.raises(Forbidden):
        do(play, play.other, "done", "Silas Grey")
    do(play, play.mo, "done", "Silas Grey")
    assert (said(play), play.events()[-1].payload["instead_of"]) == (
        "Silas Grey acted. Corvina is next.",
        None,
    )
    do(play, play.gm, "done", "Corvina")
    assert play.events()[-1].payload["instead_of"]["name"] == play.other.name
    with pytest.raises(Forbidden):
        do(play, play.mo, "done", "Dog")
    with pytest.raises(Conflict):
        do(play, play.gm, "next_round")
    do(play, play.gm, "done", "Dog")
    with pytest.raises(Forbidden):
        do(play, play.mo, "next_round")
    do(play, play.gm, "next_round")
    assert now(play)["staged"]["above"] == "Round 2" and order(play)[0] == ("Silas Grey", 16)


def test_the_gm_acts_for_who_was_removed_at_their_turn(play, fight):
    remove_member(play.gm, play.mo, key=uuid4())
    with pytest.raises(NotFound):
        do(play, play.mo, "done", "Silas Grey")
    do(play, play.gm, "done", "Silas Grey")
    assert play.events()[-1].payload["instead_of"] is None
    assert waited_for(play) == ["Corvina"]


def test_its_dice_can_be_checked(play, settings):
    settings.DICE_SOURCE = "rolls.services.fairness.fair_dice"
    given = {"characters": [], "names": "A 5, B 5, C 5, D 5", "anew": True}
    open_procedure(play.gm, "storyteller", "conflict", given, key=uuid4(), client_seed="ab" * 16)
    event = play.events()[-1]
    assert event.payload["proof"]["faces"] == [die["face"] for die in event.payload["dice"]]
    for name, _ in order(play):
        do(play, play.gm, "done", name)
    do(play, play.gm, "next_round")
    assert event.payload["proof"]["roll"] != play.events()[-1].payload["proof"]["roll"]
    assert not list(faults(play.campaign))


def test_nobody_who_cannot_take_part_does(play):
    hidden = character(play.campaign, "Unseen", None)
    Character.objects.filter(pk=hidden.pk).update(shown=False)
    other = Character.objects.create(campaign=play.campaign, name="Thorn", system="forged", owner=play.mo)
    for wrong in (hidden.pk, other.pk, uuid4()):
        given = {"characters": [str(wrong)], "names": "", "anew": False}
        with pytest.raises(Invalid):
            open_procedure(play.gm, "storyteller", "conflict", given, key=uuid4())
    with pytest.raises(Forbidden):
        open_procedure(play.mo, "storyteller", "conflict", given, key=uuid4())


# An attack of whose turn it is


STRIKE = {"roll": "dexterity + brawl"}


def on_card(client, who, shown, whom, **pressed):
    """Return the part of the card on which an attack is prepared, as this person has it after these presses."""
    client.force_login(who.user)
    address = reverse("procedure_on_card", args=[who.campaign.slug, shown["id"], "attack"])
    return client.get(address, {"whom": whom, **pressed})


def test_an_attack_is_begun_by_whose_turn_it_is_and_stands_in_the_round(play, fight):
    own, foe = str(play.silas.pk), str(play.corvina.pk)
    with pytest.raises(Forbidden):
        act(play.other, fight.pk, ActKey("attack", own), given=STRIKE | {"target": foe}, key=uuid4())
    with pytest.raises(Conflict):
        act(play.gm, fight.pk, ActKey("attack", foe), given=STRIKE | {"target": own}, key=uuid4())
    act(play.mo, fight.pk, ActKey("attack", own), given=STRIKE | {"target": foe}, key=uuid4())
    line = "Silas Grey attacked Corvina: Dexterity + Brawl, difficulty 6; bashing damage: 0 dice."
    assert [said for event in play.events() if (said := event.described.get("said"))][-1] == line
    fight.refresh_from_db()
    row = read(fight.cards["everyone"])["staged"]["rows"][0]
    assert (row["whose"], row["detail"], row["marks"][0]["words"]) == ("Silas Grey", "attacked Corvina", "in progress")
    attack = Procedure.objects.get(kind="attack")
    dice.unload()
    dice.load(*[2] * 9)
    act(play.gm, attack.pk, ActKey("take_hit", "target"), key=uuid4())
    fight.refresh_from_db()
    assert read(fight.cards["everyone"])["staged"]["rows"][0]["marks"][0]["words"] == "missed"


def test_who_has_ended_their_turn_in_the_same_second_does_not_attack(play, fight):
    shown = now(play, play.mo)
    button = next(one for one in shown["staged"]["turns"][0]["prepares"] if one["name"] == "attack")
    do(play, play.gm, "done", "Silas Grey")
    with pytest.raises(Conflict, match="acted"):
        given = STRIKE | {"target": str(play.corvina.pk)}
        act(play.mo, fight.pk, ActKey.parse(button["sent"]), given=given, key=uuid4())
    assert not Procedure.objects.filter(kind="attack").exists()


def test_the_card_offers_pools_faces_and_odds_to_whose_turn_it_is_alone(play, fight, client):
    rewrite(play.silas, sheet={"dexterity": 3, "wits": 4, "melee": 2, "strength": 2})
    own = str(play.silas.pk)
    drawn = on_card(client, play.mo, now(play), own).content.decode()
    assert "Attack Corvina" in drawn or "Attack Dog" in drawn
    assert drawn.index("Dexterity + Melee <b>5</b>") < drawn.index("Dexterity + Brawl <b>3</b>")
    pressed = {"character": own, "pool": "strength + melee", "target": str(play.corvina.pk), "dice": "2"}
    drawn = on_card(client, play.mo, now(play), own, **pressed).content.decode()
    assert (
        "Strength + Melee <b>4</b>" in drawn
        and "Brawl" not in drawn
        and "Attack Corvina" in drawn
        and "+2 dice" in drawn
    )
    assert on_card(client, play.other, now(play), own).status_code == 204
    odd = {"dice": "²", "harm": "x", "target": "x", "roll": "x", "pool": "x" * 300, "character": own}
    answer = on_card(client, play.mo, now(play), own, **odd)
    assert answer.status_code == 200 and "disabled" in answer.content.decode()


def test_a_hidden_npc_is_no_target_and_its_health_is_not_told(play, client):
    foe = character(play.campaign, "Canary", None)
    given = {"characters": [str(play.silas.pk), str(foe.pk)], "names": "", "anew": False}
    dice.load(10, 1)
    fight = open_procedure(play.gm, "storyteller", "conflict", given, key=uuid4())
    Character.objects.filter(pk=foe.pk).update(shown=False)
    rewrite(foe, sheet={"lethal": 4})
    drawn = on_card(client, play.mo, now(play), str(play.silas.pk)).content.decode()
    assert "Attack Canary" not in drawn and "There’s no one to attack" in drawn
    with pytest.raises(Invalid):
        given = STRIKE | {"target": str(foe.pk)}
        act(play.mo, fight.pk, ActKey("attack", str(play.silas.pk)), given=given, key=uuid4())
    act(play.gm, fight.pk, ActKey("hold", str(play.silas.pk)), key=uuid4())
    fight.refresh_from_db()
    everyone, gms = (read(fight.cards[role])["staged"]["turns"][1] for role in ("everyone", "gm"))
    assert (everyone["boxes"], gms["boxes"].count("lethal")) == ([], 4)
