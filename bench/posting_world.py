"""A table at which people write: what browsers send, and the site that answers."""

from __future__ import annotations

import json
import warnings
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from datetime import timedelta
from functools import partial
from time import perf_counter, process_time
from typing import Any, NamedTuple
from urllib.parse import urlencode
from uuid import uuid4

from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import close_old_connections, connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, override_settings
from django.urls import path, reverse
from django.utils import timezone

from campaigns.models import IdempotencyKey, Membership, Role
from campaigns.services.campaigns import create_campaign
from campaigns.services.clocks import Draft, make_clock
from campaigns.services.log import happening_at
from campaigns.services.members import api_token, invitation_token, invite, join, make_token
from campaigns.services.play import open_scene, start_session
from characters.models import Character
from characters.services.cards import Card, make_character
from characters.services.fields import add_row, set_field
from rolls.models import Procedure
from rolls.registry import RULESETS
from scale.models import Scale

Sent = tuple[str, dict[str, Any]]

# A bench has no files to serve.
warnings.filterwarnings("ignore", "No directory at")

API = "/api/v1"
BETWEEN = timedelta(seconds=2)  # between two things that a member sends: a lively table, below the limits

SHEETS: dict[str, dict[str, Any]] = {
    "storyteller": {"perception": 3, "alertness": 2},
    "forged": {"skirmish": 2},
    "arc": {"control": 9, "som": 6},
    "descriptors": {"will": 9},
}
ROWS: dict[str, tuple[str, dict[str, Any]]] = {
    "arc": ("skills", {"name": "Tamper", "es": 5, "stat": "control"}),
    "descriptors": ("descriptors", {"name": "Fencing", "dice": 2}),
}
ROLLS = {
    "storyteller": {"pool": "perception + alertness", "difficulty": "6"},
    "forged": {"kind": "action", "action": "skirmish", "position": "risky", "effect": "standard"},
    "arc": {"kind": "reaction"},
    "descriptors": {"pool": "fencing", "against": "2", "versus": "the door guard"},
}


def bare(request: HttpRequest) -> HttpResponse:
    """Write one row in a Django view with nothing around it."""
    IdempotencyKey.objects.create(campaign_id=request.GET["campaign"], key=uuid4(), at=timezone.now())
    return HttpResponse(status=204)


urlpatterns = [path("bare/", bare)]


class Took(NamedTuple):
    """Seconds by the clock, and of the processor in this process alone: the database's are not among these."""

    seconds: float
    processor: float


class World:
    """The bench's table. `sends` are a player's requests, by name; `send` posts one of them, at its own moment."""

    def __init__(self) -> None:
        call_command("migrate", verbosity=0)
        self.database = "SQLite" if connection.vendor == "sqlite" else "PostgreSQL"
        self.now = timezone.now() - timedelta(days=1)
        # Half an hour earlier, so that later lines stay below the limits.
        with happening_at(self.now - timedelta(minutes=30)):
            self._gather()
        self.client = Client(headers={"hx-request": "true", "host": "127.0.0.1"})
        self.client.force_login(self.player.user)
        # One client: each loads the middleware when it is first used.
        self.program = Client(headers={"host": "127.0.0.1"})
        self.sends = {f"roll: {name}": partial(self._roll, name) for name in ROLLS if name in RULESETS}
        self.sends |= {
            "roll by the API: storyteller": partial(self._roll_by_api, "storyteller"),
            "a line that is said": self._line,
            "a field of a sheet": self._field,
            "a tick of a clock": self._tick,
        }
        self.times: Counter[str] = Counter()

    def send(self, what: str, watch: AbstractContextManager[object] | None = None) -> Took:
        """Send one request. Return what it took from request to answer, its connection closed; it runs inside `watch`,
        if given.
        """
        self.now += BETWEEN
        url, fields = self.sends[what]()
        post = self._posted_by_program if url.startswith(API) else self._posted_by_browser
        with happening_at(self.now), watch or nullcontext():
            took, answer = _timed(lambda: post(url, fields))
        if answer.status_code not in (200, 204):
            raise SystemExit(f"{what}: {answer.status_code} {answer.content.decode()}")
        return took

    def _posted_by_browser(self, url: str, fields: dict[str, Any]) -> HttpResponse:
        return self.client.post(url, urlencode({"key": uuid4()} | fields), "application/x-www-form-urlencoded")

    def _posted_by_program(self, url: str, fields: dict[str, Any]) -> HttpResponse:
        headers = {"authorization": f"Bearer {self.token}", "idempotency-key": str(uuid4())}
        return self.program.post(url, json.dumps(fields, default=str), "application/json", headers=headers)

    def send_bare(self) -> Took:
        """Send a request to the bare view. Return what it took."""
        with override_settings(ROOT_URLCONF=__name__, MIDDLEWARE=[]):
            return _timed(lambda: Client(headers={"host": "127.0.0.1"}).post(f"/bare/?campaign={self.campaign.pk}"))[0]

    def _gather(self) -> None:
        users = [get_user_model().objects.create(username=name) for name in ("gm", "mo")]
        self.campaign = create_campaign(users[0], name="Ashes", systems=list(RULESETS), key=uuid4())
        gm = Membership.objects.get(campaign=self.campaign)
        invitation = uuid4()
        invite(gm, Role.PLAYER, days=1, uses=1, key=invitation)
        self.player = join(users[1], invitation_token(invitation), key=uuid4())
        start_session(gm, "One", key=uuid4())
        open_scene(gm, "The lantern room", key=uuid4())
        self.clock = make_clock(gm, Draft("Dawn", 4, owner="crew"), key=uuid4())
        key = uuid4()
        make_token(self.player, "bot", writes=True, days=None, key=key)
        self.token = api_token(key)
        self.characters = {name: self._character(name) for name in ROLLS if name in RULESETS}

    def _character(self, system: str) -> Character:
        made = make_character(self.player, Card(f"Ada of {system}", "", self.player), system=system, key=uuid4())
        for name, value in SHEETS[system].items():
            made = set_field(self.player, made, name, value, expected=made.value(name), key=uuid4())
        if system in ROWS:
            rows, given = ROWS[system]
            made = add_row(self.player, made, rows, given, key=uuid4())
        return made

    def _address(self, name: str, *args: object) -> str:
        return reverse(name, args=[self.campaign.slug, *args])

    def _roll(self, system: str) -> Sent:
        character = self.characters[system].pk
        if system == "descriptors":
            # What rolls cost comes back, or there would soon be none left.
            Character.objects.filter(pk=character).update(sheet_fields=self.characters[system].sheet_fields)
            # And what followed from the last one is settled, or a hundred choices would wait.
            Procedure.objects.filter(campaign=self.campaign, closed_at=None).update(closed_at=self.now)
        # No Major Burn may stop the table.
        Scale.objects.filter(campaign=self.campaign).update(value=0)
        return self._address("roll"), {"system": system, "character": character, "client_seed": "0" * 32} | ROLLS[
            system
        ]

    def _roll_by_api(self, system: str) -> Sent:
        return f"{API}/campaigns/{self.campaign.slug}/rolls", self._roll(system)[1]

    def _line(self) -> Sent:
        return self._address("compose"), {"text": "The lamp goes out.", "voice": "player"}

    def _field(self) -> Sent:
        character = self.characters["storyteller"]
        before, after = ("3", "2") if self._odd("field") else ("2", "3")
        return self._address("character_field", character.pk), {
            "field": "alertness",
            "expected": before,
            "value": after,
        }

    def _tick(self) -> Sent:
        return self._address("clock_tick", self.clock.pk), {"ticks": "-1" if self._odd("tick") else "1"}

    def _odd(self, what: str) -> bool:
        self.times[what] += 1
        return self.times[what] % 2 == 0


def _timed(ask: Callable[[], HttpResponse]) -> tuple[Took, HttpResponse]:
    began = Took(perf_counter(), process_time())
    answer = ask()
    # As a server does after each request; Django's test client leaves connections open.
    close_old_connections()
    return Took(perf_counter() - began.seconds, process_time() - began.processor), answer
