"""Check pages against the log (campaigns/queries/standing.py)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.dispatch import receiver

from campaigns.kinds import standing_asked
from campaigns.models import Campaign, Event
from world.events import PAGE_NOTED, PAGE_WRITTEN
from world.models import Page, paragraphs_of


class Notes:
    """The shared note and the GMs' part of each page, as the log has them."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.told: dict[str, list[str]] = {}
        self.kept: dict[str, list[str]] = {}

    def take(self, event: Event) -> None:
        payload = event.payload
        if event.kind == PAGE_NOTED:
            self.kept[payload["page"]["id"]] = [*payload["note"]]
        elif event.kind == PAGE_WRITTEN:
            page, note = payload["page"]["id"], payload["note"]
            self.told[page] = note
            if payload["what"] == "told":
                # One for one: paragraphs that were erased are alike.
                kept = self.kept.setdefault(page, [])
                for number in payload["new"]:
                    if note[number] in kept:
                        kept.remove(note[number])
            elif payload["what"] == "removed":
                self.told.pop(page)
                self.kept.pop(page, None)

    def faults(self) -> Iterator[str]:
        for page in Page.objects.filter(campaign=self.campaign):
            key = str(page.pk)
            for name, text, logged in (("note", page.note, self.told), ("GMs' part", page.gm_note, self.kept)):
                if paragraphs_of(text) != logged.pop(key, []):
                    yield f"Page {key}: its {name} is not as the log gives it."
        yield from (f"Page {key}: the log gives it, and there is none." for key, note in self.told.items() if note)


@receiver(standing_asked)
def notes(campaign: Campaign, **named: Any) -> Notes:
    return Notes(campaign)
