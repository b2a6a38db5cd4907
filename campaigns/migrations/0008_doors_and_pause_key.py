"""Doors of a campaign that were shut are counted. The key of a pause lies with the campaign, and not among those of other
operations, whose times tell about when it was."""

from typing import Any

from django.db import migrations, models


def forget_pauses(apps: Any, schema_editor: Any) -> None:
    """Keys of nobody are those of pauses."""
    apps.get_model("campaigns", "IdempotencyKey").objects.filter(by=None).delete()


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0007_pictures")]

    operations = [
        migrations.AddField(
            model_name="campaign",
            name="doors",
            field=models.PositiveBigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="campaign",
            name="pause_key",
            field=models.UUIDField(blank=True, null=True),
        ),
        migrations.RunPython(forget_pauses, migrations.RunPython.noop),
    ]
