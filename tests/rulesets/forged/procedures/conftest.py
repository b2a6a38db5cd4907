"""Who acts in the tests of what is played by forged rules; a test file that needs them otherwise has its own."""

from __future__ import annotations

import pytest

from tests.rulesets.forged.table.forged import scoundrel


@pytest.fixture
def cross(play):
    """Of Mo, with Prowl 1 and 3 stress."""
    return scoundrel(play)


@pytest.fixture
def thorn(play):
    """Of the other player."""
    return scoundrel(play, "Thorn", play.other, stress=0)
