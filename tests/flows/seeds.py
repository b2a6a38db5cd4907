"""Dice that can be checked, in the campaign in which everything happens."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.test import override_settings

from campaigns.live import presence
from campaigns.models import Membership
from rolls.models import Audience, Roll
from rolls.services.fairness import tell_seed
from rolls.services.rolls import ask_witness, give_witness, make_roll
from rulesets.storyteller.terms import StorytellerInput
from tests.presence import arrive

CLIENT_SEED = "c1" * 16


def fair_dice() -> override_settings:
    """Use dice from seeds that were committed to inside, as on a site."""
    return override_settings(DICE_SOURCE="rolls.services.fairness.fair_dice")


def some_seeds(gm: Membership, mo: Membership) -> None:
    """Rolls of all kinds of audience, a player's blind one and a GM's witnessed one among them; then the seed is told."""
    with fair_dice():
        rolls = [(mo, audience) for audience in Audience] + [(gm, audience) for audience in Audience]
        for by, audience in [*rolls, (gm, Audience.TABLE)]:
            make_roll(by, StorytellerInput(dice=4), audience=audience, key=uuid4(), client_seed=CLIENT_SEED)
        witnessed_roll(gm, mo)
        tell_seed(gm, key=uuid4())


def witnessed_roll(gm: Membership, witness: Membership) -> Roll:
    """Make a GM's roll to all, witnessed by a connected player."""
    here, roll_id = arrive(gm.campaign_id, witness.pk), uuid4()
    roll: dict[str, Any] = {"audience": Audience.TABLE, "client_seed": CLIENT_SEED}
    ask_witness(gm, StorytellerInput(dice=4), **roll, roll_id=roll_id, key=uuid4())
    give_witness(witness, roll_id, seed="5e" * 16, key=uuid4())
    presence.leave(here)
    return make_roll(gm, StorytellerInput(dice=4), **roll, key=roll_id)
