import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0003_presence_place"),
        ("rolls", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="roll",
            name="proof",
            field=models.JSONField(null=True),
        ),
        migrations.CreateModel(
            name="Epoch",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("seed", models.CharField(max_length=64)),
                ("blind", models.CharField(max_length=64)),
                ("opened_at", models.DateTimeField(null=True)),
                ("closed_at", models.DateTimeField(null=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="epochs", to="campaigns.campaign"
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(fields=("campaign", "number"), name="epoch_numbers_are_unique"),
                    models.UniqueConstraint(
                        condition=models.Q(("closed_at", None), ("opened_at__isnull", False)),
                        fields=("campaign",),
                        name="one_open_epoch",
                    ),
                ],
            },
        ),
    ]
