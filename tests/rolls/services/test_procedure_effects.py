"""What a step of a procedure does beside its state: a roll that it makes, sheets, clocks, tokens, and how all is undone."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest
from django.urls import reverse

from campaigns.errors import Blocked, NotFound
from campaigns.models import Clock
from campaigns.services import play as sessions
from campaigns.services.log import UnitOfWork
from campaigns.services.members import remove_member
from campaigns.services.safety import pause_play
from characters.models import Character
from characters.services.fields import set_field
from rolls.events import PROCEDURE_CHANGED, PROCEDURE_CLOSED
from rolls.models import Audience, Procedure, Roll
from rolls.queries.checking import faults
from rolls.queries.procedures import open_procedures
from rolls.registry import RULESETS
from rolls.services.procedures import act, open_procedure
from rolls.services.rolls import correct_roll, void_roll
from rules.acts import ActKey
from rules.procedures import DROPPED
from tests import dice
from tests.answers import refusal
from tests.cast import seat_at
from tests.rolls.services.test_requests import ask
from tests.rolls.steps import newest_step, pressed, seen
from tests.rolls.wager import MARK, WAGER, Bettor
from tests.stored import reread


@pytest.fixture(autouse=True)
def wagers(monkeypatch):
    """Add the rules of the wager to a ruleset that all campaigns have."""
    storyteller = RULESETS["storyteller"]
    monkeypatch.setattr(storyteller, "procedures", {**storyteller.procedures, "wager": WAGER, "mark": MARK})


def begin(play, **given):
    given = {"a": play.silas.pk, "b": play.corvina.pk} | given
    return open_procedure(play.gm, "storyteller", "wager", given, key=uuid4())


def press(by, procedure, name, whom=None, *, override=False):
    return act(by, procedure.pk, ActKey(name, str(whom.pk) if whom else ""), override=override, key=uuid4())


def both_ready(play, procedure, *faces):
    dice.unload()
    dice.load(*faces)
    press(play.mo, procedure, "ready", play.silas)
    press(play.other, procedure, "ready", play.corvina)
    return Roll.objects.get(voided_at=None, corrected_by=None)


def willpower(character):
    return Character.objects.get(pk=character.pk).number("willpower_now")


def state_of(procedure):
    return Procedure.objects.get(pk=procedure.pk).state


def test_once_both_are_ready_the_dice_fall_as_a_roll_in_the_same_operation(play):
    procedure = begin(play)
    roll = both_ready(play, procedure, 9, 8, 2)
    assert (roll.character, roll.faces, roll.audience) == (play.silas, [9, 8, 2], Audience.TABLE)
    assert state_of(procedure)["won"] is True
    assert willpower(play.silas) == 5
    told = play.kinds()
    assert told.index("rolls.roll_made") < len(told) - 1 and "rolls.roll_asked" not in told


def test_what_a_step_does_outside_is_undone_with_it(play):
    clock = Clock.objects.create(campaign=play.campaign, name="Tide", segments=6, order=1, opened=True)
    procedure = begin(play, clock=clock.pk)
    both_ready(play, procedure, 9, 8, 2)
    press(play.mo, procedure, "pay")
    assert (willpower(play.corvina), reread(clock).filled) == (1, 2)
    assert [one["label"] for one in open_procedures(seat_at(play.watcher))] == ["Mark"]
    void_roll(play.gm, Roll.objects.get().pk, key=uuid4())
    assert (willpower(play.silas), willpower(play.corvina), reread(clock).filled) == (4, 3, 0)
    assert [one["label"] for one in open_procedures(seat_at(play.watcher))] == ["Wager"]
    assert state_of(procedure) | {"won": None, "agreed": [], "over": False} == state_of(procedure)
    both_ready(play, procedure, 2, 2, 2)
    assert state_of(procedure)["won"] is False


def test_a_roll_that_led_to_another_waits_until_that_one_is_taken_back(play):
    procedure = begin(play)
    first = both_ready(play, procedure, 2, 2, 2)
    dice.load(9, 8, 2)
    press(play.mo, procedure, "roll_again")
    second = Roll.objects.exclude(pk=first.pk).get()
    with pytest.raises(Blocked):
        void_roll(play.gm, first.pk, key=uuid4())
    assert (state_of(procedure)["won"], willpower(play.silas)) == (True, 5)
    void_roll(play.gm, second.pk, key=uuid4())
    void_roll(play.gm, first.pk, key=uuid4())
    assert (state_of(procedure)["won"], state_of(procedure)["agreed"], willpower(play.silas)) == (None, [], 4)


def test_what_was_changed_beside_it_stays_as_far_as_the_field_goes(play):
    procedure = begin(play)
    roll = both_ready(play, procedure, 9, 8, 2)
    press(play.mo, procedure, "pay")
    set_field(play.other, play.corvina, "willpower_now", 2, expected=1, key=uuid4())
    void_roll(play.gm, roll.pk, key=uuid4())
    assert willpower(play.corvina) == 3  # 2 and the 2 that were lost, of 3 at most


def test_a_roll_that_is_corrected_leads_on_anew_until_somebody_has_gone_on(play):
    procedure = begin(play)
    roll = both_ready(play, procedure, 5, 4, 2)
    assert state_of(procedure)["won"] is False
    right = {"difficulty": 4, "kind": "action", "ability": 2, "note": ""}
    roll = correct_roll(play.gm, roll.pk, right, key=uuid4())
    assert (state_of(procedure)["won"], willpower(play.silas)) == (True, 5)
    press(play.mo, procedure, "pay")
    with pytest.raises(Blocked):
        correct_roll(play.gm, roll.pk, right | {"difficulty": 9}, key=uuid4())
    void_roll(play.gm, roll.pk, key=uuid4())
    assert (willpower(play.silas), willpower(play.corvina)) == (4, 3)


def test_a_sheet_that_changes_meanwhile_is_read_again(play):
    procedure = begin(play)
    press(play.mo, procedure, "ready", play.silas)
    set_field(play.mo, play.silas, "perception", 4, expected=3, key=uuid4())
    assert state_of(procedure)["agreed"] == []
    assert play.events()[-1].payload["act"]["name"] == "reread"


def test_it_ends_with_the_scene_where_its_rules_say_so(play):
    sessions.start_session(play.gm, key=uuid4())
    sessions.open_scene(play.gm, "Docks", key=uuid4())
    procedure = begin(play)
    sessions.close_scene(play.gm, key=uuid4())
    assert Procedure.objects.get(pk=procedure.pk).closed_at


def test_what_a_state_forbids_a_gm_allows_and_the_log_says_so(play):
    set_field(play.other, play.corvina, "willpower_now", 0, expected=3, key=uuid4())
    procedure = begin(play)
    assert refusal(Blocked, press, play.mo, procedure, "ready", play.silas, override=True).anyway is None
    assert refusal(Blocked, press, play.gm, procedure, "ready", play.silas).anyway == (
        "override",
        str(seen(procedure, f"ready:{play.silas.pk}")),
    )
    press(play.gm, procedure, "ready", play.silas, override=True)
    assert play.events()[-1].payload["overridden"] is True


def begun_by_rolls(monkeypatch, play, costs=0):
    a, b = (Bettor(id=str(one.pk)) for one in (play.silas, play.corvina))
    begun = ("wager", {"a": a, "b": b, "costs": costs})
    monkeypatch.setattr(RULESETS["storyteller"].table, "begins", lambda roll: begun)


@pytest.mark.parametrize("asked", [False, True])
def test_a_roll_begins_what_follows_from_it_and_takes_it_away_again(play, monkeypatch, asked):
    begun_by_rolls(monkeypatch, play)
    roll = play.roll(7, 8, 2, request=ask(play, play.mo).pk if asked else None)
    procedure = Procedure.objects.get()
    assert newest_step(procedure) is None
    press(play.mo, procedure, "cheer")
    with pytest.raises(Blocked):
        correct_roll(play.gm, roll.pk, {"difficulty": 9, "kind": "action", "ability": 2, "note": ""}, key=uuid4())
    void_roll(play.gm, roll.pk, key=uuid4())
    procedure.refresh_from_db()
    assert procedure.closed_at and procedure.dropped


def test_what_a_roll_began_is_undone_once_where_its_correction_begins_nothing_and_is_voided(play, monkeypatch):
    begun_by_rolls(monkeypatch, play, costs=2)
    rules = RULESETS["storyteller"]
    begins = rules.table.begins
    monkeypatch.setattr(
        rules.table, "begins", lambda roll: begins(roll) if roll.outcome["result"] == "success" else None
    )
    before = willpower(play.silas)
    roll = play.roll(7, 8, 2)
    assert willpower(play.silas) == before - 2
    again = correct_roll(play.gm, roll.pk, {"difficulty": 10, "kind": "action", "ability": 2, "note": ""}, key=uuid4())
    assert willpower(play.silas) == before
    void_roll(play.gm, again.pk, key=uuid4())
    assert willpower(play.silas) == before
    assert Procedure.objects.get().dropped
    assert play.kinds().count("rolls.procedure_closed") == 1


@pytest.fixture
def ended_with_its_scene(play, monkeypatch):
    """Return a roll that began a procedure, which ended with the scene."""
    sessions.start_session(play.gm, "Tonight", key=uuid4())
    sessions.open_scene(play.gm, "The cellar", key=uuid4())
    begun_by_rolls(monkeypatch, play)
    roll = play.roll(7, 8, 2)
    sessions.close_scene(play.gm, key=uuid4())
    return roll


def test_a_roll_voided_after_its_procedure_ended_with_the_scene_leaves_it_ended_in_the_log(play, ended_with_its_scene):
    void_roll(play.gm, ended_with_its_scene.pk, key=uuid4())
    told = [kind for kind in play.kinds() if kind.startswith("rolls.procedure_")]
    assert told == ["rolls.procedure_opened", "rolls.procedure_closed", "rolls.procedure_closed"]
    assert list(faults(play.campaign)) == []


def test_a_log_in_which_an_older_release_told_this_as_a_change_has_no_fault(play, ended_with_its_scene, monkeypatch):
    record = UnitOfWork.record

    def as_then(work, kind, payload, **told):
        if kind is not PROCEDURE_CLOSED:
            return record(work, kind, payload, **told)
        then = {name: payload[name] for name in payload if name != "dropped"}
        return record(work, PROCEDURE_CHANGED, then | {"act": {"name": DROPPED, "whom": ""}}, **told)

    monkeypatch.setattr(UnitOfWork, "record", as_then)
    void_roll(play.gm, ended_with_its_scene.pk, key=uuid4())
    told = [kind for kind in play.kinds() if kind.startswith("rolls.procedure_")]
    assert told == ["rolls.procedure_opened", "rolls.procedure_closed", "rolls.procedure_changed"]
    assert list(faults(play.campaign)) == []
    Procedure.objects.update(closed_at=None)
    assert [fault.split(": ")[1] for fault in faults(play.campaign)] == ["it is open, the log gives the other."]


@pytest.mark.parametrize("audience", [Audience.SELF, Audience.GM])
def test_what_a_private_roll_begins_is_told_to_those_who_see_the_roll(play, monkeypatch, audience):
    begun_by_rolls(monkeypatch, play)
    play.roll(7, 8, 2, audience=audience)
    knows = [who for who in (play.gm, play.mo, play.other, play.watcher) if open_procedures(seat_at(who))]
    assert knows == ([play.gm, play.mo] if audience == Audience.SELF else [play.gm])
    assert not [kind for kind in play.kinds() if "procedure" in kind]


def test_one_that_lies_on_the_table_is_used_up_once_and_brought_back(play):
    procedure = begin(play)
    both_ready(play, procedure, 9, 8, 2)
    press(play.mo, procedure, "pay")
    mark = Procedure.objects.get(kind="mark")
    assert open_procedures(seat_at(play.mo))[0]["token"] is True
    press(play.gm, mark, "rub")
    assert Procedure.objects.get(pk=mark.pk).closed_at
    with pytest.raises(Blocked):
        press(play.gm, mark, "rub")
    assert UUID(str(mark.pk)) != procedure.pk


def test_dice_of_one_step_come_from_throws_of_their_own(play, settings):
    procedure = begin(play)
    both_ready(play, procedure, 2, 2, 2)
    settings.DICE_SOURCE = "rolls.services.fairness.fair_dice"
    press(play.mo, procedure, "toss")
    tossed = next(event for event in play.events() if event.payload.get("dice") and "procedure" in event.payload)
    rolled = Roll.objects.latest("at")
    assert tossed.payload["proof"]["spec"] == rolled.proof["spec"]
    assert tossed.payload["proof"]["roll"] != rolled.proof["roll"] == str(rolled.pk)


def test_while_play_is_paused_nobody_goes_on(play):
    procedure = begin(play)
    pause_play(play.other, key=uuid4())
    with pytest.raises(Blocked):
        press(play.mo, procedure, "ready", play.silas)
    with pytest.raises(Blocked):
        begin(play)


def test_those_who_are_not_told_of_it_do_not_find_it(play, cast, monkeypatch):
    begun_by_rolls(monkeypatch, play)
    play.roll(7, 8, 2, by=play.gm, character=play.silas.pk, audience=Audience.GM)
    hidden = Procedure.objects.get()
    with pytest.raises(NotFound):
        press(play.mo, hidden, "ready", play.silas)
    url = reverse("procedure_act", args=[play.campaign.slug, hidden.pk])
    data = pressed(hidden, f"ready:{play.silas.pk}") | {"key": uuid4()}
    assert cast.player.client.post(url, data).status_code == 404
    assert cast.gm.client.post(url, data).status_code == 302


@pytest.mark.parametrize("last", ["other", "gm"])
def test_a_roll_is_the_players_of_the_character_whoever_presses_last(play, last):
    procedure = begin(play)
    dice.load(9, 8, 2)
    press(play.mo, procedure, "ready", play.silas)
    press(getattr(play, last), procedure, "ready", play.corvina)
    roll = Roll.objects.get()
    told = roll.event.described
    assert (roll.by, told["who"]["name"], told["by"]["name"]) == (play.mo, play.mo.name, play.mo.name)
    assert roll.event.actor == play.mo and "rolled_for" not in told and "rolled_by" not in told


def test_a_roll_is_the_gms_where_the_player_of_the_character_has_left(play):
    procedure = begin(play)
    remove_member(play.gm, play.mo, key=uuid4())
    dice.load(9, 8, 2)
    for who in (play.silas, play.corvina):
        press(play.gm, procedure, "ready", who)
    assert Roll.objects.get().by == play.gm


def test_of_a_private_procedure_the_roll_is_told_to_whom_that_is_told(play, monkeypatch):
    begun_by_rolls(monkeypatch, play)
    private = play.roll(7, 8, 2, audience=Audience.SELF)
    procedure = Procedure.objects.get()
    dice.load(9, 8, 2)
    for who in (play.silas, play.corvina):
        press(play.gm, procedure, "ready", who)
    assert Roll.objects.exclude(pk=private.pk).get().event.stream.name == play.mo.stream
