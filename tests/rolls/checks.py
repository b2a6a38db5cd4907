"""A table that plays VI-VIII-X: the fixture `checks`, whose people roll checks in one line and with loaded dice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import uuid4

import pytest

from campaigns.models import Campaign, Event, Membership
from characters.models import Character
from rolls.models import Audience, Roll, RollRequest
from rolls.services.requests import Call, ask_for_roll
from rolls.services.rolls import make_roll
from rulesets.arc.terms import ArcInput
from tests import dice
from tests.cast import Cast
from tests.news import news
from tests.sheets import create_character

# arc.txt, V.7: Control 7, Accuracy 4, Tamper 5.
PICKLOCK = {
    "control": 7,
    "som": 6,
    "skills": [
        {"id": "t1", "name": "Tamper", "es": 5, "stat": "control"},
        {"id": "c1", "name": "Climbing", "es": 3, "stat": "build"},
    ],
}
GUARD = {"intellect": 6, "som": 3, "skills": [{"id": "w1", "name": "Watch", "es": 6, "stat": "intellect"}]}


REQUESTS = {"rolls.roll_asked", "rolls.roll_announced", "rolls.request_changed", "rolls.request_closed"}


@dataclass
class Checks:
    """Mo plays Silas, Other plays Corvina, who has no sheet of these rules; Vesper is the GM's."""

    campaign: Campaign
    gm: Membership
    mo: Membership
    other: Membership
    silas: Character
    corvina: Character
    vesper: Character

    def roll(
        self, face: int, *, by: Membership | None = None, audience: Audience = Audience.TABLE, **ask: object
    ) -> Roll:
        """Roll this face for Silas's Control and Tamper, or for Vesper's Intellect and Watch, by default.

        A player rolls a check when the GM requests it, which happens here unless a `request` is given.
        """
        by = by or self.mo
        usual = {
            self.mo.pk: {"character": self.silas.pk, "stat": "control", "skill": "tamper"},
            self.other.pk: {"character": self.corvina.pk},
            self.gm.pk: {"character": self.vesper.pk, "stat": "intellect", "skill": "watch"},
        }[by.pk]
        if by != self.gm and "request" not in ask and ask.get("kind") != "reaction":
            ask["request"] = self.ask(by, audience, **ask).pk
        dice.unload()
        dice.load(face)
        return make_roll(by, ArcInput(**usual | ask), audience=audience, key=uuid4())

    def ask(self, member: Membership, audience: Audience = Audience.TABLE, **ask: object) -> RollRequest:
        """Request such a check as the GM, without the player's own scores."""
        asked = {name: value for name, value in ask.items() if name not in ("character", "ks", "us", "es", "note")}
        return ask_for_roll(self.gm, Call(ArcInput(**asked)), member=member.pk, audience=audience, key=uuid4())

    def told(self, stream: str = "table") -> list[Event]:
        """Return a stream's events without those of requests."""
        return [event for event in self.events(stream) if event.kind not in REQUESTS]

    def events(self, stream: str = "table") -> list[Event]:
        """Return a stream's events since everyone joined."""
        told = news().filter(campaign=self.campaign, stream__name=stream)
        return list(told.select_related("stored", "stream"))


@pytest.fixture
def checks(cast: Cast) -> Iterator[Checks]:
    gm, mo, other = cast.gm.member, cast.player.member, cast.other_player.member

    def character(name: str, owner: Membership | None, system: str = "arc", **values: object) -> Character:
        return create_character(campaign=cast.campaign, name=name, owner=owner, system=system, **values)

    yield Checks(
        campaign=cast.campaign,
        gm=gm,
        mo=mo,
        other=other,
        silas=character("Silas Grey", mo, sheet=PICKLOCK, secret={"us_control": 4}),
        corvina=character("Corvina", other, "storyteller"),
        vesper=character("Vesper", None, sheet=GUARD, secret={"us_intellect": 5}),
    )
    dice.unload()
