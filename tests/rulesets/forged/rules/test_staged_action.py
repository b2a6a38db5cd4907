"""Staged actions with random steps of random people: no illegal state, nothing is settled twice, and every stage can end."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from rules.acts import Actor
from rules.errors import BlockedByState, RuleError
from rulesets.forged.rules.action import EFFECTS, POSITIONS
from rulesets.forged.rules.action_follows import TAKEN, Carried, choices, hit
from rulesets.forged.rules.action_state import ActionStage
from rulesets.forged.rules.staged_action import person_of
from rulesets.forged.settings import DEFAULTS
from tests.rulesets.forged.rules.staged_world import ACTION, CLOCK, GM, RING, World

STEPS = 25
PEOPLE = [GM, *(Actor(characters=frozenset({name})) for name in "abc")]
NO_CLOCK: dict[str, Any] = {"clock": None, "clock_name": "", "segments": 0, "filled": 0}
NEW_CLOCK: dict[str, Any] = {"clock": "new", "clock_name": "Alarm", "segments": 4, "filled": 2}
SET = {
    "position": "risky",
    "base": "great",
    "potency": 0,
    "quality": 0,
    "scale": 0,
    "why": "",
    "ability": 0,
    "more": 0,
    "spared": (),
}
"""How a GM sets an action that gives a greater effect than usual."""

TRAUMAS = ("cold", "soft", "vicious", "haunted")
ENDS = ("take", "take_fatal", "finish", "fall_back", "nobody_follows", "move_ticks", "withdraw", "roll")
"""The acts with which a GM ends any action: the first that is there."""


def test_somebody_is_full_with_the_last_box_of_stress():
    assert [person_of("c", "Cross", {"stress": stress}, DEFAULTS).full for stress in (8, 9)] == [False, True]


def said(data: DataObject, world: World, name: str) -> dict[str, Any]:
    """Return values for an act's form, valid or not."""
    if name == "set":
        factor = st.integers(-1, 1)
        return {
            "position": data.draw(st.sampled_from(POSITIONS)).value,
            "base": data.draw(st.sampled_from(EFFECTS)).value,
            **{one: data.draw(factor) for one in ("potency", "quality", "scale")},
            "why": data.draw(st.sampled_from(["", "a charm"])),
            "ability": data.draw(st.integers(0, 2)),
            "more": data.draw(st.sampled_from([0, 0, 1, -1, 7])),
            "spared": tuple(data.draw(st.sets(st.integers(1, 3)))),
            "clock": data.draw(st.sampled_from([None, CLOCK])),
            "clock_name": "",
        }
    if name == "inflict":
        return {
            "code": data.draw(st.sampled_from(choices(world.state))),
            "price": world.state.bargained and data.draw(st.booleans()),
            "words": data.draw(st.sampled_from(["Cut", "Cut", "Cut", ""])),
            "heat": data.draw(st.booleans()),
            "size": data.draw(st.sampled_from([0, 0, 5, 13])),
            **data.draw(
                st.sampled_from([NO_CLOCK, NO_CLOCK | {"clock": CLOCK}, NEW_CLOCK, NEW_CLOCK | {"segments": 13}])
            ),
            "attribute": "prowess",
            "resisting": data.draw(st.sampled_from(["reduces", "avoids"])),
            "by": data.draw(st.integers(1, 2)),
            "whom": data.draw(st.sampled_from(["", *(one.character for one in hit(world.state))])),
        }
    if name == "more_dice":
        more = data.draw(st.integers(-1, 1))
        return {"push": data.draw(st.booleans()), "more": more, "why": data.draw(st.sampled_from(["", "a charm"]))}
    if name == "take_fatal":
        return {"fate": data.draw(st.sampled_from(["dead", "out"]))}
    if name == "bargain":
        item = data.draw(st.sampled_from(["", RING["id"], "f"]))
        words = data.draw(st.sampled_from(["", "a witness"]))
        return {"words": words, "coin": data.draw(st.integers(0, 3)), "item": item, "thing": "Ring" if item else ""}
    if name == "move_ticks":
        there = [NO_CLOCK | {"clock": CLOCK}] if CLOCK in world.clocks else [NO_CLOCK, NEW_CLOCK]
        return data.draw(st.sampled_from(there))
    if name == "set_up":
        return {"gives": data.draw(st.sampled_from(["effect", "position"]))}
    return {}


def faces(data: DataObject) -> Any:
    return (data.draw(st.integers(1, 6)) for _ in itertools.count())


def check(world: World, settled: dict[str, Any]) -> None:
    """Check what holds after every step, on sheets and on the card."""
    for name, sheet in world.sheets.items():
        assert 0 <= sheet["stress"] <= 9 and 0 <= sheet["coin"] <= 2
        broken = any(one.id == name for it in world.traumas.values() for one in world.choosing(it))
        assert (sheet["stress"] == 9) == broken
    assert 0 <= world.crew["heat"] <= 8 and world.crew["wanted"] <= 4
    for one in world.state.inflicted:
        known = settled.setdefault(one.key, one) if one.became else one
        assert (one.became, one.severity, one.row) == (known.became, known.severity, known.row)
    # One for each that has come, and none before.
    made = [one for one in world.state.inflicted if one.segments and one.became == TAKEN]
    assert world.made == len(made)
    for one in world.state.participants:
        assert 0 <= world.state.pool(one).rolled <= 9
        world.state.built(one)
    ACTION.waiting(world.state)


def beside(data: DataObject, world: World) -> None:
    """Do something beside the action: mark a track by hand, or choose a trauma."""
    if there := [(id, one) for id, it in world.traumas.items() for one in world.choosing(it)]:
        id, one = data.draw(st.sampled_from(there))
        world.choose(id, f"{one.id}.{next(t for t in TRAUMAS if t not in one.traumas)}")
    elif data.draw(st.integers(0, 3)) == 0:
        world.archive()
    elif data.draw(st.booleans()):
        world.mark("crew", "heat", data.draw(st.integers(0, 9)))
    elif left := [one for one in "abc" if one not in world.retired]:
        world.mark(data.draw(st.sampled_from(left)), "stress", data.draw(st.integers(0, 9)))


def random_step(data: DataObject, world: World) -> None:
    if data.draw(st.integers(0, 5)) == 0:
        beside(data, world)
        return
    who = data.draw(st.sampled_from(PEOPLE))
    offers = world.offers(who)
    if not offers:
        return
    # By name first: a push may have many targets.
    name = data.draw(st.sampled_from(sorted({one.name for one in offers})))
    offer = data.draw(st.sampled_from([one for one in offers if one.name == name]))
    before = world.state
    try:
        world.act(who, name, offer.target, faces(data), values=said(data, world, name))
    except BlockedByState:
        assert who.is_gm and world.state == before, "what a state forbids is a GM's to allow"
    except RuleError:
        assert ACTION.acts[name].asks and world.state == before, (
            "what is offered is not refused, but for what a form says"
        )


def set_out(data: DataObject, world: World) -> None:
    """Bring the action to where it is announced, set, or rolled, which random steps alone would rarely do."""
    steps = data.draw(st.integers(0, 2))
    if steps:
        world.act(GM, "set", "", faces(data), values=said(data, world, "set") | {"more": 0})
    if steps == 2:
        for character in ("a", "b") if world.state.group else ("a",):
            if character != "a":
                world.act(GM, "join", character, faces(data))
        if world.state.group and data.draw(st.booleans()):
            world.act(GM, "bring", world.state.crew.cohorts[0].key, faces(data))
        for one in world.state.participants:
            if one.cohort:
                continue
            world.act(GM, "roll", one.character, faces(data), override=True)


def to_the_end(data: DataObject, world: World) -> None:
    """Finish the action as a GM alone, whatever is still open."""
    for _ in range(60):
        for id, it in list(world.traumas.items()):
            for one in world.choosing(it):
                world.choose(id, f"{one.id}.{next(t for t in TRAUMAS if t not in one.traumas)}")
        if ACTION.is_over(world.state):
            return
        offers = world.offers(GM)
        offer = next(one for name in ENDS for one in offers if one.name == name)
        values = said(data, world, offer.name) if offer.name in ("move_ticks", "take_fatal") else {}
        world.act(GM, offer.name, offer.target, faces(data), values=values, override=True)
    raise AssertionError(f"It does not end: {world.state.stage}")


@pytest.mark.parametrize("group", [False, True])
@given(data=st.data())
def test_whatever_anybody_does_nothing_is_illegal_and_every_stage_can_end(group: bool, data: DataObject) -> None:
    world, settled = World(), dict[str, Any]()
    world.begin("a", group=group, setup=data.draw(st.booleans()))
    set_out(data, world)
    for _ in range(STEPS):
        random_step(data, world)
        check(world, settled)
        if ACTION.is_over(world.state):
            break
    ticked = world.ticked
    to_the_end(data, world)
    check(world, settled)
    assert world.state.stage in (ActionStage.DONE, ActionStage.WITHDRAWN) and world.ticked >= ticked
    assert all(one.became for one in world.state.inflicted)
    with pytest.raises(RuleError):
        world.act(GM, "finish", "", faces(data))


@given(rolled=st.lists(st.integers(1, 6), min_size=2, max_size=2))
def test_effect_ticks_what_the_roll_and_the_gm_let_it(rolled: list[int]) -> None:
    world = World()
    world.begin("a")
    world.act(GM, "set", "", iter(()), values=SET | {"clock": CLOCK, "clock_name": "x"})
    world.act(GM, "roll", "a", iter(rolled))
    granted = [offer for offer in ACTION.available(world.state, GM) if offer.name == "grant"]
    assert bool(granted) == (min(rolled) <= 3)
    if not ACTION.is_over(world.state):
        world.act(GM, "finish", "", iter(()))
    assert world.ticked == (3 if min(rolled) >= 4 else 0)


def test_what_a_state_forbids_a_gm_may_allow() -> None:
    world = World()
    world.sheets["a"]["harm_3"] = [{"id": "0" * 32, "at": 1, "name": "Broken leg"}]
    world.begin("a")
    world.act(GM, "set", "", iter(()), values=SET | {"clock": None, "clock_name": ""})
    with pytest.raises(BlockedByState):
        world.act(GM, "roll", "a", iter([6, 6]))
    world.act(GM, "roll", "a", iter([6, 6]), override=True)
    assert world.state.stage is ActionStage.DONE


@pytest.mark.parametrize(
    ("character", "setter", "counts", "left"),
    [(None, "b", True, True), (None, "a", False, True), ("a", "b", True, False), ("c", "b", False, True)],
)
def test_a_set_up_serves_whoever_follows_and_stays_unless_it_was_for_one(
    character: str | None, setter: str, counts: bool, left: bool
) -> None:
    """One for a named teammate is from before 0.2.1."""
    world = World()
    world.tokens["t"] = Carried(character=character, name=character or "", gives="effect", by="b", setter=setter)
    world.begin("a")
    world.act(GM, "set", "", iter(()), values=SET | {"clock": CLOCK, "clock_name": "x"})
    assert (world.state.built(world.state.participants[0]).level.effect == "extreme") == counts
    world.act(GM, "roll", "a", iter([6, 5]))
    assert bool(world.tokens) == left


def test_the_gm_leaves_out_a_set_up_that_does_not_fit() -> None:
    world = World()
    world.tokens["t"] = Carried(character=None, name="", gives="effect", by="b", setter="b")
    world.begin("a")
    world.reread()
    world.act(GM, "set", "", iter(()), values=SET | {"clock": None, "clock_name": "", "without": ("t",)})
    assert world.state.built(world.state.participants[0]).level.effect == "great"
    assert not world.state.tokens
