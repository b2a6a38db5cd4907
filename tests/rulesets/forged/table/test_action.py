"""Action rolls at the table: pool, position, effect, what follows; who pays; what is refused."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Blocked, Invalid
from rolls.models import Audience, Roll
from rolls.services.rolls import correct_roll, make_roll, reveal_roll, void_roll
from rolls.services.settings import change_settings
from rolls.settings import RollSettings
from rulesets.forged.rules import Settings
from rulesets.forged.terms import ActionTerms
from tests.answers import refusal
from tests.rulesets.forged.table.forged import card, players_say, roll, scoundrel, stress


@pytest.fixture(autouse=True)
def said_by_players(play):
    players_say(play)


@pytest.fixture
def corvina(play):
    return scoundrel(play, "Thorn", play.other)


def decide(play, **chosen):
    change_settings(play.gm, RollSettings((Settings(**chosen),)), key=uuid4())


def correct(play, made, **changes):
    return correct_roll(play.gm, made.pk, changes, key=uuid4())


def test_a_risky_partial_success_says_what_is_done_and_what_the_gm_picks_from(play, cross):
    roll(play, 2, 5, 1, character=cross, action="skirmish")
    told = card(play)
    assert (told["headline"], told["detail"], told["outcome"]) == ("Partial success", "done, at a cost", "partial")
    assert (told["position"], told["reached"], told["ticks"]) == ("risky", "standard", 2)
    assert [die["role"] for die in told["dice"]] == ["dropped", "kept", "dropped"]
    assert "moderate harm (level 2)" in told["follows"]["menu"]
    assert (told["xp"], told["costs"]) == (0, [])


def test_two_sixes_are_critical_and_take_the_effect_one_level_up(play):
    made = roll(play, 6, 6, rating=2, effect="great")
    assert (made.outcome["result"], made.outcome["reached"], made.outcome["ticks"]) == ("critical", "extreme", 4)
    assert [die["role"] for die in made.outcome["dice"]] == ["kept", "critical"]


def test_a_desperate_roll_marks_xp_in_the_attribute_of_its_action(play, cross):
    roll(play, 1, 2, 3, character=cross, action="skirmish", position="desperate")
    told = card(play)
    assert (told["xp"], told["xp_in"]) == (1, "Prowess")
    assert (told["reached"], told["ticks"]) == ("", 0)
    assert "severe harm (level 3)" in told["follows"]["menu"]


def xp(character, attribute="prowess"):
    character.refresh_from_db()
    return character.number(f"{attribute}_xp")


def test_xp_of_a_desperate_roll_follows_its_correction_and_goes_with_it(play, cross):
    risky = roll(play, 1, 2, 3, 4, character=cross, action="skirmish", push_die=True)
    assert (xp(cross), stress(cross)) == (0, 5)
    desperate = correct(play, risky, position="desperate")
    assert (xp(cross), stress(cross)) == (1, 5)
    assert (card(play)["xp_marked"], card(play)["costs"][0]["marked"]) == (1, 2)
    assert xp(cross) == 1
    again = correct(play, desperate, position="risky")
    assert (xp(cross), stress(cross)) == (0, 5)
    assert "xp_marked" not in card(play)
    void_roll(play.gm, again.pk, key=uuid4())
    assert (xp(cross), stress(cross)) == (0, 3)


def test_xp_has_to_find_room_and_is_left_to_whose_sheet_it_is(play, cross, corvina):
    full = scoundrel(play, "Full", prowess_xp=6)
    made = roll(play, 1, 2, 3, character=full, action="skirmish", position="desperate")
    assert (card(play)["xp_marked"], xp(full)) == (0, 6)
    void_roll(play.gm, made.pk, key=uuid4())
    assert xp(full) == 6
    roll(play, 1, 2, rating=2, position="desperate")
    assert (card(play)["xp"], "xp_marked" in card(play)) == (1, False)


def test_a_roll_of_a_version_that_kept_its_costs_itself_is_corrected_and_taken_back(play, cross):
    made = roll(play, 1, 2, 3, 4, character=cross, action="skirmish", push_die=True)
    kept = {name: value for name, value in made.ask.items() if name not in ("marks", "boxes")}
    cost = {"payer": str(cross.pk), "stress": 2, "why": "push", "marked": 2, "full": False}
    Roll.objects.filter(pk=made.pk).update(ask=kept | {"costs": [cost]}, written=None)
    again = correct(play, made, position="desperate")
    assert (stress(cross), xp(cross), card(play)["costs"][0]["marked"]) == (5, 0, 2)
    void_roll(play.gm, again.pk, key=uuid4())
    assert stress(cross) == 3


def test_bonus_dice_and_harm_are_counted_and_named(play, cross, corvina):
    made = roll(
        play, 1, 2, 3, 4, character=cross, action="skirmish", helper=corvina.pk, bargain="a witness", harm2=True
    )
    assert made.ask["dice"] == 4
    assert card(play)["extras"] == [
        {"words": "help from Thorn", "dice": 1},
        {"words": "Devil’s Bargain", "dice": 1},
        {"words": "harm", "dice": -1},
    ]
    assert card(play)["bargain"] == "a witness"


def test_a_push_is_marked_on_the_sheet_and_comes_back_when_the_roll_is_taken_back(play, cross):
    made = roll(play, 1, 2, 3, 4, character=cross, action="skirmish", push_die=True, push_effect=True)
    assert made.ask["dice"] == 4
    assert stress(cross) == 7
    assert card(play)["costs"] == [{"character": cross.ref, "stress": 4, "why": "push", "marked": 4, "full": False}]
    void_roll(play.gm, made.pk, key=uuid4())
    assert stress(cross) == 3


def test_helping_is_marked_by_the_helper_unless_the_gm_rolls(play, cross, corvina):
    roll(play, 1, 2, 3, 4, character=cross, action="skirmish", helper=corvina.pk)
    assert stress(corvina) == 3
    assert card(play)["costs"] == [
        {"character": corvina.ref, "stress": 1, "why": "help", "marked": None, "full": False}
    ]
    roll(play, 1, 2, 3, by=play.gm, rating=2, helper=corvina.pk)
    assert stress(corvina) == 4


def test_a_push_that_fills_the_track_counts_and_the_card_asks_for_a_trauma(play):
    tired = scoundrel(play, stress=8)
    made = roll(play, 1, 2, 3, 4, character=tired, action="skirmish", push_die=True)
    assert stress(tired) == 9
    cost = card(play)["costs"][0]
    assert (cost["marked"], cost["full"]) == (1, True)
    refused = refusal(Blocked, roll, play, 1, 2, 3, 4, character=tired, action="skirmish", push_die=True)
    assert "Choose a trauma first" in refused.message
    void_roll(play.gm, made.pk, key=uuid4())
    assert stress(tired) == 8


def test_a_campaign_may_refuse_a_push_that_fills_the_track(play):
    decide(play, filling_stress_counts=False)
    tired = scoundrel(play, stress=8)
    refused = refusal(Invalid, roll, play, 1, 2, 3, 4, character=tired, action="skirmish", push_die=True)
    assert refused.field == "push"
    assert stress(tired) == 8


def test_the_gm_corrects_position_and_effect_and_the_same_dice_are_read_again(play, cross):
    made = roll(play, 2, 5, 1, character=cross, action="skirmish", push_effect=True)
    again = correct(play, made, position="desperate", effect="limited", note="said too late")
    assert again.faces == made.faces
    assert (again.outcome["position"], again.outcome["reached"], again.outcome["xp"]) == ("desperate", "standard", 1)
    assert (card(play)["said"], card(play)["note"]) == ({"position": "desperate", "effect": "limited"}, "said too late")
    assert stress(cross) == 5
    void_roll(play.gm, again.pk, key=uuid4())
    assert stress(cross) == 3


def test_reduced_effect_is_taken_off_last_when_it_is_the_consequence(play, cross):
    made = roll(play, 2, 5, 1, character=cross, action="skirmish", effect="great")
    assert made.outcome["ticks"] == 3
    again = correct(play, made, reduced=True)
    assert (again.outcome["reached"], again.outcome["ticks"]) == ("standard", 2)


def test_a_correction_that_cannot_be_leaves_the_roll_as_it_was(play):
    made = roll(play, 6, 1, rating=2, trade="effect")
    for field, wrong in (
        ("trade", {"position": "desperate"}),
        ("effect", {"effect": "huge"}),
        ("rating", {"rating": 4}),
    ):
        assert refusal(Invalid, correct, play, made, **wrong).field == field
    made.refresh_from_db()
    assert made.voided_at is None


def test_an_action_that_no_sheet_has_is_named_at_its_field(play, cross):
    for name in ("brawl", "s"):
        assert refusal(Invalid, roll, play, 1, 2, 3, character=cross, action=name).field == "action"


def test_only_another_players_character_in_play_helps(play, cross):
    for helper in (cross, play.vesper):
        refused = refusal(Invalid, roll, play, 1, 2, 3, 4, character=cross, action="skirmish", helper=helper.pk)
        assert refused.field == "helper"


def test_faces_of_a_physical_table_are_d6(play):
    made = make_roll(play.mo, ActionTerms(rating=2), audience=Audience.TABLE, key=uuid4(), faces=[6, 6])
    assert (made.hand_rolled, made.outcome["result"]) == (True, "critical")
    for faces in ([6, 7], [6], [0, 6]):
        with pytest.raises(Invalid) as refused:
            make_roll(play.mo, ActionTerms(rating=2), audience=Audience.TABLE, key=uuid4(), faces=faces)
        assert refused.value.field == "faces"


def test_a_hidden_npc_is_rolled_for_the_gm_alone_and_shown_later(play):
    play.vesper.shown = False
    play.vesper.save()
    assert refusal(Invalid, roll, play, 1, 2, by=play.gm, character=play.vesper, rating=2).field == "audience"
    made = roll(play, 1, 2, by=play.gm, audience=Audience.GM, rating=2)
    assert "rolls.roll_made" not in play.kinds()
    reveal_roll(play.gm, made.pk, key=uuid4())
    assert "rolls.roll_revealed" in play.kinds()
