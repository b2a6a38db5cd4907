import pytest
from hypothesis import given
from hypothesis import strategies as st

from rolls.rules.errors import NotPossible
from rulesets.forged.rules.body import Attribute
from rulesets.forged.rules.consequence import Armor, Consequence, Kind, Stakes, mark_armor, resist_consequence
from rulesets.forged.rules.roll import Pool, Result, resolve
from rulesets.forged.rules.team import Group, Member, group, protect
from tests.rolls.rules.refusals import NO_BOOLS, refused

BULLET = Consequence(Kind.HARM, 3)
rolls = st.lists(st.integers(1, 6), min_size=1, max_size=4)
members = st.lists(st.builds(lambda dice, pc: member(*dice, pc=pc), rolls, st.booleans()), min_size=1, max_size=6)


def member(*faces, pc=True):
    return Member(resolve(Pool(len(faces)), iter(faces)), pc)


def test_the_best_single_result_counts_and_the_leader_pays_for_each_miss():
    assert group([member(2), member(1, 3), member(4)]) == Group(Result.PARTIAL, 2)


def test_a_cohort_costs_nothing_and_sixes_of_two_people_are_no_critical():
    assert group([member(2), member(1, pc=False), member(6), member(6)]) == Group(Result.FULL, 1)
    assert group([member(2), member(6, 6)]).result is Result.CRITICAL


@given(members.flatmap(lambda team: st.tuples(st.just(team), st.permutations(team))))
def test_it_does_not_matter_who_rolls_first(teams):
    assert group(teams[0]) == group(teams[1])


@given(members, rolls)
def test_one_more_never_makes_the_result_worse(team, dice):
    order = list(Result)
    alone, joined = group(team), group([*team, member(*dice)])
    assert order.index(joined.result) >= order.index(alone.result)
    assert alone.leader_stress <= joined.leader_stress <= alone.leader_stress + 1


def test_who_dives_before_the_bullet_suffers_it_and_may_resist():
    faced = protect(BULLET)
    assert faced == BULLET
    assert resist_consequence(Stakes(faced, Attribute.PROWESS), 1, iter([4])).left.severity == 2


def test_one_steps_in_before_the_victim_has_resisted():
    resisted = resist_consequence(Stakes(BULLET, Attribute.PROWESS), 1, iter([4])).left
    armored = mark_armor(Armor(), BULLET)[1]
    for left in (resisted, armored, Consequence(Kind.HARM, 0)):
        with pytest.raises(NotPossible):
            protect(left)


@pytest.mark.parametrize("wrong", NO_BOOLS, ids=repr)
def test_somebody_is_a_player_character_or_not(wrong):
    refused(lambda value: member(3, pc=value), "pc", wrong)


@pytest.mark.parametrize("wrong", [[], (), None, 3, "team", [member(3)] * 101], ids=lambda wrong: type(wrong).__name__)
def test_one_to_a_hundred_roll(wrong):
    with pytest.raises(ValueError, match="1 to 100"):
        group(wrong)
