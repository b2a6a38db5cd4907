"""Errors for the person who runs the server."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.migrations.loader import MigrationLoader

from config.checks import MADE_BY_NEWER, MADE_BY_OLDER, our_apps


class Unusable(Exception):
    """A backup cannot be made or restored so. Nothing was changed."""


def refuse_other_versions(applied: Iterable[tuple[str, str]]) -> None:
    """Raise Unusable if this version does not know one of these migrations, (app, name).

    A newer version also has all of ours; versions before 0.1, when migrations began again, do not.
    """
    theirs, known = set(applied), set(MigrationLoader(None).disk_migrations or {})
    unknown, ours = sorted(theirs - known), our_apps()
    gone = [f"{app}.{name}" for app, name in unknown if app in ours]
    if gone and not theirs >= {(app, name) for app, name in known if app in ours}:
        raise Unusable(
            f"{MADE_BY_OLDER.format('backup', gone[0])} Restore it with that version, and export each campaign’s log there."
        )
    if unknown:
        app, name = unknown[0]
        made = MADE_BY_NEWER.format("backup", f"{app}.{name}") if app in ours else f"This backup has {app} {name}."
        raise Unusable(f"{made} Install that one.")
