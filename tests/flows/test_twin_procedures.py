"""Two evenings on which the same is settled at the table, by all games, and that differ only in what was done in secret, are the
same to who may not know of it: hidden characters and crews made by every form, edits of sheets that they may not read while
something goes by these, procedures that are told to others."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from itertools import cycle
from typing import Any
from uuid import UUID

import pytest
import time_machine
from django.db import transaction
from django.test import Client
from django.urls import reverse

from campaigns.access import viewer_of
from campaigns.live.campaign_feed import Readers, frames_of
from campaigns.models import Event
from campaigns.services import play
from campaigns.services.campaigns import start_watching, watch_token
from characters.models import Character
from characters.services import cards
from characters.services.fields import set_field
from rolls.models import Audience, Procedure
from rolls.registry import procedures_of
from rolls.services.procedures import close_procedure
from rolls.services.rolls import make_roll
from rules.procedures import OPEN
from rulesets.descriptors import terms as descriptors
from tests.cast import Cast, gathered
from tests.dom import Node
from tests.flows.robot import WAYS, Press, Robot, filled, forms_of
from tests.flows.test_twin import BEGIN, Evening, addresses, nothing_is_random, some_filters
from tests.sheets import rewrite

HIDDEN = "Aaa Unseen"
"""A hidden name that would be listed first wherever it were shown by mistake."""

SHEETS: dict[str, dict[str, Any]] = {
    "storyteller": {"perception": 3, "wits": 2, "dexterity": 2, "willpower": 5, "willpower_now": 5},
    "arc": {"control": 5, "skills": [{"id": "t1", "at": 1, "name": "Tamper", "es": 5, "stat": "control"}]},
    "forged": {"prowl": 2, "skirmish": 1, "items": [{"id": "a1", "at": 1, "name": "A lantern", "load": 1}]},
    "descriptors": {
        "descriptors": [{"id": "r1", "at": 1, "name": "Swordplay", "dice": 3, "category": ""}],
        "injuries": [{"id": "i1", "at": 1, "name": "Cut hand", "dice": 2}],
    },
}
KINDS = ("system", "of")
"""Fields that choose the kind of thing to make."""

NOBODYS = {"known": "hidden", "owner": "", "beyond": "on"}
"""The fields with which a GM adds someone hidden."""

EDITS = {"storyteller": "perception", "arc": "base_movement", "forged": "prowl", "descriptors": "power_1"}
"""The fields of NPC's sheets that are changed and restored while a procedure depends on them. Nobody rolls in between."""


class Settled(Evening):
    """Everybody has a character of every game, and the GM an NPC of whom all know; there are two crews."""

    def __init__(self, cast: Cast, *, secrets: bool, presses: list[Press] | None = None) -> None:
        super().__init__(cast, secrets=secrets)
        self.cast = cast
        self.robot = Robot(cast, self._at_next, presses)
        self.npcs: dict[str, Character] = {}

    def _at_next(self, operation: Callable[[UUID], Any], *, tries: bool = False) -> Any:
        return self._at(self.moment + timedelta(minutes=1), operation) if tries else self.openly(operation)

    def happens(self) -> dict[str, list[Any]]:
        self.openly(lambda key: play.start_session(self.gm, "One", key=key))
        self.openly(lambda key: play.open_scene(self.gm, "Roof", key=key))
        known = self._sit_down()
        self.secretly(*self.unseen())
        edits = cycle(self.secret_edits())
        for _ in self.robot.settles():
            self.secretly(*next(edits))
        self.openly(lambda key: play.close_scene(self.gm, key=key))
        for _ in self.robot.settles():
            self.secretly(*next(edits))
        return {"character_id": known, "system": ["storyteller"], "number": [1], "scene_number": [1]}

    def _sit_down(self) -> list[UUID]:
        known = []
        for system, sheet in SHEETS.items():
            for name, owner in (("Bob", self.mo), ("Corvina", self.other), ("Warden", None)):
                card = cards.Card(f"{name} {system}", "", owner)
                made = self.openly(
                    lambda key, card=card, system=system: cards.make_character(self.gm, card, system=system, key=key)
                )
                rewrite(made, sheet=sheet)
                known.append(made.pk)
            self.npcs[system] = Character.objects.get(pk=known[-1])
        crew = cards.Card("The Lamps")
        make = cards.make_character
        made = self.openly(lambda key: make(self.gm, crew, system="forged", is_crew=True, key=key))
        return [*known, made.pk]

    def unseen(self) -> list[Callable[[UUID], Any]]:
        """Hidden characters by every form that makes one, and of every kind that it offers."""
        slug, gm = self.cast.campaign.slug, self.cast.gm.client
        card = cards.Card(f"{HIDDEN} template", "", None, shown=False)
        first = cards.make_character
        pages = [reverse(name, args=[slug]) for name in ("character_new", "npc_new")]
        pages += [reverse("character_guided", args=[slug, system]) for system in SHEETS]

        def hide(page: str, form: Node, more: dict[str, Any], key: UUID) -> None:
            for way in range(WAYS):
                given = {name: value for name, value in filled(form, way).items() if name not in ("shown", "more")}
                typed = given | more | {"key": str(UUID(bytes=key.bytes, version=4))}
                if gm.post(page, typed).status_code == 302:
                    return
            raise AssertionError(f"{page} makes nothing hidden of {more}")

        found: list[Callable[[UUID], Any]] = [lambda key: first(self.gm, card, system="arc", key=key)]
        if not self.secrets:
            return found
        for page in pages:
            read = self._at(self.moment, lambda key, page=page: gm.get(page).content.decode())
            for form in forms_of(read):
                ways = _hiding(form, len(found))
                found += [lambda key, made=(page, form, more): hide(*made, key) for more in ways]
        return found

    def secret_edits(self) -> list[list[Callable[[UUID], Any]]]:
        """Return secret operations for each game in turn: an edit that is reverted, and a private procedure."""
        each = []
        for system, npc in self.npcs.items():
            each.append([*self._there_and_back(npc, EDITS[system]), *self._of_hidden_ones(), *self._privately()])
        return each

    def _there_and_back(self, npc: Character, field: str) -> list[Callable[[UUID], Any]]:
        def edit(key: UUID, put: Callable[[Any], Any]) -> None:
            there = Character.objects.get(pk=npc.pk)
            now = there.value(field)
            set_field(self.gm, there, field, put(now), expected=now, key=key)

        def other(now: Any) -> Any:
            return (not now) if isinstance(now, bool) else now + 1

        def back(now: Any) -> Any:
            return (not now) if isinstance(now, bool) else now - 1

        return [lambda key: edit(key, other), lambda key: edit(key, back)]

    def _of_hidden_ones(self) -> list[Callable[[UUID], Any]]:
        """Return an operation that gives the hidden crew heat."""

        def heat(key: UUID) -> None:
            crew = Character.objects.filter(is_crew=True, shown=False).first()
            assert crew
            now = crew.number("heat")
            set_field(self.gm, crew, "heat", (now + 1) % 6, expected=now, key=key)

        return [heat]

    def _privately(self) -> list[Callable[[UUID], Any]]:
        """Return operations on a contest of the GM's own, and one between a player and the GM; they end, or go on
        beside public ones.
        """
        mine = Character.objects.get(owner=self.mo, system="descriptors")

        def roll(by: Any, audience: Audience, key: UUID) -> None:
            given = {"character": mine.pk} if by == self.mo else {}
            ask = descriptors.DescriptorsInput(pool="3", against="1", versus="x", **given)
            make_roll(by, ask, audience=audience, key=key)

        def end(key: UUID) -> None:
            there = Procedure.objects.filter(closed_at=None).exclude(stream="table").first()
            if there:
                close_procedure(self.gm, there.pk, key=key)

        return [
            lambda key: roll(self.gm, Audience.GM, key),
            lambda key: roll(self.mo, Audience.SELF, key),
            end,
        ]


def _hiding(form: Node, number: int) -> list[dict[str, Any]]:
    """Return the values with which a form makes something hidden, one for each kind that it offers; [] if it hides nothing."""
    fields = [one for one in form.walk() if one.attrs.get("name")]
    names = {one.attrs["name"] for one in fields}
    if "name" not in names or not names & {"known", "shown"}:
        return []
    given = {name: value for name, value in NOBODYS.items() if name in names}
    kinds = [
        {str(field.attrs["name"]): option.attrs.get("value") or ""}
        for field in fields
        if field.attrs["name"] in KINDS
        for option in field.walk()
        if option.tag == "option"
    ]
    return [given | {"name": f"{HIDDEN} {number} {at}"} | kind for at, kind in enumerate(kinds or [{}])]


def readers(cast: Cast, linked: Client) -> dict[str, Client]:
    return {"other": cast.other_player.client, "spectator": cast.spectator.client, "linked": linked}


def everything_told(
    cast: Cast, linked: Client, known: dict[str, list[Any]], filters: list[str]
) -> dict[tuple[str, str], tuple[int, bytes]]:
    """Return every page and file that they can request, and every frame that they are sent."""
    told: dict[tuple[str, str], tuple[int, bytes]] = {}
    slug = cast.campaign.slug
    urls = {
        "other": addresses(slug, known, filters),
        "spectator": [reverse(name, args=[slug]) for name in ("table", "log", "characters", "party")],
        "linked": [reverse(name, args=[slug]) for name in ("table", "log", "characters", "log_export")],
    }
    with time_machine.travel(BEGIN + timedelta(hours=12), tick=False):
        for who, client in readers(cast, linked).items():
            for url in urls[who]:
                answer = client.get(url)
                content = answer.getvalue() if answer.streaming else answer.content
                told[who, url] = (answer.status_code, content)
        viewer = viewer_of(cast.other_player.user, {}, slug)
        for event in Event.objects.seen_by(viewer).with_related().select_related("campaign").order_by("pk"):
            pages = Readers(viewer.role, "en-gb")
            frame = frames_of([event], [pages])[0]
            told["frame", f"{event.stream.name} {event.seq}"] = (200, frame.texts[pages].encode())
    return told


@pytest.mark.only_on("sqlite")  # PostgreSQL's sequences go on counting when something is taken back.
@pytest.mark.django_db
def test_nothing_that_is_settled_in_the_open_tells_of_what_was_done_in_secret(monkeypatch, patience):
    nothing_is_random(monkeypatch)
    with time_machine.travel(BEGIN - timedelta(days=1), tick=False):
        cast = gathered()
        link = UUID(int=7, version=4)
        start_watching(cast.gm.member, key=link)
        linked = Client()
        linked.get(reverse("watch", args=[watch_token(link)]))
        for person in cast.everybody.values():
            assert person.client  # signed in before, so that this is no part of either evening
    filters, presses, evenings, told = some_filters(), None, [], []
    for secrets in (False, True):
        before = transaction.savepoint()
        evening = Settled(cast, secrets=secrets, presses=presses)
        known = evening.happens()
        presses = presses or evening.robot.presses
        evenings.append(evening)
        told.append(everything_told(cast, linked, known, filters))
        if secrets:
            hidden = Character.objects.filter(owner=None, shown=False)
            assert {one.system for one in hidden} == {*SHEETS} and hidden.filter(is_crew=True).exists()
            assert Procedure.objects.exclude(stream="table").count() > 10
        transaction.savepoint_rollback(before)
    plain, full = told
    opens = {(system, kind) for system, kind, rules in procedures_of(cast.campaign.systems) if OPEN in rules.forms}
    assert opens - evenings[0].robot.opened == set()
    assert evenings[0].robot.answers == evenings[1].robot.answers
    assert evenings[1].secret_operations > 100
    assert [place for place in plain.keys() | full.keys() if plain.get(place) != full.get(place)] == []
