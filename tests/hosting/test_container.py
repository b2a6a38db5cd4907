"""The tree of the container's image, made from deploy/Dockerfile and .dockerignore, serves what compose.yaml says.

No container engine is needed: what COPY and RUN would do is done in a scratch folder, on the Python of the tests, which has the
packages of requirements/run.txt; the services' commands are started there with their environment, and no other. Not tried: the
images of others, and the networks.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.browser.servers import new_database
from tests.hosting.machine import SETTINGS, free_port
from tests.hosting.stand_ins import answered
from tests.released import version
from tools.environment import ROOT
from tools.postgres import postgres

DOCKERFILE = re.sub(r"\\\n\s*", "", (ROOT / "deploy/Dockerfile").read_text())
COMPOSE = yaml.safe_load((ROOT / "deploy/compose.yaml").read_text())
ENV = {"SECRET_KEY": "x" * 50, "POSTGRES_PASSWORD": "secret", "DOMAIN": "table.example.org", "PICTURES_MB": "7"}
"""The host's .env."""


def is_left_out(path: str, patterns: list[str]) -> bool:
    """Return whether .dockerignore leaves a file out: the last pattern decides that fits it or a folder it is in."""
    parts = path.split("/")
    above = ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]
    left_out = False
    for pattern in patterns:
        wanted = pattern.removeprefix("!")
        if any(fnmatch(one, wanted) or fnmatch(f"/{one}", wanted.replace("**/", "*/")) for one in above):
            left_out = not pattern.startswith("!")
    return left_out


def copied(into: Path) -> None:
    """Copy what the COPY lines of the Dockerfile copy."""
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    patterns = [line for line in lines if line and not line.startswith("#")]
    tracked = [*os.walk(ROOT)]
    for source, target in re.findall(r"^COPY (\S+) (\S+)$", DOCKERFILE, re.MULTILINE):
        for folder, _, names in tracked:
            for name in names:
                path = str(Path(folder, name).relative_to(ROOT))
                if (source == "." or path == source) and not is_left_out(path, patterns):
                    to = into / (path if source == "." else target)
                    to.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(Path(folder, name), to)


class Container:
    """The image's tree, and the environment of compose.yaml's services in it."""

    def __init__(self, home: Path, database_url: str) -> None:
        self.tree, self.port = home / "tree", free_port()
        copied(self.tree)
        for path in (self.tree / "deploy").iterdir():
            path.write_text(self.moved(path.read_text()))
        (home / "backups").mkdir()
        (home / "walk_settings.py").write_text(SETTINGS)
        python = home / "python"
        python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
        python.chmod(0o755)
        self._home, self._url = home, database_url

    def moved(self, text: str) -> str:
        return re.sub(r"\b8000\b", str(self.port), text).replace("/backups", str(self._backups))

    @property
    def _backups(self) -> Path:
        return self.tree.parent / "backups"

    def environment(self, service: str) -> dict[str, str]:
        """Return what a service gets: the file, over that its own lines, as compose fills them in."""
        assert COMPOSE["services"][service]["env_file"] == "../.env"
        said = {name: _filled(value) for name, value in COMPOSE["services"][service]["environment"].items()}
        assert said["DATABASE_URL"] == "postgres://afterburn:secret@db/afterburn"
        ours = {"PATH": f"{self._home}:/usr/bin:/bin", "DJANGO_SETTINGS_MODULE": "walk_settings"}
        return {**ENV, **said, **ours, "PYTHONPATH": str(self._home), "DATABASE_URL": self._url}

    def command(self, service: str) -> list[str]:
        """Return a service's command; by default that of the Dockerfile, from its last lines."""
        own = COMPOSE["services"][service].get("command")
        return [self.moved(word) for word in own or json.loads(DOCKERFILE.rpartition("\nCMD ")[2])]

    def run(self, command: list[str], service: str = "nightly", **more: Any) -> subprocess.CompletedProcess[str]:
        environment = self.environment(service) | more
        return subprocess.run(command, cwd=self.tree, env=environment, capture_output=True, text=True, check=False)

    def manage(self, *words: str, **more: str) -> str:
        done = self.run(["python", "manage.py", *words], **more)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


def _filled(value: str) -> str:
    """Return a value of compose.yaml with the variables in it replaced: ${NAME:?} and ${NAME:-default}."""
    return re.sub(r"\$\{(\w+):(?:\?|-([^}]*))\}", lambda found: ENV.get(found[1], found[2] or ""), value)


@pytest.fixture
def container(tmp_path: Path) -> Iterator[Container]:
    with postgres() as server, new_database(server) as url:
        yield Container(tmp_path, url)


def test_the_image_has_no_secrets_of_whoever_builds_it(tmp_path):
    copied(tmp_path)
    assert not {path.name for path in tmp_path.iterdir()} & {".env", ".git", ".venv", "afterburn.sqlite3", "tests"}


def test_the_containers_migrate_serve_and_make_a_backup_each_night(container, tmp_path):
    # As the Dockerfile builds it: the static files, with any secret.
    (build,) = re.findall(r"^RUN SECRET_KEY=building (.*?) && ", DOCKERFILE, re.MULTILINE)
    built = container.run(shlex.split(build), SECRET_KEY="building")
    assert built.returncode == 0, built.stderr
    migrated = container.run(container.command("migrate"), "migrate")
    assert migrated.returncode == 0, migrated.stdout + migrated.stderr
    assert "no issues" in container.manage("check")
    container.manage("createsuperuser", "--noinput", "--username=gm", "--email=gm@example.org")

    log = (container.tree.parent / "log").open("w+")
    web = subprocess.Popen(
        container.command("web"), cwd=container.tree, env=container.environment("web"), stdout=log, stderr=log
    )
    try:
        ready = f"http://127.0.0.1:{container.port}/readyz"
        answer = answered(ready, {"Host": "table.example.org"})
        log.seek(0)
        assert answer == (200, "ready\n"), log.read()
        (health,) = re.findall(r"^HEALTHCHECK .*?CMD (.*)$", DOCKERFILE, re.MULTILINE)
        assert container.run(json.loads(health), "web").returncode == 0
    finally:
        web.terminate()
        web.wait()
        log.close()
    assert container.run(json.loads(health), "web").returncode != 0

    # The first sleep is short, and there is no second night.
    (tmp_path / "sleep").write_text(
        f'#!/bin/sh\n[ ! -e {tmp_path}/slept ] || kill $PPID\necho "$1" >> {tmp_path}/slept\n'
    )
    (tmp_path / "sleep").chmod(0o755)
    (tmp_path / "date").write_text("#!/bin/sh\necho $((86400 * 20000 + 8000))\n")
    (tmp_path / "date").chmod(0o755)
    night = container.run(container.command("nightly"), "nightly", COMMIT="eb388480" * 5)
    assert (tmp_path / "slept").read_text() == "101\n101\n"
    assert "Deleted expired sessions." in night.stderr
    assert json.loads(night.stderr.splitlines()[0])["levelname"] == "INFO"
    (made,) = (tmp_path / "backups").iterdir()
    assert made.name.endswith(f"-{version()}-eb388480.backup")
