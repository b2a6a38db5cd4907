from fractions import Fraction

import pytest

from rolls.rules.errors import RuleError
from rulesets.arc.settings import DEFAULTS, Settings


def test_the_defaults_are_settings():
    assert Settings() == DEFAULTS


@pytest.mark.parametrize(
    "given",
    [
        {"dice": (4, 4, 6)},
        {"dice": (4, 4, 6, 6, 8, 8, 10, 10, 12, 8)},
        {"dice": (4, 4, 6, 6, 8, 8, 10, 10, 12, 101)},
        {"dice": [4, 4, 6, 6, 8, 8, 10, 10, 12, 12]},
        {"dice": (4, 4, 6, 6, 8, 8, 10, 10, 12, "12")},
        {"thresholds": (3, 6, 9)},
        {"thresholds": (3, 6, 9, 9, 15, 18)},
        {"actions_from": ()},
        {"actions_from": (5, 1)},
        {"actions_from": (1, 11)},
        {"actions_from": 5},
        {"smallest_allowance_counts": 1},
        {"equal_dice_roll_again": "yes"},
        {"size_factor": 0},
        {"size_factor": True},
        {"light_from": 5},
        {"medium_from": 7},
        {"heavy_from": 12},
        {"heavy_from": None},
        {"medium_from": float("nan")},
        {"overload": -1},
        {"burden_speed": (Fraction(1),)},
        {"burden_speed": (Fraction(1), Fraction(1), Fraction(1, 2), Fraction(3, 4), Fraction(1, 4))},
        {"burden_speed": (1.0, 1.0, 0.75, 0.5, float("nan"))},
    ],
)
def test_what_makes_no_table_is_refused(given):
    with pytest.raises(RuleError):
        Settings(**given)


def test_a_build_of_11_switches_a_burden_off():
    assert Settings(heavy_from=11).heavy_from == 11


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"dice": (4, 4, 6)}, "Dice takes 10 entries."),
        ({"actions_from": ()}, "Actions from takes 1 to 10 entries."),
    ],
)
def test_a_table_of_another_length_is_told_how_long_it_is(given, told):
    with pytest.raises(RuleError) as refused:
        Settings(**given)
    assert refused.value.message == told
