from datetime import timedelta
from pathlib import Path

import pytest
from django.apps import apps
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import ManifestStaticFilesStorage
from django.core.cache import cache
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from config import checks

SMTP = "django.core.mail.backends.smtp.EmailBackend"


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


@pytest.mark.parametrize(
    ("url", "words"),
    [
        (
            "https://example.org/play",
            r"has a path after the host name \(/play\)\. Afterburn can’t be served below a path",
        ),
        ("https://example.org?x=1", "has a path after the host name"),
        ("example.org", "doesn’t start with http:// or https:// and a host name"),
        ("https://", "doesn’t start with"),
        ("ftp://example.org", "doesn’t start with"),
    ],
)
def test_an_address_of_the_site_that_is_no_whole_host_is_refused(settings, url, words):
    settings.SITE_URL = url
    assert [message.id for message in checks.whole_host()] == ["afterburn.E002"]
    with pytest.raises(ImproperlyConfigured, match=words):
        checks.refuse_to_serve()


@pytest.mark.parametrize("url", ["https://example.org", "http://127.0.0.1:8000", "http://[::1]:8000"])
def test_a_host_with_or_without_a_port_is_welcome(settings, url):
    settings.SITE_URL = url
    assert checks.whole_host() == []


@pytest.mark.parametrize("sender", ["", "Afterburn", "Afterburn <table@>"])
def test_a_mail_server_without_a_sender_is_refused(settings, sender):
    settings.EMAIL_BACKEND = SMTP
    settings.DEFAULT_FROM_EMAIL = sender
    assert [message.id for message in checks.mail_has_a_sender()] == ["afterburn.E003"]
    with pytest.raises(ImproperlyConfigured, match="DEFAULT_FROM_EMAIL isn’t set"):
        checks.refuse_to_serve()


@pytest.mark.parametrize("sender", ["table@example.org", "Afterburn <table@example.org>"])
def test_a_mail_server_with_a_sender_is_welcome(settings, sender):
    settings.EMAIL_BACKEND = SMTP
    settings.DEFAULT_FROM_EMAIL = sender
    assert checks.mail_has_a_sender() == []


def test_who_prints_mail_needs_no_sender(settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    settings.DEFAULT_FROM_EMAIL = ""
    assert checks.mail_has_a_sender() == []


@pytest.mark.parametrize("name", ["TRUSTED_PROXIES", "WEBHOOK_NETWORKS"])
@pytest.mark.parametrize("proxy", ["nginx", "localhost", "127.0.0.1:8000", "10.0.0.0/99", ""])
def test_a_proxy_or_a_network_by_name_is_refused(settings, name, proxy):
    setattr(settings, name, ["127.0.0.1", proxy])
    (error,) = checks.networks_by_address()
    assert error.id == "afterburn.E006" and f"“{proxy}” in" in error.msg
    with pytest.raises(ImproperlyConfigured, match="isn’t an IP address"):
        checks.refuse_to_serve()


def test_proxies_by_their_addresses_and_networks_are_welcome(settings):
    settings.TRUSTED_PROXIES = ["127.0.0.1", "::1", "172.30.0.0/24", "172.30.0.1/24"]
    assert checks.networks_by_address() == []


def test_a_name_in_the_file_that_is_no_setting_is_refused_with_the_one_that_was_meant(settings, tmp_path):
    settings.ENV_FILE = tmp_path / ".env"
    assert checks.known_names() == []  # a file that is not there
    settings.ENV_FILE.write_text("SIGNUP=invite\n# SINGUP=closed\nPGSSLMODE=require\nUVICORN_BACKLOG=9\n")
    assert checks.known_names() == []
    settings.ENV_FILE.write_text("SIGNUP=invite\nSINGUP=closed\n")
    (error,) = checks.known_names()
    assert (error.id, error.msg) == ("afterburn.E007", f"SINGUP in {settings.ENV_FILE} isn’t a setting.")
    assert error.hint == "Did you mean SIGNUP?"
    settings.ENV_FILE.write_text("COLOUR=blue\n")
    assert checks.known_names()[0].hint == "Every setting is in .env.example."


def database(monkeypatch, **said):
    monkeypatch.setattr(connection._connections["default"], "settings_dict", connection.settings_dict | said)


def test_a_folder_of_the_database_that_is_missing_is_named_and_nothing_is_made(monkeypatch, tmp_path):
    there = tmp_path / "afterburn.sqlite3"
    database(monkeypatch, ENGINE="django.db.backends.sqlite3", NAME=str(there))
    assert checks.database_within_reach() == [] and not there.exists()
    database(monkeypatch, ENGINE="django.db.backends.sqlite3", NAME=str(tmp_path / "gone" / "afterburn.sqlite3"))
    (error,) = checks.database_within_reach()
    assert error.id == "afterburn.E008" and f"The folder {tmp_path / 'gone'} for the database" in error.msg


def test_it_starts_where_its_database_answers():
    assert checks.database_within_reach() == []


def test_https_of_a_proxy_that_is_not_trusted_is_warned_of(settings):
    settings.HTTPS, settings.SITE_URL, settings.TRUSTED_PROXIES = True, "https://table.example", []
    (warning,) = checks.public_site()
    assert warning.id == "afterburn.W003"
    assert "redirects to itself" in warning.msg
    settings.TRUSTED_PROXIES = ["127.0.0.1"]
    assert checks.public_site() == []


def test_demo_people_on_a_public_site_are_warned_of(settings):
    settings.DEMO = True
    assert [message.id for message in checks.public_site()] == ["afterburn.W001"]


def test_an_address_that_sockets_could_not_come_from_is_warned_of(settings):
    settings.HTTPS = True
    settings.SITE_URL, settings.TRUSTED_PROXIES = "http://127.0.0.1:8000", ["127.0.0.1"]
    assert [message.id for message in checks.public_site()] == ["afterburn.W002"]


@pytest.mark.django_db
def test_migrating_makes_the_table_of_the_shared_cache():
    cache.set("tries", 3)
    assert cache.get("tries") == 3


@pytest.mark.django_db
def test_a_counter_outlives_thousands_of_others():
    """With Django's 300 entries it did not: after trying as many names one could go on guessing at one."""
    expires = timezone.now() + timedelta(hours=1)
    rows = [(f":1:zzz-{number}", "x", str(expires)) for number in range(2000)]
    with connection.cursor() as cursor:
        cursor.executemany("INSERT INTO cache (cache_key, value, expires) VALUES (%s, %s, %s)", rows)
    cache.set("aaa-tries", 9)
    for number in range(3):
        cache.set(f"more-{number}", 1)
    assert cache.get("aaa-tries") == 9


@pytest.fixture
def collected(monkeypatch):
    """`collected(paths)` acts as if exactly these had been collected."""

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


@pytest.mark.parametrize("app", ["campaigns", "scale"])
def test_a_database_of_older_code_is_not_migrated_and_one_is_told_what_to_do(db, app):
    assert checks.database_of_this_history(databases=["default"]) == []
    MigrationRecorder(connection).record_applied(app, "0011_bringing")
    MigrationRecorder(connection).record_unapplied("rolls", "0005_procedure_effects")
    with pytest.raises(
        SystemCheckError, match=rf"made by an older version.*{app}\.0011_bringing[\s\S]*export each campaign’s"
    ):
        call_command("migrate", skip_checks=False)


def test_of_a_newer_database_it_is_said_that_it_is_newer_and_how_one_goes_back(db):
    MigrationRecorder(connection).record_applied("campaigns", "9999_later")
    (found,) = checks.database_of_this_history(databases=["default"])
    assert "made by a newer version" in found.msg and "campaigns.9999_later" in found.msg
    assert "afterburn-release back" in found.hint


def test_a_database_whose_migrations_had_the_same_names_and_made_other_tables_is_refused(db):
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE campaigns_deed (id integer)")
    (found,) = checks.database_of_this_history(databases=["default"])
    assert found.id == "afterburn.E005"


def test_every_app_of_the_project_that_keeps_something_is_looked_at():
    """Apps of others' packages are left out: their migrations are no history of ours."""
    ours = {app.label for app in apps.get_app_configs() if "site-packages" not in Path(app.path).parts}
    keeps = {app for app, _ in MigrationLoader(None, ignore_no_migrations=True).disk_migrations or ()}
    assert checks.our_apps() & keeps == ours & keeps >= {"people", "scale"}


def test_what_a_package_that_is_gone_has_migrated_hinders_nobody(db):
    MigrationRecorder(connection).record_applied("lanterns", "0001_initial")
    assert checks.database_of_this_history(databases=["default"]) == []
