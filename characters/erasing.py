"""Erase typed texts from rows of characters (campaigns/services/erasing.py)."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from campaigns.kinds import TextCategory, words_erased
from campaigns.models import Membership, Written
from campaigns.services.erasing import Texts, put
from characters.models import Character, CharacterTemplate, LedgerEntry, SheetRow
from characters.models.values import FIELD_COLUMNS


@receiver(words_erased)
def erase_rows(member: Membership, texts: Texts, **named: Any) -> None:
    for character in Character.objects.filter(campaign=member.campaign_id):
        put(character, **{name: texts.outside(getattr(character, name), TextCategory.SHEET) for name in FIELD_COLUMNS})
    for row in SheetRow.objects.filter(character__campaign=member.campaign_id):
        put(row, values=texts.outside(row.values, TextCategory.SHEET))
    for template in CharacterTemplate.objects.filter(campaign=member.campaign_id):
        put(template, values=texts.outside(template.values, TextCategory.SHEET))
    for entry in LedgerEntry.objects.filter(character__campaign=member.campaign_id):
        put(entry, reason=texts.without(entry.reason))
    for one in Written.objects.filter(campaign=member.campaign_id, thing__startswith="sheet:").iterator():
        put(one, **{name: texts.outside(getattr(one, name), TextCategory.SHEET) for name in ("before", "after")})
