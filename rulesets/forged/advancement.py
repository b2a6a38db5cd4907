"""xp tracks of the forged rules at the table: of the three attributes and the playbook, and of a crew (public rules)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from django.utils.translation import gettext as _
from django.utils.translation import npgettext

from campaigns.errors import Invalid
from campaigns.schema import Code, Name, Schema
from characters.advancement import Balance, ClaimKind, Currency, Earned, Given, Offer, Purchase, Standing, Wording
from characters.sheets.fields import Text
from characters.sheets.sheet import Sheet
from characters.sheets.steps import Add, Put, Step
from languages.text import gettext_lazy
from rolls.settings import roll_settings
from rules.errors import RuleError
from rulesets.forged import crew
from rulesets.forged import sheet as forged
from rulesets.forged.claims import OF_CREWS, OF_SCOUNDRELS
from rulesets.forged.rules.body import Attribute
from rulesets.forged.rules.experience import BOXES, Track, advanced, mark
from rulesets.forged.rules.roll import HIGHEST_RATING
from rulesets.forged.settings import Settings

PLAYBOOK = "playbook_xp"
CREW = "crew_xp"
ABILITY = (
    Text("name", gettext_lazy("Which ability"), required=True),
    Text("words", gettext_lazy("What it does"), longest=1000),
)
UPGRADES = (
    Text("first", gettext_lazy("First upgrade"), required=True),
    Text("second", gettext_lazy("Second upgrade"), required=True),
)


AN_ABILITY, TWO_UPGRADES = gettext_lazy("A special ability"), gettext_lazy("Two upgrades")


class Ability(Schema):
    name: Name


class Upgrades(Schema):
    first: Name
    second: Name


class Dot(Schema):
    action: Code
    dots: int


BOUGHT_ABILITY = Wording(Ability, lambda payload: f"{AN_ABILITY}: {payload['name']}")
BOUGHT_UPGRADES = Wording(Upgrades, lambda payload: f"{TWO_UPGRADES}: {payload['first']}, {payload['second']}")
BOUGHT_DOT = Wording(
    Dot,
    lambda payload: _("{action} {before} to {after}").format(
        action=forged.called(payload["action"]), before=payload["dots"], after=payload["dots"] + 1
    ),
)


class _Tracks:
    """Tracks that fill and empty for an advance. One filled by hand counts as an advance too."""

    claims: Mapping[str, ClaimKind]
    purchases: Mapping[str, Wording]

    def __init__(self, sheet: Sheet, kinds: Mapping[str, Track]) -> None:
        self.sheet, self.kinds = sheet, kinds
        self.currencies: Mapping[str, Currency] = {
            name: Currency(
                name,
                sheet.field(name).label,
                lambda amount: npgettext("what is spent", "advance", "advances", amount),
                gettext_lazy("{} of {} marked"),
                earns=gettext_lazy("XP"),
            )
            for name in kinds
        }

    def balances(self, standing: Standing) -> Sequence[Balance]:
        return [self._balance(standing, name) for name in self.kinds]

    def earn(self, standing: Standing, currency: str, amount: int) -> Earned:
        kind, marks = self.kinds[currency], self.sheet.number(standing.values, currency)
        full = int(marks == BOXES[kind])
        try:
            marked = mark(kind, 0 if full else marks, amount, roll_settings(standing.campaign).of(Settings))
        except RuleError as error:
            raise Invalid(error.message, field="amount") from None
        return Earned((Put(currency, marked.marks),), marked.advances + full)

    def paid(self, standing: Standing, currency: str) -> tuple[tuple[Step, ...], int]:
        """Return the sheet steps for taking an advance, and how many of it the ledger owes."""
        if standing.owed.get(currency, 0) > 0:
            return (), 1
        return (Put(currency, 0),), 0

    def _balance(self, standing: Standing, name: str) -> Balance:
        marks, boxes = self.sheet.number(standing.values, name), BOXES[self.kinds[name]]
        have = standing.owed.get(name, 0) + int(marks == boxes)
        return Balance(name, have, (marks, boxes))


class ForgedScheme(_Tracks):
    """The advancement of Forged: an attribute's track buys a dot in one of its actions, the playbook's a special ability."""

    purchases: Mapping[str, Wording] = MappingProxyType({"ability": BOUGHT_ABILITY, "dot": BOUGHT_DOT})
    claims = OF_SCOUNDRELS

    def __init__(self) -> None:
        attributes = {forged.xp_of(name): Track.ATTRIBUTE for name in forged.ACTIONS}
        super().__init__(forged.SHEET, {PLAYBOOK: Track.PLAYBOOK, **attributes})

    def offers(self, standing: Standing) -> Sequence[Offer]:
        offers = [Offer("ability", AN_ABILITY, PLAYBOOK, 1, ABILITY)]
        for attribute, actions in forged.ACTIONS.items():
            for action in actions:
                dots = self.sheet.number(standing.values, action)
                if dots < HIGHEST_RATING:
                    words = BOUGHT_DOT.words({"action": action, "dots": dots})
                    name = f"{attribute}/{action}/{dots}"
                    offers.append(Offer(name, words, forged.xp_of(attribute), 1))
        return offers

    def buy(self, standing: Standing, offer: Offer, given: Given) -> Purchase:
        left, advances = self.paid(standing, offer.currency)
        if offer.name == "ability":
            steps: tuple[Step, ...] = (Add("abilities", given), *left)
            return Purchase(offer.currency, 1, "ability", {"name": given["name"]}, steps, advances)
        attribute, action, dots = offer.name.split("/")
        raised = Put(action, _raised(attribute, action, int(dots)))
        payload = {"action": action, "dots": int(dots)}
        return Purchase(offer.currency, 1, "dot", payload, (raised, *left), advances)


class CrewScheme(_Tracks):
    """A crew's track buys a special ability, or two upgrades."""

    purchases: Mapping[str, Wording] = MappingProxyType({"ability": BOUGHT_ABILITY, "upgrades": BOUGHT_UPGRADES})
    claims = OF_CREWS

    def __init__(self) -> None:
        super().__init__(crew.SHEET, {CREW: Track.PLAYBOOK})

    def offers(self, standing: Standing) -> Sequence[Offer]:
        return [
            Offer("ability", AN_ABILITY, CREW, 1, ABILITY),
            Offer("upgrades", TWO_UPGRADES, CREW, 1, UPGRADES),
        ]

    def buy(self, standing: Standing, offer: Offer, given: Given) -> Purchase:
        left, advances = self.paid(standing, CREW)
        if offer.name == "ability":
            steps: tuple[Step, ...] = (Add("abilities", given), *left)
            return Purchase(CREW, 1, "ability", {"name": given["name"]}, steps, advances)
        payload = {which: given[which] for which in ("first", "second")}
        steps = (*(Add("upgrades", {"name": name}) for name in payload.values()), *left)
        return Purchase(CREW, 1, "upgrades", payload, steps, advances)


def _raised(attribute: str, action: str, dots: int) -> int:
    try:
        return advanced(dots, Attribute(attribute), action)
    except RuleError as error:
        raise Invalid(error.message) from None
