from hypothesis import given
from hypothesis import strategies as st

from rulesets.forged.rules.fortune import PERFORMANCES, Ahead, opposed
from rulesets.forged.rules.roll import Pool, Result, resolve

OTHER = {Ahead.FIRST: Ahead.SECOND, Ahead.SECOND: Ahead.FIRST, Ahead.NEITHER: Ahead.NEITHER}
outcomes = st.lists(st.integers(1, 6), min_size=1, max_size=5).map(lambda dice: fortune(*dice))


def fortune(*faces):
    return resolve(Pool(len(faces)), iter(faces))


def test_the_gang_with_the_good_result_beats_the_one_with_the_limited():
    clash = opposed(fortune(6), fortune(4, 2))
    assert (clash.ahead, clash.levels) == (Ahead.FIRST, 1)


def test_equal_results_are_the_gms():
    assert opposed(fortune(5), fortune(4)).ahead is Ahead.NEITHER


@given(outcomes, outcomes)
def test_the_other_way_round_it_is_the_other_who_is_ahead(first, second):
    there, back = opposed(first, second), opposed(second, first)
    assert (there.ahead, there.levels) == (OTHER[back.ahead], back.levels)
    assert 0 <= there.levels <= 3


def test_every_result_has_words_of_its_own():
    assert set(PERFORMANCES) == set(Result)
    assert len({words.quality for words in PERFORMANCES.values()}) == 4
    assert [PERFORMANCES[result].effect for result in Result] == ["little", "limited", "standard", "great"]
