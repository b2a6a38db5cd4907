"""What checks the scripts comes from npm by a lock that names no registry: whoever runs the tests has theirs."""

from __future__ import annotations

import json
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_lock_names_what_is_wanted_with_its_hash_and_from_nowhere() -> None:
    wanted = json.loads((ROOT / "package.json").read_text())["devDependencies"]
    locked = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    assert locked[""]["devDependencies"] == wanted
    others = {name: package for name, package in locked.items() if name}
    assert all("integrity" in package and "resolved" not in package for package in others.values())
    assert {name: others[f"node_modules/{name}"]["version"] for name in wanted} == wanted
