"""An evening whose dice can be checked: the fixture `evening`, a session with rolls for everybody's eyes and for few."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from campaigns.models import GameSession
from campaigns.services import play as sessions
from rolls.models import Audience
from rolls.services.rolls import correct_roll, make_roll, reveal_roll
from rulesets.storyteller.terms import StorytellerInput
from tests.rolls.orders import roll_for_order
from tests.rolls.thrown_again import throw_again


@pytest.fixture
def evening(play: Any, patience: None, settings: Any) -> GameSession:
    """Return the session, ended. Its campaign has had another before, so that all was committed to in time."""
    settings.DICE_SOURCE = "rolls.services.fairness.fair_dice"

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
def rerolled(play: Any, evening: GameSession) -> GameSession:
    """Play a further session in which dice of a roll from the evening before are rerolled twice, by its player and by a GM."""
    roll = make_roll(
        play.mo,
        StorytellerInput(character=play.silas.pk, dice=3),
        audience=Audience.TABLE,
        key=uuid4(),
        client_seed="c1" * 16,
    )
    session = sessions.start_session(play.gm, "After", key=uuid4())
    roll = throw_again(play.mo, roll.pk, 0, key=uuid4())
    throw_again(play.gm, roll.pk, 2, 0, 1, key=uuid4())
    sessions.end_session(play.gm, key=uuid4())
    return session
