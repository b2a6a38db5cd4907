"""Which tests enter which lines of the rules: a pytest plugin that records it (`-p bench.entering`), and the queries for it.

The notes are those of coverage.py, with a context for each test, and beside them how long each test takes. NOTES names the
file; each process writes its own beside it. A test with parameters is one test here.
"""

from __future__ import annotations

import ast
import json
import os
import time
from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest
from coverage import Coverage, CoverageData

NOTES = "ENTERING_NOTES"
"""The variable of the environment that names the file."""

MEASURED = ("rulesets/*/rules/*", "scale/rules/*")
SECONDS = "-seconds"

_seconds: Counter[str] = Counter()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    test, began = item.nodeid.partition("[")[0], time.monotonic()
    _noting().switch_context(test)
    try:
        return (yield)
    finally:
        _seconds[test] += time.monotonic() - began  # type: ignore[assignment]


def pytest_unconfigure() -> None:
    if _noting.cache_info().currsize:
        _noting().stop()
        _noting().save()
        Path(f"{os.environ[NOTES]}{SECONDS}.{os.getpid()}").write_text(json.dumps(_seconds))


@cache
def _noting() -> Coverage:
    """Return the coverage of this process, started with its first test: xdist's main process runs none and so notes nothing."""
    coverage = Coverage(
        data_file=os.environ[NOTES],
        data_suffix=str(os.getpid()),
        include=[*MEASURED],
        config_file=False,
        messages=False,
    )
    coverage.start()
    return coverage


@dataclass(frozen=True)
class Notes:
    """The plugin's record of every test of a run."""

    lines: CoverageData
    seconds: dict[str, float] = field(default_factory=dict)

    def tests_that_enter(self, path: str, text: str, line: int) -> list[str]:
        """Return the tests that ran the statement on this line of a file, the quick ones first.

        Module code runs once, at import, and matters to all tests that run anything in the module. `path` is that of
        the file in the project, and `text` its content.
        """
        file = next((file for file in self.lines.measured_files() if file.endswith(f"/{path}")), path)
        first, last = _reach(text, line)
        tests: set[str] = set()
        for number, contexts in self.lines.contexts_by_lineno(file).items():
            if first <= number <= last:
                tests.update(contexts)
        return sorted(tests - {""}, key=self.cost)

    def seconds_of(self, test: str) -> float:
        return self.seconds.get(test, 0)

    def cost(self, test: str) -> tuple[float, str]:
        """Return the sort key of a test, which puts quick ones first."""
        return self.seconds_of(test), test


def read(path: Path) -> Notes:
    """Return the notes that are kept in this file."""
    lines = CoverageData(str(path))
    lines.read()
    return Notes(lines, json.loads(Path(f"{path}{SECONDS}").read_text()))


def combine(path: Path) -> None:
    """Make one file of what all processes have noted."""
    coverage = Coverage(data_file=str(path), config_file=False, messages=False)
    coverage.combine(strict=True)
    coverage.save()
    seconds: Counter[str] = Counter()
    for part in path.parent.glob(f"{path.name}{SECONDS}.*"):
        seconds.update(json.loads(part.read_text()))
        part.unlink()
    Path(f"{path}{SECONDS}").write_text(json.dumps(seconds))


def in_a_function(text: str, line: int) -> bool:
    return any(isinstance(statement, ast.FunctionDef) for statement in _around(text, line))


def _reach(text: str, line: int) -> tuple[int, int]:
    """Return the first and the last line of what runs together with a line of a function; elsewhere, of the whole file.

    That is the statement; of an `if` only its condition, of a function all of it, because argument defaults are
    evaluated before it is called.
    """
    if not in_a_function(text, line):
        return 1, text.count("\n") + 1
    statement = _around(text, line)[-1]
    body = getattr(statement, "body", None)
    if body and line < body[0].lineno and not isinstance(statement, ast.FunctionDef):
        return statement.lineno, body[0].lineno - 1
    return statement.lineno, statement.end_lineno or statement.lineno


def _around(text: str, line: int) -> list[ast.stmt]:
    """Return the statements around a line, the innermost last."""
    statements = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt)]
    return sorted(
        (node for node in statements if node.lineno <= line <= (node.end_lineno or 0)),
        key=lambda node: (node.lineno, -(node.end_lineno or 0)),
    )
