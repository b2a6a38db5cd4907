"""The rows of sheets lay as lists in the columns of their characters: each becomes a row of the table."""

from django.db import migrations

BATCH = 200
COLUMNS = {"public_fields": "public", "sheet_fields": "sheet", "secret_fields": "secret"}


def take_apart(apps, schema_editor):
    Character, SheetRow = (apps.get_model("characters", name) for name in ("Character", "SheetRow"))
    for characters in _batches(Character):
        rows = []
        for character in characters:
            for column, visibility in COLUMNS.items():
                fields = _without_lists(getattr(character, column), rows, character, visibility, None)
                setattr(character, column, fields)
            character.private_fields = {
                whose: _without_lists(values, rows, character, "private", None if whose == "gm" else int(whose))
                for whose, values in character.private_fields.items()
            }
        SheetRow.objects.bulk_create([SheetRow(**row) for row in rows], batch_size=BATCH)
        Character.objects.bulk_update(characters, [*COLUMNS, "private_fields"])


def _without_lists(values, rows, character, visibility, owner):
    """The single values; what stands in lists, which single values never are, goes to `rows`."""
    fields = {}
    for name, value in values.items():
        if not isinstance(value, list):
            fields[name] = value
            continue
        position = -1
        for row in value:
            # They are in their order, whatever they say themselves.
            position = max(position, row.get("at", position + 1))
            rows.append(
                {
                    "character": character,
                    "group": name,
                    "uid": row["id"],
                    "position": position,
                    "visibility": visibility,
                    "owner_id": owner,
                    "values": {column: held for column, held in row.items() if column not in ("id", "at")},
                }
            )
    return fields


def put_together(apps, schema_editor):
    Character, SheetRow = (apps.get_model("characters", name) for name in ("Character", "SheetRow"))
    for characters in _batches(Character):
        known = {character.pk: character for character in characters}
        for row in SheetRow.objects.filter(character__in=known).order_by("position", "id"):
            character = known[row.character_id]
            if row.visibility == "private":
                values = character.private_fields.setdefault(str(row.owner_id or "gm"), {})
            else:
                values = getattr(character, f"{row.visibility}_fields")
            values.setdefault(row.group, []).append({"id": row.uid, "at": row.position, **row.values})
        Character.objects.bulk_update(characters, [*COLUMNS, "private_fields"])
    SheetRow.objects.all().delete()


def _batches(model):
    last, characters = None, model.objects.order_by("pk")
    while batch := list((characters.filter(pk__gt=last) if last else characters)[:BATCH]):
        yield batch
        last = batch[-1].pk


class Migration(migrations.Migration):
    dependencies = [("characters", "0003_sheetrow")]

    operations = [migrations.RunPython(take_apart, put_together, elidable=False)]
