"""`python3 dev.py bench` (or `make bench`): run every bench and write what they print to docs/figures.md.

Figures say little without the machine they come from and how busy it was: the page names both, and for each part its commit,
and by how much the same piece of work took different times before and after it (the noise).
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/figures.md"
TURNS, LOOP = 20, 400_000  # of a piece of work whose time depends on the machine alone


@dataclass(frozen=True)
class Part:
    """A bench: what it shows, its goal, and the arguments that follow `python -m`."""

    name: str
    title: str
    wanted: str
    words: tuple[str, ...]


PARTS = (
    Part(
        "posting",
        "What an operation costs the server",
        "A roll: at most 15 queries and 8 ms on PostgreSQL.",
        ("bench.posting",),
    ),
    Part(
        "writes",
        "How many rolls a second are committed",
        "No goal is set. Rolls are limited by the processors, which writers and PostgreSQL share (docs/scaling.md).",
        ("bench.writes",),
    ),
    Part(
        "replica",
        "Logs read on a replica",
        "What the replica works, the primary works less.",
        ("bench.replica",),
    ),
    Part(
        "joining",
        "Coming back all at once",
        "All live within 6 s after a cut, within 10 s after a restart; nobody cut while they wait.",
        ("bench.joining",),
    ),
    Part(
        "fanout",
        "From a roll to the last screen",
        "At most 5 times a bare broadcast at 100 sockets, 1.7 times at 1,000; deliveries at least 0.6 of bare.",
        ("bench.fanout",),
    ),
    Part(
        "languages",
        "From a roll to the last screen, in two languages",
        "At most a tenth later than in one: each event is drawn once more.",
        ("bench.fanout", "--only", "sqlite", "--sockets", "100", "1000", "--languages", "en-gb", "de"),
    ),
    Part(
        "usual",
        "A usual evening",
        "100 sockets, 4 campaigns, 30 operations a second: no problem, p99 under 250 ms.",
        ("bench.drive", "--sockets", "100", "--campaigns", "4", "--rate", "30", "--seconds", "60"),
    ),
    Part(
        "crowd",
        "A thousand people",
        "1,000 sockets, 40 campaigns, 40 operations a second: no problem, p99 under 2.5 s.",
        ("bench.drive", "--sockets", "1000", "--campaigns", "40", "--rate", "40", "--seconds", "60"),
    ),
    Part(
        "overload",
        "More than it can do",
        "Accepted ones p99 under 2 s, the rest refused at once, normal again in 10 s.",
        (
            "bench.drive",
            "--sockets",
            "100",
            "--campaigns",
            "4",
            "--rate",
            "15",
            "--seconds",
            "60",
            "--fault",
            "overload",
        ),
    ),
    Part(
        "webhooks",
        "Webhooks that nobody answers",
        "With a thousand of them, a roll takes as long as without any.",
        ("bench.webhooks",),
    ),
    Part(
        "soak",
        "An hour on end",
        "After the first ten minutes memory grows by at most 0.05 MB a minute. Whole evenings are played: procedures, pictures,"
        " sheets, notes, notices, webhooks, the API and the overlay. What that leaves in the database is printed last.",
        (
            *("bench.drive", "--processes", "2", "--sockets", "40", "--campaigns", "4"),
            *("--rate", "3", "--evening", "0.7", "--soak", "3600"),
        ),
    ),
    Part(
        "growth",
        "Pages of a campaign that grows",
        "No page grows without end: lists begin with a page of their newest entries and go on as one scrolls. The youngest"
        " campaign does not fill such a page yet, so compare the second size with the third. The session of the grown campaigns"
        " (`session`, `recap`, `replay`) holds everything that happened in the demo. The demo’s table, sheet and log take at"
        " most 40 ms of processor and 80 kB without fonts.",
        ("bench.pages",),
    ),
    Part("paints", "When a browser has drawn the demo's pages", "No goal is set.", ("bench.pages", "--browser")),
    Part(
        "frames",
        "What a line of the log takes to draw",
        "At most 0.65 ms of processor time, in every language.",
        ("bench.pages", "--frames", "--only", "sqlite"),
    ),
    Part(
        "overlay",
        "Two hours of an overlay",
        "The page’s memory and its number of elements stay flat.",
        ("bench.overlay",),
    ),
    Part(
        "log",
        "Searching the log",
        "No search gets slower as the log grows, except those that read all of it.",
        ("bench.log",),
    ),
    Part(
        "search",
        "Searching a whole campaign",
        "Half of all searches in 50 ms of processor time, at 100,000 events, 1,000 things with names and 1,000 pages.",
        ("bench.search",),
    ),
    Part("odds", "Exact odds", "Whatever can be asked without signing in takes less than a second.", ("bench.odds",)),
)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = ArgumentParser(prog="dev.py bench", description=__doc__)
    parser.add_argument("only", nargs="*", choices=[[], *(part.name for part in PARTS)], help="these; the others stay")
    asked = parser.parse_args(arguments)
    sections = _sections()
    for part in PARTS:
        if not asked.only or part.name in asked.only:
            sections[part.title] = _section(part)
            # Written after each part, since some take long and may be interrupted.
            PAGE.write_text("\n".join([_head(), *(sections[part.title] for part in PARTS if part.title in sections)]))
    print(f"\nWritten to {PAGE.relative_to(ROOT)}.")


def _sections() -> dict[str, str]:
    """Return the sections of the current page, by title."""
    text = PAGE.read_text() if PAGE.exists() else ""
    return {section.partition("\n")[0]: f"## {section.strip()}\n" for section in text.split("\n## ")[1:]}


def _section(part: Part) -> str:
    load, noise = os.getloadavg()[0], _noise()
    output = _run(part)
    noise += _noise()
    middle = median(noise)
    least, most = (100 * end(noise) / middle - 100 for end in (min, max))
    return f"""## {part.title}

{part.wanted}

`python -m {" ".join(part.words)}` on {datetime.now(UTC):%d %B %Y}, at commit {_commit()}.
Load before: {load:.1f}; noise: {least:+.0f} to {most:+.0f} %.

```text
{output}
```
"""


def _run(part: Part) -> str:
    print(f"\n== {part.title} ==", flush=True)
    command = [sys.executable, "-m", *part.words]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        lines = []
        for line in process.stdout:
            print(line, end="", flush=True)
            lines.append(line.rstrip())
    if process.returncode:
        lines.append(f"It ended with the exit code {process.returncode}.")
    return "\n".join(lines).strip()


def _noise() -> list[float]:
    """Return the times of the same piece of work, repeated, in milliseconds."""
    taken = []
    for _ in range(TURNS):
        began = time.perf_counter()
        sum(range(LOOP))
        taken.append(1000 * (time.perf_counter() - began))
    return taken


def _commit() -> str:
    """Return the commit's name, with "-dirty" for uncommitted changes, except of the page that is written here."""
    changed = _said_by_git("status", "--porcelain", "--", ".", f":!{PAGE.relative_to(ROOT)}")
    return (_said_by_git("rev-parse", "--short", "HEAD") or "unknown") + ("-dirty" if changed else "")


def _said_by_git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()


def _head() -> str:
    machine = f"{os.cpu_count()} processors ({_model()}), {_memory()} of memory, {platform.system()}"
    return f"""# Figures

Made by `python3 dev.py bench`, or by `python3 dev.py bench usual` and so on for parts of it. Clients, servers and database run on
the same machine: {machine}, Python {platform.python_version()}.
Noise is how much quicker or slower than its median the same piece of work was, done {2 * TURNS} times before and after.
"""


def _model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


def _memory() -> str:
    return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB"


if __name__ == "__main__":
    main()
