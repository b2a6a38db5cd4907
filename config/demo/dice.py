"""Dice of the demo: each throw's faces follow from its id, so that the demo tells the same story on every server."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import islice
from uuid import UUID, uuid5

from rolls.services.fairness import DiceRequest
from rules.fairness import without_end
from rules.tally import read
from rulesets.storyteller.table.countable import StorytellerCountable

MOST_TRIED = 10_000


def told_dice(throw: DiceRequest) -> Iterator[int]:
    """Yield the faces of a throw from its id; settings.DICE_SOURCE while the demo is made."""
    # Not for games: this only draws the demo.
    dice = random.Random(throw.id.int)  # noqa: S311
    for sides in without_end(throw.spec):
        yield dice.randint(1, sides)


def key_for(name: UUID, dice: int, difficulty: int, wanted: Callable[[int], bool]) -> UUID:
    """Return a key under which so many dice give the Scale a wanted delta."""
    for attempt in range(MOST_TRIED):
        key = uuid5(name, str(attempt))
        throw = DiceRequest(campaign=key, actor=0, id=key, spec=f"{dice}d10")
        faces = [{"face": face} for face in islice(told_dice(throw), dice)]
        if wanted(read(StorytellerCountable().fallen({"dice": faces, "difficulty": difficulty})).delta):
            return key
    raise ValueError(f"{dice} dice at difficulty {difficulty} cannot fall as wanted")
