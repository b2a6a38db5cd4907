"""Later lines by which pictures are shown to more people."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('campaigns', '0022_trigrams'),
    ]

    operations = [
        migrations.CreateModel(
            name='PictureLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uid', models.UUIDField()),
                ('picture', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='lines', to='campaigns.picture')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('uid', 'picture'), name='a_line_shows_a_picture_once')],
            },
        ),
    ]
