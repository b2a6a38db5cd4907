import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0001_initial"),
        ("characters", "0002_ledger_in_codes"),
    ]

    operations = [
        migrations.RenameField("character", "public", "public_fields"),
        migrations.RenameField("character", "sheet", "sheet_fields"),
        migrations.RenameField("character", "private", "private_fields"),
        migrations.RenameField("character", "secret", "secret_fields"),
        migrations.CreateModel(
            name="SheetRow",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("group", models.CharField(max_length=40)),
                ("uid", models.CharField(max_length=32)),
                ("position", models.IntegerField()),
                (
                    "visibility",
                    models.CharField(
                        choices=[
                            ("public", "public"),
                            ("sheet", "sheet"),
                            ("private", "private"),
                            ("secret", "secret"),
                        ],
                        max_length=10,
                    ),
                ),
                ("values", models.JSONField(default=dict)),
                ("version", models.PositiveIntegerField(default=1)),
                (
                    "character",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sheet_rows",
                        to="characters.character",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="campaigns.membership",
                    ),
                ),
            ],
            options={"ordering": ["position", "id"]},
        ),
        migrations.AddConstraint(
            model_name="sheetrow",
            constraint=models.UniqueConstraint(
                fields=("character", "group", "uid"), name="a_row_has_an_id_of_its_own_in_its_list"
            ),
        ),
    ]
