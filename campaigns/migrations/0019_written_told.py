from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0018_cards"),
    ]

    operations = [
        migrations.AddField("written", "told", models.UUIDField(null=True)),
        migrations.AddIndex(
            "written",
            models.Index(fields=["told"], condition=Q(told__isnull=False), name="written_by_line"),
        ),
        migrations.AddIndex(
            "written",
            models.Index(fields=["thing", "id"], condition=Q(told__isnull=False), name="lines_of_a_thing"),
        ),
    ]
