"""An evening whose dice can be checked: the fixture `evening`, a session with rolls for everybody's eyes and for few."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from campaigns.models import GameSession
from campaigns.services import play as sessions
from rolls.models import Audience, Roll
from rolls.registry import RULESETS
from rolls.services.amend import correct_roll, reveal_roll
from rolls.services.procedures import act, open_procedure
from rolls.services.rolls import make_roll
from rulesets.storyteller.table.ask import StorytellerInput
from tests.rolls.orders import roll_for_order
from tests.rolls.pushing import PUSHING
from tests.rolls.steps import seen


@pytest.fixture
def evening(play: Any, settings: Any) -> GameSession:
    """Return the session, ended. Its campaign has had another before, so that all was committed to in time."""
    settings.DICE_SOURCE = "rolls.services.dice.fair_dice"
    settings.RATE_LIMIT = 1_000_000

    def roll(by: Any, audience: Audience = Audience.TABLE, **more: Any) -> Any:
        return make_roll(
            by, StorytellerInput(dice=5, note="über"), audience=audience, key=uuid4(), client_seed="c1" * 16, **more
        )

    sessions.start_session(play.gm, "Before", key=uuid4())
    sessions.end_session(play.gm, key=uuid4())
    session = sessions.start_session(play.gm, "Evening", key=uuid4())
    for by in (play.mo, play.other, play.gm):
        roll(by)
    roll(play.mo, Audience.SELF)
    roll(play.mo, Audience.GM)
    shown = roll(play.gm, Audience.GM)
    reveal_roll(play.gm, shown.pk, key=uuid4())
    correct_roll(play.gm, roll(play.mo).pk, {"difficulty": 8}, key=uuid4())
    for audience in (Audience.TABLE, Audience.GM):
        roll_for_order(play.gm, ("Mo", "Tess", "Iva"), audience=audience, key=uuid4(), client_seed="c1" * 16)
    roll(play.mo, faces=[1, 2, 3, 4, 5])
    sessions.end_session(play.gm, key=uuid4())
    return session


@pytest.fixture
def rerolled(play: Any, evening: GameSession, monkeypatch: Any) -> GameSession:
    """Play a further session in which dice of a roll from the evening before are rerolled twice, by its player and by a GM."""
    storyteller = RULESETS["storyteller"]
    monkeypatch.setattr(storyteller, "procedures", {**storyteller.procedures, "pushing": PUSHING})
    roll = make_roll(
        play.mo,
        StorytellerInput(character=play.silas.pk, dice=3),
        audience=Audience.TABLE,
        key=uuid4(),
        client_seed="c1" * 16,
    )
    session = sessions.start_session(play.gm, "After", key=uuid4())
    for by, name in ((play.mo, "push"), (play.gm, "all_again")):
        given = {"who": play.silas.pk, "roll": roll.pk}
        procedure = open_procedure(play.gm, "storyteller", "pushing", given, key=uuid4())
        act(by, procedure.pk, seen(procedure, name), key=uuid4(), client_seed="c2" * 16)
        roll = Roll.objects.get(corrects=roll)
    sessions.end_session(play.gm, key=uuid4())
    return session
