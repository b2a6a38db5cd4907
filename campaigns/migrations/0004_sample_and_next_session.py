from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0003_words")]

    operations = [
        migrations.AddField("campaign", "is_sample", models.BooleanField(default=False)),
        migrations.AddField("campaign", "next_session_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddConstraint(
            "campaign",
            models.UniqueConstraint(fields=["is_sample"], condition=models.Q(("is_sample", True)), name="one_sample"),
        ),
    ]
