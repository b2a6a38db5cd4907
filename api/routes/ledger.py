"""XP: a character's ledger, what it may be spent on, and giving it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from ninja import Schema
from pydantic import Field, StrictInt, StrictStr

from api import schemas
from api.bodies import Fields, filled, form_schema
from api.router import CampaignRouter
from campaigns.models import Role, Viewer
from characters.advancement import Offer
from characters.forms.ledger import AwardForm
from characters.ledger import drawn_balance
from characters.models import Character
from characters.queries.ledger import balances_of, claim_drawn, offers_of
from characters.services.ledger import award_xp, buy_advance
from characters.sheets.fields import Choice
from characters.views.ledger import ledger_lines, open_claims_of, readable_character

router = CampaignRouter(tags=["XP"])

MOST_LINES = 100


class Purchase(Schema):
    """A purchase, and the values that it asks for, by name."""

    model_config = {"extra": "forbid"}

    offer: StrictStr
    given: dict[str, StrictStr | StrictInt] = Field(default_factory=dict)


@router.reads("/characters/{character_id}/ledger", response=schemas.Ledger)
def ledger(viewer: Viewer, character_id: UUID) -> dict[str, Any]:
    """Get what a character has to spend and what it could buy. You must be able to read its sheet."""
    return _told(readable_character(viewer, character_id))


@router.writes("/characters/{character_id}/ledger", response=schemas.Ledger)
def buy(viewer: Viewer, character_id: UUID, body: Purchase, key: UUID) -> dict[str, Any]:
    """Buy one of the `offers`. `given` holds what the offer `asks` for. The sheet changes at the same moment."""
    current = readable_character(viewer, character_id)
    buy_advance(viewer.by, current, body.offer, {name: str(value) for name, value in body.given.items()}, key=key)
    return _told(readable_character(viewer, character_id))


@router.writes("/xp", Role.GM, body=form_schema(AwardForm), response=schemas.Done)
def give_xp(viewer: Viewer, body: Fields, key: UUID) -> dict[str, Any]:
    """Award XP (`amount`) to `characters`, by id, for a `reason`."""
    given = filled(lambda data: AwardForm(viewer.by, data), body).cleaned_data
    award_xp(
        viewer.by,
        list(given["characters"]),
        given["amount"],
        reason=given["reason"],
        currency=given.get("track", ""),
        key=key,
    )
    return {}


def _told(character: Character) -> dict[str, Any]:
    return {
        "balances": [drawn_balance(character.rules.name, balance.payload()) for balance in balances_of(character)],
        "entries": ledger_lines(character, MOST_LINES),
        "claims": [claim_drawn(claim) for claim in open_claims_of(character)],
        "offers": [_offer(offer) for offer in offers_of(character)],
    }


def _offer(offer: Offer) -> dict[str, Any]:
    return {
        "offer": offer.name,
        "words": str(offer.words),
        "currency": offer.currency,
        "cost": offer.cost,
        "asks": [
            {
                "name": field.name,
                "label": str(field.label),
                "choices": {held: str(label) for held, label in field.choices} if isinstance(field, Choice) else None,
            }
            for field in offer.asks
        ],
    }
