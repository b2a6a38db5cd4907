"""Databases as released versions left them, which this version has to read: `python -m tests.released` makes those of this one.

A file for each kind of database, named by its version: what `manage.py backup` wrote after everything had happened at a table
(tests/flows/played.py); that of SQLite is compressed.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from tools.environment import ROOT

FOLDER = Path(__file__).parent
SUFFIXES = {"sqlite": ".sqlite3.xz", "postgresql": ".postgresql.zip"}


def version() -> str:
    """Return this project's version, that of its newest release."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return str(project["version"])


def kept(vendor: str) -> list[Path]:
    """Return the files of released databases of this kind, oldest first."""
    found = FOLDER.glob(f"*{SUFFIXES[vendor]}")
    return sorted(found, key=lambda path: [int(part) for part in path.name.removesuffix(SUFFIXES[vendor]).split(".")])
