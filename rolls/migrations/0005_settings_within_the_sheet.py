from django.db import migrations

BOUNDS = {"boxes": 9, "last_trauma": 4}
"""What a sheet has room for; more could be decided, and could not be marked."""


def within_the_sheet(apps, schema_editor):
    for campaign in apps.get_model("campaigns", "Campaign").objects.exclude(settings={}).iterator():
        forged = campaign.settings.get("forged", {})
        over = {name: most for name, most in BOUNDS.items() if forged.get(name, most) > most}
        if over:
            campaign.settings = campaign.settings | {"forged": forged | over}
            campaign.save(update_fields=["settings"])


class Migration(migrations.Migration):
    dependencies = [("rolls", "0004_witness")]

    operations = [migrations.RunPython(within_the_sheet, migrations.RunPython.noop)]
