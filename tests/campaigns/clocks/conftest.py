from uuid import uuid4

import pytest

from campaigns.services import clocks
from campaigns.services.clocks import Draft


@pytest.fixture
def make(cast):
    """`make("Dawn", 6, visibility=SECRET)` makes a clock of the GM's."""

    def make(name="The Regent’s patience", segments=6, *, rival=None, filled=0, **said):
        return clocks.make_clock(cast.gm.member, Draft(name, segments, **said), rival=rival, filled=filled, key=uuid4())

    return make


@pytest.fixture
def tick(cast):
    def tick(clock, ticks=1, *, by=None, key=None, **how):
        return clocks.tick_clock((by or cast.gm).member, clock, ticks, key=key or uuid4(), **how)

    return tick
