"""What is kept of Storyteller rolls are codes, numbers and names; the words for them are drawn when they are read."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.models import Event
from rolls.services.requests import Call, ask_for_roll, change_request
from rolls.services.settings import change_settings
from rolls.settings import RollSettings
from rulesets.storyteller.settings import Settings
from rulesets.storyteller.terms import StorytellerInput
from tests.sheets import put

BACKGROUND = {"id": "b1", "name": "Allies", "rating": 2, "words": "Ferrymen"}
NAMES = ("minor", "serious", "a ruin", "disastrous", "catastrophic")


@pytest.fixture
def silas(play):
    put(play.silas, {"backgrounds": [BACKGROUND]})
    return play.silas


def rolls(play):
    """Yield a success, failures and botches of both sorts, a roll with Willpower, and one without dice."""
    yield play.roll(9, 8, 7, 3, 2, dice=None, traits=("perception", "allies"))
    yield play.roll(7, 1)
    yield play.roll(2, 3, note="a note")
    yield play.roll(1, 2)
    yield play.roll(1, 1, 1)
    yield play.roll(6, 6, willpower=True)
    yield play.roll(by=play.gm, dice=6, automatic=True)


def test_a_card_says_what_it_said(play, silas):
    change_settings(play.gm, RollSettings((Settings(botch_names=NAMES),)), key=uuid4())
    said = [[roll.event.described[name] for name in ("words", "headline", "detail")] for roll in rolls(play)]
    assert said == [
        ["Perception + Allies", "Complete", "3 successes"],
        ["2 dice", "Failure", "1 success, cancelled"],
        ["2 dice", "Failure", "no successes"],
        ["2 dice", "Botch", "minor: no successes and a 1"],
        ["3 dice", "Botch", "a ruin: no successes and 3 1s"],
        ["2 dice", "Complete", "3 successes, one of them by Willpower"],
        ["6 dice", "Marginal", "1 success"],
    ]


def test_a_row_that_is_gone_from_the_sheet_is_still_named(play, silas):
    roll = play.roll(9, 8, dice=None, traits=("allies",))
    assert roll.event.payload["card"]["pool"]["traits"] == [{"code": "backgrounds/b1/rating", "name": "Allies"}]
    put(silas, {"backgrounds": []})
    assert Event.objects.get(pk=roll.event.pk).described["words"] == "Allies"


def test_a_request_tells_its_traits_by_the_names_of_the_sheet(play):
    asked = ask_for_roll(
        play.gm, Call(StorytellerInput(traits=("self", "courage"), difficulty=8)), member=play.mo.pk, key=uuid4()
    )
    change_request(play.gm, asked.pk, Call(StorytellerInput(traits=("wits",), kind="soak")), key=uuid4())
    told = play.events()[-1]
    assert told.payload["before"] == {
        "system": "storyteller",
        "terms": {"difficulty": 8, "kind": "virtue", "automatic": False, "traits": ["self_control", "courage"]},
    }
    assert told.described["before"]["words"] == "Self-Control + Courage, difficulty 8"
    assert told.described["request"]["words"] == "Wits, difficulty 6, soak"
    assert told.described["request"]["fields"]["pool"] == "Wits"
