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
from characters.sheets.sheet import Values
from rolls.settings import roll_settings
from rulesets.descriptors.care import KeepClaim, RecoveryClaim, RefreshmentClaim
from rulesets.descriptors.claims import HitClaim, KeyClaim
from rulesets.descriptors.rules.keys import XP_PER_ADVANCE, Change, Nature, cost
from rulesets.descriptors.settings import DEFAULTS, Settings
from rulesets.descriptors.sheet import DESCRIPTORS, KEYS, MOST_DICE, SHEET

XP = "xp"
SPENT = "advances_spent"
PASSING = {"injuries": Nature.INJURY, "stuck": Nature.SCENE}
"""Rows that Advances change where a campaign says so (descriptors.txt has no word on them)."""
RATED = ("descriptors", *PASSING)


class DescriptorsScheme:
    """XP earn Advances, Advances change the character. An offer's name says what it starts from: "raise/<row>/<dice>"."""

    tracks: Sequence[tuple[str, str]] = ()
    claims: Mapping[str, ClaimKind] = MappingProxyType(
        {
            "key": KeyClaim(),
            "hit": HitClaim(),
            "recovery": RecoveryClaim(),
            "refreshment": RefreshmentClaim(),
            "keep": KeepClaim(),
        }
    )

    def purses(self, standing: Standing) -> Sequence[Purse]:
        earned, towards = divmod(SHEET.number(standing.values, XP), XP_PER_ADVANCE)
        left = earned - SHEET.number(standing.values, SPENT)
        words = f"{towards} of {XP_PER_ADVANCE} XP towards the next"
        return [Purse(XP, "Advances", "Advances", "Advance", left, words, earns="XP")]

    def earn(self, standing: Standing, purse: str, amount: int) -> Earned:
        return Earned((Put(XP, SHEET.number(standing.values, XP) + amount, counts=True),))

    def offers(self, standing: Standing) -> Sequence[Offer]:
        values, settings = standing.values, roll_settings(standing.campaign).of(Settings)
        offers = [offer for row in SHEET.rows(values, "descriptors") for offer in _of_descriptor(row)]
        for rows, nature in PASSING.items() if settings.advances_change_temporary else ():
            offers += [offer for row in SHEET.rows(values, rows) for offer in _raised_or_lowered(row, nature, settings)]
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
    offers, name, dice = _raised_or_lowered(row, Nature.DESCRIPTOR, DEFAULTS), row["name"], row["dice"]
    if dice > 1:
        return offers
    return [*offers, Offer(f"retire/{row['id']}/{dice}", f"{name}: 1D → Background", XP, cost(Change.RETIRE, dice))]


def _raised_or_lowered(row: Values, nature: Nature, settings: Settings) -> list[Offer]:
    """A die more, and one fewer where that leaves one."""
    dice, offers = row["dice"], []
    for change, to in ((Change.RAISE, dice + 1), (Change.LOWER, dice - 1)):
        if 1 <= to <= MOST_DICE:
            words, price = f"{row['name']} {dice}D → {to}D", cost(change, dice, of=nature, settings=settings)
            offers.append(Offer(f"{change}/{row['id']}/{dice}", words, XP, price))
    return offers


def _changes(values: Values, name: str, given: Given) -> tuple[Step, ...]:
    what, _, rest = name.partition("/")
    row_id, _, dice = rest.partition("/")
    if what in (Change.RAISE, Change.LOWER):
        rows = next(rows for rows in RATED if any(row["id"] == row_id for row in SHEET.rows(values, rows)))
        return (Put(f"{rows}/{row_id}/dice", int(dice) + (1 if what == Change.RAISE else -1)),)
    if what == "retire":
        row = SHEET.row(values, "descriptors", row_id)
        return (Take("descriptors", row_id), Add("background", {"name": row["name"]}))
    if what == "promote":
        row = SHEET.row(values, "background", row_id)
        return (Take("background", row_id), Add("descriptors", {"name": row["name"], "dice": 1}))
    return (Add("keys" if what == "key" else "descriptors", given),)
