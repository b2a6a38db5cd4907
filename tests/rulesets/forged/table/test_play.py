"""Resistance and fortune at the table: what they cost and say, and what is refused."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Invalid
from rolls.services.rolls import correct_roll, void_roll
from tests.answers import refusal
from tests.rulesets.forged.table.forged import card, roll, scoundrel, stress


def resist(play, *faces, **ask):
    return roll(play, *faces, kind="resistance", **ask)


def test_silas_resists_a_wound_with_three_dice_and_a_five_for_one_stress(play, cross):
    """This is the printed example of forged.txt, Resistance Roll."""
    made = resist(play, 5, 2, 1, character=cross, attribute="prowess", consequence="Gut stabbed")
    assert (made.event.described["words"], made.outcome["stress"]) == ("Prowess 3", 1)
    assert stress(cross) == 4
    told = card(play)
    assert (told["headline"], told["detail"]) == ("1 stress", "Gut stabbed is reduced")
    assert told["costs"][0]["marked"] == 1


def test_a_critical_clears_one_stress_but_none_that_is_not_there(play, cross):
    made = resist(play, 6, 6, 1, character=cross)
    assert (made.event.described["headline"], stress(cross)) == ("Clears 1 stress", 2)
    void_roll(play.gm, made.pk, key=uuid4())
    assert stress(cross) == 3
    calm = scoundrel(play, "Aldo", stress=0)
    made = resist(play, 6, 6, 1, character=calm)
    assert (card(play)["costs"][0]["marked"], stress(calm)) == (0, 0)


def test_a_six_costs_nothing_and_no_rating_keeps_the_lowest_of_two(play, cross):
    resist(play, 6, 2, 1, character=cross)
    assert card(play)["costs"] == []
    made = resist(play, 6, 2, character=cross, attribute="insight")
    assert (made.outcome["stress"], stress(cross)) == (4, 7)


@pytest.mark.parametrize(
    ("kind", "dice", "cost"), [("resistance", 5, [("push", 2), ("resistance", 1)]), ("fortune", 3, [("push", 2)])]
)
def test_a_push_and_abilities_add_dice_with_the_reason(play, cross, kind, dice, cost):
    made = roll(play, 5, 1, 1, 1, 1, kind=kind, character=cross, push_die=True, more=1, more_from="Iron will")
    told = card(play)
    assert (len(made.faces), stress(cross)) == (dice, 3 + sum(stress for _, stress in cost))
    assert [(one["words"], one["dice"]) for one in told["extras"]] == [("push", 1), ("Iron will", 1)]
    assert [(one["why"], one["stress"]) for one in told["costs"]] == cost
    assert refusal(Invalid, roll, play, kind=kind, character=cross, more=1).field == "more_from"


def test_resisting_never_goes_above_the_track_and_the_card_asks_for_a_trauma(play):
    tired = scoundrel(play, stress=7)
    resist(play, 1, 2, 1, character=tired)
    assert stress(tired) == 9
    assert (card(play)["costs"][0]["marked"], card(play)["costs"][0]["full"]) == (2, True)


def test_without_a_sheet_the_rating_is_typed_and_the_cost_is_only_told(play):
    resist(play, 3, 1, rating=2, attribute="resolve", resisting="avoids")
    told = card(play)
    assert (told["words"], told["detail"]) == ("Resolve 2", "the consequence is avoided")
    assert told["costs"] == [{"character": None, "stress": 3, "why": "resistance", "marked": None, "full": False}]


def test_the_gm_says_later_that_it_is_avoided_and_the_stress_stays(play, cross):
    made = resist(play, 4, 2, 1, character=cross, consequence="disarmed")
    again = correct_roll(play.gm, made.pk, {"resisting": "avoids"}, key=uuid4())
    assert again.event.described["detail"] == "disarmed is avoided"
    assert stress(cross) == 5


@pytest.mark.parametrize(
    ("faces", "headline", "detail", "ticks"),
    [
        ((6, 6), "Exceptional", "great effect", 3),
        ((6, 1), "Good", "standard effect", 2),
        ((4, 1), "Mixed", "limited effect", 1),
        ((3, 1), "Bad", "little effect", 0),
    ],
)
def test_fortune_says_how_it_turns_out_and_how_far(play, faces, headline, detail, ticks):
    made = roll(play, *faces, kind="fortune", by=play.gm, trait=3, advantages=1, disadvantages=2)
    told = card(play)
    assert (told["headline"], told["detail"], made.outcome["ticks"]) == (headline, detail, ticks)
    assert told["extras"] == [{"words": "advantages", "dice": 1}, {"words": "disadvantages", "dice": -2}]
