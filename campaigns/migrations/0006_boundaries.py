"""Lines and veils."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0005_pause")]

    operations = [
        migrations.CreateModel(
            name='Boundaries',
            fields=[
                ('member', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='boundaries', serialize=False, to='campaigns.membership')),
                ('lines', models.JSONField(default=list)),
                ('veils', models.JSONField(default=list)),
            ],
        ),
    ]
