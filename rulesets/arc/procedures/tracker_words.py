"""The words of an event in turns: its card, its buttons, and the sentences of the log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from campaigns.text import signed
from rolls.rules.procedures import OPEN, REREAD, Button, Values
from rolls.stage import Row, Staged, Turn
from rulesets.arc.rules import tracker_acts as acts
from rulesets.arc.rules.tracker import Begun, Event, Mind, Outcome, Participant, Status, names
from rulesets.arc.rules.tracker_checks import OCCASIONS, RESOLVE
from rulesets.arc.rules.tracker_people import CENTIMETRES
from rulesets.arc.settings import SCORES, Burden

BUTTONS: Final = {
    acts.DECLARE: "Declare",
    acts.DONE: "Done",
    acts.WAIT: "Do nothing",
    acts.COME_IN: "Come in now",
    RESOLVE: "Check",
    acts.GO_ON: "Go on with it",
    acts.DROP: "Drop it",
    acts.HOLD: "Hold",
    acts.SKIP: "Skip",
    acts.CHANGE: "Change",
    acts.WAIVE: "No check",
    acts.CHECK: "They check",
    acts.NO_CHECK: "No check",
    acts.JOIN: "Newcomers",
    acts.REACT: "Reaction check",
    acts.OUTCOME: "What comes of it",
    acts.TURN: "Next turn",
}
STATUS: Final = {
    Status.HOLDING: "holds",
    Status.COMING_IN: "comes in now",
    Status.DONE: "has acted",
    Status.SKIPPED: "skipped in this turn",
    Status.NEXT_TURN: "acts from the next turn on",
}
SEEN_BY_GM: Final = "only the GM sees how"
UNAWARE: Final = "surprised, acts from the next turn on"


def describe(state: Event, buttons: Sequence[Button]) -> Values:
    """Return the `staged` card, and the `participants` in their order, whom its forms ask about."""
    begin, end = state.seconds
    apart = ", first all declare, then all act" if state.apart else ""
    return {
        "staged": Staged(
            above=f"Turn {state.turn} · second {begin} to {end}{apart}",
            turns=[_place(state, participant, buttons) for participant in state.participants],
            rows=list(_rows(state, buttons)),
            acts=[button for button in buttons if not button.target],
        ),
        "participants": [
            {
                "key": participant.key,
                "name": participant.name,
                "character": participant.character,
                "status": _status(state, participant),
                "reach": _reach(participant),
                "most": participant.most,
            }
            for participant in state.participants
        ],
    }


def _status(state: Event, participant: Participant) -> str:
    return participant.status.value if state.takes_part(participant) else "waits"


def _place(state: Event, participant: Participant, buttons: Sequence[Button]) -> Turn:
    scores = f"SOM {participant.som}, Empathy {participant.empathy}, Perception {participant.perception}"
    figures = [scores] if participant.som else []
    figures += [f"d10 {', '.join(map(str, participant.rolls))}"] if participant.rolls else []
    return Turn(
        name=participant.name,
        character=participant.character or "",
        words="; ".join(filter(None, (_reach(participant), *_state_words(state, participant)))),
        lines=list(filter(None, (_declared(state, participant), ", ".join(figures)))),
        status=_status(state, participant),
        current=participant is state.current,
        buttons=[button for button in buttons if button.whom == participant.key],
    )


def _rows(state: Event, buttons: Sequence[Button]) -> Iterator[Row]:
    """Yield the occasions of Reaction checks that have arisen, then what comes of this turn at its end."""
    for arisen in state.arisen:
        yield Row(
            whose=OCCASIONS[arisen.occasion].capitalize(),
            words=f"a Reaction check of {names(state, arisen.whom)}?",
            look="trouble",
            buttons=[button for button in buttons if button.whom == arisen.occasion],
            about=OCCASIONS[arisen.occasion],
        )
    for place, outcome in enumerate(state.outcomes):
        yield Row(whose="" if place else "At the end of this turn", words=outcome_words(state, outcome))


def _declared(state: Event, participant: Participant) -> str:
    """Return words such as "two attacks (2 actions, 4 m, against the guard)"."""
    if not participant.words:
        return ""
    more = ["1 action" if participant.actions == 1 else f"{participant.actions} actions"]
    more += [f"{participant.moves} m"] if participant.moves else []
    more += [f"against {names(state, participant.against)}"] if participant.against else []
    return f"{participant.words} ({', '.join(more)})"


def _state_words(state: Event, participant: Participant) -> Iterator[str]:
    if participant.begun is Begun.GOES_ON:
        yield "surprised, goes on with what was begun"
    elif participant.mind is Mind.SURPRISED:
        yield UNAWARE
    elif participant.mind is not Mind.AWARE:
        yield participant.mind.value
    elif state.lost(participant.key):
        yield "has lost this turn"
    elif participant.status is Status.DONE and not participant.words:
        yield "does nothing in this turn"
    elif participant.status in STATUS:
        yield STATUS[participant.status]
    for check in state.checks:
        if check.key == participant.key:
            yield _check_words(participant, check.occasion, held=check.held)


def _check_words(participant: Participant, occasion: str, *, held: bool | None) -> str:
    called = f"Reaction check ({OCCASIONS[occasion]})"
    if held is None:
        return f"{called}, succeeds with {participant.som} in {SCORES[1]}" if participant.som else called
    return f"{called} {'succeeded' if held else 'failed'}"


def _reach(participant: Participant) -> str:
    """Return words such as "6 m, medium burden"."""
    if participant.reach is None or participant.burden is None:
        return ""
    if participant.burden is Burden.IMMOBILE:
        return "immobile under a load"
    metres = f"{participant.reach / CENTIMETRES:g} m"
    if participant.burden is Burden.NONE:
        return metres
    return (
        f"{metres}, {'overloaded' if participant.burden is Burden.OVERLOADED else f'{participant.burden.value} burden'}"
    )


def outcome_words(state: Event, outcome: Outcome) -> str:
    """Return words such as "the net falls; Silas: SOM −2, unconscious"."""
    more = [f"SOM {signed(outcome.som)}"] if outcome.som else []
    more += [outcome.becomes.value] if outcome.becomes else []
    whom = names(state, (outcome.whom,))
    more += [SEEN_BY_GM] if whom and not (outcome.words or more) else []
    concerning = f"{whom}: {', '.join(more)}" if more and whom else whom
    return "; ".join(filter(None, (outcome.words, concerning)))


# The log


def said(state: Event, name: str, whom: str) -> str:
    """Return the sentence of the log, for the state after the act, with the dice of those who were equal."""
    sentence = _sentence(state, name, whom)
    groups = "; ".join(" against ".join(f"{die.name} {die.face}" for die in tie.fell) for tie in state.ties)
    return f"{sentence}. Equals, each with a d10: {groups}" if groups else sentence


def _sentence(state: Event, name: str, whom: str) -> str:
    participant = next((participant for participant in state.participants if participant.name == whom), None)
    declared = _declared(state, participant) if participant else ""
    sentences = {
        OPEN: f"begins an event in turns. {_turn(state)}: {_order(state)}",
        acts.DECLARE: f"declares for {whom}: {declared}{_then(state, participant)}",
        acts.GO_ON: f"lets {whom} go on, surprised: {declared}",
        acts.DROP: f"lets {whom}, surprised, drop what was begun",
        acts.DONE: f"ends the action of {whom}: {_next(state)}",
        acts.WAIT: f"lets {whom} do nothing: {_next(state)}",
        acts.HOLD: f"holds {whom} back: {_next(state)}",
        acts.SKIP: f"skips {whom}: {_next(state)}",
        RESOLVE: "",  # the check that it leads to is told
        acts.COME_IN: f"lets {whom} come in",
        acts.WAIVE: f"lets the Reaction check of {whom} go",
        acts.NO_CHECK: "asks for no Reaction check",
        acts.JOIN: f"lets others come: {_order(state)}",
        acts.CHANGE: _changed(state, participant, whom),
        acts.TURN: f"{_ended(state)}. {_turn(state)}: {_order(state)}",
        REREAD: f"changes who declares when: {_order(state)}" if state.resorted or state.ties else "",
    }
    if name in (acts.REACT, acts.CHECK):
        return f"asks for a Reaction check: {_checks(state)}"
    if name == acts.OUTCOME and state.outcomes:
        return f"notes what comes of it at the end of the turn: {outcome_words(state, state.outcomes[-1])}"
    return sentences.get(name, f"{_turn(state)}: {_next(state)}")


def _then(state: Event, participant: Participant | None) -> str:
    """Return what follows on a declaration that is carried out by it."""
    return (
        f". {_next(state)[:1].upper()}{_next(state)[1:]}" if participant and participant.status is Status.DONE else ""
    )


def _turn(state: Event) -> str:
    begin, end = state.seconds
    return f"Turn {state.turn}, second {begin} to {end}"


def _next(state: Event) -> str:
    now = state.current
    if now is None:
        return "all have acted, hold or wait"
    return f"{now.name} is to {'act' if now.status is Status.DECLARED else 'declare'}"


def _order(state: Event) -> str:
    declare = [participant.name for participant in state.participants if state.takes_part(participant)]
    waits = [participant.name for participant in state.participants if not state.takes_part(participant)]
    order = ", ".join(declare) or "nobody declares"
    return f"{order}; not before the next turn: {', '.join(waits)}" if waits else order


def _ended(state: Event) -> str:
    landed = ". ".join(outcome_words(state, outcome) for outcome in state.landed)
    return f"ends turn {state.turn - 1}, and it lands: {landed}" if landed else f"ends turn {state.turn - 1}"


def _checks(state: Event) -> str:
    """Return the checks that were asked for last, and who succeeds without a die."""
    names_by_key = {participant.key: participant.name for participant in state.participants}
    if not state.checks:
        return "nobody is there to react"
    last = [check for check in state.checks if check.occasion == state.checks[-1].occasion]
    sure = [names_by_key[check.key] for check in last if check.made and check.held]
    words = f"{', '.join(names_by_key[check.key] for check in last)} ({OCCASIONS[last[0].occasion]})"
    return f"{words}. With a SOM of {SCORES[1]} it always succeeds: {', '.join(sure)}" if sure else words


def _changed(state: Event, participant: Participant | None, whom: str) -> str:
    if participant is None:
        return f"takes {whom} out of it: {_next(state)}"
    if participant.mind is Mind.SURPRISED:
        return f"lets {whom} come to" if participant.begun is Begun.DROPPED else f"says that {whom} is surprised"
    if participant.mind is not Mind.AWARE:
        return f"says that {whom} is {participant.mind.value}: {_next(state)}"
    return f"moves {whom}: {_order(state)}"
