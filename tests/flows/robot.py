"""A browser that finds out by itself what can be settled at a table, does some of it, and can do just the same once more.

It reads forms and buttons from the pages of those who may press them, so that procedures which a game has from tomorrow on are
played without a word about them here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import islice
from typing import Any
from uuid import UUID

from django.db import transaction
from django.test import Client
from django.urls import reverse

from campaigns.errors import ServiceError
from rolls.models import Audience, Procedure
from rolls.registry import RULESETS, procedures_of
from rolls.services.rolls import make_roll
from rules.procedures import OPEN
from tests.cast import Cast
from tests.dom import Node, parse

WAYS = 6
"""In which forms are filled, before it is given up to fill one well."""

STEPS = 4
"""The steps of one procedure."""

WORDS = {"number": "1", "email": "a@example.org"}
Typed = dict[str, list[str]]


@dataclass(frozen=True)
class Press:
    """Something that `who` posts; or a roll, with what it asks."""

    who: str
    url: str = ""
    typed: Mapping[str, Any] = field(default_factory=dict)
    roll: Any = None


ALL = Press("")
"""Where nothing more could be opened, before something else happens that may change that."""


def filled(form: Node, way: int) -> Typed:
    """Return what a browser would send of the form, filled in one of several ways."""
    given: Typed = {}
    selects = 0
    for node in form.walk():
        name, kind = node.attrs.get("name"), node.attrs.get("type") or "text"
        if not name or name == "key" or "disabled" in node.attrs:
            continue
        if node.tag == "select":
            options = [one.attrs.get("value") or "" for one in node.walk() if one.tag == "option"]
            # Whoever is opposed is someone else.
            taken = {value for values in given.values() for value in values}
            said = [option for option in options if option and option not in taken] or [*filter(None, options)] or [""]
            given.setdefault(name, []).append(said[(way + selects) % len(said)])
            selects += 1
        elif node.tag == "button" or kind == "radio":
            if (kind in ("submit", "radio") or "checked" in node.attrs) and name not in given:
                given[name] = [node.attrs.get("value") or ""]
        elif kind == "checkbox":
            if "checked" in node.attrs or way % 2:
                given.setdefault(name, []).append(node.attrs.get("value") or "on")
        elif node.tag in ("input", "textarea"):
            # What a field asks for that takes no other words, its placeholder says: "dexterity + firearms, or 5".
            said = re.search(r", or (\d+)$", node.attrs.get("placeholder") or "")
            words = said[1] if said else WORDS.get(kind, "Words")
            if kind == "number":
                words = str(max(int(words), int(node.attrs.get("min") or 0)))
            usual = words if "required" in node.attrs or way >= 2 else ""
            given.setdefault(name, []).append(node.attrs.get("value") or ("" if kind == "hidden" else usual))
    return given


def forms_of(page: str) -> list[Node]:
    return [node for node in parse(page).walk() if node.tag == "form"]


class Robot:
    """`at(operation)` does one at the next moment, under a key of its own, and with `tries=True` at that moment without going on
    to the next; what was done is in `presses`. What a request leaves to whoever rolls is answered by one of `own`; with
    `rolls_first` nothing is pressed while a roll is asked for, so that what could be called off is played. Given the presses of
    another, it does these and looks at no page."""

    def __init__(
        self,
        cast: Cast,
        at: Callable[..., Any],
        presses: list[Press] | None = None,
        own: Sequence[Mapping[str, Any]] = ({},),
        *,
        rolls_first: bool = False,
    ) -> None:
        self.cast, self.at, self.own, self.rolls_first = cast, at, own, rolls_first
        self.again = presses is not None
        self.presses: list[Press] = list(presses or ())
        self.answers: list[int] = []
        self.opened: set[tuple[str, str]] = set()

    def settles(self) -> Iterator[None]:
        """Open everything that is new here, with some steps of each; yield after each, so that other things may happen."""
        if self.again:
            while (press := self.presses.pop(0)) != ALL:
                self._do(press)
                yield
            return
        for system, kind, rules in procedures_of(self.cast.campaign.systems):
            if OPEN in rules.forms and (system, kind) not in self.opened:
                yield from self._opens(system, kind)
        self.presses.append(ALL)

    def _opens(self, system: str, kind: str) -> Iterator[None]:
        before = set(Procedure.objects.values_list("pk", flat=True))
        if self.opens(system, kind):
            yield
            yield from self.goes_on(before)

    def opens(self, system: str, kind: str) -> bool:
        """Open one by its form. Return whether that could be."""
        slug = self.cast.campaign.slug
        page = self._read("gm", reverse("procedure_new", args=[slug, system, kind]))
        url = reverse("procedure_open", args=[slug, system, kind])
        if not forms_of(page) or self._posts("gm", url, forms_of(page)[0]) >= 300:
            return False
        self.opened.add((system, kind))
        return True

    def goes_on(self, before: Collection[UUID]) -> Iterator[None]:
        """Take some steps of each procedure but these, and yield after each."""
        tried: dict[str, int] = {}
        for _ in range(STEPS):
            for one in Procedure.objects.exclude(pk__in=before).filter(closed_at=None):
                if self.rolls_first:
                    if self._rolls(one) or self._steps(one, tried):
                        yield
                    continue
                if self._steps(one, tried):
                    yield
                if self._rolls(one):
                    yield

    def _steps(self, procedure: Procedure, tried: dict[str, int]) -> bool:
        """Press what was pressed least so far."""
        offers = sorted(self._offers("gm", procedure), key=lambda offer: tried.get(offer[0], 0))
        for name, sent, form in offers[:3]:
            tried[name] = tried.get(name, 0) + 1
            url = reverse("procedure_act", args=[self.cast.campaign.slug, procedure.pk])
            if not form:
                return self._post("gm", url, [{"act": [sent]}]) < 300
            there = forms_of(self._read("gm", form))
            if there and self._posts("gm", url, there[0]) < 300:
                return True
        return False

    def can_do(self, who: str, procedure: Procedure) -> Iterator[Press]:
        """Yield what somebody can do there now, filled in well: its rolls, and the buttons on its card."""
        yield from filter(None, [self._roll(procedure)])
        url = reverse("procedure_act", args=[self.cast.campaign.slug, procedure.pk])
        for _, sent, form in self._offers(who, procedure):
            there = forms_of(self._read(who, form))[:1] if form else []
            ways = [filled(there[0], way) for way in range(WAYS)] if there else [] if form else [{"act": [sent]}]
            presses = (Press(who, url, typed) for typed in ways)
            yield from islice((press for press in presses if self.tried(press) < 300), 1)

    def _offers(self, who: str, procedure: Procedure) -> list[tuple[str, str, str]]:
        table = parse(self._read(who, reverse("table", args=[self.cast.campaign.slug])))
        card = table.by_id(f"procedure-{procedure.pk}-act")
        return list(offers_of(card)) if card else []

    def _rolls(self, procedure: Procedure) -> bool:
        """Answer what it asks for."""
        press = self._roll(procedure)
        return press is not None and self._does(press) < 300

    def _roll(self, procedure: Procedure) -> Press | None:
        request = procedure.requests.filter(closed_at=None).select_related("member__user").first()
        if request is None:
            return None
        kind = RULESETS[request.system].form.roll_input
        known = {one.name for one in fields(kind)}
        terms = {name: value for name, value in request.terms.items() if name in known and value is not None}
        terms = {name: tuple(value) if isinstance(value, list) else value for name, value in terms.items()}
        bound = {"request": request.pk, "character": request.character_id}
        who = next((name for name, one in self.cast.everybody.items() if one.user == request.member.user), "gm")
        for own in self.own:
            press = Press(who, roll=kind(**{**own, **terms, **bound}))
            if self.tried(press) < 300:
                return press
        return None

    def _posts(self, who: str, url: str, form: Node) -> int:
        return self._post(who, url, [filled(form, way) for way in range(WAYS)])

    def _post(self, who: str, url: str, ways: list[Typed]) -> int:
        """Send in the first of these ways that is accepted; otherwise do nothing."""
        for typed in ways:
            press = Press(who, url, typed)
            if self.tried(press) < 300:
                return self._does(press)
        return 422

    def _read(self, who: str, url: str) -> str:
        """Return a page, without a trace that it was read."""
        return str(self._without_trace(lambda key: self._client(who).get(url).content.decode()))

    def tried(self, press: Press) -> int:
        """Return the answer to what is done then without a trace."""
        answered = int(self._without_trace(lambda key: self.answer(press, key)))
        assert answered < 500, f"{press.who} is answered with an error: {press.url} {dict(press.typed)}"
        return answered

    def _without_trace(self, operation: Callable[[UUID], Any]) -> Any:
        before = transaction.savepoint()
        try:
            return self.at(operation, tries=True)
        finally:
            transaction.savepoint_rollback(before)

    def _does(self, press: Press) -> int:
        self.presses.append(press)
        return self._do(press)

    def _do(self, press: Press) -> int:
        self.answers.append(self.at(lambda key: self.answer(press, key)))
        return self.answers[-1]

    def answer(self, press: Press, key: UUID) -> int:
        return self.answered(press, key)[0]

    def answered(self, press: Press, key: UUID) -> tuple[int, str]:
        """Do it, and return the status and the text of the answer."""
        if press.roll is None:
            # As a browser makes them.
            typed = {**press.typed, "key": str(UUID(bytes=key.bytes, version=4))}
            answer = self._client(press.who).post(press.url, typed, headers={"hx-request": "true"})
            return int(answer.status_code), answer.content.decode()
        try:
            make_roll(self.cast.everybody[press.who].member, press.roll, audience=Audience.TABLE, key=key)
        except ServiceError as refused:
            return 422, str(refused.message)
        return 204, ""

    def _client(self, who: str) -> Client:
        return self.cast.everybody[who].client


def offers_of(card: Node) -> Iterator[tuple[str, str, str]]:
    """Yield what can be pressed on a card: (name, as it is sent, the address of its form)."""
    for node in card.walk():
        if node.tag == "button" and node.attrs.get("name") == "act":
            sent = node.attrs.get("value") or ""
            yield sent.partition(":")[0].partition("~")[0], sent, ""
        elif node.tag == "button" and "/procedures/" in (form := node.attrs.get("hx-get") or ""):
            yield form.rstrip("/").partition("?")[0].rstrip("/").rpartition("/")[2], "", form
