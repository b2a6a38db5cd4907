"""What purchases wrote on sheets is kept in the journal, which undoes it."""

from django.db import migrations

from characters.sheets.steps import earlier_note


def keep(apps, schema_editor):
    Written = apps.get_model("campaigns", "Written")
    bought = apps.get_model("characters", "LedgerEntry").objects.filter(kind="spend", undone_by=None)
    for entry in bought.select_related("character").iterator(chunk_size=500):
        named = {"campaign_id": entry.character.campaign_id, "cause": entry.pk, "thing": f"sheet:{entry.character_id}"}
        Written.objects.bulk_create(Written(**named, **earlier_note(step)) for step in entry.done)


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0016_written"),
        ("characters", "0006_icons"),
    ]

    operations = [
        migrations.RunPython(keep, migrations.RunPython.noop),
        migrations.RemoveField("ledgerentry", "done"),
    ]
