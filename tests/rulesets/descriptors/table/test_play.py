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
from rulesets.descriptors.terms import DescriptorsInput
from tests import dice
from tests.answers import refusal


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


BOTH_SEVENS = [("7 ignored", "7 ignored"), ("3 ignored", "3 ignored")]
COMPARED = [
    # both sides' faces, the pairs and which of them decides, the result, and what is said of it
    (
        (5, 9, 7),
        (4, 6),
        [("9 success", "6 target"), ("7 success", "4 below"), ("5 below", "")],
        0,
        ("win", "a", 2, 6, "2 successes, target number 6"),
    ),
    (
        (9, 4),
        (9, 8, 5),
        [("9 ignored", "9 ignored"), ("4 target", "8 success"), ("", "5 success")],
        1,
        ("loss", "b", 2, 4, "2 successes, target number 4"),
    ),
    (
        (7, 3, 2, 2),
        (3, 7),
        [*BOTH_SEVENS, ("2 success", ""), ("2 success", "")],
        2,
        ("win", "a", 1, None, "1 success: all pairs are equal, and more dice win"),
    ),
    ((7, 3), (3, 7), BOTH_SEVENS, None, ("stalemate", None, 0, None, "the same dice on both sides")),
    ((1,), (), [("1 success", "")], 0, ("win", "a", 1, None, "1 success: no dice against it")),
    ((), (), [], None, ("stalemate", None, 0, None, "no dice on either side")),
]


@pytest.mark.parametrize(("a", "b", "pairs", "decides", "came"), COMPARED)
def test_pools_are_compared_pair_by_pair_from_the_top(play, a, b, pairs, decides, came):
    roll = oppose(play, a, b)
    payload = roll.event.described
    assert (drawn(roll), roll.faces) == (pairs, [*a, *b])
    assert [at for at, pair in enumerate(payload["pairs"]) if pair["decides"]] == ([] if decides is None else [decides])
    assert tuple(payload[name] for name in ("outcome", "winner", "successes", "target", "detail")) == came
    assert (payload["after"] is None) is (came[1] is None)


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
    assert refusal(Invalid, oppose, play, (5,), (5,), **ask).field == field
    assert not Roll.objects.exists()


def test_a_campaign_may_refuse_sides_without_dice(play):
    change_settings(play.gm, RollSettings((Settings(fewest_dice=1),)), key=uuid4())
    with pytest.raises(Invalid):
        oppose(play, (5,), ())
    assert oppose(play, (5,), (4,)).faces == [5, 4]


def test_a_campaign_may_roll_other_dice(play):
    change_settings(play.gm, RollSettings((Settings(sides=6),)), key=uuid4())
    ask = DescriptorsInput(pool="1", against="1")
    refused = refusal(Invalid, make_roll, play.mo, ask, audience=Audience.TABLE, key=uuid4(), faces=[7, 1])
    assert refused.field == "faces"


def test_an_npc_nobody_knows_is_named_to_the_gm_alone(play):
    play.vesper.shown = False
    play.vesper.save()
    for audience in (Audience.TABLE, Audience.SELF):
        refused = refusal(Invalid, oppose, play, (5,), (4,), by=play.gm, audience=audience, versus="Vesper")
        assert refused.field == "versus"
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
