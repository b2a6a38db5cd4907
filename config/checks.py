"""What must not be served: refused by `manage.py check`, and by the server itself as it starts (`refuse_to_serve`)."""

from __future__ import annotations

from django.apps import apps
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import ManifestFilesMixin, staticfiles_storage
from django.core.checks import CheckMessage, Error, Warning
from django.core.exceptions import ImproperlyConfigured
from django.db import connection


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
    return found


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
                id="afterburn.E002",
            )
        ]
    return []


def refuse_to_serve() -> None:
    """Raise ImproperlyConfigured where serving would go wrong: servers do not run Django's checks by themselves."""
    for message in [*one_process_on_sqlite(), *collected_static_files()]:
        raise ImproperlyConfigured(f"{message.msg} {message.hint}")
