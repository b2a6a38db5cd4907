"""Whether a run kept the promises: a function over plain data, which knows neither Django nor how the data was gathered.

An operation is known by its key, which is also what its form says (the words, a note, a reason, a value), so that it is found in
the log by its content, whatever the site thinks of keys.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

DONE = range(200, 300)


@dataclass
class Operation:
    """What was sent, how often, and how it ended: `status` is that of the last answer, None without one. `sent` has the
    moment of each attempt.
    """

    key: str
    campaign: str
    sent: list[float]
    status: int | None

    @property
    def is_acknowledged(self) -> bool:
        return self.status in DONE


class Row(NamedTuple):
    """An event of the log; `operation` is the key of its operation, "" without one."""

    campaign: str
    stream: str
    seq: int
    hash: str
    operation: str


class Applied(NamedTuple):
    """A change of a page: it applied an event, or (`hash` is "") was loaded again, with everything up to `seq` of a stream."""

    stream: str
    seq: int
    hash: str
    at: float


@dataclass
class Page:
    """An open page: what its reader may see (None: all streams), where it began, and what it applied, in that order.

    `removed` is the number, in the table's stream, of the event that removed its reader: neither that nor later ones may come.
    """

    campaign: str
    streams: Sequence[str] | None
    began: Mapping[str, int]
    applied: Sequence[Applied]
    removed: int | None = None

    def may_see(self, stream: str) -> bool:
        return self.streams is None or stream in self.streams


@dataclass
class Findings:
    """The broken promises, by name, and events' latencies: when each was sent, and the seconds from then."""

    problems: dict[str, list[str]] = field(default_factory=lambda: {name: [] for name in PROMISES})
    latencies: list[tuple[float, float]] = field(default_factory=list)

    @property
    def broken(self) -> dict[str, list[str]]:
        return {name: problems for name, problems in self.problems.items() if problems}


PROMISES = {
    "lost": "acknowledged, and not in the log",
    "doubled": "done more than once",
    "refused but done": "answered as not done, and in the log",
    "gaps in the log": "numbers of a stream that are not there",
    "missed": "events that a page never came to",
    "out of order": "applied before what comes before it",
    "repeated": "applied more than once",
    "foreign": "applied by a page that may not see it, or not as the log has it",
    "after removal": "sent to who is no longer there",
}


def check(operations: Iterable[Operation], log: Sequence[Row], pages: Iterable[Page]) -> Findings:
    """Return all faults, and the time from sending each operation until each page applied it."""
    findings = Findings()
    by_key = {operation.key: operation for operation in operations}
    _operations(findings, by_key, log)
    streams = _streams(findings, log)
    for number, page in enumerate(pages):
        _page(findings, f"page {number}", page, streams)
        _latencies(findings, page, streams, by_key)
    return findings


def _operations(findings: Findings, by_key: Mapping[str, Operation], log: Iterable[Row]) -> None:
    """Check that each acknowledged operation is logged, and none twice in one stream."""
    logged = Counter((row.operation, row.campaign, row.stream) for row in log if row.operation)
    kept = {(key, campaign) for key, campaign, _ in logged}
    for operation in by_key.values():
        is_there = (operation.key, operation.campaign) in kept
        if operation.is_acknowledged and not is_there:
            findings.problems["lost"].append(operation.key)
        if is_there and operation.status is not None and not operation.is_acknowledged:
            findings.problems["refused but done"].append(f"{operation.key} ({operation.status})")
    for (key, campaign, stream), times in logged.items():
        if times > 1:
            findings.problems["doubled"].append(f"{key}: {times} times in {campaign}, {stream}")


Streams = Mapping[tuple[str, str], Mapping[int, Row]]


def _streams(findings: Findings, log: Iterable[Row]) -> Streams:
    streams: dict[tuple[str, str], dict[int, Row]] = defaultdict(dict)
    for row in log:
        streams[row.campaign, row.stream][row.seq] = row
    for (campaign, stream), rows in streams.items():
        if missing := set(range(1, max(rows) + 1)) - rows.keys():
            findings.problems["gaps in the log"].append(f"{campaign}, {stream}: {sorted(missing)[:5]}")
    return streams


def _page(findings: Findings, name: str, page: Page, streams: Streams) -> None:
    """Check that a page's events are those of the log that it may see, each once, in order, up to the end."""
    at = dict(page.began)
    for applied in page.applied:
        have, where = at.get(applied.stream, 0), f"{name}: {applied.stream} {applied.seq}"
        if page.removed is not None and applied.stream == "table" and applied.seq >= page.removed:
            findings.problems["after removal"].append(where)
        if applied.hash:
            _event(findings, where, applied, page, have, streams)
        at[applied.stream] = max(have, applied.seq)
    if page.removed is not None:
        return
    for (campaign, stream), rows in streams.items():
        if campaign == page.campaign and page.may_see(stream) and at.get(stream, 0) < max(rows):
            findings.problems["missed"].append(f"{name}: {stream} stands at {at.get(stream, 0)} of {max(rows)}")


def _event(findings: Findings, where: str, applied: Applied, page: Page, have: int, streams: Streams) -> None:
    row = streams.get((page.campaign, applied.stream), {}).get(applied.seq)
    if not page.may_see(applied.stream) or row is None or row.hash != applied.hash:
        findings.problems["foreign"].append(where)
    elif applied.seq <= have:
        earlier = any(
            other.seq == applied.seq and other.at < applied.at
            for other in page.applied
            if other.stream == applied.stream
        )
        findings.problems[
            "repeated" if earlier or applied.seq <= page.began.get(applied.stream, 0) else "out of order"
        ].append(where)
    elif applied.seq > have + 1:
        findings.problems["out of order"].append(f"{where} after {have}")


def _latencies(findings: Findings, page: Page, streams: Streams, by_key: Mapping[str, Operation]) -> None:
    """Measure from the newest attempt before an event was applied: unanswered attempts are sent again."""
    for applied in page.applied:
        row = streams.get((page.campaign, applied.stream), {}).get(applied.seq)
        operation = by_key.get(row.operation) if row and applied.hash else None
        if operation and (attempts := [sent for sent in operation.sent if sent <= applied.at]):
            findings.latencies.append((attempts[-1], applied.at - attempts[-1]))


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value that this share of all does not exceed; 0 for no values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def slope(points: Sequence[tuple[float, float]]) -> float:
    """Return the slope of the straight line through these points (least squares); 0 for fewer than two."""
    if len(points) < 2:
        return 0.0
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    width = sum((x - mean_x) ** 2 for x, _ in points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / width if width else 0.0
