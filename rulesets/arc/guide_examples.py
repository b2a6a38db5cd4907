"""Worked rolls of the guide: made by the rules from the faces that the texts name, so that none can tell a wrong result."""

from __future__ import annotations

from campaigns.text import added
from rolls.guide.content import Die, Example
from rulesets.arc.rules import check as rules


def example(ks: int, us: int, es: int, face: int, threshold: int) -> Example:
    check = rules.resolve(rules.Ask(ks=ks, us=us, es=es), iter([face]))
    adjustment = check.adjustment
    drawn = "success" if adjustment.role is rules.Role.BONUS else "one"
    won = rules.versus_threshold(check, threshold).success
    came = (
        f"{ks} + {us} {added(adjustment.value)} = {check.total}: {'higher' if won else 'not higher'} than {threshold}, "
    )
    return Example(
        f"KS {ks}, US {us}, an ES of {es} and so a {adjustment.die}",
        (("", (Die(face, drawn, adjustment.why),)),),
        came + ("a success" if won else "a failure"),
        adjustment.die.sides,
    )
