"""What a character has to spend, and what on."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Sum

from characters.advancement import Balance, Offer, Standing, scheme_of
from characters.models import Character


def standing_of(character: Character) -> Standing:
    """How a character stands, as its scheme is asked."""
    sums = character.ledger.order_by().values("currency").annotate(owed=Sum("advances"))
    return Standing(character.sheet, character.campaign, {one["currency"]: one["owed"] for one in sums}, character.pk)


def balances_of(character: Character) -> Sequence[Balance]:
    """What a character has to spend. Raises Invalid where no rules say how it comes on."""
    return scheme_of(character).balances(standing_of(character))


def offers_of(character: Character) -> Sequence[Offer]:
    """What it could be spent on. Raises Invalid as `balances_of` does."""
    return scheme_of(character).offers(standing_of(character))
