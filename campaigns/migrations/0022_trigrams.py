"""The full-text index of entries finds parts of words, by trigrams: FTS5's on SQLite, a function of our own on PostgreSQL.

PostgreSQL's extension pg_trgm knows no letters beyond ASCII in a database with the locale C, has to be allowed by the host, and
cannot be asked for one stream. So each trigram is paired with its stream here, as words were before. Words of scripts without blanks are split when the
log is indexed anew, after all migrations (campaigns/services/log_entries.py).
"""

from importlib import import_module
from typing import Any

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

# A stream as three letters, which are one trigram, of the block that no text has. campaigns/queries/search.py asks for them.
SIGN = "char(57344 + {0} / 40960000 % 6400, 57344 + {0} / 6400 % 6400, 57344 + {0} % 6400)"
FORGET = (
    "INSERT INTO campaigns_words(campaigns_words, rowid, stream, words) "
    f"VALUES ('delete', old.event_id, {SIGN.format('old.stream_id')}, ' ' || old.words || ' ');"
)
LEARN = (
    "INSERT INTO campaigns_words(rowid, stream, words) "
    f"VALUES (new.event_id, {SIGN.format('new.stream_id')}, ' ' || new.words || ' ');"
)
SQLITE = [
    "DROP TRIGGER entry_made",
    "DROP TRIGGER entry_changed",
    "DROP TRIGGER entry_gone",
    "DROP TABLE campaigns_words",
    f"CREATE VIEW campaigns_indexed AS SELECT event_id, {SIGN.format('stream_id')} AS stream, ' ' || words || ' ' AS words "
    "FROM campaigns_eventindex",
    "CREATE VIRTUAL TABLE campaigns_words USING fts5(stream, words, content='campaigns_indexed', content_rowid='event_id', "
    "tokenize='trigram case_sensitive 1')",
    "INSERT INTO campaigns_words(campaigns_words) VALUES ('rebuild')",
    f"CREATE TRIGGER entry_made AFTER INSERT ON campaigns_eventindex BEGIN {LEARN} END",
    f"CREATE TRIGGER entry_changed AFTER UPDATE ON campaigns_eventindex BEGIN {FORGET} {LEARN} END",
    f"CREATE TRIGGER entry_gone AFTER DELETE ON campaigns_eventindex BEGIN {FORGET} END",
]
# It may be there already, in a database that an older release has cleared, to put a backup back.
POSTGRESQL = [
    "DROP INDEX entry_by_words",
    "ALTER TABLE campaigns_eventindex DROP COLUMN search",
    "CREATE OR REPLACE FUNCTION campaigns_trigrams(stream bigint, words text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$ "
    "DECLARE signs text[] := string_to_array(' ' || words || ' ', NULL); found text[] := '{}'; "
    "BEGIN FOR n IN 1 .. cardinality(signs) - 2 LOOP "
    "found[n] := stream || '@' || signs[n] || signs[n + 1] || signs[n + 2]; END LOOP; RETURN found; END $$",
    "CREATE INDEX entry_by_words ON campaigns_eventindex USING gin (campaigns_trigrams(stream_id, words))",
]

UNDO = {
    "sqlite": [*SQLITE[:4], "DROP VIEW campaigns_indexed"],
    "postgresql": ["DROP INDEX entry_by_words", "DROP FUNCTION campaigns_trigrams(bigint, text)"],
}


def index_trigrams(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    for statement in SQLITE if editor.connection.vendor == "sqlite" else POSTGRESQL:
        editor.execute(statement)


def index_words(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    for statement in UNDO[editor.connection.vendor]:
        editor.execute(statement)
    import_module("campaigns.migrations.0003_words").index(apps, editor)
    if editor.connection.vendor == "sqlite":
        editor.execute("INSERT INTO campaigns_words(campaigns_words) VALUES ('rebuild')")


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0021_planned_dates_alone")]
    operations = [
        migrations.RunPython(index_trigrams, index_words),
    ]
