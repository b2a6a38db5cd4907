"""Worked rolls of the guide to the Scale: what each die gives, reckoned by its own rules."""

from __future__ import annotations

from collections.abc import Sequence

from campaigns.text import signed
from rolls.guide.content import Die, Example
from rolls.registry import RULESETS
from rolls.rules.tally import read
from rulesets.scale.rules.reading import tally


def example(faces: Sequence[int], difficulty: int) -> Example:
    """The roll is worked by the first rules whose dice can be counted; beside each die stands what it gives."""
    ruleset, counted = next((ruleset, ruleset.table.counted) for ruleset in RULESETS.values() if ruleset.table.counted)
    worked = ruleset.guide_example(faces=faces, difficulty=difficulty)
    fields = {"dice": [{"face": face} for face in faces], "difficulty": difficulty}
    seen = read(counted.fallen(fields), tally())
    ((name, dice),) = worked.pools
    drawn = tuple(
        Die(die.face, die.role, die.why, None if rolled.skipped else rolled.gives, "Scale")
        for die, rolled in zip(dice, seen.dice, strict=True)
    )
    moves = f"the Scale moves by {signed(seen.delta)}" if seen.delta else "the Scale stays"
    return Example(worked.asked, ((name, drawn),), f"{worked.came}; {moves}", worked.sides)
