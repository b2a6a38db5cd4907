from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("characters", "0007_journal"),
    ]

    operations = [
        migrations.AddField("character", "free", models.BooleanField(default=False)),
    ]
