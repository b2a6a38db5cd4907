"""A group action on one card, and set-ups that wait for whoever follows (forged.txt, Teamwork)."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Blocked, Conflict, Forbidden
from campaigns.services import play as sessions
from rolls.models import Procedure, Roll
from rolls.services.procedures import act
from rolls.services.rolls import void_roll
from rules.acts import ActKey
from rulesets.forged.procedures import PROCEDURES
from tests.answers import refusal
from tests.cast import seat_at
from tests.rolls.steps import mark
from tests.rulesets.forged.procedures.staged import (
    action,
    announced,
    begin,
    drawn,
    inflicts,
    press,
    said,
    sets,
    shown,
    state,
    terms,
)
from tests.rulesets.forged.table.forged import scoundrel, stress


@pytest.fixture
def thorn(play):
    """Return the other player's scoundrel, with Prowl 2."""
    return scoundrel(play, "Thorn", play.other, stress=0, prowl=2)


@pytest.fixture
def nock(play):
    return scoundrel(play, "Nock", play.other, stress=0)


def together(play, cross, *others, **asked):
    procedure = begin(play.mo, cross, group=True)
    for one in others:
        press(play.other, procedure, "join", one.pk)
    return sets(play.gm, procedure, **asked)


def all_roll(play, procedure, *faces):
    participants = [one["id"] for one in state(procedure)["rollers"]]
    for at, character in enumerate(participants):
        by = play.mo if at == 0 else play.other
        press(by, procedure, "roll", character, faces=faces if at == len(participants) - 1 else ())
    return procedure


def test_each_card_says_its_dice_and_the_group_its_result(play, cross, thorn):
    procedure = all_roll(play, together(play, cross, thorn, position="desperate"), 2, 5, 1)
    led, followed = Roll.objects.get(character=cross), Roll.objects.get(character=thorn)
    for made, fell in ((led, "1 to 3"), (followed, "4 or 5")):
        card = made.event.described
        assert (card["headline"], card["detail"]) == (fell, "the best roll of the group counts")
        assert (card["follows"]["words"], card["reached_words"], card["ticks"]) == ("", "", 0)
    result = "Group: Partial success: done, at a cost (Thorn)"
    assert drawn(procedure)["staged"].outcome == result
    assert [row.words for row in drawn(procedure)["staged"].rows] == ["1 to 3", "4 or 5"]
    assert said() == f"{result}."
    inflicts(play.gm, procedure, "harm_2", words="Shot")
    press(play.mo, procedure, "resist", "c1", faces=(6, 1, 1))
    assert said() != f"{result}."


def test_two_who_join_at_once_are_both_in_it(play, cross, thorn, nock):
    procedure = begin(play.mo, cross, group=True)
    seen = {who: mark(procedure, f"join:{who.pk}") for who in (thorn, nock)}
    for who in (thorn, nock):
        act(play.other, procedure.pk, ActKey("join", str(who.pk), seen[who]), key=uuid4())
    with pytest.raises(Conflict, match="already settled this"):
        act(play.gm, procedure.pk, ActKey("join", str(nock.pk), seen[nock]), key=uuid4())


def test_a_roll_of_a_group_is_taken_back_alone(play, cross, thorn):
    procedure = together(play, cross, thorn)
    all_roll(play, procedure, 2, 1, 4)
    assert stress(cross) == 4
    void_roll(play.gm, Roll.objects.get(character=thorn).pk, key=uuid4())
    assert [one["result"] for one in state(procedure)["rollers"]] == ["bad", ""]
    assert stress(cross) == 3
    press(play.other, procedure, "roll", thorn.pk, faces=(6, 1))
    assert stress(cross) == 4


def test_of_a_group_the_first_roll_is_taken_back_and_the_others_stand(play, cross, thorn):
    procedure = together(play, cross, thorn)
    all_roll(play, procedure, 2, 1, 4)
    void_roll(play.gm, Roll.objects.get(character=cross).pk, key=uuid4())
    assert [one["result"] for one in state(procedure)["rollers"]] == ["", "partial"]
    press(play.mo, procedure, "roll", cross.pk, faces=(6,))
    assert state(procedure)["stage"] == "done"


# Set-ups


def set_up(play, thorn, gives):
    """Make Thorn's distraction, a set-up for whoever follows."""
    procedure = begin(play.other, thorn, action="skirmish", setup=True)
    sets(play.gm, procedure)
    press(play.other, procedure, "roll", thorn.pk, faces=(6, 1, 1))
    press(play.other, procedure, "set_up", gives=gives)
    return Procedure.objects.get(kind="setup", closed_at=None)


def test_the_first_suggestion_counts_a_set_up_that_lay_there_before(play, cross, thorn):
    token = set_up(play, thorn, "effect")
    told = play.events()
    procedure = begin(play.mo, cross)
    assert str(shown(play.gm, procedure)["comes"]) == "risky, great effect"
    opened = [event for event in play.events()[len(told) :] if event.kind.startswith("rolls.procedure")]
    assert [event.kind for event in opened] == ["rolls.procedure_opened"]
    press(play.gm, procedure, "set", position="risky", base="standard")
    assert (terms(procedure), action(procedure)[0].tokens[0].id) == ("risky, great effect", str(token.pk))


def test_the_gm_says_for_which_action_a_set_up_does_not_count(play, cross, thorn):
    token = set_up(play, thorn, "effect")
    procedure = begin(play.mo, cross)
    offered = (str(token.pk), "Set up by Thorn: +1 effect")
    assert setups(play, procedure) == [(*offered, False)]
    sets(play.gm, procedure, without=[str(token.pk)])
    assert terms(procedure) == "risky, standard effect"
    assert setups(play, procedure) == [(*offered, True)]


def setups(play, procedure):
    """Return the set-ups that the form asks about which sets this action."""
    return (
        PROCEDURES["action"]
        .forms["set"]
        .choices_in(seat_at(play.gm), Procedure.objects.get(pk=procedure.pk), ())["setups"]
    )


def test_a_set_up_that_was_removed_meanwhile_is_not_counted(play, cross, thorn):
    token = set_up(play, thorn, "effect")
    second = announced(play, cross)
    press(play.gm, token, "drop")
    assert "relied on is gone" in refusal(Conflict, press, play.mo, second, "roll", cross.pk).message
    sets(play.gm, second)
    assert terms(second) == "risky, standard effect"


def test_a_set_up_ends_with_the_scene_or_by_the_gm(play, cross, thorn):
    sessions.start_session(play.gm, key=uuid4())
    sessions.open_scene(play.gm, "Docks", key=uuid4())
    token = set_up(play, thorn, "effect")
    sessions.close_scene(play.gm, key=uuid4())
    assert Procedure.objects.get(pk=token.pk).closed_at
    again = set_up(play, thorn, "effect")
    with pytest.raises(Forbidden):
        press(play.mo, again, "drop")
    press(play.gm, again, "drop")
    with pytest.raises(Blocked):
        press(play.gm, again, "drop")
