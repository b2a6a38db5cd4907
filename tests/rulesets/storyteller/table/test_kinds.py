"""What a Storyteller roll is: the traits say it, whatever form it comes from, and its card says why the Scale stays."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Invalid
from rolls.events import request_words
from rolls.models import Audience
from rolls.queries.requests import asked_for
from rolls.services.requests import Call, ask_for_roll
from rolls.services.rolls import correct_roll, reveal_roll
from rolls.services.settings import change_settings
from rolls.settings import RollSettings
from rulesets.storyteller.table.ask import StorytellerInput
from scale.models import Momentum, Scale
from scale.queries.projection import check
from scale.rules import scale as rules
from tests.sheets import put

OWN_KINDS = [
    (("willpower",), "willpower", "a Willpower roll"),
    (("Will",), "willpower", "a Willpower roll"),
    (("inspiration",), "inspiration", "an Inspiration roll"),
    (("humanity",), "humanity", "a Humanity roll"),
    (("courage",), "virtue", "a Virtue roll"),
    (("self-control", "Conscience"), "virtue", "a Virtue roll"),
]


STAYS = "The Scale stays: "


def said(event):
    """Return why the Scale stays, by a card; "" if it moves."""
    return "".join(event.described["asides"]).removeprefix(STAYS)


def unmoved(roll):
    return said(roll.event)


def rolled(play, *traits, **ask):
    return play.roll(9, 9, 9, 9, 9, 9, 9, dice=None, traits=traits, **ask)


@pytest.mark.parametrize(("traits", "kind", "why"), OWN_KINDS)
def test_traits_of_their_own_kind_move_no_scale_and_the_card_says_why(play, traits, kind, why):
    put(play.silas, {"humanity": 7, "courage": 3, "self_control": 2, "conscience": 2, "inspiration": 7})
    Momentum.objects.create(character=play.silas, die_modifier=1)
    roll = rolled(play, *traits)
    assert (roll.kind, roll.ask["extra_dice"]) == (kind, 0)
    assert ("scale" in roll.event.described, unmoved(roll)) == (False, why)
    assert not Scale.objects.exists()


def test_a_virtue_beside_an_attribute_is_part_of_an_action(play):
    roll = rolled(play, "courage", "perception")
    assert (roll.kind, unmoved(roll)) == ("action", "")
    assert play.scale.value == 4


def test_what_a_row_of_the_sheet_is_rolled_as_is_for_the_gm_to_say(play):
    put(play.silas, {"powers": [{"id": "p1", "name": "Conviction", "rating": 2}]})
    assert rolled(play, "conviction", kind="virtue", by=play.gm, character=play.silas.pk).kind == "virtue"
    assert rolled(play, "conviction").kind == "action"


@pytest.mark.parametrize(
    ("traits", "kind"),
    [(("perception", "alertness"), "willpower"), (("willpower",), "humanity"), (("wits",), "virtue")],
)
def test_other_traits_are_not_rolled_as_willpower_humanity_or_virtues(play, traits, kind):
    with pytest.raises(Invalid) as refused:
        rolled(play, *traits, kind=kind)
    assert refused.value.field == "kind"
    assert play.kinds() == []


def test_a_frenzy_rolled_with_a_virtue_is_what_the_gm_said(play):
    roll = rolled(play, "courage", kind="other", by=play.gm, character=play.silas.pk)
    assert unmoved(roll) == "not an action roll"


def test_a_request_for_willpower_is_one_for_a_willpower_roll(play):
    asked = ask_for_roll(play.gm, Call(StorytellerInput(traits=("willpower",))), member=play.mo.pk, key=uuid4())
    assert (asked.terms["kind"], request_words(asked_for(asked))) == ("willpower", "Willpower, difficulty 6")
    roll = rolled(play, "willpower", kind="willpower", request=asked.pk)
    assert (roll.kind, roll.request) == ("willpower", asked)
    assert not Scale.objects.exists()


def test_an_open_request_is_answered_with_what_the_player_s_traits_are(play):
    asked = ask_for_roll(play.gm, Call(StorytellerInput()), member=play.mo.pk, key=uuid4())
    assert rolled(play, "willpower", request=asked.pk).kind == "willpower"


def test_every_roll_that_moves_no_scale_says_why(play):
    typed = play.roll(9, by=play.gm)
    npc = play.roll(9, by=play.gm, character=play.vesper.pk)
    secret = play.roll(9, by=play.gm, audience=Audience.GM, character=play.vesper.pk)
    blind = play.roll(9, audience=Audience.GM)
    waved = play.roll(by=play.gm, character=play.vesper.pk, dice=6, automatic=True)
    moving = play.roll(9)
    whys = [unmoved(one) for one in (typed, npc, secret, blind, waved, moving)]
    alone = "rolled for the GM only"
    assert whys == ["no character", "an NPC’s roll", alone, alone, "no dice", ""]


def test_a_roll_that_is_shown_later_says_what_was_so_when_it_fell(play):
    roll = play.roll(9, by=play.gm, character=play.vesper.pk, audience=Audience.SELF)
    change_settings(play.gm, RollSettings((rules.Settings(npcs_feed=True),)), key=uuid4())
    reveal_roll(play.gm, roll.pk, key=uuid4())
    assert said(play.events()[-1]) == "an NPC’s roll"


def test_the_gm_who_corrects_a_kind_has_the_last_word(play):
    roll = rolled(play, "willpower")
    corrected = correct_roll(play.gm, roll.pk, {"kind": "action"}, key=uuid4())
    assert (unmoved(corrected), play.scale.value) == ("", 6)
    corrected = correct_roll(play.gm, corrected.pk, {"kind": "soak"}, key=uuid4())
    assert (unmoved(corrected), play.scale.value) == ("a soak roll", 0)
    assert check(play.campaign) == []


SPARING = ["soak", "damage", "initiative", "other", "willpower", "humanity", "virtue"]


@pytest.mark.parametrize("kind", SPARING)
def test_a_player_spares_the_scale_by_no_other_traits_than_those_of_the_kind(play, kind):
    for ask in ({"traits": ("perception", "alertness"), "dice": None}, {"dice": 7}):
        with pytest.raises(Invalid) as refused:
            play.roll(*[9] * 7, by=play.mo, **ask, kind=kind)
        assert refused.value.field == "kind"
    assert play.kinds() == []
    assert play.roll(*[9] * 7, by=play.gm, character=play.silas.pk, kind=kind).kind == kind


@pytest.mark.parametrize(
    ("traits", "kind"),
    [
        (("stamina",), "soak"),
        (("stamina", "fortitude", "armour"), "soak"),
        (("strength", "Potence"), "damage"),
        (("dexterity", "wits"), "initiative"),
    ],
)
def test_traits_that_make_a_kind_are_rolled_as_that_by_their_player(play, traits, kind):
    powers = [{"id": "p1", "name": "Fortitude", "rating": 2}, {"id": "p2", "name": "Potence", "rating": 1}]
    put(play.silas, {"powers": powers, "armour": 1})
    assert rolled(play, *traits, kind=kind).kind == kind
    assert not Scale.objects.exists()


def test_what_the_gm_asks_for_as_soak_is_soak_with_any_traits(play):
    asked = ask_for_roll(
        play.gm, Call(StorytellerInput(traits=("perception", "alertness"), kind="soak")), member=play.mo.pk, key=uuid4()
    )
    assert rolled(play, "perception", "alertness", kind="soak", request=asked.pk).kind == "soak"
    with pytest.raises(Invalid):
        rolled(play, "perception", "alertness", kind="soak")
