"""Questions about odds as lines of JSON, one object in, one object out; see `python -m rolls.rules.odds`.

    {"system": "storyteller", "dice": 5, "difficulty": 6, "ability": 0}
        botch, failure (all that is neither), success; `net` by net successes (a botch has 0), `delta` by what the Scale gets
    {"system": "descriptors", "a": 3, "b": 2}
        win, lose (both for side a), stalemate; `successes` of side "a" and of side "b", by how many
    {"system": "forged", "dice": 2}
        1-3, 4/5, 6, critical
    {"system": "arc", "es": 5, "needed": 1}
        success; `needed` is the threshold minus all of the total but the die

Difficulty is 6 and ability 0 unless they are given. Every chance is a fraction in lowest terms, "a/b", also 0/1 and 1/1; maps
hold what can come. A question that cannot be answered gets `error`, a sentence, and `field`, the key at fault or "line".
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any, BinaryIO, Final, NamedTuple, TypeAlias

from rolls.rules.arc_settings import SCORES
from rolls.rules.dice import LARGEST_POOL
from rolls.rules.errors import LONGEST_NUMBER_SHOWN, LONGEST_TEXT_SHOWN, NotPossible, RuleError, UnknownWord, whole
from rolls.rules.forged_roll import Result
from rolls.rules.odds import arc, descriptors, forged, storyteller
from rolls.rules.storyteller import HIGHEST_DIFFICULTY, LOWEST_DIFFICULTY

LONGEST_LINE: Final = 4096
"""Bytes. No question needs a tenth of it, and more is not even kept."""

LONGEST_NUMBER: Final = 20
"""Characters of a whole number that are read; what is longer is out of every range."""

Answer: TypeAlias = dict[str, Any]


class Key(NamedTuple):
    """A whole number in a question: its range, and what it is when it is not there (None: it has to be)."""

    low: int
    high: int
    otherwise: int | None = None


class Form(NamedTuple):
    """The keys of a system's question, and what answers it."""

    keys: Mapping[str, Key]
    answer: Callable[..., Answer]


def answers(lines: BinaryIO) -> Iterator[Answer]:
    """An answer for each line, as soon as it is there. Lines that are too long are skipped in pieces, never held in memory."""
    while line := lines.readline(LONGEST_LINE + 1):
        if len(line) > LONGEST_LINE:
            while not line.endswith(b"\n") and (line := lines.readline(LONGEST_LINE)):
                pass
            message = f"A line has up to {LONGEST_LINE} bytes."
            yield _refused(NotPossible("line", None, allowed=f"up to {LONGEST_LINE} bytes", message=message))
        else:
            yield answer(line)


def answer(line: str | bytes) -> Answer:
    """The odds asked for in a line, or what is wrong with it."""
    try:
        return _answer(_read(line))
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
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            # Which of the two is meant would depend on their order.
            raise _bad_key(name, "once", "This key is there twice.")
        found[name] = value
    return found


def _bad_key(name: str, allowed: str, message: str) -> NotPossible:
    return NotPossible(name[:LONGEST_TEXT_SHOWN], None, allowed=allowed, message=message)


def _answer(asked: dict[str, Any]) -> Answer:
    system = asked.pop("system", None)
    if not isinstance(system, str) or system not in FORMS:
        raise UnknownWord("system", system, FORMS)
    form = FORMS[system]
    for name in asked:
        if name not in form.keys:
            known = ", ".join(form.keys)
            raise _bad_key(name, known, f"There is no such key here; besides the system there are {known}.")
    return form.answer(
        **{name: whole(name, asked.get(name, key.otherwise), key.low, key.high) for name, key in form.keys.items()}
    )


def _storyteller(dice: int, difficulty: int, ability: int) -> Answer:
    odds = storyteller.joint(dice, difficulty, ability=ability)
    return {
        "botch": _text(odds.botch),
        "failure": _text(odds.failure),
        "success": _text(odds.success),
        "net": _texts({net: Fraction(ways, odds.total) for net, ways in odds.nets().items()}),
        "delta": _texts({delta: Fraction(ways, odds.total) for delta, ways in odds.deltas().items()}),
    }


def _descriptors(a: int, b: int) -> Answer:
    odds = descriptors.opposed(a, b)
    return {
        "win": _text(odds.win),
        "lose": _text(odds.lose),
        "stalemate": _text(odds.stalemate),
        "successes": {"a": _texts(odds.successes_a), "b": _texts(odds.successes_b)},
    }


def _forged(dice: int) -> Answer:
    odds = forged.results(dice)
    names = {Result.CRITICAL: "critical"}
    return {names.get(result, str(result)): _text(chance) for result, chance in odds.items()}


def _arc(es: int, needed: int) -> Answer:
    return {"success": _text(arc.threshold(es, needed))}


def _texts(odds: Mapping[int, Fraction]) -> dict[str, str]:
    return {str(number): _text(chance) for number, chance in odds.items()}


def _text(chance: Fraction) -> str:
    return f"{chance.numerator}/{chance.denominator}"


FORMS: Final[Mapping[str, Form]] = {
    "storyteller": Form(
        {
            "dice": Key(1, LARGEST_POOL),
            "difficulty": Key(LOWEST_DIFFICULTY, HIGHEST_DIFFICULTY, 6),
            "ability": Key(0, LARGEST_POOL, 0),
        },
        _storyteller,
    ),
    "descriptors": Form({"a": Key(0, LARGEST_POOL), "b": Key(0, LARGEST_POOL)}, _descriptors),
    "forged": Form({"dice": Key(-LARGEST_POOL, LARGEST_POOL)}, _forged),
    "arc": Form({"es": Key(*SCORES), "needed": Key(-arc.FURTHEST, arc.FURTHEST)}, _arc),
}
