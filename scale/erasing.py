"""Erase typed texts from rows of the Scale (campaigns/services/erasing.py)."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from campaigns.kinds import words_erased
from campaigns.models import Membership
from campaigns.services.erasing import Texts, put
from scale.models import Burn, UndoEntry


@receiver(words_erased)
def erase_rows(member: Membership, texts: Texts, **named: Any) -> None:
    for burn in Burn.objects.filter(scale__campaign=member.campaign_id):
        put(burn, words=texts.without(burn.words))
    for step in UndoEntry.objects.filter(scale__campaign=member.campaign_id).iterator():
        put(step, before=_without(step.before, texts), after=_without(step.after, texts))


def _without(kept: dict[str, Any], texts: Texts) -> dict[str, Any]:
    """Return the old values of a step's rows without these texts, by the name of each field."""
    return {name: texts.without(was) if was and name.endswith(":words") else was for name, was in kept.items()}
