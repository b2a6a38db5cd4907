"""The draft of a recap: scene by scene what the whole table saw, and nothing else."""

from __future__ import annotations

from uuid import uuid4

from campaigns.models import Clock, Role, Viewer
from campaigns.models.clocks import ClockVisibility
from campaigns.services import play as sessions
from campaigns.services.clocks import Draft, make_clock, tick_clock
from campaigns.services.log_entries import amend_words, pin
from campaigns.text import MAX_TEXT
from rolls.models import Audience
from rolls.queries.recaps import recap_draft
from rolls.services.procedures import close_procedure, open_procedure
from rolls.services.rolls import void_roll


def drafted(play, session):
    return recap_draft(Viewer(play.campaign, play.gm, Role.GM), session)


def test_a_scene_is_told_in_the_order_in_which_it_happened(play, session):
    sessions.narrate(play.gm, "It\n\nrains.", key=uuid4())
    play.roll(9, 8, 5, 3, 4)
    quoted = sessions.say(play.mo, "Nobody move.", key=uuid4())
    sessions.say(play.mo, "What was the difficulty?", key=uuid4())
    pin(play.other, quoted.uid, key=uuid4())
    sessions.open_scene(play.gm, "The roof", key=uuid4())
    draft = drafted(play, session)
    parts = [
        "**Scene 1, The door**",
        "> It rains.",
        "- Silas Grey: ",
        "> Nobody move.\n> — Mo",
        "**Scene 2, The roof**",
    ]
    places = [draft.words.index(part.replace("Mo", play.mo.name)) for part in parts]
    assert places == sorted(places) and "difficulty?" not in draft.words
    assert draft.words.endswith("What happened here?") or "What happened here?\n\n**On the Scale**" in draft.words
    assert (draft.narrations, draft.rolls, draft.quotes) == (1, 1, 1)


def test_words_read_as_they_were_amended_and_a_voided_roll_is_left_out(play, session):
    said = sessions.narrate(play.gm, "It rained frogs.", key=uuid4())
    amend_words(play.gm, said.uid, "It rained.", reason="", key=uuid4())
    roll = play.roll(9, 8, 5, 3, 4)
    void_roll(play.gm, roll.pk, reason="slipped", key=uuid4())
    draft = drafted(play, session)
    assert "> It rained." in draft.words and "frogs" not in draft.words
    assert draft.rolls == 0 and "- Silas Grey: " not in draft.words


def test_what_was_ended_is_named_once(play, session):
    given = {"characters": [str(play.silas.pk)], "names": "Dog 2", "anew": False}
    fight = open_procedure(play.gm, "storyteller", "conflict", given, key=uuid4())
    close_procedure(play.gm, fight.pk, key=uuid4())
    words = drafted(play, session).words
    assert "- Conflict" in words.splitlines()


def test_what_some_alone_saw_is_not_in_it(play, session):
    play.roll(9, 8, 5, 3, 4, audience=Audience.SELF, note="xylophone")
    whispered = sessions.whisper(play.mo, "xylophone", to=[play.gm], key=uuid4())
    pin(play.mo, whispered.uid, key=uuid4())
    clock = make_clock(play.gm, Draft("xylophone", 2, visibility=ClockVisibility.SECRET), key=uuid4())
    tick_clock(play.gm, clock, 2, reason="xylophone", key=uuid4())
    draft = drafted(play, session)
    assert "xylophone" not in draft.words and "What happened here?" in draft.words
    assert (draft.rolls, draft.quotes) == (0, 0)


def test_a_clock_that_filled_is_told_where_it_did_unless_it_was_pulled_back(play, session):
    for name, back in (("Dawn", 0), ("Dusk", -1)):
        clock = make_clock(play.gm, Draft(name, 2), key=uuid4())
        tick_clock(play.gm, clock, 2, reason="", key=uuid4())
        if back:
            tick_clock(play.gm, Clock.objects.get(pk=clock.pk), back, reason="", key=uuid4())
    words = drafted(play, session).words
    assert "- “Dawn” filled up." in words and "Dusk" not in words


def test_a_long_evening_gives_up_rolls_before_narration_and_fits_in_the_form(play, session, monkeypatch):
    told = " ".join(["rain"] * 40)
    for _ in range(3):
        sessions.narrate(play.gm, told, key=uuid4())
        play.roll(9, 8, 5, 3, 4)
    whole = drafted(play, session).words
    assert "- Silas Grey: " in whole and len(whole) < MAX_TEXT
    monkeypatch.setattr("rolls.queries.recaps.MAX_TEXT", len(whole) - 1)
    shorter = drafted(play, session).words
    assert shorter.count(told) == 3 and "- Silas Grey: P" not in shorter
    monkeypatch.setattr("rolls.queries.recaps.MAX_TEXT", 100)
    assert 0 < len(drafted(play, session).words) <= 100
