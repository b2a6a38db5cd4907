"""The statistics of a campaign, as one viewer may see them, without reading all of its rolls again.

`rolled.py` reads rolls and asks their rulesets for exact odds, `tallies.py` counts, `snapshots.py` stores the counts,
`luck.py` puts into words what the counts can say, `drawn.py` prepares them for the page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns import rulesets
from campaigns.models import GameSession, Membership, Viewer
from characters.models import Character
from rolls.odds.shown import Section
from rolls.queries.statistics import drawn
from rolls.queries.statistics.drawn import Rates
from rolls.queries.statistics.rolled import NO_TRAIT, judged, rolled
from rolls.queries.statistics.snapshots import counted
from rolls.queries.statistics.tallies import Cell, Choice, Counted, Run, Sums, Tally, together
from rolls.registry import RULESETS

KEYS: Final[Mapping[str, Callable[[Cell], tuple[Any, ...]]]] = {
    "player": lambda cell: (cell.player,),
    "character": lambda cell: (cell.character,) if cell.character else (),
    "system": lambda cell: (cell.system,),
    "trait": lambda cell: cell.traits,
}
"""The keys for grouping rolls, besides their session. A roll of two traits counts for both."""

TITLES: Final = {
    "player": (gettext_lazy("By player"), gettext_lazy("Player")),
    "character": (gettext_lazy("By character"), gettext_lazy("Character")),
    "session": (gettext_lazy("By session"), gettext_lazy("Session")),
    "system": (gettext_lazy("By rules"), gettext_lazy("Rules")),
    "trait": (gettext_lazy("By trait"), gettext_lazy("Trait")),
}
FILTERS: Final = tuple(TITLES)

MOST_ROWS: Final = 40
"""The most rows of one table, most rolled first. Traits can be typed freely, so there is no other limit."""

Choices = Mapping[str, Mapping[str, str]]
Names = Mapping[str, Mapping[Any, str]]


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
    """Return statistics of the rolls that fit all `chosen` filters (names as in FILTERS); a value that does not exist
    fits none.
    """
    every = counted(viewer)
    counts = _of_session(viewer, chosen["session"]) if "session" in chosen else every
    names = _names(viewer, every, counts)
    choices = {what: {str(key): name for key, name in named.items()} for what, named in names.items()}
    if any(value not in choices[what] for what, value in chosen.items()):
        return Statistics(choices)
    fitting = {cell: sums for cell, sums in counts.cells.items() if _fits(cell, chosen)}
    return _drawn(counts, fitting, names, choices, chosen) if fitting else Statistics(choices)


def tally_of(viewer: Viewer, session: GameSession) -> Tally:
    """Return the tally of one session's rolls that this viewer may see, without rolls by hand."""
    tally = Tally()
    for roll in judged(viewer, session):
        tally.add(roll)
    return tally


def _drawn(
    counts: Counted, fitting: Mapping[Cell, Sums], names: Names, choices: Choices, chosen: Mapping[str, str]
) -> Statistics:
    thrown = {cell: sums for cell, sums in fitting.items() if not cell.by_hand}
    by_hand = {cell: sums for cell, sums in fitting.items() if cell.by_hand}
    tallies = {what: _by(what, thrown, names) for what in KEYS}
    rates = {what: {key: sums.tally for key, sums in of.items()} for what, of in tallies.items()}
    rates["session"] = _by_session(counts, names, chosen)
    all_thrown, all_by_hand = together(thrown.values()), together(by_hand.values())
    return Statistics(
        choices,
        lines=drawn.summary(all_thrown.tally) if thrown else (),
        rates=[_rates(what, rates[what], names[what], chosen) for what in FILTERS],
        faces=drawn.faces("faces", _("Faces"), all_thrown.faces),
        tables=[*filter(None, [drawn.results(all_thrown)]), *_tables(counts, rates["player"], fitting, names, chosen)],
        hand_lines=drawn.summary(all_by_hand.tally) if by_hand else (),
        hand_faces=drawn.faces("hand-faces", _("Faces of dice rolled by hand"), all_by_hand.faces),
    )


def _of_session(viewer: Viewer, number: str) -> Counted:
    """Return the counts of one session, counted from its rolls: it has no more of them than one page may read."""
    counts = Counted()
    sessions = GameSession.objects.filter(campaign=viewer.campaign)
    session = sessions.filter(number=number).first() if number.isdecimal() and len(number) < 9 else None
    for roll in rolled(viewer, session=session) if session else ():
        counts.add(roll)
    return counts


def _fits(cell: Cell, chosen: Mapping[str, str]) -> bool:
    return all(value in map(str, KEYS[what](cell)) for what, value in chosen.items() if what in KEYS)


def _by(what: str, cells: Mapping[Cell, Sums], names: Names) -> dict[Any, Sums]:
    """Return sums for each key of the cells that the viewer knows of."""
    by_key: dict[Any, list[Sums]] = {}
    for cell, sums in cells.items():
        for key in KEYS[what](cell):
            if key in names[what]:
                by_key.setdefault(key, []).append(sums)
    return {key: together(among) for key, among in by_key.items()}


def _by_session(counts: Counted, names: Names, chosen: Mapping[str, str]) -> dict[int, Tally]:
    rates = {}
    for number, cells in sorted(counts.sessions.items()):
        fitting = [tally for cell, tally in cells.items() if not cell.by_hand and _fits(cell, chosen)]
        if fitting and number in names["session"]:
            rates[number] = Tally()
            for tally in fitting:
                rates[number].include(tally)
    return rates


def _rates(what: str, tallies: Mapping[Any, Tally], names: Mapping[Any, str], chosen: Mapping[str, str]) -> Rates:
    linked = [(names[key], "?" + urlencode({**chosen, what: str(key)}), tally) for key, tally in tallies.items()]
    if what != "session":
        linked.sort(key=lambda named: (-named[2].rolls, named[0]))
    title, corner = TITLES[what]
    return drawn.rates(what, str(title), str(corner), linked[:MOST_ROWS])


def _tables(
    counts: Counted,
    thrown: Mapping[int, Tally],
    fitting: Mapping[Cell, Sums],
    names: Names,
    chosen: Mapping[str, str],
) -> list[Section]:
    """Return the tables. Rolls by hand count here, except for the runs: they were paid for, and had consequences."""
    players = [
        (name, tally, _run(counts, player, chosen))
        for player, tally in thrown.items()
        for name in [names["player"][player]]
    ]
    whole = {what: [(names[what][key], sums) for key, sums in _by(what, fitting, names).items()] for what in KEYS}
    sections = [drawn.streaks(players), drawn.spent([(name, sums.spent) for name, sums in whole["player"]])]
    sections.append(drawn.given_to_the_scale([(name, sums.given) for name, sums in whole["character"] if sums.given]))
    return [section for section in sections if section]


def _run(counts: Counted, player: int, chosen: Mapping[str, str]) -> Run:
    fitting = {what: chosen[what] for what in ("character", "system", "trait") if what in chosen}
    return counts.runs.get(Choice(player, **fitting), Run())


def _names(viewer: Viewer, every: Counted, counts: Counted) -> Names:
    """Return the names of all choices of each filter, in the order offered, without what the viewer may not know."""
    members = Membership.objects.filter(campaign=viewer.campaign).select_related("user").order_by("joined_at", "pk")
    rolling = {cell.player for cell in every.cells}
    used = {cell.system for cell in every.cells}
    played = [*every.sessions, *counts.sessions]
    sessions = GameSession.objects.filter(campaign=viewer.campaign, number__in=played).order_by("number")
    traits = {trait: _trait_words(cell.system, trait) for cell in every.cells for trait in cell.traits}
    return {
        "player": {member.pk: member.name for member in members if member.pk in rolling},
        "character": _characters(viewer, {cell.character for cell in every.cells} - {""}),
        "trait": dict(sorted(traits.items())),
        "system": {name: rulesets.short_of(name) for name, _ in rulesets.choices(used)},
        "session": {session.number: str(session) for session in sessions},
    }


def _trait_words(system: str, trait: str) -> str:
    if trait == NO_TRAIT:
        return _("Untyped pools")
    ruleset = RULESETS.get(system)
    return ruleset.expectation.trait_words(trait) if ruleset and ruleset.expectation else trait


def _characters(viewer: Viewer, ids: Iterable[str]) -> dict[str, str]:
    """Return the names as this viewer knows them: an NPC that players no longer know of may have another by now."""
    characters = Character.objects.filter(pk__in=list(ids)).order_by("name", "pk")
    return {str(character.pk): character.name for character in characters if viewer.is_gm or not character.is_hidden}
