from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("scale", "0004_journal"),
    ]

    operations = [
        migrations.RemoveField("undoentry", "before"),
        migrations.RemoveField("undoentry", "after"),
        migrations.AlterField("undoentry", "uid", models.UUIDField(unique=True)),
        migrations.RenameModel("UndoEntry", "ScaleStep"),
    ]
