"""The files in deploy/ say the same as the code. No container engine is needed to see that much."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from django.conf import settings

from tools.serving import UVICORN_FLAGS

ROOT = Path(settings.BASE_DIR)
DOCKERFILE = (ROOT / "deploy/Dockerfile").read_text()
UNIT = (ROOT / "deploy/afterburn.service").read_text()
READ_BY_SETTINGS = set(re.findall(r'env\.\w+\(\s*"(\w+)"', (ROOT / "config/settings.py").read_text()))


def test_the_container_serves_with_the_flags_of_dev_py() -> None:
    command = re.sub(r'[\[\]",\\\s]+', " ", DOCKERFILE.split("\nCMD ")[1])
    assert command.split()[-len(UVICORN_FLAGS) :] == UVICORN_FLAGS


def test_the_unit_serves_with_the_flags_of_dev_py() -> None:
    (command,) = re.findall(r"^ExecStart=(.*)$", UNIT, re.MULTILINE)
    assert command.split()[-len(UVICORN_FLAGS) :] == UVICORN_FLAGS


def test_the_container_holds_what_is_there_to_be_held() -> None:
    ignored_except = (ROOT / ".dockerignore").read_text().split()
    for source in re.findall(r"^COPY (\S+) ", DOCKERFILE, re.MULTILINE):
        assert (ROOT / source).exists()
        assert f"!{source}" in ignored_except


@pytest.mark.parametrize("app", [app for app in settings.INSTALLED_APPS if (ROOT / app).is_dir()])
def test_the_container_holds_every_app(app: str) -> None:
    assert f"\nCOPY {app} {app}\n" in DOCKERFILE


def test_the_example_names_every_setting_and_no_other() -> None:
    named = set(re.findall(r"^#?([A-Z_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE))
    # Which port and which file are questions of one run, WORKERS is another host's word for WEB_CONCURRENCY.
    assert named == READ_BY_SETTINGS - {"PORT", "ENV_FILE", "WORKERS"}


def test_compose_sets_only_what_the_settings_read() -> None:
    compose = yaml.safe_load((ROOT / "deploy/compose.yaml").read_text())
    assert set(compose["services"]) == {"db", "migrate", "web", "proxy"}
    assert set(compose["services"]["web"]["environment"]) <= READ_BY_SETTINGS
