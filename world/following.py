"""What follows on pages from elsewhere: what they are about gets another name, and a person's words are erased."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from campaigns.events import CLOCK_CHANGED
from campaigns.kinds import TextCategory, on_event, words_erased
from campaigns.models import Clock, Event, Membership, Written
from campaigns.services.erasing import Texts, put
from campaigns.services.log import UnitOfWork
from characters.events import CHARACTER_CHANGED
from characters.models import Character
from world.models import Page, note_of, paragraphs_of


@on_event(CHARACTER_CHANGED, CLOCK_CHANGED)
def follow_name(work: UnitOfWork, event: Event) -> None:
    """Call a page as what it is about is called now."""
    about, kept = (Character, "character") if event.kind == CHARACTER_CHANGED else (Clock, "clock")
    pk = event.payload[kept]["id"]
    Page.objects.filter(**{kept: pk}).update(name=about.objects.values_list("name", flat=True).get(pk=pk))


@receiver(words_erased)
def erase_rows(member: Membership, texts: Texts, **named: Any) -> None:
    """Erase the paragraphs that a person wrote from pages, and from what undoing would put back."""

    def without(note: str) -> str:
        return note_of(texts.without(paragraph, TextCategory.SHEET) for paragraph in paragraphs_of(note))

    for page in Page.objects.filter(campaign=member.campaign_id):
        put(page, note=without(page.note), gm_note=without(page.gm_note))
    for one in Written.objects.filter(campaign=member.campaign_id, thing__startswith="page:").iterator():
        put(one, **{name: texts.outside(getattr(one, name), TextCategory.SHEET) for name in ("before", "after")})
