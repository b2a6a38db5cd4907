"""Pool against pool at the table: what the card says, what it costs, who sees it."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Invalid
from rolls.events import described
from rolls.models import Audience, Roll
from rolls.services.rolls import correct_roll, make_roll, reveal_roll, void_roll
from rolls.services.settings import change_settings
from rolls.settings import RollSettings
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.table.ask import DescriptorsInput
from tests import dice


def oppose(play, a: tuple[int, ...], b: tuple[int, ...], *, by=None, audience=Audience.TABLE, **ask) -> Roll:
    """Roll Silas's faces and those against him; by default the pools are numbers of dice."""
    by = by or play.mo
    dice.unload()
    dice.load(*a, *b)
    mine = play.silas.pk if by == play.mo else None
    asked = DescriptorsInput(**{"character": mine, "pool": str(len(a)), "against": str(len(b))} | ask)
    return make_roll(by, asked, audience=audience, key=uuid4())


def drawn(roll: Roll) -> list[tuple[str, str]]:
    """Return the pairs of a card as "face look" of either side."""
    return [
        tuple(f"{die['face']} {die['look']}" if die else "" for die in (pair["a"], pair["b"]))
        for pair in roll.event.described["pairs"]
    ]


def test_the_higher_die_wins_and_the_losers_best_is_the_target_number(play):
    roll = oppose(play, (5, 9, 7), (4, 6))
    payload = roll.event.described
    assert drawn(roll) == [("9 success", "6 target"), ("7 success", "4 below"), ("5 below", "")]
    assert (payload["winner"], payload["successes"], payload["target"]) == ("a", 2, 6)
    assert (payload["outcome"], payload["detail"]) == ("win", "2 successes, target number 6")
    assert [pair["decides"] for pair in payload["pairs"]] == [True, False, False]
    assert roll.faces == [5, 9, 7, 4, 6]


def test_equal_dice_from_the_top_are_passed_over(play):
    roll = oppose(play, (9, 4), (9, 8, 5))
    assert drawn(roll) == [("9 ignored", "9 ignored"), ("4 target", "8 success"), ("", "5 success")]
    assert (roll.event.described["outcome"], roll.event.described["detail"]) == ("loss", "2 successes, target number 4")


def test_when_all_are_equal_more_dice_win_with_one_success(play):
    roll = oppose(play, (7, 3, 2, 2), (3, 7))
    assert roll.event.described["detail"] == "1 success: all pairs are equal, and more dice win"
    assert roll.event.described["successes"] == 1
    assert drawn(roll)[2:] == [("2 success", ""), ("2 success", "")]


def test_the_same_dice_on_both_sides_are_a_stalemate(play):
    payload = oppose(play, (7, 3), (3, 7)).event.described
    assert (payload["outcome"], payload["winner"], payload["after"]) == ("stalemate", None, None)


def test_a_side_without_dice_loses_by_one_and_two_of_them_are_a_stalemate(play):
    payload = oppose(play, (1,), ()).event.described
    assert (payload["winner"], payload["detail"]) == ("a", "1 success: no dice against it")
    roll = oppose(play, (), ())
    assert (roll.faces, roll.event.described["outcome"], roll.event.described["pairs"]) == ([], "stalemate", [])


def test_what_a_win_may_bring_is_said(play):
    told = oppose(play, (9, 8), (2,), versus="a guard").event.described
    assert (told["after"], told["falls"]) == (
        {"dice": 2, "falls": None},
        "A hit of 2 on a guard, who has no sheet here.",
    )


def test_a_card_of_an_older_version_is_still_drawn(play):
    told = dict(oppose(play, (9, 8), (2,), versus="a guard").event.payload)
    older = {"dice": 2, "box": 2, "last": False, "injury_instead": True}
    drawn = described(told | {"card": told["card"] | {"after": older}})
    assert drawn["falls"] == "A guard crosses off box 2 if it’s free. A guard may take a level 2 Injury instead."


def test_pools_are_named_on_the_card(play):
    roll = oppose(
        play, (9,) * 5, (2,) * 3, pool="Swordplay 3 + their Pride 2", against="2 + Shield wall 1D", versus="a guard"
    )
    payload = roll.event.described
    assert payload["a"]["words"] == "Swordplay 3 + their Pride 2"
    assert payload["b"]["words"] == "Shield wall 1 + 2 dice"
    assert payload["words"] == "Swordplay 3 + their Pride 2 against Shield wall 1 + 2 dice"
    assert (payload["b"]["name"], payload["b"]["character"]) == ("a guard", None)


def test_each_descriptor_costs_its_side_and_brings_its_owner_one_will(play):
    payload = oppose(
        play, (9,) * 5, (2,) * 3, pool="Swordplay 3 + their Pride 2", against="2 + Shield wall 1"
    ).event.described
    assert payload["a"]["costs"] == "2 Will to pay"
    assert payload["b"]["costs"] == "1 Will to pay, 1 Will to gain"
    assert oppose(play, (9,), (2,)).event.described["a"]["costs"] == ""


def test_a_known_character_is_named_by_a_link_and_not_by_words(play):
    payload = oppose(play, (9,), (2,), versus="vesper").event.described
    assert (payload["b"]["name"], payload["b"]["character"]) == ("Vesper", play.vesper.ref)


@pytest.mark.parametrize(
    ("ask", "field"),
    [
        ({"pool": "101"}, "pool"),
        ({"pool": "1000000000"}, "pool"),
        ({"pool": "9" * 300}, "pool"),
        ({"pool": "60 + Swordplay 41"}, "pool"),
        ({"pool": ""}, "pool"),
        ({"pool": "3 +"}, "pool"),
        ({"pool": "-3"}, "pool"),
        ({"pool": "Luck -3"}, "pool"),
        ({"pool": "Luck 0"}, "pool"),
        ({"pool": "NaN"}, "pool"),
        ({"pool": "1e9"}, "pool"),
        ({"pool": "10**9"}, "pool"),
        ({"pool": "Swordplay"}, "pool"),
        ({"pool": "their Swordplay"}, "pool"),
        ({"pool": f"{'x' * 81} 3"}, "pool"),
        ({"pool": "x" * 301}, "pool"),
        ({"pool": "Luck 1 + Luck 2"}, "pool"),
        ({"pool": "Luck 1", "against": "their Luck 1"}, "pool"),
        ({"against": ""}, "against"),
        ({"against": "101"}, "against"),
        ({"against": "Shield"}, "against"),
        ({"versus": "x" * 81}, "versus"),
        ({"note": "x" * 201}, "note"),
    ],
)
def test_what_cannot_be_rolled_is_refused_at_its_field(play, ask, field):
    with pytest.raises(Invalid) as refused:
        oppose(play, (5,), (5,), **ask)
    assert refused.value.field == field
    assert not Roll.objects.exists()


def test_a_campaign_may_refuse_sides_without_dice(play):
    change_settings(play.gm, RollSettings((Settings(fewest_dice=1),)), key=uuid4())
    with pytest.raises(Invalid):
        oppose(play, (5,), ())
    assert oppose(play, (5,), (4,)).faces == [5, 4]


def test_a_campaign_may_roll_other_dice(play):
    change_settings(play.gm, RollSettings((Settings(sides=6),)), key=uuid4())
    ask = DescriptorsInput(pool="1", against="1")
    with pytest.raises(Invalid) as refused:
        make_roll(play.mo, ask, audience=Audience.TABLE, key=uuid4(), faces=[7, 1])
    assert refused.value.field == "faces"


def test_a_campaign_that_does_not_play_by_these_rules_refuses(play):
    play.campaign.systems = ["storyteller"]
    play.campaign.save()
    with pytest.raises(Invalid) as refused:
        oppose(play, (5,), (4,))
    assert refused.value.field == "system"


def test_dice_from_a_real_table_are_typed_side_by_side(play):
    ask = DescriptorsInput(pool="2", against="1")
    roll = make_roll(play.mo, ask, audience=Audience.TABLE, key=uuid4(), faces=[3, 0, 9])
    assert drawn(roll) == [("10 success", "9 target"), ("3 below", "")]
    assert roll.event.described["hand_rolled"]
    with pytest.raises(Invalid) as refused:
        make_roll(play.mo, ask, audience=Audience.TABLE, key=uuid4(), faces=[3, 10])
    assert refused.value.field == "faces"


def test_a_roll_for_few_is_told_to_few(play):
    assert oppose(play, (5,), (4,), audience=Audience.SELF).event.stream.name == play.mo.stream
    assert oppose(play, (5,), (4,), audience=Audience.GM).event.stream.name == "gm"
    assert play.kinds() == []


def test_an_npc_nobody_knows_is_named_to_the_gm_alone(play):
    play.vesper.shown = False
    play.vesper.save()
    for audience in (Audience.TABLE, Audience.SELF):
        with pytest.raises(Invalid) as refused:
            oppose(play, (5,), (4,), by=play.gm, audience=audience, versus="Vesper")
        assert refused.value.field == "versus"
    roll = oppose(play, (5,), (4,), by=play.gm, audience=Audience.GM, versus="Vesper")
    assert roll.event.described["b"]["character"] == play.vesper.ref
    with pytest.raises(Invalid):
        reveal_roll(play.gm, roll.pk, key=uuid4())


def test_what_an_npc_was_called_in_hiding_stays_with_the_gm(play):
    play.vesper.shown = False
    play.vesper.save()
    roll = oppose(play, (5,), (4,), by=play.gm, audience=Audience.GM, versus="Vesper")
    play.vesper.name, play.vesper.shown = "A stranger", True
    play.vesper.save()
    reveal_roll(play.gm, roll.pk, key=uuid4())
    void_roll(play.gm, roll.pk, key=uuid4())
    told = str([event.described for event in play.events()])
    assert "A stranger" in told
    assert "Vesper" not in told


def test_for_a_player_the_name_of_a_hidden_npc_is_only_words(play):
    play.vesper.shown = False
    play.vesper.save()
    payload = oppose(play, (5,), (4,), versus="Vesper").event.described
    assert (payload["b"]["name"], payload["b"]["character"]) == ("Vesper", None)


def test_only_the_note_is_corrected_and_the_dice_stay(play):
    roll = oppose(play, (9, 2), (4,), note="a duel")
    with pytest.raises(Invalid):
        correct_roll(play.gm, roll.pk, {"a": {"dice": 1}}, key=uuid4())
    corrected = correct_roll(play.gm, roll.pk, {"note": "the duel"}, key=uuid4())
    assert (corrected.faces, corrected.ask["note"]) == ([9, 2, 4], "the duel")
    assert drawn(corrected) == drawn(roll)
