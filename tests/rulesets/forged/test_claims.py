"""Trauma, harm, recovery and vice of a scoundrel, heat and payoff of a crew (public rules; forged.txt, line 102, for harm)."""

from uuid import uuid4

import pytest

from campaigns.errors import Forbidden, Invalid
from campaigns.models import Campaign
from characters.queries.ledger import standing_of
from characters.services import Card, add_row, lock_sheet, make_character, set_field
from characters.services.claims import make_claim
from rulesets.forged.claims import RecoveryClaim, TraumaClaim
from tests.characters.operations import told
from tests.characters.xp import kept, make_thorn, now, read_claim


@pytest.fixture
def thorn(cast):
    return make_thorn(cast)


@pytest.fixture
def crew(cast):
    return make_character(cast.gm.member, Card("The Wick"), is_crew=True, key=uuid4())


def claim(cast, character, kind, **given):
    claimed = make_claim(cast.player.member, character, kind, given, key=uuid4())
    return read_claim(claimed), now(character)


def put(cast, character, **values):
    for name, value in values.items():
        character = set_field(cast.gm.member, character, name, value, expected=now(character).value(name), key=uuid4())
    return character


def harm_of(character):
    return {level: [row["name"] for row in character.sheet.get(f"harm_{level}", [])] for level in (1, 2, 3)}


def test_full_stress_asks_for_a_trauma_and_is_cleared_by_it(cast, thorn):
    with pytest.raises(Invalid):
        claim(cast, put(cast, thorn, stress=8), "trauma", trauma="cold")
    words, thorn = claim(cast, put(cast, now(thorn), stress=9), "trauma", trauma="cold")
    assert words == "Trauma: cold, and the stress is cleared; they are out of this"
    assert (thorn.value("trauma_cold"), thorn.value("stress")) == (True, 0)


def test_the_fourth_trauma_retires_and_none_is_had_twice(cast, thorn):
    thorn = put(cast, thorn, stress=9, trauma_cold=True, trauma_soft=True, trauma_vicious=True)
    (choice,) = TraumaClaim().asks(standing_of(thorn))
    assert "cold" not in dict(choice.choices) and len(choice.choices) == 5
    words, _ = claim(cast, thorn, "trauma", trauma="haunted")
    assert words.endswith("it was the last, and they retire")


def test_a_campaign_with_fewer_boxes_asks_sooner(cast, thorn):
    Campaign.objects.update(settings={"forged": {"boxes": 6}})
    _, thorn = claim(cast, put(cast, now(thorn), stress=6), "trauma", trauma="soft")
    assert thorn.value("stress") == 0


def test_harm_goes_into_its_row_or_up_and_empties_the_healing_clock(cast, thorn):
    thorn = put(cast, thorn, healing=3)
    for name in ("Cut to the Ribs", "Limping"):
        words, thorn = claim(cast, thorn, "harm", level="2", name=name)
    assert (words, thorn.value("healing")) == ("Harm 2: Limping", 0)
    words, thorn = claim(cast, thorn, "harm", level="2", name="Shot")
    assert words == "Harm 2: Shot, written as 3 since what is below is full"
    assert harm_of(thorn) == {1: [], 2: ["Cut to the Ribs", "Limping"], 3: ["Shot"]}
    words, thorn = claim(cast, thorn, "harm", level="3", name="Burnt")
    assert words == "Harm 3: Burnt, fatal or as good as that"
    assert harm_of(thorn)[3] == ["Shot"]


def test_a_full_healing_clock_brings_all_harm_down_and_begins_again(cast, thorn):
    assert RecoveryClaim().asks(standing_of(thorn)) == ()
    for level, name in ((1, "Bruised"), (2, "Limping"), (3, "Shot")):
        thorn = add_row(cast.player.member, thorn, f"harm_{level}", {"name": name}, key=uuid4())
    words, thorn = claim(cast, put(cast, thorn, healing=2), "recovery", ticks="3")
    assert words == "Recovery, 3 on the healing clock; every harm comes down a level"
    assert harm_of(thorn) == {1: ["Limping"], 2: ["Shot"], 3: []}
    assert thorn.value("healing") == 1


def test_a_healing_clock_that_was_filled_by_hand_counts_as_full(cast, thorn):
    thorn = add_row(cast.player.member, thorn, "harm_1", {"name": "Bruised"}, key=uuid4())
    words, thorn = claim(cast, put(cast, thorn, healing=4), "recovery", ticks="1")
    assert words.endswith("every harm comes down a level")
    assert (harm_of(thorn)[1], thorn.value("healing")) == ([], 0)


@pytest.mark.parametrize(
    ("die", "stress", "words"),
    [
        ("4", 3, "The vice was indulged: stress 7 to 3"),
        ("0", 9, "The vice was left alone: stress 7 to 9"),
    ],
)
def test_a_vice_clears_the_die_and_without_it_traumas_cost(cast, thorn, die, stress, words):
    thorn = put(cast, thorn, stress=7, trauma_cold=True, trauma_soft=True)
    said, thorn = claim(cast, thorn, "vice", die=die)
    assert (said, thorn.value("stress")) == (words, stress)


def test_a_die_above_what_was_marked_overindulges(cast, thorn):
    words, thorn = claim(cast, put(cast, thorn, stress=2), "vice", die="5")
    assert (words, thorn.value("stress")) == ("The vice was indulged: stress 2 to 0; overindulged", 0)


@pytest.mark.parametrize(
    ("given", "words", "stress"),
    [
        ({"why": "group", "more": "2"}, "2 stress for a group action", 7),
        ({"why": "complex"}, "1 stress for a flashback", 6),
        ({"why": "elaborate", "more": "1"}, "3 stress for a flashback", 8),
        ({"why": "group", "more": "7"}, "7 stress for a group action", 9),
    ],
)
def test_who_leads_and_who_looks_back_pays(cast, thorn, given, words, stress):
    """forged.txt, Lead a group action, line 164: 1 for each who rolled 1-3."""
    said, thorn = claim(cast, put(cast, thorn, stress=5), "stress", **given)
    assert (said, thorn.value("stress")) == (words, stress)


def test_only_an_elaborate_flashback_costs_more(cast, thorn):
    with pytest.raises(Invalid):
        claim(cast, thorn, "stress", why="complex", more="1")


def test_nine_heat_are_a_wanted_level_and_the_rest_rolls_over(cast, crew):
    """Also from the ninth box, marked by hand: it was a wanted level all along."""
    words, crew = claim(cast, put(cast, crew, heat=7), "heat", exposure="loud", killing="yes")
    assert words == "6 heat, now 4; the wanted level is 1"
    words, crew = claim(cast, put(cast, crew, heat=9), "heat", exposure="unseen")
    assert (words, crew.value("heat"), crew.value("wanted")) == ("0 heat, now 0; the wanted level is 2", 0, 2)


def test_a_payoff_is_rep_by_the_target_and_coin(cast, crew):
    words, crew = claim(cast, put(cast, crew, tier=1), "payoff", target="3", take="small")
    assert words == "4 rep and 4 coin; what a track has no room for is theirs to place"
    assert (crew.value("rep"), crew.value("coin")) == (4, 4)
    with pytest.raises(Invalid):
        claim(cast, crew, "payoff", target="1", take="small", extra="2")


def test_nothing_is_written_at_once_on_a_locked_sheet(cast, thorn):
    lock_sheet(cast.gm.member, thorn, key=uuid4())
    with pytest.raises(Forbidden):
        claim(cast, now(thorn), "harm", level="1", name="Bruised")


def test_the_log_keeps_names_and_numbers_of_what_is_claimed(cast, thorn, crew):
    _, thorn = claim(cast, put(cast, thorn, stress=9), "trauma", trauma="cold")
    for level in ("2", "2", "2", "3"):
        _, thorn = claim(cast, thorn, "harm", level=level, name="Limping")
    _, thorn = claim(cast, put(cast, thorn, healing=2), "recovery", ticks="3")
    _, thorn = claim(cast, put(cast, thorn, stress=2), "vice", die="5")
    claim(cast, thorn, "stress", why="group", more="2")
    claim(cast, crew, "heat", exposure="loud")
    claim(cast, crew, "payoff", target="3", take="small")
    assert kept() == {"Mo", "Gm", "Thorn", "The Wick", "Limping"}


def test_a_sheet_says_which_claim_was_written_on_it(cast, thorn):
    claim(cast, put(cast, thorn, stress=9), "trauma", trauma="cold")
    written = next(event for event in told() if "trauma_cold" in str(event.payload.get("cell")))
    assert written.payload["why"] == ""
    assert written.described["why"] == "Trauma: cold, and the stress is cleared; they are out of this"
