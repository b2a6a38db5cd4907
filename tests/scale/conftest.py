"""The tables at which the Scale moves: those of the rolls’ own tests."""

from tests.rolls.conftest import checks, evening, play  # noqa: F401
