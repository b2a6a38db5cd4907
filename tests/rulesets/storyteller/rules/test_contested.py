"""Extended and opposed actions, whatever rolls fall, are taken back or read otherwise, and in whatever order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.acts import Actor
from rules.checked import restored, stored
from rules.errors import RuleError
from rules.procedures import Answer, RollPart
from rulesets.storyteller.rules import contested
from tests.rolls.acts import take
from tests.uids import uid

GM, OWNER, OTHER = Actor(is_gm=True), Actor(characters=frozenset({uid("c1")})), Actor(characters=frozenset({uid("c2")}))
EXTENDED, OPPOSED = contested.ExtendedRules(), contested.OpposedRules()
SILAS, VESPER = contested.Side(name="Silas", character=uid("c1")), contested.Side(name="Vesper", dice=4)

outcomes = st.one_of(
    st.integers(0, 12).map(lambda total: {"total": total, "result": "success" if total else "failure"}),
    st.just({"total": 0, "result": "botch"}),
)


def answers(part, *totals):
    """Return the answers to these rolls, where -1 is a botch."""
    return [
        Answer(part=RollPart.parse(part), outcome={"total": max(one, 0), "result": "botch" if one < 0 else "success"})
        for one in totals
    ]


@pytest.mark.parametrize(
    ("on_botch", "most", "totals", "gathered", "made", "stage"),
    [
        ("ends", None, (), 0, 0, contested.ExtendedStage.UNDER_WAY),
        ("ends", None, (3, 4), 7, 2, contested.ExtendedStage.UNDER_WAY),
        ("ends", None, (3, 4, 5), 12, 3, contested.ExtendedStage.DONE),
        ("ends", 3, (3, 4, 5), 12, 3, contested.ExtendedStage.DONE),
        ("ends", 2, (3, 4), 7, 2, contested.ExtendedStage.RAN_OUT),
        ("ends", None, (3, -1), 3, 2, contested.ExtendedStage.FAILED),
        ("loses", None, (3, -1, 5), 5, 3, contested.ExtendedStage.UNDER_WAY),
        ("loses", 2, (3, -1), 0, 2, contested.ExtendedStage.RAN_OUT),
        ("ends", None, (12, 4), 12, 1, contested.ExtendedStage.DONE),
    ],
)
def test_successes_are_gathered(on_botch, most, totals, gathered, made, stage):
    state = contested.Extended(side=SILAS, goal=12, most=most, on_botch=contested.OnBotch(on_botch))
    state = EXTENDED.on_answers(state, answers("roll", *totals))
    assert (state.gathered, state.made, state.stage) == (gathered, made, stage)


@given(
    st.integers(1, 50),
    st.none() | st.integers(1, 20),
    st.sampled_from(contested.OnBotch),
    st.lists(outcomes, max_size=25),
    st.data(),
)
def test_what_counts_is_what_stands_and_every_extended_action_can_end(goal, most, on_botch, fell, data):
    state = contested.Extended(side=SILAS, goal=goal, most=most, on_botch=on_botch)
    kept = [Answer(part=RollPart("roll"), outcome=one) for one in fell]
    for one in kept:
        if EXTENDED.is_over(state):
            break
        assert [str(asked.part) for asked in EXTENDED.requests(state)] == ["roll"]
        state = EXTENDED.on_answers(state, [*kept[: state.made], one])
    assert state.made <= (most or len(fell)) and state.gathered >= 0
    assert (state.stage is contested.ExtendedStage.DONE) <= (state.gathered >= goal)
    assert bool(EXTENDED.requests(state)) != EXTENDED.is_over(state)
    left = [answer for answer in kept if data.draw(st.booleans())]
    again = EXTENDED.on_answers(state, left)
    assert again == EXTENDED.on_answers(contested.Extended(side=SILAS, goal=goal, most=most, on_botch=on_botch), left)
    assert restored(contested.Extended, stored(again)) == again
    assert EXTENDED.is_over(EXTENDED.on_answers(again, answers("roll", goal)))


@given(st.lists(st.tuples(st.sampled_from([GM, OWNER, OTHER]), st.sampled_from(["set", "withdraw", "x"])), max_size=6))
def test_what_is_announced_is_set_by_a_gm_or_taken_back_once(tried):
    state = contested.Extended(side=SILAS, goal=5, announced=True)
    values = {"pool": {"dice": 3, "traits": (), "difficulty": 7, "kind": "action"}, "goal": 9}
    for who, name in tried:
        offered = {one.name for one in EXTENDED.available(state, who)}
        theirs = {GM: {"set", "withdraw"}, OWNER: {"withdraw"}, OTHER: set()}[who]
        assert offered == (theirs if state.stage is contested.ExtendedStage.ANNOUNCED else set())
        try:
            after = take(EXTENDED, state, who, name, values=values)
        except RuleError as refused:
            assert refused.message and name not in {one.name for one in EXTENDED.available(state, GM)}
            continue
        if name not in offered:
            continue
        state = after.state
        assert not EXTENDED.available(state, GM)
        assert (state.stage, state.goal) == (
            (contested.ExtendedStage.UNDER_WAY, 9) if name == "set" else (contested.ExtendedStage.WITHDRAWN, 5)
        )


@pytest.mark.parametrize(
    ("until", "on_tie", "totals", "decided", "asked"),
    [
        ("once", "defender", ((3, 2),), ("a", 1, 1), []),
        ("once", "defender", ((2, 2),), ("b", 0, 1), []),
        ("once", "again", ((2, 2),), None, ["a.2", "b.2"]),
        ("once", "again", ((2, 2), (1, 3)), ("b", 2, 2), []),
        ("once", "defender", ((3, None),), None, ["b.1"]),
        ("first", "again", ((3, 2), (1, 2)), None, ["a.3", "b.3"]),
        ("first", "again", ((3, 2), (3, 2)), ("a", 2, 2), []),
        ("first", "again", ((5, 5),), None, ["a.2", "b.2"]),
        ("first", "defender", ((5, 5),), ("b", 0, 1), []),
        ("margin", "defender", ((4, 0), (1, 0)), ("a", 5, 2), []),
        ("margin", "defender", ((4, 4),), None, ["a.2", "b.2"]),
        ("once", "defender", ((-1, 0),), ("b", 0, 1), []),
        ("once", "again", ((None, 2), (3, 1)), None, ["a.1"]),
    ],
)
def test_two_sides_are_compared(until, on_tie, totals, decided, asked):
    state = contested.Opposed(a=SILAS, b=VESPER, until=contested.Until(until), on_tie=contested.OnTie(on_tie), goal=5)
    fell = [
        answer
        for number, pair in enumerate(totals, start=1)
        for side, total in zip("ab", pair, strict=True)
        if total is not None
        for answer in answers(f"{side}.{number}", total)
    ]
    state = OPPOSED.on_answers(state, fell)
    assert state.decided == decided
    assert [str(one.part) for one in OPPOSED.requests(state)] == asked


@given(
    st.sampled_from(contested.Until),
    st.sampled_from(contested.OnTie),
    st.integers(1, 50),
    st.lists(st.tuples(st.booleans(), outcomes), max_size=30),
)
def test_each_side_rolls_once_an_exchange_and_every_opposed_action_can_end(until, on_tie, goal, fell):
    state, kept = contested.Opposed(a=SILAS, b=VESPER, until=until, on_tie=on_tie, goal=goal), []
    for first, outcome in fell:
        asked = OPPOSED.requests(state)
        assert bool(asked) != OPPOSED.is_over(state)
        if not asked:
            break
        assert len({one.part for one in asked}) == len(asked) <= 2
        kept.append(Answer(part=asked[0 if first else -1].part, outcome=outcome))
        state = OPPOSED.on_answers(state, kept)
        assert restored(contested.Opposed, stored(state)) == state
    while asked := OPPOSED.requests(state):
        kept += [answer for one in asked for answer in answers(str(one.part), 50 if one.part.name == "a" else 0)]
        state = OPPOSED.on_answers(state, kept)
    winner, margin, number = state.decided
    totals = {side: state.total(side, number) for side in "ab"}
    assert margin == abs(totals["a"] - totals["b"])
    assert winner == ("a" if totals["a"] > totals["b"] else "b")


@pytest.mark.parametrize(
    "made",
    [
        lambda: contested.Side(name="Vesper"),
        lambda: contested.Side(name="", dice=3),
        lambda: contested.Side(name="Silas", character=uid("c1"), difficulty=1),
        lambda: contested.Side(name="Vesper", dice=101),
        lambda: contested.Extended(side=SILAS, goal=0),
        lambda: contested.Extended(side=SILAS, goal=5, most=21),
        lambda: contested.Opposed(a=SILAS, b=SILAS),
        lambda: contested.Opposed(a=SILAS, b=VESPER, goal=51),
    ],
)
def test_what_cannot_be_is_refused(made):
    with pytest.raises(RuleError):
        made()
