"""The statistics of a campaign, as one viewer may see them: everything from one pass over the rolls.

`rolled.py` reads them and asks their rulesets for exact odds, `tallies.py` counts, `luck.py` puts into words what the counts can
say, `drawn.py` makes them ready for the page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from campaigns import rulesets
from campaigns.models import GameSession, Membership, Viewer
from rolls.odds.shown import Section
from rolls.queries.statistics import drawn
from rolls.queries.statistics.drawn import Rates
from rolls.queries.statistics.rolled import Rolled, rolled
from rolls.queries.statistics.tallies import Tally, faces_of, tallied
from rolls.registry import ADD_ONS

KEYS: Final[Mapping[str, Callable[[Rolled], tuple[Any, ...]]]] = {
    "player": lambda roll: (roll.player,),
    "character": lambda roll: (roll.character,) if roll.character else (),
    "session": lambda roll: (roll.session,) if roll.session else (),
    "system": lambda roll: (roll.system,),
    "trait": lambda roll: roll.traits,
}
"""What rolls can be told apart by. A roll of two traits counts for both."""

TITLES: Final = {
    "player": ("By player", "Player"),
    "character": ("By character", "Character"),
    "session": ("By session", "Session"),
    "system": ("By rules", "Rules"),
    "trait": ("By trait", "Trait"),
}
MOST_ROWS: Final = 40
"""Rows of one table: what was rolled most. Traits can be typed, so that there is no end to them."""

Choices = Mapping[str, Mapping[str, str]]
Tallies = Mapping[str, Mapping[Any, Tally]]


@dataclass(frozen=True)
class Statistics:
    """`choices` are the values of each filter with their names, those of all rolls; all else is of the rolls chosen."""

    choices: Choices
    lines: Sequence[str] = ()
    rates: Sequence[Rates] = ()
    faces: Section | None = None
    tables: Sequence[Section] = ()
    hand_lines: Sequence[str] = ()
    hand_faces: Section | None = None


def statistics(viewer: Viewer, chosen: Mapping[str, str]) -> Statistics:
    """Of the rolls that fit every one of the `chosen` filters (names as in KEYS). What is not there fits nothing."""
    every = list(rolled(viewer))
    names = _names(viewer, every)
    fitting = [roll for roll in every if all(_fits(roll, name, value) for name, value in chosen.items())]
    thrown = [roll for roll in fitting if not roll.by_hand]
    by_hand = [roll for roll in fitting if roll.by_hand]
    choices = {what: {str(key): name for key, name in found.items()} for what, found in names.items()}
    if not fitting:
        return Statistics(choices)
    tallies = {what: tallied(thrown, by) for what, by in KEYS.items()}
    whole = {what: tallied(fitting, KEYS[what]) for what in ("player", "character")} if by_hand else tallies
    return Statistics(
        choices,
        lines=drawn.summary(_whole(thrown)) if thrown else (),
        rates=[_rates(what, tallies[what], names[what], chosen) for what in KEYS],
        faces=drawn.faces("faces", "Faces", faces_of(thrown)),
        tables=_tables(tallies, whole, names),
        hand_lines=drawn.summary(_whole(by_hand)) if by_hand else (),
        hand_faces=drawn.faces("hand-faces", "Faces of dice rolled by hand", faces_of(by_hand)),
    )


def _fits(roll: Rolled, name: str, value: str) -> bool:
    return value in map(str, KEYS[name](roll))


def _whole(rolls: Iterable[Rolled]) -> Tally:
    tally = Tally()
    for roll in rolls:
        tally.add(roll)
    return tally


def _rates(what: str, tallies: Mapping[Any, Tally], names: Mapping[Any, str], chosen: Mapping[str, str]) -> Rates:
    found = [(names[key], "?" + urlencode({**chosen, what: str(key)}), tally) for key, tally in tallies.items()]
    if what != "session":
        found.sort(key=lambda named: (-named[2].rolls, named[0]))
    return drawn.rates(what, *TITLES[what], found[:MOST_ROWS])


def _tables(thrown: Tallies, whole: Tallies, names: Mapping[str, Mapping[Any, str]]) -> list[Section]:
    """Rolls by hand count here, but for the runs: what was spent was spent, and what followed from them happened."""

    def named(tallies: Tallies, what: str) -> list[tuple[str, str, Tally]]:
        return [(names[what][key], "", tally) for key, tally in tallies[what].items()]

    found = [drawn.streaks(named(thrown, "player")), drawn.spent(named(whole, "player"))]
    for one in ADD_ONS.values():
        if one.columns:
            counted = [(name, tally.counted[one.name]) for name, _, tally in named(whole, "character")]
            found.append(one.columns.section([(name, values) for name, values in counted if values]))
    return [section for section in found if section]


def _names(viewer: Viewer, rolls: Sequence[Rolled]) -> dict[str, dict[Any, str]]:
    """What all that can be chosen is called, in the order in which it is offered."""
    members = Membership.objects.filter(campaign=viewer.campaign).select_related("user").order_by("joined_at", "pk")
    rolling = {roll.player for roll in rolls}
    used = {roll.system for roll in rolls}
    played = {roll.session for roll in rolls}
    sessions = GameSession.objects.filter(campaign=viewer.campaign)
    characters = {roll.character: roll.name for roll in rolls if roll.character}
    traits = {trait for roll in rolls for trait in roll.traits}
    return {
        "player": {member.pk: member.name for member in members if member.pk in rolling},
        "character": dict(sorted(characters.items(), key=lambda named: named[1])),
        "trait": {trait: trait for trait in sorted(traits)},
        "system": {name: rulesets.short_of(name) for name, _ in rulesets.choices(used)},
        "session": {session.number: str(session) for session in sessions if session.number in played},
    }
