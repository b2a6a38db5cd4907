"""System checks: their errors stop `manage.py check`, and the server itself at its start (`refuse_to_serve`)."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from difflib import get_close_matches
from email.utils import parseaddr
from ipaddress import ip_network
from pathlib import Path
from urllib.parse import urlsplit

from django.apps import apps
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import ManifestFilesMixin, staticfiles_storage
from django.core.checks import CheckMessage, Error, Warning
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.validators import validate_email
from django.db import DatabaseError, connection, connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from dotenv import dotenv_values

from config import metrics_folder
from rolls.checks import problems
from rolls.registry import LEFT_OUT, all_rules
from rolls.ruleset import Rules
from rulesets import discovery

ROOMS = ("people", "campaigns", "characters", "rolls", "scale", "webhooks", "notices", "world")
"""The apps that keep something in the database, beside the games."""

MADE_BY_OLDER = "This {} was made by an older version of Afterburn ({} is not known any more)."
"""A message about a database or a backup, with a migration as app.name."""

TABLE_BEFORE_0_1_0 = "campaigns_deed"
"""A table of the versions whose migrations have the names of today’s and made other tables. The commits a65f62ab and 466cac07,
which were called Release 0.1.0 before the one that is installed by that name (015d7541), made it."""

MADE_BY_NEWER = "This {} was made by a newer version of Afterburn ({} is not known here)."


OF_OTHERS = ("UVICORN_", "PG", "PYTHON", "DJANGO_", "LC_", "LANG", "TZ", "POSTGRES_", "DOMAIN")
"""Prefixes of variables that other programs read from a shared file."""
NEEDED = {"default": "DATABASE_URL", "direct": "DATABASE_DIRECT_URL"}
"""Databases without which the site cannot be served, where they are set, with the settings that name them."""
PATIENCE = 3  # seconds for a connection


def our_apps() -> set[str]:
    """Return the labels of the apps with this project's migrations, without others' rulesets."""
    games = discovery.built_in().values()
    return {*ROOMS, *(app.label for app in apps.get_app_configs() if app.name in games)}


def one_process_on_sqlite(**_: object) -> list[CheckMessage]:
    """Refuse several processes on SQLite, which cannot notify another process: half the people at a table would see no news."""
    if connection.vendor == "sqlite" and settings.PROCESSES > 1:
        return [
            Error(
                f"{settings.PROCESSES} server processes cannot share a SQLite database.",
                hint="Set DATABASE_URL to a PostgreSQL database, or WEB_CONCURRENCY and WORKERS to 1.",
                id="afterburn.E001",
            )
        ]
    return []


def whole_host(**_: object) -> list[CheckMessage]:
    """Require SITE_URL to be only a scheme and a host: pages use addresses from the root, and sockets accept no other origin."""
    site = urlsplit(settings.SITE_URL)
    below = site.path or (f"?{site.query}" if site.query else "") or (f"#{site.fragment}" if site.fragment else "")
    if site.scheme not in ("http", "https") or not site.hostname:
        fault = "SITE_URL doesn’t start with http:// or https:// and a host name."
    elif below:
        fault = f"SITE_URL has a path after the host name ({below}). Afterburn can’t be served below a path."
    else:
        return []
    hint = "Give it a host name or a port of its own, such as https://table.example.org."
    return [Error(fault, hint=hint, id="afterburn.E002")]


def mail_has_a_sender(**_: object) -> list[CheckMessage]:
    """Require a sender for mail: servers refuse mail without one, and people reply to it."""
    try:
        validate_email(parseaddr(settings.DEFAULT_FROM_EMAIL)[1])
    except ValidationError:
        nobody = True
    else:
        nobody = False
    if nobody and settings.EMAIL_BACKEND.endswith("smtp.EmailBackend"):
        return [
            Error(
                "EMAIL_URL names a mail server, but DEFAULT_FROM_EMAIL isn’t set.",
                hint="Set it to the sender, such as Afterburn <table@example.org>.",
                id="afterburn.E003",
            )
        ]
    return []


NETWORKS = {
    "TRUSTED_PROXIES": "Give the address or the network that the proxy asks from, such as 127.0.0.1 or 172.30.0.0/24.",
    "WEBHOOK_NETWORKS": "Give the address or the network of the receivers, such as 192.168.1.0/24.",
}
"""Settings that name networks, with examples of values."""


def networks_by_address(**_: object) -> list[CheckMessage]:
    """Require addresses instead of names for networks: machines are compared by address, which no name ever equals."""
    for setting, hint in NETWORKS.items():
        for network in getattr(settings, setting):
            try:
                ip_network(network, strict=False)
            except ValueError:
                return [
                    Error(f"“{network}” in {setting} isn’t an IP address or a network.", hint=hint, id="afterburn.E006")
                ]
    return []


def known_names(**_: object) -> list[CheckMessage]:
    """Refuse unknown names in the settings file: a typing error such as SINGUP=closed would let anyone sign up."""
    variables = dotenv_values(settings.ENV_FILE) if settings.ENV_FILE.is_file() else {}
    unknown = [name for name in variables if name not in settings.NAMES and not name.startswith(OF_OTHERS)]
    if not unknown:
        return []
    close = get_close_matches(unknown[0], settings.NAMES, n=1)
    meant = f"Did you mean {close[0]}?" if close else "Every setting is in .env.example."
    return [Error(f"{unknown[0]} in {settings.ENV_FILE} isn’t a setting.", hint=meant, id="afterburn.E007")]


def database_within_reach(**_: object) -> list[CheckMessage]:
    """Require a reachable database; this uses a connection of its own, which fails with the reason at once."""
    folder = _folder_of_database()
    if folder and not folder.is_dir():
        fault, hint = f"The folder {folder} for the database in DATABASE_URL doesn’t exist.", "Create it."
        return [Error(fault, hint=hint, id="afterburn.E008")]
    for alias, setting in NEEDED.items():
        if words := _refused(alias):
            fault = f"The database in {setting} can’t be reached: {words}."
            return [Error(fault, hint=f"Start it, or correct {setting}.", id="afterburn.E008")]
    return []


def _folder_of_database() -> Path | None:
    """Return the folder of a SQLite database that is a file; None for others."""
    name = str(connection.settings_dict["NAME"])
    in_memory = name.startswith("file:") or ":memory:" in name
    return None if "sqlite" not in connection.settings_dict["ENGINE"] or in_memory else Path(name).resolve().parent


def _refused(alias: str) -> str:
    """Return why no connection can be made; "" if one can, or none is wanted. Asking does not create a database."""
    if alias not in connections.settings or "sqlite" in connections[alias].settings_dict["ENGINE"]:
        return ""
    alone = connections[alias].copy()
    options = {name: value for name, value in alone.settings_dict["OPTIONS"].items() if name != "pool"}
    alone.settings_dict["OPTIONS"] = {"connect_timeout": PATIENCE} | options
    alone.inc_thread_sharing()

    def ask() -> str:
        try:
            with alone.wrap_database_errors:
                alone.connect()
        except DatabaseError as error:
            return str(error).strip().splitlines()[0].rstrip(". ")
        alone.close()
        return ""

    # A server asks while its event loop runs, in which Django connects to nothing.
    with ThreadPoolExecutor(1) as aside:
        return aside.submit(ask).result()


def folder_of_metrics(**_: object) -> list[CheckMessage]:
    """Require a writable folder for several processes' metrics, which is created if possible (config/metrics_folder.py)."""
    return [Error(words, hint=hint, id="afterburn.E009") for words, hint in metrics_folder.faults()]


# Checks wherever the site is served.
ALWAYS = (
    one_process_on_sqlite,
    whole_host,
    mail_has_a_sender,
    networks_by_address,
    known_names,
    database_within_reach,
    folder_of_metrics,
)


def public_site(**_: object) -> list[CheckMessage]:
    """Warn of settings that are right on one's own machine and wrong on a public one."""
    messages: list[CheckMessage] = []
    if settings.DEMO:
        messages.append(Warning("DEMO=1 lets anyone sign in as any demo person.", id="afterburn.W001"))
    if settings.HTTPS and not settings.SITE_URL.startswith("https://"):
        messages.append(
            Warning(
                f"HTTPS is on, but SITE_URL is {settings.SITE_URL}: websockets from browsers will be refused.",
                id="afterburn.W002",
            )
        )
    if settings.HTTPS and not settings.TRUSTED_PROXIES:
        messages.append(
            Warning(
                "HTTPS is on and TRUSTED_PROXIES is empty: behind a proxy every page redirects to itself forever.",
                hint="Set TRUSTED_PROXIES to the address that the proxy asks from, so that its X-Forwarded-Proto is believed.",
                id="afterburn.W003",
            )
        )
    return messages


def doors_of_the_demo(**_: object) -> list[CheckMessage]:
    """Warn of accounts with the password from the README, which get past SIGNUP. A missing database has none."""
    from config.demo import people  # the apps' models must be there first

    try:
        known = people.with_known_password()
    except DatabaseError:
        return []
    if not known:
        return []
    return [
        Warning(
            f"Anyone can sign in as {', '.join(known)}: everyone knows the demo’s password.",
            hint="`manage.py demo --close` ends that, `manage.py demo --sample` keeps the sample table.",
            id="afterburn.W004",
        )
    ]


def database_of_this_history(databases: Sequence[str] | None = None, **_: object) -> list[CheckMessage]:
    """Refuse a database made before 0.1, when migrations began again: these cannot upgrade it.

    `migrate` runs this before it changes anything.
    """
    made = {
        f"{app}.{name}"
        for alias in databases or ()
        for app, name in MigrationRecorder(connections[alias]).applied_migrations()
        if app in our_apps()
    }
    ours = {f"{app}.{name}" for app, name in MigrationLoader(None, ignore_no_migrations=True).disk_migrations or ()}
    tables = {table for alias in databases or () for table in connections[alias].introspection.table_names()}
    gone = sorted(made - ours) or sorted(tables & {TABLE_BEFORE_0_1_0})
    if gone and made >= {name for name in ours if name.partition(".")[0] in our_apps()}:
        return [
            Error(
                MADE_BY_NEWER.format("database", gone[0]),
                hint="Install that version again. The way back to this one is `afterburn-release back`, from there.",
                id="afterburn.E005",
            )
        ]
    if gone:
        return [
            Error(
                MADE_BY_OLDER.format("database", gone[0]),
                hint="To keep it, stay on that version and export each campaign’s log there. To start fresh, name another "
                "database in DATABASE_URL, or move the file afterburn.sqlite3 away.",
                id="afterburn.E005",
            )
        ]
    return []


def rules_that_are_wrong(**_: object) -> list[CheckMessage]:
    """Return errors for this project's rules, and warnings for others' packages that were left out, which do not stop
    the site.
    """
    ours = [(rules, problem) for rules in all_rules() for problem in problems(rules) if _is_ours(rules)]
    return [
        *(Error(f"{type(rules).__module__}: {problem}", id="afterburn.E010") for rules, problem in ours),
        *(
            Warning(
                f"Rules are left out: {package}. {wrong}", hint="Fix the package or uninstall it.", id="afterburn.W010"
            )
            for package, wrong in left_out().items()
        ),
    ]


def left_out() -> dict[str, str]:
    """Return the error of each package of others that the site runs without, by its dotted name."""
    return {**discovery.LEFT_OUT, **LEFT_OUT}


def _is_ours(rules: Rules) -> bool:
    return type(rules).__module__.startswith(("rolls.", "rulesets."))


def collected_static_files() -> list[CheckMessage]:
    """Require collected static files: pages use their hashed names, and one that is missing makes every page an error.

    Only for servers: `manage.py check` also runs before anything is collected.
    """
    if not isinstance(staticfiles_storage, ManifestFilesMixin):
        return []
    ignored = apps.get_app_config("staticfiles").ignore_patterns
    files = {path for finder in get_finders() for path, _ in finder.list(ignored)}
    if missing := sorted(files - set(staticfiles_storage.hashed_files)):
        return [
            Error(
                f"{len(missing)} static files are not in {settings.STATIC_ROOT} ({missing[0]} is the first).",
                hint="Run `manage.py collectstatic --noinput`, also after every upgrade.",
                id="afterburn.E004",
            )
        ]
    return []


def refuse_to_serve() -> None:
    """Raise ImproperlyConfigured where serving would go wrong: servers do not run Django's checks by themselves."""
    for check in (*ALWAYS, collected_static_files):
        for message in check():
            raise ImproperlyConfigured(f"{message.msg} {message.hint}")
