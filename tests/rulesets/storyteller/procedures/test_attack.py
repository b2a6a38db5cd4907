"""An attack at the table: who presses what, what falls, what is marked on sheets, and what voiding a roll takes back."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Blocked, Conflict, Forbidden, Invalid
from rolls.models import Procedure, Roll
from rolls.queries.procedures import open_procedures
from rolls.services.procedures import act, open_procedure
from rolls.services.rolls import correct_roll, void_roll
from rolls.services.settings import change_settings
from rolls.settings import RollSettings
from rules.acts import ActKey
from rulesets.storyteller.settings import Settings
from scale.models import Scale
from tests import dice
from tests.cast import seat_at
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
        "Silas Grey attacked Corvina: Dexterity + Brawl, difficulty 6; Strength + 1 die of lethal damage.",
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


def test_each_step_is_its_owner_s_or_a_gm_s(fighters):
    play = fighters
    procedure = at_corvina(play)
    for somebody in (play.mo,):
        with pytest.raises(Forbidden):
            do(somebody, procedure, "take_hit", "target", 7, 7, 5, 5, 5)
    with pytest.raises(Forbidden):
        do(play.watcher, procedure, "take_hit", "target", 7, 7, 5, 5, 5)
    with pytest.raises(Forbidden):
        do(play.mo, procedure, "set", "", given=BLOW)
    do(play.gm, procedure, "take_hit", "target", 7, 7, 5, 5, 5)
    with pytest.raises(Forbidden):
        do(play.other, procedure, "damage", "attacker", 7, 7, 7, 5)
    do(play.gm, procedure, "damage", "attacker", 7, 7, 7, 5)
    with pytest.raises(Forbidden):
        do(play.mo, procedure, "soak", "target", 7, 7, 7)
    with pytest.raises(Conflict):
        do(play.gm, procedure, "damage", "attacker", 7, 7, 7, 5)


def test_the_attack_feeds_the_scale_and_damage_and_soak_do_not(fighters):
    play = fighters
    procedure = at_corvina(play)
    do(play.other, procedure, "take_hit", "target", 9, 9, 5, 5, 5)
    do(play.mo, procedure, "damage", "attacker", 9, 9, 9, 9)
    do(play.other, procedure, "soak", "target", 9, 9, 2)
    assert Scale.objects.get().value == 2


def test_voiding_the_soak_heals_what_it_left_and_it_is_rolled_again(fighters):
    play = fighters
    procedure = hit(play)
    do(play.other, procedure, "soak", "target", 5, 5, 5)
    assert health(play.corvina) == (1, 3, 0)
    void_roll(play.gm, rolled(procedure, "soak").pk, key=uuid4())
    assert health(play.corvina) == (1, 0, 0)
    do(play.other, procedure, "soak", "target", 7, 7, 7)
    assert health(play.corvina) == (1, 0, 0)
    assert said(play)[-1] == "Corvina took no damage."


def test_a_corrected_soak_marks_what_is_left_then(fighters):
    play = fighters
    procedure = hit(play)
    do(play.other, procedure, "soak", "target", 7, 5, 5)
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


def test_bashing_is_halved_for_vampires_and_not_for_mortals(fighters):
    play = fighters
    for being, levels in (("vampire", 1), ("mortal", 3)):
        sheet = play.corvina.sheet | {"being": being, "bashing": 0, "stamina": 1, "powers": []}
        rewrite(play.corvina, sheet=sheet)
        procedure = at_corvina(play, harm="bashing")
        do(play.other, procedure, "take_hit", "target", 7, 7, 5, 5, 5)
        do(play.mo, procedure, "damage", "attacker", 7, 7, 7, 5)
        do(play.other, procedure, "soak", "target", 5)
        assert health(play.corvina) == (levels, 0, 0)


def test_a_gm_strikes_for_npcs_at_somebody_without_a_sheet_and_sets_the_terms(fighters):
    play = fighters
    procedure = strike(play, play.gm, a_name="Thug", a_pool="4", target_name="Guard", strength=False, dice=2)
    set_by_gm = {"difficulty": 7, "dice": 3, "strength": False, "harm": "bashing", "soak": 4, "mortal": False}
    do(play.gm, procedure, "set", "", given=set_by_gm)
    assert said(play)[-1] == "Thug’s attack on Guard was set: 4 dice, difficulty 7; 3 dice of bashing damage."
    do(play.gm, procedure, "defend", "target", 7, 7, 5, 5, 5, 5, given=DODGE | {"pool": "2"})
    do(play.gm, procedure, "damage", "attacker", 7, 7, 7, 7)
    do(play.gm, procedure, "soak", "target", 7, 5, 5, 5)
    assert said(play)[-1] == "Guard took 1 health level (bashing)."


def test_a_player_s_difficulty_is_the_campaign_s_and_no_one_else_s_character_attacks(fighters):
    play = fighters
    change_settings(play.gm, RollSettings().with_(Settings(attack_difficulty=7, damage_difficulty=8)), key=uuid4())
    procedure = at_corvina(play, difficulty=2)
    do(play.other, procedure, "take_hit", "target", 7, 6, 6, 6, 6)
    do(play.mo, procedure, "damage", "attacker", 8, 7, 7)
    assert [rolled(procedure, part).ask["difficulty"] for part in ("attack", "damage")] == [7, 8]
    with pytest.raises(Invalid):
        strike(play, play.mo, a_character=play.corvina.pk, target=play.silas.pk)


def test_a_table_may_let_damage_and_soak_botch(fighters):
    play = fighters
    change_settings(play.gm, RollSettings().with_(Settings(damage_botches=True, soak_difficulty=4)), key=uuid4())
    procedure = hit(play)
    do(play.other, procedure, "soak", "target", 1, 3, 3)
    soak = rolled(procedure, "soak")
    assert (soak.outcome["result"], soak.ask["difficulty"]) == ("botch", 4)


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


def test_who_is_incapacitated_attacks_only_if_a_gm_allows_it(fighters):
    play = fighters
    rewrite(play.silas, sheet=play.silas.sheet | {"lethal": 7})
    procedure = at_corvina(play)
    with pytest.raises(Blocked):
        do(play.other, procedure, "take_hit", "target", 7)
    assert not Roll.objects.exists()


def test_who_answers_an_attack_that_was_set_otherwise_is_told(fighters):
    play = fighters
    procedure = at_corvina(play)
    seen = next(
        button for button in open_procedures(seat_at(play.other))[0]["staged"]["offers"] if button["name"] == "take_hit"
    )["sent"]
    do(play.gm, procedure, "set", "", given=BLOW | {"dice": 6})
    with pytest.raises(Conflict):
        act(play.other, procedure.pk, ActKey("take_hit", "target", ActKey.parse(seen).mark), key=uuid4())
    assert not Roll.objects.exists()


def test_a_players_attack_is_the_players_roll_though_the_gms_press_lets_the_dice_fall(fighters):
    play = fighters
    procedure = at_corvina(play)
    do(play.gm, procedure, "defend", "target", 7, 7, 7, 5, 5, 7, 5, 5, given=DODGE)
    do(play.gm, procedure, "damage", "attacker", 7, 7, 7, 5)
    by = {part: rolled(procedure, part).by for part in ("attack", "guard", "damage")}
    assert by == {"attack": play.mo, "guard": play.other, "damage": play.mo}


def test_the_gm_lets_an_incapacitated_character_strike_by_the_press_that_was_refused(fighters):
    play = fighters
    rewrite(play.silas, sheet=play.silas.sheet | {"lethal": 7})
    procedure = at_corvina(play)
    with pytest.raises(Blocked) as refused:
        do(play.gm, procedure, "take_hit", "target", 7, 7, 7, 5, 5)
    name, key = refused.value.anyway
    assert (name, ActKey.parse(key).name) == ("override", "take_hit")
    dice.unload()
    dice.load(7, 7, 7, 5, 5)
    act(play.gm, procedure.pk, ActKey.parse(key), override=True, key=uuid4())
    assert rolled(procedure, "attack").ask["overridden"] == ["incapacitated"]
