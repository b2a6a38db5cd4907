"""The participants of an event in turns: what their sheets say, or what was typed for the nameless (arc.txt, V.2 to V.4, V.6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from characters.reasons import Reason
from characters.sheets.fields import SheetError
from characters.sheets.sheet import Values
from characters.sheets.steps import Put
from languages.text import gettext as _
from languages.text import gettext_lazy
from rules.effects import StepResult, Write
from rules.errors import NotPossible, whole, word
from rules.procedures import Snapshot
from rulesets.arc import sheet as arc
from rulesets.arc.rules.body import Size, load, movement
from rulesets.arc.rules.tracker import (
    LONGEST_NAME,
    MOST_PARTICIPANTS,
    Begun,
    Event,
    Mind,
    Participant,
    Side,
    Status,
    ordered,
)
from rulesets.arc.rules.tracker_checks import AMBUSHED, CHECK, attacks, checked, losses, shaken, waived, won
from rulesets.arc.rules.turn import actions_in_turn
from rulesets.arc.settings import DEFAULTS, SCORES, Burden, Settings

PERCEPTION: Final = "perception"
WITHOUT_PERCEPTION: Final = 1
"""The Perception of those without the skill, the least there is: our decision."""

CENTIMETRES: Final = 100
UNCONSCIOUS: Final = "unconscious"
"""The field of the sheet."""

EVENT: Final = Reason("arc_event", gettext_lazy("an event in turns"))


def start(given: Mapping[str, Any]) -> StepResult[Event]:
    """Begin with `given`: `those` who take part and `ambush` (see `join`), `apart`, and the `settings`.

    Raises a RuleError for nobody, too many, two with one name or character, and impossible figures.
    """
    settings: Settings = given["settings"]
    state = Event(apart=given["apart"], roll_again=settings.equal_dice_roll_again)
    if not given["those"]:
        message = _("Choose the characters who take part, or add someone by name.")
        raise NotPossible("takes_part", None, allowed="1 or more", message=message)
    begun = join(state, given["those"], given.get("ambush", ""), Status.TO_ACT)
    return StepResult(begun, marks(state, begun))


def join(
    state: Event, people: Sequence[Mapping[str, Any]], ambush: str = "", status: Status = Status.ARRIVING
) -> Event:
    """Add participants: each the fields of a Participant without its key. Those `ambushed`, and all of a Side met by an
    `ambush`, act at once only if a Reaction check succeeds.

    If some arrive surprised, the others of their side may have to check as well. Raises what `start` raises.
    """
    if not people:
        raise NotPossible("takes_part", None, allowed="1 or more", message=_("Choose who joins."))
    met = {word("ambush", ambush, Side)} if ambush else set()
    come, startled = [], set()
    for newcomer in people:
        fields = dict(newcomer)
        come.append(str(state.number + 1))
        if fields.pop("ambushed", False):
            startled.add(come[-1])
        state = _joined(state, Participant(**fields, key=come[-1], status=status))
    state = ordered(state)
    startled |= {participant.key for participant in state.participants if participant.side in met}
    return shaken(checked(state, AMBUSHED, sorted(startled, key=int)), come)


def _joined(state: Event, participant: Participant) -> Event:
    if len(state.participants) >= MOST_PARTICIPANTS:
        message = _("At most {most} can take part at once.").format(most=MOST_PARTICIPANTS)
        raise NotPossible("takes_part", None, allowed=f"up to {MOST_PARTICIPANTS}", message=message)
    if not 1 <= len(participant.name) <= LONGEST_NAME:
        message = _("A name has 1 to {most} letters.").format(most=LONGEST_NAME)
        raise NotPossible("name", participant.name, allowed=f"1 to {LONGEST_NAME} letters", message=message)
    if any(
        participant.name == other.name or (participant.character and participant.character == other.character)
        for other in state.participants
    ):
        message = _("{name} is already taking part. Give everyone a different name.").format(name=participant.name)
        raise NotPossible("name", participant.name, allowed="different names", message=message)
    for field in ("som", "empathy", "perception"):
        whole(field, getattr(participant, field), *SCORES)
    word("mind", participant.mind, Mind)
    word("side", participant.side, Side)
    return replace(state, participants=(*state.participants, participant), number=state.number + 1)


def nameless(
    name: str,
    *,
    som: int,
    empathy: int,
    perception: int,
    es: int,
    control: int,
    size: str,
    burden: str,
    settings: Settings = DEFAULTS,
) -> dict[str, Any]:
    """Return the fields of a participant without a sheet: scores and ES from 1 to 10, a Size, a Burden. Raises a RuleError."""
    borne = word("burden", burden, Burden)
    moved = movement(control, size=word("size", size, Size), burden=borne, settings=settings)
    return {
        "name": name,
        "som": whole("som", som, *SCORES),
        "empathy": whole("empathy", empathy, *SCORES),
        "perception": whole("perception", perception, *SCORES),
        "most": actions_in_turn([es], settings),
        "size": Size(size),
        "reach": int(moved.metres * CENTIMETRES),
        "burden": borne,
    }


def of_sheet(values: Values, settings: Settings) -> dict[str, Any]:
    """Return the fields of a participant from a sheet; none of them is for GMs alone."""
    body = arc.body(values)
    size = Size(body.size)
    borne = load(body.build, body.kilograms, clothing=body.clothing, size=size, settings=settings)
    moved = movement(body.control, base=body.base, size=size, burden=borne.burden, settings=settings)
    try:
        perception = arc.skill(values, PERCEPTION)
    except SheetError:
        perception = WITHOUT_PERCEPTION
    return {
        "som": arc.SHEET.number(values, "som"),
        "empathy": arc.SHEET.number(values, "empathy"),
        "perception": perception,
        "reach": int(moved.metres * CENTIMETRES),
        "burden": borne.burden,
    }


def marks(before: Event, after: Event) -> list[Write]:
    """Return the sheet steps that mark a character unconscious or awake again."""
    was = {participant.key for participant in before.participants if participant.mind is Mind.UNCONSCIOUS}
    return [
        Write(
            character=participant.character, steps=(Put(UNCONSCIOUS, participant.mind is Mind.UNCONSCIOUS),), why=EVENT
        )
        for participant in after.participants
        if participant.character and (participant.key in was) is not (participant.mind is Mind.UNCONSCIOUS)
    ]


def reads(state: Event, seen: Snapshot) -> Event:
    """Return the event by the sheets as they are now: a changed SOM has another place, who is not in play any more has left, and
    who is unconscious by the sheet, or has died, is so here. An opposed check in a fight that is asked for now is an attack."""
    settings = seen.settings or DEFAULTS
    known = {*seen.sheets, *seen.dead}
    gone = [
        participant.key
        for participant in state.participants
        if participant.character and participant.character not in known
    ]
    now = replace(state.without(gone), roll_again=settings.equal_dice_roll_again)
    now = won(attacks(now, seen.open.get(CHECK, ())), seen)
    for participant in now.participants:
        if participant.character in seen.dead and participant.mind is not Mind.DEAD:
            now = waived(now.put(participant.key, mind=Mind.DEAD, begun=None, against=()), participant.key)
        elif participant.character and (sheet := seen.sheets.get(participant.character)):
            now = now.put(participant.key, name=sheet.name[:LONGEST_NAME], **of_sheet(sheet.values, settings))
            now = _awake(now, participant, down=bool(arc.SHEET.value(sheet.values, UNCONSCIOUS)))
    if now == state:
        return state
    anew = ordered(losses(state, replace(now, ties=())))
    left = [participant.key for participant in state.participants if participant.key not in gone]
    return replace(anew, resorted=bool(gone) or [participant.key for participant in anew.participants] != left)


def _awake(state: Event, participant: Participant, *, down: bool) -> Event:
    """Return the event with a participant unconscious or not, by their sheet; who wakes up acts from the next turn on
    (arc.txt, V.6).
    """
    if down and not participant.mind.is_down:
        return waived(state.put(participant.key, mind=Mind.UNCONSCIOUS, begun=None, against=()), participant.key)
    if not down and participant.mind is Mind.UNCONSCIOUS:
        return state.put(participant.key, mind=Mind.SURPRISED, begun=Begun.DROPPED)
    return state
