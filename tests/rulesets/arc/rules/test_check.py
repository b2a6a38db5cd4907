from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.acts import Actor
from rules.errors import NotPossible, OutOfRange, RuleError, UnknownWord
from rules.procedures import Answer, RollPart, SheetSnapshot, Snapshot
from rulesets.arc.rules import check as rules
from rulesets.arc.rules.body import Size
from rulesets.arc.rules.check import (
    Ask,
    CheckRules,
    Chip,
    Reaction,
    Role,
    Side,
    TableCheck,
    actions_in_turn,
    adjustment,
    core_row,
    counted,
    past_threshold,
    resolve,
    threshold_of,
)
from rulesets.arc.settings import DEFAULTS, Level, Settings
from tests.rolls.acts import available, take


@st.composite
def checks(draw):
    ks, es = draw(st.integers(1, 10)), draw(st.integers(1, 10))
    ask = Ask(ks=ks, us=draw(st.integers(1, ks)), es=es, other=draw(st.integers(-5, 5)))
    return resolve(ask, iter([draw(st.integers(1, core_row(es).die.sides))]))


def tamper(face):
    """Resolve the lock of the printed example: Control 7, Accuracy 4, Tamper 5."""
    return resolve(Ask(ks=7, us=4, es=5), iter([face]))


def test_the_printed_success_and_the_printed_failure():
    opened, failed = tamper(5), tamper(8)
    assert (opened.total, past_threshold(opened, threshold_of(Level.AVERAGE))) == (16, 7)
    assert (failed.total, past_threshold(failed, threshold_of(Level.AVERAGE))) == (8, -1)


def test_the_core_table():
    rows = [core_row(es) for es in range(1, 11)]
    assert [row.die.sides for row in rows] == [4, 4, 6, 6, 8, 8, 10, 10, 12, 12]
    assert [row.lowest for row in rows] == [-3, -2] * 5
    assert [row.highest for row in rows] == list(range(1, 11))


@pytest.mark.parametrize("es", range(1, 11))
def test_a_row_says_what_its_die_can_do(es):
    row = core_row(es)
    values = [adjustment(es, face).value for face in range(1, row.die.sides + 1)]
    assert (min(values), max(values)) == (row.lowest, row.highest)
    assert 0 not in values


def test_the_die_says_what_it_did():
    bonus, malus = adjustment(5, 5), adjustment(5, 8)
    assert (bonus.role, bonus.value, bonus.why) == (Role.BONUS, 5, "a bonus: not above the skill score of 5")
    assert (malus.role, malus.value, malus.why) == (Role.MALUS, -3, "a malus: 3 above the skill score of 5")


def test_a_campaign_may_have_other_dice():
    settings = Settings(dice=(4, 4, 6, 6, 8, 8, 8, 10, 10, 10))
    assert (core_row(10, settings).die.sides, core_row(10, settings).lowest) == (10, 1)
    with pytest.raises(OutOfRange):
        adjustment(7, 9, settings)


@given(checks())
def test_a_total_is_the_sum_of_its_parts(check):
    ask = check.ask
    assert check.total == ask.ks + ask.us + ask.other + check.adjustment.value
    assert -3 <= check.adjustment.value <= 10


@given(checks(), st.integers(0, 100))
def test_only_a_total_above_the_threshold_is_past_it(check, threshold):
    assert past_threshold(check, threshold) == check.total - threshold


def test_the_levels_go_in_steps_of_three():
    assert [threshold_of(level) for level in Level] == [3, 6, 9, 12, 15, 18]
    assert threshold_of(Level.EASY, Settings(thresholds=(1, 7, 9, 12, 15, 18))) == 7


@pytest.mark.parametrize("level", ["hard", "", None, 9, True])
def test_another_level_is_unknown(level):
    with pytest.raises(UnknownWord):
        threshold_of(level)


def test_a_us_never_exceeds_its_ks_and_the_sentence_keeps_the_secret():
    assert Ask(ks=4, us=4, es=1).before_the_die == 8
    with pytest.raises(NotPossible) as refused:
        Ask(ks=4, us=5, es=1)
    assert not any(letter.isdigit() for letter in refused.value.message)


@pytest.mark.parametrize("face", [0, 9, -1, True, 5.0, "5", None, float("nan")])
def test_a_face_must_be_on_the_die(face):
    with pytest.raises(OutOfRange):
        adjustment(5, face)
    with pytest.raises(OutOfRange):
        tamper(face)


def test_a_check_without_a_die_is_none():
    with pytest.raises(NotPossible):
        resolve(Ask(ks=5, us=3, es=5), iter([]))


def chip(value, *, special=False):
    return Chip(word="x", value=value, special=special)


chips = st.lists(
    st.one_of(
        st.sampled_from([1, -1, 2, -2]).map(chip),
        st.sampled_from([2, -2]).map(lambda value: chip(value, special=True)),
    ),
    max_size=15,
)


def test_the_staircase_exalted_and_a_spell():
    assert counted([chip(1)] * 3) == 3
    assert counted([chip(-1)]) == -1


def test_a_huge_one_counts_double():
    assert counted([chip(2), chip(-1)]) == 1
    assert counted([chip(-2)] * 2) == -4


def test_nothing_to_speak_of_adjusts_nothing():
    assert counted([]) == 0


@given(chips)
def test_a_check_takes_any_sum_and_all_turned_round_turn_it_round(laid):
    total = counted(laid)
    assert Ask(ks=5, us=3, es=5, other=total).other == total
    assert counted([chip(-one.value, special=one.special) for one in laid]) == -total


@pytest.mark.parametrize(
    ("field", "value"), [("advantages", 1), ("disadvantages", -1), ("huge_advantages", 2), ("huge_disadvantages", -2)]
)
def test_up_to_twenty_of_a_kind_are_laid(field, value):
    assert counted([chip(value)] * 20) == 20 * value
    with pytest.raises(OutOfRange) as refused:
        counted([chip(value)] * 21)
    assert refused.value.field == field


def test_special_rules_add_or_take_up_to_thirty_together():
    assert counted([chip(30, special=True)]) == 30
    assert counted([chip(-29, special=True), chip(-1, special=True)]) == -30
    with pytest.raises(OutOfRange) as refused:
        counted([chip(30, special=True), chip(1, special=True)])
    assert refused.value.field == "special"


@pytest.mark.parametrize(("som", "last"), [(1, 1), (5, 5), (10, 10)])
def test_a_reaction_succeeds_up_to_the_som(som, last):
    assert [Reaction(som, face).success for face in range(1, 11)] == [face <= last for face in range(1, 11)]


@given(st.integers(1, 9), st.integers(1, 10))
def test_a_higher_som_never_reacts_worse(som, face):
    assert Reaction(som + 1, face).success >= Reaction(som, face).success


@pytest.mark.parametrize("value", [0, 11, True, "5", 5.0, float("nan"), None])
def test_a_reaction_takes_a_som_and_a_face_of_the_d10(value):
    for som, face in ((value, 5), (5, value)):
        with pytest.raises(OutOfRange):
            Reaction(som, face)


def test_the_es_says_how_often_one_acts():
    assert [actions_in_turn([es]) for es in range(1, 11)] == [1, 1, 1, 1, 2, 2, 2, 2, 3, 3]


def test_with_different_es_the_smallest_number_counts():
    assert actions_in_turn([9, 4, 6]) == 1
    assert actions_in_turn([9, 4, 6], Settings(smallest_allowance_counts=False)) == 3


def test_a_campaign_may_have_other_numbers_of_actions():
    assert [actions_in_turn([es], Settings(actions_from=(3, 8))) for es in (2, 3, 8)] == [0, 1, 2]


# A check that the table settles, step by step: who may do what, what is asked for, and what the rolls come to


RULES = CheckRules()
GM, MO, OTHER = Actor(is_gm=True), Actor(characters=frozenset({"s"})), Actor(characters=frozenset({"c"}))
SILAS = Side(name="Silas", character="s", stat="control", skill="Tamper")
CORVINA = Side(name="Corvina", character="c", stat="intellect", skill="Watch", size=Size.LARGE)
NOT_OPPOSED = {"fight": False, "opposed": False, "announced": False}
RAIN = {"side": "a", "word": "rain", "value": -1, "special": False}


def announced(**given):
    return RULES.start({"sides": (SILAS,), "announced": True} | given)


def opposed(**given):
    return RULES.start({"sides": (SILAS, CORVINA), "opposed": True} | given)


def do(state, who, name, whom="", **values):
    return take(RULES, state, who, name, whom, values=values).state


def fallen(state, **results):
    return RULES.on_answers(
        state, [Answer(part=RollPart(part), outcome={"result": result}) for part, result in results.items()]
    )


def test_what_is_announced_is_asked_for_once_the_gm_has_pressed_a_level():
    state = announced()
    assert not RULES.requests(state)
    assert RULES.waiting(state) == [("", "to set the difficulty")]
    assert set(RULES.available(state, GM)) >= {available(rules.LEVEL, level) for level in Level}
    (asked,) = RULES.requests(do(state, GM, rules.LEVEL, Level("difficult")))
    assert (asked.part, asked.character) == (RollPart("a"), "s")
    assert asked.terms == {
        "kind": "check",
        "other": 0,
        "stat": "control",
        "skill": "Tamper",
        "level": "difficult",
        "threshold": None,
    }


def test_who_announces_may_propose_and_take_it_back_and_nothing_else():
    state = announced()
    assert RULES.available(state, MO) == [available(rules.CHIP), available(rules.WITHDRAW)]
    assert not RULES.available(state, OTHER)
    assert RULES.is_over(do(state, MO, rules.WITHDRAW))
    with pytest.raises(RuleError):
        do(do(state, GM, rules.LEVEL, Level("easy")), MO, rules.WITHDRAW)


def test_what_a_player_proposes_counts_once_a_gm_counts_it():
    state = do(announced(), MO, rules.CHIP, **RAIN)
    assert (state.other("a"), state.chips[0].proposed) == (0, True)
    counted = do(state, GM, rules.COUNT, "c1")
    assert counted.other("a") == -1
    assert RULES.requests(do(counted, GM, rules.LEVEL, Level("average")))[0].terms["chips"] == [
        {"word": "rain", "value": -1}
    ]
    assert not do(counted, GM, rules.DROP, "c1").chips
    for act in (rules.COUNT, rules.DROP):
        assert available(act, "c1") not in RULES.available(state, MO)


def test_the_stairs_of_the_text_come_to_three():
    # arc.txt, V.9: the stairs, exalted and a spell are +3 for one side, on the knees is -1 for the other.
    state = opposed()
    for side, word, value in (("a", "stairs", 1), ("a", "exalted", 1), ("a", "a spell", 1), ("b", "on the knees", -1)):
        state = do(state, GM, rules.CHIP, side=side, word=word, value=value, special=False)
    assert (state.other("a"), state.other("b")) == (3, -1)
    assert (
        do(state, GM, rules.CHIP, side="a", word="asleep", value=2, special=False).other("a") == 5
    )  # a huge one counts double


def test_what_special_rules_add_is_the_gms_to_say():
    armour = {"side": "a", "word": "armour", "value": -5, "special": True}
    assert do(announced(), GM, rules.CHIP, **armour).other("a") == -5
    with pytest.raises(RuleError):
        do(announced(), MO, rules.CHIP, **armour)


@pytest.mark.parametrize("wrong", [{"value": 0}, {"value": 3}, {"value": True}, {"word": ""}, {"word": "x" * 61}])
def test_a_chip_that_is_none_is_refused(wrong):
    with pytest.raises(RuleError):
        do(announced(), GM, rules.CHIP, **RAIN | wrong)
    with pytest.raises(RuleError):
        do(announced(), GM, rules.CHIP, **RAIN | {"side": "b"})


def test_in_a_fight_the_smaller_side_gets_what_the_larger_loses():
    fight = opposed(fight=True)
    assert (fight.other("a"), fight.other("b")) == (1, -1)
    assert RULES.requests(fight)[1].terms["chips"] == [{"code": "size", "value": -1}]
    assert opposed().other("a") == 0
    assert replace(fight, sizes_count=False).other("a") == 0


def test_both_sides_are_asked_at_once_and_the_last_roll_decides():
    state = opposed()
    assert [one.terms["versus"] for one in RULES.requests(state)] == [
        {"name": "Corvina", "acts": True},
        {"name": "Silas", "acts": False},
    ]
    half = fallen(state, b="open")
    assert [one.part.name for one in RULES.requests(half)] == ["a"]
    assert RULES.waiting(half) == [("a", "to roll")]
    for results, ends in (
        ({"b": "open", "a": "success"}, ["success", "failure"]),
        ({"a": "open", "b": "success"}, ["failure", "success"]),
        ({"a": "open", "b": "failure"}, ["success", "failure"]),
    ):
        over = fallen(half, **results)
        assert [one.result for one in over.sides] == ends
        assert RULES.is_over(over)
        assert not RULES.requests(over)
    assert not RULES.is_over(fallen(half))


def test_whoever_is_named_in_an_announcement_counters_it_or_is_left_out():
    state = announced(sides=(SILAS, CORVINA), opposed=True, fight=True)
    assert not RULES.requests(state)
    assert [asked.character for asked in RULES.requests(do(state, GM, "countered"))] == ["s", "c"]
    alone = do(do(state, GM, rules.CHIP, **RAIN | {"side": "b"}), GM, rules.LEVEL, Level("easy"))
    assert [asked.terms["kind"] for asked in RULES.requests(alone)] == ["check"]
    assert alone == replace(state, sides=(SILAS,), level=Level("easy"), chip_number=1, **NOT_OPPOSED)


def test_both_sides_propose_what_speaks_for_and_against():
    for who in (MO, OTHER):
        assert available(rules.CHIP) in RULES.available(opposed(), who)
        assert do(opposed(), who, rules.CHIP, **RAIN).chips[0].proposed


def test_what_has_been_rolled_is_set_and_counted_no_more():
    half = fallen(do(opposed(), GM, rules.CHIP, **RAIN), a="open")
    for name, whom, values in (
        (rules.CHIP, "", RAIN),
        (rules.DROP, "c1", {}),
        (rules.OPPOSE, "", {"side": CORVINA, "fight": True}),
        (rules.LEVEL, Level.EASY, {}),
    ):
        with pytest.raises(RuleError):
            do(half, GM, name, whom, **values)
    assert do(half, GM, rules.CHIP, **RAIN | {"side": "b"}).other("b") == -1
    assert {offer.name for offer in RULES.available(half, GM)} == {rules.CHIP}


def test_a_gm_lets_somebody_counter_it_and_changes_it_back():
    state = do(announced(), GM, rules.OPPOSE, side=CORVINA, fight=True)
    assert [one.character for one in RULES.requests(state)] == ["s", "c"]
    names = {"stat": "build", "skill": ""}
    plain = do(state, GM, rules.SET, names=names, level=Level.EASY, threshold=7)
    (asked,) = RULES.requests(plain)
    assert (asked.terms["stat"], asked.terms["threshold"], "skill" in asked.terms) == ("build", 7, False)
    assert plain.value_to_exceed == 7


def test_whoever_sets_a_check_has_seen_who_counters_it():
    guard = replace(CORVINA, name="Guard", character=None)
    marks = set()
    for side in (CORVINA, guard):
        state = do(announced(), GM, rules.OPPOSE, side=side, fight=False)
        marks |= {offer.mark for offer in RULES.available(state, GM) if offer.name == rules.SET}
    assert len(marks) == 2


def test_a_side_has_a_name_as_long_as_there_is_room():
    assert Side(name="x" * rules.LONGEST_NAME)
    with pytest.raises(RuleError):
        Side(name="x" * (rules.LONGEST_NAME + 1))


def test_nobody_counters_themselves():
    with pytest.raises(RuleError):
        do(announced(), GM, rules.OPPOSE, side=SILAS, fight=False)


def test_it_goes_by_the_sheets_and_the_campaign_as_they_are():
    sheets = {"s": SheetSnapshot(name="Silas", system="arc", values={"size": "huge"})}
    settings = Settings(thresholds=(1, 2, 3, 4, 5, 6), sizes_count=False)
    read = RULES.reads(opposed(), Snapshot(sheets=sheets, settings=settings))
    assert (read.sides[0].size, read.thresholds, read.sizes_count) == (Size.HUGE, settings.thresholds, False)
    assert do(read, GM, rules.SET, names={}, level=Level.AVERAGE, threshold=None).value_to_exceed == 3
    rolled = fallen(opposed(), a="open")
    assert RULES.reads(rolled, Snapshot(sheets=sheets, settings=DEFAULTS)) == rolled


def test_a_check_takes_so_many_chips_and_no_more():
    state = announced()
    for _ in range(rules.MOST_CHIPS):
        state = do(state, MO, rules.CHIP, **RAIN)
    with pytest.raises(RuleError) as refused:
        do(state, MO, rules.CHIP, **RAIN)
    assert "Remove one first" in refused.value.message


def test_special_rules_that_do_not_add_up_to_a_check_are_refused():
    state = do(announced(), GM, rules.CHIP, side="a", word="armour", value=30, special=True)
    with pytest.raises(RuleError):
        do(state, GM, rules.CHIP, side="a", word="a weapon", value=3, special=True)


def some_values(picked, name):
    side = {"side": CORVINA, "fight": picked.random() < 0.5}
    chip = {"side": picked.choice("ab"), "word": "rain", "value": picked.choice([-2, -1, 1, 2, 9]), "special": False}
    names = {"names": {"stat": picked.choice(["", "build"]), "skill": ""}, "level": Level.EASY}
    return {rules.OPPOSE: side, rules.CHIP: chip, rules.SET: names | {"threshold": picked.choice([None, 0, 100])}}.get(
        name, {}
    )


@pytest.mark.parametrize("seed", range(20))
def test_random_steps_of_random_people_lead_to_no_impossible_check(seed):
    picked = random.Random(seed)
    state, rolled = (announced() if picked.random() < 0.5 else opposed()), {}
    names = [rules.SET, rules.OPPOSE, rules.CHIP, rules.COUNT, rules.DROP, rules.WITHDRAW, rules.LEVEL]
    for _ in range(60):
        who = picked.choice([GM, GM, MO, OTHER])
        name, whom = picked.choice(names), picked.choice(["", "c1", "c2", "c3", *Level])
        try:
            state = do(state, who, name, whom, **some_values(picked, name))
        except RuleError as refused:
            assert refused.message
        if (asked := RULES.requests(state)) and picked.random() < 0.1:
            part = picked.choice(asked).part.name
            last = len(rolled) + 1 == len(state.sides)
            rolled[part] = picked.choice(["success", "failure"]) if last else "open"
            state = fallen(state, **rolled)
        offers = RULES.available(state, GM)
        assert RULES.is_over(state) == (not offers and not RULES.requests(state))
        assert RULES.is_over(state) or state.announced or RULES.requests(state)
        assert all(-100 <= state.other(key) <= 100 for key in rules.KEYS[: len(state.sides)])
        assert isinstance(state, TableCheck)
    chips = [one.chip for one in state.chips]
    assert all(isinstance(one, Chip) for one in chips)


def test_the_extremes_of_a_state_of_mind_propose_their_chip_and_count_once_a_gm_counts_it():
    state = opposed(moods=("exalted", "panicked"))
    assert [(chip.side, chip.called, chip.value, chip.proposed) for chip in state.chips] == [
        ("a", "exalted", 1, True),
        ("b", "panicked", -1, True),
    ]
    assert [asked.terms["other"] for asked in RULES.requests(state)] == [0, 0]
    state = do(state, GM, rules.COUNT, "c1")
    assert RULES.requests(state)[0].terms["chips"] == [{"code": "exalted", "value": 1}]


def test_whoever_counters_instead_brings_a_chip_of_their_own():
    state = opposed(moods=("exalted", "panicked"))
    for mood, left in (("", []), ("exalted", ["exalted"])):
        after = do(state, GM, rules.OPPOSE, side=Side(name="Guard"), fight=False, mood=mood)
        assert [chip.called for chip in after.chips if chip.side == "b"] == left
        assert [chip.called for chip in after.chips if chip.side == "a"] == ["exalted"]
