from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("rolls", "0005_settings_within_the_sheet"),
    ]

    operations = [
        migrations.AddField(
            model_name="rollrequest",
            name="announced",
            field=models.BooleanField(default=False),
        ),
    ]
