"""Reaction checks in an event in turns: who has to roll one, on what occasion, and what it costs (arc.txt, V.5).

Players roll for their own characters; for others the procedure does. With the highest SOM a player rolls nothing, since
it always succeeds; for an NPC the die falls all the same, or its absence would betray the SOM. Who fails loses this turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from languages.text import gettext as _
from rules.effects import Begin, StepResult
from rules.errors import NotPossible
from rules.procedures import Act, Answer, RollPart, Snapshot
from rulesets.arc.rules import check_steps
from rulesets.arc.rules.body import Size
from rulesets.arc.rules.check import mood
from rulesets.arc.rules.check_steps import TableCheck
from rulesets.arc.rules.tracker import Arisen, Begun, Check, Event, Mind, Participant, Side, Skill, Status, Won, ordered
from rulesets.arc.rules.turn import COMBAT_OCCASIONS, OTHER_OCCASIONS
from rulesets.arc.settings import DEFAULTS, SCORES

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
CHECK: Final = "check"
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
    settings = seen.settings or DEFAULTS
    given: dict[str, Any] = {
        "sides": tuple(sides),
        "moods": tuple(mood(one.som) if one.played else "" for one in (participant, target) if one is not None),
        "opposed": target is not None,
        "fight": target is not None and target.side is not participant.side,
        "announced": not step.by.is_gm,
        "thresholds": settings.thresholds,
        "sizes_count": settings.sizes_count,
    }
    return StepResult(state.put(participant.key, checked=participant.checked + 1), [Begin(kind=CHECK, given=given)])


def _defends_with(participant: Participant) -> Skill | None:
    """Return the skill of a declared defence: the last ones named are those kept to defend."""
    left = participant.defended < participant.defences
    return participant.skills[-1] if left and participant.skills else None


def _side(participant: Participant, seen: Snapshot, with_it: Skill | None = None) -> check_steps.Side:
    sheet = seen.sheets.get(participant.character or "")
    size = Size(sheet.values.get("size", Size.MEDIUM)) if sheet else participant.size or Size.MEDIUM
    named = {"stat": with_it.stat, "skill": with_it.skill} if with_it else {}
    return check_steps.Side(name=participant.name, character=participant.character, size=size, **named)


def attacks(state: Event, open_checks: Iterable[tuple[str, TableCheck]]) -> Event:
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
    again = {which for which, _check in seen.open.get(CHECK, ())}
    state = replace(state, won=tuple(won for won in state.won if won.check not in again))
    known = {won.check for won in state.won}
    for which, check in seen.ended.get(CHECK, ()):
        by = _there(state, check.sides[0])
        if which in known or by is None or check.sides[0].result != check_steps.SUCCESS:
            continue
        on = _there(state, check.sides[1]) if len(check.sides) > 1 else None
        state = replace(state, won=(*state.won, Won(check=which, name=by.name, whom=on.key if on else "")))
    return state


def _there(state: Event, side: check_steps.Side) -> Participant | None:
    """Return the participant that a side of a check is: by the character, nameless ones by name; None if it is none."""
    for participant in state.participants:
        if participant.character == side.character and (side.character is not None or participant.name == side.name):
            return participant
    return None
