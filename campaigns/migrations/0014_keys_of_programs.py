from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0013_icons"),
    ]

    operations = [
        migrations.AddField(
            model_name="idempotencykey",
            name="by_program",
            field=models.BooleanField(default=False),
        ),
    ]
