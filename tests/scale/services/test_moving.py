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


GRACE, SIX_TROUBLES, MAJOR = (8, 9, 10), (2,) * 6, (9,) * 5
OPEN = "grace open Silas Grey"
BOTH = ["grace fired Silas Grey", "trouble fired Corvina"]
OFFERED, BANKED, FIRED = (
    ("scale.burn_offered", "offer", ["offered"]),
    ("scale.burn_banked", True, ["banked"]),
    ("scale.burn_fired", "both", ["fired", "fired"]),
)


def became(*states):
    return "scale.major_burn", "major", [*states]


@pytest.mark.parametrize(
    ("decided", "rolls", "value", "burns", "told"),
    [
        ({}, [("mo", 10, 7, 4, 1, 1)], 1, [], []),
        ({}, [("mo", 10, 7, 4, 1, 1), ("other", 2, 2)], -1, [], []),
        ({"cancelled_ones_count": True}, [("mo", 10, 7, 4, 1, 1)], -1, [], []),
        ({}, [("mo", *GRACE)], 3, ["grace offered Silas Grey"], [OFFERED]),
        ({}, [("mo", *GRACE), ("soak", 4, 5)], 3, ["grace offered Silas Grey"], []),
        ({}, [("mo", *GRACE), ("other", 4, 5)], 3, ["grace banked Silas Grey"], [BANKED]),
        ({}, [("mo", *GRACE), ("bank",), ("other", *SIX_TROUBLES)], 0, BOTH, [FIRED]),
        ({}, [("mo", *GRACE), ("other", *SIX_TROUBLES)], 0, BOTH, [BANKED, FIRED]),
        ({}, [("mo", *GRACE), ("mo", *MAJOR)], 0, ["grace banked Silas Grey", OPEN], [BANKED, became("open")]),
        (
            {"major_clears_bank": True},
            [("mo", *GRACE), ("mo", *MAJOR)],
            0,
            ["grace lost Silas Grey", OPEN],
            [BANKED, became("lost", "open")],
        ),
    ],
)
def test_rolls_move_the_table_s_scale_and_bring_about_burns(play, decided, rolls, value, burns, told):
    decide(play, **decided)
    for who, *faces in rolls:
        before = len(play.events())
        if who == "bank":
            bank_burn(play.mo, play.burn(Burn.State.OFFERED).pk, key=uuid4())
        else:
            play.roll(*faces, **{"kind": "soak"} if who == "soak" else {"by": getattr(play, who)})
    assert play.scale.value == value
    assert [f"{burn.kind} {burn.state} {burn.character.name}" for burn in Burn.objects.order_by("at")] == burns
    shown = [(event.kind, event.described) for event in play.events()[before + 1 :]]
    assert [
        (kind, one.get("how", one.get("automatic")), [burn["state"] for burn in one["burns"]]) for kind, one in shown
    ] == told
    assert check(play.campaign) == []


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
