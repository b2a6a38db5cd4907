from typing import Any

from django.db import migrations, models
from django.db.models import OuterRef, Subquery


def fill(apps: Any, editor: object) -> None:
    entry, subject = (apps.get_model("campaigns", name) for name in ("Entry", "Subject"))
    theirs = entry.objects.filter(event=OuterRef("event")).values("outcome")
    subject.objects.filter(event__entry__isnull=False).update(outcome=Subquery(theirs))


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0006_entries_of_old")]
    operations = [
        migrations.AddField(
            model_name="subject",
            name="outcome",
            field=models.CharField(blank=True, max_length=16),
        ),
        migrations.AddIndex(
            model_name="subject",
            index=models.Index(fields=["key", "outcome", "event"], name="subject_by_key_and_outcome"),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
