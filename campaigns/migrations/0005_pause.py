"""Play can be paused."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0004_sample_and_next_session")]

    operations = [
        migrations.AddField(
            model_name='campaign',
            name='is_paused',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='campaign',
            name='pause_words',
            field=models.CharField(blank=True, help_text='Empty is PAUSED.', max_length=300),
        ),
    ]
