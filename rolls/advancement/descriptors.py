"""Keys, XP and Advances of the Descriptors rules at the table (descriptors.txt, Keys and Advances)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from campaigns.errors import Invalid
from characters.advancement import (
    Add,
    ClaimKind,
    Earned,
    Given,
    Offer,
    Purchase,
    Purse,
    Put,
    Standing,
    Step,
    Take,
)
from characters.sheets.descriptors import DESCRIPTORS, KEYS, MOST_DICE, SHEET
from characters.sheets.sheet import Values
from rolls.advancement.descriptors_claims import HitClaim, KeyClaim
from rolls.rules.descriptors_keys import XP_PER_ADVANCE, Change, cost

XP = "xp"
SPENT = "advances_spent"


class DescriptorsScheme:
    """XP earn Advances, Advances change the character. An offer's name says what it starts from: "raise/<row>/<dice>"."""

    claims: Mapping[str, ClaimKind] = MappingProxyType({"key": KeyClaim(), "hit": HitClaim()})

    def purses(self, standing: Standing) -> Sequence[Purse]:
        earned, towards = divmod(SHEET.number(standing.values, XP), XP_PER_ADVANCE)
        left = earned - SHEET.number(standing.values, SPENT)
        words = f"{towards} of {XP_PER_ADVANCE} XP towards the next"
        return [Purse(XP, "Advances", "Advances", "Advance", left, words, earns="XP")]

    def earn(self, standing: Standing, purse: str, amount: int) -> Earned:
        return Earned((Put(XP, SHEET.number(standing.values, XP) + amount, counts=True),))

    def offers(self, standing: Standing) -> Sequence[Offer]:
        values = standing.values
        offers = [offer for row in SHEET.rows(values, "descriptors") for offer in _of_descriptor(row)]
        for row in SHEET.rows(values, "background"):
            words = f"{row['name']}: Background → 1D"
            offers.append(Offer(f"promote/{row['id']}", words, XP, cost(Change.PROMOTE)))
        name, _, category = DESCRIPTORS.columns
        offers.append(Offer("new", "New Descriptor, 1D", XP, cost(Change.NEW), (name, category)))
        offers.append(Offer("key", "New Key", XP, cost(Change.NEW_KEY), KEYS.columns))
        return offers

    def buy(self, standing: Standing, offer: Offer, given: Given) -> Purchase:
        if offer.cost is None:
            raise Invalid("This has no price.")
        paid = Put(SPENT, SHEET.number(standing.values, SPENT) + offer.cost, counts=True)
        words = f"{offer.words}: {given['name']}" if offer.asks else offer.words
        return Purchase(XP, offer.cost, words, (*_changes(standing.values, offer.name, given), paid))


def _of_descriptor(row: Values) -> list[Offer]:
    name, dice = row["name"], row["dice"]
    offers = []
    if dice < MOST_DICE:
        offers.append(Offer(f"raise/{row['id']}/{dice}", f"{name} {dice}D → {dice + 1}D", XP, cost(Change.RAISE, dice)))
    if dice > 1:
        words = f"{name} {dice}D → {dice - 1}D"
        return [*offers, Offer(f"lower/{row['id']}/{dice}", words, XP, cost(Change.LOWER, dice))]
    return [*offers, Offer(f"retire/{row['id']}/{dice}", f"{name}: 1D → Background", XP, cost(Change.RETIRE, dice))]


def _changes(values: Values, name: str, given: Given) -> tuple[Step, ...]:
    what, _, rest = name.partition("/")
    row_id, _, dice = rest.partition("/")
    if what in ("raise", "lower"):
        return (Put(f"descriptors/{row_id}/dice", int(dice) + (1 if what == "raise" else -1)),)
    if what == "retire":
        row = SHEET.row(values, "descriptors", row_id)
        return (Take("descriptors", row_id), Add("background", {"name": row["name"]}))
    if what == "promote":
        row = SHEET.row(values, "background", row_id)
        return (Take("background", row_id), Add("descriptors", {"name": row["name"], "dice": 1}))
    return (Add("keys" if what == "key" else "descriptors", given),)
