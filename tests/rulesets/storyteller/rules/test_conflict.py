"""The order of acting: examples, and whatever anybody may try in whatever order."""

from __future__ import annotations

from itertools import chain, cycle, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from rules.acts import Actor
from rules.checked import restored, stored
from rules.errors import RuleError
from rulesets.storyteller.rules import conflict as rules
from rulesets.storyteller.rules.conflict import Conflict, ConflictRules, Status
from tests.rolls.acts import available, take
from tests.uids import uid

GM, RULES = Actor(is_gm=True), ConflictRules()


def rolled(state, *faces):
    """Return the state after the dice that it waits for; without given faces they fall as 1 to 10 in turn."""
    source = chain(faces, cycle(range(1, 11)))
    while RULES.dice_needed(state):
        state = RULES.apply_dice(state, source)
    return state


def begun(*those, faces=(), anew=False):
    """Begin with each (name, Dexterity + Wits), played by the GM."""
    named = [{"name": name, "traits": traits} for name, traits in those]
    return rolled(RULES.start({"those": named, "anew": anew}), *faces)


def names(state):
    return [one.name for one in state.participants]


def do(state, name, whom="", by=GM, **values):
    key = next((one.key for one in state.participants if one.name == whom), "")
    return take(RULES, state, by, name, key, values=values).state


def turn(state):
    """Let all act, one after the other, until the round is over. Return who acted, and the state."""
    acted = []
    while state.current:
        acted.append(state.current.name)
        state = do(state, rules.DONE, state.current.name)
    return acted, state


def test_the_highest_acts_first():
    state = begun(("Silas", 5), ("Dog", 6), ("Thug", 3), faces=(7, 2, 10))
    assert [(one.name, one.initiative) for one in state.participants] == [("Thug", 13), ("Silas", 12), ("Dog", 8)]


def test_equals_go_by_their_traits_then_by_a_die_each_until_nobody_is_equal():
    state = begun(("Silas", 5), ("Dog", 6), ("Thug", 5), faces=(5, 4, 5, 3, 3, 8, 9))
    assert [(one.name, one.again) for one in state.participants] == [("Dog", ()), ("Thug", (3, 9)), ("Silas", (3, 8))]


def test_who_holds_comes_in_later_and_before_all_others():
    state = begun(("A", 9), ("B", 6), ("C", 3), faces=(5, 5, 5))
    state = do(do(state, rules.HOLD, "A"), rules.COME_IN, "A")
    assert state.current.name == "A"
    assert turn(state)[0] == ["A", "B", "C"]


def test_who_holds_to_the_end_has_let_the_turn_go_by_and_acts_in_the_next_round():
    state = turn(do(begun(("A", 9), ("B", 6), faces=(5, 5)), rules.HOLD, "A"))[1]
    state = do(state, rules.ROUND)
    assert state.round == 2
    assert turn(state)[0] == ["A", "B"]


@pytest.mark.parametrize(("traits", "status"), [(1, Status.TO_ACT), (9, Status.NEXT_ROUND), (5, Status.NEXT_ROUND)])
def test_a_newcomer_acts_in_this_round_unless_their_place_is_past(traits, status):
    state = do(begun(("A", 8), ("B", 3), faces=(5, 5)), rules.DONE, "A")
    state = rolled(do(state, rules.JOIN, those=[{"name": "N", "traits": traits}]), 5)
    assert next(one.status for one in state.participants if one.name == "N") is status
    assert state.current.name == "B"


def test_a_newcomer_acts_before_those_who_have_yet_to_act_behind_them():
    state = do(begun(("A", 8), ("B", 6), ("C", 1), faces=(5, 5, 5)), rules.DONE, "A")
    state = rolled(do(state, rules.JOIN, those=[{"name": "N", "traits": 3}]), 5)
    assert turn(state)[0] == ["B", "N", "C"]


def test_who_leaves_is_gone_and_the_next_one_acts():
    state = do(begun(("A", 8), ("B", 3), faces=(5, 5)), rules.LEAVE, "A")
    assert (names(state), state.current.name) == (["B"], "B")


def test_a_round_is_rolled_anew_where_the_table_wants_it():
    state = turn(begun(("A", 8), ("B", 3), faces=(5, 5), anew=True))[1]
    state = do(state, rules.ROUND)
    assert RULES.dice_needed(state).spec == "2d10"
    assert names(rolled(state, 1, 10)) == ["B", "A"]


@pytest.mark.parametrize(
    "those",
    [
        [],
        [{"name": "A", "traits": 1}, {"name": "A", "traits": 2}],
        [{"name": "A", "character": "1"}, {"name": "B", "character": "1"}],
        [{"name": "", "traits": 1}],
        [{"name": "x" * 81}],
        [{"name": "A", "traits": 51}],
        [{"name": f"N{number}"} for number in range(41)],
    ],
)
def test_what_makes_no_conflict_is_refused(those):
    with pytest.raises(RuleError):
        RULES.start({"those": those, "anew": False})


@given(st.lists(st.integers(0, 5), min_size=1, max_size=6), st.lists(st.integers(1, 10), max_size=12))
def test_the_order_does_not_depend_on_who_was_named_first_but_for_dice(traits, faces):
    state = begun(*((f"N{number}", one) for number, one in enumerate(traits)), faces=faces)
    ranks = [one.rank for one in state.participants]
    assert ranks == sorted(ranks)


NAMES = ("done", "hold", "come_in", "leave", "join", "round", "end", "x")


class Anybody(RuleBasedStateMachine):
    """A GM and the players of c1 and c2 try whatever there is, for whomever."""

    @initialize(anew=st.booleans(), faces=st.lists(st.integers(1, 10), max_size=8))
    def begin(self, anew, faces):
        those = [{"name": f"N{n}", "character": uid(f"c{n}"), "traits": n % 3} for n in range(4)]
        self.state: Conflict = rolled(RULES.start({"those": those, "anew": anew}), *faces)
        self.called: list = []
        self.done: set[str] = set()

    @rule(
        name=st.sampled_from(NAMES),
        whom=st.integers(0, 12).map(str),
        by=st.sampled_from([GM, Actor(characters=frozenset({uid("c1")})), Actor(characters=frozenset({uid("c2")}))]),
        faces=st.lists(st.integers(1, 10), max_size=4),
    )
    def anything(self, name, whom, by, faces):
        whom = "" if name in ("join", "round", "end") else whom
        values = {"those": [{"name": f"M{self.state.number}", "traits": self.state.number % 3}]}
        before, offered = self.state, RULES.available(self.state, GM)
        try:
            after = take(RULES, before, by, name, whom, values=values)
        except RuleError as refused:
            assert refused.message and available(name, whom) not in offered
            return
        assert available(name, whom) in offered or len(before.participants) == rules.MOST_PARTICIPANTS
        if available(name, whom) not in RULES.available(before, by):
            assert not by.is_gm
            return
        self._note(before, name, whom)
        self.state = rolled(after.state, *faces)
        if name == "round":
            self.called, self.done = [], set()

    def _note(self, before, name, whom):
        one = next((one for one in before.participants if one.key == whom), None)
        if name in ("done", "hold") and one.status is Status.TO_ACT:
            self.called.append(one.rank)
        if name == "done":
            assert whom not in self.done, "somebody has acted twice in a round"
            self.done.add(whom)

    @invariant()
    def turns_come_in_order(self):
        if hasattr(self, "state"):
            assert all(one < other for one, other in pairwise(self.called))
            ranks = [one.rank for one in self.state.participants]
            assert all(one < other for one, other in pairwise(ranks))

    @invariant()
    def it_can_be_kept_and_every_round_can_end(self):
        if hasattr(self, "state"):
            assert restored(Conflict, stored(self.state)) == self.state
            _, ended = turn(self.state)
            assert available("round") in RULES.available(ended, GM)
            waits = RULES.waiting(self.state)
            assert len(waits) == 1 and not any(one.status is Status.ARRIVING for one in self.state.participants)


TestAnybody = Anybody.TestCase
TestAnybody.settings = settings(max_examples=15)
