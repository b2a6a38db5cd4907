import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0007_subject_outcome"),
    ]

    operations = [
        migrations.CreateModel(
            name="Recap",
            fields=[
                (
                    "session",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="recap",
                        serialize=False,
                        to="campaigns.gamesession",
                    ),
                ),
                ("draft", models.TextField(blank=True, max_length=10000)),
                ("words", models.TextField(blank=True, max_length=10000)),
                ("published_at", models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Pin",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("uid", models.UUIDField()),
                ("at", models.DateTimeField()),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="campaigns.membership"
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="pins", to="campaigns.campaign"
                    ),
                ),
                (
                    "session",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="pins", to="campaigns.gamesession"
                    ),
                ),
            ],
            options={
                "ordering": ["at"],
                "constraints": [models.UniqueConstraint(fields=("campaign", "uid"), name="a_moment_is_pinned_once")],
            },
        ),
    ]
