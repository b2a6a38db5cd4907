import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0016_written"),
    ]

    operations = [
        migrations.AddField(
            "written",
            "by",
            models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="campaigns.membership",
            ),
        ),
        migrations.AddIndex(
            "written",
            models.Index(fields=["thing", "by", "id"], name="written_on_a_thing"),
        ),
    ]
