
from django.db import migrations


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('characters', '0004_rows_of_sheets'),
    ]

    operations = [
        migrations.CreateModel(
            name='Harm',
            fields=[
            ],
            options={
                'proxy': True,
                'indexes': [],
                'constraints': [],
            },
            bases=('characters.sheetrow',),
        ),
        migrations.CreateModel(
            name='Item',
            fields=[
            ],
            options={
                'proxy': True,
                'indexes': [],
                'constraints': [],
            },
            bases=('characters.sheetrow',),
        ),
    ]
