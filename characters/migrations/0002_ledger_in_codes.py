import django.db.models.deletion
from django.db import migrations, models


def keep_words(apps, schema_editor):
    # Claims of 0.1.0 were kept in words alone: they stand as they are (characters/events.py).
    for claim in apps.get_model("characters", "Claim").objects.exclude(words="").iterator():
        claim.told = {"words": claim.words}
        claim.save(update_fields=["told"])


class Migration(migrations.Migration):
    dependencies = [("characters", "0001_initial")]

    operations = [
        migrations.RenameField("ledgerentry", "purse", "currency"),
        migrations.RemoveField("ledgerentry", "label"),
        migrations.RemoveField("ledgerentry", "unit"),
        migrations.RenameField("ledgerentry", "words", "reason"),
        migrations.AlterField("ledgerentry", "reason", models.CharField(blank=True, max_length=200)),
        migrations.AddField("ledgerentry", "bought", models.JSONField(null=True)),
        migrations.AddField(
            "ledgerentry",
            "claim",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="characters.claim",
            ),
        ),
        migrations.AddField("claim", "told", models.JSONField(default=dict)),
        migrations.RunPython(keep_words, migrations.RunPython.noop, elidable=False),
        migrations.RemoveField("claim", "words"),
    ]
