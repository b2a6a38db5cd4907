"""A conflict at the table: sheets that are read, dice that can be checked, turns of players and GMs, races."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Conflict, Forbidden, Invalid, NotFound
from campaigns.services.members import remove_member
from characters.models import Character
from rolls.queries.checking import faults
from rolls.queries.procedures import open_procedures
from rolls.services.procedures import act, open_procedure
from rules.acts import ActKey
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


def test_initiative_is_read_from_sheets_and_rolled_by_the_server(play, fight):
    assert order(play) == [("Silas Grey", 16), ("Corvina", 12), ("Dog", 7)]
    assert now(play)["staged"]["turns"][0]["title"] == "d10 10 + 7 − 1 for wounds"
    assert said(play) == "A conflict started. Round 1: Silas Grey 16, Corvina 12, Dog 7."
    assert [die["face"] for die in play.events()[-1].payload["dice"]] == [10, 8, 2]


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


def test_who_no_longer_plays_a_character_does_not_act_for_it(play, fight):
    Character.objects.filter(pk=play.silas.pk).update(owner=play.other)
    with pytest.raises(Forbidden):
        do(play, play.mo, "done", "Silas Grey")
    do(play, play.other, "done", "Silas Grey")


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
