"""What may be done in an event in turns, and what comes of it (arc.txt, V.1, V.5 to V.7).

Players declare and act for their own, GMs for everybody; a GM says who comes, checks and falls, may hold, skip and move
somebody, and ends the turn once all have had theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from rolls.rules.acts import Actor
from rolls.rules.bars import Barred
from rolls.rules.effects import StepResult, led
from rolls.rules.errors import NotPossible, whole
from rolls.rules.function_procedures import Act, AvailableAct
from rolls.rules.procedures import Values
from rulesets.arc.rules import tracker_checks as checks
from rulesets.arc.rules.bars import IMMOBILE
from rulesets.arc.rules.tracker import Begun, Event, Mind, Move, Participant, Status
from rulesets.arc.rules.tracker_attacks import RESOLVE, may_resolve, resolved
from rulesets.arc.rules.tracker_ends import next_turn, note
from rulesets.arc.rules.tracker_order import ordered
from rulesets.arc.rules.tracker_people import CENTIMETRES, join, marks
from rulesets.arc.settings import Burden

DECLARE, DONE, WAIT, COME_IN, GO_ON, DROP = "declare", "done", "wait", "come_in", "go_on", "drop"
HOLD, SKIP, CHANGE, JOIN, REACT, OUTCOME, TURN = "hold", "skip", "change", "join", "react", "outcome", "turn"
CHECK, NO_CHECK, WAIVE = "check", "no_check", "waive"

LEAVES, MOVES, COMES_TO = "leaves", "moves", "comes_to"
CHANGES: Final = (MOVES, LEAVES, Mind.SURPRISED.value, Mind.UNCONSCIOUS.value, Mind.DEAD.value, COMES_TO)


def may(state: Event, who: Actor) -> Sequence[AvailableAct]:
    return [*_of_their_own(state, who), *(_of_gms(state) if who.is_gm else ())]


def _of_their_own(state: Event, who: Actor) -> Iterator[AvailableAct]:
    now, turn = state.current, (state.turn,)
    for one in state.participants:
        if not who.plays(one.character):
            continue
        if one is now and not state.pending(one.key):
            if one.status is Status.DECLARED:
                yield AvailableAct(DONE, one.key, turn)
            else:
                yield from (AvailableAct(DECLARE, one.key, turn), AvailableAct(WAIT, one.key, turn))
        if may_resolve(state, one):
            yield AvailableAct(RESOLVE, one.key, (*turn, one.checked))
        if _may_come_in(state, one):
            yield AvailableAct(COME_IN, one.key, turn)
        if one.mind is Mind.SURPRISED and one.begun is None:
            yield from (AvailableAct(GO_ON, one.key), AvailableAct(DROP, one.key))


def _of_gms(state: Event) -> Iterator[AvailableAct]:
    now, turn = state.current, (state.turn,)
    for one in state.participants:
        if one is now and one.status is Status.TO_ACT:
            yield AvailableAct(HOLD, one.key, turn)
        if one is now:
            yield AvailableAct(SKIP, one.key, turn)
        if state.pending(one.key):
            yield AvailableAct(WAIVE, one.key, turn)
        yield AvailableAct(CHANGE, one.key)
    for arisen in state.arisen:
        yield from (AvailableAct(CHECK, arisen.occasion), AvailableAct(NO_CHECK, arisen.occasion))
    if now is None and not any(one.held is None for one in state.checks):
        yield AvailableAct(TURN, terms=turn)
    yield from (AvailableAct(OUTCOME), AvailableAct(REACT), AvailableAct(JOIN))


def act(state: Event, who: Actor, act: Act) -> StepResult[Event]:
    after = led(_acted(state, who, act))
    return StepResult(after.state, (*after.effects, *marks(state, after.state)))


def _acted(state: Event, who: Actor, act: Act) -> Event | StepResult[Event]:
    state = replace(state, ties=(), landed=(), resorted=False, words="")
    if act.name == TURN:
        return next_turn(state)
    if act.name in (CHECK, NO_CHECK):
        return checks.answered(state, act.whom, check=act.name == CHECK)
    for_all: dict[str, Callable[[Event, Values], Event]] = {JOIN: _come, REACT: _react, OUTCOME: note}
    if act.name in for_all:
        return for_all[act.name](state, act.values)
    one = state.found(act.whom)
    if act.name == CHANGE:
        return _changed(state, one, act.values)
    if act.name == WAIVE:
        if not state.pending(one.key):
            raise _not_now(WAIVE, f"{one.name} has no Reaction check to roll.")
        return checks.waived(state, one.key)
    if act.name == RESOLVE:
        return resolved(state, one, who, act)
    if act.name in (GO_ON, DROP):
        return _begun(state, one, act)
    if act.name == COME_IN:
        return _come_in(state, one)
    return _in_turn(state, one, act)


# In one's turn


def _in_turn(state: Event, one: Participant, act: Act) -> Event:
    if one is not state.current:
        raise _not_now(act.name, f"It is not {one.name}’s turn.")
    if act.name == SKIP:
        return checks.waived(state.put(one.key, status=Status.SKIPPED), one.key)
    declared = one.status is Status.DECLARED
    if act.name == HOLD and one.status is Status.TO_ACT:
        return state.put(one.key, status=Status.HOLDING)
    if state.pending(one.key):
        raise _not_now(act.name, f"{one.name} rolls a Reaction check first.")
    if act.name == (DONE if declared else WAIT):
        return state.put(one.key, status=Status.DONE)
    if act.name != DECLARE:
        raise _not_now(act.name, "That is no step that can be taken now.")
    if declared:
        raise _not_now(act.name, f"{one.name} has declared already.")
    status = Status.DONE if act.values.get("done") and not state.apart else Status.DECLARED
    return checks.attacked(_declared(state, one, act).put(one.key, status=status), one.key)


def _declared(state: Event, one: Participant, act: Act) -> Event:
    """`values`: `words`, `actions`, `done` for what is carried out by that (unless all declare first); for a character `skills`
    [(the character's id, most actions with it)], and what they are `named`; `against` whom, `moves` so many metres. Raises a
    RuleError for more than the ES and the movement give."""
    values = act.values
    if one.burden is Burden.IMMOBILE and not act.override:
        raise Barred(IMMOBILE, f"{one.name} bears more than can be borne, and can neither move nor act.")
    if not values["words"]:
        raise NotPossible("words", "", allowed="some words", message="Say what is done.")
    most = _most_actions(one, values)
    actions = whole("actions", 1 if values["actions"] is None else values["actions"], 1, 100)
    if actions > most:
        times = "1 action" if most == 1 else f"{most} actions" if most else "no action"
        message = f"{one.name} has {times} in this turn with that."
        raise NotPossible("actions", actions, allowed=f"up to {most}", message=message)
    reach, metres = one.reach or 0, whole("moves", values["moves"] or 0, 0, 1_000_000)
    if metres * CENTIMETRES > reach and not act.override:
        message = f"{one.name} gets {reach / CENTIMETRES:g} m far in a turn."
        raise NotPossible("moves", metres, allowed=f"up to {reach / CENTIMETRES:g}", message=message)
    for key in values["against"]:
        if state.found(key).key == one.key:
            message = f"{one.name} does nothing against themselves."
            raise NotPossible("against", key, allowed="others", message=message)
    return replace(state, words=values["words"]).put(
        one.key,
        words=values["words"],
        actions=actions,
        moves=metres,
        against=tuple(dict.fromkeys(values["against"])),
        skills=tuple(values.get("named", ())),
        checked=0,
    )


def _most_actions(one: Participant, values: Values) -> int:
    """What was typed of a nameless one; for a character by the skills that are named, and 1 with none."""
    if one.character is None:
        return one.most or 0
    if any(character != one.character for character in values["characters"]):
        message = f"Those are no skills of {one.name}’s."
        raise NotPossible("skills", None, allowed="skills of the sheet", message=message)
    most: int = values["most"]
    return most


def _begun(state: Event, one: Participant, act: Act) -> Event:
    if one.mind is not Mind.SURPRISED or one.begun is not None:
        raise _not_now(act.name, f"{one.name} has nothing to go on with.")
    if act.name == DROP:
        return state.put(one.key, begun=Begun.DROPPED)
    return _declared(state, one, act).put(one.key, begun=Begun.GOES_ON, against=())


def _may_come_in(state: Event, one: Participant) -> bool:
    now = state.current
    waits = now is None or now.status is Status.TO_ACT
    return one.status is Status.HOLDING and waits and state.takes_part(one)


def _come_in(state: Event, one: Participant) -> Event:
    if one.status is not Status.HOLDING:
        raise _not_now(COME_IN, f"{one.name} does not hold a turn back.")
    if not _may_come_in(state, one):
        raise _not_now(COME_IN, "Somebody else acts just now. Wait until that is done.")
    return state.put(one.key, status=Status.COMING_IN)


def _not_now(name: str, message: str) -> NotPossible:
    return NotPossible("act", name, allowed="what is shown", message=message)


# What GMs do


def _come(state: Event, values: Values) -> Event:
    return join(state, values["those"], values.get("ambush", ""))


def _react(state: Event, values: Values) -> Event:
    return checks.ask(state, values["occasion"], values["whom"])


def _changed(state: Event, one: Participant, values: Values) -> Event:
    to = values["to"]
    if to not in CHANGES:
        raise NotPossible("to", to, allowed=", ".join(CHANGES), message="Choose what becomes of them.")
    if to == LEAVES:
        return ordered(state.without([one.key]))
    if to == MOVES:
        return _moved(state, one, values["before"])
    if to == COMES_TO:
        if one.mind is Mind.AWARE:
            raise NotPossible("to", to, allowed="another", message=f"{one.name} is awake already.")
        # Who comes to was unaware until now, and acts in the next turn.
        return ordered(state.put(one.key, mind=Mind.SURPRISED, begun=Begun.DROPPED))
    down = state.put(one.key, mind=Mind(to), begun=None, against=())
    return ordered(checks.losses(state, checks.waived(down, one.key)))


def _moved(state: Event, one: Participant, before: str) -> Event:
    if not state.takes_part(one):
        raise NotPossible("to", MOVES, allowed="another", message=f"{one.name} has no place in this turn.")
    if before and (before == one.key or not state.takes_part(state.found(before))):
        raise NotPossible("before", before, allowed="others in this turn", message="Choose somebody else.")
    others = tuple(move for move in state.moves if move.key != one.key)
    return ordered(replace(state, moves=(*others, Move(key=one.key, before=before))))


def waiting(state: Event) -> Sequence[tuple[str, str]]:
    waits = [(one.key, "to roll a Reaction check") for one in checks.owed(state, made=False)]
    now = state.current
    if now is not None and not state.pending(now.key):
        waits.append((now.key, "to act" if now.status is Status.DECLARED else "to declare"))
    if state.arisen:
        waits.append(("", "to say who rolls a Reaction check"))
    return waits or [("", "to begin the next turn")]


def is_over(state: Event) -> bool:
    """It goes on until a GM ends it."""
    return False


def played(state: Event) -> list[str]:
    return [one.character for one in state.participants if one.character]
