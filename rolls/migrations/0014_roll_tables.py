"""Tables that GMs roll on."""

import django.db.models.deletion
import uuid
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('campaigns', '0021_planned_dates_alone'),
        ('rolls', '0013_journal'),
    ]

    operations = [
        migrations.CreateModel(
            name='RollTable',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=80)),
                ('dice', models.CharField(blank=True, max_length=8)),
                ('lines', models.TextField()),
                ('made_at', models.DateTimeField()),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='roll_tables', to='campaigns.campaign')),
            ],
            options={
                'ordering': ['made_at', 'id'],
            },
        ),
    ]
