"""Keys, XP and Advances of the Descriptors rules at the table (descriptors.txt, Keys and Advances)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import npgettext

from campaigns.errors import Invalid
from campaigns.schema import Name, Schema
from characters.advancement import Balance, ClaimKind, Currency, Earned, Given, Offer, Purchase, Standing, Told, Wording
from characters.sheets.sheet import Values
from characters.sheets.steps import Add, Put, Step, Take
from languages.text import gettext_lazy
from rolls.settings import roll_settings
from rulesets.descriptors.claims import RETIRED, KeyClaim
from rulesets.descriptors.rules.keys import XP_PER_ADVANCE, Change, cost
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.sheet import DESCRIPTORS, KEYS, MOST_DICE, SHEET

XP = "xp"
SPENT = "advances_spent"
PASSING = ("injuries", "stuck")
"""Rows that Advances change where a campaign says so (descriptors.txt has no word on them)."""
RATED = ("descriptors", *PASSING)


class Raised(Schema):
    name: Name
    dice: int
    to: int


class Called(Schema):
    name: Name


NEW: Final = gettext_lazy("New Descriptor, 1D")
KEY: Final = gettext_lazy("New Key")
RATING = Wording(Raised, lambda payload: _("{name} {dice}D to {to}D").format(**payload))
PURCHASES: Mapping[str, Wording] = MappingProxyType(
    {
        "raise": RATING,
        "lower": RATING,
        "retire": Wording(Called, lambda payload: _("{name}: 1D to Background").format(**payload)),
        "promote": Wording(Called, lambda payload: _("{name}: Background to 1D").format(**payload)),
        "new": Wording(Called, lambda payload: _("New Descriptor, 1D: {name}").format(**payload)),
        "key": Wording(Called, lambda payload: _("New Key: {name}").format(**payload)),
    }
)


class DescriptorsScheme:
    """XP earn Advances, Advances change the character. An offer's name says what it changes: "raise/<row>/<dice>"."""

    currencies: Mapping[str, Currency] = MappingProxyType(
        {
            XP: Currency(
                XP,
                gettext_lazy("Advances"),
                lambda amount: npgettext("what is spent", "Advance", "Advances", amount),
                gettext_lazy("{} of {} XP towards the next"),
                earns=gettext_lazy("XP"),
            )
        }
    )
    purchases = PURCHASES
    claims: Mapping[str, ClaimKind] = MappingProxyType({"key": KeyClaim(), **RETIRED})

    def balances(self, standing: Standing) -> Sequence[Balance]:
        earned, towards = divmod(SHEET.number(standing.values, XP), XP_PER_ADVANCE)
        left = earned - SHEET.number(standing.values, SPENT)
        return [Balance(XP, left, (towards, XP_PER_ADVANCE))]

    def earn(self, standing: Standing, currency: str, amount: int) -> Earned:
        return Earned((Put(XP, SHEET.number(standing.values, XP) + amount, counts=True),))

    def offers(self, standing: Standing) -> Sequence[Offer]:
        values = standing.values
        offers = [offer for row in SHEET.rows(values, "descriptors") for offer in _of_descriptor(row)]
        for rows in PASSING if roll_settings(standing.campaign).of(Settings).advances_change_temporary else ():
            offers += [offer for row in SHEET.rows(values, rows) for offer in _raised_or_lowered(row)]
        for row in SHEET.rows(values, "background"):
            words = PURCHASES["promote"].words({"name": row["name"]})
            offers.append(Offer(f"promote/{row['id']}", words, XP, cost(Change.PROMOTE)))
        name, _dice, category = DESCRIPTORS.columns
        offers.append(Offer("new", str(NEW), XP, cost(Change.NEW), (name, category)))
        offers.append(Offer("key", str(KEY), XP, cost(Change.NEW_KEY), KEYS.columns))
        return offers

    def buy(self, standing: Standing, offer: Offer, given: Given) -> Purchase:
        if offer.cost is None:
            raise Invalid(_("This has no price."))
        paid = Put(SPENT, SHEET.number(standing.values, SPENT) + offer.cost, counts=True)
        kind, payload = _told(standing.values, offer.name, given)
        return Purchase(XP, offer.cost, kind, payload, (*_changes(standing.values, offer.name, given), paid))


def _of_descriptor(row: Values) -> list[Offer]:
    offers, name, dice = _raised_or_lowered(row), row["name"], row["dice"]
    if dice > 1:
        return offers
    words = PURCHASES["retire"].words({"name": name})
    return [*offers, Offer(f"retire/{row['id']}/{dice}", words, XP, cost(Change.RETIRE))]


def _raised_or_lowered(row: Values) -> list[Offer]:
    """Return a die more, and one fewer where that leaves one."""
    dice, offers = row["dice"], []
    for change, to in ((Change.RAISE, dice + 1), (Change.LOWER, dice - 1)):
        if 1 <= to <= MOST_DICE:
            words = RATING.words({"name": row["name"], "dice": dice, "to": to})
            offers.append(Offer(f"{change}/{row['id']}/{dice}", words, XP, cost(change, dice)))
    return offers


def _told(values: Values, name: str, given: Given) -> tuple[str, Told]:
    """Return the kind of change that an offer of this name sells, and its words for the ledger."""
    what, __, rest = name.partition("/")
    row_id, __, dice = rest.partition("/")
    if what in (Change.RAISE, Change.LOWER):
        row = SHEET.row(values, _rated(values, row_id), row_id)
        return what, {"name": row["name"], "dice": int(dice), "to": _changed(what, dice)}
    if what in ("retire", "promote"):
        rows = "descriptors" if what == "retire" else "background"
        return what, {"name": SHEET.row(values, rows, row_id)["name"]}
    return what, {"name": given["name"]}


def _changes(values: Values, name: str, given: Given) -> tuple[Step, ...]:
    what, __, rest = name.partition("/")
    row_id, __, dice = rest.partition("/")
    if what in (Change.RAISE, Change.LOWER):
        return (Put(f"{_rated(values, row_id)}/{row_id}/dice", _changed(what, dice)),)
    if what == "retire":
        row = SHEET.row(values, "descriptors", row_id)
        return (Take("descriptors", row_id), Add("background", {"name": row["name"]}))
    if what == "promote":
        row = SHEET.row(values, "background", row_id)
        return (Take("background", row_id), Add("descriptors", {"name": row["name"], "dice": 1}))
    return (Add("keys" if what == "key" else "descriptors", given),)


def _rated(values: Values, row_id: str) -> str:
    """Return the list of a row with dice."""
    return next(rows for rows in RATED if any(row["id"] == row_id for row in SHEET.rows(values, rows)))


def _changed(what: str, dice: str) -> int:
    return int(dice) + (1 if what == Change.RAISE else -1)
