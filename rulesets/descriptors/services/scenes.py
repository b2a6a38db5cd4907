"""Who is out of a scene, as scenes open and close (descriptors.txt, Will, and "What does success do?", the third)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from campaigns.events import SCENE_CLOSED, SCENE_OPENED
from campaigns.models import Event
from campaigns.services.log import UnitOfWork
from campaigns.signals import on_event
from characters.models import Character
from characters.reasons import Reason
from characters.services.lookup import get_character
from characters.services.steps import take_steps
from characters.sheets.steps import Put
from rolls.settings import roll_settings
from rulesets.descriptors.rules.refreshment import condition_of
from rulesets.descriptors.rules.scene import Condition, leave_scene
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.sheet import SHEET

WITHOUT_WILL: Final = Reason("no_will_for_a_scene", "no Will left: a Refreshment Scene comes first")
SCENE_OVER: Final = Reason("scene_over", "the scene is over")


@on_event(SCENE_OPENED)
def _opened(work: UnitOfWork, event: Event) -> None:
    """Who has no Will left takes no part in a further scene before a Refreshment Scene."""
    for character, condition in _in_play(work):
        if not condition.may_join and not condition.out_of_scene:
            take_steps(work, get_character(work, character), (Put("out_of_scene", to=True),), why=WITHOUT_WILL)


@on_event(SCENE_CLOSED)
def _closed(work: UnitOfWork, event: Event) -> None:
    """Who was put out of it by the Power track may join the next one."""
    for character, condition in _in_play(work):
        if condition.out_of_scene and not leave_scene(condition).out_of_scene:
            take_steps(work, get_character(work, character), (Put("out_of_scene", to=False),), why=SCENE_OVER)


def _in_play(work: UnitOfWork) -> Iterator[tuple[Character, Condition]]:
    if SHEET.name not in work.campaign.systems:
        return
    settings = roll_settings(work.campaign).of(Settings)
    for character in Character.objects.active().filter(campaign=work.campaign, system=SHEET.name).with_rows():
        yield character, condition_of(character.values, settings)
