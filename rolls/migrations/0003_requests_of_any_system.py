"""Rolls of any system can be asked for: what belongs to Storyteller alone moves into `terms`, and nothing asked for is lost."""

from django.db import migrations, models

KINDS = {
    "soak": "soak",
    "willpower": "Willpower",
    "humanity": "Humanity",
    "initiative": "initiative",
    "damage": "damage",
    "other": "other",
}
"""As the words of a request said them when it was asked."""


def into_terms(apps, schema_editor):
    for asked in apps.get_model("rolls", "RollRequest").objects.all():
        asked.terms = {"difficulty": asked.difficulty, "kind": asked.kind, "automatic": asked.automatic}
        if asked.traits:
            asked.terms["pool"] = asked.traits
        kind = f", {KINDS[asked.kind]}" if asked.kind in KINDS else ""
        asked.words = f"{asked.traits or 'A roll'}, difficulty {asked.difficulty}{kind}"
        asked.save(update_fields=["terms", "words"])


def out_of_terms(apps, schema_editor):
    """Requests of other systems have nowhere to go: they become rolls of nothing in particular."""
    for asked in apps.get_model("rolls", "RollRequest").objects.filter(system="storyteller"):
        asked.traits = asked.terms.get("pool", "")
        for name in ("difficulty", "kind", "automatic"):
            setattr(asked, name, asked.terms[name])
        asked.save(update_fields=["traits", "difficulty", "kind", "automatic"])


class Migration(migrations.Migration):
    dependencies = [("rolls", "0002_fairness")]

    operations = [
        migrations.AddField(
            "rollrequest", "system", models.CharField(max_length=20, default="storyteller"), preserve_default=False
        ),
        migrations.AddField("rollrequest", "terms", models.JSONField(default=dict), preserve_default=False),
        migrations.AddField("rollrequest", "words", models.TextField(default=""), preserve_default=False),
        migrations.RunPython(into_terms, out_of_terms, elidable=True),
        migrations.RemoveConstraint("rollrequest", "asked_difficulty_is_2_to_10"),
        migrations.RemoveField("rollrequest", "traits"),
        migrations.RemoveField("rollrequest", "difficulty"),
        migrations.RemoveField("rollrequest", "kind"),
        migrations.RemoveField("rollrequest", "automatic"),
    ]
