"""What ends with a scene on sheets of the Descriptors rules (descriptors.txt, "you're out of the scene")."""

from __future__ import annotations

from typing import Final

from campaigns.services.log import UnitOfWork
from characters.models import Character
from characters.reasons import Reason
from characters.services.lookup import found
from characters.services.steps import take_steps
from characters.sheets.steps import Put
from rolls.settings import roll_settings
from rulesets.descriptors.rules.states import NO_WILL, fund_of
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.sheet import SHEET

SCENE_OVER: Final = Reason("scene_over", "the scene is over")


def scene_over(work: UnitOfWork) -> None:
    """Whoever was out of this scene may be in the next; not without Will, before a Refreshment Scene."""
    settings = roll_settings(work.campaign).of(Settings)
    for one in Character.objects.active().filter(campaign=work.campaign, system=SHEET.name):
        fund = fund_of(one.values, settings)
        if fund.out and fund.bar is not NO_WILL:
            take_steps(work, found(work, one), [Put("out_of_scene", to=False)], why=SCENE_OVER)
