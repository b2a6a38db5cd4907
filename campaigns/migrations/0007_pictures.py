"""Pictures at the table."""

import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0006_boundaries")]

    operations = [
        migrations.CreateModel(
            name='Picture',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('uid', models.UUIDField()),
                ('size', models.PositiveIntegerField(help_text='In bytes, both together.')),
                ('width', models.PositiveSmallIntegerField()),
                ('height', models.PositiveSmallIntegerField()),
                ('alt', models.CharField(blank=True, max_length=300)),
                ('title', models.CharField(blank=True, max_length=120)),
                ('kept_at', models.DateTimeField(blank=True, null=True)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='campaigns.membership')),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='pictures', to='campaigns.campaign')),
                ('small', models.BinaryField()),
                ('full', models.BinaryField()),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('campaign', 'uid'), name='one_picture_a_line')],
            },
        ),
    ]
