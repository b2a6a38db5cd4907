"""Taking rolls back, newest first; correcting them; showing what was hidden."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Blocked, Invalid, NotFound
from rolls.models import Audience, Roll
from rolls.services.rolls import correct_roll, reveal_roll, void_roll
from rolls.services.scale import undo_newest
from rolls.services.settings import change_settings
from rolls.settings import RollSettings
from scale.models import Burn, Momentum, ScaleStep
from scale.queries.projection import check
from scale.rules import scale as rules
from scale.services.burns import (
    bank_burn,
    choose_effect,
    decide_activation,
    narrate_burn,
    spend_banked,
    take_burn,
    use_free_activation,
)
from tests.answers import refusal
from tests.stored import reread, store


def void(play, roll, **more):
    return void_roll(play.gm, roll.pk, key=uuid4(), **more)


def momentum(play):
    return Momentum.objects.get(character=play.silas)


def test_voiding_a_roll_puts_the_scale_back_and_says_why(play):
    play.roll(9)
    roll = play.roll(9)
    void(play, roll, reason="the wrong pool")
    assert play.scale.value == 1
    told = play.events()[-1]
    assert (told.kind, told.parent, told.payload["reason"]) == ("rolls.roll_voided", roll.event, "the wrong pool")
    assert told.described["scale"]["value"] == 1
    assert reread(roll).voided_at
    assert check(play.campaign) == []


def test_a_roll_of_the_table_is_taken_back_once(play):
    roll = play.roll(9)
    with pytest.raises(NotFound):
        void_roll(play.gm, uuid4(), key=uuid4())
    void(play, roll)
    with pytest.raises(Blocked):
        void(play, roll)


def test_undo_goes_backwards_and_names_what_is_in_the_way(play):
    first, second = play.roll(9), play.roll(2, 2, by=play.other)
    assert "First undo Other Player’s roll (2 dice)" in refusal(Blocked, void, play, first).message
    void(play, second)
    void(play, first)
    assert play.scale.value == 0
    assert check(play.campaign) == []


def test_a_roll_that_moved_no_scale_can_be_taken_back_at_any_time(play):
    soak = play.roll(5, kind="soak")
    play.roll(9)
    void(play, soak)
    assert play.scale.value == 1


def test_what_the_roll_s_own_burn_did_is_taken_back_with_it(play):
    roll = play.roll(9, 9, 9)
    burn = play.burn(Burn.State.OFFERED)
    take_burn(play.mo, burn.pk, key=uuid4())
    choose_effect(play.mo, burn.pk, "disposition", npc=play.vesper.pk, key=uuid4())
    void(play, roll)
    play.vesper.refresh_from_db()
    assert (play.vesper.disposition, play.scale.value) == (0, 0)
    assert play.burn(Burn.State.UNDONE) == burn
    assert check(play.campaign) == []


def test_an_auto_banked_offer_is_on_offer_again(play):
    play.roll(9, 9, 9)
    second = play.roll(5)
    void(play, second)
    assert play.burn(Burn.State.OFFERED).kind == "grace"
    assert play.events()[-1].described["burns"][0]["state"] == "offered"
    assert check(play.campaign) == []


def test_both_fired_burns_are_taken_back_with_their_effects(play):
    play.roll(9, 9, 9)
    bank_burn(play.mo, play.burn(Burn.State.OFFERED).pk, key=uuid4())
    second = play.roll(2, 2, 2, 2, 2, 2, by=play.other)
    choose_effect(play.mo, Burn.objects.get(state="fired", kind="grace").pk, "die", key=uuid4())
    choose_effect(play.gm, Burn.objects.get(state="fired", kind="trouble").pk, "die", key=uuid4())
    assert momentum(play).die_modifier == 1

    void(play, second)
    assert play.burn(Burn.State.BANKED).kind == "grace"
    assert play.burn(Burn.State.UNDONE).kind == "trouble"
    assert (play.scale.value, momentum(play).die_modifier) == (3, 0)
    assert play.burn(Burn.State.BANKED).effect == ""
    assert check(play.campaign) == []


def test_burn_dice_that_a_roll_used_up_are_there_again(play):
    play.roll(9, 9, 9)
    burn = play.burn(Burn.State.OFFERED)
    take_burn(play.mo, burn.pk, key=uuid4())
    choose_effect(play.mo, burn.pk, "die", key=uuid4())
    used = play.roll(5, 5, dice=1)
    assert momentum(play).die_modifier == 0
    void(play, used)
    assert momentum(play).die_modifier == 1
    assert check(play.campaign) == []


def test_an_effect_chosen_later_for_an_older_burn_stands_in_nobody_s_way(play):
    play.roll(9, 9, 9)
    burn = play.burn(Burn.State.OFFERED)
    take_burn(play.mo, burn.pk, key=uuid4())
    later = play.roll(9, by=play.other)
    choose_effect(play.mo, burn.pk, "die", key=uuid4())
    void(play, later)
    assert (play.scale.value, momentum(play).die_modifier) == (0, 1)
    assert check(play.campaign) == []


def test_a_spent_burn_stands_in_the_way_of_the_rolls_before_it(play):
    play.roll(9, 9, 9)
    bank_burn(play.mo, play.burn(Burn.State.OFFERED).pk, key=uuid4())
    second = play.roll(9, by=play.other)
    spend_banked(play.mo, play.burn(Burn.State.BANKED).pk, key=uuid4())
    assert "what Mo did with a Burn" in refusal(Blocked, void, play, second).message

    undo_newest(play.gm, play.scale.pk, key=uuid4())
    assert play.events()[-1].kind == "scale.burn_undone"
    assert (play.burn(Burn.State.BANKED).kind, play.scale.value) == ("grace", 4)
    void(play, second)
    assert check(play.campaign) == []


def test_the_newest_operation_can_be_taken_back_again_and_again(play):
    roll = play.roll(9, 9, 9)
    take_burn(play.mo, play.burn(Burn.State.OFFERED).pk, key=uuid4())
    for _ in range(2):
        undo_newest(play.gm, play.scale.pk, key=uuid4())
    assert reread(roll).voided_at
    assert not ScaleStep.objects.filter(undone_at=None).exists()
    with pytest.raises(Blocked):
        undo_newest(play.gm, play.scale.pk, key=uuid4())
    with pytest.raises(NotFound):
        undo_newest(play.gm, uuid4(), key=uuid4())


def test_a_free_activation_that_was_used_has_to_be_taken_back_first(play):
    roll = play.roll(9, 9, 9)
    burn = play.burn(Burn.State.OFFERED)
    take_burn(play.mo, burn.pk, key=uuid4())
    choose_effect(play.mo, burn.pk, "discipline", key=uuid4())
    decide_activation(play.gm, burn.pk, plausible=True, key=uuid4())
    use_free_activation(play.mo, play.silas.pk, key=uuid4())
    with pytest.raises(Blocked):
        void(play, roll)
    undo_newest(play.gm, play.scale.pk, key=uuid4())
    void(play, roll)
    assert momentum(play).free_activations == 0
    assert check(play.campaign) == []


@pytest.mark.parametrize("narrated", [False, True])
def test_a_major_burn_is_undone_with_its_roll(play, narrated):
    roll = play.roll(*[9] * 8)
    burn = play.burn(Burn.State.OPEN)
    if narrated:
        narrate_burn(play.gm, burn.pk, "Fire.", key=uuid4())
    void(play, roll)
    assert play.burn(Burn.State.UNDONE) == burn
    assert play.roll(5)
    assert check(play.campaign) == []


def test_what_a_private_roll_did_is_taken_back_without_saying_more(play):
    roll = play.roll(9, 9, audience=Audience.SELF)
    void(play, roll)
    assert play.kinds() == ["scale.moved", "scale.moved"]
    assert play.events()[-1].described["scale"]["value"] == 0
    assert play.kinds(play.mo.stream) == ["rolls.roll_made", "rolls.roll_voided"]
    assert "words" not in play.events()[-1].described
    assert check(play.campaign) == []


def test_a_secret_roll_is_taken_back_in_secret(play):
    void(play, play.roll(9, 9, by=play.gm, audience=Audience.GM))
    assert play.kinds() == []
    assert play.kinds("gm") == ["rolls.roll_made", "rolls.roll_voided"]


def test_a_correction_reads_the_same_dice_again(play):
    roll = play.roll(7, 7, 5)
    corrected = correct_roll(play.gm, roll.pk, {"difficulty": 8}, key=uuid4())
    assert (corrected.corrects, corrected.faces, corrected.by) == (roll, [7, 7, 5], play.mo)
    assert corrected.event.described["headline"] == "Failure"
    assert corrected.event.parent == roll.event
    assert play.kinds()[-2:] == ["rolls.roll_voided", "rolls.roll_corrected"]
    voided = play.events()[-2]
    assert (voided.payload["reason"], voided.described["reason"]) == ("", "corrected")
    assert check(play.campaign) == []


def test_a_corrected_kind_takes_the_scale_s_move_back(play):
    roll = play.roll(9, 9)
    correct_roll(play.gm, roll.pk, {"kind": "soak", "note": "it was soak"}, key=uuid4())
    assert play.scale.value == 0
    back = Roll.objects.get(corrects=roll)
    correct_roll(play.gm, back.pk, {"kind": "action"}, key=uuid4())
    assert play.scale.value == 2
    assert check(play.campaign) == []


def test_a_correction_may_set_off_a_burn_of_its_own(play):
    roll = play.roll(1, 1, 1, 7, 7, 7)
    assert play.scale.value == 0
    correct_roll(play.gm, roll.pk, {"difficulty": 8}, key=uuid4())
    assert play.burn(Burn.State.OFFERED).kind == "trouble"


def test_a_correction_leaves_willpower_spent(play):
    roll = play.roll(1, 5, 4, willpower=True)
    correct_roll(play.gm, roll.pk, {"difficulty": 5}, key=uuid4())
    play.silas.refresh_from_db()
    assert play.silas.value("willpower_now") == 3
    void(play, Roll.objects.get(corrects=roll))
    play.silas.refresh_from_db()
    assert play.silas.value("willpower_now") == 4


def test_what_had_no_dice_is_not_corrected(play):
    roll = play.roll(by=play.gm, character=play.vesper.pk, dice=6, automatic=True)
    with pytest.raises(Invalid):
        correct_roll(play.gm, roll.pk, {"difficulty": 8}, key=uuid4())


def test_a_hidden_roll_is_shown_whole_and_moves_nothing(play):
    roll = play.roll(9, 9, audience=Audience.GM)
    reveal_roll(play.gm, roll.pk, key=uuid4())
    shown = play.events()[-1]
    assert shown.kind == "rolls.roll_revealed"
    assert [die["face"] for die in shown.described["dice"]] == [9, 9]
    assert "scale" not in shown.payload
    with pytest.raises(Blocked):
        reveal_roll(play.gm, roll.pk, key=uuid4())
    assert check(play.campaign) == []


def test_a_shown_roll_is_taken_back_for_all_who_saw_it(play):
    roll = play.roll(9, 9, by=play.gm, audience=Audience.GM)
    reveal_roll(play.gm, roll.pk, key=uuid4())
    void(play, roll)
    assert play.kinds() == ["rolls.roll_revealed", "rolls.roll_voided"]
    assert play.events()[-1].parent == play.events()[-2]
    assert play.kinds("gm")[-1] == "rolls.roll_voided"


def test_a_corrected_roll_that_was_shown_is_shown_again(play):
    roll = play.roll(7, 9, by=play.gm, audience=Audience.GM)
    reveal_roll(play.gm, roll.pk, key=uuid4())
    correct_roll(play.gm, roll.pk, {"difficulty": 8}, key=uuid4())
    assert play.kinds() == ["rolls.roll_revealed", "rolls.roll_voided", "rolls.roll_revealed"]


def test_a_roll_of_an_npc_nobody_knows_is_not_shown(play):
    store(play.vesper, shown=False)
    roll = play.roll(9, by=play.gm, character=play.vesper.pk, audience=Audience.GM)
    with pytest.raises(Invalid):
        reveal_roll(play.gm, roll.pk, key=uuid4())


def test_what_happened_on_a_scale_that_is_no_longer_used_stays(play):
    roll = play.roll(9)
    change_settings(play.gm, RollSettings((rules.Settings(shared=False),)), key=uuid4())
    with pytest.raises(Blocked):
        void(play, roll)
