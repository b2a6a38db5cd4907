"""An evening whose dice can be checked: the fixture `evening`, a session with rolls for everybody's eyes and for few."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from campaigns.models import GameSession
from campaigns.services import play as sessions
from rolls.models import Audience
from rolls.services.amend import correct_roll, reveal_roll
from rolls.services.rolls import make_roll
from rulesets.storyteller.table.ask import StorytellerInput
from tests.rolls.orders import roll_for_order


@pytest.fixture
def evening(play: Any, settings: Any) -> GameSession:
    """The session, ended. Its campaign has had another before, so that all was committed to in time."""
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
