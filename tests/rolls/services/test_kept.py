"""Rolls that somebody keeps for a character: theirs alone, by names, and gone with what they typed."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Invalid, NotFound
from campaigns.models import Event
from campaigns.services.erasing import erase_words
from rolls.models import SavedRoll
from rolls.queries.kept import LAST, kept_rolls
from rolls.services.rolls import MOST_SAVED, save_roll
from rulesets.arc.terms import ArcInput
from tests.answers import refusal
from tests.stored import store

SNEAK = {"pool": "perception + alertness", "difficulty": "7"}


def saved(play, name="Sneak", *, by=None, character=None, key=None):
    character = character or play.silas
    return save_roll(by or play.mo, character.pk, name, "storyteller", SNEAK, key=key or uuid4())


def words(kept, part="saved"):
    return [one["words"] for one in kept[part]]


def test_what_is_saved_is_at_hand_for_the_character_and_nobody_hears_of_it(play):
    before = Event.objects.count()
    made = saved(play)
    found = kept_rolls(play.mo, play.silas)["saved"]
    assert found == [{"id": made.pk, "words": "Sneak", "system": "storyteller", "fields": SNEAK}]
    assert kept_rolls(play.mo, play.corvina)["saved"] == kept_rolls(play.gm, play.silas)["saved"] == []
    assert Event.objects.count() == before


@pytest.mark.parametrize("name", ["", "  ", "x" * 61, "Sneak"])
def test_a_name_is_one_and_no_other_roll_s(play, name):
    saved(play)
    assert refusal(Invalid, saved, play, name).field == "called"
    assert words(kept_rolls(play.mo, play.silas)) == ["Sneak"]


def test_for_others_characters_and_without_end_nothing_is_saved(play):
    for character, by in ((play.corvina, play.mo), (play.vesper, play.mo)):
        with pytest.raises(NotFound):
            saved(play, character=character, by=by)
    for number in range(MOST_SAVED):
        SavedRoll.objects.create(
            character=play.silas,
            by=play.mo,
            name=str(number),
            system="storyteller",
            fields={},
            saved_at=play.campaign.created_at,
        )
    with pytest.raises(Invalid, match="Silas Grey already has 20 saved rolls"):
        saved(play)


def test_the_next_player_of_a_character_finds_nothing_that_others_wrote(play):
    saved(play, "Ambush at the mill", character=play.vesper, by=play.gm)
    store(play.vesper, owner=play.mo)
    assert kept_rolls(play.mo, play.vesper) == {"saved": [], "recent": []}


def test_it_goes_with_all_that_somebody_typed(play):
    saved(play)
    saved(play, by=play.other, character=play.corvina)
    erase_words(play.mo, play.mo, key=uuid4())
    assert [one.by for one in SavedRoll.objects.all()] == [play.other]


def test_the_last_rolls_of_a_character_are_there_to_be_made_again(play):
    play.roll(9, 8, 7)
    play.roll(9, 8, 7, 2, 1, dice=None, traits=("perception", "alertness"), difficulty=7, modifier=0, willpower=True)
    play.roll(9, 8, 7, 2, 1, dice=None, traits=("perception", "alertness"), difficulty=7, note="again")
    play.roll(9, 8, by=play.other)
    recent = kept_rolls(play.mo, play.silas)["recent"]
    pool = {"pool": "Perception + Alertness", "modifier": 0, "difficulty": 7, "kind": "action"}
    assert [one["fields"] for one in recent] == [pool, pool | {"pool": "3", "difficulty": 6}]
    assert words({"recent": recent}, "recent") == ["Perception + Alertness", "3 dice"]


def test_there_are_five_of_them_and_none_that_was_taken_back(play, patience):
    for number in range(1, LAST + 3):
        last = play.roll(*[5] * number)
    store(last, voided_at=last.at)
    recent = kept_rolls(play.mo, play.silas)["recent"]
    assert [one["fields"]["pool"] for one in recent] == ["6", "5", "4", "3", "2"]


def test_rules_that_the_campaign_no_longer_plays_by_offer_nothing(play):
    saved(play)
    play.roll(9, 8, 7)
    play.mo.campaign.systems = [ArcInput.system]
    assert kept_rolls(play.mo, play.silas) == {"saved": [], "recent": []}
