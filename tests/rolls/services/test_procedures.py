"""What several people settle together: steps, rolls that count, races, and who is told; by the example of an extended action."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Blocked, Conflict, Invalid, NotFound
from campaigns.live.render import render_line, render_live
from campaigns.models import Role
from campaigns.services.members import remove_member
from characters.models import Character
from rolls.models import Procedure, RollRequest
from rolls.queries.procedures import open_procedures, openers
from rolls.services.procedures import act, close_procedure, open_procedure, take_back_step
from rolls.services.requests import change_request, close_request
from rolls.services.rolls import correct_roll, void_roll
from rules.acts import ActKey
from rulesets.storyteller.procedures.extended import Extended
from tests.answers import refusal
from tests.cast import seat_at
from tests.rolls.services.test_requests import call
from tests.rolls.steps import newest_step
from tests.rulesets.uninstall import uninstall

BEGIN = {"pool": "perception + alertness", "difficulty": 6, "goal": 5, "most": 3, "on_botch": "ends", "name": ""}


def begin(play, by=None, **given):
    """Silas acts, unless it is said otherwise."""
    given = BEGIN | {"character": play.silas.pk} | given
    return open_procedure(by or play.gm, "storyteller", "extended", given, reason="the old lock", key=uuid4())


def asked(procedure):
    return procedure.requests.get(closed_at=None)


def roll(play, procedure, *faces, **ask):
    """Make the roll that is waited for, by default of five dice."""
    terms = {"dice": None, "traits": ("perception", "alertness"), "request": asked(procedure).pk}
    return play.roll(*faces, **terms | ask)


def shown(play, who=None):
    return open_procedures(seat_at(who or play.watcher))


def test_rolls_are_added_up_until_there_are_enough(play):
    procedure = begin(play)
    roll(play, procedure, 7, 8, 2, 2, 2)
    assert shown(play)[0]["staged"]["notes"][0] == "2 of 5 successes, 1 roll"
    roll(play, procedure, 6, 6, 6, 2, 2)
    procedure.refresh_from_db()
    assert procedure.closed_at and not procedure.dropped and not shown(play)
    assert not RollRequest.objects.filter(closed_at=None).exists()
    told = play.events()[-2]
    assert (told.kind, told.described["said"]) == (
        "rolls.procedure_closed",
        "Silas Grey’s extended action: 5 of 5 successes, 2 rolls. The action succeeded.",
    )


def test_a_roll_that_is_corrected_counts_as_it_is_read_now(play):
    procedure = begin(play)
    wrong = roll(play, procedure, 7, 8, 5, 2, 2)
    roll(play, procedure, 7, 2, 2, 2, 2)
    right = {"difficulty": 5, "kind": "action", "ability": 2, "note": ""}
    correct_roll(play.gm, wrong.pk, right, key=uuid4())
    assert shown(play)[0]["staged"]["notes"][0] == "4 of 5 successes, 2 rolls"


def test_a_roll_that_was_corrected_is_taken_back_as_one_step(play):
    procedure = begin(play)
    wrong = roll(play, procedure, 7, 8, 5, 2, 2)
    correct_roll(play.gm, wrong.pk, {"difficulty": 5, "kind": "action", "ability": 2, "note": ""}, key=uuid4())
    take_back_step(play.gm, procedure.pk, step=newest_step(procedure), key=uuid4())
    assert shown(play)[0]["staged"]["notes"][0] == "0 of 5 successes, 0 rolls"


def test_the_gm_rolls_for_whoever_is_absent_and_the_card_says_so(play):
    procedure = begin(play)
    remove_member(play.gm, play.mo, key=uuid4())
    with pytest.raises(NotFound):
        roll(play, procedure, 7, 7, 2, 2, 2)
    made = roll(play, procedure, 7, 7, 2, 2, 2, by=play.gm)
    assert (made.character, made.by) == (play.silas, play.gm)
    assert shown(play)[0]["staged"]["notes"][0] == "2 of 5 successes, 1 roll"


def test_whoever_plays_the_character_by_now_is_asked(play):
    procedure = begin(play)
    roll(play, procedure, 7, 5, 5, 5, 5)
    Character.objects.filter(pk=play.silas.pk).update(owner=play.other)
    with pytest.raises(Blocked, match="You no longer play Silas Grey"):
        roll(play, procedure, 7, 5, 5, 5, 5)
    roll(play, procedure, 7, 5, 5, 5, 5, by=play.gm)
    assert asked(procedure).member == play.other
    assert roll(play, procedure, 7, 5, 5, 5, 5, by=play.other).character == play.silas


def test_dice_of_nobodys_sheet_are_the_gms_to_roll(play):
    procedure = begin(play, character=None, name="The flood", pool="4")
    made = play.roll(7, 7, 2, 2, by=play.gm, character=play.vesper.pk, request=asked(procedure).pk)
    assert made.character is None
    assert shown(play)[0]["staged"]["title"] == "The flood: 4 dice, difficulty 6"
    with pytest.raises(Conflict):
        play.roll(7, 7, 2, by=play.gm, request=asked(procedure).pk)


def test_the_request_of_a_procedure_is_changed_and_dropped_with_it_alone(play):
    procedure = begin(play)
    for refused in (
        lambda: change_request(play.gm, asked(procedure).pk, call(difficulty=2), key=uuid4()),
        lambda: close_request(play.gm, asked(procedure).pk, key=uuid4()),
    ):
        with pytest.raises(Blocked):
            refused()


def test_what_a_gm_closes_stays_closed_whatever_becomes_of_its_rolls(play):
    procedure = begin(play)
    made = roll(play, procedure, 7, 7, 2, 2, 2)
    close_procedure(play.gm, procedure.pk, key=uuid4())
    assert not shown(play) and not RollRequest.objects.filter(closed_at=None).exists()
    void_roll(play.gm, made.pk, key=uuid4())
    assert not shown(play) and "rolls.roll_voided" in play.kinds()[-2:]
    with pytest.raises(Blocked):
        close_procedure(play.gm, procedure.pk, key=uuid4())


def test_a_hidden_npc_is_not_betrayed(play):
    Character.objects.filter(pk=play.vesper.pk).update(shown=False)
    assert (
        refusal(Invalid, begin, play, character=play.vesper.pk).field == "character" and not Procedure.objects.exists()
    )


def test_it_is_told_to_everybody_and_hides_nothing(play):
    begin(play)
    assert play.kinds() == ["rolls.procedure_opened", "rolls.roll_asked"]
    assert play.kinds("gm") == []
    assert [one["label"] for one in shown(play, play.other)] == ["Extended action"]


def test_what_only_gms_may_know_is_told_to_them_alone(play, monkeypatch):
    """The rules hide from players how many successes are needed."""

    def less(self):
        self.goal = 1
        return self

    monkeypatch.setattr(Extended, "shown", less)
    procedure = begin(play, goal=37)
    roll(play, procedure, 7, 8, 5, 5, 2)
    for stream, goal, less in (("table", 1, True), ("gm", 37, False)):
        told = [event for event in play.events(stream) if event.kind.startswith("rolls.procedure")]
        assert f"of {goal} success" in told[-1].described["procedure"]["staged"]["notes"][0]
        assert [event.payload["less"] for event in told] == [less, less]
    goals = [shown(play, who)[0]["staged"]["progress"][1] for who in (play.gm, play.mo, play.watcher)]
    assert goals == [37, 1, 1]
    told = [event for event in play.events("table") if event.kind.startswith("rolls.procedure")]
    assert [bool(render_line(event, role)) for event in told for role in (Role.GM, Role.PLAYER)] == [False, True] * 2
    assert "of 37" in render_live(play.events("gm")[-1], Role.GM)


def test_what_one_may_begin_is_shown_by_role(play):
    begun = {name: openers(seat_at(getattr(play, name)), play.campaign.systems) for name in ("gm", "mo", "watcher")}
    kinds = {who: [[one["kind"] for one in game["kinds"]] for game in those] for who, those in begun.items()}
    games = {who: [game["game"] for game in those] for who, those in begun.items()}
    assert (
        "extended" in kinds["gm"][0] and kinds["mo"][0] == ["extended", "opposed", "attack"] and kinds["watcher"] == []
    )
    assert games["gm"] == games["mo"] and len(set(games["gm"])) == len(games["gm"]), "game by game"


def test_by_rules_that_are_not_installed_any_more_it_is_named_and_can_be_taken_back_roll_by_roll(play, monkeypatch):
    procedure = begin(play)
    uninstall(monkeypatch, "storyteller")
    assert shown(play)[0]["label"] == "Extended"
    with pytest.raises(Invalid):
        act(play.gm, procedure.pk, ActKey("set"), key=uuid4())
