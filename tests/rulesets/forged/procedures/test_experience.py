"""Experience at the table: whose form it is, and what is undone (rules/test_experience.py for the rest)."""

from __future__ import annotations

import pytest

from tests.rolls.views.test_procedures import send, show
from tests.sheets import rewrite

TRACKS = ("playbook_xp", "insight_xp", "prowess_xp", "resolve_xp")


@pytest.fixture
def asked(crew):
    return crew.begin("experience")


def answer(crew, by, procedure, **given):
    """Answer for Cross."""
    return crew.press(by, procedure, "answer", whom=str(crew.cross.pk), **given)


def test_a_gm_answers_for_who_is_absent_and_the_log_says_for_whom(play, crew, asked):
    crew.press(play.gm, asked, "answer", whom=str(crew.nyx.pk), trouble=1)
    told = [event for event in play.events() if event.kind == "rolls.procedure_changed"][-1]
    assert crew.number(crew.nyx, "playbook_xp") == 1 and told.described["instead_of"]["name"] == "Other Player"


def test_the_form_asks_a_scoundrel_and_a_crew_what_is_theirs_and_shows_no_marks_of_others(play, cast, crew, asked):
    rewrite(crew.nyx, sheet={"prowess_xp": 5})
    own = form(cast, asked, "answer", crew.cross).content.decode()
    assert "Met a challenge in the way of their playbook" in own and "Prowess XP, 0 of 6" in own
    of_crew = form(cast, asked, "answer_crew", crew.crew).content.decode()
    assert "Took on someone above their standing" in of_crew and "Prowess XP" not in of_crew
    assert form(cast, asked, "answer", crew.nyx).status_code == 403
    assert "5 of 6" not in show(cast.player, cast, "table").content.decode()


def form(cast, procedure, step, who):
    return cast.player.client.get(f"/c/{cast.campaign.slug}/procedures/{procedure.pk}/{step}/form/?whom={who.pk}")


@pytest.mark.parametrize("typed", [{"playbook": "3"}, {"playbook": "x"}, {"playbook_on": "stash"}, {"over": "heat"}])
def test_what_is_no_answer_is_refused_and_marks_nothing(play, cast, crew, asked, typed):
    sent = next(one["sent"] for one in crew.shown(asked, play.mo)["buttons"] if one["target"][0] == str(crew.cross.pk))
    answered = send(cast.player, "procedure_act", asked.pk, act=sent, **typed)
    assert answered.status_code == 422 and crew.numbers(crew.cross, *TRACKS) == (0, 0, 0, 0)
