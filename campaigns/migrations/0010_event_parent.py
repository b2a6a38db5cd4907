import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """The column keeps its name, so that the database has nothing to do."""

    dependencies = [("campaigns", "0009_covers")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameField("event", "amends", "parent"),
                migrations.AlterField(
                    "event",
                    "parent",
                    models.ForeignKey(
                        db_column="amends_id",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="amendments",
                        to="campaigns.event",
                    ),
                ),
            ]
        )
    ]
