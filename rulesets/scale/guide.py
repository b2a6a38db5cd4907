"""Tables and worked rolls of the guide to the Scale, drawn from its rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Final

from campaigns.text import signed
from rolls.guide.content import Die, Example, Table
from rolls.registry import RULESETS
from rolls.rules.tally import read
from rulesets.scale.rules import oracles
from rulesets.scale.rules.scale import DOWN_TO, EFFECT_CHOSEN_BY, UP_FROM, BurnKind, Complication, Side, tally


def example(faces: Sequence[int], difficulty: int) -> Example:
    """Return a roll worked by the first rules whose dice can be counted; beside each die stands what it gives."""
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


def scale_faces() -> Table:
    rows = (
        (f"1 to {DOWN_TO}", "−1, unless a 1 cancelled a success"),
        (f"{DOWN_TO + 1} to {UP_FROM - 1}", "0"),
        (f"{UP_FROM} to 10", "+1"),
    )
    return Table("What each face gives the Scale", ("Face", "Gives"), rows)


def scale_effects() -> Table:
    who = {Side.PLAYER: "the player", Side.GM: "the GM"}
    what = {
        BurnKind.GRACE: ("+1 die", "a free activation", "+1 with an NPC"),
        BurnKind.TROUBLE: ("−1 die", "a complication", "−1 with an NPC"),
    }
    rows = tuple((kind.capitalize(), who[EFFECT_CHOSEN_BY[kind]], *what[kind]) for kind in BurnKind)
    return Table("Effects of a Burn, of which one is chosen", ("Burn", "Chosen by", "Die", "Discipline", "NPC"), rows)


def scale_complications() -> Table:
    return Table("Ways to go astray", ("Complication",), tuple((way.capitalize(),) for way in Complication))


def oracle_reason() -> Table:
    return Table("Reason Oracle", ("d10", "The new story grows from"), _faces(oracles.REASON))


def oracle_figures() -> Table:
    rows = tuple(
        (f"{title} ({kind.capitalize()})", does)
        for kind, results in oracles.FIGURES.items()
        for title, does in results.items()
    )
    return Table("What a result does", ("Result", "In a Major Burn"), rows)


def oracle_grace() -> Table:
    return _oracle("Grace Oracle", oracles.GRACE, oracles.GRACE_SHIFT)


def oracle_trouble() -> Table:
    return _oracle("Trouble Oracle", oracles.TROUBLE, oracles.TROUBLE_SHIFT)


def _oracle(caption: str, first: oracles.Table, second: oracles.Table) -> Table:
    rows = tuple((*row, "") for row in _faces(first))
    # The second results continue the row of the Shift, on which alone they are rolled.
    after = "; ".join(f"{face} {title}" for face, title in _faces(second))
    return Table(caption, ("d10", "Result", "Second d10"), (*rows[:-1], (*rows[-1][:2], after)))


def _faces(entries: oracles.Table) -> tuple[tuple[str, str], ...]:
    """Return neighbouring faces of one title in one row: ("6–7", "Threat")."""
    rows = []
    for title, group in groupby(enumerate(entries, start=1), key=lambda entry: entry[1].title):
        faces = [face for face, _ in group]
        rows.append((f"{faces[0]}–{faces[-1]}" if len(faces) > 1 else str(faces[0]), title))
    return tuple(rows)


TABLES: Final[Mapping[str, Callable[[], Table]]] = {
    **{
        table.__name__: table
        for table in (
            scale_faces,
            scale_effects,
            scale_complications,
            oracle_reason,
            oracle_grace,
            oracle_trouble,
            oracle_figures,
        )
    },
}
"""By the name under which a rule asks for its table."""
