"""Where processes tell each other that something is new (PostgreSQL)."""

from __future__ import annotations

from typing import Any

from django.db import connection

CHANNEL = "afterburn"
DRAFTS = "afterburn_drafts"


def where() -> dict[str, Any]:
    """The database of this process, as psycopg wants it, without what only Django's own connections use."""
    params = connection.get_connection_params()
    ours = ("cursor_factory", "context", "prepare_threshold", "pool", "server_side_binding", "isolation_level")
    return {key: value for key, value in params.items() if key not in ours}
