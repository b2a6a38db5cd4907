"""The Scale is the fold of the log; and the check that says so notices when it is not."""

from __future__ import annotations

from random import Random
from uuid import uuid4

import pytest

from campaigns.errors import ServiceError
from rolls.models import Audience, Roll
from rolls.services.rolls import correct_roll, void_roll
from rolls.services.scale import undo_newest
from scale.models import Burn, Momentum, Scale
from scale.queries.projection import check
from scale.services.burns import bank_burn, choose_effect, defer_burn, spend_banked, take_burn, use_free_activation


def some_operation(play, chance):
    """Do any operation that may happen to a Scale, by a member who may do it. It may be refused."""
    by = chance.choice([play.mo, play.other])
    burns = list(Burn.objects.filter(scale__campaign=play.campaign))
    burn = chance.choice(burns).pk if burns else uuid4()
    rolls = list(Roll.objects.filter(campaign=play.campaign, voided_at=None))
    audience = chance.choice([Audience.TABLE, Audience.TABLE, Audience.SELF, Audience.GM])
    key = uuid4()
    return chance.choice(
        [
            lambda: play.roll(*[chance.randint(1, 10) for _ in range(6)], by=by, audience=audience, dice=5),
            lambda: play.roll(*[chance.choice([2, 3, 8]) for _ in range(6)], by=by, dice=5),
            lambda: take_burn(by, burn, key=key),
            lambda: bank_burn(by, burn, key=key),
            lambda: spend_banked(chance.choice([by, play.gm]), burn, key=key),
            lambda: choose_effect(by, burn, chance.choice(["die", "disposition"]), npc=play.vesper.pk, key=key),
            lambda: choose_effect(play.gm, burn, chance.choice(["die", "discipline"]), words="So be it.", key=key),
            lambda: use_free_activation(by, play.silas.pk, key=key),
            lambda: defer_burn(play.gm, burn, key=key),
            lambda: correct_roll(
                play.gm, chance.choice(rolls).pk if rolls else uuid4(), {"difficulty": chance.randint(2, 10)}, key=key
            ),
            lambda: void_roll(play.gm, chance.choice(rolls).pk if rolls else uuid4(), key=key),
            lambda: undo_newest(play.gm, Scale.objects.filter(campaign=play.campaign).first().pk, key=key),
        ]
    )


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.thorough
def test_whatever_happens_the_rows_are_what_the_log_gives(play, seed, patience):
    chance = Random(seed)
    play.roll(5)
    for _ in range(70):
        try:
            some_operation(play, chance)()
        except ServiceError:
            continue
        finally:
            assert check(play.campaign) == []
    assert Burn.objects.exists()


def test_a_scale_that_is_not_what_was_told_is_noticed(play):
    play.roll(9)
    Scale.objects.update(value=5)
    assert check(play.campaign) == [f"Scale {play.scale.pk}: scale is 5, the log gives 1."]


def test_a_burn_that_was_never_told_is_noticed(play):
    roll = play.roll(9, 9, 9)
    Burn.objects.update(state=Burn.State.BANKED)
    assert len(check(play.campaign)) == 2
    Burn.objects.create(
        pk=uuid4(),
        scale=play.scale,
        kind="grace",
        major=True,
        state="open",
        cause=roll,
        character=play.silas,
        at=roll.at,
    )
    assert "there are 1 Major Burns, the log gives 0" in check(play.campaign)[-1]


def test_a_die_out_of_nothing_is_noticed(play):
    play.roll(9)
    Momentum.objects.create(character=play.silas, die_modifier=1)
    assert check(play.campaign) == [f"Character {play.silas.pk}: die_modifier is 1, the log gives 0."]
