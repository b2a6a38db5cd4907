from itertools import product

from rulesets.forged.rules import DEFAULTS, Settings
from tests.rules.refusals import NO_BOOLS, NO_NUMBERS, refused

FLAGS = [name for name, field in Settings.model_fields.items() if field.annotation is bool]
NUMBERS = [name for name, field in Settings.model_fields.items() if field.annotation is int]


def test_the_defaults_are_those_of_the_rules_page():
    assert (DEFAULTS.boxes, DEFAULTS.last_trauma) == (9, 4)
    assert DEFAULTS.ticks_beyond_extreme == 1
    on = {name for name in FLAGS if getattr(DEFAULTS, name)}
    assert on == {"only_gm_sets", "filling_stress_counts", "xp_rolls_over"}


def test_a_choice_is_yes_or_no_and_a_number_is_whole():
    for names, those in ((FLAGS, NO_BOOLS), (NUMBERS, NO_NUMBERS)):
        for name, wrong in product(names, those):
            refused(lambda value, name=name: Settings(**{name: value}), name, wrong)


def test_every_setting_is_a_yes_or_no_or_a_number():
    assert len(FLAGS) + len(NUMBERS) == len(Settings.model_fields)
