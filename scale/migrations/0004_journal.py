"""What steps of a Scale wrote is kept in the journal, which undoes it."""

from uuid import uuid4

from django.db import migrations, models

from characters.sheets.steps import earlier_note

ADDED_UP = ("disposition", "die_modifier", "free_activations")


def keep(apps, schema_editor):
    Written = apps.get_model("campaigns", "Written")
    for step in apps.get_model("scale", "UndoEntry").objects.select_related("scale").iterator(chunk_size=500):
        step.uid = uuid4()
        step.save(update_fields=["uid"])
        if not step.undone_at:
            # What it made comes last, and is undone first: a Scale has one offer and one banked Burn at a time.
            changes = sorted(step.before.items(), key=lambda change: (change[1] is None, change[0]))
            named = {"campaign_id": step.scale.campaign_id, "cause": step.uid}
            notes = [note for name, before in changes for note in _notes(name, before, step.after[name])]
            Written.objects.bulk_create(Written(**named, **note) for note in notes)


def _notes(name, before, after):
    """Return what the journal has of a change: "app.Model:pk:field", before and after."""
    label, pk, field = name.split(":")
    if field == "sheet_steps":
        return [{"thing": f"sheet:{pk}", **earlier_note(one)} for one in after]
    kind = "sheet" if field == "disposition" else label.partition(".")[2].lower()
    was_there = before is not None or field not in ("state", "marked")
    added = after - before if field in ADDED_UP else None
    was = [before] if was_there else []
    return [{"thing": f"{kind}:{pk}", "path": field, "before": was, "after": [after], "added": added}]


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0016_written"),
        ("scale", "0003_undoentry_delta"),
    ]

    operations = [
        migrations.AddField("undoentry", "uid", models.UUIDField(null=True)),
        migrations.RunPython(keep, migrations.RunPython.noop),
    ]
