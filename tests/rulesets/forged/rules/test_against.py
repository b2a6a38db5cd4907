"""An action against several: whom it can be against, what their number proposes, who the consequences come from, and what came of
it for each."""

from __future__ import annotations

from typing import Any

import pytest

from rules.acts import Actor
from rules.errors import RuleError
from rules.table import A_GM, Clock
from rulesets.forged.procedures.action_card import MOST_FOES, opponents
from rulesets.forged.rows import Scoundrel
from rulesets.forged.rules.action import Effect, Position
from tests.answers import refusal
from tests.rulesets.forged.rules.test_action_scenarios import Step, inflicts, plays, rolls, says, sets, takes
from tests.rulesets.forged.rules.test_staged_action import UNSEEN, A, B, Game

VESK = says("face", "vesk")
DOGS = says("face_others", others="Dog, Guard, Dog")
BOTH = [VESK, DOGS]


def fates(game: Game) -> dict[str, str]:
    return {game.action.called(game.table, one.id): one.fared for one in game.action.foes}


@pytest.mark.parametrize(
    ("given", "steps", "scale"),
    [
        ({}, [], 0),
        ({}, [VESK], 0),
        ({}, BOTH, -1),
        ({"group": True}, BOTH, 0),
        ({}, [*BOTH, says("leave_alone", "vesk")], -1),
        ({}, [*BOTH, says("leave_alone", "vesk"), says("leave_alone", "f2")], 0),
        ({}, [*BOTH, sets()], 0),
        ({}, [*BOTH, sets(scale=-1)], -1),
    ],
)
def test_several_propose_less_scale_to_who_acts_alone_until_the_gm_says(
    given: dict[str, bool], steps: list[Step], scale: int
) -> None:
    game = Game(**given)
    plays(game, *steps)
    assert game.action.so_far("set", game.table)["scale"] == scale


@pytest.mark.parametrize(
    ("steps", "fared", "over"),
    [
        ([rolls(6, 6)], ["", "", ""], False),
        ([rolls(6, 6), says("fare", "vesk.out"), says("fare", "f1.hurt")], ["out", "hurt", ""], False),
        ([rolls(6, 6), says("fare", "vesk.out"), says("spare")], ["out", "unhurt", "unhurt"], True),
        (
            [rolls(6, 6), says("fare", "vesk.out"), says("fare", "vesk.hurt"), says("spare")],
            ["hurt", *["unhurt"] * 2],
            True,
        ),
        ([rolls(1, 2), says("finish")], ["", "", ""], True),
        ([rolls(1, 2), says("grant", "limited"), says("finish")], ["", "", ""], False),
        ([rolls(1, 2), says("grant", "limited"), says("finish"), says("spare")], ["unhurt"] * 3, True),
        ([rolls(4, 5), inflicts("harm_2", last=True), takes()], ["", "", ""], False),
        ([rolls(4, 5), says("spare"), inflicts("harm_2", last=True), takes()], ["unhurt"] * 3, True),
    ],
)
def test_the_gm_says_what_came_of_it_for_each_where_something_was_done(
    steps: list[Step], fared: list[str], over: bool
) -> None:
    game = Game()
    clock = game.table.get(Clock, "clock")
    plays(game, *BOTH, sets(clock="clock"), *steps)
    assert list(fates(game)) == ["vesk name", "Dog", "Guard"]
    assert ([*fates(game).values()], game.action.over) == (fared, over)
    assert bool(clock.filled) <= over
    waits = [str(one.words) for one in game.action.waits(game.table) if not one.who]
    assert ("to say what came of it for each" in waits) == bool(game.action.unsaid)


def test_what_came_of_it_is_said_of_no_set_up_and_of_no_withdrawal() -> None:
    for given, at, ends in (({"setup": True}, "risky", ()), ({}, "controlled", [says("fall_back")])):
        game = Game(**given)
        plays(game, *BOTH, sets(position=at), rolls(4, 5), *ends)
        assert not game.action.unsaid
        assert not [one for one in game.offers(A_GM) if one.act.name in ("fare", "spare")]


def test_a_roll_that_is_voided_takes_what_came_of_it_along() -> None:
    game = Game()
    plays(game, *BOTH, sets(), rolls(6, 6), says("fare", "vesk.out"))
    game.action.undo_roll(game.table, game.action.rollers[0].part)
    assert [*fates(game).values()] == ["", "", ""]


def test_consequences_say_who_they_come_from() -> None:
    game = Game()
    plays(game, VESK)
    assert game.action.so_far("set", game.table)["source"] == "vesk"
    assert game.action.so_far("inflict", game.table) == {"source": "vesk"}
    plays(game, DOGS, sets(harm=2, harm_name="Cut", source="vesk"))
    assert "harm of level 2: Cut, from vesk name." in " ".join(map(str, game.action.card(game.table, ()).notes))
    plays(game, rolls(4, 5), inflicts("harm_1", "Bite", source="f1"))
    rows = [str(row.detail) for row in game.action.card(game.table, ()).rows]
    assert [row.split(" · ")[0] for row in rows] == ["from vesk name", "from Dog"]


def test_who_is_left_out_threatens_nothing_any_more() -> None:
    game = Game()
    plays(game, *BOTH, sets(harm=2, harm_name="Cut", source="f2"), says("leave_alone", "f2"))
    assert game.action.threat.source == "" and "Guard" not in fates(game)


@pytest.mark.parametrize(
    ("act", "typed", "field"),
    [
        ("face_others", {"others": ",".join(map(str, range(MOST_FOES)))}, "others"),
        ("set", {"position": Position.RISKY, "base": Effect.GREAT, "source": UNSEEN}, "source"),
    ],
)
def test_too_many_and_who_is_not_there_are_refused(act: str, typed: dict[str, Any], field: str) -> None:
    game = Game()
    plays(game, VESK)
    before = game.action.model_dump()
    refused = refusal(RuleError, plays, game, (act, "", (), typed))
    assert refused.field == field and game.action.model_dump() == before


def test_it_can_be_against_the_npcs_that_players_know_by_a_press_of_who_acts() -> None:
    game = Game(foes=[])
    assert [one.id for one in opponents(game.action, game.table)] == ["vesk"]
    mine, other = (Actor(characters=frozenset({id})) for id in (A, B))
    for who, may in ((mine, True), (A_GM, True), (other, False)):
        assert any(one.act.name == "face" for one in game.offers(who)) == may
    opened = Game(foes=[game.who("vesk")], others="Dog")
    assert list(fates(opened)) == ["vesk name", "Dog"]


def test_who_is_hidden_since_is_on_no_card_of_players_and_in_no_line() -> None:
    game = Game()
    plays(game, VESK, says("face_others", others="Dog"), sets(harm=2, harm_name="Cut", source="vesk"))
    game.table.get(Scoundrel, "vesk").hidden = True
    plays(game, rolls(4, 5))
    seen = game.table.seen()
    card = seen.get(type(game.action), "action").card(seen, ())
    assert [str(one.name) for one in card.turns] == ["Dog"] and card.faces == [A]
    assert "vesk" not in str(card) and "vesk" not in str([one.words for one in game.offers(A_GM)])
    assert [one.name for one in game.action.card(game.table, ()).turns] == ["vesk name", "Dog"]
    plays(game, takes(), says("fare", "f1.out"), says("fare", "f1.hurt"))
    assert game.action.foes[0].fared == "" and not game.action.over
