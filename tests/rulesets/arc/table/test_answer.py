"""Opposed checks: who wins, whose card says so, and who may have to do with it."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from campaigns.errors import Blocked, Invalid, NotFound
from rolls.models import Audience
from rolls.services import rolls
from rolls.templatetags.rolls import answered
from tests.answers import refusal
from tests.sheets import dress


@pytest.fixture
def picking(checks):
    """Roll for Silas to pick a lock: 7 + 4 + 5 = 16, and somebody may notice."""
    return checks.roll(5, kind="opposed")


def counter(checks, first, face, **ask):
    """Vesper keeps watch, with 6 + 5 and a d8 against an ES of 6."""
    return checks.roll(face, **{"by": checks.gm, "kind": "opposed", "against": first.pk} | ask)


def test_an_opposed_check_is_open_until_it_is_countered(checks, picking):
    payload = picking.event.described
    assert (picking.kind, payload["outcome"], payload["headline"], payload["adjustment"]) == (
        "opposed",
        "open",
        "Open",
        5,
    )
    assert answered(picking.event) is None


@pytest.mark.parametrize(
    ("face", "result", "headline"),
    [(4, "failure", "Not countered"), (5, "success", "Countered")],
)
def test_the_higher_check_wins_and_a_tie_fails_for_the_acting_side(checks, picking, face, result, headline):
    answer = counter(checks, picking, face)
    assert (answer.kind, answer.outcome["margin"]) == ("counter", 11 + face - 16)
    payload = answer.event.described
    assert (payload["outcome"], payload["headline"]) == (result, headline)
    assert payload["against"]["who"] == {"member": checks.mo.pk, "name": "Mo"}
    assert answer.event.parent == picking.event
    assert answered(picking.event) == answer.event


def test_a_check_is_countered_once(checks, picking):
    counter(checks, picking, 4)
    with pytest.raises(Blocked):
        counter(checks, picking, 4)


def test_what_was_countered_is_taken_back_after_its_counter(checks, picking):
    answer = counter(checks, picking, 4)
    assert "counters it first" in refusal(Blocked, rolls.void_roll, checks.gm, picking.pk, key=uuid4()).message
    rolls.void_roll(checks.gm, answer.pk, key=uuid4())
    rolls.void_roll(checks.gm, picking.pk, key=uuid4())
    with pytest.raises(Blocked):
        counter(checks, picking, 4)


@pytest.mark.parametrize("against", [None, UUID(int=1)])
def test_a_counter_needs_a_check_that_is_there(checks, picking, against):
    with pytest.raises(Invalid if against is None else NotFound):
        counter(checks, picking, 4, kind="counter", against=against)


def test_only_an_opposed_check_is_countered(checks, picking):
    for other in (checks.roll(5), checks.roll(5, kind="reaction"), counter(checks, picking, 4)):
        with pytest.raises(NotFound):
            counter(checks, other, 4)


def test_a_check_against_a_threshold_counters_nothing(checks, picking):
    assert checks.roll(5, against=picking.pk).event.parent is None
    assert answered(picking.event) is None


def test_a_private_check_is_countered_by_the_gm_for_the_same_eyes(checks):
    first = checks.roll(5, kind="opposed", audience=Audience.SELF)
    answer = counter(checks, first, 4, audience=Audience.TABLE)
    assert answer.audience == Audience.SELF
    assert answer.event.stream.name == first.event.stream.name == checks.mo.stream
    assert not checks.told()
    assert [event.parent and event.parent.uid for event in checks.told("gm")] == [None, first.event.uid]


def test_who_does_not_see_a_check_does_not_counter_it(checks):
    checks.corvina.system = "arc"
    dress(checks.corvina, sheet=checks.silas.sheet).save()
    own = {"by": checks.other, "stat": "control", "skill": "tamper"}
    for by, audience in ((checks.mo, Audience.SELF), (checks.mo, Audience.GM), (checks.gm, Audience.GM)):
        first = checks.roll(5, by=by, kind="opposed", audience=audience)
        with pytest.raises(NotFound):
            counter(checks, first, 4, **own)
    seen = checks.roll(5, kind="opposed")
    assert counter(checks, seen, 4, **own).event.described["headline"] == "Not countered"


def test_a_hidden_npc_counters_nothing_that_players_see(checks, picking):
    checks.vesper.shown = False
    checks.vesper.save()
    assert refusal(Invalid, counter, checks, picking, 4, audience=Audience.GM).field == "audience"
    hidden = checks.roll(5, by=checks.gm, kind="opposed", audience=Audience.GM)
    assert counter(checks, hidden, 4, audience=Audience.GM).event.stream.name == "gm"


def test_checks_that_belong_together_are_neither_corrected_nor_shown_alone(checks):
    first = checks.roll(5, by=checks.gm, kind="opposed", audience=Audience.GM)
    answer = counter(checks, first, 4)
    for roll in (first, answer):
        with pytest.raises(Blocked):
            rolls.correct_roll(checks.gm, roll.pk, {"note": "so"}, key=uuid4())
        with pytest.raises(Blocked):
            rolls.reveal_roll(checks.gm, roll.pk, key=uuid4())
    assert not checks.events()
