"""An event in turns: who declares after whom, turn by turn (arc.txt, V.1, V.5, V.6). Here are its values, the
order, and Reaction checks; tracker_acts.py says who takes part, and moves it on.

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
from rules.effects import Begin, StepResult
from rules.errors import NotPossible
from rules.procedures import Act, Answer, RollPart, Snapshot
from rulesets.arc.rules.body import Size
from rulesets.arc.rules.check import COMBAT_OCCASIONS, OTHER_OCCASIONS
from rulesets.arc.settings import SCORES, Burden

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


# Reaction checks in an event in turns: who has to roll one, on what occasion, and what it costs (arc.txt, V.5).
#
# Players roll for their own characters; for others the procedure does. With the highest SOM a player rolls nothing, since
# it always succeeds; for an NPC the die falls all the same, or its absence would betray the SOM. Who fails loses this turn.


AMBUSHED, FIRST_FALLS, HALF_DEAD, CORNERED, ATTACKED = "ambushed", "first_falls", "half_dead", "cornered", "attacked"
OCCASIONS: Final = dict(
    zip(
        (
            AMBUSHED,
            FIRST_FALLS,
            HALF_DEAD,
            CORNERED,
            ATTACKED,
            "hurried",
            "threatened",
            "witnesses",
            "against_morality",
        ),
        (*COMBAT_OCCASIONS, *OTHER_OCCASIONS),
        strict=True,
    )
)
"""Words by their codes, those of a fight first."""

ENEMIES: Final = 2
"""So many who attack the same one are an occasion."""


def checked(state: Event, occasion: str, keys: Iterable[str]) -> Event:
    """Ask for a check of each of these who is awake and owes none yet."""
    for key in keys:
        participant = state.found(key)
        if participant.mind is not Mind.AWARE or state.pending(key):
            continue
        sure = participant.played and participant.som == SCORES[1]
        check = Check(
            part=f"check{state.asked + 1}",
            key=key,
            occasion=occasion,
            made=sure or not participant.played or participant.character is None,
            held=True if sure else None,
        )
        state = replace(state, checks=(*state.checks, check), asked=state.asked + 1)
    return state


def ask(state: Event, occasion: str, keys: Sequence[str]) -> Event:
    """Ask for the checks that a GM wants. Raises a RuleError for nobody, and for a participant who cannot check now."""
    if occasion not in OCCASIONS:
        raise NotPossible("occasion", occasion, allowed=", ".join(OCCASIONS), message=_("Choose an occasion."))
    if not keys:
        raise NotPossible("whom", None, allowed="1 or more", message=_("Choose who checks."))
    for key in keys:
        participant = state.found(key)
        if participant.mind is not Mind.AWARE:
            message = _("{name} isn’t aware of anything now, so they can’t check.").format(name=participant.name)
            raise NotPossible("whom", key, allowed="those who are aware", message=message)
        if state.pending(key):
            message = _("{name} already has a Reaction check to roll.").format(name=participant.name)
            raise NotPossible("whom", key, allowed="others", message=message)
    return checked(state, occasion, keys)


def waived(state: Event, key: str) -> Event:
    """Drop a participant's unrolled checks."""
    return replace(state, checks=tuple(check for check in state.checks if check.key != key or check.held is not None))


def with_answers(state: Event, answers: Sequence[Answer]) -> Event:
    """Record the results of players' checks: of each the roll that stands, if any. A participant who has become unaware
    does not owe a voided one again.
    """
    fell = {answer.part.name: answer.outcome["result"] == "success" for answer in answers}
    counted = (check if check.made else replace(check, held=fell.get(check.part)) for check in state.checks)
    checks = tuple(check for check in counted if check.held is not None or state.found(check.key).mind is Mind.AWARE)
    return state if checks == state.checks else ordered(replace(state, checks=checks))


def fell(state: Event, answer: Answer) -> Event:
    """Record the result of a check that the procedure has rolled."""
    held = answer.outcome["result"] == "success"
    checks = tuple(replace(check, held=held) if check.part == answer.part.name else check for check in state.checks)
    return ordered(replace(state, checks=checks))


def voided(state: Event, part: RollPart) -> Event:
    """Drop a check as if it had not been asked for; a GM may ask again."""
    return ordered(replace(state, checks=tuple(check for check in state.checks if check.part != part.name)))


def owed(state: Event, *, made: bool) -> list[Check]:
    """Return the checks to be rolled: those that the procedure makes, or those of players."""
    return [check for check in state.checks if check.held is None and check.made is made]


# Occasions that come up by themselves


def shaken(state: Event, keys: Iterable[str]) -> Event:
    """Ask about an ambush where some who come are surprised, for which the others on their side have not checked yet."""
    come = [state.found(key) for key in keys]
    met = {newcomer.side for newcomer in come if newcomer.mind is Mind.SURPRISED}
    whom = [newcomer.key for newcomer in come if newcomer.side in met and newcomer.mind is Mind.AWARE]
    return _arise(state, AMBUSHED, [key for key in whom if not _has_checked(state, key, AMBUSHED)])


def attacked(state: Event, by: str) -> Event:
    """Ask about participants with two or more enemies attacking in this turn, and about attacked ones who cannot move
    away. Other positions are not tracked by the rules.
    """
    for key in state.found(by).against:
        state = beset(state, key)
    return state


def beset(state: Event, key: str) -> Event:
    """Ask the same about one who has just been attacked."""
    participant = state.found(key)
    foes = [other for other in state.participants if key in other.against and other.side is not participant.side]
    if len(foes) >= ENEMIES and not _has_checked(state, key, ATTACKED):
        state = _arise(state, ATTACKED, [key])
    if foes and participant.reach == 0 and not _has_checked(state, key, CORNERED):
        state = _arise(state, CORNERED, [key])
    return state


def _has_checked(state: Event, key: str, occasion: str) -> bool:
    return any(check.key == key and check.occasion == occasion for check in state.checks)


def losses(before: Event, state: Event) -> Event:
    """Ask about a side of which the first falls, or of which more than half are dead: that shakes the others."""
    was = {participant.key: participant.mind for participant in before.participants}
    for side in Side:
        members = [participant for participant in state.participants if participant.side is side]
        fallen = [member for member in members if member.mind.is_down and not was.get(member.key, Mind.AWARE).is_down]
        died = [member for member in members if member.mind is Mind.DEAD and was.get(member.key) is not Mind.DEAD]
        standing = [member.key for member in members if not member.mind.is_down]
        if fallen and side not in state.fallen:
            state = _arise(replace(state, fallen=(*state.fallen, side)), FIRST_FALLS, standing)
        if died and side not in state.beaten and sum(member.mind is Mind.DEAD for member in members) * 2 > len(members):
            state = _arise(replace(state, beaten=(*state.beaten, side)), HALF_DEAD, standing)
    return state


def _arise(state: Event, occasion: str, keys: Sequence[str]) -> Event:
    """Add participants to the one open occasion of a kind."""
    had = next((arisen for arisen in state.arisen if arisen.occasion == occasion), None)
    whom = tuple(dict.fromkeys((*(had.whom if had else ()), *keys)))
    if not whom:
        return state
    others = (arisen for arisen in state.arisen if arisen is not had)
    return replace(state, arisen=(*others, Arisen(occasion=occasion, whom=whom)))


def answered(state: Event, occasion: str, *, check: bool) -> Event:
    """Record a GM's answer whether the participants of an occasion check."""
    concerned = next(arisen for arisen in state.arisen if arisen.occasion == occasion)
    left = replace(state, arisen=tuple(arisen for arisen in state.arisen if arisen is not concerned))
    return checked(left, occasion, concerned.whom) if check else left


RESOLVE: Final = "resolve"
CHECK_KIND: Final = "check"
"""The kind of procedure that a check is."""
MOST_COUNTED: Final = 60


def may_resolve(state: Event, participant: Participant) -> bool:
    """Return whether a declared action of the participant has yet to lead to its check."""
    acts = participant.actions - participant.defences
    if not participant.words or participant.checked >= acts or state.pending(participant.key):
        return False
    if participant.begun is Begun.GOES_ON:
        return True
    had = participant.status is Status.DONE or (participant.status is Status.DECLARED and participant is state.current)
    return had and state.takes_part(participant)


def resolved(state: Event, participant: Participant, step: Act) -> StepResult[Event]:
    """Begin the check of the next action, with the skill named for it and its declared target.

    A GM calls it at once; a player announces it, and a GM sets the difficulty or lets the other counter it.
    """
    seen = step.seen or Snapshot()
    with_it = participant.skills[min(participant.checked, len(participant.skills) - 1)] if participant.skills else None
    sides = [_side(participant, seen, with_it)]
    target = (
        state.found(participant.against[min(participant.checked, len(participant.against) - 1)])
        if participant.against
        else None
    )
    if target is not None:
        sides.append(_side(target, seen, _defends_with(target)))
    given = {"sides": sides, "fight": target is not None and target.side is not participant.side}
    return StepResult(
        state.put(participant.key, checked=participant.checked + 1), [Begin(kind=CHECK_KIND, given=given)]
    )


def _defends_with(participant: Participant) -> Skill | None:
    """Return the skill of a declared defence: the last ones named are those kept to defend."""
    left = participant.defended < participant.defences
    return participant.skills[-1] if left and participant.skills else None


def _side(participant: Participant, seen: Snapshot, with_it: Skill | None = None) -> dict[str, Any]:
    sheet = seen.sheets.get(participant.character or "")
    size = Size(sheet.values.get("size", Size.MEDIUM)) if sheet else participant.size or Size.MEDIUM
    stat, skill = (with_it.stat, with_it.skill) if with_it else ("", "")
    return {"name": participant.name, "character": participant.character, "size": size, "stat": stat, "skill": skill}


def attacks(state: Event, open_checks: Iterable[tuple[str, Any]]) -> Event:
    """Count the opposed checks in a fight that are requested now, each once: the acting side attacks the other, who uses up
    an action that was kept to defend (arc.txt, V.6)."""
    for which, check in open_checks:
        if which in state.counted or not (check.fight and check.asked_for and len(check.sides) > 1):
            continue
        by, on = (_there(state, side) for side in check.sides)
        if by is None or on is None or by.side is on.side:
            continue
        state = replace(state, counted=(*state.counted, which)[-MOST_COUNTED:])
        if on.defended < on.defences:
            state = state.put(on.key, defended=on.defended + 1)
        if on.key not in by.against:
            state = beset(state.put(by.key, against=(*by.against, on.key)), on.key)
    return state


def won(state: Event, seen: Snapshot) -> Event:
    """Note each check that whoever acted has just won, whose outcome is to be said; one that is rolled again is not won."""
    again = {which for which, _check in seen.open.get(CHECK_KIND, ())}
    state = replace(state, won=tuple(won for won in state.won if won.check not in again))
    known = {won.check for won in state.won}
    for which, check in seen.ended.get(CHECK_KIND, ()):
        by = _there(state, check.sides[0])
        if which in known or by is None or check.sides[0].result != "success":
            continue
        on = _there(state, check.sides[1]) if len(check.sides) > 1 else None
        state = replace(state, won=(*state.won, Won(check=which, name=by.name, whom=on.key if on else "")))
    return state


def _there(state: Event, side: Any) -> Participant | None:
    """Return the participant that a side of a check is: by the character, nameless ones by name; None if it is none."""
    for participant in state.participants:
        if participant.character == side.character and (side.character is not None or participant.name == side.name):
            return participant
    return None
