from django.db import migrations


def keep(apps, schema_editor):
    """Leave every sheet the three boxes that all sheets had before; whoever wears less says so."""
    for character in apps.get_model("characters", "Character").objects.filter(system="forged", is_crew=False).iterator():
        character.sheet_fields = {"armor_boxes": 2, "special_boxes": 1, **character.sheet_fields}
        character.save(update_fields=["sheet_fields"])


class Migration(migrations.Migration):
    dependencies = [
        ("forged", "0001_row_kinds"),
        ("characters", "0006_icons"),
    ]

    operations = [migrations.RunPython(keep, migrations.RunPython.noop)]
