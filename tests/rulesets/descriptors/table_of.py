"""Characters of these rules at a table, for what is settled there in steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pytest

from campaigns.models import Campaign, Event, Membership, Role, Viewer
from campaigns.services.play import open_scene, start_session
from characters.models import Character
from rolls.models import Procedure
from rolls.queries.procedures import open_procedures
from rolls.services.procedures import act, open_procedure
from rolls.services.settings import change_settings
from rolls.settings import RollSettings
from rules.acts import ActKey
from rulesets.descriptors.settings import Settings
from tests.news import news


@dataclass
class Table:
    """Abigail is the player's, Bob the other player's, Warden an NPC whom players know, Shade one whom they do not."""

    campaign: Campaign
    gm: Membership
    player: Membership
    other: Membership
    watcher: Membership
    abigail: Character
    bob: Character
    warden: Character
    shade: Character

    def viewer(self, member: Membership) -> Viewer:
        return Viewer(Campaign.objects.get(pk=self.campaign.pk), member, Role(member.role))

    def begin(self, by: Membership, kind: str, **given: Any) -> Procedure:
        return open_procedure(by, "descriptors", kind, given, key=uuid4())

    def there(self, who: Membership | None = None) -> list[dict[str, Any]]:
        """Return the open procedures, as this member sees them."""
        return open_procedures(self.viewer(who or self.watcher))

    def do(self, by: Membership, procedure: Procedure, name: str, /, *, whom: str = "", **given: Any) -> Procedure:
        """Take a step in the current state."""
        return act(by, procedure.pk, ActKey(name, whom), given=given, key=uuid4())

    def decide(self, **settings: Any) -> None:
        """Change the campaign's settings."""
        change_settings(self.gm, RollSettings((Settings(**settings),)), key=uuid4())

    def now(self, character: Character) -> Character:
        return Character.objects.get(pk=character.pk)

    def will(self, character: Character) -> int:
        return self.now(character).number("will")

    def rows(self, character: Character, name: str) -> list[tuple[Any, ...]]:
        """Return the rows of a list as (name, dice)."""
        there = self.now(character)
        return [(row["name"], row.get("dice")) for row in there.rules.rows(there.values, name)]

    def events(self, stream: str = "table") -> list[Event]:
        told = news().filter(campaign=self.campaign, stream__name=stream)
        return list(told.select_related("stored", "stream"))

    def said(self) -> str:
        """Return the newest line about any procedure."""
        told = [event for event in self.events() if event.kind.startswith("rolls.procedure")]
        return str(told[-1].described["said"])

    def said_of(self, kind: str) -> str:
        """Return the newest line about this kind."""
        told = [event for event in self.events() if event.kind.startswith("rolls.procedure")]
        return str([one for one in told if one.payload["procedure"]["kind"] == kind][-1].described["said"])


@pytest.fixture
def table(cast) -> Table:
    def make(name: str, owner: Membership | None, **more: Any) -> Character:
        return Character.objects.create(campaign=cast.campaign, name=name, owner=owner, system="descriptors", **more)

    return Table(
        campaign=cast.campaign,
        gm=cast.gm.member,
        player=cast.player.member,
        other=cast.other_player.member,
        watcher=cast.spectator.member,
        abigail=make("Abigail", cast.player.member),
        bob=make("Bob", cast.other_player.member),
        warden=make("Warden", None, shown=True),
        shade=make("Shade", None, shown=False),
    )


@pytest.fixture
def scene(table: Table) -> None:
    start_session(table.gm, "", key=uuid4())
    open_scene(table.gm, "Roof", key=uuid4())
