"""The words of an event in turns: its card, its buttons, and the sentences of the log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.text import signed
from languages.text import gettext_lazy, pgettext_lazy
from rolls.stage import Row, Staged, Turn
from rules.procedures import OPEN, REREAD, Button, Values
from rulesets.arc.rules import tracker_acts as acts
from rulesets.arc.rules.tracker import OCCASIONS, RESOLVE, Begun, Event, Mind, Outcome, Participant, Status, names
from rulesets.arc.rules.tracker_acts import CENTIMETRES
from rulesets.arc.settings import SCORES, Burden

BUTTONS: Final = {
    acts.DECLARE: gettext_lazy("Declare"),
    acts.DONE: pgettext_lazy("an action", "Done"),
    acts.WAIT: gettext_lazy("Do nothing"),
    acts.COME_IN: gettext_lazy("Come in now"),
    RESOLVE: pgettext_lazy("verb", "Check"),
    acts.GO_ON: gettext_lazy("Carry on"),
    acts.DROP: gettext_lazy("Drop it"),
    acts.HOLD: pgettext_lazy("an action", "Hold"),
    acts.SKIP: gettext_lazy("Skip"),
    acts.CHANGE: gettext_lazy("Change"),
    acts.WAIVE: gettext_lazy("No check"),
    acts.CHECK: gettext_lazy("They check"),
    acts.NO_CHECK: gettext_lazy("No check"),
    acts.JOIN: gettext_lazy("Add newcomers"),
    acts.REACT: gettext_lazy("Reaction check"),
    acts.OUTCOME: gettext_lazy("Add outcome"),
    acts.LAND: gettext_lazy("Add outcome"),
    acts.NOTHING: gettext_lazy("Nothing comes of it"),
    acts.TURN: gettext_lazy("Next turn"),
}
STATUS: Final = {
    Status.HOLDING: gettext_lazy("holding"),
    Status.COMING_IN: gettext_lazy("coming in now"),
    Status.DONE: gettext_lazy("has acted"),
    Status.SKIPPED: gettext_lazy("skipped this turn"),
    Status.NEXT_TURN: gettext_lazy("acts from next turn"),
}
MINDS: Final = {Mind.UNCONSCIOUS: gettext_lazy("unconscious"), Mind.DEAD: gettext_lazy("dead")}
BURDENS: Final = {
    Burden.LIGHT: gettext_lazy("light burden"),
    Burden.MEDIUM: gettext_lazy("medium burden"),
    Burden.HEAVY: gettext_lazy("heavy burden"),
    Burden.OVERLOADED: gettext_lazy("overloaded"),
}


def describe(state: Event, buttons: Sequence[Button]) -> Values:
    """Return the `staged` card, and the `participants` in order, whom its forms ask about."""
    begin, end = state.seconds
    above = (
        _("Turn {number} · seconds {begin} to {end} · everyone declares, then everyone acts")
        if state.apart
        else _("Turn {number} · seconds {begin} to {end}")
    )
    return {
        "staged": Staged(
            above=above.format(number=state.turn, begin=begin, end=end),
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
    scores = _("State of mind {som}, Empathy {empathy}, Perception {perception}").format(
        som=participant.som, empathy=participant.empathy, perception=participant.perception
    )
    figures = [scores] if participant.som else []
    figures += [_("d10: {faces}").format(faces=", ".join(map(str, participant.rolls)))] if participant.rolls else []
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
    """Yield the occasions of Reaction checks that have arisen, then the outcomes at the end of this turn."""
    for arisen in state.arisen:
        yield Row(
            whose=capfirst(str(OCCASIONS[arisen.occasion])),
            words=_("Reaction check for {names}?").format(names=names(state, arisen.whom)),
            look="trouble",
            buttons=[button for button in buttons if button.whom == arisen.occasion],
            about=str(OCCASIONS[arisen.occasion]),
        )
    for won in state.won:
        against = names(state, (won.whom,))
        words = _("succeeded against {name}. What happens at the end of the turn?") if against else ""
        yield Row(
            whose=won.name,
            words=words.format(name=against) or _("succeeded. What happens at the end of the turn?"),
            buttons=[button for button in buttons if button.whom == won.check],
        )
    for place, outcome in enumerate(state.outcomes):
        yield Row(whose="" if place else _("At the end of this turn"), words=outcome_words(state, outcome))


def _declared(state: Event, participant: Participant) -> str:
    """Return words such as "two attacks (2 actions, 4 m, against the guard)"."""
    if not participant.words:
        return ""
    more = [ngettext("{count} action", "{count} actions", participant.actions).format(count=participant.actions)]
    if participant.defences:
        left = participant.defences - participant.defended
        words = ngettext("{left} of {count} defence left", "{left} of {count} defences left", participant.defences)
        more.append(words.format(left=left, count=participant.defences))
    more += [f"{participant.moves} m"] if participant.moves else []
    more += [_("against {name}").format(name=names(state, participant.against))] if participant.against else []
    return f"{participant.words} ({', '.join(more)})"


def _state_words(state: Event, participant: Participant) -> Iterator[str]:
    if participant.begun is Begun.GOES_ON:
        yield _("surprised, carrying on with what they began")
    elif participant.mind is Mind.SURPRISED:
        yield _("surprised, acts from next turn")
    elif participant.mind is not Mind.AWARE:
        yield str(MINDS[participant.mind])
    elif state.lost(participant.key):
        yield _("lost this turn")
    elif participant.status is Status.DONE and not participant.words:
        yield _("does nothing this turn")
    elif participant.status in STATUS:
        yield str(STATUS[participant.status])
    for check in state.checks:
        if check.key == participant.key:
            yield _check_words(participant, check.occasion, held=check.held)


def _check_words(participant: Participant, occasion: str, *, held: bool | None) -> str:
    if held is not None:
        words = _("Reaction check ({occasion}): success") if held else _("Reaction check ({occasion}): failure")
    elif participant.som:
        words = _("Reaction check ({occasion}): {chances} in {all} to succeed")
    else:
        words = _("Reaction check ({occasion})")
    return words.format(occasion=OCCASIONS[occasion], chances=participant.som, all=SCORES[1])


def _reach(participant: Participant) -> str:
    """Return words such as "6 m, medium burden"."""
    if participant.reach is None or participant.burden is None:
        return ""
    if participant.burden is Burden.IMMOBILE:
        return _("immobile: carrying too much")
    metres = f"{participant.reach / CENTIMETRES:g} m"
    if participant.burden is Burden.NONE:
        return metres
    return f"{metres}, {BURDENS[participant.burden]}"


def outcome_words(state: Event, outcome: Outcome) -> str:
    """Return words such as "the net falls; Silas: state of mind −2, unconscious"."""
    more = [_("state of mind {change}").format(change=signed(outcome.som))] if outcome.som else []
    more += [str(MINDS[outcome.becomes])] if outcome.becomes else []
    whom = names(state, (outcome.whom,))
    more += [_("only the GM sees how")] if whom and not (outcome.words or more) else []
    concerning = f"{whom}: {', '.join(more)}" if more and whom else whom
    return "; ".join(filter(None, (outcome.words, concerning)))


# The log


def said(state: Event, name: str, whom: str) -> str:
    """Return the sentences of the log, for the state after the act, with the dice of those who were equal."""
    sentence = _sentence(state, name, whom)
    groups = "; ".join(", ".join(f"{die.name} {die.face}" for die in tie.fell) for tie in state.ties)
    ties = _("Ties, a d10 each: {groups}.").format(groups=groups) if groups else ""
    return " ".join(filter(None, (sentence, ties)))


def _sentence(state: Event, name: str, whom: str) -> str:
    participant = next((participant for participant in state.participants if participant.name == whom), None)
    about = {"name": whom, "next": _next(state), "turn": _turn(state), "order": _order(state)}
    about["action"] = _declared(state, participant) if participant else ""
    if name == acts.DECLARE and participant and participant.status is Status.DONE:
        return _("{name} declared: {action}. {next}").format(**about)  # it was carried out by that
    if name == acts.CHANGE:
        return _changed(participant).format(**about)
    if name == acts.TURN:
        return " ".join((_ended(state), _("{turn}: {order}.").format(**about)))
    if name in (acts.REACT, acts.CHECK):
        return _checks(state)
    if name in (acts.OUTCOME, acts.LAND) and state.outcomes:
        return _("Noted for the end of the turn: {outcome}.").format(outcome=outcome_words(state, state.outcomes[-1]))
    if name == REREAD and not (state.resorted or state.ties):
        return ""
    sentences = {
        OPEN: _("An event in turns began. {turn}: {order}."),
        acts.DECLARE: _("{name} declared: {action}."),
        acts.GO_ON: _("{name}, surprised, carried on: {action}."),
        acts.DROP: _("{name}, surprised, dropped what they had begun."),
        acts.DONE: _("{name} finished acting. {next}"),
        acts.WAIT: _("{name} did nothing. {next}"),
        acts.HOLD: _("{name} held back. {next}"),
        acts.SKIP: _("{name} was skipped. {next}"),
        acts.NOTHING: "",
        RESOLVE: "",  # the check that it leads to is told
        acts.COME_IN: _("{name} came in."),
        acts.WAIVE: _("{name} needed no Reaction check."),
        acts.NO_CHECK: _("No Reaction check was needed."),
        acts.JOIN: _("Newcomers joined. The order: {order}."),
        REREAD: _("The order changed: {order}."),
    }
    return sentences.get(name, "{turn}. {next}").format(**about)


def _turn(state: Event) -> str:
    begin, end = state.seconds
    return _("Turn {number} (seconds {begin} to {end})").format(number=state.turn, begin=begin, end=end)


def _next(state: Event) -> str:
    now = state.current
    if now is None:
        return _("Everyone has acted, is holding or is waiting.")
    words = _("{name} acts next.") if now.status is Status.DECLARED else _("{name} declares next.")
    return words.format(name=now.name)


def _order(state: Event) -> str:
    declare = [participant.name for participant in state.participants if state.takes_part(participant)]
    waits = [participant.name for participant in state.participants if not state.takes_part(participant)]
    order = ", ".join(declare) or _("no one declares")
    return _("{order}; from next turn: {names}").format(order=order, names=", ".join(waits)) if waits else order


def _ended(state: Event) -> str:
    landed = ". ".join(outcome_words(state, outcome) for outcome in state.landed)
    words = _("Turn {number} ended: {outcomes}.") if landed else _("Turn {number} ended.")
    return words.format(number=state.turn - 1, outcomes=landed)


def _checks(state: Event) -> str:
    """Return the checks that were asked for last, and who succeeds without a die."""
    names_by_key = {participant.key: participant.name for participant in state.participants}
    if not state.checks:
        return _("No one was there to react.")
    last = [check for check in state.checks if check.occasion == state.checks[-1].occasion]
    asked = _("Reaction check for {names} ({occasion}).").format(
        names=", ".join(names_by_key[check.key] for check in last), occasion=OCCASIONS[last[0].occasion]
    )
    sure = [names_by_key[check.key] for check in last if check.made and check.held]
    if not sure:
        return asked
    always = _("Success without a roll, with a state of mind of {highest}: {names}.")
    return f"{asked} {always.format(highest=SCORES[1], names=', '.join(sure))}"


def _changed(participant: Participant | None) -> str:
    """Return the sentence about a participant whose place or state of mind has changed, with its placeholders."""
    if participant is None:
        return _("{name} left. {next}")
    if participant.mind is Mind.SURPRISED:
        return _("{name} came to.") if participant.begun is Begun.DROPPED else _("{name} was surprised.")
    if participant.mind is Mind.UNCONSCIOUS:
        return _("{name} fell unconscious. {next}")
    if participant.mind is Mind.DEAD:
        return _("{name} died. {next}")
    return _("{name} changed places. The order: {order}.")
