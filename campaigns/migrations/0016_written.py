import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0015_keys_of_programs"),
    ]

    operations = [
        migrations.CreateModel(
            name="Written",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("cause", models.UUIDField(db_index=True)),
                ("thing", models.CharField(max_length=60)),
                ("path", models.CharField(blank=True, max_length=120)),
                ("before", models.JSONField(default=list)),
                ("after", models.JSONField(default=list)),
                ("added", models.IntegerField(null=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="campaigns.campaign",
                    ),
                ),
            ],
            options={"ordering": ["id"]},
        ),
    ]
