"""Advancement: what XP are spent on, what can be bought at which price, what a player may claim.

A ruleset has a `Scheme` for each of its sheets. A scheme gets the values of the open sheet alone, so that it can betray
no secret; it returns steps to be written on that sheet. It refuses by raising Invalid. Purchases and claims are stored
as codes, names and numbers, as its `Wording` defines, which also gives the words when an event is read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, NoReturn, Protocol
from uuid import UUID

from campaigns.errors import Invalid
from campaigns.models import Campaign
from campaigns.schema import Code, Name, Schema
from characters.sheets.fields import Choice, Field, Number, Text
from characters.sheets.sheet import Sheet, Values
from characters.sheets.steps import Put, Step
from characters.sheets.told import label
from characters.sheets.traits import Trait, traits
from languages.text import gettext as _
from languages.text import gettext_lazy

Given = Mapping[str, Any]
"""A member's choices, by the names of the fields."""

Told = dict[str, Any]
"""Stored data of a purchase or claim, in JSON's types: codes, numbers and names."""


@dataclass(frozen=True)
class Wording:
    """How a purchase or a claim is kept: `schema` is the type of its payload, `words` its text for people."""

    schema: type[Schema] | type[dict[str, Any]]
    words: Callable[[Told], str]


@dataclass(frozen=True)
class Currency:
    """A currency. `counted` returns its unit for a number: "Advance" for 1, "Advances" for 2.

    `standing` describes a balance by its numbers: "{} of {} marked". Awards of it come in `earns` ("XP"); "" if it
    cannot be awarded.
    """

    name: str
    label: str
    counted: Callable[[int], str]
    standing: str = ""
    earns: str = ""


@dataclass(frozen=True)
class Balance:
    """How much a character has to spend of a currency, by its name."""

    currency: str
    have: int
    numbers: tuple[int, ...] = ()

    def payload(self) -> dict[str, Any]:
        """Return the balance as it is in events' payloads."""
        return {"currency": self.currency, "have": self.have, "numbers": list(self.numbers)}


@dataclass(frozen=True)
class Offer:
    """Something that can be bought with a currency; `cost` None if the buyer sets it. `asks` are the choices to make for it."""

    name: str
    words: str
    currency: str
    cost: int | None
    asks: tuple[Field, ...] = ()


@dataclass(frozen=True)
class Purchase:
    """A purchase: `told` for the ledger, as the scheme's `purchases` have it for this `kind`; `advances` of those that
    the ledger counts.
    """

    currency: str
    cost: int
    kind: str
    told: Told
    steps: tuple[Step, ...] = ()
    advances: int = 0


@dataclass(frozen=True)
class Earned:
    """The result of an award."""

    steps: tuple[Step, ...]
    advances: int = 0


@dataclass(frozen=True)
class Granted:
    """The result of a confirmed claim: XP of a currency (0 for none), and steps. `beside` are steps on the sheet of one
    other character, by its id.
    """

    steps: tuple[Step, ...] = ()
    xp: int = 0
    currency: str = ""
    beside: tuple[UUID, tuple[Step, ...]] | None = None


@dataclass(frozen=True)
class Standing:
    """A character as its scheme sees it: the open sheet, the advances in the ledger that were not taken, by currency, its id."""

    values: Values
    campaign: Campaign
    owed: Mapping[str, int]
    who: UUID


class ClaimKind(Protocol):
    """Something a player may claim."""

    label: str
    """The title of its form."""
    wording: Wording

    def asks(self, standing: Standing) -> tuple[Field, ...]:
        """Return the fields that the claim asks for; () if it cannot be claimed now."""
        ...

    def claim(self, standing: Standing, given: Given, earlier: Sequence[Given]) -> tuple[dict[str, Any], Told]:
        """Return what to keep of the claim's fields, and what events tell of it. `earlier` are this scene's claims of
        this kind that were not refused.
        """
        ...

    def grant(self, standing: Standing, kept: Given) -> Granted:
        """Return what the claim gives, with the sheet as it is now."""
        ...

    def at_once(self, campaign: Campaign) -> bool:
        """Return whether it is granted without a GM."""
        ...


SETTLED_NOW: Final = gettext_lazy(
    "The table settles this now, and the sheet changes with it. Decline any claim that’s still waiting."
)


@dataclass
class SettledClaim:
    """A claim of older logs that procedures settle now: it cannot be made any more, but the log still draws it."""

    label: str
    wording: Wording

    def asks(self, standing: Standing) -> tuple[Field, ...]:
        return ()

    def claim(self, standing: Standing, given: Given, earlier: Sequence[Given]) -> NoReturn:
        raise Invalid(str(SETTLED_NOW))

    def grant(self, standing: Standing, kept: Given) -> NoReturn:
        raise Invalid(str(SETTLED_NOW))

    def at_once(self, campaign: Campaign) -> bool:
        return False


class Scheme(Protocol):
    """How characters with one kind of sheet come on."""

    currencies: Mapping[str, Currency]
    """By name. XP awarded to several characters at once go to the first currency that earns."""
    purchases: Mapping[str, Wording]
    claims: Mapping[str, ClaimKind]

    def balances(self, standing: Standing) -> Sequence[Balance]:
        """Return what there is to spend, in the order of the currencies."""
        ...

    def earn(self, standing: Standing, currency: str, amount: int) -> Earned:
        """Put an award of 1 and up into a currency that earns."""
        ...

    def offers(self, standing: Standing) -> Sequence[Offer]:
        """Return everything that can be bought, affordable or not."""
        ...

    def buy(self, standing: Standing, offer: Offer, given: Given) -> Purchase:
        """Buy one of the offers. `given` has a cleaned value for each field that it asks for."""
        ...


# XP for rules without a list of prices: the buyer sets the price.


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
        known = traits(self.sheet, standing.values)
        return [trait for trait in known if trait.rating < self.sheet.highest(standing.values, trait.name)]


def _told(trait: Trait) -> Told:
    in_row = "/" in trait.name
    return {"trait": trait.name, "name": trait.label if in_row else None, "rating": trait.rating}
