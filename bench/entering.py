"""Which tests enter which lines of the rules: a plugin of pytest that notes it (`-p bench.entering`), and how to ask afterwards.

The notes are those of coverage.py, with a context for each test. NOTES names the file; each process writes its own beside it.
"""

from __future__ import annotations

import ast
import os
from collections import Counter
from collections.abc import Generator
from functools import cache
from pathlib import Path

import pytest
from coverage import Coverage, CoverageData

NOTES = "ENTERING_NOTES"
"""The variable of the environment that names the file."""

MEASURED = "rulesets/*/rules/*"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    coverage = _noting()
    coverage.switch_context(item.nodeid.partition("[")[0])
    return (yield)


def pytest_unconfigure() -> None:
    if _noting.cache_info().currsize:
        _noting().stop()
        _noting().save()


@cache
def _noting() -> Coverage:
    """Return what notes for this process, begun with the first test: xdist's first process, which runs none, notes nothing."""
    coverage = Coverage(
        data_file=os.environ[NOTES], data_suffix=str(os.getpid()), include=MEASURED, config_file=False, messages=False
    )
    coverage.start()
    return coverage


def combined(notes: Path) -> CoverageData:
    """Return what all processes have noted."""
    coverage = Coverage(data_file=str(notes), config_file=False, messages=False)
    coverage.combine(strict=True)
    return coverage.get_data()


def tests_that_enter(data: CoverageData, path: str, text: str, line: int) -> list[str]:
    """Return the tests that ran the function in which this line of a file stands: those of rules first, which are quick, then
    those that ran little else of the function.

    What stands in no function is run once, when the module is imported, and matters to all that run anything in the module.
    `path` is that of the file in the project, and `text` what stands in it.
    """
    file = next((file for file in data.measured_files() if file.endswith(f"/{path}")), path)
    first, last = next(iter(_functions(text, line)), (1, text.count("\n") + 1))
    lines = {
        number: {*contexts} - {""}
        for number, contexts in data.contexts_by_lineno(file).items()
        if first <= number <= last
    }
    exact = lines.get(line, set())
    often = Counter(test for tests in lines.values() for test in tests)
    return sorted(often, key=lambda test: ("/rules/" not in test, test not in exact, often[test], test))


def in_a_function(text: str, line: int) -> bool:
    return bool(_functions(text, line))


def _functions(text: str, line: int) -> list[tuple[int, int]]:
    """Return the first and the last lines of the functions around a line, the innermost first."""
    spans = [
        (node.lineno, node.end_lineno or node.lineno)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    return sorted(spans, reverse=True)
