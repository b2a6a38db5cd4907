"""What follows of a staged action: consequences that the GM names, and those whom they hit take, resist, meet with armour, or
leave to a teammate (forged.txt, Consequences to Armor, Protect)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from characters.reasons import Reason
from characters.sheets.steps import Add, Put
from rolls.rules.acts import Actor, act
from rolls.rules.bars import Bar
from rolls.rules.effects import Effect, NewClock, StepResult, Tick, Write
from rolls.rules.errors import whole, word
from rolls.rules.procedures import Act, Answer, ProcedureRules, Values
from rulesets.forged.rules import action_after
from rulesets.forged.rules.action import COMPLICATION_HEAT, COMPLICATION_TICKS
from rulesets.forged.rules.action_before import FULL_STRESS
from rulesets.forged.rules.action_state import Action, Person, Stage, refused
from rulesets.forged.rules.body import Attribute
from rulesets.forged.rules.consequence import Armor, Kind, Resisting, Stakes, left_after, mark_armor
from rulesets.forged.rules.harm import FATAL, record
from rulesets.forged.rules.inflicted import (
    FEWEST_SEGMENTS,
    HARMS,
    MOST_SEGMENTS,
    POSITIONS_WON,
    SIZES,
    Inflicted,
    kind_of,
)
from rulesets.forged.rules.sheet_steps import heat_steps

SUFFERED: Final = Reason("forged_consequence", "a consequence")
ARMOR: Final = Reason("forged_armor", "armour")
TAKEN, AVOIDED = "taken", "avoided"
TAKE_FATAL: Final = "take_fatal"
MOVE_TICKS: Final = "move_ticks"
RESIST: Final = "resist"
"""The part of the rolls that resist a consequence."""
PRICES: Final = (*SIZES, *HARMS)
"""What may be the price of a bargain in the rules' own terms, whatever came of the roll."""


def choices(state: Action) -> Sequence[str]:
    """What the GM may pick from now."""
    return tuple(dict.fromkeys((*state.menu, *(PRICES if state.bargained else ()))))


def _says(state: Action) -> bool:
    return state.stage is Stage.FOLLOWS and not state.finished


def clock_of(said: Values) -> dict[str, Any]:
    """One that is there, or a new one (forged.txt, Complication)."""
    segments, filled = said["segments"], said["filled"]
    if segments:
        whole("segments", segments, FEWEST_SEGMENTS, MOST_SEGMENTS)
        if not 0 <= filled < segments:
            raise refused("filled", "It would be full from the start. Leave a segment open.")
    return {"clock": said["clock"], "clock_name": said["clock_name"], "segments": segments, "filled": filled}


def _hit(state: Action) -> list[str]:
    """Those who rolled, and helpers, who may suffer what comes of it (forged.txt, Assist)."""
    rolled = [one.character for one in state.participants if not one.cohort]
    return [*rolled, *(one.helper for one in state.participants if one.helper)]


def hit(state: Action) -> list[Person]:
    """Whoever acts first, then all who rolled with them, then helpers."""
    return [state.person(character) for character in _hit(state)]


def _severity(state: Action, code: str, *, heat_rises: bool) -> int:
    """How much of what it is counted in."""
    if code in HARMS:
        return HARMS[code]
    if code not in SIZES:
        return 1
    size = SIZES[code]
    if heat_rises and state.crew is None:
        raise refused("heat", "There is no crew whose heat could rise.")
    if heat_rises and not COMPLICATION_HEAT[size]:
        raise refused("heat", "A minor complication brings no heat.")
    return COMPLICATION_HEAT[size] if heat_rises else COMPLICATION_TICKS[size]


def _described(one: Inflicted) -> None:
    if one.kind is Kind.HARM and not one.words:
        raise refused("words", "Say what the harm is.")
    if one.kind is Kind.COMPLICATION and not one.words and not one.clock:
        raise refused("words", "Say what the complication is, or choose a clock.")


def _open(state: Action) -> list[Inflicted]:
    """Those that can be met now; none while dice are to fall."""
    return [] if state.resisting or state.stage is not Stage.FOLLOWS else state.open


def _of_whom(state: Action, who: Actor, key: str, *box: str) -> bool:
    one = state.inflicted_as(key)
    return one is not None and who.plays(one.whom)


def _as_it_hits(state: Action, key: str, *more: str) -> tuple[Any, ...]:
    one = state.inflicted_as(key)
    return (one,) if one else ()


def _full(state: Action, key: str, *box: str) -> tuple[Bar, str] | None:
    one = state.inflicted_as(key)
    person = state.person(one.whom) if one else None
    if person and person.full:
        return FULL_STRESS, f"The stress of {person.name} is full: the trauma comes first."
    return None


def row_of(state: Action, one: Inflicted) -> int:
    """The row that would take a harm as it is now, 4 for none; 0 for what is no harm."""
    return record(state.person(one.whom).rows, one.severity).row if one.kind is Kind.HARM and one.severity else 0


def _takeable(*, fatal: bool) -> Callable[[Action], list[str]]:
    """What would be fatal asks once more; what ticks a clock that was archived waits for the GM (action_clocks.py)."""

    def those(state: Action) -> list[str]:
        there = [one for one in _open(state) if not one.clock_gone]
        return [one.key for one in there if (row_of(state, one) == FATAL) is fatal]

    return those


def _resistible(state: Action) -> Iterator[str]:
    yield from (
        one.key for one in _open(state) if not one.resisted and not one.price and not state.person(one.whom).out
    )


def _armored(state: Action) -> Iterator[tuple[str, str]]:
    """Heavy armour is a second box of the first."""
    for one in _open(state):
        for box in () if one.price else state.person(one.whom).armor:
            yield one.key, box


def _protectable(state: Action) -> Iterator[tuple[str, str]]:
    """Before it is resisted, and once (rules/team.py)."""
    for one in _open(state):
        if not (one.resisted or one.marked or one.price or one.first):
            yield from ((one.key, p.character) for p in state.people if p.able and p.character != one.whom)


def _open_one(state: Action, key: str) -> Inflicted:
    return next(one for one in state.open if one.key == key)


def with_inflicted(state: Action, changed: Inflicted) -> Action:
    inflicted = tuple(changed if one.key == changed.key else one for one in state.inflicted)
    return replace(state, inflicted=inflicted, met=changed.key)


def resistance_fell(state: Action, answer: Answer) -> StepResult[Action]:
    """It has worked, whatever it cost; a trauma that it brings comes at once."""
    one = state.inflicted_as(answer.part.of)
    if one is None or state.resisting != one.key:
        return StepResult(state)
    left = left_after(Stakes(one.counted, Attribute(one.attribute), one.resisting, one.by))
    state = replace(state, resisting="")
    return _unless_avoided(state, replace(one, severity=left.severity, resisted=True))


def _unless_avoided(state: Action, one: Inflicted) -> StepResult[Action]:
    return _settled(state, one) if one.severity == 0 else StepResult(with_inflicted(state, one))


def _settled(state: Action, one: Inflicted) -> StepResult[Action]:
    """Applied where it belongs, and not before."""
    recorded = replace(one, became=TAKEN if one.severity else AVOIDED)
    recorded = replace(recorded, row=row_of(state, one))
    after = action_after.advance(with_inflicted(state, recorded))
    return StepResult(after.state, [*_applied(state, recorded), *after.effects])


def _applied(state: Action, one: Inflicted) -> Iterator[Effect]:
    if not one.severity:
        return
    if one.kind is Kind.HARM and one.row < FATAL:
        steps = (Add(f"harm_{one.row}", {"name": one.words}), Put("healing", 0))
        yield Write(character=one.whom, steps=steps, why=SUFFERED)
    elif one.kind is Kind.COMPLICATION and one.clock:
        if one.segments:
            yield NewClock(
                clock=one.clock, name=one.clock_name, segments=one.segments, kind="danger", filled=one.filled
            )
        yield Tick(clock=one.clock, ticks=one.severity)
    elif one.kind is Kind.HEAT and state.crew is not None:
        rises = heat_steps(state.crew.heat, state.crew.wanted, one.severity)
        yield Write(character=state.crew.character, steps=rises, why=SUFFERED)
    elif one.kind is Kind.WORSE_POSITION:
        yield action_after.worse_position(one.whom, state.person(one.whom).name, POSITIONS_WON[one.code])


def _lost(state: Action) -> Iterator[tuple[str, ...]]:
    """Whose ticks have no clock any more: those of the action itself, or of a consequence by its key."""
    early = state.clock_gone and state.stage in (Stage.SET, Stage.CHOICE, Stage.FOLLOWS)
    if early or action_after.held(state):
        yield ()
    yield from ((one.key,) for one in state.open if one.clock_gone)


def _new(to: dict[str, object]) -> Iterator[Effect]:
    if to["segments"]:
        yield NewClock(
            clock=str(to["clock"]),
            name=str(to["clock_name"]),
            segments=int(str(to["segments"])),
            kind="progress",
            filled=int(str(to["filled"])),
        )


class Consequences(ProcedureRules[Action]):
    """The GM names them, and those whom they hit meet them."""

    @act(when=lambda state: _says(state) and bool(choices(state)), asks=True)
    def inflict(self, state: Action, step: Act) -> StepResult[Action]:
        """One that the GM names; with `last` nothing else follows."""
        said = step.values
        code = said["code"]
        # What the result does not lead to can be the price of the bargain alone.
        price = bool(said["price"]) or (state.bargained and code not in state.menu)
        if code not in (PRICES if price and state.bargained else state.menu):
            raise refused("code", "The position and the result do not lead to that.")
        word("attribute", said["attribute"], Attribute)
        whom = said["whom"] or state.actor.character
        if whom not in _hit(state):
            raise refused("whom", "It hits those who rolled, or who helped.")
        heat_rises = bool(said["heat"]) and code in SIZES
        kind, severity = kind_of(code, heat=heat_rises), _severity(state, code, heat_rises=heat_rises)
        one = Inflicted(
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
        _described(one)
        Stakes(one.counted, Attribute(one.attribute), one.resisting, one.by)
        named = replace(state, inflicted=(*state.inflicted, one))
        return self.finish(named, step) if said.get("last") else StepResult(named)

    @act(when=_says, terms=lambda state: (len(state.inflicted),))
    def finish(self, state: Action, step: Act) -> StepResult[Action]:
        """The GM has named all that follows."""
        return action_after.advance(replace(state, finished=True))

    @act("take", by=_of_whom, each=_takeable(fatal=False), bars=_full, terms=_as_it_hits)
    def take_it(self, state: Action, step: Act, key: str) -> StepResult[Action]:
        return _settled(state, _open_one(state, key))

    @act(by=_of_whom, each=_takeable(fatal=True), bars=_full, terms=_as_it_hits, asks=True)
    def take_fatal(self, state: Action, step: Act, key: str) -> StepResult[Action]:
        return _settled(state, _open_one(state, key))

    @act(by=_of_whom, each=_resistible, bars=_full, terms=_as_it_hits)
    def resist(self, state: Action, step: Act, key: str) -> Action:
        """Decided before the dice (forged.txt, Resistance Roll); they fall at once."""
        return replace(state, resisting=key)

    @act("armor", by=_of_whom, each=_armored, bars=_full, terms=_as_it_hits)
    def mark_armor(self, state: Action, step: Act, key: str, box: str) -> StepResult[Action]:
        one = _open_one(state, key)
        left = mark_armor(Armor(), replace(one.counted, armor=0), avoids=one.resisting is Resisting.AVOIDS)[1]
        marked = replace(one, severity=left.severity, marked=(*one.marked, box))
        person = state.person(one.whom)
        freed = replace(person, armor=tuple(name for name in person.armor if name != box))
        state = replace(state, people=tuple(freed if p.character == one.whom else p for p in state.people))
        write = Write(character=one.whom, steps=(Put(box, to=True),), why=ARMOR)
        after = _unless_avoided(state, marked)
        return StepResult(after.state, [write, *after.effects])

    @act(by=lambda state, who, key, protector: who.plays(protector), each=_protectable, terms=_as_it_hits)
    def protect(self, state: Action, step: Act, key: str, protector: str) -> Action:
        one = _open_one(state, key)
        return with_inflicted(state, replace(one, whom=protector, first=one.whom))

    @act(each=_lost, asks=True)
    def move_ticks(self, state: Action, step: Act, *key: str) -> StepResult[Action]:
        """Ticks whose clock was archived before they came go to a clock that runs, to a new one, or nowhere."""
        to = clock_of(step.values)
        one = state.inflicted_as(*key) if key else None
        if one is not None:
            words = one.words or ("" if to["clock"] else one.clock_name)
            return StepResult(with_inflicted(state, replace(one, **to, words=words, clock_gone=False)))
        moved = replace(state, clock=to["clock"], clock_name=to["clock_name"], clock_gone=False, met="")
        done = action_after.advance(moved)
        return StepResult(done.state, [*_new(to), *done.effects])
