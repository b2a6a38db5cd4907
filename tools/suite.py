"""`dev.py test` and `test-all`: the static checks, the tests on SQLite, and those on PostgreSQL beside those in browsers."""

from __future__ import annotations

import os
import resource
import secrets
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from tools.chromium import chromium
from tools.databases import migrated_postgres, migrated_sqlite, with_demo
from tools.environment import CACHE, PYTHON, ROOT, Trouble
from tools.postgres import postgres

BROWSER = "tests/browser"
WORKERS = ("-n", "2", "--dist", "worksteal")
SLOWEST = 10
QUICK = ("-m", "not thorough")
"""Leaves out the tests that only `test-all` runs (tests/conftest.py says which these are)."""
CHANGED = "--testmon"
NO_TESTS = 5
"""The exit code of pytest when it finds no test."""

MODULE = (str(PYTHON), "-m")
MANAGE = (str(PYTHON), "manage.py")
TEMPLATES = ("templates", "rulesets")
CHECKS: dict[str, Sequence[str]] = {
    # The longest first, so that the others run in parallel.
    "mypy": (*MODULE, "mypy", "--no-error-summary"),
    "scripts": (*MODULE, "tools.javascript"),
    "ruff check": (*MODULE, "ruff", "check", "--quiet"),
    "ruff format": (*MODULE, "ruff", "format", "--check", "--quiet"),
    "djlint": (*MODULE, "djlint", "--check", "--lint", *TEMPLATES),
    "lint-imports": (str(PYTHON.with_name("lint-imports")), "--no-cache"),
    "makemigrations --check": (*MANAGE, "makemigrations", "--check", "--dry-run"),
    "check --deploy": (*MANAGE, "check", "--deploy", "--fail-level", "WARNING"),
}


@dataclass
class Tally:
    """Counts of tests; a part that broke down counts as one failure."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    times: list[tuple[float, str, str]] = field(default_factory=list, compare=False)
    """For each test its seconds, its name and its part."""

    def __add__(self, other: Tally) -> Tally:
        times = [*self.times, *other.times]
        return Tally(self.passed + other.passed, self.failed + other.failed, self.skipped + other.skipped, times)

    def __str__(self) -> str:
        skipped = f", {self.skipped} skipped" if self.skipped else ""
        return f"{self.passed} passed, {self.failed} failed{skipped}"


def every_part(*, thorough: bool, both: bool = False) -> Tally:
    """Run all parts, and go on after a failure so that one run shows them all.

    Without `thorough`, tests of that mark are left out. Each test runs once, on the database that tests/databases.py
    names; with `both`, all that use a database run on SQLite and on PostgreSQL.
    """
    CACHE.mkdir(exist_ok=True)
    shared = (() if thorough else QUICK) + (() if both else ("--once",))
    with ExitStack() as stack:
        # Resources for later parts are made in parallel with the first, which otherwise leaves cores idle and does not
        # slow browsers.
        aside = stack.enter_context(ThreadPoolExecutor(1))
        ready = aside.submit(lambda: _databases(stack.enter_context(postgres())))
        total = check_all()
        total += pytest("SQLite", *WORKERS, *shared, DATABASE_URL="", TEST_MIGRATED=str(migrated_sqlite()))
        try:
            url, migrated, demo = ready.result()
            # Both wait half of their time, on sockets and for browsers: together they take little longer than one.
            own: dict[str, Any] = {"DATABASE_URL": url, "TEST_MIGRATED": migrated, "TEST_DEMO": demo}
            beside = aside.submit(lambda: pytest("PostgreSQL", *WORKERS, *shared, told_after=True, **own))
            total += browsers(url, demo, *WORKERS, *shared, BROWSER)
            total += beside.result()
        except Trouble as trouble:
            print(f"\n{trouble}", flush=True)
            total += Tally(failed=1)
    return total


def changed() -> Tally:
    """Run the tests on SQLite that enter code changed since their last run, as pytest-testmon has noted; at first all."""
    CACHE.mkdir(exist_ok=True)
    notes = CACHE / "testmon"
    workers = () if notes.exists() else WORKERS
    environment: dict[str, Any] = {
        "DATABASE_URL": "",
        "TEST_MIGRATED": str(migrated_sqlite()),
        "TESTMON_DATAFILE": str(notes),
    }
    return pytest("SQLite", CHANGED, "-q", *workers, **environment)


def _databases(url: str) -> tuple[str, str, str]:
    """Return the server's `url`, and the names of the database with tables and of the one with the demo."""
    return url, migrated_postgres(url), with_demo(url)


def only(arguments: Sequence[str]) -> Tally:
    """Run what these arguments of pytest name: on SQLite, or with what browser tests need if they name those."""
    CACHE.mkdir(exist_ok=True)
    if any(Path(argument.split("::")[0]).is_relative_to(BROWSER) for argument in arguments):
        with postgres() as url:
            migrated_postgres(url)
            return browsers(url, with_demo(url), *arguments)
    return pytest("SQLite", *arguments, DATABASE_URL="", TEST_MIGRATED=str(migrated_sqlite()))


def browsers(url: str, demo: str, *arguments: str, **environment: str) -> Tally:
    # Served pages, not test clients: processes of their own, each with one browser on two servers.
    wants = ("-p", "playwright", "-o", "norecursedirs=.*")
    given: dict[str, Any] = environment | {"DATABASE_URL": url, "TEST_DEMO": demo, "CHROMIUM": str(chromium())}
    return pytest("Browsers", *wants, *arguments, **given)


def pytest(title: str, *arguments: str, told_after: bool = False, **environment: str) -> Tally:
    """Run pytest; its words go to the terminal, with `told_after` when it has ended, and its numbers come back."""
    report = CACHE / f"{title.lower()}.xml"
    report.unlink(missing_ok=True)
    command = [*MODULE, "pytest", f"--junit-xml={report}", *arguments]
    heading, began = f"\n== {title} ==", time.monotonic()
    if not told_after:
        print(heading, flush=True)
    out, err = (subprocess.PIPE, subprocess.STDOUT) if told_after else (None, None)
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | environment, stdout=out, stderr=err, text=True, check=False
    )
    code = done.returncode
    if told_after:
        print(f"{heading}\n{done.stdout}", flush=True)
    print(f"{title}: {time.monotonic() - began:.0f} s", flush=True)
    tally = _read(report)
    # No tests found, or pytest itself failed: an error, except if only tests of changed code were asked for.
    fine = (0, NO_TESTS) if CHANGED in arguments else (0,)
    return tally if code in fine or tally.failed else tally + Tally(failed=1)


def _used() -> float:
    """Return the seconds that ended processes have used of processors: unlike the time of day the same on a busy machine."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def check_all() -> Tally:
    """Run the static checks, two at a time; print the output of those alone that find something."""
    print("== Checks ==", flush=True)
    # The settings of a public site, and nothing of this machine's own.
    environment = os.environ | {
        "ENV_FILE": os.devnull,
        "SECRET_KEY": secrets.token_urlsafe(50),
        "SITE_URL": "https://afterburn.example",
        "HTTPS": "1",
        "TRUSTED_PROXIES": "127.0.0.1",
        "DATABASE_URL": "sqlite://:memory:",
    }
    tally = Tally()
    with ThreadPoolExecutor(2) as pool:
        for name, (ok, words, seconds) in zip(
            CHECKS, pool.map(lambda command: _check(command, environment), CHECKS.values()), strict=True
        ):
            print(f"{'ok    ' if ok else 'FAILED'} {name} ({seconds:.1f} s)", flush=True)
            if not ok:
                print(words, flush=True)
            tally += Tally(passed=ok, failed=not ok)
    return tally


def _check(command: Sequence[str], environment: dict[str, str]) -> tuple[bool, str, float]:
    began = time.monotonic()
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    return done.returncode == 0, f"{done.stdout}{done.stderr}".strip(), time.monotonic() - began


def _read(report: Path) -> Tally:
    if not report.exists():
        return Tally()
    total = Tally()
    for suite in ElementTree.parse(report).getroot().iter("testsuite"):
        count = {name: int(suite.get(name, 0)) for name in ("tests", "failures", "errors", "skipped")}
        failed = count["failures"] + count["errors"]
        total += Tally(max(0, count["tests"] - failed - count["skipped"]), failed, count["skipped"])
        total.times += [
            (float(case.get("time", 0)), f"{case.get('classname')}::{case.get('name')}", report.stem)
            for case in suite.iter("testcase")
        ]
    return total


def by_folder(tally: Tally) -> str:
    """Return the seconds that the tests of each folder took in each part, a line for each, the longest first."""
    seconds: dict[str, float] = defaultdict(float)
    for took, name, part in tally.times:
        seconds[f"{'/'.join(name.split('.')[:2])}, {part}"] += took
    return "\n".join(f"{took:6.1f} s  {where}" for where, took in sorted(seconds.items(), key=lambda pair: -pair[1]))


def slowest(tally: Tally) -> str:
    """Return the tests that took longest, whichever part they belong to, a line for each."""
    longest = sorted(tally.times, reverse=True)[:SLOWEST]
    return "\n".join(f"{took:6.1f} s  {name}, {part}" for took, name, part in longest)


def main() -> None:
    # A stop signal acts like Ctrl-C: processes started here are stopped, too.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    # Without bytecode each of the processes would compile everything again.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    began, asked = time.monotonic(), sys.argv[1:]
    try:
        match asked:
            case [] | ["--all"] | ["--both"]:
                total = every_part(thorough=bool(asked), both="--both" in asked)
            case ["--changed"]:
                total = changed()
            case _:
                total = only(asked)
    except Trouble as trouble:
        sys.exit(f"\n{trouble}")
    except KeyboardInterrupt:
        sys.exit(130)
    print(f"\nBy folder:\n{by_folder(total)}\n\nThe slowest:\n{slowest(total)}", flush=True)
    print(f"\nIn {time.monotonic() - began:.0f} seconds ({_used():.0f} of processors):\n{total}", flush=True)
    sys.exit(total.failed > 0)


if __name__ == "__main__":
    main()
