"""What no rule takes for a number, a yes or a word, and how a refusal has to look."""

from collections.abc import Callable
from typing import Any

from rules.errors import RuleError
from tests.answers import refusal

NO_NUMBERS = [True, False, 1.0, float("nan"), float("inf"), "2", None, [1], 10**9, -(10**9), 10**4000]
NO_BOOLS = [1, 0, "yes", None, float("nan")]
NO_WORDS = ["", "huge", None, 1, True, float("nan"), "x" * 10**6]


def refused(call: Callable[[Any], object], field: str, value: object) -> None:
    """Check that the call refuses `value`, and says which field it was, what it was given and what is allowed."""
    caught = refusal(RuleError, call, value)
    assert (caught.field, caught.value is value) == (field, True)
    assert caught.allowed
    assert len(caught.message) < 200
