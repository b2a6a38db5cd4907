"""A check at the table, through services: announced or called, set, with what speaks for it and against it, and rolled."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Blocked, NotFound
from campaigns.live.render import render_line, render_live
from campaigns.models import Event, Role
from rolls.models import Procedure
from rolls.queries.procedures import open_procedures
from rolls.services.procedures import act, open_procedure
from rules.acts import ActKey
from rulesets.arc.rules.check import Chip, Typed
from tests.answers import refusal
from tests.cast import seat_at
from tests.rulesets.arc.samples import BLANK

RAIN = {"side": "", "word": "rain", "value": "-1", "special": None}


def begin(by, **given):
    return open_procedure(by, "arc", "check", BLANK | given, reason="the old gate", key=uuid4())


def announce(checks, **given):
    return begin(checks.mo, **{"character": checks.silas.pk, "skill": "tamper"} | given)


def press(by, procedure, step, whom="", **given):
    return act(by, procedure.pk, ActKey(step, whom), given=given, key=uuid4())


def asked(procedure, part="a"):
    return procedure.requests.get(part=part, closed_at=None)


def roll(checks, procedure, face, part="a", **ask):
    """Roll for this side by the member asked, with the GM's terms."""
    request = asked(procedure, part)
    terms = {name: request.terms[name] for name in ("kind", "other", "level", "threshold") if name in request.terms}
    nothing = {"stat": "", "skill": ""} if "skill" in request.terms else {}
    return checks.roll(face, by=request.member, request=request.pk, **terms | nothing | ask)


def guarded(checks, **given):
    """Silas picks a lock while Vesper keeps watch: 7 + 4 and 6 + 5 before the dice."""
    them = {"character": checks.silas.pk, "skill": "tamper", "against": checks.vesper.pk, "against_skill": "watch"}
    return begin(checks.gm, **them | given)


def said(checks):
    """Return the log's lines, as players read them."""
    told = [event for event in checks.events() if event.kind.startswith("rolls.procedure")]
    return [event.described["said"] for event in told if event.described["said"]]


def shown(checks):
    (one,) = open_procedures(seat_at(checks.other))
    return one


def test_announced_set_with_one_press_and_rolled_with_one_more(checks):
    procedure = announce(checks)
    assert said(checks) == ["Silas Grey announced a check: Control + Tamper."]
    assert not procedure.requests.exists()
    press(checks.gm, procedure, "level", "difficult")
    assert asked(procedure).member == checks.mo
    made = roll(checks, procedure, 5)
    assert (made.outcome["result"], made.ask["threshold"], made.character) == ("success", 12, checks.silas)
    assert Procedure.objects.get().closed_at
    assert said(checks)[1] == "Silas Grey’s check was set: Control + Tamper, difficult 12."


def test_who_announced_it_has_a_button_that_takes_it_back(checks):
    procedure = announce(checks)
    told = checks.events()[-1]
    for role, there in ((Role.PLAYER, True), (Role.GM, False)):
        assert ('value="withdraw~' in render_live(told, role)) == there
    press(checks.mo, procedure, "withdraw")
    assert Procedure.objects.get().closed_at


def test_what_a_player_proposes_waits_for_a_gm(checks):
    procedure = announce(checks, other=Typed(1, (Chip(word="a good lantern", value=1),)))
    press(checks.mo, procedure, "chip", **RAIN)
    assert [one["look"] for one in shown(checks)["staged"]["sides"][0]["entries"]] == ["proposed", "proposed"]
    press(checks.gm, procedure, "count", "c1")
    press(checks.gm, procedure, "level", "average")
    assert asked(procedure).terms["chips"] == [{"word": "a good lantern", "value": 1}]
    made = roll(checks, procedure, 5)
    assert (made.outcome["total"], made.event.described["chips"][0]["words"]) == (17, "a good lantern")
    assert "a good lantern +1" in render_line(made.event, Role.PLAYER)


def test_both_owners_roll_in_any_order_and_a_tie_fails_for_who_acts(checks):
    for order, face, result in ((("a", "b"), 5, "failure"), (("b", "a"), 5, "failure"), (("b", "a"), 4, "success")):
        procedure = guarded(checks)
        faces = {"a": 5, "b": face}
        with pytest.raises(NotFound):
            checks.roll(5, request=asked(procedure, "b").pk, kind="opposed")
        made = {part: roll(checks, procedure, faces[part], part) for part in order}
        assert made[order[0]].outcome["result"] == "open"
        assert made[order[1]].event.parent == made[order[0]].event
        assert Procedure.objects.get(pk=procedure.pk).state["sides"][0]["result"] == result
        ends = "succeeded" if result == "success" else "failed"
        assert said(checks)[-1] == f"Silas Grey {ends} against Vesper."


def test_the_first_card_says_what_came_of_it_whoever_acted(checks):
    procedure = guarded(checks)
    first = roll(checks, procedure, 4, "b")
    assert "waiting for Silas Grey’s check" in render_line(first.event, Role.PLAYER)
    second = roll(checks, procedure, 5)
    assert second.event.described["headline"] == "Success"
    for event in (Event.objects.with_related().get(pk=first.event.pk), first.event):
        line = render_line(event, Role.GM)
        assert "data-counter" not in line
    assert "Not countered" in render_line(Event.objects.with_related().get(pk=first.event.pk), Role.PLAYER)


def test_nobody_else_counters_a_check_that_the_table_settles(checks):
    procedure = guarded(checks)
    first = roll(checks, procedure, 5)
    refused = refusal(Blocked, checks.roll, 5, by=checks.gm, kind="opposed", against=first.pk)
    assert "Vesper counters that check" in refused.message


def test_a_gm_rolls_for_somebody_who_has_no_sheet(checks):
    procedure = guarded(checks, against=None, against_name="A hound", against_skill="")
    made = checks.roll(
        2,
        by=checks.gm,
        character=None,
        stat="",
        skill="",
        ks=6,
        us=3,
        es=4,
        kind="opposed",
        request=asked(procedure, "b").pk,
    )
    assert (made.character, made.ask["versus"]) == (None, "Silas Grey")
    roll(checks, procedure, 5)
    assert said(checks)[-1] == "Silas Grey succeeded against A hound."
