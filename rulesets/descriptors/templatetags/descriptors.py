"""What the card of a won roll needs to know of what came of it later."""

from __future__ import annotations

from django import template

from campaigns.models import Event
from rolls.events import ROLL_VOIDED
from rolls.templatetags.rolls import amendment
from rulesets.descriptors.events import ROLL_FOLLOWED

register = template.Library()


@register.filter
def followed(event: Event) -> list[str]:
    """Return what followed from this roll, in words; nothing once it was taken back."""
    if amendment(event, ROLL_VOIDED):
        return []
    follows = [later for later in event.amendments.all() if later.kind == ROLL_FOLLOWED]
    return (
        list(max(follows, key=lambda follow: follow.seq).described["done"])
        if follows
        else event.described.get("done", [])
    )
