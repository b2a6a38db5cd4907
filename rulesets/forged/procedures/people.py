"""Whom what is settled at the table takes along: scoundrels and their crew, as far as the whole table knows of them."""

from __future__ import annotations

from campaigns.models import Campaign
from characters.models import Character
from rulesets.forged.table.ask import NAME as SYSTEM


def scoundrels(campaign: Campaign) -> list[Character]:
    """The player characters in play that have a sheet of these rules."""
    characters = Character.objects.known_to_all(campaign).filter(system=SYSTEM, is_crew=False).exclude(owner=None)
    return list(characters.with_related().with_rows().order_by("name"))


def crews_at_table(campaign: Campaign) -> list[Character]:
    """The crews in play of which players know; the first is that of the table."""
    return list(Character.objects.known_to_all(campaign).filter(system=SYSTEM, is_crew=True).order_by("name"))
