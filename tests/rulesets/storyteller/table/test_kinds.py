"""What a Storyteller roll is: the traits say it, whatever form it comes from, and its card says why the Scale stays."""

from __future__ import annotations

from uuid import uuid4

from campaigns.errors import Invalid
from rolls.events import request_words
from rolls.models import Audience
from rolls.queries.requests import asked_for
from rolls.services.requests import Call, ask_for_roll
from rolls.services.rolls import correct_roll, reveal_roll
from rolls.services.settings import change_settings
from rolls.settings import RollSettings
from rulesets.storyteller.terms import StorytellerInput
from scale.models import Momentum, Scale
from scale.queries.projection import check
from scale.rules import scale as rules
from tests.answers import refusal
from tests.sheets import put

STAYS = "The Scale stays: "


def said(event):
    """Return why the Scale stays, by a card; "" if it moves."""
    return "".join(event.described["asides"]).removeprefix(STAYS)


def unmoved(roll):
    return said(roll.event)


def rolled(play, *traits, **ask):
    return play.roll(9, 9, 9, 9, 9, 9, 9, dice=None, traits=traits, **ask)


def test_traits_of_their_own_kind_move_no_scale_and_the_card_says_why(play):
    put(play.silas, {"humanity": 7})
    Momentum.objects.create(character=play.silas, die_modifier=1)
    roll = rolled(play, "humanity")
    assert (roll.kind, roll.ask["extra_dice"]) == ("humanity", 0)
    assert ("scale" in roll.event.described, unmoved(roll)) == (False, "a Humanity roll")
    assert not Scale.objects.exists()


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


def test_what_the_gm_asks_for_as_soak_is_soak_with_any_traits(play):
    asked = ask_for_roll(
        play.gm, Call(StorytellerInput(traits=("perception", "alertness"), kind="soak")), member=play.mo.pk, key=uuid4()
    )
    assert rolled(play, "perception", "alertness", kind="soak", request=asked.pk).kind == "soak"
    assert refusal(Invalid, rolled, play, "perception", "alertness", kind="soak").field == "kind"
    assert rolled(play, "perception", "alertness", kind="soak", by=play.gm, character=play.silas.pk).kind == "soak"
