"""Who acts in the tests of what is played by forged rules; a test file that needs them otherwise has its own."""

from __future__ import annotations

import pytest

from tests.rulesets.forged.table.forged import scoundrel


@pytest.fixture
def cross(play):
    """Return Mo's scoundrel, with Prowl 1 and 3 stress."""
    return scoundrel(play)


@pytest.fixture
def thorn(play):
    """Return the other player's scoundrel."""
    return scoundrel(play, "Thorn", play.other, stress=0)
