"""Checks of VI-VIII-X in the campaign in which everything happens, with numbers that only GMs may read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from uuid import uuid4

from campaigns.models import Membership
from characters.services import cards, fields
from rolls.models import Audience, Roll
from rolls.services import requests, rolls
from rolls.services.rolls import make_roll
from rulesets.arc.terms import ArcInput
from tests.canaries import canary
from tests.flows.procedures_arc_checks import checks_happen
from tests.rolls.orders import roll_for_order

US = 7
SECRETS = (116, 121, 113, 112, 104)
"""KS 9, US 7 and +100; the same with a 5 and with an 8 on the die; and what that is above the average of 9."""


class Checks:
    """Mo plays a thief, the GM types what guards are."""

    def __init__(self, gm: Membership, mo: Membership, dice: Callable[..., None]) -> None:
        self.gm, self.mo, self.dice = gm, mo, dice
        thief = cards.make_character(mo, cards.Card("Tibor", "Thief", mo), system="arc", key=uuid4())
        for by, field, value in ((mo, "control", 9), (gm, "us_control", US)):
            thief = fields.set_field(by, thief, field, value, expected=thief.value(field), key=uuid4())
        skill = {"name": "Tamper", "es": 5, "stat": "control"}
        self.thief = fields.add_row(mo, thief, "skills", skill, key=uuid4())

    def pick(self, face: int = 5, audience: Audience = Audience.TABLE, **ask: object) -> Roll:
        """Mo rolls what the GM asks for; a reaction without being asked."""
        set_by_gm = {"stat": "control", "skill": "tamper", "other": 100} | ask
        if "request" not in ask and ask.get("kind") != "reaction":
            call = requests.Call(ArcInput(**set_by_gm))
            ask["request"] = requests.ask_for_roll(self.gm, call, member=self.mo.pk, audience=audience, key=uuid4()).pk
        self.dice(face)
        asked = ArcInput(**set_by_gm | ask, character=self.thief.pk)
        return make_roll(self.mo, asked, audience=audience, key=uuid4())

    def guard(self, audience: Audience = Audience.TABLE, **ask: object) -> Roll:
        self.dice(5)
        return make_roll(self.gm, ArcInput(ks=9, us=US, es=5, other=100, **ask), audience=audience, key=uuid4())

    def happen(self) -> None:
        self.pick()
        self.pick(8, Audience.SELF)
        self.pick(audience=Audience.GM)
        self.pick(kind="reaction")
        shown = self.guard(Audience.GM)
        rolls.reveal_roll(self.gm, shown.pk, key=uuid4())
        rolls.reveal_roll(self.gm, self.pick(audience=Audience.SELF).pk, key=uuid4())
        wrong = self.pick(level="extreme")
        rolls.correct_roll(self.gm, wrong.pk, {"threshold": 9, "note": "only average"}, key=uuid4())
        rolls.void_roll(self.gm, self.pick(8).pk, reason="slipped", key=uuid4())
        self.pick(kind="opposed")
        for audience in (Audience.TABLE, Audience.SELF):
            answered = self.pick(8, audience, kind="opposed")
            self.guard(kind="opposed", against=answered.pk)
        self._who_declares()
        self._taken_back()
        self._asked_for()
        checks_happen(self.gm, self.mo, self.thief, self.dice)

    def _who_declares(self) -> None:
        """Roll for the order before everyone, and before the GMs alone."""
        for audience, alike in ((Audience.TABLE, ("Mo", "Iva")), (Audience.GM, ("Ro", "Tess"))):
            self.dice(8, 2)
            roll_for_order(self.gm, alike, audience=audience, key=uuid4())

    def _taken_back(self) -> None:
        reopened = self.pick(kind="opposed")
        counter = self.guard(kind="opposed", against=reopened.pk)
        rolls.void_roll(self.gm, counter.pk, reason="unaware", key=uuid4())
        rolls.void_roll(self.gm, self.pick(kind="opposed").pk, key=uuid4())

    def _asked_for(self) -> None:
        """Request a roll that the thief makes after a change, and one that stays open."""
        lock = ArcInput(stat="control", skill="tamper", other=100, us=US)
        asked = requests.ask_for_roll(self.gm, requests.Call(lock), member=self.mo.pk, key=uuid4())
        harder = requests.Call(replace(lock, level="difficult"), reason="in the dark")
        requests.change_request(self.gm, asked.pk, harder, key=uuid4())
        self.pick(level="difficult", request=asked.pk)
        self._announced()
        requests.ask_for_roll(self.gm, requests.Call(ArcInput(kind="reaction")), audience=Audience.SELF, key=uuid4())

    def _announced(self) -> None:
        """Announce a roll that the GM sets, one that Mo takes back, and one that still waits."""
        wish = ArcInput(character=self.thief.pk, stat="control", skill="tamper")
        call = requests.Call(wish, reason="before they wake")
        one = requests.announce_roll(self.mo, call, audience=Audience.TABLE, key=uuid4())
        requests.change_request(self.gm, one.pk, requests.Call(replace(wish, other=100)), key=uuid4())
        self.pick(request=one.pk)
        private = requests.Call(wish, reason=canary("mo", "announced"))
        other = requests.announce_roll(self.mo, private, audience=Audience.SELF, key=uuid4())
        requests.withdraw_roll(self.mo, other.pk, key=uuid4())
        requests.announce_roll(self.mo, private, audience=Audience.SELF, key=uuid4())
