"""The shape of the house: who may know whom, and how long a file may get."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterable
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
ROOMS = (
    "afterburn",
    "api",
    "webhooks",
    "notices",
    "config",
    "database",
    "languages",
    "people",
    "campaigns",
    "characters",
    "rolls",
    "rules",
    "rulesets",
    "scale",
    "templates",
    "world",
    "static",
    "tests",
    "tools",
)
APPS = (
    "config",
    "rulesets",
    "afterburn",
    "api",
    "webhooks",
    "notices",
    "rolls",
    "scale",
    "rules",
    "world",
    "characters",
    "campaigns",
    "people",
    "languages",
    "database",
)
SUFFIXES = {".py", ".html", ".css", ".js"}
LONGEST = 800


def test_every_app_knows_only_what_lies_below_it() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    found = subprocess.run([linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout


def test_no_module_reaches_itself_by_its_imports() -> None:
    """Imports inside functions count as well. `prepare` raises a CycleError that names the cycle."""
    graph = grimp.build_graph(*APPS, cache_dir=None)
    TopologicalSorter({module: graph.find_modules_directly_imported_by(module) for module in graph.modules}).prepare()


@pytest.mark.parametrize("app", APPS)
def test_no_import_of_our_own_is_for_the_type_checker_alone(app: str) -> None:
    """Such an import hides a circle. Where two modules need each other's types, one of them says what it needs (a Protocol)."""
    hidden = {str(path.relative_to(ROOT)): sorted(_for_types_alone(path)) for path in (ROOT / app).rglob("*.py")}
    assert {path: names for path, names in hidden.items() if names} == {}


def _for_types_alone(path: Path) -> set[str]:
    """Modules of the project that are imported under `if TYPE_CHECKING`."""
    found = set[str]()
    for block in ast.walk(ast.parse(path.read_text())):
        if isinstance(block, ast.If) and "TYPE_CHECKING" in ast.unparse(block.test):
            for node in ast.walk(block):
                if isinstance(node, ast.ImportFrom):
                    found.add("." * node.level + (node.module or ""))
                elif isinstance(node, ast.Import):
                    found |= {name.name for name in node.names}
    return {name for name in found if name.startswith(".") or name.partition(".")[0] in APPS}


def test_no_file_is_too_long_to_be_read_in_one_go() -> None:
    lengths = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in _written_by_hand()}
    assert {name: length for name, length in lengths.items() if length > LONGEST} == {}


GAMES = re.compile(r"storyteller|descriptors?|arc|forged", re.IGNORECASE)
OF_SCALE = re.compile(r"scale|burns?|oracles?|momentum", re.IGNORECASE)
WORDS = re.compile(r"[a-z]+|[A-Z][a-z]+", re.ASCII)
BELOW = ("webhooks", "database", "characters", "campaigns", "people", "static")
"""Rooms that know nothing of the Scale."""


def test_no_game_is_named_outside_of_its_own_folder() -> None:
    """So other people's games fit in as well. The demo plays games, and migrations are made from models."""
    rooms = (*BELOW, "api", "config", "rolls", "rules", "scale", "templates")
    assert "\n".join(_naming(GAMES, rooms)) == ""


def test_what_stands_below_the_scale_does_not_name_it() -> None:
    assert "\n".join(_naming(OF_SCALE, BELOW)) == ""


def _naming(names: re.Pattern[str], rooms: Iterable[str]) -> list[str]:
    paths = [path for room in rooms for path in (ROOT / room).rglob("*") if path.suffix in SUFFIXES]
    return [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in sorted(paths)
        if not {"demo", "migrations"} & {*path.relative_to(ROOT).parts}
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if any(map(names.fullmatch, WORDS.findall(line.replace("-scale=", ""))))
    ]


def _written_by_hand() -> list[Path]:
    files = [ROOT / "dev.py", *(path for room in ROOMS for path in (ROOT / room).rglob("*"))]
    return [path for path in files if path.suffix in SUFFIXES and "migrations" not in path.parts]
