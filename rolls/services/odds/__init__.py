"""What the pages under /odds/ answer: one module a system, each with `sections(**settings)`. Nothing in it asks the database.

`shown.py` says what the answers are made of. All figures come from `rolls.rules.odds`, with the rules as they are by default.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from rolls.services.odds import arc, descriptors, forged, scale, storyteller
from rolls.services.odds.shown import Section


@dataclass(frozen=True, slots=True)
class Subject:
    """A system on the pages of odds. `examples` are settings worth a look: (words, query)."""

    slug: str
    name: str
    summary: str
    examples: tuple[tuple[str, str], ...]
    sections: Callable[..., tuple[Section, ...]]


_ALL = (
    Subject(
        "storyteller",
        "Storyteller rolls",
        "Botch, failure and each degree of success for a pool against a difficulty, what the roll gives the Scale, "
        "and every pool at every difficulty.",
        (
            ("Five dice at difficulty 6", "?dice=5&difficulty=6"),
            ("The same with a Willpower point", "?dice=5&difficulty=6&willpower=on"),
            ("Two dice do worse than one", "?dice=2&difficulty=2"),
        ),
        storyteller.sections,
    ),
    Subject(
        "scale",
        "The Scale",
        "What a roll sets off from where the Scale stands and where it leads, how long until the next Major Burn, "
        "and whether it is Grace.",
        (
            ("Five dice from 0", "?scale=0&dice=5&difficulty=6"),
            ("Near the edge, with Trouble in the bank", "?scale=-6&banked=trouble&dice=6&difficulty=7"),
        ),
        scale.sections,
    ),
    Subject(
        "descriptors",
        "Descriptors",
        "Pool against pool: who wins, how often it is a stalemate, and with how many successes.",
        (("Three dice against two", "?a=3&b=2"), ("Two against two", "?a=2&b=2")),
        descriptors.sections,
    ),
    Subject(
        "arc",
        "VI-VIII-X",
        "A check against a threshold or another’s check, what the die of every ES brings, and reaction.",
        (("ES 5, more than 0 needed", "?es=5&needed=0"), ("ES 3 against 7, two ahead", "?es=3&against=7&lead=2")),
        arc.sections,
    ),
    Subject(
        "forged",
        "Forged in the Dark",
        "Results by number of dice, zero and below included, stress of resisting, group actions and fortune.",
        (("Two dice", "?dice=2"), ("No dice at all", "?dice=0"), ("A group of three", "?pools=3, 1, 0")),
        forged.sections,
    ),
)
SUBJECTS: Final[Mapping[str, Subject]] = MappingProxyType({subject.slug: subject for subject in _ALL})
