"""A log in which everything fits together and the payload may say anything: what a stranger could send."""

from __future__ import annotations

import copy
import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from itertools import cycle
from typing import Any
from uuid import uuid4

from campaigns.archive.reader import Wrong, check_payload, parsed

Lines = list[dict[str, Any]]

GONE = object()
ODD = (
    GONE,
    None,
    True,
    -1,
    2**53 - 1,
    "",
    "<script>alert(1)</script>",
    "=cmd|' /C calc'!A0",
    "0" * 4400,  # more digits than Python reads as a number
    "{{ campaign }}%s\n# x\n```",
    [],
    [None, 5, "x", [], {}],
    {},
    {"id": "../..", "name": [], "member": "x"},
    {"member": 2**53 - 1, "name": ""},
    {"x": {"x": {"x": {"x": []}}}},
)
EACH = 2  # lines of every kind that are changed
AMENDING = 20  # changed lines that amend one event


def odd_lines(lines: Lines) -> Iterator[dict[str, Any]]:
    """Copies of lines of every kind with one of their payload changed, as far as an import lets them pass."""
    seen: Counter[str] = Counter()
    amending: Counter[str] = Counter()
    values = cycle(ODD)
    for line in lines:
        seen[line["kind"]] += 1
        for path in _paths(line["payload"]) if seen[line["kind"]] <= EACH else ():
            odd = copy.deepcopy(line) | {"uid": str(uuid4())}
            _change(odd["payload"], path, next(values))
            amending[str(odd["amends"])] += 1
            if amending[str(odd["amends"])] > AMENDING:
                odd["amends"] = None
            with suppress(Wrong):
                check_payload(parsed(json.dumps(odd).encode()))
                yield odd


def _paths(value: Any) -> Iterator[tuple[Any, ...]]:
    inside = value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ()
    for name, part in inside:
        yield (name,)
        for path in _paths(part):
            yield (name, *path)


def _change(payload: Any, path: tuple[Any, ...], value: Any) -> None:
    for name in path[:-1]:
        payload = payload[name]
    if value is GONE:
        del payload[path[-1]]
    else:
        payload[path[-1]] = value


def numbered(lines: Lines) -> Lines:
    """Return lines of one file, numbered again in each stream."""
    heads: defaultdict[str, int] = defaultdict(int)
    for line in lines:
        heads[line["stream"]] += 1
        line["seq"] = heads[line["stream"]]
    return lines
