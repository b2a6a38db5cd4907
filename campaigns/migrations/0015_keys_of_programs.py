from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0014_members_who_look_alike"),
    ]

    operations = [
        migrations.AddField(
            model_name="idempotencykey",
            name="by_program",
            field=models.BooleanField(default=False),
        ),
    ]
