"""Worked rolls of the guide: made by the rules from the faces that the texts name, so that none can tell a wrong result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from rolls.guide.content import Die, Example
from rolls.rules import arc, descriptors, forged_roll, scale_read, storyteller
from rolls.rules.storyteller import Outcome
from rolls.rules.storyteller_pool import typed_pool

DRAWN_AS: Final = {
    descriptors.Role.IGNORED: "cancelled",
    descriptors.Role.TARGET: "one",
    descriptors.Role.SUCCESS: "success",
    descriptors.Role.BELOW: "blank",
    descriptors.Role.OVER: "blank",
}
"""The dice of a page have six looks (css/dice.css); this is how those of the descriptors use them."""

FORGED_CAME: Final = {
    forged_roll.Result.BAD: "it goes badly",
    forged_roll.Result.PARTIAL: "done, at a cost",
    forged_roll.Result.FULL: "a full success",
    forged_roll.Result.CRITICAL: "a critical",
}


def example(roll: str, **how: Any) -> Example:
    """The worked roll of one of the kinds in ROLLS."""
    return ROLLS[roll](**how)


def of_storyteller(faces: Sequence[int], difficulty: int, ability: int = 0) -> Example:
    outcome = _storyteller(faces, difficulty, ability)
    dice = tuple(Die(die.face, die.role, die.why) for die in outcome.dice)
    return Example(_asked(outcome), (("", dice),), _came(outcome))


def of_scale(faces: Sequence[int], difficulty: int) -> Example:
    outcome = _storyteller(faces, difficulty)
    read = scale_read.read(outcome)
    dice = tuple(
        Die(rolled.face, rolled.role, rolled.why, None if seen.skipped else seen.gives)
        for rolled, seen in zip(outcome.dice, read.dice, strict=True)
    )
    moves = f"the Scale moves by {_signed(read.delta)}" if read.delta else "the Scale stays"
    return Example(_asked(outcome), (("", dice),), f"{_came(outcome)}; {moves}")


def of_descriptors(a: Sequence[int], b: Sequence[int]) -> Example:
    outcome = descriptors.oppose(list(a), list(b))
    names = {descriptors.Side.A: "One side", descriptors.Side.B: "The other"}
    pools = tuple(
        (names[side], tuple(Die(die.face, DRAWN_AS[die.role], die.why) for die in _by_rank(outcome.dice(side))))
        for side in descriptors.Side
    )
    if outcome.winner is None:
        came = "a stalemate"
    else:
        over = f" over a target number of {outcome.target_number}" if outcome.target_number else " for having more dice"
        came = f"{names[outcome.winner].lower()} wins with {_counted(outcome.successes, 'success')}{over}"
    return Example(f"{len(a)} against {len(b)} dice", pools, came)


def of_arc(ks: int, us: int, es: int, face: int, threshold: int) -> Example:
    check = arc.resolve(arc.Ask(ks=ks, us=us, es=es), iter([face]))
    adjustment = check.adjustment
    drawn = "success" if adjustment.role is arc.Role.BONUS else "one"
    won = arc.versus_threshold(check, threshold).success
    came = (
        f"{ks} + {us} {_plus(adjustment.value)} = {check.total}: {'higher' if won else 'not higher'} than {threshold}, "
    )
    return Example(
        f"KS {ks}, US {us}, an ES of {es} and so a {adjustment.die}",
        (("", (Die(face, drawn, adjustment.why),)),),
        came + ("a success" if won else "a failure"),
    )


def of_forged(dice: int, faces: Sequence[int]) -> Example:
    outcome = forged_roll.resolve(forged_roll.Pool(dice), iter(faces))
    counted = {forged_roll.Role.KEPT: "counts", forged_roll.Role.CRITICAL: "makes it a critical"}
    drawn = tuple(
        Die(die.face, "success" if die.role in counted else "blank", counted.get(die.role, "does not count"))
        for die in outcome.dice
    )
    rolled = f", so {_counted(outcome.pool.rolled, 'die')} and the lowest" if outcome.pool.lowest else ""
    return Example(f"{_counted(dice, 'die')}{rolled}", (("", drawn),), FORGED_CAME[outcome.result])


def _storyteller(faces: Sequence[int], difficulty: int, ability: int = 0) -> Outcome:
    ask = storyteller.Ask(pool=typed_pool(len(faces), ability=ability), difficulty=difficulty)
    return storyteller.resolve(ask, iter(faces))


def _asked(outcome: Outcome) -> str:
    return f"{_counted(len(outcome.dice), 'die')} at difficulty {outcome.difficulty}"


def _came(outcome: Outcome) -> str:
    if outcome.result is storyteller.Result.SUCCESS:
        return f"{_counted(outcome.total, 'success')}, {outcome.degree}"
    return f"a {outcome.severity_name} botch" if outcome.severity else "a failure"


def _by_rank(dice: tuple[descriptors.RolledDie, ...]) -> list[descriptors.RolledDie]:
    return sorted(dice, key=lambda die: die.rank)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun if number == 1 else {'die': 'dice', 'success': 'successes'}[noun]}"


def _signed(number: int) -> str:
    return f"+{number}" if number > 0 else f"−{-number}"


def _plus(number: int) -> str:
    return f"+ {number}" if number >= 0 else f"− {-number}"


ROLLS: Final[Mapping[str, Callable[..., Example]]] = {
    "storyteller": of_storyteller,
    "scale": of_scale,
    "descriptors": of_descriptors,
    "arc": of_arc,
    "forged": of_forged,
}
