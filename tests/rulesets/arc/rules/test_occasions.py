"""Occasions for a Reaction check in an event in turns: those of arc.txt, V.5, as far as they can be seen from who takes part,
what they declare, and what becomes of them."""

from __future__ import annotations

import pytest

from rules.errors import NotPossible, RuleError
from rules.procedures import SheetSnapshot, Snapshot
from rulesets.arc.rules import check as check_rules
from rulesets.arc.rules import tracker as checks
from rulesets.arc.rules import tracker_acts as acts
from rulesets.arc.rules.tracker import Mind, Side, attacks
from rulesets.arc.rules.tracker_acts import reads
from rulesets.arc.settings import Burden
from tests.rolls.acts import available
from tests.rulesets.arc.rules.turns import GM, TRACKER, begun, change, do, key_of, names, reacted, someone, whole_turn


def guards_and_figures(**more):
    """Begin with three guards of the party (SOM 3, 4, 5) and two figures (7, 8)."""
    guards = [someone(f"Guard {n}", som=n + 3, side=Side.PARTY, **more) for n in range(3)]
    return begun(*guards, *(someone(f"Figure {n}", som=n + 7) for n in range(2)))


def arisen(state):
    """Return the occasions that have come up, and for whom."""
    return {one.occasion: sorted(state.found(key).name for key in one.whom) for one in state.arisen}


# Ambushed


@pytest.mark.parametrize("side", Side)
def test_all_of_the_side_that_is_ambushed_check_but_those_who_are_surprised(side):
    other = next(one for one in Side if one is not side)
    those = (
        someone("Guard", side=side),
        someone("Lock", side=side, mind=Mind.SURPRISED),
        someone("Figure", som=6, side=other),
    )
    state = begun(*those, ambush=side.value)
    assert [(state.found(one.key).name, one.occasion) for one in state.checks] == [("Guard", checks.AMBUSHED)]
    assert not state.arisen, "nobody is asked about what was said"
    with pytest.raises(RuleError):
        begun(*those, ambush="everybody")


def test_who_comes_later_may_ambush_those_who_are_there():
    state = do(guards_and_figures(), acts.JOIN, those=[someone("Sniper", som=9)], ambush="party")
    assert {state.found(one.key).name for one in state.checks} == {"Guard 0", "Guard 1", "Guard 2"}
    assert names(reacted(state, 10, 10, 1)) == ["Guard 2", "Figure 0", "Figure 1", "Sniper"]


def test_where_some_are_surprised_a_gm_is_asked_about_the_others_of_their_side():
    state = begun(
        someone("Guard", side=Side.PARTY),
        someone("Startled", som=4, side=Side.PARTY, ambushed=True),
        someone("Lock", som=3, side=Side.PARTY, mind=Mind.SURPRISED),
        someone("Figure", som=6),
    )
    assert arisen(state) == {checks.AMBUSHED: ["Guard"]}
    state = do(state, acts.CHECK, checks.AMBUSHED)
    assert sorted(state.found(one.key).name for one in state.checks) == ["Guard", "Startled"] and not state.arisen


# Allies fall and die


def test_the_first_ally_who_falls_shakes_the_others_of_that_side_and_no_later_one_does():
    state = change(guards_and_figures(), "Guard 1", "unconscious")
    assert arisen(state) == {checks.FIRST_FALLS: ["Guard 0", "Guard 2"]}
    state = change(do(state, acts.NO_CHECK, checks.FIRST_FALLS), "Guard 0", "unconscious")
    assert not state.arisen
    assert arisen(change(state, "Figure 0", "dead")) == {checks.FIRST_FALLS: ["Figure 1"]}


def test_more_than_half_who_are_dead_shake_the_rest_once():
    state = change(guards_and_figures(), "Guard 0", "dead")
    state = change(do(state, acts.NO_CHECK, checks.FIRST_FALLS), "Guard 1", "unconscious")
    assert not state.arisen, "one of three is dead"
    state = change(state, "Guard 1", "dead")
    assert arisen(state) == {checks.HALF_DEAD: ["Guard 2"]}


def test_who_falls_at_the_end_of_a_turn_shakes_the_others_in_the_next():
    state = guards_and_figures()
    state = do(state, acts.OUTCOME, words="", whom=key_of(state, "Guard 0"), som=0, becomes="dead")
    assert not state.arisen
    _, state = whole_turn(state)
    assert arisen(do(state, acts.TURN)) == {checks.FIRST_FALLS: ["Guard 1", "Guard 2"]}


def seen(dead=(), **soms):
    sheet = {"empathy": 4, "intellect": 5, "skills": [{"id": "p", "name": "Perception", "es": 4, "stat": "intellect"}]}
    return Snapshot(
        sheets={who: SheetSnapshot(name=who, system="arc", values=sheet | {"som": som}) for who, som in soms.items()},
        dead=frozenset(dead),
    )


def test_a_character_who_has_died_lies_there_and_shakes_the_others():
    state = begun(
        *(someone(f"c{n}", som=n + 3, side=Side.PARTY, character=f"c{n}", played=True) for n in range(2)),
        someone("Dog", som=8),
    )
    owes = do(state, acts.REACT, occasion=checks.CORNERED, whom=[key_of(state, "c0")])
    dead = reads(owes, seen(dead=["c0"], c1=4))
    assert dead.found(key_of(state, "c0")).mind is Mind.DEAD and not dead.checks
    assert arisen(dead) == {checks.FIRST_FALLS: ["c1"]}
    assert reads(dead, seen(dead=["c0"], c1=4)) == dead
    assert names(dead) == ["c1", "Dog"]


# Attacked, and cornered


def attack(state, by, whom, **more):
    return do(do(state, acts.DECLARE, by, against=(whom,), **more), acts.DONE, by)


def test_two_enemies_who_attack_the_same_one_are_an_occasion_for_that_one_alone():
    state = guards_and_figures()
    for guard in ("Guard 0", "Guard 1", "Guard 2"):
        state = attack(state, guard, "Guard 0" if guard != "Guard 0" else "Guard 1")
    assert not state.arisen, "those of one side are no enemies"
    state = attack(state, "Figure 0", "Guard 2")
    assert not state.arisen
    state = attack(state, "Figure 1", "Guard 2")
    assert arisen(state) == {checks.ATTACKED: ["Guard 2"]}


def test_an_opposed_check_in_a_fight_is_an_attack_in_the_turn_in_which_it_is_asked_for_alone():
    sides = (check_rules.Side(name="Figure 0"), check_rules.Side(name="Guard 2"))
    check = check_rules.CheckRules().start({"sides": sides, "opposed": True, "fight": True})
    state = attacks(guards_and_figures(), [("the one", check)])
    figure = key_of(state, "Figure 0")
    assert state.found(figure).against == (key_of(state, "Guard 2"),)
    state = do(whole_turn(state)[1], acts.TURN)
    assert attacks(state, [("the one", check)]) == state
    assert attacks(state, [("another", check)]).found(figure).against


def test_a_check_of_another_or_on_another_occasion_answers_for_none():
    state = guards_and_figures()
    state = do(state, acts.REACT, occasion=checks.ATTACKED, whom=[key_of(state, "Guard 1")])
    state = do(state, acts.REACT, occasion=checks.CORNERED, whom=[key_of(state, "Guard 2")])
    state = reacted(state, 1, 1)
    for guard in ("Guard 0", "Guard 1", "Guard 2"):
        state = attack(state, guard, "Figure 0")
    for figure, whom in (("Figure 0", ("Guard 1", "Guard 2")), ("Figure 1", ("Guard 1", "Guard 2"))):
        state = do(do(state, acts.DECLARE, figure, against=whom, actions=2), acts.DONE, figure)
    assert arisen(state)[checks.ATTACKED] == ["Figure 0", "Guard 2"]


def test_who_cannot_react_keeps_nobody_else_from_a_check():
    state = change(guards_and_figures(), "Guard 0", "unconscious")
    keys = [key_of(state, name) for name in ("Guard 0", "Guard 1")]
    assert [check.key for check in checks.checked(state, checks.CORNERED, keys).checks] == keys[1:]


def test_who_is_attacked_and_cannot_move_away_is_cornered():
    state = begun(
        someone("Guard", som=1, side=Side.PARTY),
        someone("Mule", som=9, side=Side.PARTY, burden=Burden.IMMOBILE, reach=0),
        someone("Figure", som=5),
    )
    state = attack(state, "Guard", "Mule")
    assert not state.arisen
    state = attack(state, "Figure", "Mule")
    assert arisen(state) == {checks.CORNERED: ["Mule"]}
    asked = do(state, acts.CHECK, checks.CORNERED)
    assert names(reacted(asked, 10)) == ["Guard", "Figure"]


# Whatever comes up


@pytest.mark.parametrize("occasion", checks.OCCASIONS)
def test_a_gm_asks_on_any_occasion_and_a_failure_costs_this_turn(occasion):
    state = do(guards_and_figures(), acts.REACT, occasion=occasion, whom=["1", "2"])
    assert [(one.key, one.occasion) for one in state.checks] == [("1", occasion), ("2", occasion)]
    state = reacted(state, 10, 1)
    assert names(state) == ["Guard 1", "Guard 2", "Figure 0", "Figure 1"]
    _, state = whole_turn(state)
    assert names(do(state, acts.TURN))[0] == "Guard 0"


@pytest.mark.parametrize(("som", "face", "acts_now"), [(10, 10, True), (1, 1, True), (1, 2, False), (9, 10, False)])
def test_the_highest_som_of_an_npc_rolls_as_well_and_the_lowest_needs_a_1(som, face, acts_now):
    state = begun(someone("Iva", som=som, side=Side.PARTY), someone("Dog", som=5), ambush="party")
    state = reacted(state, face)
    assert ("Iva" in names(state)) is acts_now


def test_an_occasion_is_offered_until_it_is_answered_or_the_turn_ends():
    state = change(guards_and_figures(), "Figure 1", "dead")
    offers = {available(acts.CHECK, checks.FIRST_FALLS), available(acts.NO_CHECK, checks.FIRST_FALLS)}
    assert offers <= set(TRACKER.available(state, GM))
    _, done = whole_turn(state)
    assert not do(done, acts.TURN).arisen
    settled = do(state, acts.CHECK, checks.FIRST_FALLS)
    assert not offers & set(TRACKER.available(settled, GM))
    with pytest.raises(NotPossible):
        do(settled, acts.CHECK, checks.FIRST_FALLS)
