"""The entries of what had happened before there were any."""

from typing import Any

from django.db import migrations

from campaigns.finding import folded, found


def fill(apps: Any, editor: object) -> None:
    event_class, entry, subject = (apps.get_model("campaigns", name) for name in ("Event", "Entry", "Subject"))
    for event in event_class.objects.filter(entry=None).select_related("payload").iterator(chunk_size=500):
        by = found(event.kind, event.payload.facts)
        entry.objects.create(
            event=event,
            campaign_id=event.campaign_id,
            stream_id=event.stream_id,
            topic=by.topic,
            system=by.system,
            outcome=by.outcome or "",
            words=" ".join(folded(by.words)),
        )
        subject.objects.filter(event=event).update(topic=by.topic)


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0005_words")]
    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
