"""A contest as pure rules, by examples."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.acts import Actor
from rules.checked import restored, stored
from rules.effects import Begin
from rules.errors import BlockedByState, NotPossible, OutOfRange
from rules.procedures import Answer, RollPart, SheetSnapshot, Snapshot
from rulesets.descriptors.rules import contest_stage
from rulesets.descriptors.rules.contest import oppose
from rulesets.descriptors.rules.contest_stage import Contest, ContestRules, falls_on
from rulesets.descriptors.rules.filling import LONGEST_NAME
from rulesets.descriptors.rules.will import Fund
from rulesets.descriptors.settings import DEFAULTS, Settings
from rulesets.descriptors.sheet import MOST_DICE
from rulesets.descriptors.table.card import after, stored_outcome
from tests.rolls.acts import available, take

A, B = "11111111-1111-1111-1111-111111111111", "22222222-2222-2222-2222-222222222222"
PLAYERS = {"a": Actor(characters=frozenset({A})), "b": Actor(characters=frozenset({B}))}
GM, CONTEST = Actor(is_gm=True), ContestRules()


def side(name, character, **fund):
    return {"name": name, "character": character, "fund": Fund(**{"will": 9, "boxes": 6} | fund)}


def begun(a=None, b=None, **decisions):
    sides = [side("Abigail", A, **a or {}), side("Bob", B, **b or {})]
    return CONTEST.start({"sides": sides, "decisions": Settings(**decisions)})


def chip(whose, number, dice=2):
    return {"source": f"{whose}/descriptors/r{number}", "name": f"{whose[0]}{number}", "dice": dice}


def do(state, who, name, whom, /, **values):
    return take(CONTEST, state, who, name, whom, values=values).state


def use(state, whom, *chips):
    return do(state, PLAYERS[whom], "use", whom, add=chips)


def fell(state, a, b):
    outcome = stored_outcome(oppose(a, b))
    if winner := outcome["winner"]:
        fund = state.other(state.side(winner)).fund
        track = {"boxes": fund.boxes, "crossed": fund.crossed} if fund else {"boxes": None, "crossed": ()}
        outcome["after"] = after(outcome["successes"], track)
    return CONTEST.on_roll(state, Answer(part=RollPart("contest"), outcome=outcome))


@pytest.mark.parametrize(
    ("boxes", "crossed", "successes", "box", "injury", "out", "instead"),
    [
        (6, (), 2, 2, 0, False, 2),
        (6, (2,), 2, 3, 3, False, 0),
        (6, (2, 3, 4), 2, 5, 5, False, 0),
        (6, (), 6, 6, 0, True, 6),
        (6, (), 9, 6, 0, True, 9),
        (3, (), 5, 3, 0, True, 5),
        (3, (1, 2), 1, 3, 3, True, 0),
        (6, (2, 3, 4, 5, 6), 2, None, 6, True, 0),
        (12, (), 100, 12, 0, True, 20),
    ],
)
def test_what_falls_goes_by_ones_own_track(boxes, crossed, successes, box, injury, out, instead):
    """descriptors.txt, "Third, the loser crosses off the box"; if it is already crossed off, the next higher one is."""
    falls = falls_on(Fund(will=9, boxes=boxes, crossed=crossed), successes, Settings())
    assert (falls.box, falls.injury, falls.out, falls.instead) == (box, injury, out, instead)


def test_an_injury_may_replace_a_box_that_is_gone_where_a_campaign_has_it_so():
    fund = Fund(will=9, boxes=6, crossed=(2,))
    assert falls_on(fund, 2, Settings(injury_instead_of_bump=True)).instead == 2


def test_a_descriptor_has_a_name_as_long_as_there_is_room():
    for name in ("x", "x" * LONGEST_NAME):
        assert use(begun(), "a", chip(A, 1) | {"name": name}).side("a").used[0].name == name
    for name in ("", "x" * (LONGEST_NAME + 1)):
        with pytest.raises(NotPossible):
            use(begun(), "a", chip(A, 1) | {"name": name})


def test_a_descriptor_serves_one_pool_once():
    state = use(begun(), "a", chip(A, 1))
    assert use(state, "a", chip(A, 1)) == state, "the same chip pressed twice is in it once"
    with pytest.raises(NotPossible, match="already in this roll"):
        use(state, "b", chip(A, 1))
    again = use(begun(once_per_roll=False), "a", chip(A, 1))
    assert use(again, "b", chip(A, 1)).side("b").used[0].theirs


def test_what_is_typed_serves_once_by_its_name_and_whose_it_is():
    typed = {"name": "Swords", "dice": 2, "theirs": False}
    state = do(begun(), GM, "use", "a", words=typed)
    for whom, words in (("a", typed | {"name": "swords"}), ("b", typed | {"theirs": True})):
        with pytest.raises(NotPossible, match="already in this roll"):
            do(state, GM, "use", whom, words=words)
    for whom, theirs in (("a", True), ("b", False)):
        assert do(state, GM, "use", whom, words=typed | {"theirs": theirs}).side(whom).used[-1].name == "Swords"


def test_costs_and_gains_are_those_of_either_side():
    state = use(use(begun(), "a", chip(A, 1), chip(B, 1)), "b", chip(B, 2))
    assert [(one.costs, one.gives, one.short) for one in state.sides] == [(2, 1, False), (1, 0, False)]


@pytest.mark.parametrize(("gains_pay", "short"), [(False, True), (True, False)])
def test_what_a_roll_gives_pays_for_it_only_where_a_campaign_has_it_so(gains_pay, short):
    state = use(begun(b={"will": 1}, gains_pay=gains_pay), "a", chip(B, 1))
    state = use(state, "b", chip(B, 2), chip(B, 3))
    assert state.side("b").short is short


def test_the_last_point_is_announced_or_stays_unspent():
    assert use(begun(a={"will": 1}), "a", chip(A, 1)).side("a").last
    assert use(begun(a={"will": 1}, last_point_rolls=False), "a", chip(A, 1)).side("a").short
    assert not use(begun(a={"will": None}), "a", chip(A, 1)).side("a").last


@pytest.mark.parametrize("kept_out", [{"will": 0}, {"out": True}])
def test_a_state_keeps_one_out_of_a_contest(kept_out):
    with pytest.raises(BlockedByState):
        begun(a=kept_out)
    state = begun()
    state = replace(
        state, sides=(replace(state.sides[0], fund=Fund(**{"will": 9, "boxes": 6} | kept_out)), state.sides[1])
    )
    with pytest.raises(BlockedByState):
        do(state, PLAYERS["a"], "ready", "a")
    allowed = take(CONTEST, state, GM, "ready", "a", override=True).state
    assert allowed.side("a").ready and allowed.side("a").allowed


def test_who_becomes_unable_is_ready_no_longer_unless_a_gm_has_allowed_it():
    ready = do(begun(), PLAYERS["a"], "ready", "a")
    sheets = {
        one.character: SheetSnapshot(name=one.name, system="descriptors", values={"will": 9}) for one in ready.sides
    }
    sheets[ready.side("a").character] = replace(sheets[ready.side("a").character], values={"out_of_scene": True})
    kept_out = CONTEST.reads(ready, Snapshot(sheets=sheets, settings=DEFAULTS))
    assert not kept_out.side("a").ready and kept_out.news == "will"
    allowed = take(CONTEST, kept_out, GM, "ready", "a", override=True).state
    assert CONTEST.reads(allowed, Snapshot(sheets=sheets, settings=DEFAULTS)).side("a").ready


def test_everybody_is_told_of_no_fund_and_gms_of_both():
    state = begun()
    assert [one.fund for one in CONTEST.shown(state).sides] == [None, None]
    assert restored(Contest, stored(state)) == state


def test_each_choice_is_offered_to_whose_it_is():
    state = fell(begun(), [9, 8, 2], [6, 4])
    assert set(CONTEST.available(state, PLAYERS["a"])) == {available("make", "a"), available("make_none", "a")}
    assert set(CONTEST.available(state, PLAYERS["b"])) == {available("cross", "b"), available("injure", "b")}
    assert CONTEST.waiting(state) == [
        ("a", "to make a Scene Descriptor, or none"),
        ("b", "to choose a box or an Injury"),
    ]


def test_a_scene_that_has_ended_puts_nobody_out_of_the_next():
    state = fell(begun(b={"boxes": 2}), [9, 8, 2], [6, 4])
    for over, flags in ((False, 1), (True, 0)):
        now = CONTEST.at_scene_end(state) if over else state
        (write,) = take(CONTEST, now, PLAYERS["b"], "cross", "b").effects
        assert sum(step.address == "out_of_scene" for step in write.steps) == flags


def test_the_winner_begins_a_scene_descriptor_of_the_successes():
    state = fell(begun(), [9, 8, 2], [6, 4])
    made = take(CONTEST, state, PLAYERS["a"], "make", "a", values={"name": "Tied up"})
    given = {"name": "Tied up", "dice": 2, "made_by": A, "made_by_name": "Abigail"}
    assert made.effects == [Begin(kind="scene_descriptor", given=given)]
    for wrong in ("", "x" * 81):
        with pytest.raises(NotPossible):
            do(state, PLAYERS["a"], "make", "a", name=wrong)


def test_what_has_been_settled_stays_so():
    state = fell(begun(), [9, 8, 2], [6, 4])
    crossed = do(state, PLAYERS["b"], "cross", "b")
    for name in ("cross", "injure", "bump"):
        with pytest.raises(NotPossible):
            do(crossed, PLAYERS["b"], name, "b", name_="x")
    done = do(crossed, PLAYERS["a"], "make_none", "a")
    assert CONTEST.is_over(done)
    assert contest_stage.falls_on(Fund(will=9, boxes=6), 1, Settings()).box == 1


tracks = st.integers(1, 12).flatmap(
    lambda boxes: st.builds(
        lambda crossed: Fund(will=9, boxes=boxes, crossed=tuple(sorted(crossed))), st.frozensets(st.integers(1, boxes))
    )
)


def fall(successes, crossed=(), boxes=6, **decided):
    falls = falls_on(Fund(will=9, boxes=boxes, crossed=tuple(crossed)), successes, Settings(**decided))
    return falls.box, falls.injury, falls.out, falls.instead, falls.gone


def test_a_free_box_is_crossed_off_or_replaced_by_an_injury():
    assert fall(2) == (2, 0, False, 2, None)


def test_a_crossed_box_bumps_to_the_next_free_one_and_injures():
    assert fall(2, [2, 3]) == (4, 4, False, 0, 2)


def test_a_bump_leaves_no_choice_unless_the_campaign_says_so():
    assert fall(2, [2]) == (3, 3, False, 0, 2)
    assert fall(2, [2], injury_instead_of_bump=True) == (3, 3, False, 2, 2)


def test_the_last_box_puts_out_of_the_scene_however_it_is_reached():
    assert fall(6) == (6, 0, True, 6, None)
    assert fall(5, [5]) == (6, 6, True, 0, 5)


def test_more_successes_than_boxes_hit_the_last_one():
    assert fall(9) == (6, 0, True, 9, None)
    assert fall(9, excess_may_be_injury=False) == (6, 0, True, 0, None)
    assert fall(6, excess_may_be_injury=False) == (6, 0, True, 6, None)


def test_without_a_free_box_there_is_an_injury_of_the_last_and_the_end_of_the_scene():
    assert fall(4, [4, 5, 6]) == (None, 6, True, 0, 4)
    assert fall(6, [6], full_track_puts_out=False) == (None, 6, False, 0, 6)


def test_a_last_box_crossed_before_puts_nobody_out_again():
    assert fall(2, [6]) == (2, 0, False, 2, None)


def test_an_injury_on_a_sheet_has_20_dice_at_most():
    assert fall(100)[3] == MOST_DICE


@given(tracks, st.integers(1, 100))
def test_a_higher_free_box_goes_or_there_is_an_injury(fund, successes):
    falls = falls_on(fund, successes, Settings())
    assert falls.box is None or (falls.box not in fund.crossed and falls.box >= min(successes, fund.boxes))
    assert falls.box is not None or falls.injury == min(fund.boxes, MOST_DICE)
    assert falls.out == (falls.box in (None, fund.boxes))
    assert bool(falls.injury) == (falls.gone is not None)


@pytest.mark.parametrize("successes", [0, -1, 101, 10**9, True, "2", float("nan")])
def test_nothing_happens_without_sane_successes(successes):
    with pytest.raises(OutOfRange):
        fall(successes)
