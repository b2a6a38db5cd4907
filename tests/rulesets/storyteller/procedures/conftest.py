"""Two who fight."""

from __future__ import annotations

import pytest

from tests.sheets import rewrite


@pytest.fixture
def fighters(play):
    """Silas strikes with 5 dice and a Strength of 2; Corvina dodges with 3, soaks with 2 and 1 of Fortitude, and has a bruise."""
    silas = {"dexterity": 3, "brawl": 2, "strength": 2, "willpower": 6, "willpower_now": 4}
    powers = [{"id": "p1", "name": "Fortitude", "rating": 1}]
    corvina = {"dexterity": 2, "athletics": 1, "stamina": 2, "bashing": 1, "powers": powers}
    for who, sheet in ((play.silas, silas), (play.corvina, corvina)):
        rewrite(who, sheet=sheet)
        who.refresh_from_db()
    return play
