"""Founding a campaign with a first evening that is ready to play (rolls/queries/tonight.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID, uuid5

from django.db import transaction

from campaigns.clocks import ClockKind
from campaigns.models import Campaign, ClockVisibility, Membership, Role
from campaigns.pictures import shown_picture
from campaigns.services.campaigns import create_campaign
from campaigns.services.clocks import Draft, make_clock
from campaigns.services.log import UnitOfWork, service
from campaigns.services.play import add_storyline, hand_out, open_scene, start_session
from characters.models import Character
from characters.rulesets import budget_of, budgets
from characters.services.cards import Card
from characters.services.creation import cleaned_sheet, import_character
from characters.sheets.exchange import Brought, Head
from people.models import User
from rolls.queries.tonight import evenings
from rolls.registry import played


def found_campaign(
    user: User, *, name: str, pitch: str, systems: Sequence[str], tonight: str = "", key: UUID
) -> Campaign:
    """Make a campaign as `create_campaign` does, and with it the first evening of one of its rulesets, `tonight`: both or
    neither.
    """
    with transaction.atomic():
        campaign = create_campaign(user, name=name, pitch=pitch, systems=systems, key=key)
        if tonight:
            gm = Membership.objects.select_related("campaign", "user").get(campaign=campaign, user=user)
            lay_out(gm, tonight, key=uuid5(key, "tonight"))
    return campaign


@service(Role.GM)
def lay_out(work: UnitOfWork, system: str, *, key: UUID) -> Campaign:
    """Lay out a ruleset's first evening: characters that players can take, NPCs, clocks, storylines, a hidden handout, and
    the open first scene. Raises Invalid for a ruleset that the campaign does not play by.
    """
    evening = evenings()[played(work.campaign, system).name]
    for who in evening["characters"]:
        _make(work, system, who, free=True)
    npcs = [(who, _make(work, system, who, shown=who.get("shown", False))) for who in evening["npcs"]]
    for clock in evening["clocks"]:
        kinds = ClockKind(clock["kind"]), ClockVisibility(clock["visibility"])
        work.part(make_clock, Draft(clock["name"], clock["segments"], *kinds))
    for storyline in evening["storylines"]:
        work.part(add_storyline, storyline["title"], gm_notes=storyline["words"])
    handout, file = evening["handout"], played(work.campaign, system).tonight.with_suffix(".webp")
    with file.open("rb") as picture:
        upload = shown_picture(picture, file.stat().st_size, handout["alt"])
    work.part(hand_out, handout["title"], upload, words=handout["words"], hidden=True)
    work.part(start_session)
    here = [npc.subject for who, npc in npcs if who.get("here")]
    work.part(open_scene, evening["scene"]["title"], here=here, words=evening["scene"]["words"])
    return work.campaign


def _make(
    work: UnitOfWork, system: str, who: Mapping[str, Any], *, shown: bool = True, free: bool = False
) -> Character:
    head = Head(system, who["name"], who["concept"])
    values = cleaned_sheet(head.sheet, who["sheet"], work.id(who["name"]))
    if free and system in budgets():
        values = budget_of(work.campaign, system).completed(values)
    card = Card(head.name, head.concept, shown=shown, opened=free, free=free, portrait=who["portrait"])
    return work.part(import_character, card, Brought(head, values, {}))
