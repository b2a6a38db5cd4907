from collections import defaultdict

from django.db import migrations, models

from languages.letters import look_alike


def number(apps, schema_editor):
    """Give a number to whoever's name looks like that of another at the same table, who came earlier."""
    by_table = defaultdict(list)
    members = apps.get_model("campaigns", "Membership").objects.filter(left_at=None, user__isnull=False)
    for member in members.select_related("user").order_by("joined_at", "pk"):
        name = member.user.display_name or member.user.username
        earlier = sum(look_alike(name, other) for other in by_table[member.campaign_id])
        by_table[member.campaign_id].append(name)
        if earlier:
            member.alike = earlier + 1
            member.save(update_fields=["alike"])


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0013_icons"), ("people", "0003_language")]

    operations = [
        migrations.AddField("membership", "alike", models.PositiveSmallIntegerField(default=0)),
        migrations.RunPython(number, migrations.RunPython.noop),
    ]
