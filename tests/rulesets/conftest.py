"""The tables at which rulesets are played: those of the rolls' own tests."""

from tests.rolls.conftest import checks, evening, play  # noqa: F401
