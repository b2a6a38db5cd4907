"""The statistics of a campaign, as one viewer may see them.

`rolled.py` reads rolls, grouped by the database, and asks their rulesets for exact odds, `tallies.py` counts, `told.py` finds the
moments that people tell of, `luck.py` puts into words what the counts can say, `drawn.py` prepares them for the page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns import rulesets
from campaigns.models import Campaign, GameSession, Membership, Viewer
from characters.models import Character
from rolls.odds import Section
from rolls.queries.statistics import drawn
from rolls.queries.statistics.drawn import Rates
from rolls.queries.statistics.rolled import NO_TRAIT, Rolled, rolled
from rolls.queries.statistics.scale import Moves
from rolls.queries.statistics.tallies import Tally, faces_of, longest, results_of, spent_in, tally
from rolls.queries.statistics.told import Moment, find_dice, moments
from rolls.registry import RULESETS

KEYS: Final[Mapping[str, Callable[[Rolled], tuple[Any, ...]]]] = {
    "player": lambda group: (group.player,),
    "character": lambda group: (group.character,) if group.character else (),
    "system": lambda group: (group.system,),
    "trait": lambda group: group.traits,
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

SESSIONS: Final = 40
"""The most sessions to tell apart: the last ones in which dice were rolled."""

Choices = Mapping[str, Mapping[str, str]]
Names = Mapping[str, Mapping[Any, str]]


@dataclass(frozen=True)
class Statistics:
    """`choices` are the values of each filter with their names, those of all rolls; all else is of the rolls chosen. `told` are
    the moments of the whole table, whose name is "", and others of each person who has rolled enough."""

    choices: Choices
    told: Sequence[tuple[str, Sequence[Moment]]] = ()
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
    every, session = rolled(viewer), None
    rolls = every
    if "session" in chosen:
        session = _session(viewer, chosen["session"])
        rolls = rolled(viewer, session) if session else []
    names = _names(viewer, every, session if rolls else None)
    choices = {what: {str(key): name for key, name in named.items()} for what, named in names.items()}
    if any(value not in choices[what] for what, value in chosen.items()):
        return Statistics(choices)
    fitting = [group for group in rolls if _fits(group, chosen)]
    return _drawn(viewer.campaign, fitting, names, choices, chosen) if fitting else Statistics(choices)


def tally_of(viewer: Viewer, session: GameSession) -> Tally:
    """Return the tally of one session's rolls that this viewer may see, without rolls by hand."""
    return tally(group for group in rolled(viewer, session) if not group.by_hand)


def _session(viewer: Viewer, number: str) -> GameSession | None:
    sessions = GameSession.objects.filter(campaign=viewer.campaign)
    return sessions.filter(number=number).first() if number.isdecimal() and len(number) < 9 else None


def _fits(group: Rolled, chosen: Mapping[str, str]) -> bool:
    return all(value in map(str, KEYS[what](group)) for what, value in chosen.items() if what in KEYS)


def _drawn(
    campaign: Campaign, fitting: Sequence[Rolled], names: Names, choices: Choices, chosen: Mapping[str, str]
) -> Statistics:
    """Draw the rolls chosen. Those by hand count for what was spent and given: they were paid for, and had consequences."""
    thrown = [group for group in fitting if not group.by_hand]
    by_hand = [group for group in fitting if group.by_hand]
    rates = {what: {key: tally(those) for key, those in _by(what, thrown, names).items()} for what in KEYS}
    rates["session"] = _by_session(thrown, names)
    by_player, moves = _by("player", thrown, names), Moves(campaign)
    runs = [(names["player"][player], rates["player"][player], longest(those)) for player, those in by_player.items()]
    persons = by_player if len(by_player) > 1 else {}
    of_all = moments([*by_player.values()], moves, names)
    told = [("", of_all)]
    for player, those in persons.items():
        own = [moment for moment in moments([those], moves, names) if moment not in of_all]
        told.append((names["player"][player], own))
    find_dice([moment for _, found in told for moment in found])
    spent = [(names["player"][player], spent_in(those)) for player, those in _by("player", fitting, names).items()]
    tables = [
        drawn.results(results_of(thrown)),
        drawn.streaks(runs),
        drawn.spent(spent),
        _given(moves, fitting, names),
    ]
    return Statistics(
        choices,
        told=[(name, found) for name, found in told if found],
        lines=drawn.summary(tally(thrown)) if thrown else (),
        rates=[_rates(what, rates[what], names[what], chosen) for what in FILTERS],
        faces=drawn.faces("faces", _("Faces"), faces_of(thrown)),
        tables=[table for table in tables if table],
        hand_lines=drawn.summary(tally(by_hand)) if by_hand else (),
        hand_faces=drawn.faces("hand-faces", _("Faces of dice rolled by hand"), faces_of(by_hand)),
    )


def _by(what: str, groups: Iterable[Rolled], names: Names) -> dict[Any, list[Rolled]]:
    """Return groups by each key of theirs that the viewer knows of."""
    by_key: dict[Any, list[Rolled]] = {}
    for group in groups:
        for key in KEYS[what](group):
            if key in names[what]:
                by_key.setdefault(key, []).append(group)
    return by_key


def _by_session(groups: Iterable[Rolled], names: Names) -> dict[int, Tally]:
    rates = {number: Tally() for number in names["session"]}
    for group in groups:
        for number, rolls in group.sessions.items():
            if number in rates:
                rates[number].add(group, rolls)
    return {number: of for number, of in rates.items() if of.rolls}


def _given(moves: Moves, groups: Sequence[Rolled], names: Names) -> Section | None:
    """Return the table of what was given to the Scale, by character."""
    summed = []
    for character, those in _by("character", groups, names).items():
        given = [numbers for group in those if (numbers := moves.given(group))]
        if given:
            summed.append((names["character"][character], [sum(column) for column in zip(*given, strict=True)]))
    return drawn.given_to_the_scale(summed)


def _rates(what: str, tallies: Mapping[Any, Tally], names: Mapping[Any, str], chosen: Mapping[str, str]) -> Rates:
    linked = [(names[key], "?" + urlencode({**chosen, what: str(key)}), of) for key, of in tallies.items()]
    if what != "session":
        linked.sort(key=lambda named: (-named[2].rolls, named[0]))
    title, corner = TITLES[what]
    return drawn.rates(what, str(title), str(corner), linked[:MOST_ROWS])


def _names(viewer: Viewer, every: Sequence[Rolled], session: GameSession | None) -> Names:
    """Return the names of all choices of each filter, in the order offered, without what the viewer may not know. The sessions
    are the last ones, and the one that was chosen."""
    members = Membership.objects.filter(campaign=viewer.campaign).select_related("user").order_by("joined_at", "pk")
    rolling = {group.player for group in every}
    used = {group.system for group in every}
    played = sorted({number for group in every for number in group.sessions})[-SESSIONS:]
    sessions = GameSession.objects.filter(
        campaign=viewer.campaign, number__in=[*played, *([session.number] if session else [])]
    )
    traits = {trait: _trait_words(group.system, trait) for group in every for trait in group.traits}
    return {
        "player": {member.pk: member.name for member in members if member.pk in rolling},
        "character": _characters(viewer, {group.character for group in every} - {""}),
        "trait": dict(sorted(traits.items())),
        "system": {name: rulesets.short_of(name) for name, _ in rulesets.choices(used)},
        "session": {one.number: str(one) for one in sessions.order_by("number")},
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
