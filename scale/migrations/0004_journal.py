"""What Burns wrote on sheets is kept in the journal, which undoes it."""

from uuid import uuid4

from django.db import migrations

from characters.sheets.steps import earlier_note


def keep(apps, schema_editor):
    Written = apps.get_model("campaigns", "Written")
    for step in apps.get_model("scale", "UndoEntry").objects.select_related("scale").iterator(chunk_size=500):
        for name, done in step.after.items():
            if name.startswith("characters.Character:") and name.endswith(":sheet_steps"):
                sheet, cause = f"sheet:{name.split(':')[1]}", uuid4()
                named = {"campaign_id": step.scale.campaign_id, "cause": cause, "thing": sheet}
                Written.objects.bulk_create(Written(**named, **earlier_note(one)) for one in done)
                step.after[name] = str(cause)
                step.save(update_fields=["after"])


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0016_written"),
        ("scale", "0003_undoentry_delta"),
    ]

    operations = [
        migrations.RunPython(keep, migrations.RunPython.noop),
    ]
