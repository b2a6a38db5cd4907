"""A score and its downtime look the same to who was there and to who loads the page, and are drawn without the database."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from campaigns.live.render import render_line, render_live
from campaigns.models import Role
from campaigns.views import log
from tests import dice
from tests.dom import parse
from tests.flows.procedures_forged_downtime import a_crew_comes, a_score_happens, downtime_happens
from tests.following import apply
from tests.rolls.steps import without_the_database
from tests.rolls.test_events import WHO, drawn, page, told


@pytest.fixture(autouse=True)
def patience(settings):
    settings.RATE_LIMIT = 1000


def test_live_equals_reload(cast, play, monkeypatch):
    monkeypatch.setattr(log, "PAGE", 1_000)
    wren = a_crew_comes(play.gm, play.mo)
    open_pages = [(member, told(member).count(), page(cast, member)) for member in (getattr(play, who) for who in WHO)]
    a_score_happens(play.gm, play.mo, wren, dice.load)
    for member, before, open_page in open_pages:
        for event in told(member)[before:]:
            apply(open_page, render_live(event, Role(member.role)))
        after = page(cast, member)
        assert drawn(open_page) == drawn(after), member
        assert [name for name, times in Counter(after.ids()).items() if times > 1] == [], member


def test_its_events_are_drawn_without_the_database(play):
    downtime_happens(play.gm, play.mo, dice.load)
    events = list(told(play.gm))
    with without_the_database():
        lines = [render_line(event, role) for event, role in product(events, Role)]
        assert [render_live(event, role) for event, role in product(events, Role)]
    assert parse("".join(lines))
