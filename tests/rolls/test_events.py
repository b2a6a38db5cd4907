"""How what happens to rolls, Scales and Burns looks: as it arrives, and after a reload."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.live.render import render_line
from campaigns.models import Event, Role
from campaigns.views import log
from rolls.events import request_words
from rolls.services.rolls import void_roll
from rolls.services.settings import change_settings
from rolls.settings import RollSettings
from scale.models import Burn
from scale.rules import scale as rules
from scale.services import burns
from tests.following import followed_and_reloaded


def test_a_request_for_a_kind_of_roll_that_nobody_knows_here_is_named_by_its_rules():
    """A log from elsewhere may tell of one."""
    assert request_words({"system": "arc", "terms": {"kind": "seance"}}) == "A roll (arc)"


def both_at_once(play):
    play.roll(2, 2, 2)
    play.roll(8, 8, 8, 8, 8, 8, by=play.other)
    burns.choose_effect(play.other, Burn.objects.get(state="fired", kind="grace").pk, "die", key=uuid4())


def some_majors(play):
    play.roll(*[9] * 8)
    first = play.burn(Burn.State.OPEN).pk
    burns.see_burn(play.mo, first, key=uuid4())
    burns.defer_burn(play.gm, first, key=uuid4())
    play.roll(*[2] * 8)
    second = play.burn(Burn.State.OPEN).pk
    burns.narrate_burn(play.gm, second, "The **doors** close.", key=uuid4())
    burns.see_burn(play.gm, first, key=uuid4())


def a_lost_bank(play):
    decide(play, major_clears_bank=True)
    play.roll(8, 9, 10)
    burns.bank_burn(play.mo, play.burn(Burn.State.OFFERED).pk, key=uuid4())
    play.roll(*[9] * 8)


def decide(play, **scale):
    change_settings(play.gm, RollSettings((rules.Settings(**scale),)), key=uuid4())


def one_scale_each(play):
    play.roll(9)
    decide(play, shared=False)
    play.roll(9)


def shared_again(play):
    one_scale_each(play)
    decide(play, cancelled_ones_count=True)


STORIES = [both_at_once, some_majors, a_lost_bank, one_scale_each, shared_again]
"""What the evening in which everything happens (tests/flows/test_live_equals_reload.py) does not end with."""


@pytest.mark.parametrize("story", STORIES)
def test_following_shows_what_reloading_shows(cast, play, story, monkeypatch, patience):
    monkeypatch.setattr(log, "PAGE", 1_000)
    story(play)
    for who in ("gm", "player", "other_player", "spectator"):
        _, differing = followed_and_reloaded(getattr(cast, who), cast.campaign)
        assert not differing, who


def test_what_people_write_stays_text(play):
    void_roll(play.gm, play.roll(9, note="<i>past</i> the dogs").pk, reason="<b>no</b>", key=uuid4())
    html = "".join(render_line(Event.objects.get(pk=event.pk), Role.GM) for event in play.events())
    assert "<b>no</b>" not in html and "&lt;b&gt;no&lt;/b&gt;" in html and "<i>past" not in html
