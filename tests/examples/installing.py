"""A ruleset from outside the project, installed as pip would install it, into a folder of its own and without a network."""

from __future__ import annotations

import os
import shutil
import tomllib
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"
LANTERNS = EXAMPLES / "afterburn-lanterns"


def install(source: Path, target: Path) -> dict[str, str]:
    """Put a package with its metadata into `target`, and give the environment in which Python finds it there.

    This is what a wheel of it unpacks to: building one takes setuptools, which the tests do without.
    """
    project = tomllib.loads((source / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for package in source.glob("*/__init__.py"):
        shutil.copytree(package.parent, target / package.parent.name, ignore=shutil.ignore_patterns("__pycache__"))
    told = target / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    told.mkdir()
    metadata = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (told / "METADATA").write_text(metadata, encoding="utf-8")
    groups = "\n".join(
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in points.items())
        for group, points in project["entry-points"].items()
    )
    (told / "entry_points.txt").write_text(groups, encoding="utf-8")
    return {"PYTHONPATH": os.pathsep.join(filter(None, (str(target), os.environ.get("PYTHONPATH", ""))))}
