import pytest
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import ManifestStaticFilesStorage
from django.core.cache import cache
from django.core.exceptions import ImproperlyConfigured
from django.db import connection

from config import checks


@pytest.fixture
def on(monkeypatch):
    return lambda vendor: monkeypatch.setattr(type(connection._connections["default"]), "vendor", vendor)


def test_several_processes_on_sqlite_are_refused(settings, on):
    on("sqlite")
    settings.PROCESSES = 2
    assert [message.id for message in checks.one_process_on_sqlite()] == ["afterburn.E001"]
    with pytest.raises(ImproperlyConfigured, match="2 server processes cannot share a SQLite database"):
        checks.refuse_to_serve()


@pytest.mark.parametrize(("vendor", "processes"), [("sqlite", 1), ("postgresql", 8)])
def test_one_process_on_sqlite_and_many_on_postgresql_are_welcome(settings, on, vendor, processes):
    on(vendor)
    settings.PROCESSES = processes
    checks.refuse_to_serve()


def test_demo_people_on_a_public_site_are_warned_of(settings):
    settings.DEMO = True
    assert [message.id for message in checks.public_site()] == ["afterburn.W001"]


def test_an_address_that_sockets_could_not_come_from_is_warned_of(settings):
    settings.HTTPS = True
    settings.SITE_URL = "http://127.0.0.1:8000"
    assert [message.id for message in checks.public_site()] == ["afterburn.W002"]


@pytest.mark.django_db
def test_migrating_makes_the_table_of_the_shared_cache():
    cache.set("tries", 3)
    assert cache.get("tries") == 3


@pytest.fixture
def collected(monkeypatch):
    """`collected(paths)`: as if exactly these had been collected."""

    def stand(paths):
        storage = ManifestStaticFilesStorage()
        storage.hashed_files = dict.fromkeys(paths, "hashed")
        monkeypatch.setattr(checks, "staticfiles_storage", storage)

    return stand


@pytest.fixture
def everything():
    return {path for finder in get_finders() for path, _ in finder.list([])}


def test_a_server_does_not_start_where_none_were_collected(collected):
    collected([])
    with pytest.raises(ImproperlyConfigured, match=r"static files are not in .*collectstatic"):
        checks.refuse_to_serve()


def test_nor_where_an_upgrade_brought_one_that_was_not(collected, everything):
    collected(everything - {"js/live.js"})
    with pytest.raises(ImproperlyConfigured, match=r"^1 static files are not in .*\(js/live.js is the first\)"):
        checks.refuse_to_serve()


def test_it_starts_where_all_were(collected, everything):
    collected(everything)
    checks.refuse_to_serve()


def test_and_where_they_are_served_from_where_they_lie():
    checks.refuse_to_serve()
