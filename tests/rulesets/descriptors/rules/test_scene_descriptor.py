"""Whatever anybody does with a Scene Descriptor or a Refreshment Scene, in whatever order (descriptors.txt)."""

from __future__ import annotations

from contextlib import nullcontext

import pytest
from hypothesis import given
from hypothesis import strategies as some

from rules.acts import Actor
from rules.checked import restored, stored
from rules.effects import Write
from rules.errors import RuleError
from rules.procedures import SheetSnapshot, Snapshot
from rulesets.descriptors.rules import scene_descriptor as rules
from rulesets.descriptors.rules.refreshment import LONGEST, EscalationRules, RefreshmentRules, RefreshmentScene
from rulesets.descriptors.rules.scene_descriptor import SceneDescriptor, SceneDescriptorRules
from rulesets.descriptors.settings import Settings
from tests.rolls.acts import available, take
from tests.uids import uid

RULES, REFRESHMENT = SceneDescriptorRules(), RefreshmentRules()
A, B = uid("a"), uid("b")
ACTORS = [Actor(is_gm=True), Actor(characters=frozenset({A})), Actor(characters=frozenset({B})), Actor()]
PAYS = some.fixed_dictionaries(
    {
        "to": some.sampled_from([A, B]),
        "to_name": some.just("Bob"),
        "payer": some.sampled_from([A, B]),
        "payer_name": some.just("Abigail"),
        "will": some.sampled_from([None, 0, 1, 9]),
    }
)
STEPS = some.lists(
    some.tuples(some.sampled_from(ACTORS), some.sampled_from(["stick", "reduce", "end", "nonsense"]), PAYS), max_size=12
)


@given(dice=some.integers(1, 5), steps=STEPS)
def test_a_scene_descriptor_is_paid_for_at_most_once_and_what_is_over_stays_so(dice, steps):
    state, paid = RULES.start({"name": "Tied up", "dice": dice}), 0
    for who, name, values in steps:
        was_over = RULES.is_over(state)
        try:
            after = take(RULES, state, who, name, values=values)
        except RuleError as refused:
            assert refused.message
            continue
        if available(name) not in RULES.available(state, who):
            continue  # the service refuses it
        assert not was_over
        writes = [one for one in after.effects if isinstance(one, Write)]
        paid += sum(1 for one in writes if one.steps[0] == rules.Shift("will", -1))
        state = after.state
        assert restored(SceneDescriptor, stored(state)) == state
        assert 1 <= state.dice <= dice
        if state.stage is rules.SceneDescriptorStage.STUCK:
            assert who.plays(values["payer"])
            assert values["will"] != 0
    assert paid <= 1
    assert RULES.is_over(RULES.at_scene_end(state))
    assert RULES.at_scene_end(RULES.at_scene_end(state)) == RULES.at_scene_end(state)


@given(
    steps=some.lists(
        some.tuples(some.sampled_from(ACTORS), some.sampled_from(["agree", "decline", "withdraw"]), some.booleans()),
        max_size=6,
    ),
    both=some.booleans(),
    will=some.integers(0, 20),
)
def test_a_refreshment_scene_restores_once_never_in_a_scene_and_takes_nobodys_will(steps, both, will):
    sheet = SheetSnapshot(name="x", system="descriptors", values={"will": will, "power_2": True})
    caller, partner = {"name": "Abigail", "character": A}, {"name": "Bob", "character": B}
    state = REFRESHMENT.start({"caller": caller, "partner": partner, "in_scene": False})
    restored_times = 0
    for who, name, in_scene in steps:
        seen = Snapshot(sheets={A: sheet, B: sheet}, settings=Settings(both_refreshed=both), in_scene=in_scene)
        whom = "caller" if name == "withdraw" else "partner"
        try:
            after = take(REFRESHMENT, state, who, name, whom, seen=seen)
        except RuleError:
            continue
        if available(name, whom) not in REFRESHMENT.available(state, who):
            continue
        state = after.state
        if name == "agree":
            assert not in_scene
            restored_times += 1
            written = [one.character for one in after.effects if isinstance(one, Write)]
            assert written == ([A, B] if both else [A])
            raised = [step.by for one in after.effects if isinstance(one, Write) for step in one.steps[1:]]
            assert raised == ([9 - will] * len(written) if will < 9 else [])
        assert restored(RefreshmentScene, stored(state)) == state
    assert restored_times <= 1


@pytest.mark.parametrize(
    ("words", "taken"), [(" ", False), ("!", True), ("x" * LONGEST, True), ("x" * (LONGEST + 1), False)]
)
def test_what_becomes_worse_is_said_in_a_sentence(words, taken):
    rules = EscalationRules()
    state = rules.start({"caller": "Abigail", "partner": "Bob"})
    with nullcontext() if taken else pytest.raises(RuleError):
        take(rules, state, Actor(is_gm=True), "use", values={"words": words})
