from uuid import uuid4

import pytest

from campaigns.services import play
from tests.campaigns.archives import lines, moved
from tests.flows.evening import evening, played

__all__ = ["evening", "lines", "moved", "played"]


@pytest.fixture
def session(cast):
    return play.start_session(cast.gm.member, "First", key=uuid4())
