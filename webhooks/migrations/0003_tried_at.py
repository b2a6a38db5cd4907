from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('webhooks', '0002_words_of_formats'),
    ]

    operations = [
        migrations.AddField(
            model_name='webhook',
            name='tried_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
