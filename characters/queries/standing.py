"""Check sheets against the log (campaigns/queries/standing.py)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.dispatch import receiver

from campaigns.kinds import standing_asked
from campaigns.models import Campaign, Event
from characters.events import FIELD_CHANGED, ROW_ADDED, ROW_REMOVED
from characters.models import Character
from characters.sheets.fields import SheetError

GONE = object()
BATCH = 200  # characters read at once


class Sheets:
    """The fields written since their sheet was made, each with its last value in the log; erased words are skipped."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.told: dict[str, dict[str, Any]] = {}

    def take(self, event: Event) -> None:
        payload = event.payload
        if event.kind not in (FIELD_CHANGED, ROW_ADDED, ROW_REMOVED):
            return
        sheet = self.told.setdefault(payload["character"]["id"], {})
        if event.kind == FIELD_CHANGED:
            sheet[payload["cell"]["field"]] = payload["after"]
            if event.stored.erased_at:
                sheet.pop(payload["cell"]["field"])
            return
        row = f"{payload['rows']}/{payload['row']['id']}/"
        for address in [address for address in sheet if address.startswith(row)]:
            del sheet[address]
        cells = payload["row"].get("cells", ()) if not event.stored.erased_at else ()
        sheet.update({cell["field"]: cell["value"] for cell in cells})
        if event.kind == ROW_REMOVED:
            sheet.update({f"{row}{name}": GONE for name in payload["row"]["values"]})

    def faults(self) -> Iterator[str]:
        for character in Character.objects.filter(campaign=self.campaign).with_rows().iterator(BATCH):
            for address, logged in self.told.get(str(character.pk), {}).items():
                here = _value(character, address)
                if here != logged:
                    yield f"Character {character.pk}: {address} is {_words(here)}, the log gives {_words(logged)}."


def _value(character: Character, address: str) -> Any:
    try:
        return character.value(address)
    except SheetError:
        return GONE


def _words(value: Any) -> str:
    return "gone" if value is GONE else repr(value)


@receiver(standing_asked)
def sheets(campaign: Campaign, **named: Any) -> Sheets:
    return Sheets(campaign)
