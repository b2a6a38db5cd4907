"""What is played in the procedures of forged rules begins with these people."""

from __future__ import annotations

import pytest

from tests.rulesets.forged.procedures.scene import Crew


@pytest.fixture
def crew(play):
    return Crew(play)
