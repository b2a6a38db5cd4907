"""Two evenings that differ only in what was done in secret are the same to a player, on every page and in every file.

test_state_machine.py holds the same of rows, frames and figures, whatever the order; here it is held of what is answered.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import product
from string import Formatter
from typing import Any
from uuid import UUID, uuid5

import pytest
import time_machine
from django.db import transaction
from django.urls import reverse

from api import auth
from campaigns.clocks import ClockKind
from campaigns.forms.log import LogFilter
from campaigns.kinds import outcomes, topics
from campaigns.models.clocks import ClockVisibility
from campaigns.pictures import Portrayal
from campaigns.services import clocks, members, play
from campaigns.services import log_entries as moments
from campaigns.services.clocks import Draft
from campaigns.services.log import happening_at
from campaigns.views.log import FORMS
from characters.services import cards, fields
from people.models import User
from rolls.models import Audience
from rolls.services import requests
from rolls.services.rolls import make_roll, void_roll
from rulesets.descriptors import terms as descriptors
from rulesets.storyteller.terms import StorytellerInput
from scale.rules.oracles import STARTED_WITH
from scale.services import burns
from tests.api.callers import Caller, calls
from tests.api.matrix import BESIDE_DJANGO
from tests.api.matrix import MATRIX as API
from tests.cast import Cast, gathered
from tests.dice import load, unload
from tests.flows.matrix import GET, MATRIX

BEGIN = datetime(2026, 3, 1, 20, tzinfo=UTC)
FACES = (5, 6, 3, 2, 4, 3)


class Evening:
    """Operations in their order, each at a moment and with a key of its own; secret ones only where there are `secrets`."""

    def __init__(self, cast: Cast, *, secrets: bool) -> None:
        self.gm, self.mo, self.other = cast.gm.member, cast.player.member, cast.other_player.member
        self.secrets = secrets
        self.moment = BEGIN
        self.secret_operations = 0

    def openly(self, operation: Callable[[UUID], Any]) -> Any:
        self.moment += timedelta(minutes=1)
        return self._at(self.moment, operation)

    def secretly(self, *operations: Callable[[UUID], Any]) -> None:
        for number, operation in enumerate(operations if self.secrets else (), 1):
            self._at(self.moment + timedelta(seconds=number), operation)
            self.secret_operations += 1

    def _at(self, moment: datetime, operation: Callable[[UUID], Any]) -> Any:
        unload()
        load(*FACES)
        with time_machine.travel(moment, tick=False), happening_at(moment):
            done = operation(uuid5(UUID(int=0), moment.isoformat()))
        unload()
        return done

    def happens(self) -> dict[str, list[Any]]:
        """Play the evening. Return the ids of what everyone knows, by the names in addresses."""
        gm, mo, other = self.gm, self.mo, self.other
        self.openly(lambda key: play.start_session(gm, "One", key=key))
        self.openly(lambda key: play.open_scene(gm, "Roof", key=key))
        known = [
            self.openly(lambda key, card=card: cards.make_character(card.owner or gm, card, key=key))
            for card in (
                cards.Card("Silas", "", mo),
                cards.Card("Corvina", "", other),
                cards.Card("Orsolya", ""),
            )
        ]
        self.secretly(*self.of_a_hidden_npc(), *self.words())
        storyline = self.openly(lambda key: play.add_storyline(gm, "A debt", whose=mo, key=key))
        self.openly(lambda key: play.say(mo, "Hello", key=key))
        clock = self.openly(lambda key: clocks.make_clock(gm, Draft("Dawn", 4), key=key))
        self.secretly(*self.of_a_hidden_clock())
        self.openly(lambda key: clocks.tick_clock(gm, clock, 1, key=key))
        roll = self.openly(
            lambda key: make_roll(mo, StorytellerInput(character=known[0].pk, dice=4), audience=Audience.TABLE, key=key)
        )
        self.secretly(*self.rolls())
        self.openly(lambda key: play.end_session(gm, key=key))
        self.secretly(*self.rolls())
        self.openly(lambda key: play.start_session(gm, "Two", key=key))
        self.secretly(*self.rolls())
        return {
            "character_id": [one.pk for one in known],
            "storyline_id": [storyline.pk],
            "clock_id": [clock.pk],
            "roll_id": [roll.pk],
            "uid": [roll.event.uid],
            "number": [1, 2],
            "scene_number": [1],
            "system": ["storyteller"],
        }

    def of_a_hidden_npc(self) -> list[Callable[[UUID], Any]]:
        made: list[Any] = []
        card, other = (cards.Card(name, "", None, shown=False) for name in ("Vesper", "Vesper’s twin"))
        return [
            lambda key: made.append(cards.make_character(self.gm, card, key=key)),
            lambda key: fields.set_field(
                self.gm, made[0], "perception", 3, expected=made[0].value("perception"), key=key
            ),
            lambda key: cards.set_portrait(self.gm, made[0], Portrayal(b"a face", b"a face"), key=key),
            lambda key: make_roll(
                self.gm, StorytellerInput(character=made[0].pk, dice=5), audience=Audience.GM, key=key
            ),
            lambda key: cards.delete_character(
                self.gm, cards.make_character(self.gm, other, key=key), other.name, key=uuid5(key, "")
            ),
        ]

    def words(self) -> list[Callable[[UUID], Any]]:
        said: list[Any] = []
        first, *rest = STARTED_WITH["grace"]
        entries = [replace(first, text="secret"), *rest]
        seen = burns.entries_version(STARTED_WITH["grace"])
        return [
            lambda key: said.append(play.whisper(self.mo, "hush", to=[self.gm], key=key)),
            lambda key: moments.pin(self.mo, said[0].uid, key=key),
            lambda key: play.whisper(self.gm, "hush", to=[self.mo], key=key),
            lambda key: members.invite(self.gm, self.gm.role, days=1, uses=1, key=key),
            lambda key: burns.change_oracle(self.gm, "grace", entries, expected=seen, key=key),
        ]

    def of_a_hidden_clock(self) -> list[Callable[[UUID], Any]]:
        made: list[Any] = []
        draft = Draft("Doom", 6, ClockKind.DANGER, ClockVisibility.SECRET)
        return [
            lambda key: made.append(clocks.make_clock(self.gm, draft, key=key)),
            lambda key: clocks.tick_clock(self.gm, made[0], 2, reason="x", key=key),
            lambda key: clocks.move_clock(self.gm, made[0], up=True, key=key),
            lambda key: clocks.keep_template(self.gm, made[0], key=key),
            lambda key: clocks.tick_clock(self.gm, made[0], 4, reason="full", key=key),
        ]

    def rolls(self) -> list[Callable[[UUID], Any]]:
        made: list[Any] = []
        call = requests.Call(StorytellerInput(traits=("perception",), difficulty=7), reason="a noise")
        return [
            lambda key: made.append(make_roll(self.mo, StorytellerInput(dice=5), audience=Audience.GM, key=key)),
            lambda key: void_roll(self.gm, made[0].pk, reason="slipped", key=key),
            lambda key: make_roll(
                self.gm, descriptors.DescriptorsInput(pool="2", against="2", versus="x"), audience=Audience.GM, key=key
            ),
            lambda key: requests.ask_for_roll(self.gm, call, member=self.mo.pk, audience=Audience.SELF, key=key),
        ]


def nothing_is_random(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make salts, seeds and form tokens constant, whose differences betray nothing."""
    monkeypatch.setattr("secrets.token_hex", lambda size: "ab" * size)
    monkeypatch.setattr("django.middleware.csrf._mask_cipher_secret", lambda secret: secret)


def some_filters() -> list[str]:
    """Return eight random filters of the log, for both evenings."""
    by_topic = [f"topic={topic}" for topic in topics()]
    return random.sample([*by_topic, *(f"outcome={outcome}" for outcome in outcomes())], 8)


def addresses(slug: str, known: dict[str, list[Any]], filters: list[str]) -> list[str]:
    """Return every page for the known ids, the log by these filters, and every file."""
    assert {chosen.partition("=")[0] for chosen in filters} <= {*LogFilter.base_fields}
    found = []
    for name, (how, _, wanted) in MATRIX.items():
        words = wanted.split()
        if GET in how and set(words) <= set(known):
            ways = product(*(known[word] for word in words))
            found += [reverse(name, kwargs={"slug": slug, **dict(zip(words, way, strict=True))}) for way in ways]
    log, export = reverse("log", args=[slug]), reverse("log_export", args=[slug])
    found += [f"{log}?words={words}" for words in ("vesper", "hush", "doom", "roll")]
    return [*found, *(f"{log}?{chosen}" for chosen in filters), *(f"{export}?as={form}" for form in FORMS), "/"]


def api_paths(known: dict[str, list[Any]]) -> list[str]:
    """Return all API paths for the known ids."""
    known = {**known, "field": ["strength"], "stream": ["table"]}
    found = []
    for name, (how, _, path, _) in API.items():
        words = [word for _, word, _, _ in Formatter().parse(path) if word]
        if how == "get" and name not in BESIDE_DJANGO and set(words) <= set(known):
            ways = product(*(known[word] for word in words))
            found += [path.format(**dict(zip(words, way, strict=True))) for way in ways]
    return [*found, "/streams/table/events?proof=true", "/events?words=vesper", "/events?order=oldest&limit=200"]


def everything_answered(
    cast: Cast, caller: Caller, known: dict[str, list[Any]], filters: list[str]
) -> dict[str, tuple[int, bytes, dict[str, str]]]:
    told = {}
    with time_machine.travel(BEGIN + timedelta(hours=5), tick=False):
        pages = ((url, cast.other_player.client.get) for url in addresses(cast.campaign.slug, known, filters))
        asked = ((path, caller.get) for path in api_paths(known))
        for url, ask in (*pages, *asked):
            answer = ask(url)
            content = answer.getvalue() if answer.streaming else answer.content
            headers = {name: value for name, value in answer.headers.items() if name != "Content-Length"}
            told[url] = (answer.status_code, content, headers)
    return told


@pytest.mark.only_on("sqlite")  # PostgreSQL's sequences go on counting when something is taken back.
@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en-gb", "de"])
def test_nothing_that_is_answered_tells_of_what_was_done_in_secret(monkeypatch, patience, language):
    nothing_is_random(monkeypatch)
    with time_machine.travel(BEGIN - timedelta(days=1), tick=False):
        cast = gathered()
        User.objects.update(language=language)
        caller = calls(cast.other_player, days=None)
    assert cast.other_player.client  # signed in before, so that this is no part of either evening
    told, filters = [], some_filters()
    for secrets in (False, True):
        before = transaction.savepoint()
        auth._counted.clear()  # what the reader's own program has asked for, in one evening after the other
        evening = Evening(cast, secrets=secrets)
        told.append(everything_answered(cast, caller, evening.happens(), filters))
        transaction.savepoint_rollback(before)
    plain, full = told
    assert evening.secret_operations > 20
    assert sum(status == 200 for status, _, _ in plain.values()) > 80
    assert [url for url in plain if plain[url] != full[url]] == []
