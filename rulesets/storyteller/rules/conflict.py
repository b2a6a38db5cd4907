"""A conflict: who acts after whom, round by round. The text has no order of acting: all of this is our decision.

Initiative is one d10 + Dexterity + Wits, minus the wound penalty; the highest acts first. Equals go by Dexterity + Wits,
then by a d10 each, until nobody is equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, TypeAlias

from campaigns.schema import Code, Name, Uid
from languages.text import gettext as _
from languages.text import ngettext
from rules.acts import act, player_of
from rules.dice import D10, Dice, Faces, draw
from rules.errors import NotPossible, whole
from rules.procedures import Act, Parties, ProcedureRules, Values
from rulesets.storyteller.rules.contested import LONGEST_NAME, name_words

MOST_PARTICIPANTS: Final = 40
RATINGS: Final = (0, 50)

DONE, HOLD, COME_IN, LEAVE, JOIN, ROUND = "done", "hold", "come_in", "leave", "join", "round"


class Status(StrEnum):
    TO_ACT = "to_act"
    HOLDING = "holding"
    """Their turn came, and they wait for a better moment in this round."""
    COMING_IN = "coming_in"
    """They held, and act now, before all others."""
    DONE = "done"
    ARRIVING = "arriving"
    """They have just arrived, and dice still have to decide their place."""
    NEXT_ROUND = "next_round"
    """They came when their place in this round was past."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Participant:
    """A participant: `key` is unique, `traits` are Dexterity + Wits (or what was typed), `penalty` that of wounds.

    `die` is the d10 of this round's initiative, None before it falls; `again` those rolled against equals.
    """

    key: Code
    name: Name
    character: Uid | None = None
    traits: int = 0
    penalty: int = 0
    die: int | None = None
    again: tuple[int, ...] = ()
    status: Status = Status.TO_ACT

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not 1 <= len(self.name) <= LONGEST_NAME:
            raise NotPossible("name", self.name, allowed=f"1 to {LONGEST_NAME} letters", message=name_words())
        whole("traits", self.traits, *RATINGS)

    @property
    def initiative(self) -> int:
        return (self.die or 0) + self.traits - self.penalty

    @property
    def rank(self) -> Rank:
        """Lower acts earlier."""
        return (-self.initiative, -self.traits), tuple(-face for face in self.again)


Rank: TypeAlias = tuple[tuple[int, int], tuple[int, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """`participants` in the order in which they act; `number` is how many there have been, so that no key is given twice."""

    participants: tuple[Participant, ...]
    number: int
    round: int = 1
    anew: bool = False
    """Whether initiative is rolled again in every round."""

    @property
    def current(self) -> Participant | None:
        """Return whose turn it is; None if all have acted, or hold."""
        coming = (participant for participant in self.participants if participant.status is Status.COMING_IN)
        to_act = (participant for participant in self.participants if participant.status is Status.TO_ACT)
        return next(coming, None) or next(to_act, None)

    def found(self, key: str) -> Participant:
        participant = next((participant for participant in self.participants if participant.key == key), None)
        if participant is None:
            raise NotPossible(
                "whom", key, allowed="those who take part", message=_("They’re no longer in this conflict.")
            )
        return participant

    def with_status(self, key: str, status: Status) -> Conflict:
        return replace(
            self, participants=tuple(replace(p, status=status) if p.key == key else p for p in self.participants)
        )


def _joined(state: Conflict, given: Values) -> Conflict:
    if len(state.participants) >= MOST_PARTICIPANTS:
        message = ngettext(
            "A conflict has room for {count} combatant.",
            "A conflict has room for {count} combatants.",
            MOST_PARTICIPANTS,
        ).format(count=MOST_PARTICIPANTS)
        raise NotPossible("characters", None, allowed=f"up to {MOST_PARTICIPANTS}", message=message)
    participant = Participant(key=str(state.number + 1), **given)
    if any(
        participant.name == other.name or (participant.character and participant.character == other.character)
        for other in state.participants
    ):
        message = _("{name} is already in this conflict. Give each combatant a different name.").format(
            name=participant.name
        )
        raise NotPossible("names", participant.name, allowed="different names", message=message)
    return replace(state, participants=(*state.participants, participant), number=state.number + 1)


def _with_face(participant: Participant, face: int | None, *, first: bool) -> Participant:
    if face is None:
        return participant
    return replace(participant, die=face) if first else replace(participant, again=(*participant.again, face))


def _with_places(order: Conflict) -> Conflict:
    """Let newcomers act in this round, unless somebody after them has had their turn or has it now."""
    placed = [participant for participant in order.participants if participant.status is not Status.ARRIVING]
    to_act = next((participant for participant in placed if participant.status is Status.TO_ACT), None)
    called = [participant for participant in placed if participant is to_act or participant.status is not Status.TO_ACT]
    behind = max((participant.rank for participant in called), default=None)
    for participant in order.participants:
        if participant.status is Status.ARRIVING:
            late = behind is not None and participant.rank < behind
            order = order.with_status(participant.key, Status.NEXT_ROUND if late else Status.TO_ACT)
    return order


def _without_a_die(state: Conflict) -> list[Participant]:
    return [participant for participant in state.participants if participant.die is None]


def _equals(state: Conflict) -> list[Participant]:
    """Return the participants whose dice equal another's; one with fewer dice catches up."""
    return [
        participant
        for participant in state.participants
        if any(_is_equal(participant, other) for other in state.participants)
    ]


def _is_equal(participant: Participant, other: Participant) -> bool:
    dice = len(participant.again)
    return other is not participant and participant.rank[0] == other.rank[0] and other.again[:dice] == participant.again


def _now(state: Conflict) -> list[str]:
    """Return the key of whose turn it is; [] if it is nobody's."""
    return [state.current.key] if state.current else []


def _may_hold(state: Conflict) -> list[str]:
    return [participant.key for participant in [state.current] if participant and participant.status is Status.TO_ACT]


def _may_come_in(state: Conflict) -> list[str]:
    """Return the keys of those who hold and may come in now; [] while somebody who came in has yet to act."""
    if state.current and state.current.status is Status.COMING_IN:
        return []
    return [participant.key for participant in state.participants if participant.status is Status.HOLDING]


def _in_round(state: Conflict, *target: str) -> tuple[int, ...]:
    return (state.round,)


_owner = player_of(lambda state, key: state.found(key).character)


class ConflictRules(ProcedureRules[Conflict]):
    """The acts of a conflict: players act for their own; a GM for everyone, and says who joins and leaves and when a
    round ends.
    """

    state = Conflict

    def start(self, given: Values) -> Conflict:
        """Start from `given`: `those` who take part, each the fields of a Participant without its key, and `anew`.
        Raises a RuleError for nobody, too many, and two with one character or name.
        """
        state = Conflict(participants=(), number=0, anew=given["anew"])
        for newcomer in given["those"]:
            state = _joined(state, newcomer)
        if not state.participants:
            message = _("Choose the combatants, or type their names.")
            raise NotPossible("characters", None, allowed="1 or more", message=message)
        return state

    @act(by=_owner, each=_now, terms=_in_round)
    def done(self, state: Conflict, step: Act, key: str) -> Conflict:
        return state.with_status(key, Status.DONE)

    @act(by=_owner, each=_may_hold, terms=_in_round)
    def hold(self, state: Conflict, step: Act, key: str) -> Conflict:
        return state.with_status(key, Status.HOLDING)

    @act(by=_owner, each=_may_come_in, terms=_in_round)
    def come_in(self, state: Conflict, step: Act, key: str) -> Conflict:
        return state.with_status(key, Status.COMING_IN)

    @act(each=lambda state: [participant.key for participant in state.participants])
    def leave(self, state: Conflict, step: Act, key: str) -> Conflict:
        return replace(
            state, participants=tuple(participant for participant in state.participants if participant.key != key)
        )

    @act(ROUND, when=lambda state: state.current is None, terms=_in_round)
    def next_round(self, state: Conflict, step: Act) -> Conflict:
        """Begin a round: those who still hold have lost their turn."""
        to_act = (replace(participant, status=Status.TO_ACT) for participant in state.participants)
        begun = (replace(participant, die=None, again=()) for participant in to_act) if state.anew else to_act
        return replace(state, round=state.round + 1, participants=tuple(begun))

    @act(asks=True)
    def join(self, state: Conflict, step: Act) -> Conflict:
        """Add newcomers, whose initiative is rolled next. Raises a RuleError as `start` does."""
        if not step.values["those"]:
            raise NotPossible(
                "characters", None, allowed="1 or more", message=_("Choose the combatants, or type their names.")
            )
        for newcomer in step.values["those"]:
            state = _joined(state, {**newcomer, "status": Status.ARRIVING})
        return state

    def dice_needed(self, state: Conflict) -> Dice | None:
        """Return a d10 for each participant without one, then one for each with an equal; None if there are none."""
        rolling = _without_a_die(state) or _equals(state)
        return Dice(count=len(rolling)) if rolling else None

    def apply_dice(self, state: Conflict, faces: Faces) -> Conflict:
        """Return the order once the dice have fallen; newcomers act in this round only if their place is not past."""
        fresh = {participant.key for participant in _without_a_die(state)}
        rolling = [participant.key for participant in (_without_a_die(state) or _equals(state))]
        fell = dict(zip(rolling, draw(len(rolling), D10, faces), strict=True))
        rolled = (
            _with_face(participant, fell.get(participant.key), first=participant.key in fresh)
            for participant in state.participants
        )
        order = replace(state, participants=tuple(sorted(rolled, key=lambda participant: participant.rank)))
        return order if _equals(order) else _with_places(order)

    def waiting(self, state: Conflict) -> Sequence[tuple[str, str]]:
        now = state.current
        return [(now.key, _("to act"))] if now else [("", _("to start the next round"))]

    def parties(self, state: Conflict) -> Parties:
        return {participant.key: (participant.name, participant.character) for participant in state.participants}
