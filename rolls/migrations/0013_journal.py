"""What rolls and steps of procedures wrote is kept in the journal, which undoes it."""

from uuid import uuid5

from django.db import migrations

from characters.sheets.steps import earlier_note


def keep(apps, schema_editor):
    Written = apps.get_model("campaigns", "Written")
    for roll in apps.get_model("rolls", "Roll").objects.filter(written__isnull=False).iterator(chunk_size=500):
        kept = []
        for at, wrote in enumerate(roll.written):
            named = {"campaign_id": roll.campaign_id, "cause": uuid5(roll.pk, f"write {at}")}
            if not roll.voided_at:
                Written.objects.bulk_create(Written(**named, **one) for one in _written(wrote["done"]))
            kept.append({"write": wrote["write"], "cause": str(named["cause"])})
        if kept:
            roll.written = kept
            roll.save(update_fields=["written"])
    for step in apps.get_model("rolls", "ProcedureStep").objects.select_related("procedure").iterator(chunk_size=500):
        named = {"campaign_id": step.procedure.campaign_id, "cause": step.uid}
        Written.objects.bulk_create(Written(**named, **one) for undo in step.undo for one in _written(undo))


def _written(undo):
    """Return what the journal has of something that could be undone, which its fields tell apart."""
    match undo:
        case {"character": character, "steps": steps}:
            return [{"thing": f"sheet:{character}", **earlier_note(step)} for step in steps]
        case {"clock": clock, "ticks": ticks} if ticks:
            return [{"thing": f"clock:{clock}", "path": "filled", "added": ticks}]
        case {"made": clock}:
            return [{"thing": f"clock:{clock}", "after": [True]}]
        case {"retired": character} if character:
            return [{"thing": f"character:{character}", "path": "state", "before": ["in_play"]}]
        case {"begun": procedure}:
            return [{"thing": f"procedure:{procedure}", "after": [True]}]
        case {"ended": procedure, "by": True}:
            return [{"thing": f"procedure:{procedure}", "path": "over", "before": [False], "after": [True]}]
    return []


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0016_written"),
        ("rolls", "0012_cards"),
    ]

    operations = [
        migrations.RunPython(keep, migrations.RunPython.noop),
        migrations.RemoveField("procedurestep", "undo"),
    ]
