"""Everybody who meets a campaign: the fixture `cast`, made through the services."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from campaigns.models import Campaign, Membership, Role, Viewer
from campaigns.services.campaigns import create_campaign
from campaigns.services.log import happening_at
from campaigns.services.members import invitation_token, invite, join, remove_member
from people.models import User
from rolls.registry import RULESETS
from tests.memory import remembered

PASSWORD = "a-long-password"  # the password of everyone here


@dataclass
class Person:
    user: User
    membership: Membership | None = None

    @property
    def member(self) -> Membership:
        """Return their membership; the removed person's has ended, the outsider has none."""
        assert self.membership, f"{self.user} is at no table"
        return self.membership

    @cached_property
    def client(self) -> Client:
        """Return their browser, signed in."""
        client = Client()
        client.force_login(self.user)
        return client

    def join(self, gm: Membership, role: Role) -> Membership:
        """Sit down at the table of a GM."""
        key = uuid4()
        invite(gm, role, days=1, uses=1, key=key)
        self.membership = join(self.user, invitation_token(key), key=uuid4())
        return self.membership


@dataclass
class Cast:
    campaign: Campaign
    gm: Person
    player: Person
    other_player: Person
    spectator: Person
    outsider: Person
    removed: Person

    @property
    def everybody(self) -> dict[str, Person]:
        return {name: value for name, value in vars(self).items() if isinstance(value, Person)}


def seat_at(member: Membership, **other: Any) -> Viewer:
    """Return a member's view of their campaign."""
    return Viewer(**{"campaign": member.campaign, "membership": member, "role": Role(member.role)} | other)


def viewer(person: Person, **other: Any) -> Viewer:
    return seat_at(person.member, **other)


def person(username: str, display_name: str = "") -> Person:
    return Person(User.objects.create_user(username, password=PASSWORD, display_name=display_name))


@pytest.fixture
def cast(db: None, request: pytest.FixtureRequest) -> Cast:
    """Return the cast at a new table; at the table of `played` if the test uses that too."""
    return request.getfixturevalue("evening")[0] if "played" in request.fixturenames else remembered(gathered)


def gathered() -> Cast:
    """Return the cast at one table, an hour ago, so that joining does not count towards the rate limit."""
    with happening_at(timezone.now() - timedelta(hours=1)):
        return _gathered()


def _gathered() -> Cast:
    gm = person("gm", "Gm")
    campaign = create_campaign(gm.user, name="Ashes", systems=list(RULESETS), key=uuid4())
    gm.membership = Membership.objects.get(campaign=campaign)
    others = {
        "player": person("mo", "Mo"),
        "other_player": person("other", "Other Player"),
        "spectator": person("spectator", "Spectator"),
        "removed": person("removed", "Removed"),
    }
    for name, other in others.items():
        other.join(gm.member, Role.SPECTATOR if name == "spectator" else Role.PLAYER)
    removed = others["removed"]
    removed.membership = remove_member(gm.member, removed.member, key=uuid4())
    return Cast(campaign=campaign, gm=gm, outsider=person("outsider", "Outsider"), **others)
