from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from bench import second_opinion
from rolls.settings import RollSettings
from rules.dice import mean
from rules.errors import OutOfRange
from rulesets.arc.guide import ArcExpectation
from rulesets.arc.odds import adjustments, opposed, reaction, threshold
from rulesets.arc.rules import check as rules
from rulesets.arc.settings import DEFAULTS, Settings
from tests.answers import refusal

SMALLER = Settings(dice=(4, 4, 6, 6, 8, 6, 8, 8, 10, 10))


def sides(es, settings=DEFAULTS):
    return settings.dice[es - 1]


def checks(es, settings=DEFAULTS, ks=5, us=3, **asked):
    ask = rules.Ask(ks=ks, us=us, es=es, **asked)
    return [rules.resolve(ask, iter([face]), settings) for face in range(1, sides(es, settings) + 1)]


@pytest.mark.parametrize("settings", [DEFAULTS, SMALLER])
@pytest.mark.parametrize("es", range(1, 11))
def test_icepool_agrees_on_the_adjustments(es, settings):
    assert adjustments(es, settings) == second_opinion.arc(es, sides(es, settings))


def test_the_means_are_the_known_ones():
    known = ["-5/4", "0", "0", "7/6", "9/8", "9/4", "11/5", "33/10", "13/4", "13/3"]
    assert [mean(adjustments(es)) for es in range(1, 11)] == [Fraction(text) for text in known]


@pytest.mark.parametrize("es", range(1, 11))
@pytest.mark.parametrize("level", [0, 5, 8, 9, 13, 20])
def test_every_face_of_a_check_against_a_threshold_is_counted(es, level):
    rolled = [check.success for check in checks(es, ks=4, us=2, other=1, threshold=level)]
    assert threshold(es, level - 7) == Fraction(sum(rolled), len(rolled))


@pytest.mark.parametrize(("acting", "countering"), [*product((1, 4, 5, 10), (1, 2, 5, 9))])
def test_every_pair_of_faces_of_an_opposed_check_is_counted(acting, countering):
    for lead in (-4, -1, 0, 2, 30):
        pairs = product(checks(acting, ks=6, us=4, other=lead), checks(countering, ks=7, us=3))
        won = Counter(acting.total > countering.total for acting, countering in pairs)
        assert opposed(acting, countering, lead) == Fraction(won[True], won.total())


def chance(check, **more):
    """Return the chance that statistics expect of a roll with these terms."""
    scores = {name: getattr(check.ask, name) for name in ("ks", "us", "es", "other")}
    return ArcExpectation().chance("counter", scores | more, RollSettings(), True)


@pytest.mark.parametrize(("acting", "countering"), [*product((1, 4, 5, 10), (1, 2, 5, 9))])
def test_every_face_of_the_second_of_two_is_counted_against_the_die_that_has_fallen(acting, countering):
    for first in checks(acting, ks=6, us=4):
        answers = checks(countering, ks=7, us=3, other=-1)
        fell = {"ks": 6, "us": 4, "es": acting, "other": 0, "face": first.adjustment.face}
        stopped = sum(first.total <= answer.total for answer in answers)
        assert chance(answers[0], acting=fell) == stopped / len(answers)
        exceeded = sum(first.total < answer.total for answer in answers)
        assert chance(answers[0], acting=fell, acts=True) == exceeded / len(answers), "or a tie fails"


@pytest.mark.parametrize(("other", "certain"), [(100, 0), (-100, 1)])
def test_a_counter_of_totals_that_are_furthest_apart_leaves_the_die_no_say(other, certain):
    fell = {"ks": 10, "us": 10, "es": 10, "other": other, "face": 10}
    assert chance(checks(5, ks=10, us=1, other=-other)[0], acting=fell) == certain


@pytest.mark.parametrize(("ahead", "certain"), [(220, 1), (-220, 0)])
def test_the_furthest_that_totals_are_apart_leaves_the_dice_no_say(ahead, certain):
    assert opposed(5, 5, ahead) == threshold(5, -ahead) == certain


@pytest.mark.parametrize(
    ("field", "ask"),
    [
        ("es", lambda: threshold(0, 1)),
        ("es", lambda: threshold(True, 1)),
        ("es", lambda: adjustments(5.0)),
        ("es", lambda: opposed(11, 5, 0)),
        ("es", lambda: opposed(5, "5", 0)),
        ("needed", lambda: threshold(5, 10**9)),
        ("needed", lambda: threshold(5, float("nan"))),
        ("lead", lambda: opposed(5, 5, -(10**9))),
        ("som", lambda: reaction(0)),
        ("som", lambda: reaction(10**9)),
    ],
)
def test_what_cannot_be_is_refused(field, ask):
    adjustments(1), adjustments(5)  # equal to True and 5.0 for a cache
    assert refusal(OutOfRange, ask).field == field
