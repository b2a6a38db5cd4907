
from django.db import migrations


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('characters', '0004_rows_of_sheets'),
        ('rolls', '0007_what_rolls_write'),
    ]

    operations = [
        migrations.CreateModel(
            name='Burden',
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
            name='Descriptor',
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
            name='Injury',
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
            name='Key',
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
            name='PoolEntry',
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
            name='SceneDescriptor',
            fields=[
            ],
            options={
                'proxy': True,
                'indexes': [],
                'constraints': [],
            },
            bases=('rolls.procedure',),
        ),
    ]
