"""Events are never changed and never disappear: the databases themselves refuse it."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

REFUSAL = "the log is never changed"

SQLITE = [
    f"CREATE TRIGGER event_no_{verb.lower()} BEFORE {verb} ON campaigns_event "
    f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"
    for verb in ("UPDATE", "DELETE")
]
POSTGRESQL = [
    "CREATE FUNCTION refuse_change_of_log() RETURNS trigger LANGUAGE plpgsql AS "
    f"$$ BEGIN RAISE EXCEPTION '{REFUSAL}'; END $$",
    "CREATE TRIGGER event_no_change BEFORE UPDATE OR DELETE ON campaigns_event "
    "FOR EACH ROW EXECUTE FUNCTION refuse_change_of_log()",
]
UNDO = {
    "sqlite": ["DROP TRIGGER event_no_update", "DROP TRIGGER event_no_delete"],
    "postgresql": ["DROP TRIGGER event_no_change ON campaigns_event", "DROP FUNCTION refuse_change_of_log()"],
}


def guard(apps: object, editor: BaseDatabaseSchemaEditor) -> None:
    for statement in SQLITE if editor.connection.vendor == "sqlite" else POSTGRESQL:
        editor.execute(statement)


def unguard(apps: object, editor: BaseDatabaseSchemaEditor) -> None:
    for statement in UNDO[editor.connection.vendor]:
        editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0001_initial")]
    operations = [migrations.RunPython(guard, unguard)]
