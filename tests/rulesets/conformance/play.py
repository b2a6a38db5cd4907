"""A table at which every sample of a ruleset is rolled, through the forms that people use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import product
from uuid import uuid4

from django.db import transaction
from django.forms import BooleanField, IntegerField
from django.http import HttpResponse
from django.urls import reverse

from campaigns.models import Campaign, Clock
from campaigns.services.play import open_scene, start_session
from characters.models import Character
from characters.services.cards import Card, make_character
from characters.services.fields import add_row, set_field
from characters.sheets.fields import Text, Visibility
from rolls.events import request_words
from rolls.forms.base import CorrectionForm
from rolls.models import Procedure, Roll, RollRequest
from rolls.queries.requests import asked_for
from rolls.registry import kind_of
from rolls.ruleset import Ruleset
from rolls.settings import RollSettings
from rolls.table_rules import as_written
from tests.canaries import canary
from tests.cast import Cast, Person
from tests.rulesets.conformance.samples import LAST, Samples, Typed

MOST_CASES = 20_000
"""Rolls of more dice are not gone through one by one."""


@dataclass
class At:
    """Who sits there with what, and the rolls that were made, by what they are; `before` is what the sheet held before them."""

    cast: Cast
    ruleset: Ruleset
    character: Character
    before: dict[str, object]
    rolls: dict[str, Roll] = field(default_factory=dict)

    def post(self, person: Person, name: str, *args: object, **fields: object) -> HttpResponse:
        url = reverse(name, args=[self.cast.campaign.slug, *args])
        headers = {"hx-request": "true", "hx-trigger": "roll"}
        return person.client.post(url, {"key": uuid4(), "system": self.ruleset.name} | fields, headers=headers)

    def page(self, person: Person, name: str, *args: object, **query: object) -> str:
        answer = person.client.get(reverse(name, args=[self.cast.campaign.slug, *args]), query)
        assert answer.status_code == 200, f"{name} of {self.ruleset.name}"
        return answer.content.decode()

    def sign_in(self) -> None:
        """Sign everyone in before anything is undone, which would undo their sessions too."""
        for person in (self.cast.gm, self.cast.player, self.cast.other_player, self.cast.spectator):
            self.page(person, "table")

    def values(self) -> dict[str, object]:
        """Return the current values of the sheet."""
        return values_of(Character.objects.with_related().get(pk=self.character.pk))

    def roll(self, what: str, typed: Typed) -> None:
        last = str(list(self.rolls.values())[-1].pk) if self.rolls else ""
        fields = {name: value.replace(LAST, last) for name, value in typed.items()}
        answer = self.post(self.cast.player, "roll", character=self.character.pk, **fields)
        assert answer.status_code == 204, f"{what}: {answer.content.decode()}"
        self.rolls[what] = Roll.objects.exclude(pk__in=[one.pk for one in self.rolls.values()]).get()

    def ask(self, what: str, asked: Typed, own: Typed) -> None:
        last = str(list(self.rolls.values())[-1].pk) if self.rolls else ""
        asked = {name: value.replace(LAST, last) for name, value in asked.items()}
        answer = self.post(self.cast.gm, "request_ask", member=self.cast.player.member.pk, **asked)
        assert answer.status_code == 204, f"asked for {what}: {answer.content.decode()}"
        request = RollRequest.objects.get(campaign=self.cast.campaign, closed_at=None)
        fields = self.ruleset.table.kind_of_request(request.terms).request_fields(request.terms)
        told = {name: str(value) for name, value in fields.items() if value is not None and value is not False}
        assert request_words(asked_for(request)) and set(told) <= set(self.ruleset.form.base_fields), what
        self.roll(what, {**told, **own, "request": str(request.pk)})


def values_of(now: Character) -> dict[str, object]:
    """Return the values of a sheet, with its lists."""
    return {name: now.value(name) for name in now.rules.fields} | {
        name: now.rules.rows(now.values, name) for name in now.rules.lists
    }


def stored(at: At) -> dict[object, object]:
    """Return what stands on sheets, on clocks and in procedures."""
    campaign = at.cast.campaign
    people = Character.objects.filter(campaign=campaign).with_related().with_rows()
    procedures = Procedure.objects.filter(campaign=campaign)
    return (
        {one.pk: (one.state, values_of(one)) for one in people}
        | {one.pk: (one.filled, one.archived_at) for one in Clock.objects.filter(campaign=campaign)}
        | {one.pk: (one.state, one.closed_at is None) for one in procedures}
    )


def answers(at: At, samples: Samples) -> Iterator[Mapping[str, object]]:
    """Yield what a person asked for a roll may enter, by the samples' rolls."""
    for typed in samples.rolls.values():
        form = at.ruleset.form(dict(typed))
        if form.is_valid():
            yield form.given()


def ways_to_fall(at: At, roll: Roll) -> Counter[str]:
    """Return in how many ways the dice of a roll fall to each of its results; none of a roll with too many dice."""
    sides, count = at.ruleset.expectation.sides(roll.kind, roll.ask, RollSettings()), len(roll.faces)
    if not 1 < sides**count <= MOST_CASES:
        return Counter()
    rolled = product(range(1, sides + 1), repeat=count)
    readings = (kind_of(roll).read(roll.ask, iter(faces), RollSettings()) for faces in rolled)
    return Counter(reading.outcome["result"] for reading in readings)


def sit_down(cast: Cast, ruleset: Ruleset, samples: Samples) -> At:
    Campaign.objects.filter(pk=cast.campaign.pk).update(systems=[ruleset.name])
    cast.campaign.refresh_from_db()
    character = _character(cast, ruleset, samples)
    at = At(cast, ruleset, character, {})
    at.before = at.values()
    for what, typed in samples.rolls.items():
        at.roll(what, typed)
    for what, (asked, own) in samples.asked.items():
        at.ask(f"{what}, asked for", asked, own)
    return at


def make_second(at: At, samples: Samples) -> Character:
    """Make another player's character with the same sheet, and a scene, so that procedures have two sides."""
    start_session(at.cast.gm.member, key=uuid4())
    open_scene(at.cast.gm.member, "the mill", key=uuid4())
    return _character(at.cast, at.ruleset, samples, whose=at.cast.other_player, name="Bo")


def _character(
    cast: Cast, ruleset: Ruleset, samples: Samples, *, whose: Person | None = None, name: str = "Ada"
) -> Character:
    """Make a player's character with the sample's values, and a canary in every text that only GMs may read."""
    mo, gm = (whose or cast.player).member, cast.gm.member
    made = make_character(mo, Card(name, "", mo), system=ruleset.name, key=uuid4())
    for name, one in ruleset.sheets[0].fields.items():
        if one.visibility is Visibility.SECRET and isinstance(one, Text):
            made = set_field(gm, made, name, canary("gm", "secret"), expected=made.value(name), key=uuid4())
    for name, value in samples.sheet.items():
        by = gm if made.field(name).visibility is Visibility.SECRET else mo
        made = set_field(by, made, name, value, expected=made.value(name), key=uuid4())
    for name, rows in samples.rows.items():
        for row in rows:
            made = add_row(mo, made, name, dict(row), key=uuid4())
    return made


def changes_of(form: type[CorrectionForm]) -> Iterator[tuple[str, str]]:
    """Yield each field of a correction with some possible values: choices, ends of numbers, nothing."""
    for name, term_field in form.base_fields.items():
        if name in CorrectionForm.base_fields:
            continue
        values: list[object] = [""]
        if choices := getattr(term_field, "choices", None):
            values += [value for value, _ in choices][:2]
        elif isinstance(term_field, IntegerField):
            values += [value for value in (term_field.min_value, term_field.max_value, 1) if value is not None]
        elif isinstance(term_field, BooleanField):
            values += ["on"]
        else:
            values += ["1", "words"]
        yield from ((name, str(value)) for value in dict.fromkeys(values))


def typed_again(form: type[CorrectionForm], roll: Roll) -> dict[str, str]:
    """Return what a browser sends of a roll's form if nothing is changed."""
    typed = {}
    for name, term_field in form.base_fields.items():
        if (term := roll.ask.get(name)) is not None:
            choices = [value for value, _ in getattr(term_field, "choices", ())]
            typed[name] = next((str(value) for value in choices if term_field.clean(value) == term), str(term))
    return typed


def writes_as_it_did(at: At, roll: Roll) -> bool:
    """Return whether a roll returns the same writes now as when it was made, whatever is on the sheets."""
    now = [as_written(one, [])["write"] for one in kind_of(roll).writes(roll)]
    return now == [one["write"] for one in roll.written]


@contextmanager
def undone() -> Iterator[None]:
    """Undo everything that happens inside."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
