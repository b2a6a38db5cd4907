from django.db import migrations, models
from django.db.models import IntegerField, OuterRef, Subquery
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Coalesce


def read(apps, schema_editor):
    """Write beside each step what the event of its roll, or of the Scale's own, says that the dice gave."""
    told = Coalesce(KT("payload__add_ons__scale__scale__delta"), KT("payload__scale__delta"))
    stored = apps.get_model("campaigns", "EventPayload").objects.filter(event=OuterRef("event_id"))
    deltas = stored.annotate(delta=Cast(told, IntegerField())).values("delta")
    apps.get_model("scale", "UndoEntry").objects.exclude(roll=None).update(delta=Subquery(deltas))


class Migration(migrations.Migration):

    dependencies = [
        ('campaigns', '0001_initial'),
        ('scale', '0002_burns_by_state'),
    ]

    operations = [
        migrations.AddField(
            model_name='undoentry',
            name='delta',
            field=models.SmallIntegerField(null=True),
        ),
        migrations.RunPython(read, migrations.RunPython.noop),
    ]
