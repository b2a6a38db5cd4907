"""Events in turns: both examples of arc.txt V.6, the order as it changes, and what turns cost and bring."""

from __future__ import annotations

import pytest

from rules.acts import Actor
from rules.effects import StepResult
from rules.errors import BlockedByState, NotPossible, RuleError
from rules.procedures import Act, RollPart, SheetSnapshot, Snapshot
from rulesets.arc.procedures.check import Check
from rulesets.arc.procedures.check import Side as CheckSide
from rulesets.arc.rules import tracker as checks
from rulesets.arc.rules import tracker_acts as acts
from rulesets.arc.rules.tracker import RESOLVE, Mind, Side, Skill, Status, attacks, resolved
from rulesets.arc.rules.tracker_acts import nameless, reads
from rulesets.arc.settings import Burden, Settings
from tests.rolls.acts import available, take
from tests.rulesets.arc.rules.turns import (
    GM,
    TRACKER,
    begun,
    change,
    do,
    key_of,
    names,
    now,
    reacted,
    rolled,
    someone,
    whole_turn,
)

PLAYER = Actor(characters=frozenset({"c1"}))

# V.6: PC1-NPC4-PC2-PC3, each with an ES for two actions but PC3, whose spell is one.
SEQUENCE = (
    ("PC1", 3, "two melee attacks against NPC4", 2),
    ("NPC4", 4, "defends two times with the shield versus PC1", 2),
    ("PC2", 6, "hides and moves silently behind NPC4", 1),
    ("PC3", 8, "casts a spell of shocking bolt on NPC4", 1),
)


def test_the_turn_of_the_example_goes_from_the_lowest_state_of_mind_to_the_highest():
    state = begun(*(someone(name, som=som) for name, som, *_ in reversed(SEQUENCE)))
    assert names(state) == [name for name, *_ in SEQUENCE]
    for name, _, words, actions in SEQUENCE:
        assert now(state) == name
        state = do(state, acts.DECLARE, name, words=words, actions=actions)
        assert now(state) == name and state.found(key_of(state, name)).words == words
        state = do(state, acts.DONE, name)
    assert now(state) is None and state.seconds == (0, 6)
    assert do(state, acts.TURN).seconds == (6, 12)


def ambush():
    """Begin the ambush of V.6: three hooded figures, three guards who are not surprised, and a fourth who picks a lock and is."""
    guards = [someone(f"Guard {n}", som=n + 3, side=Side.PARTY) for n in range(3)]
    figures = [someone(f"Figure {n}", som=n + 6) for n in range(3)]
    lock = someone("Picklock", som=1, side=Side.PARTY, mind=Mind.SURPRISED, character="c1", played=True)
    return begun(*guards, *figures, lock)


def test_in_an_ambush_the_surprised_one_may_go_on_with_what_was_begun_and_nothing_else():
    state = ambush()
    assert names(state)[:3] == ["Guard 0", "Guard 1", "Guard 2"] and "Picklock" not in names(state)
    key = key_of(state, "Picklock")
    assert TRACKER.available(state, PLAYER) == [available(acts.GO_ON, key), available(acts.DROP, key)]
    with pytest.raises(NotPossible):
        do(state, acts.DECLARE, "Picklock")
    state = do(state, acts.GO_ON, "Picklock", words="goes on with Tamper")
    assert state.found(key).words == "goes on with Tamper"
    acted, state = whole_turn(state)
    assert len(acted) == 6 and "Picklock" not in acted
    state = do(state, acts.TURN)
    assert now(state) == "Picklock"
    assert do(state, acts.DECLARE, "Picklock", words="goes on with Tamper").found(key).status is Status.DECLARED


def test_equals_roll_against_each_other_alone_and_equal_dice_again():
    crowd = [someone("Mo"), someone("Iva", som=3), someone("Tess"), someone("Ro", som=3), someone("Ana", som=9)]
    state = begun(*crowd, faces=(8, 2, 4, 4, 9, 1))
    # By groups: Iva 8 against Ro 2; Mo and Tess 4 each, then 9 against 1.
    assert names(state) == ["Ro", "Iva", "Tess", "Mo", "Ana"]
    assert [[(one.name, one.face) for one in tie.fell] for tie in state.ties] == [
        [("Iva", 8), ("Ro", 2)],
        [("Mo", 4), ("Tess", 4)],
        [("Mo", 9), ("Tess", 1)],
    ]
    _, state = whole_turn(state)
    state = do(state, acts.TURN)
    assert names(state) == ["Ro", "Iva", "Tess", "Mo", "Ana"] and not state.ties, "the d10 are kept for the whole event"


def test_a_campaign_may_let_equal_dice_stand():
    state = begun(someone("Tess"), someone("Mo"), faces=(5, 5), settings=Settings(equal_dice_roll_again=False))
    assert names(state) == ["Mo", "Tess"]


def sheet(som, **values):
    return SheetSnapshot(name="Silas", system="arc", values={"som": som, "empathy": 4, "intellect": 5, **values})


def with_silas(*others, som=5, **more):
    return begun(someone("Silas", som=som, character="c1", played=True, side=Side.PARTY, **more), *others)


def test_a_changed_som_has_another_place_and_whoever_has_declared_finishes_first():
    state = with_silas(someone("Iva", som=3), someone("Dog", som=4))
    state = do(state, acts.DECLARE, "Iva")
    shaken = reads(state, Snapshot(sheets={"c1": sheet(1)}))
    assert names(shaken) == ["Silas", "Iva", "Dog"] and shaken.resorted
    assert now(shaken) == "Iva"
    assert now(do(shaken, acts.DONE, "Iva")) == "Silas"


def test_a_som_that_becomes_anothers_is_told_apart_by_new_dice():
    state = with_silas(someone("Iva", som=3, perception=1))
    tied = rolled(reads(state, Snapshot(sheets={"c1": sheet(3)})), 9, 2)
    assert names(tied) == ["Silas", "Iva"] or names(tied) == ["Iva", "Silas"]
    assert [[one.name for one in tie.fell] for tie in tied.ties] == [["Iva", "Silas"]]
    assert reads(tied, Snapshot(sheets={"c1": sheet(3)})) == tied


def test_who_is_not_in_play_any_more_has_left_in_the_middle_of_their_turn():
    state = do(with_silas(someone("Dog", som=9)), acts.DECLARE, "Silas", characters=("c1",))
    left = reads(state, Snapshot())
    assert (names(left), now(left), left.resorted) == (["Dog"], "Dog", True)


def test_a_newcomer_whose_place_is_past_acts_from_the_next_turn_on():
    state = do(begun(someone("Iva", som=3), someone("Dog", som=6)), acts.DECLARE, "Iva")
    state = do(do(state, acts.DONE, "Iva"), acts.DECLARE, "Dog")
    state = do(state, acts.JOIN, those=[someone("Early", som=1), someone("Late", som=8)])
    assert names(state) == ["Early", "Iva", "Dog", "Late"]
    acted, state = whole_turn(state)
    assert acted == ["Late"]
    assert now(do(state, acts.TURN)) == "Early"


def test_who_arrives_before_the_one_whose_turn_it_is_waits_for_the_next_turn():
    begins = begun(someone("Iva", som=3), someone("Dog", som=6))
    declared = do(begins, acts.DECLARE, "Iva")
    acted = do(declared, acts.DONE, "Iva")
    for state in (begins, declared, acted):
        state = do(state, acts.JOIN, those=[someone("Early", som=1), someone("Late", som=8)])
        statuses = {one.name: one.status for one in state.participants}
        assert (statuses["Early"], statuses["Late"]) == (Status.NEXT_TURN, Status.TO_ACT)


def test_only_who_is_not_awake_comes_to():
    state = begun(someone("Iva"), someone("Dog", mind=Mind.UNCONSCIOUS))
    assert change(state, "Dog", acts.COMES_TO).found(key_of(state, "Dog")).mind is Mind.SURPRISED
    with pytest.raises(NotPossible, match="awake"):
        change(state, "Iva", acts.COMES_TO)


def test_declaring_and_acting_may_be_apart():
    state = begun(someone("Iva", som=3), someone("Dog", som=6), apart=True)
    for name in ("Iva", "Dog"):
        state = do(state, acts.DECLARE, name)
    assert now(state) == "Iva" and now(do(state, acts.DONE, "Iva")) == "Dog"


def test_a_gm_holds_skips_and_moves():
    state = do(begun(*(someone(name, som=n) for n, name in enumerate("abcd", start=1))), acts.HOLD, "a")
    assert now(state) == "b"
    state = do(do(state, acts.DECLARE, "b"), acts.DONE, "b")
    state = do(do(state, acts.COME_IN, "a"), acts.DECLARE, "a")
    with pytest.raises(NotPossible):
        do(state, acts.HOLD, "a")
    state = change(do(state, acts.DONE, "a"), "d", acts.MOVES, before="c")
    assert names(state) == ["a", "b", "d", "c"] and now(state) == "d"
    state = do(do(state, acts.SKIP, "d"), acts.SKIP, "c")
    assert names(do(state, acts.TURN)) == ["a", "b", "c", "d"], "a move is for one turn"


def test_who_is_taken_out_in_the_middle_of_their_turn_leaves_nothing_behind():
    state = do(
        begun(*(someone(name, som=n) for n, name in enumerate("abc", start=1))), acts.DECLARE, "a", against=("b",)
    )
    state = change(do(do(state, acts.DONE, "a"), acts.DECLARE, "b", against=("a",)), "c", acts.MOVES, before="b")
    state = do(state, acts.OUTCOME, words="a blow", whom=key_of(state, "b"), som=-1, becomes="")
    left = change(do(state, acts.REACT, occasion=checks.CORNERED, whom=[key_of(state, "b")]), "b", acts.LEAVES)
    assert (names(left), now(left)) == (["a", "c"], "c")
    assert not (left.checks or left.moves or left.outcomes or left.found("1").against)
    with pytest.raises(NotPossible):
        take(TRACKER, left, Actor(is_gm=True), acts.DONE, "2")


def test_what_is_carried_out_by_declaring_it_takes_one_step_unless_all_declare_first():
    state = do(begun(someone("Iva", som=3), someone("Dog", som=6)), acts.DECLARE, "Iva", done=True)
    assert (state.found("1").status, now(state)) == (Status.DONE, "Dog")
    apart = do(begun(someone("Iva", som=3), someone("Dog", som=6), apart=True), acts.DECLARE, "Iva", done=True)
    assert apart.found("1").status is Status.DECLARED


def test_effects_land_at_the_end_of_the_turn():
    state = with_silas(someone("Dog", som=3, side=Side.PARTY), som=5)
    state = do(state, acts.OUTCOME, words="the net falls", whom=key_of(state, "Silas"), som=-2, becomes="")
    state = do(state, acts.OUTCOME, words="", whom=key_of(state, "Dog"), som=0, becomes="unconscious")
    state = do(state, acts.OUTCOME, words="", whom=key_of(state, "Dog"), som=-9, becomes="")
    assert state.found("2").som == 3 and state.found("2").mind is Mind.AWARE
    _, state = whole_turn(state)
    ended = take(TRACKER, state, PLAYER, acts.TURN)
    assert isinstance(ended, StepResult)
    assert [(one.character, one.steps[0].by) for one in ended.effects] == [("c1", -2)]
    assert ended.state.found("2").som == 1 and ended.state.found("2").mind is Mind.UNCONSCIOUS
    assert ended.state.landed[0].words == "the net falls" and not ended.state.outcomes
    assert [(one.occasion, one.whom) for one in ended.state.arisen] == [(checks.FIRST_FALLS, ("1",))]


def test_an_outcome_says_something_of_somebody():
    state = ambush()
    for wrong in ({"words": ""}, {"words": "x", "som": 2}, {"words": "x", "becomes": "dead"}, {"som": 10, "whom": "1"}):
        with pytest.raises(RuleError):
            do(state, acts.OUTCOME, **{"words": "", "whom": "", "som": 0, "becomes": ""} | wrong)


def test_forty_outcomes_are_noted_in_a_turn_and_no_more():
    state = ambush()
    blow = {"words": "a blow", "whom": "", "som": 0, "becomes": ""}
    for _ in range(40):
        state = do(state, acts.OUTCOME, **blow)
    with pytest.raises(NotPossible):
        do(state, acts.OUTCOME, **blow)


# Reaction checks


def test_who_fails_a_reaction_check_loses_the_turn_and_no_other():
    state = begun(someone("Iva", som=3, ambushed=True), someone("Dog", som=6))
    with pytest.raises(NotPossible):
        do(state, acts.DECLARE, "Iva")
    assert now(reacted(state, 3)) == "Iva"
    state = reacted(state, 4)
    assert names(state) == ["Dog"]
    _, state = whole_turn(state)
    assert names(do(state, acts.TURN)) == ["Iva", "Dog"]


def test_the_highest_som_of_a_player_rolls_nothing_and_the_lowest_succeeds_with_a_1_alone():
    state = begun(
        someone("Exalted", som=10, played=True, character="x", ambushed=True),
        someone("Panicked", som=1, ambushed=True),
    )
    assert [one.held for one in state.checks] == [True, None]
    assert names(reacted(state, 1)) == ["Panicked", "Exalted"]
    assert names(reacted(state, 2)) == ["Exalted"]


def test_a_roll_that_is_taken_back_is_owed_again():
    state = with_silas(someone("Dog", som=3), som=2, ambushed=True)
    lost = reacted(state, 9)
    assert names(lost) == ["Dog"]
    assert TRACKER.on_answers(lost, []) == state
    assert not TRACKER.on_answers(change(lost, "Silas", "unconscious"), []).checks, "who reacts to nothing owes none"
    made = begun(someone("Dog", som=3, ambushed=True))
    assert not TRACKER.on_void(made, RollPart(made.checks[0].part)).checks


def test_checks_are_asked_of_who_can_react():
    state = ambush()
    for wrong in ({"whom": []}, {"whom": [key_of(state, "Picklock")]}, {"whom": ["99"]}):
        with pytest.raises(NotPossible):
            do(state, acts.REACT, occasion=checks.CORNERED, **wrong)
    with pytest.raises(NotPossible):
        do(state, acts.REACT, occasion="bored", whom=["1"])
    asked = do(state, acts.REACT, occasion=checks.CORNERED, whom=["1"])
    with pytest.raises(NotPossible):
        do(asked, acts.REACT, occasion=checks.CORNERED, whom=["1"])
    assert not do(asked, acts.WAIVE, "Guard 0").checks


# Possible acts


def test_more_than_the_es_and_the_movement_give_is_refused():
    state = with_silas(someone("Dog", som=9))
    for wrong in ({"actions": 3}, {"actions": 0}, {"moves": 9}, {"words": ""}, {"characters": ("c2",)}):
        with pytest.raises(RuleError):
            do(state, acts.DECLARE, "Silas", **{"characters": ("c1",), "most": 2} | wrong)
    assert do(state, acts.DECLARE, "Silas", most=2, actions=2, moves=8).found("1").moves == 8
    with pytest.raises(NotPossible):
        do(state, acts.DECLARE, "Silas", against=("Silas",))


def test_who_is_immobile_cannot_act_unless_a_gm_allows_it():
    state = begun(someone("Mule", burden=Burden.IMMOBILE, reach=0))
    with pytest.raises(BlockedByState):
        do(state, acts.DECLARE, "Mule")
    assert now(do(state, acts.DECLARE, "Mule", override=True)) == "Mule"
    assert now(do(state, acts.WAIT, "Mule")) is None


@pytest.mark.parametrize(
    ("size", "burden", "control", "metres"),
    [("medium", "none", 5, 8), ("small", "none", 5, 4), ("large", "heavy", 9, 12), ("medium", "immobile", 5, 0)],
)
def test_the_nameless_move_by_control_size_and_burden(size, burden, control, metres):
    scores = {"som": 5, "empathy": 5, "perception": 5, "es": 9}
    made = nameless("Dog", **scores, control=control, size=size, burden=burden)
    assert (made["reach"], made["most"]) == (metres * 100, 3)


@pytest.mark.parametrize(
    "wrong",
    [{"es": 0}, {"es": 11}, {"som": 0}, {"size": "vast"}, {"burden": "silly"}, {"control": 11}, {"perception": None}],
)
def test_figures_that_cannot_be_are_refused(wrong):
    usual = {"som": 5, "empathy": 5, "perception": 5, "es": 5, "control": 5, "size": "medium", "burden": "none"}
    with pytest.raises(RuleError):
        nameless("Dog", **usual | wrong)


def test_the_check_of_each_action_goes_by_its_skill_against_its_target_and_later_ones_by_the_last():
    state = begun(someone("Iva"), someone("Dog", som=6), someone("Cat", som=7))
    skills = (Skill(stat="control", skill="Fight"), Skill(stat="control", skill="Shoot"))
    state = state.put(key_of(state, "Iva"), words="strikes", actions=3, skills=skills, against=("2", "3"))
    called = []
    for _ in range(3):
        step = resolved(state, state.found("1"), Act(name=RESOLVE, by=GM))
        acting, countering = step.effects[0].given["sides"]
        called.append((acting["skill"], countering["name"]))
        state = step.state
    assert called == [("Fight", "Dog"), ("Shoot", "Cat"), ("Shoot", "Cat")]


def test_nobody_too_many_and_two_alike_are_refused():
    for those in ((), (someone("a"), someone("a")), tuple(someone(f"n{n}") for n in range(41)), (someone("", som=5),)):
        with pytest.raises(NotPossible):
            begun(*those)
    with pytest.raises(NotPossible):
        do(ambush(), acts.JOIN, those=[])


def test_a_turn_begins_with_nothing_declared():
    state = begun(someone("Mo", side=Side.PARTY), someone("Dog", som=8))
    for name, other in (("Mo", "Dog"), ("Dog", "Mo")):
        state = do(state, acts.DECLARE, name, against=(other,), actions=2, moves=3)
        state = do(state, acts.DONE, name)
    assert {(one.actions, one.moves) for one in state.participants} == {(2, 3)}
    for one in do(state, acts.TURN).participants:
        assert (one.words, one.actions, one.moves, one.checked) == ("", 0, 0, 0)
        assert (one.against, one.skills, one.begun, one.status) == ((), (), None, Status.TO_ACT)


def test_a_turn_ends_when_nobody_has_to_act_or_check():
    state = begun(someone("Iva", ambushed=True))
    assert available(acts.TURN) not in TRACKER.available(state, Actor(is_gm=True))
    with pytest.raises(NotPossible):
        do(state, acts.TURN)
    state = do(state, acts.SKIP, "Iva")
    assert available(acts.TURN) in TRACKER.available(state, Actor(is_gm=True))


# Occasions for a Reaction check in an event in turns: those of arc.txt, V.5, as far as they can be seen from who takes part,


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
    check = Check(sides=[CheckSide(name="Figure 0"), CheckSide(name="Guard 2")], fight=True)
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
