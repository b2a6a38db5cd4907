"""What cannot be used, in words for whoever runs the server."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.migrations.loader import MigrationLoader


class Unusable(Exception):
    """A backup cannot be made or restored so. Nothing was changed."""


def refuse_what_is_newer(applied: Iterable[tuple[str, str]]) -> None:
    """Raise Unusable if one of these migrations, (app, name), is not known to this version."""
    known = MigrationLoader(None).disk_migrations or {}
    if unknown := sorted(set(applied) - set(known)):
        raise Unusable(
            f"This backup was made by another version, which has {unknown[0][0]} {unknown[0][1]}. Install that one."
        )
