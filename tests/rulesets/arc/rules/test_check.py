"""A check: its arithmetic (arc.txt, V.7 to V.9), and how the table settles one."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaigns.errors import Invalid
from rules.acts import Actor
from rules.errors import NotPossible, OutOfRange, RuleError, UnknownWord
from rules.procedures import Answer, RollPart
from rules.table import Held, Table
from rulesets.arc.procedures.check import MOST_CHIPS, Check
from rulesets.arc.rules.body import Size
from rulesets.arc.rules.check import (
    Ask,
    Chip,
    Reaction,
    Role,
    Typed,
    actions_in_turn,
    adjustment,
    core_row,
    counted,
    resolve,
    threshold_of,
    why,
)
from rulesets.arc.settings import DEFAULTS, Level, Settings
from rulesets.arc.sheet import Person
from rulesets.arc.table import CheckRoll
from rulesets.arc.terms import Kind
from tests.answers import refusal
from tests.uids import uid


@st.composite
def checks(draw):
    ks, es = draw(st.integers(1, 10)), draw(st.integers(1, 10))
    ask = Ask(ks=ks, us=draw(st.integers(1, ks)), es=es, other=draw(st.integers(-5, 5)))
    return resolve(ask, iter([draw(st.integers(1, core_row(es).die.sides))]))


def tamper(face, **against):
    """Resolve the lock of the printed example: Control 7, Accuracy 4, Tamper 5."""
    return resolve(Ask(ks=7, us=4, es=5, **against), iter([face]))


def test_the_printed_success_and_the_printed_failure():
    opened, failed = (tamper(face, threshold=threshold_of(Level.AVERAGE)) for face in (5, 8))
    assert (opened.total, opened.margin, opened.success) == (16, 7, True)
    assert (failed.total, failed.margin, failed.success) == (8, -1, False)


@pytest.mark.parametrize(
    ("against", "margin", "success"),
    [
        ({}, None, False),
        ({"threshold": 16}, 0, False),
        ({"threshold": 15}, 1, True),
        ({"first": 16}, 0, False),
        ({"first": 15}, 1, True),
        ({"first": 16, "counters": True}, 0, True),
        ({"first": 17, "counters": True}, -1, False),
    ],
)
def test_a_tie_fails_for_the_side_that_acts_and_is_enough_for_the_one_that_counters(against, margin, success):
    assert (tamper(5, **against).margin, tamper(5, **against).success) == (margin, success)


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
    assert (bonus.role, bonus.value, why(5, 5)) == (Role.BONUS, 5, "a bonus: not above the skill score of 5")
    assert (malus.role, malus.value, why(5, 8)) == (Role.MALUS, -3, "a malus: 3 above the skill score of 5")


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


def test_the_levels_go_in_steps_of_three():
    assert [threshold_of(level) for level in Level] == [3, 6, 9, 12, 15, 18]


@pytest.mark.parametrize("level", ["hard", "", None, 9, True])
def test_another_level_is_unknown(level):
    with pytest.raises(UnknownWord):
        threshold_of(level)


def test_a_us_never_exceeds_its_ks_and_the_sentence_keeps_the_secret():
    assert Ask(ks=4, us=4, es=1).before_the_die == 8
    assert not any(letter.isdigit() for letter in refusal(NotPossible, Ask, ks=4, us=5, es=1).message)


@pytest.mark.parametrize("threshold", [-1, 101, True, 5.0, "5", float("nan")])
def test_a_threshold_goes_from_0_to_100(threshold):
    assert [Ask(ks=5, us=5, es=5, threshold=one).against for one in (0, 100)] == [0, 100]
    assert refusal(OutOfRange, Ask, ks=5, us=5, es=5, threshold=threshold).field == "threshold"


@pytest.mark.parametrize("face", [0, 9, -1, True, 5.0, "5", None, float("nan")])
def test_a_face_must_be_on_the_die(face):
    with pytest.raises(OutOfRange):
        adjustment(5, face)
    with pytest.raises(OutOfRange):
        tamper(face)


def test_a_check_without_a_die_is_none():
    with pytest.raises(NotPossible):
        resolve(Ask(ks=5, us=3, es=5), iter([]))


@pytest.mark.parametrize(
    ("values", "total"),
    [([1, 1, 1], 3), ([-1], -1), ([2, -1], 1), ([-2, -2], -4), ([], 0), ([30], 30), ([-27, -3, -2], -32)],
)
def test_the_values_of_chips_add_up(values, total):
    assert counted(values) == total


@given(st.lists(st.sampled_from([1, -1, 2, -2]), max_size=15))
def test_a_check_takes_any_sum_and_all_turned_round_turn_it_round(laid):
    assert Ask(ks=5, us=3, es=5, other=counted(laid)).other == counted(laid)
    assert counted([-value for value in laid]) == -counted(laid)


@pytest.mark.parametrize(
    ("field", "value"), [("advantages", 1), ("disadvantages", -1), ("huge_advantages", 2), ("huge_disadvantages", -2)]
)
def test_up_to_twenty_of_a_kind_are_laid(field, value):
    assert counted([value] * 20) == 20 * value
    assert refusal(OutOfRange, counted, [value] * 21).field == field


@pytest.mark.parametrize("values", [[30, 3], [-30, -3]])
def test_special_rules_add_or_take_up_to_thirty_together(values):
    assert refusal(OutOfRange, counted, values).field == "special"


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("word", {"word": ""}),
        ("word", {"word": " "}),
        ("word", {"word": "x" * 61}),
        ("word", {"word": 5}),
        ("value", {"value": 0}),
        ("value", {"value": 31}),
        ("value", {"value": -31}),
        ("value", {"value": 1.0}),
        ("value", {"value": True}),
    ],
)
def test_a_chip_has_a_word_and_a_value(field, wrong):
    assert Chip(word="x" * 60, value=-30)
    assert refusal(RuleError, Chip, **{"word": "rain", "value": -1} | wrong).field == field


@pytest.mark.parametrize("som", range(1, 11))
def test_a_reaction_succeeds_up_to_the_som(som):
    assert [Reaction(som, face).success for face in range(1, 11)] == [True] * som + [False] * (10 - som)


@pytest.mark.parametrize("value", [0, 11, True, "5", 5.0, float("nan"), None])
def test_a_reaction_takes_a_som_and_a_face_of_the_d10(value):
    for som, face in ((value, 5), (5, value)):
        with pytest.raises(OutOfRange):
            Reaction(som, face)


def test_the_es_says_how_often_one_acts():
    assert [actions_in_turn([es]) for es in range(1, 11)] == [1, 1, 1, 1, 2, 2, 2, 2, 3, 3]


def test_with_different_es_the_smallest_number_counts():
    assert actions_in_turn([9, 4, 6]) == 1


def test_a_campaign_may_have_other_numbers_of_actions():
    assert [actions_in_turn([es], Settings(actions_from=(3, 8))) for es in (2, 3, 8)] == [0, 1, 2]


# A check that the table settles: who does what, and what stands then


GM, MO, OTHER = Actor(is_gm=True), Actor(characters=frozenset({uid("s")})), Actor(characters=frozenset({uid("c")}))
RAIN = {"word": "rain", "value": -1}
RAINS = (MO, "chip", "", RAIN)
ARMOUR = {"word": "armour", "special": -30}
LEVELS = [f"level.{level}" for level in Level]
AGAINST = {"against": uid("c"), "against_skill": "watch"}


def begun(by=GM, *, people=(), settings=DEFAULTS, **asked):
    """Return a check of Silas's, who tampers, before the eyes of Corvina, who is large; and its table."""
    skills = [
        {"id": "t", "name": "Tamper", "es": 5, "stat": "control"},
        {"id": "w", "name": "Watch", "es": 4, "stat": "intellect"},
    ]
    silas = Person(id=uid("s"), name="Silas", values=Held(skills=skills))
    corvina = Person(id=uid("c"), name="Corvina", size="large", values=Held(skills=skills))
    check = Check(id="check")
    table = Table([check, silas, corvina], settings=settings)
    for who, field, value in people:
        setattr(table.get(Person, uid(who)), field, value)
    do(check, table, by, "open", **{"character": uid("s"), "skill": "tamper"} | asked)
    return check, table


def do(check, table, by, name, whom="", /, **asked):
    """Take an act, as far as this person may. Return its line."""
    act, table.by = check.acts[name], by
    target = act.target(check, table, [whom] if whom else [])
    if target is None or not act.by(check, by, *target):
        raise RuleError("act", name, allowed="what is offered", message="It is not offered.")
    read = {one.name: one.read(asked.get(one.name), check, table, target) for one in act.asks}
    line = check.take(table, act, target, read)
    table.settle()
    return str(line)


def fall(check, table, **results):
    answers = [Answer(part=RollPart(part), outcome={"result": result}) for part, result in results.items()]
    check.on_answers(table, answers)
    table.settle()
    return str(check.told_rolls(table, again=False))


def stands(check, table):
    """Return who is waited for, what is asked for with its adjustments, and the chips ("?": proposed)."""
    waits = [f"{one.name or 'the GM'} {one.words}" for one in check.waits(table)]
    asked = {one.part.name: one.terms["other"] for one in check.requests(table)}
    return waits, asked, [f"{one.side} {one.called} {one.value}{'?' * one.proposed}" for one in check.chips]


def offered(check, table, member=None):
    offers = check.offers(table, {1: MO, 2: OTHER})
    named = ((one, ".".join([one.act.name, *(str(getattr(it, "id", it)) for it in one.target)])) for one in offers)
    return [name for one, name in named if member is None or member in one.members]


STAIRS = {"other": Typed(1, (Chip(word="stairs", value=1),))}
EXTREME = {"people": [("s", "som", 10), ("c", "som", 1)]}
EASY = (GM, "level", "easy", {})
TO_SET = ["the GM to set the difficulty"]
OWN = ["set", "oppose", "withdraw"]
BOTH = ["Silas to roll", "Corvina to roll"]


@pytest.mark.parametrize(
    ("opening", "steps", "waits", "asked", "chips"),
    [
        ({"by": MO}, [], TO_SET, {}, []),
        ({"by": MO, "opposed": True}, [], ["the GM to say who counters it"], {}, []),
        ({"by": MO}, [(GM, "level", "difficult", {})], ["Silas to roll"], {"a": 0}, []),
        ({"by": MO}, [RAINS], TO_SET, {}, ["a rain -1?"]),
        ({"by": MO}, [RAINS, (GM, "count", "c1", {}), EASY], ["Silas to roll"], {"a": -1}, ["a rain -1"]),
        ({"by": MO}, [RAINS, (GM, "drop", "c1", {})], TO_SET, {}, []),
        ({"by": MO, **STAIRS}, [], TO_SET, {}, ["a stairs 1?"]),
        (STAIRS, [], ["Silas to roll"], {"a": 1}, ["a stairs 1"]),
        ({}, [(GM, "chip", "", ARMOUR)], ["Silas to roll"], {"a": -30}, ["a armour -30"]),
        (AGAINST, [(OTHER, "chip", "", RAIN | {"side": "b"})], BOTH, {"a": 0, "b": 0}, ["b rain -1?"]),
        (AGAINST | {"fight": True}, [], BOTH, {"a": 1, "b": -1}, []),
        ({"settings": Settings(sizes_count=False), "fight": True} | AGAINST, [], BOTH, {"a": 0, "b": 0}, []),
        (AGAINST | EXTREME, [], BOTH, {"a": 0, "b": 0}, ["a exalted 1?", "b panicked -1?"]),
        (AGAINST | {"people": [("c", "som", 1), ("c", "is_played", False)]}, [], BOTH, {"a": 0, "b": 0}, []),
        ({"by": MO}, [(GM, "oppose", "", {"character": uid("c"), "fight": True})], BOTH, {"a": 1, "b": -1}, []),
        ({"by": MO}, [(GM, "oppose", "", {"name": "Guard"})], ["Silas to roll", "Guard to roll"], {"a": 0, "b": 0}, []),
        (AGAINST, [(GM, "chip", "", RAIN | {"side": "b"}), (GM, "set", "", {})], ["Silas to roll"], {"a": 0}, []),
        ({"by": MO}, [(MO, "withdraw", "", {})], TO_SET, {}, []),
    ],
)  # fmt: skip
def test_a_check_is_announced_set_adjusted_and_opposed(opening, steps, waits, asked, chips):
    check, table = begun(**opening)
    for by, name, whom, values in steps:
        do(check, table, by, name, whom, **values)
    assert stands(check, table) == (waits, asked, chips)
    assert check.over == check.withdrawn == any(name == "withdraw" for _, name, *_ in steps)


@pytest.mark.parametrize(
    ("opening", "steps", "everybody", "mo", "other"),
    [
        ({"by": MO}, [], ["chip", *LEVELS, *OWN], ["chip", "withdraw"], []),
        ({"by": MO}, [RAINS], ["chip", "count.c1", "drop.c1", *LEVELS, *OWN], ["chip", "withdraw"], []),
        (AGAINST, [], ["chip", "set", "oppose"], ["chip"], ["chip"]),
        ({}, [(GM, "chip", "", RAIN)], ["chip", "drop.c1", "set", "oppose"], ["chip"], []),
    ],
)  # fmt: skip
def test_gms_set_and_count_and_whoever_takes_part_proposes(opening, steps, everybody, mo, other):
    check, table = begun(**opening)
    for by, name, whom, values in steps:
        do(check, table, by, name, whom, **values)
    assert [offered(check, table, member) for member in (None, 1, 2)] == [everybody, mo, other]


def test_both_sides_are_asked_at_once_and_the_last_roll_decides():
    for results, line, ends in (
        ({"b": "open", "a": "success"}, "Silas succeeded against Corvina.", ["success", "failure"]),
        ({"a": "open", "b": "success"}, "Silas failed against Corvina.", ["failure", "success"]),
        ({"a": "open", "b": "failure"}, "Silas succeeded against Corvina.", ["success", "failure"]),
    ):
        check, table = begun(**AGAINST)
        assert [one.terms["versus"]["acts"] for one in check.requests(table)] == [True, False]
        first = next(iter(results))
        assert not fall(check, table, **{first: "open"}) and not check.over
        assert offered(check, table) == ["chip"], "what has been rolled is set no more"
        assert fall(check, table, **results) == line and check.over
        assert ([one.result for one in check.sides], check.requests(table)) == (ends, [])
        assert not fall(check, table) and not check.over, "a roll that is voided is asked for again"


def test_it_asks_with_what_was_named_and_set():
    check, table = begun(MO)
    assert do(check, table, GM, "set", stat="build", threshold=7) == "Silas’s check was set: Build, threshold 7."
    terms = {"kind": "check", "other": 0, "stat": "build", "level": "average", "threshold": 7}
    assert check.requests(table)[0].terms == terms
    do(check, table, GM, "chip", **RAIN)
    assert check.requests(table)[0].terms["chips"] == [{"word": "rain", "value": -1}]


def test_it_goes_by_the_sheets_until_one_has_rolled():
    check, table = begun(fight=True, **AGAINST)
    for size, sums in (("huge", {"a": -1, "b": 1}), ("small", {"a": 2, "b": -2})):
        table.get(Person, uid("s")).size = Size(size)
        table.settle()
        check.settle(table)
        assert stands(check, table)[1] == sums
    fall(check, table, b="open")
    table.get(Person, uid("s")).size = Size.HUGE
    check.settle(table)
    assert stands(check, table)[1] == {"a": 2}


@pytest.mark.parametrize(
    ("by", "opening", "name", "values", "field"),
    [
        (MO, {}, "chip", ARMOUR, "value"),
        (GM, {}, "chip", RAIN | {"value": 9}, "value"),
        (GM, {}, "chip", RAIN | {"word": ""}, "word"),
        (GM, {}, "chip", RAIN | {"word": "x" * 61}, "word"),
        (GM, {}, "chip", RAIN | {"side": "b"}, "side"),
        (GM, {}, "oppose", {"character": uid("s")}, "against"),
        (GM, {"people": [("c", "hidden", True)]}, "oppose", {"character": uid("c")}, "character"),
        (GM, {}, "set", {"stat": "7"}, "stat"),
        (GM, {}, "set", {"level": "hard"}, "level"),
    ],
)
def test_what_cannot_be_is_named_at_its_field(by, opening, name, values, field):
    check, table = begun(**opening)
    assert refusal(RuleError, do, check, table, by, name, **values).field == field


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("level", {"level": "extreme"}),
        ("threshold", {"threshold": 0}),
        ("against", {"against": uid("s")}),
        ("against_name", {"against_name": "a dog"}),
        ("fight", {"fight": True}),
        ("character", {"character": None}),
        ("character", {"character": uid("c")}),
        ("character", {"people": [("s", "hidden", True)]}),
        ("stat", {"stat": "7"}),
        ("stat", {"stat": "beauty"}),
        ("skill", {"skill": "5"}),
        ("skill", {"skill": "swimming"}),
        ("other", {"other": Typed(50)}),
    ],
)
def test_what_a_player_cannot_announce_is_named_at_its_field(field, wrong):
    assert refusal((RuleError, Invalid), begun, MO, **wrong).field == field


@pytest.mark.parametrize(
    ("named", "what"),
    [
        ({"skill": "watch"}, "Intellect + Watch"),
        ({"skill": "watch", "stat": "build"}, "Build + Watch"),
        ({"skill": "", "stat": "empathy"}, "Empathy"),
        ({"skill": ""}, "a check"),
    ],
)
def test_a_skill_brings_the_stat_that_it_goes_with(named, what):
    check, table = begun(**named)
    assert str(check.sides[0].what) == what
    assert CheckRoll(Kind.CHECK).whole(check.requests(table)[0].terms) == ("+" in what), "one press is enough"


def test_the_thresholds_are_those_of_the_campaign():
    check, table = begun(MO, settings=Settings(thresholds=(4, 8, 12, 16, 20, 24)))
    levels = [str(one.words) for one in check.offers(table, {}) if one.act.name == "level"]
    assert levels[1:4] == ["Easy 8", "Average 12", "Difficult 16"]
    assert do(check, table, GM, "level", "average") == "Silas’s check was set: Control + Tamper, average 12."


def test_so_many_chips_are_taken_and_special_rules_add_up_to_so_much():
    check, table = begun()
    do(check, table, GM, "chip", **ARMOUR)
    with pytest.raises(RuleError):
        do(check, table.trial(), GM, "chip", **ARMOUR)
    for _ in range(MOST_CHIPS - 1):
        do(check, table, MO, "chip", **RAIN)
    with pytest.raises(RuleError, match="Remove one first"):
        do(check, table, MO, "chip", **RAIN)


def test_whoever_sets_a_check_has_seen_who_counters_it():
    marks = set()
    for against in ({"character": uid("c")}, {"name": "Guard"}):
        check, table = begun(MO)
        do(check, table, GM, "oppose", **against)
        marks |= {one.available.mark for one in check.offers(table, {}) if one.act.name == "set"}
    assert len(marks) == 2


def some_values(picked, name):
    return {
        "oppose": {"character": uid("c"), "fight": picked.random() < 0.5},
        "chip": {"side": picked.choice("ab"), "word": "rain", "value": picked.choice([-2, -1, 1, 2, 9])},
        "set": {"stat": picked.choice(["", "build"]), "level": "easy", "threshold": picked.choice([None, 0, 100])},
    }.get(name, {})


@pytest.mark.parametrize("seed", range(20))
def test_random_steps_of_random_people_lead_to_no_impossible_check(seed):
    picked, rolled = random.Random(seed), {}
    check, table = begun(MO) if picked.random() < 0.5 else begun(**AGAINST)
    for _ in range(60):
        name = picked.choice(["set", "oppose", "chip", "count", "drop", "withdraw", "level"])
        whom = picked.choice(["", "c1", "c2", "c3", *Level])
        try:
            do(check, table, picked.choice([GM, GM, MO, OTHER]), name, whom, **some_values(picked, name))
        except RuleError as refused:
            assert refused.message
        if (asked := check.requests(table)) and picked.random() < 0.1:
            last = len(rolled) + 1 == len(check.sides)
            rolled[picked.choice(asked).part.name] = picked.choice(["success", "failure"]) if last else "open"
            fall(check, table, **rolled)
        assert check.over == (not offered(check, table) and not check.requests(table))
        assert check.over or check.announced or check.requests(table)
        assert all(-100 <= check.other(table, key) <= 100 for key in check.keyed)
        assert Check.model_validate(check.model_dump(mode="json")) == check
