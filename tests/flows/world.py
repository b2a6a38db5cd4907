"""A table at which anything may happen, told as data, so that it can happen again with some of it left out."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import cycle, islice
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.utils.translation import get_language

from campaigns.errors import ServiceError
from campaigns.live.campaign_feed import Readers, frames_of
from campaigns.live.presence import follow
from campaigns.live.render import render_line
from campaigns.models import Clock, Event, Membership, Role, Viewer
from campaigns.models.clocks import ClockVisibility
from campaigns.queries.clocks import clocks_of
from campaigns.services import clocks, members, play
from campaigns.services.campaigns import create_campaign
from campaigns.services.clocks import Draft
from campaigns.services.log import happening_at
from campaigns.services.members import invitation_token, invite, join
from characters.models import Character
from characters.services.fields import set_field
from rolls.models import Audience
from rolls.registry import RULESETS
from rolls.services import rolls
from rolls.services import scale as scale_acts
from rolls.services.rolls import make_roll
from rulesets.storyteller.terms import StorytellerInput
from scale.queries import scale
from scale.services import burns
from tests import dice
from tests.cast import person

BEGIN = datetime(2026, 3, 1, 20, tzinfo=UTC)
FIELD = "alertness"  # of sheets that are edited
BETWEEN = timedelta(seconds=7)  # two operations of one person are no flood


SERVICES: dict[str, Callable[..., object]] = {
    "say": play.say,
    "take": burns.take_burn,
    "bank": burns.bank_burn,
    "spend": burns.spend_banked,
    "choose": partial(burns.choose_effect, words="So be it."),
    "decide": lambda by, burn, plausible, *, key: burns.decide_activation(by, burn, plausible=plausible, key=key),
    "narrate": lambda by, burn, *, key: burns.narrate_burn(by, burn, "The bells fall silent.", key=key),
    "defer": burns.defer_burn,
    "see": burns.see_burn,
    "void": rolls.void_roll,
    "undo": scale_acts.undo_newest,
    "reveal": rolls.reveal_roll,
    "begin": play.start_session,
    "end": play.end_session,
}
"""What a member does by one service; what else may happen is a method of the world."""


@dataclass(frozen=True)
class Operation:
    """Who does what. `hidden` operations are those of which Iva must not have an inkling."""

    what: str
    by: str
    args: tuple[Any, ...] = ()
    hidden: bool = False
    faces: tuple[int, ...] = ()
    key: UUID = field(default_factory=uuid4)


class World:
    """A GM, Mo and Iva with a character each, a watcher, and an NPC that only the GM knows."""

    def __init__(self) -> None:
        users = {name: person(name, name.capitalize()) for name in ("gm", "mo", "iva", "watcher")}
        with happening_at(BEGIN - timedelta(hours=1)):
            self.campaign = create_campaign(users["gm"].user, name="Harrow", systems=list(RULESETS), key=uuid4())
            users["gm"].membership = gm = Membership.objects.get(campaign=self.campaign)
            for name, role in (("mo", Role.PLAYER), ("iva", Role.PLAYER), ("watcher", Role.SPECTATOR)):
                users[name].join(gm, role)
        self.ids = {name: one.member.pk for name, one in users.items()}
        self.users = {name: one.user for name, one in users.items()}
        self.characters = {
            name: Character.objects.create(
                campaign=self.campaign, name=called, owner=self.member(name), system="storyteller"
            )
            for name, called in (("mo", "Silas"), ("iva", "Corvina"))
        }
        self.characters["gm"] = Character.objects.create(campaign=self.campaign, name="Vesper", shown=False)
        self.history: list[tuple[Operation, str]] = []

    def member(self, name: str) -> Membership:
        return Membership.objects.select_related("user", "campaign").get(pk=self.ids[name])

    def viewer(self, name: str) -> Viewer | None:
        """Return a person's viewer now; None if they were removed."""
        member = self.member(name)
        return None if member.left_at else Viewer(self.campaign, member, Role(member.role))

    def happen(self, operation: Operation) -> str:
        """Do it now. What came of it: the class of a refusal, or "done"."""
        outcome = self.do(operation, len(self.history))
        self.history.append((operation, outcome))
        return outcome

    def do(self, operation: Operation, moment: int) -> str:
        dice.unload()
        # More than the pool needs: a Major Burn asks its oracles, and they must answer alike the next time.
        dice.load(*islice(cycle((*operation.faces, 3)), 24))
        try:
            with happening_at(BEGIN + moment * BETWEEN):
                does = SERVICES.get(operation.what) or getattr(self, operation.what)
                does(self.member(operation.by), *operation.args, key=operation.key)
        except ServiceError as refusal:
            return type(refusal).__name__
        finally:
            dice.unload()
        return "done"

    def without_hidden(self) -> list[tuple[Operation, str, int]]:
        return [
            (operation, outcome, moment)
            for moment, (operation, outcome) in enumerate(self.history)
            if not operation.hidden
        ]

    # Possible operations; `by` is who tries.

    def roll(self, by, name, count, audience, *, key):
        make_roll(
            by, StorytellerInput(character=self.characters[name].pk, dice=count), audience=Audience(audience), key=key
        )

    def whisper(self, by, words, to, *, key):
        play.whisper(by, words, to=[self.member(to)], key=key)

    def edit(self, by, name, value, expected, *, key):
        character = Character.objects.get(pk=self.characters[name].pk)
        set_field(by, character, FIELD, value, expected=expected, key=key)

    def clock(self, by, visibility, *, key):
        clocks.make_clock(
            by,
            Draft("The flood" if visibility == ClockVisibility.SECRET else "The siege", 4, visibility=visibility),
            key=key,
        )

    def tick(self, by, clock, ticks, *, key):
        clocks.tick_clock(by, Clock(pk=clock), ticks, key=key)

    def remove(self, by, name, *, key):
        members.remove_member(by, self.member(name), key=key)

    def back(self, by, name, invitation, *, key):
        invite(by, Role.PLAYER, days=1, uses=1, key=invitation)
        join(self.users[name], invitation_token(invitation), key=key)

    def role(self, by, name, role, *, key):
        member = self.member(name)
        members.change_role(by, member, Role(role), expected=Role(member.role), key=key)


def everything_shown(viewer: Viewer) -> dict[str, Any]:
    """Return all that a viewer is shown: its rows as they are drawn, and the state of the page."""
    rows = list(Event.objects.seen_by(viewer).with_related().select_related("campaign").order_by("id"))
    readers = Readers(viewer.role, get_language() or settings.LANGUAGE_CODE)
    sent = [json.loads(frame.texts[readers])["html"] for frame in frames_of(rows, [readers])]
    return {
        "rows": [(e.stream.name, e.seq, render_line(e, viewer.role), html) for e, html in zip(rows, sent, strict=True)],
        # The hashes hang on salts, which are other ones each time.
        "follow": follow(viewer) | {"live": follow(viewer)["live"] | {"hashes": ""}},
        "clocks": clocks_of(viewer),
        "scales": scale.scale_states(viewer),
        "offers": scale.open_offers(viewer),
        "majors": scale.open_majors(viewer),
        "burns": scale.burn_rows(viewer),
        "carried": scale.carried(viewer),
    }
