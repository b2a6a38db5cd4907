"""Somebody with a forged sheet at the table of `play`, and rolls of theirs in one line."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from campaigns.models import Campaign, Membership
from characters.models import Character
from rolls.models import Audience, Roll
from rolls.services.rolls import make_roll
from rolls.table_rules import Odds, OddsContext
from rulesets.forged.table import ForgedTable
from rulesets.forged.terms import TERMS, ForgedTerms
from tests import dice
from tests.sheets import create_character

DOTS = {"skirmish": 3, "prowl": 1, "wreck": 1, "attune": 2, "stress": 3}


def scoundrel(play, name: str = "Cross", owner: Membership | None = None, **sheet: object) -> Character:
    """Make a scoundrel with Prowess 3, Resolve 1, Insight 0, and 3 stress; by default Mo's."""
    return create_character(
        campaign=play.campaign, name=name, owner=owner or play.mo, system="forged", sheet=DOTS | sheet
    )


def players_say(play):
    """Let players set position and effect of their own rolls."""
    settings = play.campaign.settings | {"forged": {"only_gm_sets": False}}
    Campaign.objects.filter(pk=play.campaign.pk).update(settings=settings)


def roll(play, *faces: int, by: Membership | None = None, audience: Audience = Audience.TABLE, **ask: object) -> Roll:
    """Roll these faces, for `character` or for nobody."""
    dice.unload()
    dice.load(*faces)
    character = ask.pop("character", None)
    asked = terms(**{"character": character.pk if character else None} | ask)
    return make_roll(by or play.mo, asked, audience=audience, key=uuid4())


def terms(**said: Any) -> ForgedTerms:
    """Return the terms of a roll of any `kind`, by default of an action."""
    return TERMS[said.get("kind", "action")].of(said)


def preview(context: OddsContext, ask: ForgedTerms) -> Odds:
    """Return the odds of a roll, as the composer shows them."""
    return ForgedTable().kind(ask.kind).preview(context, ask)


def card(play, stream: str = "table") -> dict:
    """Return the payload of the newest card."""
    return next(
        e for e in reversed(play.events(stream)) if e.kind in ("rolls.roll_made", "rolls.roll_corrected")
    ).described


def stress(character: Character) -> int:
    character.refresh_from_db()
    return character.number("stress")
