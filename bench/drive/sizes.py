"""`python -m bench.drive.sizes`: what the campaigns in the database of the settings (PostgreSQL) take there, by what happened.

A table's whole size on disk, indices and free pages included, is shared among its rows by their lengths, and rows that belong to
an event count for its kind. What has no event (undo, sheets, pictures) is shown by table.
"""

from __future__ import annotations

from typing import Any

import django

EVENINGS, HOURS, APART = 50, 4, 10
"""A year: so many evenings of so many hours, in which someone at the table acts every ten seconds (docs/scaling.md)."""
LEAST = 250_000  # bytes: smaller tables do not grow, they are their first pages
GOES = ("campaigns_idempotencykey", "webhooks_delivery", "django_session", "notices_notice")
"""What housekeeping, or their ends, delete again."""


def sizes() -> dict[str, Any]:
    """Return `kinds`, {kind: [how many, bytes]}, `tables` without events, {table: bytes}, and how many `acts` led to it."""
    from django.db import connection

    from campaigns.models import Event, IdempotencyKey

    event = Event._meta.db_table
    kinds: dict[str, list[float]] = {}
    with connection.cursor() as cursor:
        cursor.execute("SELECT relname, pg_total_relation_size(relid) FROM pg_stat_user_tables")
        tables = dict(cursor.fetchall())
        cursor.execute("SELECT table_name FROM information_schema.columns WHERE column_name = 'event_id'")
        parts = [(event, "id"), *((table, "event_id") for (table,) in cursor.fetchall())]
        for table, column in parts:
            whole = tables.pop(table)
            cursor.execute(
                f"SELECT whole.kind, sum(pg_column_size(part.*)), count(*) FROM {table} part "
                f"JOIN {event} whole ON whole.id = part.{column} GROUP BY whole.kind"
            )
            rows = cursor.fetchall()
            length = sum(size for _, size, _ in rows)
            for kind, size, many in rows:
                told = kinds.setdefault(kind, [0, 0.0])
                told[0] += many if table == event else 0
                told[1] += float(whole * size / length)
    return {"kinds": kinds, "tables": tables, "acts": IdempotencyKey.objects.count()}


def told(found: dict[str, Any]) -> list[str]:
    """Return lines about what was found."""
    acts, kinds = found["acts"], sorted(found["kinds"].items(), key=lambda one: -one[1][1])
    stays = {table: size for table, size in found["tables"].items() if table not in GOES and size > LEAST}
    by_events = sum(size for _, (_, size) in kinds)
    lines = [f"{kind:36}{many:>8,} times{size / many:>8,.0f} bytes each" for kind, (many, size) in kinds]
    lines += [
        f"{table:36}{'':14}{size / acts:>8,.0f} bytes an act"
        for table, size in sorted(stays.items(), key=lambda one: -one[1])
    ]
    each, year = (by_events + sum(stays.values())) / acts, EVENINGS * HOURS * 3600 / APART
    lines.append(
        f"together {each:,.0f} bytes an act, {acts:,} acts; {year:,.0f} acts a year: {each * year / 1e6:,.0f} MB"
    )
    return lines


if __name__ == "__main__":
    django.setup()
    print("\n".join(told(sizes())))
