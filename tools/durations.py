"""Which tests take long, as a whole run has found: tests/durations.json, by which tests/depth.py gives them turns."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from statistics import mean

from tools.environment import ROOT

FILE = ROOT / "tests" / "durations.json"
LONG = 0.1
"""From how many seconds on a test takes turns: one in eight of all tests, which together take six sevenths of the time."""


def name_of(nodeid: str) -> str:
    """The name of a test without its case, as reports in the JUnit format have it: `tests.people.test_mail::test_it_is_sent`."""
    path, *inside = nodeid.partition("[")[0].split("::")
    return "::".join([".".join([path.removesuffix(".py").replace("/", "."), *inside[:-1]]), inside[-1]])


def noted() -> dict[str, float]:
    """The seconds that a case of each long test took, by its name."""
    return json.loads(FILE.read_text())


def note(cases: Iterable[tuple[float, str]]) -> None:
    """Write down what takes long of these: (seconds, "name[case], part of the run"). Of two parts the longer time counts."""
    took = defaultdict(list)
    for seconds, case in cases:
        name, part = case.partition("[")[0].partition(", ")[0], case.rpartition(", ")[2]
        took[name, part].append(seconds)
    means: dict[str, float] = {}
    for (name, _), each in sorted(took.items()):
        means[name] = max(means.get(name, 0), round(mean(each), 2))
    long = {name: seconds for name, seconds in means.items() if seconds >= LONG}
    FILE.write_text(json.dumps(long, indent=0) + "\n")
