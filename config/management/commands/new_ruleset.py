"""Writes a small ruleset that works, as a package of its own, to begin with (docs/rulesets.md)."""

from __future__ import annotations

import re
import shutil
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from campaigns.rulesets import NAME
from rulesets.discovery import packages

EXAMPLE: Final = Path(settings.BASE_DIR) / "examples" / "afterburn-lanterns"
LEFT_OUT: Final = ("__pycache__", "*.egg-info", "build")


class Command(BaseCommand):
    help = "Write a small working ruleset to start from, as a package beside this checkout."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "name", help="the name of the ruleset, in lower-case letters and digits; it can’t be changed later"
        )
        parser.add_argument("--in", dest="folder", type=Path, default=settings.BASE_DIR.parent, help="where to put it")

    def handle(self, *args: Any, name: str, folder: Path, **options: Any) -> None:
        if not NAME.fullmatch(name) or not name.isalnum():
            raise CommandError("Use 1 to 20 lower-case letters and digits, starting with a letter.")
        if name in packages():
            raise CommandError(f"There is already a ruleset called “{name}”.")
        package = folder / f"afterburn-{name}"
        if package.exists():
            raise CommandError(f"{package} already exists.")
        shutil.copytree(EXAMPLE, package, ignore=shutil.ignore_patterns(*LEFT_OUT))
        for path in sorted(package.rglob("*"), reverse=True):
            if path.is_file():
                path.write_text(renamed(path.read_text(encoding="utf-8"), name), encoding="utf-8")
            if path.name != (called := renamed(path.name, name)):
                path.rename(path.with_name(called))
        self.stdout.write(
            f"{package} plays like Lanterns, the example of docs/rulesets.md, under its own name.\nChange what you like, then:\n"
            f"  .venv/bin/python -m pip install -e {package}\n"
            f"  python3 dev.py test -- tests/rulesets/conformance -k {name}"
        )


def renamed(text: str, name: str) -> str:
    """Return a text of the example with the name of another game in place of its own."""
    return re.sub(r"lanterns|Lanterns", lambda found: name if found[0].islower() else name.capitalize(), text)
