"""Questions about odds as lines of JSON, one object in, one object out; `python -m rulesets.odds` answers them (docs/odds.md).

    {"system": "<name of a ruleset>", …}       the other keys are those of the ruleset's `odds.QUESTION`

Every chance is a fraction in lowest terms, "a/b", also 0/1 and 1/1; maps hold what can come. A question that cannot be answered
gets `error`, a sentence, and `field`, the key at fault or "line".
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, BinaryIO, Final, TypeAlias

from rules.checked import Checked
from rules.errors import LONGEST_NUMBER_SHOWN, LONGEST_TEXT_SHOWN, NotPossible, RuleError, UnknownWord

LONGEST_LINE: Final = 4096
"""Bytes. No question needs a tenth of it, and more is not even kept."""

LONGEST_NUMBER: Final = 20
"""The most characters of a whole number that are read; longer ones are out of every range."""

Answer: TypeAlias = dict[str, Any]


class Question(Checked):
    """The keys of a ruleset's question, and what answers it."""

    def answer(self) -> Answer:
        """Return the odds that are asked for, in JSON's own types."""
        raise NotImplementedError


Questions: TypeAlias = Mapping[str, type[Question]]
"""Questions by the name of the ruleset."""


def answers(lines: BinaryIO, questions: Questions) -> Iterator[Answer]:
    """Yield an answer for each line as soon as it is read. Lines that are too long are skipped in pieces, never held in
    memory.
    """
    while line := lines.readline(LONGEST_LINE + 1):
        if len(line) > LONGEST_LINE:
            while not line.endswith(b"\n") and (line := lines.readline(LONGEST_LINE)):
                pass
            message = f"A line has up to {LONGEST_LINE} bytes."
            yield _refused(NotPossible("line", None, allowed=f"up to {LONGEST_LINE} bytes", message=message))
        else:
            yield answer(line, questions)


def answer(line: str | bytes, questions: Questions) -> Answer:
    """Return the odds asked for in a line, or an error."""
    try:
        return _answer(_read(line), questions)
    except RuleError as error:
        return _refused(error)


def _refused(error: RuleError) -> Answer:
    return {"error": str(error), "field": error.field}


def _read(line: str | bytes) -> dict[str, Any]:
    try:
        asked = json.loads(line, parse_int=_number, object_pairs_hook=_object)
    except RuleError:
        raise
    except (ValueError, RecursionError):
        # Among them: bytes that are no UTF-8, and brackets nested deeper than anybody counts.
        raise _no_object("This line is no JSON.") from None
    if not isinstance(asked, dict):
        raise _no_object("A question is a JSON object.")
    return asked


def _no_object(message: str) -> NotPossible:
    return NotPossible("line", None, allowed="one JSON object", message=message)


def _number(digits: str) -> int:
    return int(digits) if len(digits) <= LONGEST_NUMBER else LONGEST_NUMBER_SHOWN + 1


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields:
            # Which of the two is meant would depend on their order.
            raise _bad_key(name, "once", "This key is there twice.")
        fields[name] = value
    return fields


def _bad_key(name: str, allowed: str, message: str) -> NotPossible:
    return NotPossible(name[:LONGEST_TEXT_SHOWN], None, allowed=allowed, message=message)


def _answer(asked: dict[str, Any], questions: Questions) -> Answer:
    system = asked.pop("system", None)
    if not isinstance(system, str) or system not in questions:
        raise UnknownWord("system", system, questions)
    return questions[system](**asked).answer()


def texts(odds: Mapping[int, Fraction]) -> dict[str, str]:
    return {str(number): text(chance) for number, chance in odds.items()}


def text(chance: Fraction) -> str:
    return f"{chance.numerator}/{chance.denominator}"
