"""An attack at the table: who presses what, what falls, what is marked on sheets, and what voiding a roll takes back."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Blocked, Invalid
from characters.models import Character
from rolls.models import Procedure, Roll
from rolls.queries.procedures import open_procedures
from rolls.services.procedures import act, open_procedure
from rolls.services.rolls import correct_roll, void_roll
from rules.acts import ActKey
from tests import dice
from tests.cast import seat_at
from tests.rolls.conftest import character
from tests.sheets import rewrite

BLOW = {
    "a_character": None,
    "a_name": "",
    "a_pool": "dexterity + brawl",
    "difficulty": None,
    "willpower": False,
    "target": None,
    "target_name": "",
    "dice": 1,
    "strength": True,
    "harm": "lethal",
    "soak": 2,
    "mortal": True,
}
DODGE = {"how": "dodge", "pool": "", "difficulty": None, "willpower": False}
NEUTRAL_HIT, NEUTRAL_MISS = 7, 5
"""Faces that give the Scale nothing."""


def strike(play, by, **given):
    return open_procedure(by, "storyteller", "attack", BLOW | given, reason="", key=uuid4())


def at_corvina(play, **given):
    return strike(play, play.mo, a_character=play.silas.pk, target=play.corvina.pk, **given)


def do(by, procedure, name, whom, *faces, given=None):
    dice.unload()
    dice.load(*faces)
    return act(by, procedure.pk, ActKey(name, whom), given=given or {}, key=uuid4())


def rolled(procedure, part):
    return Roll.objects.filter(request__procedure=procedure, request__part=part, voided_at=None).get()


def health(who):
    who.refresh_from_db()
    return tuple(who.number(kind) for kind in ("bashing", "lethal", "aggravated"))


def said(play):
    told = [event for event in play.events() if event.kind.startswith("rolls.procedure")]
    return [event.described["said"] for event in told if event.described["said"]]


def hit(play):
    """Corvina dodges one of three, is dealt three, and has yet to soak."""
    procedure = at_corvina(play)
    do(play.other, procedure, "defend", "target", 7, 7, 7, 5, 5, 7, 5, 5, given=DODGE)
    do(play.mo, procedure, "damage", "attacker", 7, 7, 7, 5)
    return procedure


def test_players_settle_an_attack_between_them(fighters):
    play = fighters
    procedure = hit(play)
    do(play.other, procedure, "soak", "target", 7, 5, 5)
    assert health(play.corvina) == (1, 2, 0)
    assert said(play) == [
        "Silas Grey attacked Corvina: Dexterity + Brawl, difficulty 6; lethal damage: Strength + 1 die.",
        "Corvina dodged with Dexterity + Athletics, difficulty 6.",
        "Silas Grey hit Corvina by 2.",
        "Silas Grey dealt 3 damage (lethal); Corvina can soak.",
        "Corvina took 2 health levels (lethal).",
    ]
    made = [(roll.kind, roll.by, len(roll.faces)) for roll in Roll.objects.order_by("at", "pk")]
    assert sorted(made, key=str) == sorted(
        [("action", play.mo, 5), ("action", play.other, 3), ("damage", play.mo, 4), ("soak", play.other, 3)], key=str
    )
    assert Procedure.objects.get(pk=procedure.pk).closed_at and not open_procedures(seat_at(play.watcher))


def test_a_soak_that_is_voided_heals_what_it_left_and_one_that_is_corrected_marks_what_is_left_then(fighters):
    play = fighters
    procedure = hit(play)
    do(play.other, procedure, "soak", "target", 5, 5, 5)
    assert health(play.corvina) == (1, 3, 0)
    void_roll(play.gm, rolled(procedure, "soak").pk, key=uuid4())
    assert health(play.corvina) == (1, 0, 0)
    do(play.other, procedure, "soak", "target", 7, 5, 5)
    assert (health(play.corvina), said(play)[-1]) == ((1, 2, 0), "Corvina took 2 health levels (lethal).")
    correct_roll(play.gm, rolled(procedure, "soak").pk, {"difficulty": 5}, key=uuid4())
    assert health(play.corvina) == (1, 0, 0)


def test_the_attack_is_voided_once_its_damage_is(fighters):
    play = fighters
    procedure = at_corvina(play, willpower=True)
    do(play.other, procedure, "take_hit", "target", 5, 5, 5, 5, 5)
    play.silas.refresh_from_db()
    assert play.silas.number("willpower_now") == 3
    do(play.mo, procedure, "damage", "attacker", 7, 7, 5)
    with pytest.raises(Blocked):
        void_roll(play.gm, rolled(procedure, "attack").pk, key=uuid4())
    void_roll(play.gm, rolled(procedure, "damage").pk, key=uuid4())
    void_roll(play.gm, rolled(procedure, "attack").pk, key=uuid4())
    play.silas.refresh_from_db()
    assert play.silas.number("willpower_now") == 4
    do(play.mo, procedure, "roll", "attacker", 5, 5, 5, 5, 5)
    assert said(play)[-1] == "Silas Grey hit Corvina by 1."


def test_neither_figures_nor_health_of_npcs_are_told_to_players(fighters):
    play = fighters
    sheet = {"stamina": 4, "dexterity": 5, "brawl": 4, "lethal": 6}
    rewrite(play.vesper, sheet=sheet)
    procedure = strike(play, play.mo, a_character=play.silas.pk, target=play.vesper.pk)
    mine, gms = (open_procedures(seat_at(who))[0] for who in (play.mo, play.gm))
    assert [part["words"] for part in mine["staged"]["odds"]["parts"]] == ["misses", "hits"]
    assert [part["words"] for part in gms["staged"]["odds"]["parts"]][-1] == "3 or more"
    do(play.gm, procedure, "take_hit", "target", 7, 7, 5, 5, 5)
    before = len(play.events())
    rewrite(play.vesper, sheet=sheet | {"lethal": 5})
    assert len(play.events()) == before
    do(play.mo, procedure, "damage", "attacker", 7, 7, 7, 7)
    do(play.gm, procedure, "soak", "target", 5, 5, 5, 5)
    assert said(play)[-1] == "Vesper took 4 health levels (lethal)."
    assert health(play.vesper) == (0, 7, 0)
    (gms,) = [event for event in play.events("gm") if event.kind == "rolls.procedure_closed"]
    assert gms.described["said"].endswith("(lethal). 2 of them were beyond the last level.")


def test_a_players_attack_is_the_players_roll_though_the_gms_press_lets_the_dice_fall(fighters):
    play = fighters
    procedure = at_corvina(play)
    do(play.gm, procedure, "defend", "target", 7, 7, 7, 5, 5, 7, 5, 5, given=DODGE)
    do(play.gm, procedure, "damage", "attacker", 7, 7, 7, 5)
    by = {part: rolled(procedure, part).by for part in ("attack", "guard", "damage")}
    assert by == {"attack": play.mo, "guard": play.other, "damage": play.mo}


def test_nobody_attacks_with_anybody_else_s_character_or_those_whom_nobody_knows_or_without_such_a_sheet(fighters):
    play = fighters
    hidden = character(play.campaign, "Unseen", None)
    Character.objects.filter(pk=hidden.pk).update(shown=False)
    thorn = Character.objects.create(campaign=play.campaign, name="Thorn", system="forged", owner=play.other)
    for mine, target in ((play.silas, hidden), (play.silas, thorn), (play.corvina, play.silas)):
        with pytest.raises(Invalid):
            strike(play, play.mo, a_character=mine.pk, target=target.pk)
    assert not Procedure.objects.exists()
