"""The acts of an event in turns, and their results (arc.txt, V.1, V.5 to V.7).

Players declare and act for their own, GMs for everyone; a GM says who joins, checks and falls, may hold, skip and move
a participant, and ends the turn once all have had theirs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from characters.reasons import Reason
from characters.sheets.fields import SheetError
from characters.sheets.sheet import Values as SheetValues
from characters.sheets.steps import Put, Shift
from languages.text import gettext as _
from languages.text import gettext_lazy, ngettext
from rules.acts import act, player_of
from rules.dice import Dice, Faces
from rules.effects import StepResult, Write
from rules.errors import BlockedByState, NotPossible, whole, word
from rules.procedures import Act, Answer, Asked, Parties, ProcedureRules, RollPart, Snapshot, Values
from rulesets.arc import sheet as arc
from rulesets.arc.rules import tracker as checks
from rulesets.arc.rules import tracker as order
from rulesets.arc.rules.body import IMMOBILE, Size, load, movement
from rulesets.arc.rules.check import actions_in_turn
from rulesets.arc.rules.tracker import (
    AMBUSHED,
    CHECK_KIND,
    LONGEST_NAME,
    MOST_PARTICIPANTS,
    Begun,
    Event,
    Mind,
    Move,
    Outcome,
    Participant,
    Side,
    Status,
    attacks,
    checked,
    losses,
    may_resolve,
    ordered,
    resolved,
    shaken,
    waived,
    won,
)
from rulesets.arc.settings import DEFAULTS, SCORES, Burden, Settings

# The outcomes of a turn, which land at its end (arc.txt, V.1).


TURN_ENDS: Final = Reason("arc_turn", gettext_lazy("the end of a turn"))
MOST_OUTCOMES: Final = 40
LARGEST_SHIFT: Final = 9


def note(state: Event, values: Values) -> Event:
    """Note an outcome. `values` are the fields of an Outcome without its number. Raises a RuleError for one that says nothing."""
    if len(state.outcomes) >= MOST_OUTCOMES:
        message = _("At most {most} outcomes can be noted in a turn.").format(most=MOST_OUTCOMES)
        raise NotPossible("words", None, allowed=f"up to {MOST_OUTCOMES}", message=message)
    shift = whole("som", values["som"] or 0, -LARGEST_SHIFT, LARGEST_SHIFT)
    becomes = Mind(values["becomes"]) if values["becomes"] else None
    if values["whom"]:
        state.found(values["whom"])
    elif shift or becomes:
        raise NotPossible("whom", "", allowed="somebody who takes part", message=_("Choose who it affects."))
    if not values["words"] and not shift and not becomes:
        raise NotPossible("words", "", allowed="some words", message=_("Describe the outcome."))
    number = state.asked + 1
    noted = Outcome(number=number, words=values["words"], whom=values["whom"], som=shift, becomes=becomes)
    return replace(state, outcomes=(*state.outcomes, noted), asked=number, words=values["words"])


def next_turn(state: Event) -> StepResult[Event]:
    """End the turn: apply its outcomes, make the surprised aware, and give all a turn again."""
    landed, effects = _landed(state)
    fresh: dict[str, Any] = {
        "status": Status.TO_ACT,
        "words": "",
        "actions": 0,
        "moves": 0,
        "against": (),
        "begun": None,
        "skills": (),
        "checked": 0,
        "defences": 0,
        "defended": 0,
    }
    for participant in landed.participants:
        mind = Mind.AWARE if participant.mind is Mind.SURPRISED else participant.mind
        landed = landed.put(participant.key, mind=mind, **fresh)
    begun = replace(
        landed,
        turn=state.turn + 1,
        moves=(),
        checks=(),
        arisen=(),
        landed=state.outcomes,
        outcomes=(),
        won=(),
    )
    return StepResult(ordered(checks.losses(state, begun)), effects)


def _landed(state: Event) -> tuple[Event, list[Write]]:
    """Apply this turn's outcomes to those they are about; the SOM of a character is written on the sheet."""
    effects: list[Write] = []
    for outcome in state.outcomes:
        if not outcome.whom:
            continue
        participant = state.found(outcome.whom)
        if outcome.becomes:
            state = state.put(participant.key, mind=outcome.becomes)
        if outcome.som and participant.character:
            effects.append(Write(character=participant.character, steps=(Shift("som", outcome.som),), why=TURN_ENDS))
        elif outcome.som:
            lowest, highest = SCORES
            state = state.put(participant.key, som=min(highest, max(lowest, (participant.som or lowest) + outcome.som)))
    return state, effects


def settled(state: Event, check: str) -> Event:
    """Return the event without a won check, of which it is said what comes of it."""
    return replace(state, won=tuple(won for won in state.won if won.check != check))


# The participants of an event in turns: what their sheets say, or what was typed for the nameless (arc.txt, V.2 to V.4, V.6).


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


def of_sheet(values: SheetValues, settings: Settings) -> dict[str, Any]:
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
    now = won(attacks(now, seen.open.get(CHECK_KIND, ())), seen)
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
        return start(given)

    def take(self, state: Event, step: Act) -> StepResult[Event]:
        """Take a step; the last one's news is cleared, and changes of mind are written on the sheets."""
        after = super().take(replace(state, ties=(), landed=(), resorted=False, words=""), step)
        return StepResult(after.state, (*after.effects, *marks(state, after.state)))

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
        return join(state, step.values["those"], step.values.get("ambush", ""))

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
        return reads(state, seen)

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
