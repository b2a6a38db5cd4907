"""What the log's pages find events by. All of it can be made anew from what the events say, so unlike them it may change."""

from __future__ import annotations

from django.db import connection, models

from campaigns.kinds import Indexed, kind_of
from campaigns.models.log import Event, Stream
from campaigns.models.members import Campaign
from campaigns.text import folded


class EventIndex(models.Model):
    """By what one event is found. `words` are those that are searched, folded and parted by blanks.

    The databases keep a full-text index of the words together with the stream (campaigns/migrations/0003_words.py): a search
    names the streams of whoever asks, so that what is hidden from them is not even looked at. No choices are named here: on
    SQLite a change of them would make the table anew, and its triggers would be gone.
    """

    event = models.OneToOneField(Event, primary_key=True, on_delete=models.PROTECT, related_name="index")
    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="+", db_index=False)
    stream = models.ForeignKey(Stream, on_delete=models.PROTECT, related_name="+", db_index=False)
    topic = models.CharField(max_length=12)
    system = models.CharField(max_length=20, blank=True)
    outcome = models.CharField(max_length=16, blank=True)
    words = models.TextField(blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["campaign", "topic", "event"], name="entry_by_topic"),
            models.Index(fields=["campaign", "outcome", "event"], name="entry_by_outcome"),
            models.Index(fields=["campaign", "system", "event"], name="entry_by_system"),
        ]

    def __str__(self) -> str:
        return f"{self.topic} of {self.event_id}"

    @classmethod
    def of(cls, event: Event) -> EventIndex:
        """The entry of an event as it is now; not stored yet."""
        return cls.by(event, kind_of(event.kind).indexed(event.payload))

    @classmethod
    def by(cls, event: Event, by: Indexed) -> EventIndex:
        """The entry of an event that is found by this; not stored yet."""
        return cls(
            event=event,
            campaign_id=event.campaign_id,
            stream_id=event.stream_id,
            topic=by.topic,
            system=by.system,
            outcome=by.outcome or "",
            words=" ".join(folded(by.words)),
        )


def forget_words() -> None:
    """Let the index of words forget for good what entries no longer say: SQLite's would keep it, marked as gone."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("INSERT INTO campaigns_words(campaigns_words) VALUES ('optimize')")
