"""Who is told of what happens to a procedure by itself: those for whom anything has changed by it."""

from __future__ import annotations

from uuid import uuid4

import pytest

from characters.models import Character
from characters.services.fields import set_field
from rolls.models import Procedure
from tests.rulesets.arc.procedures import events as tracker


def edit(by, character: Character, field: str, value: object) -> None:
    there = Character.objects.get(pk=character.pk)
    set_field(by, there, field, value, expected=there.value(field), key=uuid4())


def public(checks, stream: str = "table") -> list[str]:
    return [event.kind for event in checks.events(stream)]


def version(procedure: Procedure) -> int:
    return Procedure.objects.get(pk=procedure.pk).version


@pytest.mark.parametrize(("field", "value"), [("empathy", 9), ("base_movement", 10)])
def test_a_score_of_an_npc_that_moves_nobody_is_told_to_gms_alone(checks, field, value):
    fight = tracker.begin(checks.gm, checks.silas, checks.vesper)
    before, scores = (public(checks), version(fight)), tracker.shown(fight)["staged"]
    edit(checks.gm, checks.vesper, field, value)
    assert (public(checks), version(fight)) == before
    assert public(checks, "gm")[-1] == "rolls.procedure_changed"
    assert tracker.shown(fight)["staged"] != scores


def test_what_the_last_step_told_stands_when_a_score_is_changed_in_secret(checks):
    """Otherwise the dice of the equal ones would disappear from the card, which would betray it as well."""
    dogs = [tracker.line("Dog", many=2)]
    fight = tracker.begin(checks.gm, checks.silas, checks.vesper, lines=dogs, faces=(7, 2))
    known = tracker.shown(fight, is_gm=False)
    assert "d10: 7" in str(known["staged"])
    before = public(checks)
    edit(checks.gm, checks.vesper, "empathy", 9)
    assert public(checks) == before
    assert tracker.shown(fight, is_gm=False) == known


def test_a_score_that_puts_an_npc_elsewhere_is_told_as_that(checks):
    fight = tracker.begin(checks.gm, checks.silas, checks.vesper)
    before = version(fight)
    edit(checks.gm, checks.vesper, "som", 8)
    assert tracker.order(fight) == ["Silas Grey", "Vesper"]
    assert version(fight) == before + 1
    assert checks.events()[-1].described["said"] == "The order changed: Silas Grey, Vesper."


def test_a_step_that_somebody_takes_is_told_whatever_it_changes(checks):
    fight = tracker.begin(checks.gm, checks.silas, checks.vesper)
    before = len(public(checks))
    tracker.do(fight, checks.gm, "change", "Vesper", to="moves", before="")
    assert len(public(checks)) == before + 1
