"""The files in deploy/ say the same as the code. No container engine is needed to see that much."""

from __future__ import annotations

import os
import re
import subprocess
from io import StringIO
from pathlib import Path

import pytest
import yaml
from django.conf import settings
from django.core.management import get_commands
from dotenv import dotenv_values

from tests.hosting.stand_ins import systemd_environment, unit
from tools.serving import UVICORN_FLAGS

ROOT = Path(settings.BASE_DIR)
DOCKERFILE = (ROOT / "deploy/Dockerfile").read_text()
UNIT = unit((ROOT / "deploy/afterburn.service").read_text())
NIGHTLY = unit((ROOT / "deploy/afterburn-nightly.service").read_text())
DELIVER = unit((ROOT / "deploy/afterburn-deliver.service").read_text())
HOSTING = (ROOT / "docs/hosting.md").read_text()
NGINX = (ROOT / "deploy/nginx.conf").read_text()
CADDY = (ROOT / "deploy/Caddyfile").read_text()
READ_BY_SETTINGS = set(re.findall(r'(?:env\.\w+|_database_of)\(\s*"(\w+)"', (ROOT / "config/settings.py").read_text()))


def test_the_container_serves_with_the_flags_of_dev_py() -> None:
    command = re.sub(r'[\[\]",\\\s]+', " ", DOCKERFILE.split("\nCMD ")[1])
    assert command.split()[-len(UVICORN_FLAGS) :] == UVICORN_FLAGS


def test_the_unit_serves_with_the_flags_of_dev_py() -> None:
    (command,) = UNIT["ExecStart"]
    assert command.split()[-len(UVICORN_FLAGS) :] == UVICORN_FLAGS


def test_the_example_names_every_setting_and_no_other() -> None:
    named = set(re.findall(r"^#?([A-Z_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE))
    assert named - {"UVICORN_HOST"} == settings.NAMES
    assert named >= READ_BY_SETTINGS


def test_compose_sets_only_what_the_settings_read() -> None:
    compose = yaml.safe_load((ROOT / "deploy/compose.yaml").read_text())
    assert set(compose["services"]) == {"db", "migrate", "web", "deliver", "nightly", "proxy"}
    assert set(compose["services"]["web"]["environment"]) <= READ_BY_SETTINGS


def test_what_runs_at_night_and_what_delivers_is_walled_in_as_the_service_is() -> None:
    own = {
        "Description",
        "After",
        "Wants",
        "PartOf",
        "Type",
        "ExecStartPre",
        "ExecStart",
        "Restart",
        "RestartSec",
        "ReadWritePaths",
    }
    walls = {name: value for name, value in UNIT.items() if name not in {*own, "WantedBy"}}
    for other in (NIGHTLY, DELIVER):
        assert {name: value for name, value in other.items() if name not in own} == walls
    assert "ProtectSystem" in walls and walls["EnvironmentFile"] == ["/etc/afterburn.env"]
    assert NIGHTLY["ReadWritePaths"] == ["/var/backups/afterburn"]


def test_the_units_start_what_there_is() -> None:
    for command in [*UNIT["ExecStartPre"], *NIGHTLY["ExecStart"], *DELIVER["ExecStart"]]:
        python, program, name, *_ = command.split()
        assert python == f"{UNIT['WorkingDirectory'][0]}/.venv/bin/python"
        assert program == "manage.py" and name in get_commands()
    timer = unit((ROOT / "deploy/afterburn-nightly.timer").read_text())
    assert set(timer) == {"Description", "OnCalendar", "Persistent", "WantedBy"}


def test_root_runs_commands_with_the_settings_of_the_service_and_none_of_its_own(tmp_path: Path) -> None:
    stand_in = tmp_path / "runuser"
    stand_in.write_text('#!/bin/sh\nenv\numask\necho "asked: $*"\n')
    stand_in.chmod(0o755)
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "DATABASE_URL": "sqlite:////root/wrong", "DEBUG": "1"}
    command = [ROOT / "deploy/afterburn", "backup", "a file"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "DATABASE_URL" not in done.stdout and "DEBUG" not in done.stdout
    assert f"ENV_FILE={UNIT['EnvironmentFile'][0]}\n" in done.stdout
    assert "\n0077\n" in done.stdout
    place = UNIT["WorkingDirectory"][0]
    assert "DJANGO_SUPERUSER" not in done.stdout
    assert f"asked: -u {UNIT['User'][0]} -- {place}/.venv/bin/python {place}/manage.py backup a file\n" in done.stdout


def test_what_createsuperuser_reads_without_a_terminal_comes_through(tmp_path: Path) -> None:
    stand_in = tmp_path / "runuser"
    stand_in.write_text('#!/bin/sh\necho "$DJANGO_SUPERUSER_PASSWORD"\necho "asked: $*"\n')
    stand_in.chmod(0o755)
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "DJANGO_SUPERUSER_PASSWORD": "a 'b' \"$c\""}
    command = [ROOT / "deploy/afterburn", "createsuperuser", "--noinput"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    password, asked = done.stdout.splitlines()
    assert password == "a 'b' \"$c\"" and asked.endswith("manage.py createsuperuser --noinput")


@pytest.mark.parametrize(
    "text",
    [(ROOT / ".env.example").read_text().replace("\n#", "\n"), *re.findall(r"<<EOF\n(.*?)EOF\n", HOSTING, re.DOTALL)],
)
def test_environment_files_say_the_same_to_systemd_and_to_the_settings(text: str) -> None:
    lines = [line for line in text.splitlines() if re.match("[A-Z_]+=", line)]
    assert len(lines) > 4
    said = "\n".join(lines)
    assert systemd_environment(said) == dotenv_values(stream=StringIO(said), interpolate=False)


def test_no_value_is_shown_with_a_comment_behind_it() -> None:
    shown = [*HOSTING.splitlines(), *(ROOT / ".env.example").read_text().splitlines()]
    assert [line for line in shown if re.match(r"\s*#?[A-Z_]+=\S*\s+#", line)] == []


def test_nginx_passes_on_what_the_site_needs() -> None:
    # Directives end with a semicolon; comments go to the end of their line.
    said = re.sub(r"\s+", " ", re.sub(r"#.*", "", NGINX))
    headers = dict(re.findall(r"proxy_set_header (\S+) (\S+);", said))
    assert headers == {
        "Host": "$http_host",
        "X-Forwarded-For": "$remote_addr",
        "X-Forwarded-Proto": "$scheme",
        "Upgrade": "$http_upgrade",
        "Connection": "$afterburn_connection",
    }
    assert 'map $http_upgrade $afterburn_connection { default upgrade; "" close; }' in said
    assert "proxy_http_version 1.1;" in said and "access_log off;" in said
    assert "location = /readyz { return 404; }" in said
    assert said.count("{") == said.count("}")
    (size,) = re.findall(r"client_max_body_size (\d+)m;", said)
    assert int(size) * 2**20 > settings.LARGEST_CAMPAIGN + 100_000


def test_caddy_passes_on_what_the_site_needs() -> None:
    said = re.sub(r"\s+", " ", re.sub(r"(?m)^\s*#.*", "", CADDY))
    (size,) = re.findall(r"request_body \{ max_size (\d+)MB \}", said)
    assert int(size) * 10**6 > settings.LARGEST_CAMPAIGN + 100_000
    assert "respond /readyz 404" in said and "log" not in said.split()
    assert said.count("{") == said.count("}")


def test_the_proxies_reach_the_port_that_the_unit_serves() -> None:
    (port,) = re.findall(r"--port (\d+)", UNIT["ExecStart"][0])
    assert f"server 127.0.0.1:{port};" in NGINX and "proxy_pass http://afterburn;" in NGINX
    assert f"{{$UPSTREAM:127.0.0.1:{port}}}" in CADDY
    assert f"http://127.0.0.1:{port}/readyz" in HOSTING


def test_the_walk_uses_every_file_that_is_there_for_it() -> None:
    files = {path.name for path in (ROOT / "deploy").iterdir()} - {
        "Dockerfile",
        "compose.yaml",
        "healthcheck.py",
        "nightly",
    }
    assert [name for name in sorted(files) if f"deploy/{name}" not in HOSTING] == []
