from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('campaigns', '0017_written_by'),
    ]

    operations = [
        migrations.AddField(
            model_name='eventindex',
            name='card',
            field=models.UUIDField(null=True),
        ),
        migrations.AddIndex(
            model_name='eventindex',
            index=models.Index(condition=models.Q(('card__isnull', False)), fields=['card'], name='entry_by_card'),
        ),
    ]
