"""What must not be served: errors are refused by `manage.py check`, and by the server itself as it starts (`refuse_to_serve`)."""

from __future__ import annotations

from collections.abc import Sequence
from email.utils import parseaddr
from urllib.parse import urlsplit

from django.apps import apps
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import ManifestFilesMixin, staticfiles_storage
from django.core.checks import CheckMessage, Error, Warning
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.validators import validate_email
from django.db import connection, connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from rulesets import discovery

ROOMS = ("people", "campaigns", "characters", "rolls")
"""The apps that keep something in the database, beside the games."""

MADE_BY_OLDER = "This {} was made by an older version of Afterburn ({} is not known any more)."
"""Of a database or a backup, with a migration as app.name."""


def our_apps() -> set[str]:
    """The labels of the apps whose migrations are this project's: those of rulesets by others are not."""
    games = discovery.built_in().values()
    return {*ROOMS, *(app.label for app in apps.get_app_configs() if app.name in games)}


def one_process_on_sqlite(**_: object) -> list[CheckMessage]:
    """SQLite has no way to tell another process that something happened, so a table would stand still for half its people."""
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
    """SITE_URL is a scheme and a host: every page names addresses from the root of it, and sockets come from no other origin."""
    site = urlsplit(settings.SITE_URL)
    below = site.path or (f"?{site.query}" if site.query else "") or (f"#{site.fragment}" if site.fragment else "")
    if site.scheme not in ("http", "https") or not site.hostname:
        fault = "SITE_URL does not begin with http:// or https:// and a host name."
    elif below:
        fault = f"SITE_URL goes on after the host name ({below}), and Afterburn cannot be served below a path."
    else:
        return []
    hint = "Give it a host name or a port of its own, such as https://table.example.org."
    return [Error(fault, hint=hint, id="afterburn.E002")]


def mail_has_a_sender(**_: object) -> list[CheckMessage]:
    """Servers turn mail away that is from nobody, and people answer to whom it is from."""
    try:
        validate_email(parseaddr(settings.DEFAULT_FROM_EMAIL)[1])
    except ValidationError:
        nobody = True
    else:
        nobody = False
    if nobody and settings.EMAIL_BACKEND.endswith("smtp.EmailBackend"):
        return [
            Error(
                "EMAIL_URL names a mail server, and nothing says whom mail is from.",
                hint="Set DEFAULT_FROM_EMAIL, such as Afterburn <table@example.org>.",
                id="afterburn.E003",
            )
        ]
    return []


# What is wrong wherever the site is served.
ALWAYS = (one_process_on_sqlite, whole_host, mail_has_a_sender)


def public_site(**_: object) -> list[CheckMessage]:
    """What is right on one's own machine and wrong on a public one."""
    found: list[CheckMessage] = []
    if settings.DEMO:
        found.append(Warning("DEMO=1 lets anybody in as any demo person.", id="afterburn.W001"))
    if settings.HTTPS and not settings.SITE_URL.startswith("https://"):
        found.append(
            Warning(
                f"HTTPS is on, but SITE_URL is {settings.SITE_URL}: browsers' sockets would be refused.",
                id="afterburn.W002",
            )
        )
    if settings.HTTPS and not settings.TRUSTED_PROXIES:
        found.append(
            Warning(
                "HTTPS is on and TRUSTED_PROXIES is empty: behind a proxy every page would redirect to itself without end.",
                hint="Set TRUSTED_PROXIES to the address that the proxy asks from, so that its X-Forwarded-Proto is believed.",
                id="afterburn.W003",
            )
        )
    return found


def database_of_this_history(databases: Sequence[str] | None = None, **_: object) -> list[CheckMessage]:
    """Migrations began anew before 0.1; a database that older code made cannot be taken further by these.

    Asked by `migrate`, before it changes anything.
    """
    made = {
        f"{app}.{name}"
        for alias in databases or ()
        for app, name in MigrationRecorder(connections[alias]).applied_migrations()
        if app in our_apps()
    }
    ours = {f"{app}.{name}" for app, name in MigrationLoader(None, ignore_no_migrations=True).disk_migrations or ()}
    if gone := sorted(made - ours):
        return [
            Error(
                MADE_BY_OLDER.format("database", gone[0]),
                hint="To keep it, go on with that version, and save each campaign’s log there. To begin anew, name another "
                "database in DATABASE_URL, or move the file afterburn.sqlite3 away.",
                id="afterburn.E005",
            )
        ]
    return []


def collected_static_files() -> list[CheckMessage]:
    """Every page asks for the hashed name of its static files; one that was never collected makes each of them an error.

    Only for servers: `manage.py check` is also run before anything is collected.
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
