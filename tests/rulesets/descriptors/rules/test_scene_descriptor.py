"""Whatever anybody does with a Scene Descriptor, in whatever order (descriptors.txt)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as some

from rules.acts import Actor
from rules.checked import restored, stored
from rules.effects import Write
from rules.errors import RuleError
from rulesets.descriptors.rules import scene_descriptor as rules
from rulesets.descriptors.rules.scene_descriptor import SceneDescriptor, SceneDescriptorRules
from tests.rolls.acts import available, take
from tests.uids import uid

RULES = SceneDescriptorRules()
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
