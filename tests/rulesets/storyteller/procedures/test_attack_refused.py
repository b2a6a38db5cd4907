"""What is no attack is refused at the field of its form, and begins nothing."""

from __future__ import annotations

import pytest

from campaigns.errors import Invalid
from characters.models import Character
from rolls.models import Procedure
from tests.rolls.conftest import character
from tests.rulesets.storyteller.procedures.test_attack import strike


def test_nobody_attacks_themselves_those_whom_nobody_knows_or_without_a_sheet_of_these_rules(fighters):
    play = fighters
    hidden = character(play.campaign, "Unseen", None)
    Character.objects.filter(pk=hidden.pk).update(shown=False)
    thorn = Character.objects.create(campaign=play.campaign, name="Thorn", system="forged", owner=play.other)
    for target in (play.silas, hidden, thorn):
        with pytest.raises(Invalid):
            strike(play, play.mo, a_character=play.silas.pk, target=target.pk)
    with pytest.raises(Invalid):
        strike(play, play.gm, a_name="Thug", a_pool="3", target=play.silas.pk, willpower=True)
    assert not Procedure.objects.exists()
