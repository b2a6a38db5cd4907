"""/metrics: figures of the site and of its live tables for who has been given the word, and nothing for others."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from django.conf import settings as site
from prometheus_client import REGISTRY

from config import checks, metrics_folder

TOKEN = "a-word-for-prometheus"


def figure(name, **labels):
    return REGISTRY.get_sample_value(name, labels) or 0.0


@pytest.mark.parametrize(
    "given", [{}, {"authorization": ""}, {"authorization": "Bearer "}, {"authorization": "Bearer x"}]
)
@pytest.mark.parametrize("token", ["", TOKEN])
def test_there_is_no_such_page_for_others(client, db, settings, token, given):
    settings.METRICS_TOKEN = token
    assert client.get("/metrics", headers=given).status_code == 404


def test_who_has_the_word_reads_figures_in_the_format_of_prometheus(client, db, settings):
    settings.METRICS_TOKEN = TOKEN
    answer = client.get("/metrics", headers={"authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200 and answer["Content-Type"].startswith("text/plain")
    for name in ("afterburn_sockets", "afterburn_feeds", "afterburn_feed_pulls", "afterburn_feed_lag_seconds"):
        assert f"# TYPE {name}" in answer.content.decode(), name


def test_refusals_are_counted_by_their_status(client, db, cast):
    before = figure("afterburn_refusals_total", status="404")
    assert cast.outsider.client.get("/c/ashes/").status_code == 404
    assert figure("afterburn_refusals_total", status="404") == before + 1


def test_with_the_word_set_requests_are_measured_and_the_site_is_sound():
    """This runs in its own process: the installed apps are read from the environment once."""
    words = f"""
import django
django.setup()
from django.core.management import call_command
from django.test import Client
call_command("check")
Client().get("/healthz")
print(Client().get("/metrics", headers={{"authorization": "Bearer {TOKEN}"}}).content.decode())
"""
    ours = {"METRICS_TOKEN": TOKEN, "DATABASE_URL": "sqlite://:memory:", "ALLOWED_HOSTS": "testserver"}
    done = subprocess.run(
        [sys.executable, "-c", words],
        cwd=site.BASE_DIR,
        env=os.environ | ours | {"DJANGO_SETTINGS_MODULE": "tests.settings"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert 'view="healthz"' in done.stdout


@pytest.fixture
def folders(monkeypatch, tmp_path, settings):
    """Return the folder that is made for a site that measures with several processes."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    # Left as it was, whatever is set here.
    monkeypatch.setenv(metrics_folder.NAME, "")
    monkeypatch.delenv(metrics_folder.NAME)
    settings.METRICS_TOKEN, settings.PROCESSES = TOKEN, 2
    return tmp_path / f"afterburn-metrics-{os.getuid()}"


def test_several_processes_share_a_folder_of_their_own_that_nobody_has_to_make(folders):
    metrics_folder.settle()
    (folder,) = folders.iterdir()
    assert os.environ[metrics_folder.NAME] == str(folder) and folder.name.startswith(f"{os.getppid()}-")
    assert folders.stat().st_mode & 0o777 == folder.stat().st_mode & 0o777 == 0o700
    assert metrics_folder.faults() == []


def test_what_earlier_servers_left_is_cleared_away_and_their_numbers_given_again_are_no_hindrance(folders):
    folders.mkdir(mode=0o700)
    for name in ("999999999-1", f"{os.getppid()}-1"):
        (folders / name).mkdir()
        (folders / name / "counter_7.db").write_bytes(b"old")
    other = folders / metrics_folder._called(os.getpid())
    other.mkdir()
    metrics_folder.settle()
    assert {*folders.iterdir()} == {other, Path(os.environ[metrics_folder.NAME])}


@pytest.mark.parametrize(("token", "processes"), [("", 4), (TOKEN, 1)])
def test_one_process_and_a_site_that_measures_nothing_need_none(folders, settings, token, processes):
    settings.METRICS_TOKEN, settings.PROCESSES = token, processes
    metrics_folder.settle()
    assert metrics_folder.NAME not in os.environ and not folders.exists()


@pytest.mark.parametrize("processes", [1, 2])
def test_a_folder_that_a_host_names_is_made_kept_and_refused_where_it_cannot_be(folders, settings, tmp_path, processes):
    named = tmp_path / "of" / "the" / "host"
    settings.PROMETHEUS_MULTIPROC_DIR, settings.PROCESSES = str(named), processes
    assert metrics_folder.faults() == []
    metrics_folder.settle()
    assert named.is_dir() and not folders.exists() and os.environ[metrics_folder.NAME] == str(named)
    (tmp_path / "file").write_text("")
    for useless in (tmp_path / "file", tmp_path / "file" / "below"):
        settings.PROMETHEUS_MULTIPROC_DIR = str(useless)
        (error,) = checks.folder_of_metrics()
        assert error.id == "afterburn.E009" and f"{useless}, which is no folder" in error.msg


def test_a_command_says_in_one_sentence_that_there_is_no_such_folder(tmp_path):
    (tmp_path / "file").write_text("")
    named = {"METRICS_TOKEN": TOKEN, metrics_folder.NAME: str(tmp_path / "file" / "below"), "SECRET_KEY": "x"}
    command = [sys.executable, "manage.py", "check"]
    environment = os.environ | named | {"ENV_FILE": os.devnull}
    done = subprocess.run(command, cwd=site.BASE_DIR, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert f"{metrics_folder.NAME} names {tmp_path / 'file' / 'below'}, which is no folder" in done.stderr
