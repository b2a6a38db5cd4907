import pytest

from rulesets.forged.rules.magnitude import Measure, magnitude
from tests.rolls.rules.refusals import NO_WORDS, refused


def test_magnitudes_have_seven_levels_of_every_measure():
    assert magnitude(Measure.PEOPLE, 2) == "12"
    assert magnitude(Measure.FORCE, 6) == "devastating"
    for measure in Measure:
        assert len({magnitude(measure, level) for level in range(7)}) == 7


@pytest.mark.parametrize("wrong", NO_WORDS, ids=lambda wrong: repr(wrong)[:8])
def test_measures_are_checked(wrong):
    refused(lambda value: magnitude(value, 0), "measure", wrong)
