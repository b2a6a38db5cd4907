"""The example of docs/rulesets.md: installed beside the project, held to what every ruleset is held to, and told as it is."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.examples.installing import LANTERNS, install

ROOT = Path(__file__).parents[2]
TUTORIAL = ROOT / "docs" / "rulesets.md"
BLOCK = re.compile(r"^`([\w./-]+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
"""A file of the example: its path, and the whole of it."""

SUITE = ("tests/rulesets/conformance", "tests/rolls/test_guide.py", "tests/rolls/test_dead_settings.py")
MOST_LINES = 450


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the environment of a process with Lanterns installed, and with its own dice and database."""
    folder = tmp_path_factory.mktemp("lanterns")
    own = {"TEST_DICE": str(folder / "dice"), "DATABASE_URL": ""}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return kept | install(LANTERNS, folder / "site") | own


def test_it_conforms(installed: dict[str, str]) -> None:
    command = [sys.executable, "-m", "pytest", "-q", *SUITE, "-k", "lanterns or every_package"]
    done = subprocess.run(command, cwd=ROOT, env=installed, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert re.search(r"^\d\d passed", done.stdout, re.MULTILINE), done.stdout


def test_its_odds_are_told_without_a_server(installed: dict[str, str]) -> None:
    asked = '{"system": "lanterns", "trait": 2}\n{"system": "lanterns", "trait": 4}\n'
    command = [sys.executable, "-m", "rulesets.odds"]
    done = subprocess.run(command, cwd=ROOT, env=installed, input=asked, capture_output=True, text=True, check=False)
    answer, refused = map(json.loads, done.stdout.splitlines())
    assert answer == {"dark": "1/6", "flicker": "5/12", "bright": "5/12"}
    assert refused["field"] == "trait"


@pytest.mark.parametrize("name", ["lanterns", "scale"])
def test_two_packages_of_one_name_are_refused_in_words(name: str, installed: dict[str, str], tmp_path: Path) -> None:
    told = tmp_path / "other-1.0.dist-info"
    told.mkdir()
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 1.0\n")
    (told / "entry_points.txt").write_text(f"[afterburn.rulesets]\n{name} = other\n")
    both = installed | {"PYTHONPATH": os.pathsep.join((installed["PYTHONPATH"], str(tmp_path)))}
    command = [sys.executable, "-m", "rulesets.odds"]
    done = subprocess.run(command, cwd=ROOT, env=both, input="", capture_output=True, text=True, check=False)
    assert done.returncode and f"There are two rulesets called “{name}”" in done.stderr


CONFIG = "from afterburn.app import RulesetConfig\n\nclass Broken(RulesetConfig):\n    name = '{}'\n"
MODELS = """from django.db import models
from campaigns.models import Campaign

class Moth(models.Model):
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE)

raise RuntimeError("no light")
"""
BROKEN = {
    "gone": ({}, "ModuleNotFoundError: No module named 'broken_gone'"),
    "apps": ({"apps.py": "import wings"}, "ModuleNotFoundError: No module named 'wings'"),
    "models": ({"apps.py": CONFIG, "models.py": MODELS}, "RuntimeError: no light"),
    "urls": ({"apps.py": CONFIG, "urls.py": "import wings"}, "ModuleNotFoundError: No module named 'wings'"),
    "api": ({"apps.py": CONFIG, "api.py": ""}, "LookupError: broken_api.api has no `router`, a CampaignRouter"),
    "routes": ({"apps.py": CONFIG, "urls.py": ""}, "ImproperlyConfigured: "),
}
"""Broken packages by their fault: their files, and the expected message."""
SERVED = """import django
django.setup()
from django.test import Client
from campaigns.models import Campaign
from rolls.registry import RULESETS
assert not [field for field in Campaign._meta.get_fields() if field.name == "moth"]
print("lanterns" in RULESETS, Client(headers={"host": "127.0.0.1"}).get("/healthz").status_code)
"""


def test_the_site_starts_without_packages_that_are_broken_and_the_check_names_each_and_fails(
    installed: dict[str, str], tmp_path: Path
) -> None:
    for what, (package, _) in BROKEN.items():
        told = tmp_path / f"{what}-1.0.dist-info"
        told.mkdir()
        (told / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {what}\nVersion: 1.0\n")
        (told / "entry_points.txt").write_text(f"[afterburn.rulesets]\n{what} = broken_{what}\n")
        if package:
            (tmp_path / f"broken_{what}").mkdir()
        for name, text in ({"__init__.py": ""} | package if package else {}).items():
            (tmp_path / f"broken_{what}" / name).write_text(text.format(f"broken_{what}"))
    environment = installed | {"PYTHONPATH": os.pathsep.join((installed["PYTHONPATH"], str(tmp_path)))}
    environment["DJANGO_SETTINGS_MODULE"] = "tests.settings"

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        command = (sys.executable, *command)
        return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)

    checked, served = run("manage.py", "check"), run("-c", SERVED)
    assert checked.returncode == 1
    for what, (_, wrong) in BROKEN.items():
        assert f"broken_{what} is left out: {wrong}" in checked.stderr, checked.stderr
        assert f"broken_{what} are left out: {wrong}" in served.stderr, served.stderr
    assert served.stdout.split() == ["True", "200"], served.stderr


def files() -> dict[str, str]:
    return {
        path.relative_to(LANTERNS).as_posix(): path.read_text(encoding="utf-8")
        for path in LANTERNS.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and ".egg-info" not in str(path)
    }


def test_the_tutorial_builds_exactly_the_files_of_the_example() -> None:
    told = BLOCK.findall(TUTORIAL.read_text(encoding="utf-8"))
    assert len(dict(told)) == len(told)
    assert dict(told) == files()


def test_it_stays_small() -> None:
    lines = [
        line for name, text in files().items() if name.endswith(".py") for line in text.splitlines() if line.strip()
    ]
    assert len(lines) < MOST_LINES
