"""What a character has to spend, and what it can buy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Max, QuerySet, Sum

from campaigns.models import Campaign, Viewer
from characters.advancement import Balance, ClaimKind, Offer, Standing
from characters.ledger import drawn_claim
from characters.models import Character, Claim
from characters.rulesets import scheme_at, scheme_of


def standing_of(character: Character) -> Standing:
    """Return a character's standing, for its scheme."""
    sums = character.ledger.order_by().values("currency").annotate(owed=Sum("advances"))
    return Standing(character.sheet, character.campaign, {row["currency"]: row["owed"] for row in sums}, character.pk)


def balances_of(character: Character) -> Sequence[Balance]:
    """Return a character's balances. Raises Invalid if no rules say how it advances."""
    return scheme_of(character).balances(standing_of(character))


def offers_of(character: Character) -> Sequence[Offer]:
    """Return the offers a character can buy. Raises Invalid as `balances_of` does."""
    return scheme_of(character).offers(standing_of(character))


def of_this_scene(claims: QuerySet[Claim], campaign: Campaign) -> QuerySet[Claim]:
    """Keep the claims that count for the open scene.

    Claims between scenes count for the scene before, which limits them; before the first scene of a session, for the
    session so far.
    """
    began = campaign.sessions.aggregate(session=Max("started_at"), scene=Max("scenes__opened_at"))
    newest = max((moment for moment in began.values() if moment), default=None)
    return claims.filter(at__gte=newest) if newest else claims


def open_claims(viewer: Viewer) -> list[dict[str, Any]]:
    """Return the open claims that this viewer may see, oldest first, as they are in events' payloads."""
    claims = Claim.objects.filter(state=Claim.State.OPEN)
    claims = claims.filter(character__campaign=viewer.campaign, character__deleted_at=None)
    # There are none most of the time, and then this asks for nothing else.
    claims = claims.prefetch_related("character__owner__user", "character__co_owners__user", "by__user")
    return [claim_drawn(claim) for claim in claims if claim.character.opens_for(viewer)]


def claim_drawn(claim: Claim) -> dict[str, Any]:
    """Return a claim as characters/_claim.html draws it."""
    return drawn_claim(claim.character.rules.name, claim.character.ref, claim.payload())


def claimable(character: Character) -> bool:
    """Return whether players can claim anything by this sheet's rules."""
    scheme = scheme_at(character.rules.name)
    return bool(scheme and scheme.claims)


def claim_kinds(character: Character, standing: Standing) -> list[dict[str, Any]]:
    """Return [{"name", "label", "asks"}] of what can be claimed now. Raises Invalid as `balances_of` does."""
    known: dict[str, ClaimKind] = dict(scheme_of(character).claims)
    kinds = [{"name": name, "label": kind.label, "asks": kind.asks(standing)} for name, kind in known.items()]
    return [kind_row for kind_row in kinds if kind_row["asks"]]
