from django.db import migrations, models
import django.db.models.deletion


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
        migrations.RemoveField("claim", "words"),
        migrations.AddField("claim", "told", models.JSONField(default=dict)),
    ]
