"""A flashback at the table: the GM's price, what is paid, and what is let be."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Conflict, Forbidden, Invalid
from campaigns.models import Campaign
from campaigns.services.play import close_scene, open_scene, start_session
from rolls.models import Procedure
from rolls.services.procedures import act, open_procedure, take_back_step
from rules.acts import ActKey
from tests.doors import send
from tests.rolls.steps import mark, newest_step
from tests.rolls.views.test_procedures import show
from tests.sheets import rewrite


def begin(play, by, character):
    given = {"character": character.pk}
    return open_procedure(by, "forged", "flashback", given, reason="I had bribed the clerk", key=uuid4())


@pytest.mark.parametrize(("price", "stress"), [("0", 3), ("1", 4), ("2", 5)])
def test_the_gm_says_what_it_costs_and_the_player_pays(play, crew, price, stress):
    past = begin(play, play.mo, crew.cross)
    assert crew.waits(past) == [("the GM", "to set what it costs")]
    crew.press(play.gm, past, "set", whom=price)
    assert crew.waits(past) == [("Cross", "to pay for it, or drop it")]
    crew.press(play.mo, past, "accept", whom=str(crew.cross.pk))
    assert crew.number(crew.cross, "stress") == stress and not crew.shown(past)


def test_an_elaborate_one_costs_what_the_gm_types(play, crew):
    past = begin(play, play.mo, crew.cross)
    crew.press(play.gm, past, "more", stress=4)
    assert crew.shown(past)["staged"]["notes"] == ["It costs 4 stress."]
    for stress in (-1, 10):
        with pytest.raises(Invalid):
            crew.press(play.gm, past, "more", stress=stress)
    crew.press(play.gm, past, "set", whom="1")
    take_back_step(play.gm, past.pk, step=newest_step(past), key=uuid4())
    assert crew.shown(past)["staged"]["notes"] == ["It costs 4 stress."]


def test_what_the_gm_types_may_be_nothing(play, crew):
    past = begin(play, play.mo, crew.cross)
    crew.press(play.gm, past, "more", stress=0)
    crew.press(play.mo, past, "accept", whom=str(crew.cross.pk))
    assert crew.number(crew.cross, "stress") == 3 and not crew.shown(past)


def test_one_not_paid_for_by_the_end_of_the_scene_has_not_happened(play, crew):
    start_session(play.gm, key=uuid4())
    open_scene(play.gm, "Docks", key=uuid4())
    past = begin(play, play.mo, crew.cross)
    close_scene(play.gm, key=uuid4())
    assert not crew.shown(past) and Procedure.objects.get(pk=past.pk).state["ended"] == "dropped"


def test_a_player_may_let_it_be_at_any_price(play, crew):
    past = begin(play, play.mo, crew.cross)
    crew.press(play.gm, past, "set", whom="2")
    crew.press(play.mo, past, "drop", whom=str(crew.cross.pk))
    assert crew.said() == "Cross dropped the flashback." and crew.number(crew.cross, "stress") == 3


def test_nobody_pays_before_there_is_a_price_or_in_spite_of_another(play, crew):
    past = begin(play, play.mo, crew.cross)
    with pytest.raises(Conflict):
        crew.press(play.mo, past, "accept", whom=str(crew.cross.pk))
    crew.press(play.gm, past, "set", whom="0")
    seen = mark(past, f"accept:{crew.cross.pk}")
    crew.press(play.gm, past, "set", whom="2")
    with pytest.raises(Conflict, match="acted first"):
        act(play.mo, past.pk, ActKey("accept", str(crew.cross.pk), seen), key=uuid4())
    for by, step, whom in (
        (play.mo, "set", "0"),
        (play.other, "accept", str(crew.cross.pk)),
        (play.other, "drop", str(crew.cross.pk)),
    ):
        with pytest.raises(Forbidden):
            crew.press(by, past, step, whom=whom)
    assert crew.number(crew.cross, "stress") == 3


def test_one_that_fills_the_track_brings_a_trauma_and_has_happened(play, crew):
    rewrite(crew.cross, sheet={"stress": 8})
    past = begin(play, play.mo, crew.cross)
    crew.press(play.gm, past, "set", whom="2")
    crew.press(play.mo, past, "accept", whom=str(crew.cross.pk))
    assert crew.number(crew.cross, "stress") == 9
    assert crew.waits(Procedure.objects.get(kind="trauma")) == [("Cross", "to choose a trauma")]
    told = [event.described["said"] for event in play.events() if event.kind.startswith("rolls.procedure")]
    assert told[-2:] == [
        "Cross had the flashback, for 2 stress.",
        "The stress track is full, which brings a trauma: Cross.",
    ]
    second = begin(play, play.mo, crew.cross)
    crew.press(play.gm, second, "set", whom="1")
    with pytest.raises(Conflict) as refused:
        crew.press(play.mo, second, "accept", whom=str(crew.cross.pk))
    assert "Choose a trauma first" in refused.value.message
    assert payers(crew, second) == [()]
    assert crew.waits(second) == [("Cross", "to choose a trauma first, or drop it")]


def test_a_campaign_may_refuse_stress_that_fills_the_track(play, crew):
    Campaign.objects.update(settings={"forged": {"filling_stress_counts": False}})
    rewrite(crew.cross, sheet={"stress": 8})
    past = begin(play, play.mo, crew.cross)
    crew.press(play.gm, past, "set", whom="1")
    with pytest.raises(Conflict) as refused:
        crew.press(play.mo, past, "accept", whom=str(crew.cross.pk))
    assert "would fill the stress track" in refused.value.message
    assert payers(crew, past) == []


def test_a_gm_may_allow_it_though_the_stress_is_full_and_nothing_more_is_marked(play, crew):
    Campaign.objects.update(settings={"forged": {"boxes": 6, "filling_stress_counts": False}})
    rewrite(crew.cross, sheet={"stress": 6})
    past = begin(play, play.mo, crew.cross)
    crew.press(play.gm, past, "set", whom="1")
    act(play.gm, past.pk, ActKey("accept", str(crew.cross.pk)), override=True, key=uuid4())
    assert not crew.shown(past) and crew.number(crew.cross, "stress") == 6


def payers(crew, past):
    """Return those beside the GM who may pay, for each button that pays."""
    return [tuple(one["members"]) for one in crew.shown(past)["buttons"] if one["name"] == "accept"]


def test_players_have_flashbacks_of_their_own_alone(play, crew):
    for character in (crew.nyx, play.vesper, play.silas):
        with pytest.raises(Invalid, match="Choose from the list"):
            begin(play, play.mo, character)


def test_the_forms_list_own_characters_and_refuse_what_is_no_price(play, cast, crew):
    html = show(cast.player, cast, "procedure_new", "forged", "flashback").content.decode()
    assert "Cross" in html and "Nyx" not in html
    past = begin(play, play.mo, crew.cross)
    for typed in ("-1", "10", "x", ""):
        answer = send(cast.gm, "procedure_act", past.pk, act="more", stress=typed)
        assert answer.status_code == 422 and 'data-field="stress"' in answer.content.decode()
