"""An event in turns: who declares after whom, turn by turn (arc.txt, V.1, V.5, V.6). Here are its values and
the order; who takes part is in tracker_people.py, Reaction checks in tracker_checks.py, and tracker_acts.py moves it on.

A turn is 6 seconds. Whoever is in it declares and acts in the order of declaration, which is made anew from the same keys
whenever one of them changes; what happens in a turn lands at its end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby
from typing import Any, Final

from campaigns.schema import Code, Name, Text, Uid
from languages.text import gettext as _
from rules.dice import D10, Dice, Faces, draw
from rules.errors import NotPossible
from rulesets.arc.rules.body import Size
from rulesets.arc.settings import Burden

MOST_PARTICIPANTS: Final = 40
LONGEST_NAME: Final = 80
SECONDS: Final = 6
"""In a turn (arc.txt, V.1)."""


class Mind(StrEnum):
    AWARE = "aware"
    SURPRISED = "surprised"
    """Unaware of what goes on: takes part from the next turn on (arc.txt, V.6)."""
    UNCONSCIOUS = "unconscious"
    DEAD = "dead"

    @property
    def is_down(self) -> bool:
        return self in (Mind.UNCONSCIOUS, Mind.DEAD)


class Status(StrEnum):
    """A participant's stage in this turn."""

    TO_ACT = "to_act"
    HOLDING = "holding"
    """Their place came, and they wait for a better moment in this turn."""
    COMING_IN = "coming_in"
    """They held, and declare now, before all others."""
    DECLARED = "declared"
    DONE = "done"
    SKIPPED = "skipped"
    """A GM has gone on without them."""
    ARRIVING = "arriving"
    """They have just arrived, and their place in the order is not yet settled."""
    NEXT_TURN = "next_turn"
    """They came when their place in this turn was past."""


class Begun(StrEnum):
    """The choices of the surprised about the action they had begun: nothing else is open to them (arc.txt, V.6)."""

    GOES_ON = "goes_on"
    DROPPED = "dropped"


class Side(StrEnum):
    """The side that a participant is on; those of one side are allies."""

    PARTY = "party"
    FOES = "foes"


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """A skill of a sheet by its name, and the code of the stat that it goes with."""

    stat: Code
    skill: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class Participant:
    """A participant: `key` is unique; a `character` by its id, or a nameless one whose figures were typed.

    `som`, `empathy`, `perception` are 1 to 10, None where the reader may not know them; `most` are the actions that a
    nameless one's ES gives. `reach` is the movement of a turn in centimetres, with its `burden`. `rolls` are all their
    d10 against equals. `words` and `actions` are what they have declared for this turn, with which `skills`, `against`
    whom of the others; `checked` is how many of these actions have led to a check, and `defences` how many of them are
    kept to defend, of which `defended` are used up. `size` is that of a nameless one.
    """

    key: Code
    name: Name
    character: Uid | None = None
    played: bool = False
    """Whether a player plays them."""
    side: Side = Side.FOES
    som: int | None = 5
    empathy: int | None = 5
    perception: int | None = 5
    most: int | None = None
    reach: int | None = None
    burden: Burden | None = None
    mind: Mind = Mind.AWARE
    rolls: tuple[int, ...] = ()
    status: Status = Status.TO_ACT
    words: Text = ""
    actions: int = 0
    moves: int = 0
    against: tuple[Code, ...] = ()
    begun: Begun | None = None
    skills: tuple[Skill, ...] = ()
    checked: int = 0
    defences: int = 0
    defended: int = 0
    size: Size | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A GM's move of a participant before another one, or to the end (`before` ""), for this turn."""

    key: Code
    before: Code


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A Reaction check in this turn: `held` is its result, None before. The procedure rolls those that are `made`;
    players roll the others.
    """

    part: Code
    key: Code
    occasion: Code
    made: bool
    held: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Arisen:
    """An occasion for Reaction checks of those in `whom`; a GM says whether they check."""

    occasion: Code
    whom: tuple[Code, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A result of something in this turn, applied at its end: in words, on `whom` ("": on nobody in particular), whose
    SOM it raises by `som`, and who `becomes` unconscious or dead.
    """

    number: int
    words: Text
    whom: Code = ""
    som: int = 0
    becomes: Mind | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Won:
    """A `check` of this turn, by its id, in which `name` has succeeded, against the participant `whom` if any ("": against
    nobody who takes part). What comes of it is still to be said.
    """

    check: Uid
    name: Name
    whom: Code = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fell:
    name: Name
    face: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Tie:
    """Those who were equal to each other, and what each has rolled."""

    fell: tuple[Fell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """An event in turns, with its `participants` in the order of declaration, those who miss this turn after the others.
    `number` is how many participants there have been, `asked` how many checks and outcomes, so that no key is used twice.
    `apart`: all declare first, then all act. `roll_again` is the setting about equal dice.

    `ties` are those rolled off in the last step, `landed` the outcomes of the turn that it ended, `words` what was typed
    with it; `resorted` says that a sheet has changed the order. `counted` are the ids of checks that were attacks on a
    participant. `fallen` are the sides whose first member has fallen already, `beaten` those that have lost more than half.
    """

    participants: tuple[Participant, ...] = ()
    number: int = 0
    turn: int = 1
    apart: bool = False
    roll_again: bool = True
    moves: tuple[Move, ...] = ()
    checks: tuple[Check, ...] = ()
    asked: int = 0
    arisen: tuple[Arisen, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    landed: tuple[Outcome, ...] = ()
    ties: tuple[Tie, ...] = ()
    resorted: bool = False
    words: Text = ""
    fallen: tuple[Side, ...] = ()
    beaten: tuple[Side, ...] = ()
    counted: tuple[Uid, ...] = ()
    won: tuple[Won, ...] = ()

    @property
    def seconds(self) -> tuple[int, int]:
        """Return the seconds at which this turn begins and ends, counted from the beginning of the event."""
        return (self.turn - 1) * SECONDS, self.turn * SECONDS

    @property
    def current(self) -> Participant | None:
        """Return the one whose declaration or action it is; None when all have acted, hold, or take no part."""
        taking_part = [participant for participant in self.participants if self.takes_part(participant)]
        first = {
            status: next((participant for participant in taking_part if participant.status is status), None)
            for status in Status
        }
        declaring = first[Status.COMING_IN] or first[Status.TO_ACT]
        acting = first[Status.DECLARED]
        return declaring or acting if self.apart else acting or declaring

    def takes_part(self, participant: Participant) -> bool:
        """Return whether they are part of this turn's declarations."""
        return participant.mind is Mind.AWARE and not self.lost(participant.key)

    def lost(self, key: str) -> bool:
        """Return whether a failed Reaction check has cost them this turn."""
        return any(check.key == key and check.held is False for check in self.checks)

    def pending(self, key: str) -> bool:
        """Return whether they still have to roll a Reaction check."""
        return any(check.key == key and check.held is None for check in self.checks)

    def found(self, key: str) -> Participant:
        participant = next((participant for participant in self.participants if participant.key == key), None)
        if participant is None:
            message = _("They’re no longer taking part. Choose someone else.")
            raise NotPossible("whom", key, allowed="those who take part", message=message)
        return participant

    def put(self, key: str, **values: Any) -> Event:
        """Return the event with these fields of one of them changed."""
        return replace(self, participants=tuple(replace(p, **values) if p.key == key else p for p in self.participants))

    def without(self, keys: Iterable[str]) -> Event:
        """Return the event as if some participants had never been there; their earlier outcomes stay."""
        gone = set(keys)
        arisen = (replace(arisen, whom=tuple(key for key in arisen.whom if key not in gone)) for arisen in self.arisen)
        kept = (participant for participant in self.participants if participant.key not in gone)
        return replace(
            self,
            participants=tuple(
                replace(participant, against=tuple(k for k in participant.against if k not in gone))
                for participant in kept
            ),
            moves=tuple(move for move in self.moves if not {move.key, move.before} & gone),
            checks=tuple(check for check in self.checks if check.key not in gone),
            arisen=tuple(occasion for occasion in arisen if occasion.whom),
            outcomes=tuple(outcome for outcome in self.outcomes if outcome.whom not in gone),
            won=tuple(won for won in self.won if won.whom not in gone),
        )


def names(state: Event, keys: Sequence[str]) -> str:
    """Return the names of those of some keys who are there: "Mo, Iva"."""
    return ", ".join(participant.name for participant in state.participants if participant.key in keys)


def ordered(state: Event) -> Event:
    """Return the event with all in the order of declaration, newcomers included. Ties may still have to be rolled off
    (`ready`).

    It goes up by SOM, Empathy, Perception, then the d10 (arc.txt, V.6), and by name where dice are still to be rolled: a
    total order, so that a changed SOM or a newcomer simply falls into place.
    """
    participants = {participant.key: participant for participant in sorted(state.participants, key=_place)}
    keys = sorted(participants, key=lambda key: not state.takes_part(participants[key]))
    for move in state.moves:
        keys.remove(move.key)
        keys.insert(keys.index(move.before) if move.before else len(keys), move.key)
    state = replace(state, participants=tuple(participants[key] for key in keys))
    return state if equals(state) else _with_places(state)


def ready(state: Event) -> Dice | None:
    """Return a d10 for each participant with an equal; None if there are none."""
    groups = equals(state)
    return Dice(count=sum(map(len, groups))) if groups else None


def settle(state: Event, faces: Faces) -> Event:
    """Set the order once a d10 has fallen for each participant with an equal, lowest first; equal dice may roll again."""
    ties = []
    for group in equals(state):
        fell = dict(zip(group, draw(len(group), D10, faces), strict=True))
        for key, face in fell.items():
            state = state.put(key, rolls=(*state.found(key).rolls, face))
        ties.append(Tie(fell=tuple(Fell(name=state.found(key).name, face=face) for key, face in fell.items())))
    return ordered(replace(state, ties=(*state.ties, *ties)))


def equals(state: Event) -> list[list[str]]:
    """Return who must roll a d10 to settle the order, in groups of equals: [["A", "B"], ["C", "D"]], first to last.

    A newcomer who must still roll as others did is a group of one.
    """
    declaring = sorted((one for one in state.participants if state.takes_part(one)), key=_place)
    rolling = [one for one in declaring if _must_roll(one, declaring, roll_again=state.roll_again)]
    return [[one.key for one in group] for _, group in groupby(rolling, key=lambda one: (_scores(one), one.rolls))]


def _place(participant: Participant) -> tuple[tuple[int, int, int], tuple[int, ...], str]:
    """Return where they stand in the order. The key is with the name, since two may be called the same on their sheets."""
    return _scores(participant), participant.rolls, f"{participant.name} {participant.key}"


def _scores(participant: Participant) -> tuple[int, int, int]:
    return participant.som or 0, participant.empathy or 0, participant.perception or 0


def _must_roll(participant: Participant, declaring: list[Participant], *, roll_again: bool) -> bool:
    """Return whether a participant with the same scores has the same dice so far. One with fewer dice catches up alone."""
    if participant.rolls and not roll_again:
        return False
    dice = len(participant.rolls)
    return any(
        other is not participant and _scores(other) == _scores(participant) and other.rolls[:dice] == participant.rolls
        for other in declaring
    )


def _with_places(state: Event) -> Event:
    """Return the event with newcomers in this turn, unless somebody after them has already declared or declares now."""
    placed = [participant for participant in state.participants if participant.status is not Status.ARRIVING]
    now = replace(state, participants=tuple(placed)).current
    waits = (Status.TO_ACT, Status.NEXT_TURN)
    called = {
        participant.key
        for participant in placed
        if state.takes_part(participant) and (participant is now or participant.status not in waits)
    }
    behind = max((at for at, participant in enumerate(state.participants) if participant.key in called), default=-1)
    for at, participant in enumerate(state.participants):
        if participant.status is Status.ARRIVING:
            state = state.put(participant.key, status=Status.NEXT_TURN if at < behind else Status.TO_ACT)
    return state
