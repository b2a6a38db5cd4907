"""What the environment says arrives where it should. Each case loads the settings in a process of its own."""

import json
import os
import runpy
import subprocess
import sys
import traceback
from pathlib import Path
from types import SimpleNamespace

import pytest
from environs import Env

from tests.answers import refusal

SETTINGS = Path(__file__).parents[2] / "config/settings.py"


def load(expression, **environment):
    """Return the value of `expression` over the settings `s`, loaded with only this environment."""
    plain = {"PATH": os.environ["PATH"], "ENV_FILE": os.devnull, "SECRET_KEY": "s" * 50}
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        # A fork of this process need not import everything again; it only loads the settings from their file.
        with os.fdopen(writing, "w") as answer:
            os.environ.clear()
            os.environ.update(plain | environment)
            try:
                s = SimpleNamespace(**runpy.run_path(SETTINGS))
                answer.write(json.dumps(eval(expression, {"s": s}), default=str))
            except BaseException:
                answer.write(traceback.format_exc())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        words = answer.read()
    os.waitpid(child, 0)
    try:
        return json.loads(words)
    except ValueError:
        raise AssertionError(words) from None


def test_a_file_of_the_wrong_group_is_one_sentence_that_says_what_to_do(monkeypatch, tmp_path):
    """Root, as whom these tests may run, can read any file."""

    def refuse(*_, **__):
        raise PermissionError

    monkeypatch.setattr(Env, "read_env", refuse)
    file = tmp_path / "afterburn.env"
    file.touch()
    with pytest.raises(
        AssertionError, match=r"ImproperlyConfigured: .*afterburn.env can’t be read .* chgrp .* && chmod 640 "
    ):
        load("s.DEBUG", ENV_FILE=str(file))


def test_sqlite_is_the_default_and_waits_its_turn():
    options = load("s.DATABASES['default']['OPTIONS']")
    assert options["transaction_mode"] == "IMMEDIATE"
    assert options["timeout"] == 20
    assert "journal_mode=WAL" in options["init_command"]
    assert "synchronous=FULL" in options["init_command"]


def test_options_in_the_database_url_stay_beside_the_pool():
    options = load("s.DATABASES['default']['OPTIONS']", DATABASE_URL="postgres://u:p@h/db?sslmode=require")
    assert options["sslmode"] == "require"
    assert options["pool"]["max_size"] == 16


def test_a_database_that_is_away_is_said_to_be_so_soon_and_found_soon_when_it_is_back():
    options = load("s.DATABASES['default']['OPTIONS']", DATABASE_URL="postgres://u:p@h/db")
    assert options["tcp_user_timeout"] == 10_000 and options["keepalives_idle"] <= 5
    pool = options["pool"]
    assert pool["timeout"] <= 3 and pool["reconnect_timeout"] <= 3


def test_server_side_cursors_are_left_out_only_behind_a_pooler():
    url = "postgres://u:p@h/db"
    asked = "s.DATABASES['default'].get('DISABLE_SERVER_SIDE_CURSORS'), [*s.DATABASES]"
    assert load(asked, DATABASE_URL=url) == [False, ["default"]]
    assert load(asked, DATABASE_URL=url, DATABASE_DIRECT_URL=url) == [True, ["default", "direct"]]


def test_a_replica_has_a_router_and_a_middleware_and_without_one_there_is_neither():
    url = "postgres://u:p@h/db"
    asked = "'DATABASE_ROUTERS' in vars(s), [one for one in s.MIDDLEWARE if 'replica' in one], [*s.DATABASES]"
    assert load(asked, DATABASE_URL=url) == [False, [], ["default"]]
    found = load(asked, DATABASE_URL=url, DATABASE_REPLICA_URL=url)
    assert found == [True, ["campaigns.replica.WrittenMiddleware"], ["default", "replica"]]


def test_a_browser_on_this_machine_may_use_either_name_of_it():
    found = load("[s.ALLOWED_HOSTS, s.CSRF_TRUSTED_ORIGINS]", PORT="9000")
    assert found == [["127.0.0.1", "localhost"], ["http://127.0.0.1:9000", "http://localhost:9000"]]


def test_a_public_site_answers_to_its_own_name_only():
    found = load("[s.ALLOWED_HOSTS, s.CSRF_TRUSTED_ORIGINS, s.HTTPS]", SITE_URL="https://table.example/")
    assert found == [["table.example"], ["https://table.example"], True]


def test_an_address_of_ipv6_keeps_its_brackets():
    found = load("[s.ALLOWED_HOSTS, s.CSRF_TRUSTED_ORIGINS]", SITE_URL="http://[fd00::5]:8000")
    assert found == [["[fd00::5]"], ["http://[fd00::5]:8000"]]


@pytest.mark.parametrize(("https", "expected"), [("0", [False, False, False, 0]), ("1", [True, True, True, 31536000])])
def test_https_guards_cookies_and_addresses(https, expected):
    names = "[s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE, s.SECURE_SSL_REDIRECT, s.SECURE_HSTS_SECONDS]"
    assert load(names, HTTPS=https) == expected


def test_the_policy_allows_nothing_unsafe_and_only_our_own_sockets():
    directives = load("s.CONTENT_SECURITY_POLICY['DIRECTIVES']", SITE_URL="https://table.example")
    assert "unsafe" not in json.dumps(directives)
    assert directives["connect-src"] == ["'self'", "wss://table.example"]


def test_runserver_has_sockets_where_the_code_is_worked_on_and_nobody_else_loads_them():
    assert load("s.INSTALLED_APPS[0]", DEBUG="1") == "daphne"
    assert "daphne" not in load("s.INSTALLED_APPS")


@pytest.mark.parametrize("name", ["WEB_CONCURRENCY", "WORKERS"])
def test_either_name_for_the_number_of_processes_counts(name):
    assert load("s.PROCESSES", **{name: "3"}) == 3


@pytest.mark.parametrize(("name", "value"), [("SIGNUP", "maybe"), ("LOG_FORMAT", "xml"), ("DEBUG", "perhaps")])
def test_a_value_that_means_nothing_stops_the_site(name, value):
    with pytest.raises(AssertionError, match=name):
        load("1", **{name: value})


APPS = "[app for app in s.INSTALLED_APPS if '.providers.' in app]"
DISCORD = {"DISCORD_CLIENT_ID": "afterburn", "DISCORD_CLIENT_SECRET": "d"}
OIDC = {
    "OIDC_CLIENT_ID": "afterburn",
    "OIDC_CLIENT_SECRET": "o",
    "OIDC_URL": "https://id.example.org/",
    "OIDC_NAME": "House",
}


def test_doors_elsewhere_open_with_their_keys():
    assert load(f"[{APPS}, s.SOCIALACCOUNT_PROVIDERS]") == [[], {}]
    assert load(APPS, **DISCORD) == ["allauth.socialaccount.providers.discord"]
    (app,) = load("s.SOCIALACCOUNT_PROVIDERS['openid_connect']['APPS']", **OIDC)
    assert app["name"] == "House" and app["settings"]["server_url"] == "https://id.example.org"


@pytest.mark.parametrize("missing", [*DISCORD, "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "OIDC_URL"])
def test_half_a_key_opens_no_door_and_stops_the_site(missing):
    with pytest.raises(AssertionError, match=f"{missing}.*belong together"):
        load("1", **{name: value for name, value in (DISCORD | OIDC).items() if name != missing})


@pytest.mark.parametrize(
    ("url", "are_there"),
    [("https://table.example.org", True), ("http://127.0.0.1:8000", True), ("http://10.0.0.2", False)],
)
def test_passkeys_are_offered_where_browsers_have_them(url, are_there):
    assert load("'webauthn' in s.MFA_SUPPORTED_TYPES", SITE_URL=url) is are_there


PASSWORD = "geheim"


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("DATABASE_URL", f"mysql://u:{PASSWORD}@h/db", "DATABASE_URL has to begin with postgres:// or sqlite://"),
        ("DATABASE_URL", f"postgres://u:{PASSWORD}@h:port/db", "DATABASE_URL cannot be read"),
        ("DATABASE_DIRECT_URL", f"postgres://u:{PASSWORD}@h:port/db", "DATABASE_DIRECT_URL cannot be read"),
        ("DATABASE_REPLICA_URL", f"postgres://u:{PASSWORD}@h/db", "DATABASE_REPLICA_URL are for PostgreSQL"),
        ("ENV_FILE", "/nowhere/afterburn.env", "ENV_FILE names /nowhere/afterburn.env, and there is no such file"),
    ],
)
def test_what_cannot_be_used_stops_the_site_in_a_sentence_without_its_password(name, value, words):
    stopped = refusal(AssertionError, load, "1", **{name: value})
    last = str(stopped).strip().splitlines()[-1]
    assert last.startswith("django.core.exceptions.ImproperlyConfigured: ") and words in last and PASSWORD not in last


CHECK = ("manage.py", "check")
SERVER = ("-m", "uvicorn", "config.asgi:application", "--port", "0")


@pytest.mark.parametrize(
    ("words", "name", "value", "reason"),
    [
        (CHECK, "TRUSTED_PROXIES", "nginx", "isn’t an IP address"),
        (CHECK, "DATABASE_URL", f"postgres://u:{PASSWORD}@127.0.0.1:1/db", "can’t be reached: "),
        (SERVER, "DATABASE_URL", f"postgres://u:{PASSWORD}@127.0.0.1:1/db", "can’t be reached: "),
        (CHECK, "DATABASE_DIRECT_URL", f"postgres://u:{PASSWORD}@127.0.0.1:1/db", "are for PostgreSQL"),
        (CHECK, "DATABASE_URL", "sqlite:////nowhere/afterburn.sqlite3", "The folder /nowhere for the database"),
        (CHECK, "DATABASE_URL", f"mysql://u:{PASSWORD}@h/db", "has to begin with postgres://"),
        (SERVER, "SIGNUP", "maybe", "SIGNUP"),
    ],
)
def test_neither_check_nor_a_server_says_that_in_a_traceback(words, name, value, reason):
    plain = {"PATH": os.environ["PATH"], "ENV_FILE": os.devnull, "SECRET_KEY": "s" * 50}
    command = [sys.executable, *words]
    done = subprocess.run(
        command, cwd=SETTINGS.parents[1], env=plain | {name: value}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1 and reason in done.stderr
    assert "Traceback" not in done.stderr and PASSWORD not in done.stderr


def test_mail_is_printed_unless_there_is_a_mail_server():
    assert load("s.EMAIL_BACKEND").endswith("console.EmailBackend")
    url = "submission://u:p@mail.example:587"
    found = load(
        "[s.EMAIL_HOST, s.EMAIL_USE_TLS, s.DEFAULT_FROM_EMAIL]", EMAIL_URL=url, DEFAULT_FROM_EMAIL="t@example.org"
    )
    assert found == ["mail.example", True, "t@example.org"]


def test_the_sender_may_stand_in_the_address_of_the_mail_server():
    url = "submission://u:p@mail.example:587?_default_from_email=table@example.org"
    assert load("s.DEFAULT_FROM_EMAIL", EMAIL_URL=url) == "table@example.org"
    assert load("s.DEFAULT_FROM_EMAIL", EMAIL_URL=url, DEFAULT_FROM_EMAIL="t@example.org") == "t@example.org"


@pytest.mark.parametrize(("query", "seconds"), [("", 10), ("?timeout=3", 3)])
def test_nobody_waits_long_for_a_silent_mail_server(query, seconds):
    assert load("s.EMAIL_TIMEOUT", EMAIL_URL=f"submission://u:p@mail.example:587{query}") == seconds


def test_a_kind_of_mail_server_that_is_not_known_stops_the_site():
    with pytest.raises(AssertionError, match="EMAIL_URL has to begin with submission://"):
        load("1", EMAIL_URL="smtp+tls://u:p@mail.example")
