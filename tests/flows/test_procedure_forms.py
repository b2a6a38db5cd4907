"""Every form of every procedure of every game, where it is offered, with what people and machines send to break it: it is
answered, and where it is refused nothing has changed. Corrections of rolls, too."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from typing import Any

import pytest
from django.apps import apps
from django.db import models, transaction
from django.http import QueryDict
from django.urls import reverse

from campaigns.errors import InvalidForm, ServiceError
from campaigns.models import Campaign, Event, EventIndex
from characters.models import Character
from rolls.models import Procedure, Roll
from rolls.registry import RULESETS
from rolls.services.procedures import act, open_procedure
from tests.answers import refusal
from tests.dom import Node, parse
from tests.flows.by_chance import dice_by_chance, key
from tests.flows.reaching import Explorer, Place, every_form, opened_by_hand

pytestmark = pytest.mark.usefixtures("patience")

MISSING = "missing"
HYPHENS = "-" * 36
NOBODY = "00000000-0000-4000-8000-000000000000"
NASTY = (
    MISSING,
    "",
    "x",
    "x/y",
    "a:b",
    HYPHENS,
    f"aware:{HYPHENS}",
    f"{HYPHENS}:skills/x/es",
    ":skills/x/es",
    NOBODY,
    f"{NOBODY}/i1",
    f"aware:{NOBODY}",
    f"{NOBODY}:skills/x/es",
    "-1",
    "0",
    "101",
    "9" * 40,
    "1e309",
    "NaN",
    "٣",
    "\x00",
    "\x07\x1b",
    "\u202ex",
    "A" * 20_000,
    "[]",
    "scene/x",
    "../..",
)

SHAPES = ("{}", "{}/i1", "aware:{}", "{}:skills/x/es", "{}/descriptors/r1", "scene/{}")
"""In which forms send ids."""

PEOPLE = ("gm", "player", "other_player")
ANSWERS: Counter[int] = Counter()


def chosen(page: str) -> dict[str, list[str]]:
    """Return what a browser would send of a form just fetched; where nothing is chosen, the first choice."""
    given: dict[str, list[str]] = {}
    for node in parse(page).walk():
        name, kind = node.attrs.get("name"), node.attrs.get("type")
        if not name or node.tag not in ("input", "select", "textarea"):
            continue
        if node.tag == "select":
            given.setdefault(name, [value for value in _options(node) if value][:1])
        elif kind in ("checkbox", "radio"):
            there = given.setdefault(name, [])
            if "checked" in node.attrs or not there:
                there.append(node.attrs.get("value") or "on")
        else:
            given.setdefault(name, [node.attrs.get("value") or ""])
    return given


def _options(select: Node) -> list[str]:
    return [node.attrs.get("value") or "" for node in select.walk() if node.tag == "option"]


def with_odd(given: Mapping[str, Any], field: str, odd: str) -> dict[str, Any]:
    left = {name: values for name, values in given.items() if name != field}
    return left if odd == MISSING else left | {field: [odd]}


def rows_of(campaign: Campaign) -> tuple[int, list[Any]]:
    """Return the number of events, and every row of the campaign; events are only ever added."""
    kept = [one for one in apps.get_models() if one not in (Event, EventIndex) and _of_a_campaign(one)]
    rows = [sorted(map(repr, one._default_manager.filter(campaign=campaign).values_list())) for one in kept]
    return Event.objects.filter(campaign=campaign).count(), [repr(campaign.pk), rows]


def _of_a_campaign(model: type[models.Model]) -> bool:
    return any(field.name == "campaign" for field in model._meta.get_fields())


class Fuzz:
    """Sends odd things to forms of a campaign, each as if it were the only one; `wrong` says what of it went wrong."""

    def __init__(self, cast: Any) -> None:
        self.cast = cast
        self.wrong: list[tuple[object, ...]] = []
        self.fields = 0
        self.before: tuple[int, list[Any]] = (0, [])

    def looks(self) -> None:
        """Remember the campaign's rows before anything is sent; everything is undone."""
        self.before = rows_of(self.cast.campaign)

    @cached_property
    def odd(self) -> list[str]:
        """Return nonsense values, and ids of things that are somebody else's, hidden, or of another kind."""
        campaign = self.cast.campaign
        there = Character.objects.filter(campaign=campaign).order_by("name")
        others = [*there, *Event.objects.filter(campaign=campaign)[:1]]
        ids = [str(one.pk) for one in random.sample(others, 3)]
        return [*NASTY, *(shape.format(one) for one in ids for shape in SHAPES)]

    def place(self, place: Place) -> None:
        """Send odd values in each field of a form: all of them by those who get the form, some by others."""
        slug = self.cast.campaign.slug
        url, query = place.asked(slug)
        own = [*place.rules.forms[place.name]().fields]
        pages = {who: self.cast.everybody[who].client.get(url, query) for who in PEOPLE}
        filled = {who: chosen(page.content.decode()) for who, page in pages.items() if page.status_code == 200}
        assert filled, place.form
        for who, given in filled.items():
            self.leaves_out(who, place, given)
        drawn = [name for given in filled.values() for name in given if name != "key"]
        names = list(dict.fromkeys([*own, *drawn, "act", "client_seed"]))
        self.fields += len(names)
        self.looks()
        for who in PEOPLE:
            given = filled.get(who) or next(iter(filled.values()))
            if place.offer:
                given = {"act": [str(place.offer.key)]} | given
            others = [str(one.pk) for one in Procedure.objects.filter(campaign=self.cast.campaign)[:1]]
            for field in random.sample(names, 2):
                odd = [*self.odd, *others]
                for value in random.sample(odd, 3 if who in filled else 2):
                    about = (*place.form, who, field, value[:40])
                    self.sends(who, place.sent(slug), with_odd(given, field, value), about)

    def leaves_out(self, who: str, place: Place, sent: Mapping[str, list[str]]) -> None:
        """Leave out each value of a form, and all: programs may call the services themselves."""
        typed = QueryDict(mutable=True)
        for name, values in sent.items():
            typed.setlist(name, values)
        form = place.rules.forms[place.name](typed)
        given = form.cleaned_data if form.is_valid() else {}
        by = self.cast.everybody[who].member
        for left in (*([name] for name in given), [*given]):
            rest = {name: value for name, value in given.items() if name not in left}
            with transaction.atomic(), suppress(ServiceError):
                if place.offer and place.procedure:
                    act(by, place.procedure.pk, place.offer.key, given=rest, key=key())
                else:
                    open_procedure(by, place.system, place.kind, rest, key=key())
                transaction.set_rollback(True)

    def sends(self, who: str, url: str, given: Mapping[str, Any], about: tuple[object, ...]) -> int:
        sent = {**given, "key": str(key())}
        with transaction.atomic():
            try:
                status = self.cast.everybody[who].client.post(url, sent, headers={"hx-request": "true"}).status_code
            except Exception as error:  # what would be a 500
                self.wrong.append((*about, repr(error)[:160]))
                status = 500
            ANSWERS[status] += 1
            if status >= 500 or (status >= 400 and rows_of(self.cast.campaign) != self.before):
                self.wrong.append((*about, status))
            transaction.set_rollback(True)
        return int(status)


def test_whatever_is_sent_to_any_field_of_a_procedure_is_answered_and_changes_nothing_where_it_is_refused(
    cast, settings
):
    """Each form is tried in the state in which it is offered. A run takes three random kinds of procedures, and all of
    their forms.
    """
    settings.DICE_SOURCE = f"{dice_by_chance.__module__}.{dice_by_chance.__name__}"
    fuzz = Fuzz(cast)
    explorer = Explorer(cast, fuzz.place)
    explorer.sit_down()
    kinds = random.sample([*opened_by_hand(cast.campaign.systems)], 3)
    explorer.explores(kinds)
    wanted = {form for form in every_form() if form[:2] in kinds}
    print(f"{len(explorer.found)} forms, {fuzz.fields} fields, {ANSWERS.total()} posts: {dict(ANSWERS)}")
    assert wanted - explorer.found == set()
    assert fuzz.wrong == []


def rolls_of_each_kind(campaign: Campaign) -> Iterator[Roll]:
    rolls = Roll.objects.filter(campaign=campaign, voided_at=None).order_by("pk")
    yield from {(one.system, one.kind): one for one in rolls}.values()


def correction(cast, roll: Roll) -> tuple[str, dict[str, list[str]]]:
    page = cast.gm.client.get(reverse("roll_correction", args=[cast.campaign.slug, roll.pk])).content.decode()
    return reverse("roll_correct", args=[cast.campaign.slug, roll.pk]), chosen(page)


def test_whatever_is_sent_to_any_field_of_a_correction_is_answered_and_changes_nothing_where_it_is_refused(
    cast, played
):
    fuzz = Fuzz(cast)
    fuzz.looks()
    for roll in random.sample([*rolls_of_each_kind(cast.campaign)], 4):
        url, given = correction(cast, roll)
        for field in given:
            for value in random.sample(NASTY, 4):
                fuzz.sends("gm", url, with_odd(given, field, value), (roll.system, roll.kind, field, value[:40]))
    assert fuzz.wrong == []


def test_a_choice_of_a_correction_that_nobody_makes_leaves_the_roll_as_it_was(cast, played):
    """The games are tried one after the other, all kinds of roll at once; the choice is empty or not sent at all."""
    fuzz, looked = Fuzz(cast), set()
    fuzz.looks()
    for roll in rolls_of_each_kind(cast.campaign):
        url, given = correction(cast, roll)
        terms = [name for name in given if name not in ("key", "reason", "note")]
        new = [name for name in terms if (roll.system, name) not in looked]
        looked |= {(roll.system, name) for name in new}
        for names in (*([name] for name in new), terms):
            for odd in ("", MISSING):
                sent: Mapping[str, Any] = given
                for name in names:
                    sent = with_odd(sent, name, odd)
                fuzz.sends("gm", url, sent, (roll.system, roll.kind, *names, odd))
    assert len(looked) > 5
    assert fuzz.wrong == []


@pytest.mark.parametrize("place", sorted(every_form()), ids="-".join)
def test_what_is_left_out_of_a_form_of_a_procedure_is_as_if_untouched_or_is_refused(place):
    """So whatever reads a form finds every one of its values, whoever fills it in."""
    system, kind, name = place
    form = RULESETS[system].procedures[kind].forms[name]
    untouched = form({})
    needed = untouched.errors
    given = dict.fromkeys(untouched.fields, "given") | untouched.cleaned_data
    assert form.whole(given) == given
    for left in given:
        rest = {name: value for name, value in given.items() if name != left}
        if left not in needed:
            assert form.whole(rest) == given
            continue
        assert refusal(InvalidForm, form.whole, rest).errors == {left: needed[left]}
