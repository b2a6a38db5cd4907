"""xp tracks of the forged rules at the table: of the three attributes and the playbook, and of a crew (public rules)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from campaigns.errors import Invalid
from characters.advancement import Add, ClaimKind, Earned, Given, Offer, Purchase, Purse, Put, Standing, Step
from characters.sheets.fields import Text
from characters.sheets.sheet import Sheet
from rolls.rules.errors import RuleError
from rolls.settings import roll_settings
from rulesets.forged import crew
from rulesets.forged import sheet as forged
from rulesets.forged.claims import HarmClaim, HeatClaim, PayoffClaim, RecoveryClaim, StressClaim, TraumaClaim, ViceClaim
from rulesets.forged.rules.body import Attribute
from rulesets.forged.rules.roll import HIGHEST_RATING
from rulesets.forged.rules.xp import BOXES, Track, advance, mark
from rulesets.forged.settings import Settings

PLAYBOOK = "playbook_xp"
CREW = "crew_xp"
ABILITY = (Text("name", "Which ability", required=True), Text("words", "What it does", longest=1000))
UPGRADES = (Text("first", "The one", required=True), Text("second", "The other", required=True))


class _Tracks:
    """Tracks that fill and empty for an advance. One that was filled by hand stands for an advance too."""

    claims: Mapping[str, ClaimKind]

    def __init__(self, sheet: Sheet, kinds: Mapping[str, Track]) -> None:
        self.sheet, self.kinds = sheet, kinds
        self.tracks: Sequence[tuple[str, str]] = (
            [(name, sheet.field(name).label) for name in kinds] if len(kinds) > 1 else []
        )

    def purses(self, standing: Standing) -> Sequence[Purse]:
        return [self._purse(standing, name) for name in self.kinds]

    def earn(self, standing: Standing, purse: str, amount: int) -> Earned:
        kind, marks = self.kinds[purse], self.sheet.number(standing.values, purse)
        full = int(marks == BOXES[kind])
        try:
            marked = mark(kind, 0 if full else marks, amount, roll_settings(standing.campaign).of(Settings))
        except RuleError as error:
            raise Invalid(error.message, field="amount") from None
        return Earned((Put(purse, marked.marks),), marked.advances + full)

    def paid(self, standing: Standing, purse: str) -> tuple[tuple[Step, ...], int]:
        """What taking an advance leaves of the track, and how many come out of the ledger."""
        if standing.owed.get(purse, 0) > 0:
            return (), 1
        return (Put(purse, 0),), 0

    def _purse(self, standing: Standing, name: str) -> Purse:
        marks, boxes = self.sheet.number(standing.values, name), BOXES[self.kinds[name]]
        have = standing.owed.get(name, 0) + int(marks == boxes)
        label = self.sheet.field(name).label
        return Purse(name, label, "advances", "advance", have, f"{marks} of {boxes} marked", "xp")


class ForgedScheme(_Tracks):
    """An attribute's track buys a dot in one of its actions, the playbook's a special ability."""

    claims: Mapping[str, ClaimKind] = MappingProxyType(
        {
            "trauma": TraumaClaim(),
            "harm": HarmClaim(),
            "recovery": RecoveryClaim(),
            "vice": ViceClaim(),
            "stress": StressClaim(),
        }
    )

    def __init__(self) -> None:
        attributes = {forged.xp_of(name): Track.ATTRIBUTE for name in forged.ACTIONS}
        super().__init__(forged.SHEET, {PLAYBOOK: Track.PLAYBOOK, **attributes})

    def offers(self, standing: Standing) -> Sequence[Offer]:
        offers = [Offer("ability", "A special ability", PLAYBOOK, 1, ABILITY)]
        for attribute, actions in forged.ACTIONS.items():
            for action in actions:
                dots = self.sheet.number(standing.values, action.lower())
                if dots < HIGHEST_RATING:
                    name, words = f"{attribute}/{action.lower()}/{dots}", f"{action} {dots} → {dots + 1}"
                    offers.append(Offer(name, words, forged.xp_of(attribute), 1))
        return offers

    def buy(self, standing: Standing, offer: Offer, given: Given) -> Purchase:
        left, advances = self.paid(standing, offer.purse)
        if offer.name == "ability":
            steps: tuple[Step, ...] = (Add("abilities", given),)
            return Purchase(offer.purse, 1, f"{offer.words}: {given['name']}", (*steps, *left), advances)
        attribute, action, dots = offer.name.split("/")
        raised = _raised(attribute, action, int(dots))
        return Purchase(offer.purse, 1, offer.words, (Put(action, raised), *left), advances)


class CrewScheme(_Tracks):
    """A crew's track buys a special ability, or two upgrades."""

    claims: Mapping[str, ClaimKind] = MappingProxyType({"heat": HeatClaim(), "payoff": PayoffClaim()})

    def __init__(self) -> None:
        super().__init__(crew.SHEET, {CREW: Track.PLAYBOOK})

    def offers(self, standing: Standing) -> Sequence[Offer]:
        return [
            Offer("ability", "A special ability", CREW, 1, ABILITY),
            Offer("upgrades", "Two upgrades", CREW, 1, UPGRADES),
        ]

    def buy(self, standing: Standing, offer: Offer, given: Given) -> Purchase:
        left, advances = self.paid(standing, CREW)
        if offer.name == "ability":
            steps: tuple[Step, ...] = (Add("abilities", given),)
            words = f"{offer.words}: {given['name']}"
        else:
            steps = tuple(Add("upgrades", {"name": given[which]}) for which in ("first", "second"))
            words = f"{offer.words}: {given['first']}, {given['second']}"
        return Purchase(CREW, 1, words[:200], (*steps, *left), advances)


def _raised(attribute: str, action: str, dots: int) -> int:
    try:
        return advance({action: dots}, Attribute(attribute), action)[action]
    except RuleError as error:
        raise Invalid(error.message) from None
