"""Pool against pool in the campaign in which everything happens, and what old logs tell of what followed from it."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

from campaigns.models import Membership
from characters.models import Character
from rolls.models import Audience, Roll
from rolls.services.rolls import make_roll
from rulesets.descriptors.terms import DescriptorsInput
from tests.canaries import canary
from tests.flows.procedures_descriptors import contests_happen
from tests.rulesets.descriptors.legacy import tell_followed

THREE_TO_TWO = (9, 8, 7, 3, 2)
TWO_TO_THREE = (9, 8, 3, 2, 1)
"""The roller wins."""


class Opposed:
    """Mo rolls against whom everybody knows, and a GM against whom nobody does."""

    def __init__(self, gm: Membership, mo: Membership, dice: Callable[..., None], character: Character) -> None:
        self.gm, self.mo, self.dice, self.character = gm, mo, dice, character

    def roll(self, by: Membership, audience: Audience, faces: tuple[int, ...], **ask: str) -> Roll:
        self.dice(*faces)
        mine = self.character.pk if by == self.mo else None
        return make_roll(by, DescriptorsInput(character=mine, **ask), audience=audience, key=uuid4())

    def happen(self, hidden: Character) -> None:
        named = {"pool": "Swordplay 2 + their Pride 1", "against": "2", "versus": "Orsolya"}
        won = self.roll(self.mo, Audience.TABLE, THREE_TO_TWO, **named)
        tell_followed(self.mo, won.pk, [{"what": "made", "name": "Out of breath", "dice": 3}], key=uuid4())
        mine = {"pool": f"{canary('mo', 'pool')} 2", "against": "3", "versus": canary("mo", "versus")}
        kept = self.roll(self.mo, Audience.SELF, TWO_TO_THREE, **mine)
        tell_followed(self.mo, kept.pk, [{"what": "made", "name": canary("mo", "made"), "dice": 2}], key=uuid4())
        self.roll(self.gm, Audience.GM, (9, 8, 3, 2), pool="2", against="2", versus=hidden.name)
        contests_happen(self.gm, self.mo, self.dice)
