"""A table with a GM, two players with their characters, and dice that fall as told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import uuid4

import pytest
from django.utils import timezone

from campaigns.models import Campaign, Event, GameSession, Membership, Role
from campaigns.services import play as sessions
from characters.models import Character
from people.models import User
from rolls.models import Audience, Roll
from rolls.services.rolls import make_roll
from rulesets.storyteller.terms import StorytellerInput
from scale.models import Burn, Scale
from tests import dice
from tests.cast import Cast
from tests.news import news
from tests.rolls.checks import checks  # noqa: F401
from tests.rolls.evening import evening, rerolled  # noqa: F401
from tests.rolls.usual import usual  # noqa: F401
from tests.sheets import create_character


@dataclass
class Play:
    """Who sits here, and what they do in one line."""

    campaign: Campaign
    gm: Membership
    mo: Membership
    other: Membership
    watcher: Membership
    silas: Character
    corvina: Character
    vesper: Character

    def roll(self, *faces: int, by: Membership | None = None, audience: Audience = Audience.TABLE, **ask) -> Roll:
        """Roll these faces, by default for Silas. The GM makes rolls other than actions, unless they are requested."""
        no_action = ask.get("kind", "action") != "action" and not ask.get("traits") and not ask.get("request")
        by = by or (self.gm if no_action else self.mo)
        dice.unload()
        dice.load(*faces)
        own = {self.mo.pk: self.silas.pk, self.other.pk: self.corvina.pk}.get(
            by.pk, self.silas.pk if no_action else None
        )
        asked = StorytellerInput(**{"character": own, "dice": len(faces)} | ask)
        return make_roll(by, asked, audience=audience, key=uuid4())

    @property
    def scale(self) -> Scale:
        return Scale.objects.get(campaign=self.campaign)

    def burn(self, state: Burn.State) -> Burn:
        return Burn.objects.get(scale__campaign=self.campaign, state=state)

    def events(self, stream: str = "table") -> list[Event]:
        """Return a stream's events since everyone joined."""
        told = news().filter(campaign=self.campaign, stream__name=stream)
        return list(told.select_related("stored", "stream"))

    def kinds(self, stream: str = "table") -> list[str]:
        return [event.kind for event in self.events(stream)]


def member(campaign: Campaign, name: str, role: Role) -> Membership:
    user = User.objects.create_user(name, display_name=name.capitalize())
    return Membership.objects.create(campaign=campaign, user=user, role=role, joined_at=timezone.now())


def character(campaign: Campaign, name: str, owner: Membership | None, **sheet: int) -> Character:
    return create_character(campaign=campaign, name=name, system="storyteller", owner=owner, sheet=sheet)


@pytest.fixture
def play(cast: Cast) -> Iterator[Play]:
    traits = {"perception": 3, "alertness": 2, "occult": 5, "willpower": 6, "willpower_now": 4}
    mo, other = cast.player.member, cast.other_player.member
    yield Play(
        campaign=cast.campaign,
        gm=cast.gm.member,
        mo=mo,
        other=other,
        watcher=cast.spectator.member,
        silas=character(cast.campaign, "Silas Grey", mo, **traits),
        corvina=character(cast.campaign, "Corvina", other),
        vesper=character(cast.campaign, "Vesper", None),
    )
    dice.unload()


@pytest.fixture
def session(play: Play) -> GameSession:
    """Return a session in its first scene."""
    started = sessions.start_session(play.gm, "First", key=uuid4())
    sessions.open_scene(play.gm, "The door", key=uuid4())
    return started
