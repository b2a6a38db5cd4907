"""Replay worked cases against the rules: `python -m tests.replay FILE`.

FILE holds one JSON object a line: `function` and `input` name a call, `expected` its result ({"error": true}: the input must be
refused). Prints every mismatch and a count, and exits with 1 if there is any. Functions that are not built are listed apart.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import django

from campaigns.errors import ServiceError
from characters.sheets.fields import SheetError
from rules.errors import RuleError

REFUSED = {"error": True}


@dataclass
class Replay:
    """`mismatches` in the order of the file; `unbuilt` counts the cases of every function that has no adapter."""

    cases: int = 0
    mismatches: list[str] = field(default_factory=list)
    unbuilt: Counter[str] = field(default_factory=Counter)

    @property
    def agreed(self) -> int:
        return self.cases - len(self.mismatches) - self.unbuilt.total()


def replay(lines: Iterable[str]) -> Replay:
    """Run every case. A line that cannot be read, or called, is a mismatch: a case that tests nothing must not pass."""
    seen, calls = Replay(), _calls()
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        seen.cases += 1
        try:
            case = json.loads(line)
            function, given, expected = case["function"], case["input"], case["expected"]
        except (ValueError, KeyError, TypeError) as fault:
            seen.mismatches.append(f"line {number}: not a case ({fault!r})")
            continue
        if function not in calls:
            seen.unbuilt[function] += 1
            continue
        got = run(function, given)
        if not same(got, expected):
            name = f"{case.get('id', f'line {number}')} {case.get('case', '')}".strip()
            wanted = f"{function}({json.dumps(given)}) should be {json.dumps(expected)}"
            seen.mismatches.append(f"{name}: {wanted}, is {json.dumps(got, default=repr)}")
    return seen


def run(function: str, given: dict[str, Any]) -> Any:
    """Return the result of the call, {"error": true} if the rules refuse it, or a sentence if it cannot be made."""
    try:
        return _calls()[function](**given)
    except (RuleError, ServiceError, SheetError):
        return REFUSED
    except Exception as fault:
        return f"broke: {fault!r}"


def _calls() -> Mapping[str, Callable[..., Any]]:
    """Read when they are needed: their modules want Django to be ready, which it is not yet where this is run by itself."""
    from tests.calls import CALLS

    return CALLS


def same(got: Any, expected: Any) -> bool:
    """Equal as JSON: 1 is not true, and a list is a list however it came about."""
    return bool(json.dumps(got, sort_keys=True, default=repr) == json.dumps(expected, sort_keys=True))


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print(__doc__)
        return 2
    with open(arguments[0], encoding="utf-8") as lines:
        seen = replay(lines)
    for mismatch in seen.mismatches:
        print(mismatch)
    for function, cases in sorted(seen.unbuilt.items()):
        print(f"not built yet: {function} ({cases})")
    print(
        f"{seen.cases} cases: {seen.agreed} agree, {len(seen.mismatches)} do not, {seen.unbuilt.total()} not built yet"
    )
    return 1 if seen.mismatches else 0


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    sys.exit(main(sys.argv[1:]))
