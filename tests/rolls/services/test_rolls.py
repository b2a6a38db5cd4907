"""Making a roll: its pool, its card, its Willpower, who sees it."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Forbidden, Invalid, NotFound
from campaigns.live.render import render_line
from campaigns.models import Role
from rolls.models import Audience, Roll
from rolls.services.rolls import make_roll
from rolls.services.settings import change_settings
from rolls.settings import RollSettings
from rulesets.storyteller.settings import Settings
from rulesets.storyteller.terms import StorytellerInput
from tests.answers import refusal
from tests.sheets import put
from tests.stored import store

GM_STREAM, TABLE = "gm", "table"


def test_a_roll_is_told_with_every_die_and_what_it_gave(play):
    roll = play.roll(7, 1, 1, 3, 2)

    payload = roll.event.described
    assert [(die["face"], die["role"], die["given"]) for die in payload["dice"]] == [
        (7, "cancelled", 0),
        (1, "cancels", None),
        (1, "one", -1),
        (3, "blank", -1),
        (2, "blank", -1),
    ]
    assert (payload["outcome"], payload["headline"], payload["detail"]) == (
        "failure",
        "Failure",
        "1 success, cancelled",
    )
    assert payload["pool"] == {"words": "5 dice", "traits": [], "dots": 5, "dice": 5, "modifier": 0, "extra_dice": 0}
    assert payload["scale"] | {"before": 0, "delta": -3, "after": -3, "value": -3} == payload["scale"]
    assert payload["who"] == {"member": play.mo.pk, "name": "Mo"}
    assert payload["character"] == play.silas.ref
    assert roll.event.stream.name == TABLE


def test_the_pool_comes_from_the_sheet(play):
    roll = play.roll(7, 7, 7, 7, 7, dice=None, traits=("perc", "alertness"))
    assert roll.event.described["pool"]["words"] == "Perception + Alertness"
    assert roll.event.described["headline"] == "Phenomenal"


def test_only_the_rules_that_the_campaign_plays_by_are_rolled(play):
    store(play.campaign, systems=["forged"])
    assert (
        refusal(Invalid, make_roll, play.mo, StorytellerInput(dice=5), audience=Audience.TABLE, key=uuid4()).field
        == "system"
    )


def test_willpower_comes_from_the_sheet_in_the_same_operation(play):
    roll = play.roll(1, 5, 4, willpower=True)
    play.silas.refresh_from_db()
    assert play.silas.value("willpower_now") == 3
    assert roll.event.described["detail"] == "1 success, by Willpower"
    assert play.kinds(play.mo.stream) == ["characters.field_changed"]


def test_without_willpower_left_nothing_happens(play):
    put(play.silas, {"willpower_now": 0})
    with pytest.raises(Invalid):
        play.roll(8, willpower=True)
    assert not Roll.objects.exists()
    assert play.kinds() == []


def test_mastery_takes_a_one_out_of_a_botch(play):
    roll = play.roll(1, 3, 4, 4, 5, 5, 5, 3, dice=None, traits=("perception", "occult"))
    assert (roll.event.payload["outcome"], roll.event.described["detail"]) == (
        "failure",
        "no botch thanks to the Ability",
    )


def test_only_the_gm_lets_a_roll_through(play):
    with pytest.raises(Forbidden):
        play.roll(dice=6, automatic=True)
    npc = play.roll(by=play.gm, character=play.vesper.pk, dice=6, automatic=True)
    assert npc.faces == []
    assert npc.event.described["detail"] == "1 success"


def test_a_campaign_may_leave_that_to_its_players(play):
    change_settings(play.gm, RollSettings((Settings(automatic_success=True),)), key=uuid4())
    roll = play.roll(dice=6, automatic=True)
    assert "scale" not in roll.event.described
    with pytest.raises(Invalid):
        play.roll(dice=5, automatic=True)


@pytest.mark.parametrize(("dots", "modifier", "enough"), [(5, 3, False), (6, -2, True)])
def test_a_modifier_neither_helps_nor_hinders_a_success_without_dice(play, dots, modifier, enough):
    """storyteller.txt, Automatic Successes: the dice pool of the traits decides, here at difficulty 6."""
    let_through = {"by": play.gm, "character": play.vesper.pk, "dice": dots, "modifier": modifier, "automatic": True}
    if enough:
        assert play.roll(**let_through).event.described["detail"] == "1 success"
    else:
        with pytest.raises(Invalid):
            play.roll(**let_through)


def test_no_player_rolls_for_a_character_of_somebody_else(play):
    with pytest.raises(NotFound):
        play.roll(8, by=play.other, character=play.silas.pk)


def test_one_key_is_one_roll(play):
    key, ask = uuid4(), StorytellerInput(character=play.silas.pk, dice=3)
    first = make_roll(play.mo, ask, audience=Audience.TABLE, key=key)
    assert make_roll(play.mo, ask, audience=Audience.TABLE, key=key) == first
    assert Roll.objects.count() == 1
    with pytest.raises(Invalid):
        make_roll(play.mo, StorytellerInput(character=play.silas.pk, dice=4), audience=Audience.TABLE, key=key)
    with pytest.raises(Invalid):
        make_roll(play.other, ask, audience=Audience.TABLE, key=key)


def test_a_roll_for_me_and_the_gm_shows_the_table_only_what_the_scale_did(play):
    roll = play.roll(8, 9, audience=Audience.SELF)
    assert roll.event.stream.name == play.mo.stream
    assert play.kinds() == ["scale.moved"]
    told = play.events()[0].described
    assert told["scale"]["delta"] == 2
    assert "dice" not in told
    assert "words" not in str(told)


@pytest.mark.parametrize("who", ["gm", "mo"])
def test_a_roll_for_the_gm_alone_leaves_no_trace_for_players(play, who):
    by = getattr(play, who)
    roll = play.roll(8, 9, 10, by=by, audience=Audience.GM)
    assert roll.event.stream.name == GM_STREAM
    assert play.kinds() == []
    assert play.kinds(play.mo.stream) == []
    assert "scale" not in roll.event.described


def test_an_npc_nobody_knows_rolls_for_the_gm_alone(play):
    store(play.vesper, shown=False)
    for audience in (Audience.TABLE, Audience.SELF):
        assert (
            refusal(Invalid, play.roll, 8, by=play.gm, character=play.vesper.pk, audience=audience).field == "audience"
        )
    play.roll(8, by=play.gm, character=play.vesper.pk, audience=Audience.GM)


def test_a_gm_rolls_for_who_is_away_and_the_card_says_so(play):
    roll = play.roll(7, 8, by=play.gm, character=play.silas.pk)
    told = play.events()[-1].payload
    assert roll.character == play.silas
    assert (told["who"]["name"], told["character"]["name"], told["rolled_for"]["name"]) == ("Gm", "Silas Grey", "Mo")
    assert "as Silas Grey for Mo" in " ".join(render_line(play.events()[-1], Role.PLAYER).split())
    play.roll(7, by=play.mo)
    play.roll(7, by=play.gm, character=play.vesper.pk)
    assert not [event for event in play.events()[-2:] if "rolled_for" in event.payload]
