from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("people", "0003_language"),
    ]

    operations = [
        migrations.AddField("user", "calendar_key", models.UUIDField(blank=True, null=True, unique=True)),
    ]
