"""XP for rules without a list of prices: the buyer sets the price."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from campaigns.schema import Code, Name, Schema
from characters.advancement import Balance, ClaimKind, Currency, Earned, Given, Offer, Purchase, Standing, Told, Wording
from characters.sheets.fields import Choice, Number, Text
from characters.sheets.sheet import Sheet
from characters.sheets.steps import Put
from characters.sheets.told import label
from characters.sheets.traits import Trait, traits
from languages.text import gettext as _
from languages.text import gettext_lazy

XP = "xp"
SPENT = "xp_spent"
MOST = 10_000

RAISE = "raise"
OTHER = "other"

COST = Number("cost", gettext_lazy("Cost in XP"), minimum=1, maximum=MOST, default=1)
WHAT = Text("what", gettext_lazy("Description"), required=True)


EXPERIENCE, UNIT = gettext_lazy("Experience"), gettext_lazy("XP")


class Raised(Schema):
    trait: Code
    name: Name | None = None
    rating: int


class Other(Schema):
    what: Name


"""The address of a trait and its rating before; of one that stands in a row also what that is called."""


class FreeScheme:
    """A sheet with `xp` and `xp_spent`. A bought trait goes up by one; anything else is only recorded."""

    currencies: Mapping[str, Currency] = MappingProxyType(
        {XP: Currency(XP, EXPERIENCE, lambda amount: str(UNIT), gettext_lazy("{} earned, {} spent"), earns=UNIT)}
    )
    claims: Mapping[str, ClaimKind] = MappingProxyType({})

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.purchases: Mapping[str, Wording] = {
            RAISE: Wording(Raised, self._raise_words),
            OTHER: Wording(Other, lambda told: str(told["what"])),
        }

    def balances(self, standing: Standing) -> Sequence[Balance]:
        earned, spent = (self.sheet.number(standing.values, name) for name in (XP, SPENT))
        return [Balance(XP, earned - spent, (earned, spent))]

    def earn(self, standing: Standing, currency: str, amount: int) -> Earned:
        return Earned((Put(XP, self.sheet.number(standing.values, XP) + amount, counts=True),))

    def offers(self, standing: Standing) -> Sequence[Offer]:
        offers = [Offer(OTHER, _("Something else"), XP, None, (WHAT, COST))]
        if raised := [(offer.name, self._raise_words(_told(offer))) for offer in self._raised(standing)]:
            trait = Choice("trait", _("Trait"), choices=tuple(raised), default=raised[0][0])
            offers.insert(0, Offer(RAISE, _("Raise a trait by 1"), XP, None, (trait, COST)))
        return offers

    def buy(self, standing: Standing, offer: Offer, given: Given) -> Purchase:
        cost = int(given["cost"])
        spent = Put(SPENT, self.sheet.number(standing.values, SPENT) + cost, counts=True)
        if offer.name == OTHER:
            return Purchase(XP, cost, OTHER, {"what": str(given["what"])}, (spent,))
        trait = next(raised for raised in self._raised(standing) if raised.name == given["trait"])
        return Purchase(XP, cost, RAISE, _told(trait), (Put(trait.name, trait.rating + 1), spent))

    def _raise_words(self, bought: Told) -> str:
        name = bought["name"] or label(self.sheet, bought["trait"])
        return _("{trait} {before} to {after}").format(trait=name, before=bought["rating"], after=bought["rating"] + 1)

    def _raised(self, standing: Standing) -> list[Trait]:
        """Return the traits that go higher."""
        known = traits(self.sheet, standing.values)
        return [trait for trait in known if trait.rating < self.sheet.highest(standing.values, trait.name)]


def _told(trait: Trait) -> Told:
    in_row = "/" in trait.name
    return {"trait": trait.name, "name": trait.label if in_row else None, "rating": trait.rating}
