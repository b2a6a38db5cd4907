"""A step of a procedure that amends a roll which has fallen: dice thrown again, terms that change, and how all is undone."""

from __future__ import annotations

from itertools import islice
from uuid import uuid4

import pytest

from campaigns.errors import Blocked, Conflict, Invalid, NotFound
from campaigns.live.render import render_line
from campaigns.models import Event, Role
from campaigns.models.members import GM
from characters.models import Character
from rolls.models import Audience, Procedure, Roll
from rolls.queries.statistics.rolled import rolled
from rolls.registry import RULESETS
from rolls.services.amend import correct_roll, reveal_roll, void_roll
from rolls.services.procedures import act, open_procedure, take_back_step
from rolls.services.rolls import make_roll
from rulesets.storyteller.table.ask import StorytellerInput
from scale.queries.projection import check
from tests import dice
from tests.following import followed_and_reloaded
from tests.rolls.pushing import PUSHING
from tests.rolls.services.test_requests import viewer
from tests.rolls.steps import newest_step, seen


@pytest.fixture(autouse=True)
def pushing(monkeypatch):
    storyteller = RULESETS["storyteller"]
    monkeypatch.setattr(storyteller, "procedures", {**storyteller.procedures, "pushing": PUSHING})


def begin(play, roll=None, **given):
    """Open it for Silas, about a roll that has fallen, if one is named."""
    given = {"who": play.silas.pk} | ({"roll": roll.pk} if roll else {}) | given
    return open_procedure(play.gm, "storyteller", "pushing", given, key=uuid4())


def press(by, procedure, name, *faces, wanted=None):
    """Take an act, for which these faces fall; `wanted` is what was seen of it before."""
    dice.unload()
    dice.load(*faces)
    return act(by, procedure.pk, wanted or seen(procedure, name), key=uuid4(), client_seed="c1" * 16)


def take_back(play, procedure):
    return take_back_step(play.gm, procedure.pk, step=newest_step(procedure), key=uuid4())


def standing():
    return Roll.objects.get(voided_at=None)


def willpower(play):
    return Character.objects.get(pk=play.silas.pk).number("willpower_now")


def state_of(procedure):
    return PUSHING.state(**Procedure.objects.get(pk=procedure.pk).state)


# A roll that was there before


def test_a_die_is_thrown_again_and_the_roll_is_read_anew(play):
    roll = play.roll(2, 3, 4)
    procedure = begin(play, roll)
    press(play.mo, procedure, "push", 9)
    amended = standing()
    assert (amended.corrects, amended.by, amended.faces) == (roll, roll.by, [9, 3, 4])
    assert (roll.outcome["result"], amended.outcome["result"]) == ("failure", "success")
    assert amended.rerolls == [{"at": [0], "before": [2], "faces": [9, 3, 4], "proof": None}]
    assert willpower(play) == 3


def test_the_log_tells_who_did_it_and_why_and_the_card_shows_what_the_die_showed_before(play):
    procedure = begin(play, play.roll(2, 3, 4))
    press(play.mo, procedure, "push", 9)
    assert play.kinds()[-3:] == ["rolls.procedure_changed", "rolls.roll_voided", "rolls.roll_corrected"]
    event = standing().event
    assert [die.get("was") for die in event.described["dice"]] == [[2], None, None]
    line = render_line(event, Role.PLAYER)
    assert f"{play.mo.name} rolled 1 die again: pushed" in line
    assert "9 (was 2), 3, 4" in line and "9, was 2" in line and '<s class="was">2</s>' in line
    voided = Event.objects.get(kind="rolls.roll_voided", campaign=play.campaign)
    assert "voided a roll" not in render_line(voided, Role.PLAYER)


def test_a_die_that_is_thrown_twice_shows_all_that_it_showed(play):
    procedure = begin(play, play.roll(2, 3, 4))
    press(play.mo, procedure, "push", 9)
    Procedure.objects.filter(pk=procedure.pk).update(state=vars_of(procedure) | {"roll": str(standing().pk)})
    press(play.mo, procedure, "all_again", 8, 7, 6)
    assert standing().faces == [7, 6, 8]
    assert [die["was"] for die in standing().event.described["dice"]] == [[2, 9], [3], [4]]
    assert "rolled 3 dice again: pushed" in render_line(standing().event, Role.PLAYER)


def vars_of(procedure):
    return Procedure.objects.get(pk=procedure.pk).state


def test_where_the_rules_take_more_dice_for_some_faces_there_are_as_many_as_they_take(play, monkeypatch):
    table = RULESETS["storyteller"].table
    as_usual = table.read

    def read_with_tens_again(terms, faces, settings):
        read = list(islice(faces, terms["dice"]))
        read += islice(faces, read.count(10))
        return as_usual({**terms, "dice": len(read)}, iter(read), settings)

    monkeypatch.setattr(table, "read", read_with_tens_again)
    procedure = begin(play, play.roll(2, 3, 4))
    press(play.mo, procedure, "push", 10, 7)
    assert standing().faces == [10, 3, 4, 7]
    Procedure.objects.filter(pk=procedure.pk).update(state=vars_of(procedure) | {"roll": str(standing().pk)})
    press(play.mo, procedure, "push", 5)
    assert (standing().faces, [again["before"] for again in standing().rerolls]) == ([5, 3, 4], [[2], [10]])
    take_back(play, procedure)
    assert standing().faces == [10, 3, 4, 7]


def test_terms_change_and_the_dice_stay(play):
    procedure = begin(play, play.roll(2, 3, 4))
    press(play.mo, procedure, "ease")
    amended = standing()
    assert (amended.faces, amended.rerolls, amended.ask["difficulty"]) == ([2, 3, 4], [], 4)
    assert amended.outcome["result"] == "success"
    assert f"{play.mo.name} changed a roll: pushed" in render_line(amended.event, Role.PLAYER)
    assert "rerolls" not in amended.event.payload


def test_what_a_step_has_amended_is_as_before_once_the_step_is_undone(play):
    roll = play.roll(2, 3, 4)
    procedure = begin(play, roll)
    press(play.mo, procedure, "push", 9)
    take_back(play, procedure)
    back = standing()
    assert (back.faces, back.rerolls, back.outcome) == (roll.faces, [], roll.outcome)
    assert (willpower(play), state_of(procedure).pushed) == (4, 0)
    assert f"{play.gm.name} changed a roll: undone" in render_line(back.event, Role.PLAYER)
    assert check(play.campaign) == []


def test_a_roll_that_was_corrected_since_waits_until_it_is_corrected_back(play):
    procedure = begin(play, play.roll(2, 3, 4))
    press(play.mo, procedure, "push", 9)
    corrected = correct_roll(play.gm, standing().pk, {"difficulty": 8}, key=uuid4())
    assert corrected.rerolls and corrected.faces == [9, 3, 4]
    with pytest.raises(Conflict, match="corrected since"):
        take_back(play, procedure)
    correct_roll(play.gm, corrected.pk, {"difficulty": 6}, key=uuid4())
    take_back(play, procedure)
    assert (standing().faces, willpower(play)) == ([2, 3, 4], 4)


def test_a_roll_that_was_taken_back_for_good_stays_so(play):
    procedure = begin(play, play.roll(2, 3, 4))
    press(play.mo, procedure, "push", 9)
    void_roll(play.gm, standing().pk, key=uuid4())
    take_back(play, procedure)
    assert not Roll.objects.filter(voided_at=None).exists()
    assert willpower(play) == 4


def test_of_two_who_press_at_once_the_second_is_refused_in_words(play):
    procedure = begin(play, way="asked")
    answer(play, procedure, 2, 3, 4)
    both_saw = seen(procedure, "push")
    press(play.mo, procedure, "push", 9, wanted=both_saw)
    with pytest.raises(Conflict) as refused:
        press(play.other, procedure, "push", 8, wanted=both_saw)
    assert "pushing: push" in refused.value.message
    assert (standing().faces, willpower(play)) == ([9, 3, 4], 3)


def test_an_act_that_names_a_roll_which_another_has_replaced_changes_nothing(play):
    procedure = begin(play, play.roll(2, 3, 4))
    press(play.mo, procedure, "push", 9)
    with pytest.raises(Blocked, match="already voided"):
        press(play.mo, procedure, "push", 8)
    assert (standing().faces, willpower(play)) == ([9, 3, 4], 3)


# What cannot be amended


def test_a_roll_that_not_all_see_who_see_the_procedure_is_not_to_be_found(play):
    for audience in (Audience.SELF, Audience.GM):
        roll = play.roll(2, 3, 4, audience=audience)
        procedure, told = begin(play, roll), play.kinds()
        with pytest.raises(NotFound):
            press(play.gm, procedure, "push", 9)
        assert (play.kinds(), Roll.objects.get(pk=roll.pk).voided_at) == (told, None)
        void_roll(play.gm, roll.pk, key=uuid4())
        with pytest.raises(NotFound):
            press(play.gm, procedure, "push", 9)


def test_nor_is_one_that_was_shown_only_later(play):
    roll = play.roll(2, 3, 4, by=play.gm, audience=Audience.GM)
    reveal_roll(play.gm, roll.pk, key=uuid4())
    with pytest.raises(NotFound):
        press(play.mo, begin(play, roll), "push", 9)


def test_gms_among_themselves_amend_what_only_they_see(play):
    roll = play.roll(2, 3, 4, audience=Audience.GM)
    procedure, told = begin(play, roll), play.kinds()
    Procedure.objects.filter(pk=procedure.pk).update(stream=GM)
    press(play.gm, procedure, "all_again", 9, 9, 9)
    assert standing().faces == [9, 9, 9]
    assert standing().event.stream.name == GM and play.kinds() == told


def test_dice_that_were_rolled_by_hand_are_not_thrown_again(play):
    roll = make_roll(
        play.mo,
        StorytellerInput(character=play.silas.pk, dice=3),
        audience=Audience.TABLE,
        key=uuid4(),
        faces=[2, 3, 4],
    )
    procedure = begin(play, roll)
    with pytest.raises(Blocked, match="rolled by hand"):
        press(play.mo, procedure, "push", 9)
    press(play.mo, procedure, "ease")
    assert standing().hand_rolled and standing().outcome["result"] == "success"


@pytest.mark.parametrize("name", ["wrong", "cheat"])
def test_a_die_that_is_not_there_and_a_term_that_may_not_change_are_refused(play, name):
    procedure = begin(play, play.roll(2, 3, 4))
    with pytest.raises(Invalid):
        press(play.mo, procedure, name)


def test_what_is_refused_does_not_depend_on_the_dice(play):
    """Check that refusals do not depend on the dice, or players could retry until these suit: a reroll that leaves the
    Scale unchanged is refused too.
    """
    procedure = begin(play, play.roll(2, 3, 9))
    play.roll(9, by=play.other)
    for face in (2, 9):
        with pytest.raises(Blocked, match="Other Player’s roll"):
            press(play.mo, procedure, "push", face)
    assert check(play.campaign) == []


def test_the_scale_moves_by_the_dice_that_stand(play):
    procedure = begin(play, play.roll(2, 3, 9))
    assert play.scale.value == -1
    press(play.mo, procedure, "push", 8)
    assert play.scale.value == 1
    take_back(play, procedure)
    assert play.scale.value == -1
    assert check(play.campaign) == []


# A roll of the procedure itself


def answer(play, procedure, *faces):
    dice.unload()
    dice.load(*faces)
    request = procedure.requests.get(closed_at=None)
    ask = StorytellerInput(character=play.silas.pk, dice=len(faces), request=request.pk)
    return make_roll(play.mo, ask, audience=Audience.TABLE, key=uuid4())


def test_a_roll_that_it_has_asked_for_is_counted_as_it_stands(play):
    procedure = begin(play, way="asked")
    answer(play, procedure, 2, 3, 4)
    press(play.mo, procedure, "push", 9)
    press(play.mo, procedure, "all_again", 8, 7, 6)
    amended = standing()
    assert state_of(procedure) == PUSHING.state(
        who=str(play.silas.pk), way="asked", roll=str(amended.pk), result="success", pushed=2
    )
    take_back(play, procedure)
    assert (standing().faces, state_of(procedure).roll) == ([9, 3, 4], str(standing().pk))
    take_back(play, procedure)
    assert (standing().faces, state_of(procedure).result, willpower(play)) == ([2, 3, 4], "failure", 4)


def made(play, *faces):
    """Begin a procedure that makes its roll, with these faces, as soon as it is opened."""
    dice.unload()
    dice.load(*faces)
    return begin(play, way="made")


def test_it_goes_on_from_where_the_step_has_led_with_the_dice_as_they_fell(play):
    procedure = made(play, 9, 3, 4)
    assert (state_of(procedure).result, willpower(play)) == ("success", 5)
    press(play.mo, procedure, "push", 2)
    state = state_of(procedure)
    assert (state.result, state.pushed, state.roll) == ("failure", 1, str(standing().pk))
    assert willpower(play) == 3  # a point for the push, and none for a success
    press(play.mo, procedure, "all_again", 2, 9, 9)
    assert (state_of(procedure).pushed, willpower(play)) == (2, 4)


def test_undone_it_stands_where_it_stood_with_all_that_had_come_of_the_former_dice(play):
    procedure = made(play, 9, 3, 4)
    before = state_of(procedure)
    press(play.mo, procedure, "push", 2)
    press(play.mo, procedure, "all_again", 2, 9, 9)
    take_back(play, procedure)
    assert (standing().faces, state_of(procedure).pushed, willpower(play)) == ([2, 3, 4], 1, 3)
    take_back(play, procedure)
    assert (standing().faces, standing().rerolls, willpower(play)) == ([9, 3, 4], [], 5)
    assert state_of(procedure) == before.__class__(**vars_of(procedure))
    assert check(play.campaign) == []


def test_voided_it_takes_all_with_it_that_came_of_any_of_its_dice(play):
    procedure = made(play, 9, 3, 4)
    press(play.mo, procedure, "push", 2)
    void_roll(play.gm, standing().pk, key=uuid4())
    assert not Roll.objects.filter(voided_at=None).exists()
    assert (state_of(procedure).over, willpower(play)) == (True, 4)
    assert check(play.campaign) == []


def test_a_gm_corrects_it_no_more(play):
    procedure = made(play, 9, 3, 4)
    press(play.mo, procedure, "push", 2)
    with pytest.raises(Blocked, match="already followed"):
        correct_roll(play.gm, standing().pk, {"difficulty": 3}, key=uuid4())


# What others see of it


def test_following_shows_what_reloading_shows(play, cast):
    procedure = begin(play, way="asked")
    answer(play, procedure, 2, 3, 4)
    press(play.mo, procedure, "push", 9)
    take_back(play, procedure)
    for who in (cast.gm, cast.player, cast.other_player, cast.spectator):
        _, differing = followed_and_reloaded(who, play.campaign)
        assert not differing


def test_statistics_count_all_faces_that_fell(play):
    procedure = begin(play, play.roll(1, 3, 4))
    press(play.mo, procedure, "push", 9)
    (counted,) = rolled(viewer(play.mo))
    assert [face for _, faces in counted.dice for face in faces] == [9, 3, 4, 1]
    assert counted.faces == (9, 3, 4)
