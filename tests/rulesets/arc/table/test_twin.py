"""Two tables that differ in nothing but unknown scores are the same to players, on every page and in every file, as long as no
result differs: checks announced, called, set, with chips, opposed, taken back, and what is still under way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID, uuid5

import pytest
import time_machine
from django.db import transaction
from django.urls import reverse

from campaigns.services.log import happening_at
from characters.models import Character
from characters.services import cards
from rolls.models import Procedure
from rolls.services import rolls
from rolls.services.procedures import act, open_procedure, take_back_step
from rolls.services.requests import Call, ask_for_roll
from rolls.services.rolls import make_roll
from rules.acts import ActKey
from rulesets.arc.rules.check import Chip, Typed
from rulesets.arc.terms import ArcInput
from tests import dice
from tests.cast import Cast, gathered
from tests.flows.test_twin import BEGIN, addresses, nothing_is_random, some_filters
from tests.rolls.checks import GUARD, PICKLOCK
from tests.rolls.steps import newest_step
from tests.rulesets.arc.procedures.test_check import RAIN
from tests.rulesets.arc.samples import BLANK
from tests.sheets import rewrite

LIKE = {"silas": 1, "vesper": 1}
UNLIKE = {"silas": 4, "vesper": 5}
"""With the dice of this evening no result tells them apart: against 9 and 12 Silas comes to 13 or 16; against Vesper's 9 or 13 as
well."""
FACES = {"silas": 5, "vesper": 2}


class Evening:
    """Operations in their order, each at a moment and with a key of its own."""

    def __init__(self, cast: Cast, unknown: dict[str, int]) -> None:
        self.gm, self.mo, self.moment = cast.gm.member, cast.player.member, BEGIN
        self.silas = self._sits("Silas", self.mo, PICKLOCK, us_control=unknown["silas"])
        self.vesper = self._sits("Vesper", None, GUARD | {"size": "large"}, us_intellect=unknown["vesper"])

    def _sits(self, name: str, owner: Any, sheet: dict[str, Any], **secret: int) -> Character:
        card = cards.Card(name, "", owner)
        made = self.do(lambda key: cards.make_character(self.gm, card, system="arc", key=key))
        rows = [row | {"at": at} for at, row in enumerate(sheet["skills"])]
        rewrite(made, sheet=sheet | {"skills": rows}, secret=secret)
        return made

    def do(self, operation: Callable[[UUID], Any], *faces: int) -> Any:
        self.moment += timedelta(minutes=1)
        dice.unload()
        dice.load(*faces)
        with time_machine.travel(self.moment, tick=False), happening_at(self.moment):
            done = operation(uuid5(UUID(int=0), self.moment.isoformat()))
        dice.unload()
        return done

    def press(self, by: Any, procedure: Procedure, step: str, whom: str = "", **given: Any) -> None:
        self.do(lambda key: act(by, procedure.pk, ActKey(step, whom), given=given, key=key))

    def begin(self, by: Any, **given: Any) -> Procedure:
        return self.do(lambda key: open_procedure(by, "arc", "check", BLANK | given, reason="the gate", key=key))

    def roll(self, procedure: Procedure, part: str = "a") -> Any:
        request = procedure.requests.get(part=part, closed_at=None)
        who = "silas" if part == "a" else "vesper"
        terms = {name: request.terms[name] for name in ("kind", "other", "level", "threshold") if name in request.terms}
        ask = ArcInput(character=getattr(self, who).pk, request=request.pk, **terms)
        by = self.mo if part == "a" else self.gm
        return self.do(lambda key: make_roll(by, ask, audience="table", key=key), FACES[who])

    def happens(self) -> dict[str, list[Any]]:
        mine = {"character": self.silas.pk, "skill": "tamper"}
        lantern = Typed(1, (Chip(word="a lantern", value=1),))
        check = self.begin(self.mo, **mine, other=lantern)
        self.press(self.mo, check, "chip", **RAIN)
        for key in ("c1", "c2"):
            self.press(self.gm, check, "count", key)
        self.press(self.gm, check, "level", "difficult")
        made = self.roll(check)
        for order in ("ab", "ba"):
            both = self.begin(self.gm, **mine, against=self.vesper.pk, against_skill="watch", fight=True)
            for part in order:
                last = self.roll(both, part)
            self.do(lambda key, roll=last.pk: rolls.void_roll(self.gm, roll, key=key))
            self.roll(both, order[-1])
        self._under_way(mine)
        return {"character_id": [self.silas.pk, self.vesper.pk], "roll_id": [made.pk], "uid": [made.event.uid]} | {
            "system": ["arc"]
        }

    def _under_way(self, mine: dict[str, Any]) -> None:
        """Begin an announced check, one set and undone, one that one side has rolled, and a request."""
        self.press(self.mo, self.begin(self.mo, **mine), "chip", **RAIN)
        taken_back = self.begin(self.mo, **mine)
        self.press(self.gm, taken_back, "level", "easy")
        self.do(lambda key: take_back_step(self.gm, taken_back.pk, step=newest_step(taken_back), key=key))
        half = self.begin(self.gm, **mine, against=self.vesper.pk, against_skill="watch")
        self.roll(half, "b")
        call = Call(ArcInput(stat="control", skill="tamper", other=-1, chips=(Chip(word="rain", value=-1),)))
        self.do(lambda key: ask_for_roll(self.gm, call, member=self.mo.pk, key=key))


def answered(person: Any, cast: Cast, known: dict[str, list[Any]], filters: list[str]) -> dict[str, tuple[int, bytes]]:
    """Return every page and file for Mo; the table and the log, as pages and files, for the others, who have no other pages."""
    slug = cast.campaign.slug
    log, odds, silas = reverse("log", args=[slug]), reverse("odds", args=[slug]), known["character_id"][0]
    urls = [
        *addresses(slug, known, filters),
        *(f"{log}?words={words}" for words in ("lantern", "rain", "Vesper", "check")),
    ]
    skill = f"{odds}?system=arc&character={silas}&stat=control&skill=tamper"
    urls += [skill, f"{skill}&threshold=3", f"{skill}&other=rain+-1", f"{skill}&kind=opposed&other=50"]
    for request in Procedure.objects.filter(closed_at=None).values_list("requests", flat=True):
        urls.append(f"{skill}&request={request}")
    if person is not cast.player:
        files = reverse("log_export", args=[slug])
        urls = [url for url in urls if url in (log, reverse("table", args=[slug])) or url.startswith(files)]
    told = {}
    with time_machine.travel(BEGIN + timedelta(hours=5), tick=False):
        for url in urls:
            answer = person.client.get(url)
            told[url] = answer.status_code, answer.getvalue() if answer.streaming else answer.content
    return told


def answered_alike(
    monkeypatch: Any, settings: Any, evenings: Sequence[Callable[[Cast], Evening]], page: str, fewest: int
) -> list[bytes]:
    """Return the table's page as each reader has it. All that players are answered is the same at both tables, with more than
    so few pages that are there; but not what a GM reads on a `page` of the campaign, or of the first character."""
    settings.RATE_LIMIT = 1_000_000
    nothing_is_random(monkeypatch)
    with time_machine.travel(BEGIN - timedelta(days=1), tick=False):
        cast = gathered()
    readers = (cast.player, cast.other_player, cast.spectator)
    assert all(reader.client for reader in (*readers, cast.gm))
    told, filters = [], some_filters()
    for evening in evenings:
        before = transaction.savepoint()
        known = evening(cast).happens()
        heard = [answered(reader, cast, known, filters) for reader in readers]
        whose = known["character_id"][:1] if page == "character" else []
        told.append((heard, cast.gm.client.get(reverse(page, args=[cast.campaign.slug, *whose])).content))
        transaction.savepoint_rollback(before)
    (like, gm_like), (unlike, gm_unlike) = told
    for one, other in zip(like, unlike, strict=True):
        assert sum(status == 200 for status, _ in one.values()) > fewest
        assert [url for url in one if one[url] != other[url]] == []
    assert gm_like != gm_unlike, "or there would be nothing to tell"
    return [one[reverse("table", args=[cast.campaign.slug])][1] for one in like]


@pytest.mark.only_on("sqlite")  # PostgreSQL's sequences go on counting when something is taken back.
@pytest.mark.django_db
def test_nothing_that_players_are_answered_tells_of_a_us_but_a_result(monkeypatch, settings):
    answered_alike(monkeypatch, settings, [partial(Evening, unknown=us) for us in (LIKE, UNLIKE)], "table", 5)
