"""Worked rolls of the guide: made by the rules from the faces that the texts name, so that none can tell a wrong result."""

from __future__ import annotations

from collections.abc import Sequence

from rolls.guide.content import Die, Example
from rolls.guide.words import counted
from rulesets.storyteller.rules.pool import typed_pool
from rulesets.storyteller.rules.roll import Ask, Outcome, Result, resolve


def example(faces: Sequence[int], difficulty: int, ability: int = 0) -> Example:
    outcome = rolled(faces, difficulty, ability)
    dice = tuple(Die(die.face, die.role, die.why) for die in outcome.dice)
    return Example(asked(outcome), (("", dice),), came(outcome), 10)


def rolled(faces: Sequence[int], difficulty: int, ability: int = 0) -> Outcome:
    ask = Ask(pool=typed_pool(len(faces), ability=ability), difficulty=difficulty)
    return resolve(ask, iter(faces))


def asked(outcome: Outcome) -> str:
    return f"{counted(len(outcome.dice), 'die')} at difficulty {outcome.difficulty}"


def came(outcome: Outcome) -> str:
    if outcome.result is Result.SUCCESS:
        return f"{counted(outcome.total, 'success')}, {outcome.degree}"
    return f"a {outcome.severity_name} botch" if outcome.severity else "a failure"
