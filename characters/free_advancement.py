"""XP for rules without a list of prices: whoever buys says what it costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from characters.advancement import ClaimKind, Earned, Given, Offer, Purchase, Purse, Put, Standing
from characters.sheets.fields import Choice, Number, Text
from characters.sheets.sheet import Sheet
from characters.sheets.traits import Trait, traits

XP = "xp"
SPENT = "xp_spent"
MOST = 10_000

RAISE = "raise"
OTHER = "other"

COST = Number("cost", "What it costs in XP", minimum=1, maximum=MOST, default=1)
WHAT = Text("what", "What it is", required=True)


class FreeScheme:
    """A sheet with `xp` and `xp_spent`. A trait goes up by one with what was paid for it; anything else is only written down."""

    claims: Mapping[str, ClaimKind] = {}
    tracks: Sequence[tuple[str, str]] = ()

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet

    def purses(self, standing: Standing) -> Sequence[Purse]:
        earned, spent = (self.sheet.number(standing.values, name) for name in (XP, SPENT))
        return [Purse(XP, "Experience", "XP", "XP", earned - spent, f"{earned} earned, {spent} spent", earns="XP")]

    def earn(self, standing: Standing, purse: str, amount: int) -> Earned:
        return Earned((Put(XP, self.sheet.number(standing.values, XP) + amount, counts=True),))

    def offers(self, standing: Standing) -> Sequence[Offer]:
        offers = [Offer(OTHER, "Something else", XP, None, (WHAT, COST))]
        if raised := [(one.name, f"{one.label} {one.rating} → {one.rating + 1}") for one in self._raised(standing)]:
            trait = Choice("trait", "Trait", choices=tuple(raised), default=raised[0][0])
            offers.insert(0, Offer(RAISE, "Raise a trait by one", XP, None, (trait, COST)))
        return offers

    def buy(self, standing: Standing, offer: Offer, given: Given) -> Purchase:
        cost = int(given["cost"])
        spent = Put(SPENT, self.sheet.number(standing.values, SPENT) + cost, counts=True)
        if offer.name == OTHER:
            return Purchase(XP, cost, str(given["what"]), (spent,))
        trait = next(one for one in self._raised(standing) if one.name == given["trait"])
        words = f"{trait.label} {trait.rating} → {trait.rating + 1}"
        return Purchase(XP, cost, words, (Put(trait.name, trait.rating + 1), spent))

    def _raised(self, standing: Standing) -> list[Trait]:
        """The traits that go higher."""
        found = traits(self.sheet, standing.values)
        return [one for one in found if one.rating < self.sheet.highest(standing.values, one.name)]
