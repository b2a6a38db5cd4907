"""Dice that can be checked, in the campaign in which everything happens."""

from __future__ import annotations

from uuid import uuid4

from django.test import override_settings

from campaigns.models import Membership
from rolls.models import Audience
from rolls.services.fair import tell_seed
from rolls.services.rolls import make_roll
from rolls.services.systems.storyteller import Ask

CLIENT_SEED = "c1" * 16


def fair_dice() -> override_settings:
    """Inside, dice come from seeds that were committed to, as they do on a site."""
    return override_settings(DICE_SOURCE="rolls.services.dice.fair_dice")


def some_seeds(gm: Membership, mo: Membership) -> None:
    """Rolls of all kinds of audience, a player's blind one among them; then the seed is told."""
    with fair_dice():
        rolls = [(mo, audience) for audience in Audience] + [(gm, audience) for audience in Audience]
        for by, audience in [*rolls, (gm, Audience.TABLE)]:
            make_roll(by, Ask(dice=4), audience=audience, key=uuid4(), client_seed=CLIENT_SEED)
        tell_seed(gm, key=uuid4())
