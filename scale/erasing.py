"""Erase typed texts from rows of the Scale (campaigns/services/erasing.py)."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from campaigns.kinds import TextCategory, words_erased
from campaigns.models import Membership, Written
from campaigns.services.erasing import Texts, put
from scale.models import Burn


@receiver(words_erased)
def erase_rows(member: Membership, texts: Texts, **named: Any) -> None:
    for burn in Burn.objects.filter(scale__campaign=member.campaign_id):
        put(burn, words=texts.without(burn.words))
    words = Written.objects.filter(campaign=member.campaign_id, thing__startswith="burn:", path="words")
    for one in words.iterator():
        put(one, before=texts.outside(one.before, TextCategory.NOTE), after=texts.outside(one.after, TextCategory.NOTE))
