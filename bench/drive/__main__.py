"""`python -m bench.drive --sockets 100 --campaigns 4 --rate 30 --seconds 60`: so many open pages at so many campaigns, so many
operations a second, on SQLite or on PostgreSQL with one or two server processes; with `--fault` one thing goes wrong in the
middle. Then it prints what was answered, which promises were broken, how long events took to the pages, and what it cost.

It ends with 1 where a promise was broken. `--soak` is a run that is long enough to see whether memory grows; `--bug` puts the
servers wrong on purpose (bench/drive/settings.py), to see that the checker finds it.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Sequence

from bench.drive.checks import DONE, PROMISES, percentile, slope
from bench.drive.faults import FAULTS, ONLY
from bench.drive.run import Run, run

NORMAL_AFTER = 10  # seconds after a fault
SHOWN = 5
REFUSALS = 25
WARM = 600  # seconds until caches are full, or a third of a shorter run


def main(arguments: Sequence[str] | None = None) -> int:
    asked = _asked(arguments)
    record = run(asked)
    _tell_answers(record)
    _tell_promises(record)
    _tell_times(record)
    _tell_cost(record)
    return 1 if record.findings.broken or record.late or record.wrong else 0


def _asked(arguments: Sequence[str] | None) -> Namespace:
    parser = ArgumentParser(prog="python -m bench.drive", description="Drive a site, break it, and check its promises.")
    parser.add_argument("--sockets", type=int, default=100)
    parser.add_argument("--campaigns", type=int, default=4)
    parser.add_argument("--rate", type=float, default=30, help="operations a second")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument(
        "--soak", type=float, metavar="SECONDS", help="so long, for the slopes of memory and descriptors"
    )
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="postgresql")
    parser.add_argument("--processes", type=int, choices=[1, 2], default=1)
    parser.add_argument("--fault", choices=FAULTS)
    parser.add_argument("--within", type=float, default=30, help="seconds until all have to be up to date")
    parser.add_argument("--twice", type=float, default=0.05, help="the share of operations that are sent twice at once")
    parser.add_argument(
        "--evening", type=float, default=0.0, help="the share of operations that are what else is done on an evening"
    )
    parser.add_argument(
        "--memory", metavar="FILE", help="write there how much memory the servers have, every ten seconds"
    )
    parser.add_argument("--rate-limit", type=int, default=30, help="operations of one member in ten seconds")
    parser.add_argument("--bug", default="", help="a name of bench/drive/settings.py's BUGS")
    asked = parser.parse_args(arguments)
    asked.seconds = asked.soak or asked.seconds
    if asked.database == "sqlite" and asked.processes > 1:
        parser.error("SQLite serves one process.")
    if ONLY.get(asked.fault, asked.database) != asked.database:
        parser.error(f"{asked.fault} needs {ONLY[asked.fault]}.")
    return asked


def _tell_answers(record: Run) -> None:
    asked = record.asked
    print(
        f"{asked.sockets} pages at {asked.campaigns} campaigns, {asked.rate:g} operations a second for {asked.seconds:g} s, "
        f"{asked.database}, {asked.processes} server process{'es' if asked.processes > 1 else ''}"
    )
    if record.asked.fault and record.fault:
        print(f"fault: {asked.fault}, {record.fault[1] - record.fault[0]:.1f} s{'; ' * bool(record.told)}{record.told}")
    done = {status: times for status, times in record.statuses.items() if status.startswith("2")}
    refused = {status: times for status, times in sorted(record.statuses.items()) if status not in done}
    print(f"acknowledged {sum(done.values())}, refused {refused or 0}; answers to all attempts {_answers(record)}")
    if record.done:
        print(f"what else was done, and answered {dict(sorted(record.done.items()))}")
        print(f"the receiver took {dict(record.taken)}")
        for text, times in record.refusals.most_common(REFUSALS):
            print(f"    {times} times {text}")
    print(f"connections of pages that ended {dict(record.codes)}, pages asked again {record.asked_again} times")


def _answers(record: Run) -> dict[str, int]:
    return dict(Counter(str(status or "none") for status, _, _ in record.answers))


def _tell_promises(record: Run) -> None:
    for name, problems in record.findings.problems.items():
        print(f"{name:18}{len(problems):>6}   {PROMISES[name] if problems else ''}")
        for problem in problems[:SHOWN]:
            print(f"                           {problem}")
    print(f"{'not up to date':18}{len(record.late):>6}")
    print(f"{'does not fit':18}{len(record.wrong):>6}   (chain, dice, Scale)")
    print(f"{'errors in logs':18}{record.complaints.total():>6}")
    for text, times in record.complaints.most_common(SHOWN):
        print(f"                           {times} times: {text[:150]}")
    for problem in [*record.late[:SHOWN], *record.wrong[:SHOWN]]:
        print(f"                           {problem}")


def _tell_times(record: Run) -> None:
    _tell_phases(record, "POST to page", record.findings.latencies)
    answers = record.answers
    _tell_phases(record, "accepted in", [(sent, took) for status, sent, took in answers if status in DONE])
    _tell_phases(record, "refused in", [(sent, took) for status, sent, took in answers if status == 503])
    _tell_latency("sent later than it was to be", record.client_late)


def _tell_phases(record: Run, what: str, times: Sequence[tuple[float, float]]) -> None:
    """Print the latencies of all operations, and before, during and after the fault. `times`: when each was sent, and
    how long it took, in seconds.
    """
    _tell_latency(f"{what}, all", [took for _, took in times])
    if record.fault:
        began, over = record.fault
        normal = over + NORMAL_AFTER
        _tell_latency(f"{what}, before the fault", [took for sent, took in times if sent < began])
        _tell_latency(f"{what}, during it", [took for sent, took in times if began <= sent < over])
        _tell_latency(f"{what}, {NORMAL_AFTER} s after it", [took for sent, took in times if sent >= normal])


def _tell_latency(title: str, took: Sequence[float]) -> None:
    if took:
        p50, p99, longest = (1000 * seconds for seconds in (percentile(took, 0.5), percentile(took, 0.99), max(took)))
        print(f"{title:31} p50 {p50:7.0f} ms, p99 {p99:7.0f} ms, longest {longest:7.0f} ms")


def _tell_cost(record: Run) -> None:
    first, last = record.samples[0], record.samples[-1]
    rss = [[one["Rss"] for one in sample.memory] for sample in (first, last)]
    print(f"memory (RSS) {_row(rss[0])} MB at the beginning, {_row(rss[1])} MB at the end")
    print(f"descriptors {_row(first.descriptors)} at the beginning, {_row(last.descriptors)} at the end")
    for number, name in enumerate(record.names if record.asked.soak else ()):
        warm = first.at + min(WARM, record.asked.soak / 3)
        flat = [sample for sample in record.samples if sample.at >= warm]
        grows = {
            share: 60 * slope([(sample.at, sample.memory[number][share]) for sample in flat])
            for share in ("Rss", "Pss", "Anonymous")
        }
        descriptors = 60 * slope([(sample.at, sample.descriptors[number]) for sample in flat])
        says = ", ".join(f"{share} {grown:+.3f}" for share, grown in grows.items())
        print(f"a minute, after {warm - first.at:.0f} s, {name}: MB {says}; descriptors {descriptors:+.2f}")
    print(end=record.sizes)


def _row(values: Sequence[float]) -> str:
    return " + ".join(f"{value:.0f}" for value in values)


if __name__ == "__main__":
    sys.exit(main())
