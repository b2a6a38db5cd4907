"""Whether Burns stand as the log tells (campaigns/queries/standing.py)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.dispatch import receiver

from campaigns.models import Campaign, Event
from campaigns.queries.standing import differences
from campaigns.signals import standing_asked
from rulesets.scale.models import Burn


class Burns:
    """Each as it was told last, with whatever."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.told: dict[str, dict[str, Any]] = {}

    def take(self, event: Event) -> None:
        payload = event.described
        for burn in payload.get("burns") or ():
            if isinstance(burn, dict) and "state" in burn:
                self.told[burn["id"]] = burn

    def faults(self) -> Iterator[str]:
        for burn in Burn.objects.filter(scale__campaign=self.campaign).iterator():
            logged = self.told.pop(str(burn.pk), None)
            if logged is None:
                yield f"Burn {burn.pk}: the log tells nothing of it."
                continue
            here = {"state": burn.state, "kind": burn.kind, "major": burn.major, "effect": burn.effect}
            yield from differences(f"Burn {burn.pk}", here, logged)
        for pk in self.told:
            yield f"Burn {pk}: the log tells of it, and it is not there."


@receiver(standing_asked)
def burns(campaign: Campaign, **named: Any) -> Burns:
    return Burns(campaign)
