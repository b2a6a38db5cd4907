"""The lasting parts of a session of “Ashes over Harrow”: pins, corrections, voided rolls, XP, and recaps."""

from __future__ import annotations

from typing import Any

from campaigns.models import Event, GameSession
from campaigns.models.clocks import Clock
from campaigns.services.clocks import tick_clock
from campaigns.services.log_entries import amend_words, pin, refile
from campaigns.services.play import narrate, recap_of, recap_version, say, write_recap
from characters.models import Character
from characters.services import say_as
from characters.services.ledger import award_xp
from config.demo import harrow_story as story
from config.demo.stage import Stage
from rolls.models import Audience, Roll
from rolls.services.rolls import correct_roll, make_roll, void_roll
from rulesets.storyteller.table.ask import StorytellerInput

XP_A_SESSION = 3
SOAK = 4  # dice


def soak(character: Character, **more: Any) -> StorytellerInput:
    """Return a soak roll of four dice: Stamina, and a modifier for the rest."""
    beside = SOAK - int(character.value("stamina"))
    return StorytellerInput(character=character.pk, traits=("stamina",), modifier=beside, kind="soak", **more)


def before_the_end(stage: Stage, number: int) -> None:
    """Play what goes wrong in a session and is corrected, what people pin, and their XP."""
    put_right = {2: _dice_from_the_table, 3: _a_clock_fills, 4: _a_slip_of_the_tongue, 5: _told_too_late}
    if number in put_right:
        put_right[number](stage)
    _pin(stage, number)
    played = [stage.characters[role.name] for role in story.CHARACTERS if role.player]
    stage.do(award_xp, stage.gm, played, XP_A_SESSION, reason=story.SESSIONS[number - 1][0])


def afterwards(stage: Stage, number: int) -> None:
    """Write the recap; the newest one stays a draft."""
    words = story.RECAPS.get(number)
    if words:
        session = _session(stage, number)
        publish = number < max(story.RECAPS)
        stage.do(write_recap, stage.gm, session, words, publish=publish, expected=recap_version(recap_of(session)))


def _dice_from_the_table(stage: Stage) -> None:
    """Roll real dice, once typed in with the wrong difficulty, and make a roll by mistake."""
    bram = soak(stage.characters["Bram Teller"], note="The beam")
    stage.do(make_roll, stage.viewers["tess"], bram, audience=Audience.TABLE, faces=[9, 6, 2, 1])
    roll = Roll.objects.filter(campaign=stage.gm.campaign).latest("at")
    stage.do(correct_roll, stage.gm, roll.pk, {"difficulty": 7}, reason="It was a heavy beam")
    silas = soak(stage.characters["Silas Grey"], willpower=True)
    stage.do(make_roll, stage.viewers["mo"], silas, audience=Audience.TABLE)
    roll = Roll.objects.filter(campaign=stage.gm.campaign).latest("at")
    stage.do(void_roll, stage.gm, roll.pk, reason="The beam missed him")


def _a_clock_fills(stage: Stage) -> None:
    clock = Clock.objects.get(campaign=stage.gm.campaign, name=story.FILLS)
    stage.do(
        tick_clock, stage.gm, clock, clock.segments - clock.filled, reason="The last ledger page was in the prompt book"
    )


def _a_slip_of_the_tongue(stage: Stage) -> None:
    brave = soak(stage.characters["Corvina Hale"], willpower=True, note="The cold")
    stage.do(make_roll, stage.viewers["iva"], brave, audience=Audience.TABLE)
    said = stage.do(
        say_as, stage.viewers["tess"], stage.characters["Bram Teller"], "I was asleep. I mean awake. I was there."
    )
    stage.do(
        amend_words, stage.viewers["tess"], said.uid, "I was awake. I was there.", reason="He would not say it yet"
    )


def _told_too_late(stage: Stage) -> None:
    line = stage.do(narrate, stage.gm, "The printer washes his hands for a long time before he shakes anybody’s.")
    scene = _session(stage, 5).scenes.get(number=1)
    stage.do(refile, stage.gm, line.uid, scene, reason="We came back to the shop for a moment")
    stage.do(say, stage.viewers["iva"], "I have to catch the last tram, so *please* let it be quick.")


def _pin(stage: Stage, number: int) -> None:
    """Pin a line, a roll and a picture as different people."""
    events = Event.objects.filter(campaign=stage.gm.campaign, session=_session(stage, number), stream__name="table")
    said = events.filter(kind="campaigns.said").exclude(subjects=None)
    for viewer, event in (
        ("iva", said.last()),
        ("tess", events.filter(kind="rolls.roll_made", index__outcome__in=("critical", "botch")).last()),
        ("gm", events.filter(kind="campaigns.said").first()),
    ):
        if event:
            stage.do(pin, stage.viewers[viewer], event.uid)


def _session(stage: Stage, number: int) -> GameSession:
    return GameSession.objects.get(campaign=stage.gm.campaign, number=number)
