"""Dice in templates, and what later followed from a won roll."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext as _

from campaigns.models import Event
from rolls.events import ROLL_VOIDED
from rolls.templatetags.rolls import amendment
from rulesets.descriptors.events import ROLL_FOLLOWED

register = template.Library()


@register.simple_tag
def rated(dice: int) -> str:
    """Return how many dice something has, behind its name: "3D"."""
    return _("{dice}D").format(dice=dice)


@register.filter
def followed(event: Event) -> list[str]:
    """Return lines for what followed from this roll; [] once it was voided."""
    if amendment(event, ROLL_VOIDED):
        return []
    follows = [later for later in event.amendments.all() if later.kind == ROLL_FOLLOWED]
    return (
        list(max(follows, key=lambda follow: follow.seq).described["done"])
        if follows
        else event.described.get("done", [])
    )
