"""A check that the table settles: it is called or announced, the GM says how hard it is or who counters it, what speaks for and
against each side is counted, and then those sides roll (arc.txt, V.8, V.9).
    state = start({"sides": (Side(name="Silas", character=id, stat="control", skill="Tamper"),), "announced": True})
    act(state, gm, Act(name="difficult"))    # the GM sets it: now it is asked for

No score, total or margin is in here: of a side it holds what everybody at the table may know. What the dice come to is read by
the rolls themselves (table/play.py), of which the one that falls last tells who has succeeded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from rolls.rules.acts import Actor
from rolls.rules.errors import NotPossible, RuleError, whole, word
from rolls.rules.function_procedures import Act, Answer, Asked, AvailableAct
from rolls.rules.procedures import Snapshot, Values
from rulesets.arc.rules.adjustments import Chip, counted
from rulesets.arc.rules.body import Size, size_steps
from rulesets.arc.settings import DEFAULTS, THRESHOLDS, Level

SET, OPPOSE, COUNTERED, CHIP, COUNT, DROP, WITHDRAW = "set", "oppose", "countered", "chip", "count", "drop", "withdraw"
SUCCESS, FAILURE, OPEN_SIDE = "success", "failure", "open"
KEYS: Final = ("a", "b")
"""Who acts, and who counters."""

MOST_CHIPS: Final = 24
LONGEST_NAME: Final = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """Who rolls: a character by its id, or somebody for whom a GM does. `stat` is a code, `skill` a name; "" leaves it to whoever
    rolls. `result` is "open" for a side that has rolled before the other, then "success" or "failure"."""

    name: str
    character: str | None = None
    stat: str = ""
    skill: str = ""
    size: Size = Size.MEDIUM
    result: str = ""

    def __post_init__(self) -> None:
        if not 1 <= len(self.name) <= LONGEST_NAME:
            message = f"A name has 1 to {LONGEST_NAME} letters."
            raise RuleError("name", self.name, allowed=f"1 to {LONGEST_NAME} letters", message=message)
        word("size", self.size, Size)

    @property
    def has_rolled(self) -> bool:
        return bool(self.result)


@dataclass(frozen=True, slots=True, kw_only=True)
class Laid:
    """A chip beside a side ("a", "b"), under its own key; one that is `proposed` does not count until a GM counts it."""

    key: str
    side: str
    word: str
    value: int
    special: bool = False
    proposed: bool = False

    @property
    def chip(self) -> Chip:
        return Chip(word=self.word, value=self.value, special=self.special)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCheck:
    """One side against a threshold (0 to 100; None goes by the `level`), or the first against the second.

    In a `fight` the difference in size counts for both. While it is `announced` nobody may roll. `thresholds` are those of the
    campaign, `chip_number` is that of the newest chip.
    """

    sides: tuple[Side, ...]
    level: Level = Level.AVERAGE
    threshold: int | None = None
    fight: bool = False
    opposed: bool = False
    announced: bool = False
    withdrawn: bool = False
    chips: tuple[Laid, ...] = ()
    chip_number: int = 0
    thresholds: tuple[int, ...] = DEFAULTS.thresholds
    sizes_count: bool = True

    def __post_init__(self) -> None:
        word("level", self.level, Level)
        if self.threshold is not None:
            whole("threshold", self.threshold, *THRESHOLDS)
        if len(self.sides) == len(KEYS) and self.sides[0].character == self.sides[1].character is not None:
            message = f"{self.sides[0].name} cannot be both sides."
            raise NotPossible("against", self.sides[1].name, allowed="somebody else", message=message)

    @property
    def asked_for(self) -> bool:
        return not self.announced and not self.withdrawn

    @property
    def has_rolled(self) -> bool:
        return any(one.has_rolled for one in self.sides)

    @property
    def value_to_exceed(self) -> int:
        """The threshold, typed or that of the level in this campaign."""
        return self.thresholds[list(Level).index(self.level)] if self.threshold is None else self.threshold

    def side(self, key: str) -> Side:
        return self.sides[KEYS.index(key)]

    def steps_larger(self, key: str) -> int:
        """How many sizes larger the other side is, where that counts: in a fight."""
        if not self.fight or not self.sizes_count or len(self.sides) < len(KEYS):
            return 0
        own, other = self.sides if key == KEYS[0] else reversed(self.sides)
        return size_steps(own.size, other.size)

    def counting(self, key: str) -> tuple[Laid, ...]:
        return tuple(one for one in self.chips if one.side == key and not one.proposed)

    def other(self, key: str) -> int:
        """The other adjustments of a side: its chips, and the difference in size (arc.txt, V.9)."""
        return counted((one.chip for one in self.counting(key)), size_steps=self.steps_larger(key)).total


def start(given: Values) -> TableCheck:
    """`given` are its fields, and in `words` chips of the first side as Chips, which only propose where it is announced."""
    fields = dict(given)
    chips: Sequence[Chip] = fields.pop("words", ())
    state = TableCheck(**fields)
    for one in chips:
        state = _laid(state, KEYS[0], one, proposed=state.announced)
    return state


def may(state: TableCheck, who: Actor) -> Sequence[AvailableAct]:
    """GMs set it, or let who was announced counter it, and count chips for sides that have not rolled; players propose chips."""
    if is_over(state):
        return ()
    plays = who.is_gm or any(who.plays(one.character) for one in state.sides)
    offers = [AvailableAct(CHIP)] if plays else []
    open_chips = [one for one in state.chips if not state.side(one.side).has_rolled]
    if who.is_gm:
        offers += [AvailableAct(COUNT, one.key, (one,)) for one in open_chips if one.proposed]
        offers += [AvailableAct(DROP, one.key, (one,)) for one in open_chips]
        if not state.has_rolled:
            # One press sets what somebody has announced; whoever sets it otherwise afterwards has the form.
            offers += [AvailableAct(COUNTERED)] if state.announced and len(state.sides) > 1 else []
            offers += [AvailableAct(level.value) for level in Level] if state.announced else []
            against = tuple(one.name for one in state.sides[1:])
            stands = (state.announced, state.level, state.threshold, state.fight, against)
            offers += [AvailableAct(SET, terms=stands), AvailableAct(OPPOSE, terms=stands)]
    if state.announced and who.plays(state.sides[0].character):
        offers.append(AvailableAct(WITHDRAW))
    return offers


def act(state: TableCheck, who: Actor, act: Act) -> TableCheck:
    """Raises a RuleError for what cannot be now."""
    if is_over(state):
        raise NotPossible("act", act.name, allowed="nothing", message="This check is over.")
    if act.name == CHIP:
        return _chip(state, who, act.values)
    if act.name in (COUNT, DROP):
        return _one_chip(state, act)
    if act.name == WITHDRAW:
        if not state.announced:
            message = "The GM asks for it by now. Roll it, or ask the GM to end it."
            raise NotPossible("act", act.name, allowed="nothing", message=message)
        return replace(state, withdrawn=True)
    return _set(state, act)


def _set(state: TableCheck, act: Act) -> TableCheck:
    """The GM says how hard it is, or against whom; from then on it is asked for."""
    if state.has_rolled:
        message = "The dice have fallen. Take that roll back before it is set otherwise."
        raise NotPossible("act", act.name, allowed="nothing", message=message)
    if act.name == COUNTERED:
        return replace(state, announced=False)
    if act.name == OPPOSE:
        sides, fight = (state.sides[0], act.values["side"]), act.values["fight"]
        return replace(state, sides=sides, fight=fight, opposed=True, announced=False)
    kept = tuple(one for one in state.chips if one.side == KEYS[0])
    plain = replace(state, sides=state.sides[:1], chips=kept, fight=False, opposed=False, announced=False)
    if act.name == SET:
        side = replace(state.sides[0], **act.values["names"])
        return replace(plain, sides=(side,), level=act.values["level"], threshold=act.values["threshold"])
    return replace(plain, level=word("level", act.name, Level), threshold=None)


def _chip(state: TableCheck, who: Actor, values: Mapping[str, Any]) -> TableCheck:
    key = values["side"]
    if key not in KEYS[: len(state.sides)]:
        raise NotPossible("side", key, allowed="a side of this check", message="Choose whom it is about.")
    if values["special"] and not who.is_gm:
        message = "What special rules add is for the GM to say. Propose +1 or −1, or 2 for something huge."
        raise NotPossible("value", values["value"], allowed="-2 to 2", message=message)
    chip = Chip(word=values["word"], value=values["value"], special=values["special"])
    return _laid(state, key, chip, proposed=not who.is_gm)


def _laid(state: TableCheck, key: str, chip: Chip, *, proposed: bool) -> TableCheck:
    if state.side(key).has_rolled:
        message = f"{state.side(key).name} has rolled: no more can be counted there."
        raise NotPossible("side", key, allowed="who has yet to roll", message=message)
    if len(state.chips) >= MOST_CHIPS:
        message = f"A check takes {MOST_CHIPS} of these at most. Drop one first."
        raise NotPossible("word", chip.word, allowed=f"{MOST_CHIPS} at most", message=message)
    number = state.chip_number + 1
    laid = Laid(key=f"c{number}", side=key, word=chip.word, value=chip.value, special=chip.special, proposed=proposed)
    after = replace(state, chips=(*state.chips, laid), chip_number=number)
    after.other(key)  # refuses what special rules do not add up to
    return after


def _one_chip(state: TableCheck, act: Act) -> TableCheck:
    found = next((one for one in state.chips if one.key == act.whom), None)
    if found is None:
        raise NotPossible("act", act.name, allowed="what is there", message="That does not lie there any more.")
    if state.side(found.side).has_rolled:
        message = f"{state.side(found.side).name} has rolled: what counted then stays."
        raise NotPossible("act", act.name, allowed="who has yet to roll", message=message)
    others = tuple(one for one in state.chips if one is not found)
    if act.name == DROP:
        return replace(state, chips=others)
    after = replace(state, chips=tuple(replace(one, proposed=False) if one is found else one for one in state.chips))
    after.other(found.side)
    return after


def asks(state: TableCheck) -> Sequence[Asked]:
    """Of each side its roll, once a GM has set it; in an opposed check both at once."""
    open_sides = zip(KEYS, state.sides, strict=False) if state.asked_for and not is_over(state) else ()
    return [
        Asked(part=key, terms=_terms(state, key), character=side.character)
        for key, side in open_sides
        if not side.has_rolled
    ]


def _terms(state: TableCheck, key: str) -> dict[str, Any]:
    """As table/request.py keeps what a GM asks for."""
    side = state.side(key)
    terms: dict[str, Any] = {"kind": "opposed" if len(state.sides) > 1 else "check", "other": state.other(key)}
    terms |= {name: value for name, value in (("stat", side.stat), ("skill", side.skill)) if value}
    chips: list[dict[str, Any]] = [{"word": one.word, "value": one.value} for one in state.counting(key)]
    if steps := state.steps_larger(key):
        chips.append({"code": "size", "value": steps})
    terms |= {"chips": chips} if chips else {}
    if len(state.sides) > 1:
        other = state.sides[1 - KEYS.index(key)]
        return terms | {"versus": {"name": other.name, "acts": key == KEYS[0]}}
    return terms | {"level": state.level.value, "threshold": state.threshold}


def told(state: TableCheck, answers: Sequence[Answer]) -> TableCheck:
    """Which sides have rolled. The roll that falls last says who has succeeded: higher does, a tie fails (arc.txt, V.8)."""
    results = {answer.part: str(answer.outcome["result"]) for answer in answers}
    decided = next(((part, result) for part, result in results.items() if result != OPEN_SIDE), None)
    if decided and len(state.sides) > 1:
        part, result = decided
        against = FAILURE if result == SUCCESS else SUCCESS
        results = {key: result if key == part else against for key in KEYS}
    sides = (replace(side, result=results.get(key, "")) for key, side in zip(KEYS, state.sides, strict=False))
    return replace(state, sides=tuple(sides))


def reads(state: TableCheck, seen: Snapshot) -> TableCheck:
    """Sizes by the sheets, thresholds by the campaign, as they are now; a side that has rolled stays as it was."""
    settings = seen.settings or DEFAULTS
    there = {one: seen.sheets[one] for one in played(state) if one in seen.sheets}
    sides = tuple(
        replace(one, size=Size(there[one.character].values.get("size", one.size)))
        if one.character in there and there[one.character].system == "arc" and not state.has_rolled
        else one
        for one in state.sides
    )
    return replace(state, sides=sides, thresholds=settings.thresholds, sizes_count=settings.sizes_count)


def waiting(state: TableCheck) -> Sequence[tuple[str, str]]:
    if is_over(state):
        return ()
    if state.announced:
        if len(state.sides) > 1:
            return [("", f"to let {state.sides[1].name} counter it, or say how hard it is")]
        return [("", "to say against whom" if state.opposed else "to say how hard it is")]
    return [(asked.part, "to roll") for asked in asks(state)]


def is_over(state: TableCheck) -> bool:
    return state.withdrawn or all(one.result in (SUCCESS, FAILURE) for one in state.sides)


def played(state: TableCheck) -> Sequence[str]:
    return [one.character for one in state.sides if one.character]
