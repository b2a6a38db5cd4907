import json
from hashlib import blake2b

from django.db import migrations, models

AT_ONCE = 500


def tell(apps, schema_editor):
    """Write with each roll what it has in common with others, as rolls/services/roll_making.py does with new ones."""
    Roll = apps.get_model("rolls", "Roll")
    some = []
    for roll in Roll.objects.only("system", "kind", "ask", "outcome").iterator(chunk_size=AT_ONCE):
        terms = {name: value for name, value in roll.ask.items() if name not in ("note", "overridden", "rolled_by")}
        result = [roll.outcome.get(name) for name in ("result", "stress")]
        told_apart = json.dumps([roll.system, roll.kind, terms, *result], sort_keys=True)
        roll.alike = int.from_bytes(blake2b(told_apart.encode(), digest_size=8).digest(), signed=True)
        some.append(roll)
        if len(some) == AT_ONCE:
            Roll.objects.bulk_update(some, ["alike"])
            some = []
    Roll.objects.bulk_update(some, ["alike"])


class Migration(migrations.Migration):
    dependencies = [
        ("rolls", "0009_rerolls"),
    ]

    operations = [
        migrations.AddField(
            model_name="roll",
            name="alike",
            field=models.BigIntegerField(default=0),
        ),
        migrations.RunPython(tell, migrations.RunPython.noop),
        migrations.DeleteModel(
            name="StatisticsSnapshot",
        ),
    ]
