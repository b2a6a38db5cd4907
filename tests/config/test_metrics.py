"""/metrics: figures of the site and of its live tables for who has been given the word, and nothing for others."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from django.conf import settings as site
from prometheus_client import REGISTRY

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
    """In a process of its own: what is installed is read from the environment once."""
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
