"""Fortune at the table: a trait or a number of dice, alone or two sides against each other."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Forbidden, Invalid
from rolls.models import Procedure, Roll
from rolls.services.procedures import open_procedure
from rolls.services.rolls import void_roll
from tests import dice
from tests.answers import refusal
from tests.doors import send
from tests.rolls.views.test_procedures import show
from tests.rulesets.forged.procedures.scene import Crew
from tests.rulesets.forged.table.forged import stress
from tests.sheets import put

ALONE = {
    "a_name": "",
    "a_trait": 1,
    "a_advantages": 0,
    "a_disadvantages": 0,
    "a_push": None,
    "a_more": 0,
    "a_why": "",
    "opposed": False,
    "b_name": "",
    "b_trait": 1,
    "b_advantages": 0,
    "b_disadvantages": 0,
    "b_push": None,
    "b_more": 0,
    "b_why": "",
}
GANGS = ALONE | {"a_name": "The Lampblacks", "a_trait": 2, "opposed": True, "b_name": "The Crows", "b_advantages": 1}


def begin(play, *faces, by=None, **given):
    dice.unload()
    dice.load(*faces)
    return open_procedure(by or play.gm, "forged", "fortune", ALONE | given, key=uuid4())


def test_it_is_rolled_at_once_by_the_gm_alone(play):
    begin(play, 6, 2, a_trait=2, a_name="The plague")
    made = Roll.objects.get()
    assert (made.faces, made.outcome["result"], made.ask["note"]) == ([6, 2], "full", "The plague")
    assert Procedure.objects.get().closed_at
    with pytest.raises(Forbidden):
        begin(play, 6, by=play.mo)


def test_someone_pushes_for_a_die_and_abilities_add_more_with_the_reason(play):
    cross = Crew(play).cross
    begin(play, 1, 2, 3, a_name="What Cross hears", a_push=cross.pk, a_more=1, a_why="Whispers")
    card = Roll.objects.get().event.described
    assert [(one["words"], one["dice"]) for one in card["extras"]] == [("push", 1), ("Whispers", 1)]
    assert (len(Roll.objects.get().faces), stress(cross)) == (3, 5)
    void_roll(play.gm, Roll.objects.get().pk, key=uuid4())
    assert stress(cross) == 3
    for given, field in (({"a_more": 1}, "a_why"), ({"a_push": uuid4()}, "a_push")):
        assert refusal(Invalid, begin, play, **given).field == field


def test_a_roll_that_is_taken_back_may_be_rolled_anew(play):
    procedure = begin(play, 4, 1, 2, 3, **GANGS)
    void_roll(play.gm, Roll.objects.get(request__part="b").pk, key=uuid4())
    crew = Crew(play)
    assert crew.waits(procedure) == [("the GM", "to roll again")]
    crew.press(play.gm, procedure, "roll", faces=(6, 6))
    assert Procedure.objects.get().closed_at
    assert crew.said() == "The Lampblacks mixed, The Crows exceptional: The Crows ahead by 2 levels."


def test_the_form_lists_traits_that_fit_and_refuses_what_is_none(play, cast):
    crew = Crew(play)
    put(crew.crew, {"cohorts": [{"id": "ab", "name": "The Rooks", "quality": 3}]})
    html = show(cast.gm, cast, "procedure_new", "forged", "fortune").content.decode()
    for words in (
        "Tier of The Wick",
        "Quality of The Rooks",
        "Wanted level of The Wick",
        "devastating",
        "4: your judgement",
    ):
        assert words in html
    for typed in ({"a_trait": "13"}, {"a_trait": "-1"}, {"a_advantages": "-1"}, {"a_disadvantages": "x"}):
        answer = send(cast.gm, "procedure_open", "forged", "fortune", **typed)
        assert answer.status_code == 422 and f'data-field="{next(iter(typed))}"' in answer.content.decode()
