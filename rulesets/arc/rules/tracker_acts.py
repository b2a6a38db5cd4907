"""The acts of an event in turns, and their results (arc.txt, V.1, V.5 to V.7).

Players declare and act for their own, GMs for everyone; a GM says who joins, checks and falls, may hold, skip and move
a participant, and ends the turn once all have had theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from languages.text import gettext as _
from languages.text import ngettext
from rules.acts import act, player_of
from rules.dice import Dice, Faces
from rules.effects import StepResult
from rules.errors import BlockedByState, NotPossible, whole
from rules.procedures import Act, Answer, Asked, Parties, ProcedureRules, RollPart, Snapshot, Values
from rulesets.arc.rules import tracker as order
from rulesets.arc.rules import tracker_checks as checks
from rulesets.arc.rules import tracker_people as people
from rulesets.arc.rules.body import IMMOBILE
from rulesets.arc.rules.tracker import Begun, Event, Mind, Move, Participant, Status, ordered
from rulesets.arc.rules.tracker_checks import may_resolve, resolved
from rulesets.arc.rules.tracker_outcomes import next_turn, note, settled
from rulesets.arc.rules.tracker_people import CENTIMETRES
from rulesets.arc.settings import Burden

DECLARE, DONE, WAIT, COME_IN, GO_ON, DROP = "declare", "done", "wait", "come_in", "go_on", "drop"
HOLD, SKIP, CHANGE, JOIN, REACT, OUTCOME, TURN = "hold", "skip", "change", "join", "react", "outcome", "turn"
CHECK, NO_CHECK, WAIVE = "check", "no_check", "waive"
LAND, NOTHING = "land", "nothing"

REACTION: Final = {"kind": "reaction"}
"""The terms of the request for a Reaction check."""

LEAVES, MOVES, COMES_TO = "leaves", "moves", "comes_to"
CHANGES: Final = (MOVES, LEAVES, Mind.SURPRISED.value, Mind.UNCONSCIOUS.value, Mind.DEAD.value, COMES_TO)


def _in_turn(state: Event, *key: str) -> tuple[Any, ...]:
    return (state.turn,)


def _now(state: Event, *statuses: Status) -> list[str]:
    """Return the key of whose turn it is, if their stage is one of `statuses` and they have no check to roll first; else []."""
    now = state.current
    return [now.key] if now and not state.pending(now.key) and now.status in statuses else []


def _to_declare(state: Event) -> list[str]:
    return _now(state, *(status for status in Status if status is not Status.DECLARED))


def _attacked(state: Event) -> list[str]:
    """Return those whom the one who acts now is against, and who have yet to declare: they may defend (arc.txt, V.6)."""
    now, waits = state.current, (Status.TO_ACT, Status.HOLDING)
    against = now.against if now and now.status is Status.DECLARED and not state.pending(now.key) else ()
    there = [state.found(key) for key in against]
    return [one.key for one in there if one.status in waits and state.takes_part(one) and not state.pending(one.key)]


def _with_something_begun(state: Event) -> list[str]:
    return [
        participant.key
        for participant in state.participants
        if participant.mind is Mind.SURPRISED and participant.begun is None
    ]


def _turn_of(state: Event) -> list[str]:
    return [state.current.key] if state.current else []


def _arisen(state: Event) -> list[str]:
    return [arisen.occasion for arisen in state.arisen]


def _may_end(state: Event) -> bool:
    """Return whether all have had their turn, and their checks have been rolled."""
    return state.current is None and not any(check.held is None for check in state.checks)


_owner = player_of(lambda state, key: state.found(key).character)


class TrackerRules(ProcedureRules[Event]):
    """The acts of an event in turns: players declare and act for their own characters, GMs for everyone."""

    state = Event

    def start(self, given: Values) -> StepResult[Event]:
        return people.start(given)

    def take(self, state: Event, step: Act) -> StepResult[Event]:
        """Take a step; the last one's news is cleared, and changes of mind are written on the sheets."""
        after = super().take(replace(state, ties=(), landed=(), resorted=False, words=""), step)
        return StepResult(after.state, (*after.effects, *people.marks(state, after.state)))

    # In one's turn

    @act(by=_owner, each=lambda state: _now(state, Status.DECLARED), terms=_in_turn)
    def done(self, state: Event, step: Act, key: str) -> Event:
        return state.put(key, status=Status.DONE)

    @act(by=_owner, each=lambda state: [*_to_declare(state), *_attacked(state)], terms=_in_turn, asks=True)
    def declare(self, state: Event, step: Act, key: str) -> Event:
        after = _declared(state, state.found(key), step)
        declared = after.found(key)
        only_defends = declared.defences == declared.actions
        if state.current is not state.found(key) and not only_defends:
            message = _("{name}’s turn hasn’t come. Until then they can only defend.").format(name=declared.name)
            raise NotPossible("defences", declared.defences, allowed=f"{declared.actions}", message=message)
        if only_defends:
            return after.put(key, status=Status.DONE, against=())
        status = Status.DONE if step.values.get("done") and not state.apart else Status.DECLARED
        return checks.attacked(after.put(key, status=status), key)

    @act(by=_owner, each=_to_declare, terms=_in_turn)
    def wait(self, state: Event, step: Act, key: str) -> Event:
        return state.put(key, status=Status.DONE)

    @act(
        by=_owner,
        each=lambda state: [participant.key for participant in state.participants if may_resolve(state, participant)],
        terms=lambda state, key: (state.turn, state.found(key).checked),
    )
    def resolve(self, state: Event, step: Act, key: str) -> StepResult[Event]:
        _must_be_able(state.found(key), step)
        return resolved(state, state.found(key), step)

    @act(
        by=_owner,
        each=lambda state: [participant.key for participant in state.participants if _may_come_in(state, participant)],
        terms=_in_turn,
    )
    def come_in(self, state: Event, step: Act, key: str) -> Event:
        return state.put(key, status=Status.COMING_IN)

    @act(by=_owner, each=_with_something_begun, asks=True)
    def go_on(self, state: Event, step: Act, key: str) -> Event:
        return _declared(state, state.found(key), step).put(key, begun=Begun.GOES_ON, against=())

    @act(by=_owner, each=_with_something_begun)
    def drop(self, state: Event, step: Act, key: str) -> Event:
        return state.put(key, begun=Begun.DROPPED)

    # What GMs do

    @act(
        each=lambda state: [key for key in _turn_of(state) if state.found(key).status is Status.TO_ACT], terms=_in_turn
    )
    def hold(self, state: Event, step: Act, key: str) -> Event:
        return state.put(key, status=Status.HOLDING)

    @act(each=_turn_of, terms=_in_turn)
    def skip(self, state: Event, step: Act, key: str) -> Event:
        return checks.waived(state.put(key, status=Status.SKIPPED), key)

    @act(
        each=lambda state: [participant.key for participant in state.participants if state.pending(participant.key)],
        terms=_in_turn,
    )
    def waive(self, state: Event, step: Act, key: str) -> Event:
        return checks.waived(state, key)

    @act(each=lambda state: [participant.key for participant in state.participants], asks=True)
    def change(self, state: Event, step: Act, key: str) -> Event:
        participant, to = state.found(key), step.values["to"]
        if to not in CHANGES:
            raise NotPossible("to", to, allowed=", ".join(CHANGES), message=_("Choose what changes."))
        if to == LEAVES:
            return ordered(state.without([key]))
        if to == MOVES:
            return _moved(state, participant, step.values["before"])
        if to == COMES_TO:
            if participant.mind is Mind.AWARE:
                message = _("{name} is already awake.").format(name=participant.name)
                raise NotPossible("to", to, allowed="another", message=message)
            # Who comes to was unaware until now, and acts in the next turn.
            return ordered(state.put(key, mind=Mind.SURPRISED, begun=Begun.DROPPED))
        down = state.put(key, mind=Mind(to), begun=None, against=())
        return ordered(checks.losses(state, checks.waived(down, key)))

    @act(each=_arisen)
    def check(self, state: Event, step: Act, occasion: str) -> Event:
        return checks.answered(state, occasion, check=True)

    @act(each=_arisen)
    def no_check(self, state: Event, step: Act, occasion: str) -> Event:
        return checks.answered(state, occasion, check=False)

    @act(TURN, when=_may_end, terms=_in_turn)
    def end_turn(self, state: Event, step: Act) -> StepResult[Event]:
        return next_turn(state)

    @act(asks=True)
    def outcome(self, state: Event, step: Act) -> Event:
        return note(state, step.values)

    @act(each=lambda state: [won.check for won in state.won], asks=True)
    def land(self, state: Event, step: Act, check: str) -> Event:
        """Say what a won check leads to at the end of the turn."""
        return settled(note(state, step.values), check)

    @act(each=lambda state: [won.check for won in state.won])
    def nothing(self, state: Event, step: Act, check: str) -> Event:
        return settled(state, check)

    @act(asks=True)
    def react(self, state: Event, step: Act) -> Event:
        return checks.ask(state, step.values["occasion"], step.values["whom"])

    @act(asks=True)
    def join(self, state: Event, step: Act) -> Event:
        return people.join(state, step.values["those"], step.values.get("ambush", ""))

    # Its state, and its dice

    def waiting(self, state: Event) -> Sequence[tuple[str, str]]:
        waits = [(check.key, _("to roll a Reaction check")) for check in checks.owed(state, made=False)]
        now = state.current
        if now is not None and not state.pending(now.key):
            waits.append((now.key, _("to act") if now.status is Status.DECLARED else _("to declare")))
        if state.arisen:
            waits.append(("", _("to say who rolls a Reaction check")))
        return waits or [("", _("to start the next turn"))]

    def parties(self, state: Event) -> Parties:
        return {participant.key: (participant.name, participant.character) for participant in state.participants}

    def reads(self, state: Event, seen: Snapshot) -> Event:
        return people.reads(state, seen)

    def requests(self, state: Event) -> list[Asked]:
        """Return the Reaction checks that players roll."""
        owed = checks.owed(state, made=False)
        return [
            Asked(part=RollPart(check.part), terms=REACTION, character=state.found(check.key).character)
            for check in owed
        ]

    def on_answers(self, state: Event, answers: Sequence[Answer]) -> Event:
        return checks.with_answers(state, answers)

    def on_roll(self, state: Event, answer: Answer) -> Event:
        return checks.fell(state, answer)

    def on_void(self, state: Event, part: RollPart) -> Event:
        return checks.voided(state, part)

    def dice_needed(self, state: Event) -> Dice | None:
        return order.ready(state)

    def apply_dice(self, state: Event, faces: Faces) -> Event:
        return order.settle(state, faces)


def _declared(state: Event, participant: Participant, step: Act) -> Event:
    """Declare actions. `values` are `words`, `actions`, `done` if they are carried out at once (unless all declare first);
    for a character `skills` [(its id, most actions with it)] and the skills `named`; `against` whom, `moves` so many metres.

    Raises a RuleError for more than the ES and the movement allow.
    """
    values = step.values
    _must_be_able(participant, step)
    if not values["words"]:
        raise NotPossible("words", "", allowed="some words", message=_("Say what they do."))
    most = _most_actions(participant, values)
    actions = whole("actions", 1 if values["actions"] is None else values["actions"], 1, 100)
    if actions > most:
        message = ngettext(
            "{name} has {count} action this turn with that.", "{name} has {count} actions this turn with that.", most
        ).format(name=participant.name, count=most)
        raise NotPossible("actions", actions, allowed=f"up to {most}", message=message)
    reach, metres = participant.reach or 0, whole("moves", values["moves"] or 0, 0, 1_000_000)
    if metres * CENTIMETRES > reach and not step.override:
        message = _("{name} moves at most {metres} m in a turn.").format(
            name=participant.name, metres=f"{reach / CENTIMETRES:g}"
        )
        raise NotPossible("moves", metres, allowed=f"up to {reach / CENTIMETRES:g}", message=message)
    defences = whole("defences", values.get("defences") or 0, 0, actions)
    for key in values["against"]:
        if state.found(key).key == participant.key:
            message = _("{name} can’t act against themselves.").format(name=participant.name)
            raise NotPossible("against", key, allowed="others", message=message)
    return replace(state, words=values["words"]).put(
        participant.key,
        words=values["words"],
        actions=actions,
        moves=metres,
        against=tuple(dict.fromkeys(values["against"])),
        skills=tuple(values.get("named", ())),
        checked=0,
        defences=defences,
        defended=0,
    )


def _must_be_able(participant: Participant, step: Act) -> None:
    if participant.burden is Burden.IMMOBILE and not step.override:
        message = _("{name} is carrying too much to move or act. Put something down first.")
        raise BlockedByState(IMMOBILE, message.format(name=participant.name))


def _most_actions(participant: Participant, values: Values) -> int:
    """Return the most actions: as typed for a nameless one; for a character by the named skills, and 1 without any."""
    if participant.character is None:
        return participant.most or 0
    if any(character != participant.character for character in values["characters"]):
        message = _("{name} doesn’t have these skills. Choose from the sheet.").format(name=participant.name)
        raise NotPossible("skills", None, allowed="skills of the sheet", message=message)
    most: int = values["most"]
    return most


def _may_come_in(state: Event, participant: Participant) -> bool:
    now = state.current
    waits = now is None or now.status is Status.TO_ACT
    return participant.status is Status.HOLDING and waits and state.takes_part(participant)


def _moved(state: Event, participant: Participant, before: str) -> Event:
    if not state.takes_part(participant):
        message = _("{name} doesn’t take part in this turn.").format(name=participant.name)
        raise NotPossible("to", MOVES, allowed="another", message=message)
    if before and (before == participant.key or not state.takes_part(state.found(before))):
        raise NotPossible(
            "before",
            before,
            allowed="others in this turn",
            message=_("Choose someone else who takes part in this turn."),
        )
    others = tuple(move for move in state.moves if move.key != participant.key)
    return ordered(replace(state, moves=(*others, Move(key=participant.key, before=before))))
