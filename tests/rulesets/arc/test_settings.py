from fractions import Fraction

import pytest

from rules.errors import RuleError
from rules.table import Table
from rulesets.arc.procedures.check import Check, Side
from rulesets.arc.rules.body import Size, load, movement
from rulesets.arc.rules.check import actions_in_turn, core_row, threshold_of
from rulesets.arc.rules.tracker import Participant, Turns
from rulesets.arc.settings import DEFAULTS, ENTRIES, Burden, Level, Settings
from tests.answers import refusal


@pytest.mark.parametrize(
    "given",
    [
        {"dice": (4, 4, 6, 6, 8, 8, 10, 10, 12, 8)},
        {"dice": (4, 4, 6, 6, 8, 8, 10, 10, 12, 101)},
        {"dice": (4, 4, 6, 6, 8, 8, 10, 10, 12, "12")},
        {"thresholds": (3, 6, 9)},
        {"thresholds": (3, 6, 9, 9, 15, 18)},
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


EQUALS = Turns(participants=[Participant(key=key, name=key, rolls=[4]) for key in "ab"])
FIGHT = Check(sides=[Side(name="A"), Side(name="B", size=Size.LARGE)], fight=True)

EFFECTS = {
    "dice": ((6, 6, 8, 8, 10, 10, 12, 12, 12, 12), lambda one: core_row(1, one).die.sides, (4, 6)),
    "thresholds": ((4, 8, 12, 16, 20, 24), lambda one: threshold_of(Level.AVERAGE, one), (9, 12)),
    "actions_from": ((1, 6), lambda one: actions_in_turn([5], one), (2, 1)),
    "smallest_allowance_counts": (False, lambda one: actions_in_turn([1, 9], one), (1, 3)),
    "sizes_count": (False, lambda one: FIGHT.other(Table(settings=one), "a"), (1, 0)),
    "equal_dice_roll_again": (
        False,
        lambda one: len(EQUALS.equals(one)),
        (1, 0),
    ),
    "control_bonus": ((0,) * 10, lambda one: movement(10, settings=one).metres, (12, 8)),
    "size_factor": (3, lambda one: movement(5, size=Size.LARGE, settings=one).metres, (16, 24)),
    "light_from": (1, lambda one: load(1, 3, settings=one).burden, (Burden.OVERLOADED, Burden.LIGHT)),
    "medium_from": (5, lambda one: load(4, 24, settings=one).burden, (Burden.MEDIUM, Burden.OVERLOADED)),
    "heavy_from": (7, lambda one: load(6, 54, settings=one).burden, (Burden.HEAVY, Burden.OVERLOADED)),
    "overload": (0, lambda one: load(6, 60, settings=one).may_act, (True, False)),
    "burden_speed": (
        (Fraction(1), Fraction(1), Fraction(1), Fraction(1), Fraction(0)),
        lambda one: movement(5, burden=Burden.HEAVY, settings=one).metres,
        (4, 8),
    ),
}


def test_each_setting_is_tried():
    assert EFFECTS.keys() == Settings.model_fields.keys()


@pytest.mark.parametrize("name", EFFECTS)
def test_a_setting_has_its_effect(name):
    decided, effect, (usual, otherwise) = EFFECTS[name]
    assert (effect(DEFAULTS), effect(Settings(**{name: decided}))) == (usual, otherwise)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"dice": (4, 4, 6)}, "Sides of the die for skill scores 1 to 10: 10 entries are needed."),
        ({"actions_from": ()}, "second and third action in a turn: 1 to 10 entries are needed."),
        ({"dice": (4, 4, 6, 6, 4, 8, 10, 10, 12, 12)}, "The die of skill score 5 needs 5 to 100 sides"),
        ({"control_bonus": (0, 1, 0, 0, 0, 0, 0, 0, 0, 0)}, "Control 3 adds 1 to 100 metres"),
        ({"control_bonus": (0, 0, 0, 0, 0, 0, 0, 0, 0, 101)}, "Control 10 adds 0 to 100 metres"),
        ({"control_bonus": (True,) * 10}, "Control 1 adds"),
        ({"thresholds": (3, 6, 9, 12, 12, 18)}, "from 13 to 100, not 12"),
        ({"burden_speed": (Fraction(1), Fraction(1), Fraction(3, 2), Fraction(1), Fraction(1))}, "can’t be faster"),
    ],
)
def test_what_is_wrong_with_a_table_is_said_of_the_place(given, told):
    assert told in refusal(RuleError, Settings, **given).message


def test_each_place_of_a_table_has_a_name():
    for name, entries in ENTRIES.items():
        assert len(entries) == len(getattr(DEFAULTS, name))
