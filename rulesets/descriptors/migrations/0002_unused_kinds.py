from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("descriptors", "0001_row_kinds")]

    operations = [
        migrations.DeleteModel(name=name) for name in ("Descriptor", "Injury", "PoolEntry", "SceneDescriptor")
    ]
