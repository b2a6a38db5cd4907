"""The tables of the guide, drawn from the rules that use them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import groupby
from typing import Final

from rolls.guide import tables_arc, tables_creation, tables_descriptors, tables_forged
from rolls.guide.content import Table
from rolls.rules import oracles
from rolls.rules.scale import EFFECT_CHOSEN_BY, BurnKind, Complication, Side
from rolls.rules.scale_read import DOWN_TO, UP_FROM
from rolls.rules.storyteller import DEGREES, DIFFICULTY_NAMES, MASTERY
from rolls.rules.storyteller_pool import RATING_NAMES


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


def storyteller_ratings() -> Table:
    return Table("Ratings", ("Dots", "Name"), tuple((str(dots), name) for dots, name in RATING_NAMES.items()))


def storyteller_difficulties() -> Table:
    rows = tuple((str(number), name) for number, name in DIFFICULTY_NAMES.items())
    return Table("Difficulties", ("Difficulty", "Name"), rows)


def storyteller_degrees() -> Table:
    rows = tuple(
        (f"{successes} or more" if successes == len(DEGREES) else str(successes), name)
        for successes, name in enumerate(DEGREES, start=1)
    )
    return Table("Degrees of success", ("Successes", "Degree"), rows)


def storyteller_mastery() -> Table:
    rows = tuple((str(ability), str(taken)) for ability, taken in MASTERY.items())
    return Table("1s that mastery takes away", ("Ability", "1s taken out of a botch"), rows)


def _oracle(caption: str, first: oracles.Table, second: oracles.Table) -> Table:
    rows = tuple((*row, "") for row in _faces(first))
    # The second results continue the row of the Shift, on which alone they are rolled.
    after = "; ".join(f"{face} {title}" for face, title in _faces(second))
    return Table(caption, ("d10", "Result", "Second d10"), (*rows[:-1], (*rows[-1][:2], after)))


def _faces(entries: oracles.Table) -> tuple[tuple[str, str], ...]:
    """Neighbouring faces of one title in one row: ("6–7", "Threat")."""
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
            storyteller_ratings,
            storyteller_difficulties,
            storyteller_degrees,
            storyteller_mastery,
        )
    },
    **tables_descriptors.TABLES,
    **tables_arc.TABLES,
    **tables_forged.TABLES,
    **tables_creation.TABLES,
}
"""By the name under which a rule asks for its table."""
