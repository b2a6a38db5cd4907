"""What rolls do to the Scale at the table (scale.txt, Burns), with dice that fall as told."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Blocked
from rolls.models import Audience
from rolls.services.settings import change_settings
from rolls.settings import RollSettings
from rulesets.storyteller.settings import Settings
from scale.models import Burn, Momentum, Scale
from scale.queries.projection import check
from scale.rules import scale as rules
from scale.services.burns import bank_burn


def decide(play, automatic_success=False, **scale):
    settings = RollSettings((rules.Settings(**scale), Settings(automatic_success=automatic_success)))
    change_settings(play.gm, settings, key=uuid4())


def test_an_action_roll_moves_the_table_s_scale(play):
    play.roll(10, 7, 4, 1, 1)
    assert play.scale.value == 1
    play.roll(2, 2, by=play.other)
    assert play.scale.value == -1
    assert check(play.campaign) == []


@pytest.mark.parametrize("kind", ["soak", "willpower", "humanity", "virtue", "initiative", "damage", "other"])
def test_other_rolls_do_not_move_it(play, kind):
    play.roll(9, 9, 9, kind=kind)
    assert not Scale.objects.exists()


def test_neither_npcs_nor_dice_without_a_character_nor_secret_rolls_move_it(play):
    play.roll(9, 9, 9, by=play.gm, character=play.vesper.pk)
    play.roll(9, 9, 9, by=play.gm)
    play.roll(9, 9, 9, audience=Audience.GM)
    assert not Scale.objects.exists()


def test_npcs_move_it_where_the_campaign_says_so(play):
    decide(play, npcs_feed=True)
    play.roll(9, 9, 9, by=play.gm, character=play.vesper.pk)
    assert play.scale.value == 3
    bank_burn(play.gm, play.burn(Burn.State.OFFERED).pk, key=uuid4())


def test_cancelled_ones_count_where_the_campaign_says_so(play):
    decide(play, cancelled_ones_count=True)
    play.roll(10, 7, 4, 1, 1)
    assert play.scale.value == -1
    assert check(play.campaign) == []


def test_reaching_three_is_offered_to_the_one_whose_roll_it_was(play):
    play.roll(7, 1, 1, 3, 2)
    burn = play.burn(Burn.State.OFFERED)
    assert (burn.kind, burn.character, play.scale.value) == ("trouble", play.silas, -3)
    assert play.kinds() == ["rolls.roll_made", "scale.burn_offered"]
    payload = play.events()[1].described["burns"][0]
    assert payload["title"] == "Trouble Burn available."
    assert payload["sentence"] == "Silas Grey tipped the Scale to −3."
    assert payload["whose"] == {"member": play.mo.pk, "name": "Mo"}
    assert burn.event == play.events()[1]


def test_the_next_action_roll_banks_an_unanswered_offer(play):
    play.roll(8, 9, 10)
    play.roll(4, 5, kind="soak")
    assert play.burn(Burn.State.OFFERED)
    play.roll(4, 5, by=play.other)
    assert play.burn(Burn.State.BANKED).character == play.silas
    assert play.kinds()[-1] == "scale.burn_banked"
    assert play.events()[-1].described["automatic"]


def test_a_second_burn_fires_both_the_banked_one_first(play):
    play.roll(8, 9, 10)
    bank_burn(play.mo, play.burn(Burn.State.OFFERED).pk, key=uuid4())
    play.roll(2, 2, 2, 2, 2, 2, by=play.other)

    fired = list(Burn.objects.filter(state=Burn.State.FIRED).order_by("at"))
    assert [(burn.kind, burn.character) for burn in fired] == [("grace", play.silas), ("trouble", play.corvina)]
    assert play.scale.value == 0
    told = play.events()[-1]
    assert (told.kind, told.described["how"]) == ("scale.burn_fired", "both")
    assert [burn["kind"] for burn in told.described["burns"]] == ["grace", "trouble"]
    assert check(play.campaign) == []


def test_an_unanswered_offer_and_the_next_burn_fire_together(play):
    play.roll(2, 2, 2)
    play.roll(8, 8, 8, 8, 8, 8)
    assert Burn.objects.filter(state=Burn.State.FIRED).count() == 2
    assert play.kinds()[-2:] == ["scale.burn_banked", "scale.burn_fired"]
    assert check(play.campaign) == []


def test_a_major_burn_keeps_the_bank_unless_the_campaign_says_otherwise(play):
    play.roll(8, 9, 10)
    play.roll(9, 9, 9, 9, 9)
    assert play.burn(Burn.State.BANKED).kind == "grace"
    assert play.burn(Burn.State.OPEN).major
    assert play.scale.value == 0


def test_a_major_burn_may_take_the_bank_with_it(play):
    decide(play, major_clears_bank=True)
    play.roll(8, 9, 10)
    play.roll(9, 9, 9, 9, 9)
    assert play.burn(Burn.State.LOST).kind == "grace"
    assert [burn["state"] for burn in play.events()[-1].described["burns"]] == ["lost", "open"]
    assert check(play.campaign) == []


def test_burn_dice_are_used_up_by_the_next_action_roll_alone(play):
    Momentum.objects.create(character=play.silas, die_modifier=1)
    assert len(play.roll(5, 5, dice=2, kind="soak").faces) == 2
    assert len(play.roll(5, 5, dice=2, audience=Audience.GM).faces) == 2
    roll = play.roll(5, 5, 5, dice=2)
    assert len(roll.faces) == 3
    assert roll.event.described["pool"]["extra_dice"] == 1
    assert roll.event.described["momentum"][0]["die_modifier"] == 0
    assert len(play.roll(5, 5, dice=2).faces) == 2


def test_while_a_major_burn_waits_only_rolls_that_feed_it_wait(play):
    play.roll(*[9] * 8)
    for by in (play.mo, play.other):
        with pytest.raises(Blocked):
            play.roll(5, by=by)
    play.roll(5, kind="soak")
    play.roll(5, audience=Audience.GM)
    play.roll(5, by=play.gm, character=play.vesper.pk)


def test_every_character_may_have_a_scale_of_its_own(play):
    decide(play, shared=False)
    play.roll(9, 9)
    play.roll(2, by=play.other)
    values = dict(Scale.objects.exclude(character=None).values_list("character__name", "value"))
    assert values == {"Silas Grey": 2, "Corvina": -1}
    assert check(play.campaign) == []


def test_a_major_burn_of_one_holds_up_nobody_else(play):
    decide(play, shared=False)
    play.roll(*[9] * 8)
    with pytest.raises(Blocked):
        play.roll(5)
    assert play.roll(5, by=play.other)


def test_the_scale_changes_hands_only_while_no_burn_is_unsettled(play):
    play.roll(9, 9, 9)
    with pytest.raises(Blocked):
        decide(play, shared=False)
    play.roll(2, 2, 2, 2, 2, 2)
    assert Burn.objects.filter(state=Burn.State.FIRED).count() == 2
    with pytest.raises(Blocked):
        decide(play, shared=False)
    decide(play, npcs_feed=True)
    changed = play.events()[-1].described["changes"]
    assert [(change["name"], change["before"], change["after"]) for change in changed] == [
        ("scale.npcs_feed", "no", "yes")
    ]


def test_deciding_the_same_again_is_no_event(play):
    decide(play)
    assert play.kinds() == []
