"""Steps get names of their own, by which whoever takes one back says which."""

from uuid import uuid4

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def name_those_that_are_there(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for step in apps.get_model("rolls", "ProcedureStep")._default_manager.all().iterator():
        step.uid = uuid4()
        step.save(update_fields=["uid"])


class Migration(migrations.Migration):
    dependencies = [
        ("rolls", "0005_procedure_effects"),
    ]

    operations = [
        migrations.AddField(
            model_name="procedurestep",
            name="uid",
            field=models.UUIDField(default=uuid4, editable=False),
        ),
        migrations.RunPython(name_those_that_are_there, migrations.RunPython.noop),
    ]
