"""The consequences of a staged action: the GM names them, and the characters hit take, resist, block with armour, or
leave them to a teammate (forged.txt, Consequences to Armor, Protect).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from campaigns.schema import Code, Name, Uid
from characters.reasons import Reason
from characters.sheets.steps import Add, Put, Shift, Step, Take
from languages.text import gettext as _
from languages.text import gettext_lazy
from rules import effects as outside
from rules.acts import Actor, act
from rules.effects import Begin, End, NewClock, Retire, StepResult, Tick, Write
from rules.effects import Effect as OutsideEffect
from rules.errors import Block, NotPossible, whole, word
from rules.procedures import Act, Answer, Parties, ProcedureRules, RollPart, Snapshot, Values
from rulesets.forged.rules.action import COMPLICATION_HEAT, COMPLICATION_TICKS, EFFECTS, PUSH_COST, Effect, Position
from rulesets.forged.rules.action_before import FULL_STRESS, affords, full_words, with_participant
from rulesets.forged.rules.action_state import (
    WORSE,
    Action,
    ActionStage,
    Benefit,
    Participant,
    Person,
    by_actor,
    refused,
)
from rulesets.forged.rules.body import Attribute
from rulesets.forged.rules.consequence import (
    EVERY,
    FATAL,
    FEWEST_SEGMENTS,
    HARMS,
    MOST_REDUCED,
    MOST_SEGMENTS,
    MOST_SIZE,
    POSITIONS_WON,
    SIZES,
    Fate,
    Inflicted,
    Kind,
    Resisting,
    harm_row,
    kind_of,
)
from rulesets.forged.rules.downtime import heat_steps
from rulesets.forged.rules.roll import Result, check_more

# A staged action once its dice have fallen: its result, its consequences, and what a set-up gives (forged.txt, Judge
# the Result, Lead a group action, Set up).


ACTED: Final = Reason("forged_action", gettext_lazy("an action"))
DESPERATE: Final = Reason("forged_desperate", gettext_lazy("a desperate action"), quiet=True)
"""Of the XP that the roll's card says."""
LED: Final = Reason("forged_led", gettext_lazy("leading a group action"))
BARGAIN: Final = Reason("forged_bargain", gettext_lazy("a Devil’s Bargain"))
SETUP: Final = "setup"
"""The kind of procedures that an action leads to."""


def to_roll(state: Action) -> Participant | None:
    """Return the one whose dice fall next: once all are ready, one after the other."""
    if state.stage is not ActionStage.SET or any(participant.waits for participant in state.participants):
        return None
    return next((participant for participant in state.participants if not participant.result), None)


def part_of(participant: Participant) -> RollPart:
    """Return the name of a participant's roll in the procedure; 18 characters."""
    return RollPart("roll", participant.character[:13])


def fell(state: Action, answer: Answer) -> StepResult[Action]:
    """Count one of the action's rolls: xp and gambits at once, and after the last one the result."""
    participant = next((participant for participant in state.participants if part_of(participant) == answer.part), None)
    if participant is None or participant.result:
        return StepResult(state)
    first, outcome = participant == state.participants[0], answer.outcome
    rolled = _by_quality(state, participant, outcome) if participant.cohort else outcome
    came = {"at": rolled["position"], **{name: rolled[name] for name in ("result", "effect", "ticks")}}
    state = with_participant(state, replace(participant, **came))
    effects = [*_marks(state, participant.character, outcome), *(_spent(state, outcome) if first else ())]
    if any(not participant.result for participant in state.participants):
        return StepResult(state, effects)
    judged = _judged(state)
    return StepResult(judged.state, [*effects, *judged.effects])


def _by_quality(state: Action, cohort: Participant, outcome: Mapping[str, Any]) -> dict[str, Any]:
    """Return the result of a cohort's dice, which are rolled with its quality instead of an action."""
    critical = outcome["result"] == Result.CRITICAL.name.lower()
    reached = state.built(cohort, critical=critical).level
    done = outcome["result"] != Result.BAD.name.lower()
    return {
        "result": outcome["result"],
        "position": state.in_position.value,
        "effect": state.built(cohort).level.effect.value,
        "ticks": reached.ticks if done else 0,
    }


def voided(state: Action, part: RollPart) -> Action:
    """Forget a voided roll; its player has to say again that they are ready."""
    blank: dict[str, Any] = {"result": "", "at": "", "effect": "", "ticks": 0, "ready": False}
    participants = tuple(
        replace(participant, **blank) if part_of(participant) == part else participant
        for participant in state.participants
    )
    return replace(state, participants=participants, stage=ActionStage.SET, resisting="")


def _marks(state: Action, character: str, outcome: Mapping[str, Any]) -> Iterator[outside.Effect]:
    if outcome.get("xp") and state.attribute:
        yield Write(character=character, steps=(Shift(f"{state.attribute}_xp", outcome["xp"]),), why=DESPERATE)


def _spent(state: Action, outcome: Mapping[str, Any]) -> Iterator[outside.Effect]:
    """Yield what uses up the tokens, the crew's gambit, and the coin and the item of a bargain."""
    yield from (End(procedure=token.id) for token in state.tokens if not token.stays)
    change = outcome.get("gambits", 0) - state.gambit
    if change and state.crew is not None:
        yield Write(character=state.crew.character, steps=(Shift("gambits", change),), why=ACTED)
    paid: list[Step] = [Shift("coin", -state.bargain_coin)] if state.bargained and state.bargain_coin else []
    if state.bargained and state.bargain_item in state.actor.items:
        paid.append(Take("items", state.bargain_item))
    if paid:
        yield Write(character=state.actor.character, steps=tuple(paid), why=BARGAIN)


def _judged(state: Action) -> StepResult[Action]:
    effects = list(_led(state)) if state.group else []
    controlled = state.best.at == Position.CONTROLLED
    if controlled and state.result in (Result.PARTIAL, Result.BAD):
        return StepResult(replace(state, stage=ActionStage.CHOICE), effects)
    if state.menu or state.owes:
        return StepResult(replace(state, stage=ActionStage.FOLLOWS), effects)
    done = advance(replace(state, stage=ActionStage.FOLLOWS, finished=True))
    return StepResult(done.state, [*effects, *done.effects])


def _led(state: Action) -> Iterator[outside.Effect]:
    """Yield the stress of the leader: 1 for each player character on 1-3, the leader among them, and for no cohort, as far as
    there is room."""
    stress = sum(participant.came is Result.BAD for participant in state.participants if not participant.cohort)
    if stress:
        shift = Shift("stress", stress, most=state.settings.boxes)
        yield Write(character=state.actor.character, steps=(shift,), why=LED)


def advance(state: Action) -> StepResult[Action]:
    """Tick the clock, and apply a set-up, once the GM has named all consequences and they are settled."""
    if not held(state) or (state.clock_gone and state.ticks):
        return StepResult(state)
    ticks = state.ticks
    effects = [Tick(clock=state.clock, ticks=ticks)] if state.clock and ticks else []
    came_off = state.setup and not state.withdrew and state.result is not Result.BAD
    return StepResult(replace(state, ticked=ticks, stage=ActionStage.SET_UP if came_off else ActionStage.DONE), effects)


def held(state: Action) -> bool:
    """Return whether everything is settled but the action's own ticks, which wait because their clock was archived."""
    return state.stage is ActionStage.FOLLOWS and state.finished and not state.open and not state.resisting


def worse_position(character: str, name: str, to: Position) -> Begin:
    return Begin(
        kind=SETUP,
        given={"character": character, "name": name, "gives": WORSE, "to": to.value, "by": "", "setter": None},
    )


def _grants(state: Action) -> Sequence[Effect]:
    """Return the effects that the GM may grant on a 1-3, up to the effect it could have had (forged.txt, Judge the Result)."""
    if state.stage is not ActionStage.FOLLOWS or state.finished or state.withdrew or state.result is not Result.BAD:
        return ()
    most = max(EFFECTS.index(Effect(participant.effect)) for participant in state.participants)
    return [effect for effect in EFFECTS[1 : most + 1] if effect.value != state.granted]


def _followed(state: Action) -> bool:
    others = [person for person in state.people if not person.out and person.character != state.actor.character]
    return state.stage is ActionStage.SET_UP and bool(others)


class AfterTheDice(ProcedureRules[Action]):
    """The acting player's decisions, and what the GM grants."""

    @act(by=by_actor, when=lambda state: state.stage is ActionStage.CHOICE)
    def press_on(self, state: Action, step: Act) -> StepResult[Action]:
        """Go through with a controlled action: on a 4/5 it is done at a minor price; on a 1-3 there is a risky opportunity."""
        if state.result is Result.PARTIAL:
            return StepResult(replace(state, stage=ActionStage.FOLLOWS))
        risky = worse_position(state.actor.character, state.actor.name, Position.RISKY)
        return StepResult(replace(state, stage=ActionStage.DONE), (risky,))

    @act(by=by_actor, when=lambda state: state.stage is ActionStage.CHOICE)
    def fall_back(self, state: Action, step: Act) -> Action:
        """Withdraw: nothing is done and nothing lost, but the price of a bargain is paid."""
        return replace(state, stage=ActionStage.FOLLOWS if state.owes else ActionStage.DONE, withdrew=True)

    @act(each=_grants)
    def grant(self, state: Action, step: Act, effect: Effect) -> Action:
        return replace(state, granted=effect.value)

    @act(by=by_actor, when=_followed, asks=True)
    def set_up(self, state: Action, step: Act) -> StepResult[Action]:
        """Choose what a set-up gives to whoever follows; several may (forged.txt, Set up)."""
        given = {"character": None, "name": "", "gives": Benefit(step.values["gives"]).value, "to": ""}
        token = Begin(kind=SETUP, given=given | {"by": state.actor.name, "setter": state.actor.character})
        return StepResult(replace(state, stage=ActionStage.DONE), [token])

    @act(by=by_actor, when=lambda state: state.stage is ActionStage.SET_UP)
    def nobody_follows(self, state: Action, step: Act) -> Action:
        return replace(state, stage=ActionStage.DONE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """A benefit or a worse position for a later action: for whom (`character`, `name`; None for whoever follows), what it
    `gives` (a Benefit, or `worse` with the position `to`), and whose set-up it is from.
    """

    character: Uid | None
    name: Name
    gives: Code
    to: Code = ""
    by: Name = ""
    setter: Uid | None = None
    gone: bool = False

    def __post_init__(self) -> None:
        if self.gives not in (*Benefit, WORSE) or (self.gives == WORSE) != (self.to in tuple(Position)):
            message = _("Choose effect, a better position or a worse one.")
            raise NotPossible("gives", self.gives, allowed="a benefit, or a position", message=message)

    def serves(self, character: str) -> bool:
        """Return whether it counts for this character's action; nobody follows up on their own set-up."""
        return self.setter != character if self.character is None else self.character == character


class CarriedRules(ProcedureRules[Carried]):
    """A GM says that the moment for it is past."""

    state = Carried

    @act(when=lambda state: not state.gone)
    def drop(self, state: Carried, step: Act) -> Carried:
        return replace(state, gone=True)

    def reads(self, state: Carried, seen: Snapshot) -> Carried:
        """Drop it for someone who has left play."""
        return replace(state, gone=state.gone or state.character not in (None, *seen.sheets))

    def at_scene_end(self, state: Carried) -> Carried:
        return replace(state, gone=True)

    def is_over(self, state: Carried) -> bool:
        return state.gone

    def parties(self, state: Carried) -> Parties:
        return {state.character: (state.name, state.character)} if state.character else {}


SUFFERED: Final = Reason("forged_consequence", gettext_lazy("a consequence"))
ARMOR: Final = Reason("forged_armor", gettext_lazy("armour"))
TAKEN, AVOIDED = "taken", "avoided"
TAKE_FATAL: Final = "take_fatal"
MOVE_TICKS: Final = "move_ticks"
MORE_DICE: Final = "more_dice"
RESIST: Final = "resist"
"""The part of the rolls that resist a consequence."""
PRICES: Final = (*SIZES, *HARMS)
"""The possible prices of a bargain in the rules' own terms, whatever the roll gives."""


def choices(state: Action) -> Sequence[str]:
    """Return the consequences that the GM may choose from now: those that position and result suggest, then all others; the
    prices of a bargain alone if nothing else follows (forged.txt, Consequences)."""
    every = EVERY if state.menu else PRICES if state.owes else ()
    return tuple(dict.fromkeys((*state.menu, *every)))


def _says(state: Action) -> bool:
    return state.stage is ActionStage.FOLLOWS and not state.finished


def clock_of(said: Values) -> dict[str, Any]:
    """Return the clock of a complication: an existing or a new one (forged.txt, Complication)."""
    segments, filled = said["segments"], said["filled"]
    if segments:
        whole("segments", segments, FEWEST_SEGMENTS, MOST_SEGMENTS)
        if not 0 <= filled < segments:
            raise refused("filled", _("The clock would start full. Leave at least one segment empty."))
    return {"clock": said["clock"], "clock_name": said["clock_name"], "segments": segments, "filled": filled}


def _hit(state: Action) -> list[str]:
    """Return those who rolled, and helpers, who may suffer the consequences (forged.txt, Assist)."""
    rolled = [participant.character for participant in state.participants if not participant.cohort]
    return [*rolled, *(participant.helper for participant in state.participants if participant.helper)]


def hit(state: Action) -> list[Person]:
    """Return the one who acts first, then all who rolled with them, then helpers."""
    return [state.person(character) for character in _hit(state)]


def _severity(state: Action, code: str, size: int, *, heat_rises: bool) -> int:
    """Return the size of a consequence, in the units of its kind: ticks and heat as said, or as usual for a `size` of 0."""
    if code in HARMS:
        return HARMS[code]
    if code not in SIZES:
        return 1
    if heat_rises and state.crew is None:
        raise refused("heat", _("There’s no crew to take the heat."))
    usual = (COMPLICATION_HEAT if heat_rises else COMPLICATION_TICKS)[SIZES[code]]
    if not (size or usual):
        raise refused("size", _("A minor complication usually brings no heat. Enter how much."))
    return whole("size", size, 0, MOST_SIZE) or usual


def _described(consequence: Inflicted) -> None:
    if consequence.kind is Kind.HARM and not consequence.words:
        raise refused("words", _("Say what the harm is."))
    if consequence.kind is Kind.COMPLICATION and not consequence.words and not consequence.clock:
        raise refused("words", _("Describe the complication, or choose a clock."))


def _open(state: Action) -> list[Inflicted]:
    """Return the consequences that can be met now; none while dice are to fall."""
    return [] if state.resisting or state.stage is not ActionStage.FOLLOWS else state.open


def _of_whom(state: Action, who: Actor, key: str, *box: str) -> bool:
    consequence = state.inflicted_as(key)
    return consequence is not None and who.plays(consequence.whom)


def _as_it_hits(state: Action, key: str, *more: str) -> tuple[Any, ...]:
    consequence = state.inflicted_as(key)
    return (consequence,) if consequence else ()


def _full(state: Action, key: str, *box: str) -> tuple[Block, str] | None:
    consequence = state.inflicted_as(key)
    person = state.person(consequence.whom) if consequence else None
    if person and person.full:
        return FULL_STRESS, full_words(person.name)
    return None


def row_of(state: Action, consequence: Inflicted) -> int:
    """Return the row that would take a harm now, 4 for none; 0 for other consequences, and for whom this action has killed or
    taken out already."""
    ended = any(other.fate and other.whom == consequence.whom for other in state.inflicted)
    if consequence.kind is not Kind.HARM or not consequence.severity or ended:
        return 0
    return harm_row(state.person(consequence.whom).rows, consequence.severity)


def _takeable(*, fatal: bool) -> Callable[[Action], list[str]]:
    """Return the consequences that can be taken at once: fatal ones are confirmed separately, and those with an
    archived clock wait for the GM.
    """

    def takeable(state: Action) -> list[str]:
        consequences = [consequence for consequence in _open(state) if not consequence.clock_gone]
        return [consequence.key for consequence in consequences if (row_of(state, consequence) == FATAL) is fatal]

    return takeable


def _resistible(state: Action) -> Iterator[str]:
    yield from (
        consequence.key
        for consequence in _open(state)
        if not consequence.resisted and not consequence.price and not state.person(consequence.whom).out
    )


def _armored(state: Action) -> Iterator[tuple[str, str]]:
    """Yield where armour may be marked; heavy armour is a second box of the first."""
    for consequence in _open(state):
        for box in () if consequence.price else state.person(consequence.whom).armor:
            yield consequence.key, box


def _protectable(state: Action) -> Iterator[tuple[str, str]]:
    """Yield who may step in for whom: once, and before the consequence is resisted (forged.txt, Protect)."""
    for consequence in _open(state):
        if not (consequence.resisted or consequence.marked or consequence.price or consequence.first):
            yield from (
                (consequence.key, p.character) for p in state.people if p.able and p.character != consequence.whom
            )


def _open_one(state: Action, key: str) -> Inflicted:
    return next(consequence for consequence in state.open if consequence.key == key)


def with_inflicted(state: Action, changed: Inflicted) -> Action:
    inflicted = tuple(changed if consequence.key == changed.key else consequence for consequence in state.inflicted)
    return replace(state, inflicted=inflicted, met=changed.key)


def resistance_fell(state: Action, answer: Answer) -> StepResult[Action]:
    """Reduce or avoid the consequence, whatever it cost; a trauma that follows comes at once."""
    consequence = state.inflicted_as(answer.part.of)
    if consequence is None or state.resisting != consequence.key:
        return StepResult(state)
    return _unless_avoided(replace(state, resisting=""), replace(consequence.lessened(consequence.by), resisted=True))


def _unless_avoided(state: Action, consequence: Inflicted) -> StepResult[Action]:
    return _settled(state, consequence) if consequence.severity == 0 else StepResult(with_inflicted(state, consequence))


def _settled(state: Action, consequence: Inflicted) -> StepResult[Action]:
    """Apply a consequence where it belongs."""
    recorded = replace(consequence, became=TAKEN if consequence.severity else AVOIDED)
    recorded = replace(recorded, row=row_of(state, consequence))
    after = advance(with_inflicted(state, recorded))
    return StepResult(after.state, [*_applied(state, recorded), *after.effects])


def _applied(state: Action, consequence: Inflicted) -> Iterator[OutsideEffect]:
    if not consequence.severity:
        return
    if consequence.kind is Kind.HARM and consequence.row == FATAL:
        yield Retire(character=consequence.whom, dead=consequence.fate == Fate.DEAD)
    elif consequence.kind is Kind.HARM and consequence.row:
        steps = (Add(f"harm_{consequence.row}", {"name": consequence.words}), Put("healing", 0))
        yield Write(character=consequence.whom, steps=steps, why=SUFFERED)
    elif consequence.kind is Kind.COMPLICATION and consequence.clock:
        if consequence.segments:
            yield NewClock(
                clock=consequence.clock,
                name=consequence.clock_name,
                segments=consequence.segments,
                kind="danger",
                filled=consequence.filled,
            )
        yield Tick(clock=consequence.clock, ticks=consequence.severity)
    elif consequence.kind is Kind.HEAT and state.crew is not None:
        rises = heat_steps(state.crew.heat, state.crew.wanted, consequence.severity)
        yield Write(character=state.crew.character, steps=rises, why=SUFFERED)
    elif consequence.kind is Kind.WORSE_POSITION:
        yield worse_position(consequence.whom, state.person(consequence.whom).name, POSITIONS_WON[consequence.code])


def _lost(state: Action) -> Iterator[tuple[str, ...]]:
    """Yield whose ticks have no clock any more: those of the action itself, or of a consequence by its key."""
    early = state.clock_gone and state.stage in (ActionStage.SET, ActionStage.CHOICE, ActionStage.FOLLOWS)
    if early or held(state):
        yield ()
    yield from ((consequence.key,) for consequence in state.open if consequence.clock_gone)


def _new(to: dict[str, object]) -> Iterator[OutsideEffect]:
    if to["segments"]:
        yield NewClock(
            clock=str(to["clock"]),
            name=str(to["clock_name"]),
            segments=int(str(to["segments"])),
            kind="progress",
            filled=int(str(to["filled"])),
        )


class Consequences(ProcedureRules[Action]):
    """The acts for consequences: the GM names them, and the characters hit answer them."""

    @act(when=lambda state: _says(state) and bool(choices(state)), asks=True)
    def inflict(self, state: Action, step: Act) -> StepResult[Action]:
        """Name a consequence; with `last` nothing else follows."""
        said = step.values
        code = said["code"]
        price = state.bargained and (bool(said["price"]) or not state.menu)
        if code not in (PRICES if price else choices(state)):
            raise refused("code", _("That can’t follow here. Choose another consequence."))
        word("attribute", said["attribute"], Attribute)
        whom = said["whom"] or state.actor.character
        if whom not in _hit(state):
            raise refused("whom", _("A consequence hits someone who rolled or helped. Choose one of them."))
        heat_rises = bool(said["heat"]) and code in SIZES
        kind, severity = kind_of(code, heat=heat_rises), _severity(state, code, said["size"], heat_rises=heat_rises)
        consequence = Inflicted(
            key=f"c{len(state.inflicted) + 1}",
            code=code,
            severity=severity,
            whom=whom,
            words=said["words"].strip(),
            price=price,
            heat=heat_rises,
            **(clock_of(said) if kind is Kind.COMPLICATION else {}),
            attribute=said["attribute"],
            resisting=Resisting(said["resisting"]),
            by=said["by"],
        )
        _described(consequence)
        whole("by", consequence.by, 1, MOST_REDUCED.get(kind, 1))
        named = replace(state, inflicted=(*state.inflicted, consequence))
        return self.finish(named, step) if said.get("last") else StepResult(named)

    @act(when=_says, terms=lambda state: (len(state.inflicted),))
    def finish(self, state: Action, step: Act) -> StepResult[Action]:
        """Say that all consequences are named."""
        return advance(replace(state, finished=True))

    @act("take", by=_of_whom, each=_takeable(fatal=False), blocks=_full, terms=_as_it_hits)
    def take_it(self, state: Action, step: Act, key: str) -> StepResult[Action]:
        return _settled(state, _open_one(state, key))

    @act(by=_of_whom, each=_takeable(fatal=True), blocks=_full, terms=_as_it_hits, asks=True)
    def take_fatal(self, state: Action, step: Act, key: str) -> StepResult[Action]:
        """Take a fatal harm: the character is dead or out of play, as its player chooses."""
        fate = word("fate", step.values["fate"], Fate)
        return _settled(state, replace(_open_one(state, key), fate=fate.value))

    @act(by=_of_whom, each=_resistible, blocks=_full, terms=_as_it_hits)
    def resist(self, state: Action, step: Act, key: str) -> Action:
        """Decide to resist, before the dice (forged.txt, Resistance Roll); they fall at once."""
        consequence = _open_one(state, key)
        affords(state, consequence.whom, PUSH_COST * consequence.push)
        return replace(state, resisting=key)

    @act(MORE_DICE, by=_of_whom, each=_resistible, blocks=_full, terms=_as_it_hits, asks=True)
    def with_more_dice(self, state: Action, step: Act, key: str) -> Action:
        """Push for a die of the resistance roll, or none more, and say which dice abilities add."""
        check_more(step.values)
        consequence, push = _open_one(state, key), bool(step.values["push"])
        affords(state, consequence.whom, PUSH_COST * push)
        more, why = step.values["more"], str(step.values["why"]).strip()
        return with_inflicted(state, replace(consequence, push=push, more=more, why=why))

    @act("armor", by=_of_whom, each=_armored, blocks=_full, terms=_as_it_hits)
    def mark_armor(self, state: Action, step: Act, key: str, box: str) -> StepResult[Action]:
        consequence = _open_one(state, key)
        marked = replace(consequence.lessened(1), marked=(*consequence.marked, box))
        person = state.person(consequence.whom)
        freed = replace(person, armor=tuple(name for name in person.armor if name != box))
        state = replace(state, people=tuple(freed if p.character == consequence.whom else p for p in state.people))
        write = Write(character=consequence.whom, steps=(Put(box, to=True),), why=ARMOR)
        after = _unless_avoided(state, marked)
        return StepResult(after.state, [write, *after.effects])

    @act(by=lambda state, who, key, protector: who.plays(protector), each=_protectable, terms=_as_it_hits)
    def protect(self, state: Action, step: Act, key: str, protector: str) -> Action:
        consequence = _open_one(state, key)
        instead = replace(consequence, whom=protector, first=consequence.whom, push=False, more=0, why="")
        return with_inflicted(state, instead)

    @act(each=_lost, asks=True)
    def move_ticks(self, state: Action, step: Act, *key: str) -> StepResult[Action]:
        """Move ticks whose clock was archived before they came to a clock that runs, to a new one, or nowhere."""
        to = clock_of(step.values)
        consequence = state.inflicted_as(*key) if key else None
        if consequence is not None:
            words = consequence.words or ("" if to["clock"] else consequence.clock_name)
            return StepResult(with_inflicted(state, replace(consequence, **to, words=words, clock_gone=False)))
        moved = replace(state, clock=to["clock"], clock_name=to["clock_name"], clock_gone=False, met="")
        done = advance(moved)
        return StepResult(done.state, [*_new(to), *done.effects])
