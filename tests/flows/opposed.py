"""Pool against pool in the campaign in which everything happens, and what follows from it."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

from campaigns.models import Membership
from characters.models import Character
from rolls.models import Audience, Roll
from rolls.services.rolls import make_roll
from rulesets.descriptors.table import RollInput, follows
from tests.canaries import canary

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
        return make_roll(by, RollInput(character=mine, **ask), audience=audience, key=uuid4())

    def happen(self, hidden: Character) -> None:
        named = {"pool": "Swordplay 2 + their Pride 1", "against": "2", "versus": "Orsolya"}
        won = self.roll(self.mo, Audience.TABLE, THREE_TO_TWO, **named)
        follows.make_descriptor(self.mo, won.pk, "Out of breath", key=uuid4())
        mine = {"pool": f"{canary('mo', 'pool')} 2", "against": "3", "versus": canary("mo", "versus")}
        kept = self.roll(self.mo, Audience.SELF, TWO_TO_THREE, **mine)
        follows.make_descriptor(self.mo, kept.pk, canary("mo", "made"), key=uuid4())
        self.roll(self.gm, Audience.GM, (9, 8, 3, 2), pool="2", against="2", versus=hidden.name)
