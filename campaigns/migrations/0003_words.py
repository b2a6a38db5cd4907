"""The full-text index of entries: FTS5 kept by triggers on SQLite, a generated tsvector on PostgreSQL.

Words are folded before they come here (campaigns/kinds.py), so that both databases part and compare them alike.
"""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

FORGET = (
    "INSERT INTO campaigns_words(campaigns_words, rowid, stream_id, words) "
    "VALUES ('delete', old.event_id, old.stream_id, old.words);"
)
LEARN = "INSERT INTO campaigns_words(rowid, stream_id, words) VALUES (new.event_id, new.stream_id, new.words);"
SQLITE = [
    "CREATE VIRTUAL TABLE campaigns_words USING fts5(stream_id, words, content='campaigns_eventindex', "
    "content_rowid='event_id', tokenize='unicode61 remove_diacritics 0', prefix='2 3')",
    f"CREATE TRIGGER entry_made AFTER INSERT ON campaigns_eventindex BEGIN {LEARN} END",
    f"CREATE TRIGGER entry_changed AFTER UPDATE ON campaigns_eventindex BEGIN {FORGET} {LEARN} END",
    f"CREATE TRIGGER entry_gone AFTER DELETE ON campaigns_eventindex BEGIN {FORGET} END",
]
POSTGRESQL = [
    "ALTER TABLE campaigns_eventindex ADD COLUMN search tsvector GENERATED ALWAYS AS "
    # Each word goes in as "<stream>@<word>": a list of all that is in a stream would be as long as the stream.
    r"(array_to_tsvector(string_to_array(regexp_replace(words, '(\S+)', stream_id::text || '@\1', 'g'), ' '))) STORED",
    "CREATE INDEX entry_by_words ON campaigns_eventindex USING gin (search)",
]
UNDO = {
    "sqlite": [
        "DROP TRIGGER entry_made",
        "DROP TRIGGER entry_changed",
        "DROP TRIGGER entry_gone",
        "DROP TABLE campaigns_words",
    ],
    "postgresql": ["DROP INDEX entry_by_words", "ALTER TABLE campaigns_eventindex DROP COLUMN search"],
}


def index(apps: object, editor: BaseDatabaseSchemaEditor) -> None:
    for statement in SQLITE if editor.connection.vendor == "sqlite" else POSTGRESQL:
        editor.execute(statement)


def unindex(apps: object, editor: BaseDatabaseSchemaEditor) -> None:
    for statement in UNDO[editor.connection.vendor]:
        editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0002_triggers")]
    operations = [migrations.RunPython(index, unindex)]
