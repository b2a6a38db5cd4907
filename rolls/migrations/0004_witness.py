import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0003_presence_place"),
        ("rolls", "0003_requests_of_any_system"),
    ]

    operations = [
        migrations.CreateModel(
            name="Witness",
            fields=[
                ("roll", models.UUIDField(primary_key=True, serialize=False)),
                ("client_seed", models.CharField(max_length=32)),
                ("spec", models.CharField(max_length=40)),
                ("asked_at", models.DateTimeField()),
                ("seed", models.CharField(max_length=32)),
                (
                    "asked_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="campaigns.membership"
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="campaigns.membership",
                    ),
                ),
                (
                    "epoch",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="witnesses", to="rolls.epoch"
                    ),
                ),
            ],
        ),
    ]
