"""Experience at the end of a session: the questions, each answered by its player, and what is marked for them."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Forbidden, Invalid
from characters.services.cards import retire_character
from rolls.services.procedures import take_back_step
from tests.rolls.steps import newest_step
from tests.rolls.views.test_procedures import send, show
from tests.sheets import rewrite

TRACKS = ("playbook_xp", "insight_xp", "prowess_xp", "resolve_xp")


@pytest.fixture
def asked(crew):
    return crew.begin("experience")


def answer(crew, by, procedure, whom, **given):
    """Answer for 1 (Cross), 2 (Nyx) or 3 (the crew)."""
    return crew.press(by, procedure, "answer", whom=whom, **given)


def test_each_player_answers_for_their_own_and_all_for_the_crew(play, crew, asked):
    waits = ("Cross", "Nyx", "The Wick")
    assert crew.waits(asked) == [(name, "to mark experience") for name in waits]
    answer(crew, play.mo, asked, "1", playbook=2, beliefs=1, beliefs_on="prowess_xp")
    assert crew.numbers(crew.cross, *TRACKS) == (2, 0, 1, 0)
    assert crew.said() == "Cross marked experience: Playbook XP +2, Prowess XP +1."
    with pytest.raises(Forbidden):
        answer(crew, play.mo, asked, "2", playbook=1)
    answer(crew, play.other, asked, "3", work=2, above=1)
    assert crew.number(crew.crew, "crew_xp") == 3
    assert crew.waits(asked) == [("Nyx", "to mark experience")]


def test_a_gm_answers_for_who_is_absent_or_ends_it_without_them(play, crew, asked):
    answer(crew, play.gm, asked, "2", trouble=1)
    told = [event for event in play.events() if event.kind == "rolls.procedure_changed"][-1]
    assert crew.number(crew.nyx, "playbook_xp") == 1 and told.described["instead_of"]["name"] == "Other Player"
    assert [one.words for one in crew.shown(asked)["buttons"]] == ["End without the rest"]
    crew.press(play.gm, asked, "end")
    assert crew.said() == "Experience for this session ended, with nothing marked for Cross, The Wick."
    assert not crew.shown(asked)


def test_an_answer_that_is_changed_marks_the_difference(play, crew, asked):
    answer(crew, play.mo, asked, "1", playbook=2)
    assert [one.words for one in crew.person(asked, "Cross")["buttons"]] == ["Change"]
    answer(crew, play.mo, asked, "1", playbook=1, trouble=1, trouble_on="insight_xp")
    assert crew.numbers(crew.cross, *TRACKS) == (1, 1, 0, 0)


def test_a_gm_takes_an_answer_back_and_the_xp_with_it(play, crew, asked):
    answer(crew, play.mo, asked, "1", playbook=2)
    take_back_step(play.gm, asked.pk, step=newest_step(asked), key=uuid4())
    assert crew.numbers(crew.cross, *TRACKS) == (0, 0, 0, 0)
    assert ("Cross", "to mark experience") in crew.waits(asked)


def test_what_a_full_track_has_no_room_for_goes_where_the_player_says(play, crew, asked):
    rewrite(crew.cross, sheet={"playbook_xp": 7})
    with pytest.raises(Invalid) as refused:
        answer(crew, play.mo, asked, "1", playbook=2)
    assert refused.value.field == "over" and crew.number(crew.cross, "playbook_xp") == 7
    answer(crew, play.mo, asked, "1", playbook=2, over="resolve_xp")
    assert crew.numbers(crew.cross, *TRACKS) == (8, 0, 0, 1)


def test_what_was_spent_since_is_not_changed(play, crew, asked):
    answer(crew, play.mo, asked, "1", playbook=2)
    rewrite(crew.cross, sheet={"playbook_xp": 0})
    with pytest.raises(Invalid) as refused:
        answer(crew, play.mo, asked, "1", playbook=0)
    assert "already spent" in refused.value.message


def test_who_leaves_play_is_waited_for_no_more(play, crew, asked):
    retire_character(play.gm, crew.nyx, key=uuid4())
    assert "Nyx" not in [name for name, _ in crew.waits(asked)]


def test_the_form_asks_a_scoundrel_and_a_crew_what_is_theirs_and_shows_no_marks_of_others(play, cast, crew, asked):
    rewrite(crew.nyx, sheet={"prowess_xp": 5})
    own = form(cast, asked, "1").content.decode()
    assert "Met a challenge in the way of their playbook" in own and "Prowess XP, 0 of 6" in own
    of_crew = form(cast, asked, "3").content.decode()
    assert "Took on someone above their standing" in of_crew and "Marked on" not in of_crew
    assert form(cast, asked, "2").status_code == 403
    assert "5 of 6" not in show(cast.player, cast, "table").content.decode()


def form(cast, procedure, whom):
    return cast.player.client.get(f"/c/{cast.campaign.slug}/procedures/{procedure.pk}/answer/form/?whom={whom}")


@pytest.mark.parametrize("typed", [{"playbook": "3"}, {"playbook": "x"}, {"playbook_on": "stash"}, {"over": "heat"}])
def test_what_is_no_answer_is_refused_and_marks_nothing(play, cast, crew, asked, typed):
    answered = send(cast.player, "procedure_act", asked.pk, act="answer:1", **typed)
    assert answered.status_code == 422 and crew.numbers(crew.cross, *TRACKS) == (0, 0, 0, 0)
