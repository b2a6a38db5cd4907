"""Checks of the VI-VIII-X rules, the arc system: two scores and one die, against a threshold or another (arc.txt, V.7, V.8).

    check = resolve(Ask(ks=7, us=4, es=5), faces=iter([5]))
    check.total, past_threshold(check, 9)  # 16, 7: a success

Reaction and actions in a turn come first, the other adjustments after them, and a check that the table settles last; body.py has
size, movement and load. Decisions of our own are in settings.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from campaigns.schema import Code, Name, Uid
from languages.text import gettext as _
from languages.text import gettext_lazy
from rules.acts import Actor, act
from rules.dice import D10, LARGEST_POOL, Die, Faces, draw
from rules.errors import NotPossible, RuleError, whole, word
from rules.procedures import Act, Answer, Asked, Parties, ProcedureRules, RollPart, Snapshot, Values, called
from rulesets.arc.rules.body import Size, size_steps
from rulesets.arc.settings import DEFAULTS, SCORES, THRESHOLDS, Level, Settings

# Who keeps their nerve in a turn of the arc rules, and how often one acts (arc.txt, V.1, V.5, V.7).
#
# The State of Mind, SOM, runs from 1 (panicked) to 10 (exalted).


COMBAT_OCCASIONS: Final = (
    gettext_lazy("ambushed"),
    gettext_lazy("the first ally falls"),
    gettext_lazy("more than half of the allies die"),
    gettext_lazy("cornered"),
    gettext_lazy("attacked by two or more enemies"),
)
OTHER_OCCASIONS: Final = (
    gettext_lazy("has to act in a hurry"),
    gettext_lazy("is threatened, with words or violence"),
    gettext_lazy("witnesses something strongly against their Morality"),
    gettext_lazy("has to act against their Morality"),
)
"""When the GM may ask for a Reaction check; neither list is meant to be complete (arc.txt, V.5)."""


@dataclass(frozen=True, slots=True)
class Reaction:
    """A Reaction check: the SOM (1 to 10) and the face of the d10."""

    som: int
    face: int

    def __post_init__(self) -> None:
        whole("som", self.som, *SCORES)
        D10.face(self.face)

    @property
    def success(self) -> bool:
        """Return whether the face is no higher than the SOM: with 10 always, with 1 only on a 1 (arc.txt, V.5)."""
        return self.face <= self.som


def actions_in_turn(es_scores: Sequence[int], settings: Settings = DEFAULTS) -> int:
    """Return how often one may act in a turn with these ES, 1 to 100 of them from 1 to 10 (arc.txt, V.7).

    A single ES has the number of actions of its score; of several the smallest number counts. 0 where a campaign has no action
    for a score that low. OutOfRange for a score that cannot be, or for none.
    """
    whole("actions", len(es_scores), 1, LARGEST_POOL)
    allowed = [sum(whole("es", es, *SCORES) >= needed for needed in settings.actions_from) for es in es_scores]
    return min(allowed) if settings.smallest_allowance_counts else max(allowed)


LARGEST_OTHER: Final = 100
"""Other adjustments have no cap in the text, and no table gets here."""


class Role(StrEnum):
    """The role of the die in its check."""

    BONUS = "bonus"  # no higher than the ES: its face is added
    MALUS = "malus"  # higher than the ES: the excess is subtracted


@dataclass(frozen=True, slots=True)
class Row:
    """One column of the core table: the die of an ES, its lowest adjustment and its highest, which is the ES (arc.txt, V.7).

    `lowest` is 1 where a campaign's die has no face above the ES.
    """

    die: Die
    lowest: int
    highest: int


@dataclass(frozen=True, slots=True)
class Adjustment:
    """The die of a check: its face, its role, the ES adjustment (never 0) and why in a few words."""

    die: Die
    face: int
    role: Role
    value: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A check before the die falls: KS, US and ES from 1 to 10, the US no higher than its KS; other adjustments -100 to +100.

    OutOfRange for a score that cannot be, also for an ES of 0; NotPossible for a US above its KS.
    """

    ks: int
    us: int
    es: int
    other: int = 0

    def __post_init__(self) -> None:
        whole("ks", self.ks, *SCORES)
        whole("us", self.us, *SCORES)
        whole("es", self.es, *SCORES)
        whole("other", self.other, -LARGEST_OTHER, LARGEST_OTHER)
        if self.us > self.ks:
            # Neither score in the message: it may come before a player's eyes.
            message = _("An Unknown Stat can’t be higher than its Known Stat.")
            raise NotPossible("us", self.us, allowed=f"{SCORES[0]} to {self.ks}", message=message)

    @property
    def before_the_die(self) -> int:
        """Return all of the total but the ES adjustment."""
        return self.ks + self.us + self.other


@dataclass(frozen=True, slots=True)
class Check:
    """A rolled check. ARC = KS + US + ES adjustment + other adjustments (arc.txt, V.7)."""

    ask: Ask
    adjustment: Adjustment

    @property
    def total(self) -> int:
        return self.ask.before_the_die + self.adjustment.value


def core_row(es: int, settings: Settings = DEFAULTS) -> Row:
    """Return the die of an ES (1 to 10) and how far it can move a check (arc.txt, V.7)."""
    die = Die(settings.dice[whole("es", es, *SCORES) - 1])
    return Row(die, lowest=es - die.sides if die.sides > es else 1, highest=es)


def adjustment(es: int, face: int, settings: Settings = DEFAULTS) -> Adjustment:
    """Return the ES adjustment: the face itself up to the ES (1 to 10), above it ES - face (arc.txt, V.7).

    OutOfRange for an ES that cannot be or a face that its die does not have.
    """
    die = core_row(es, settings).die
    value = value_of(es, die.face(face))
    return Adjustment(die, face, Role.BONUS if value > 0 else Role.MALUS, value, why(es, face))


def value_of(es: int, face: int) -> int:
    """Return what this face adds to its check, whatever die the campaign has for that ES now."""
    return face if face <= es else es - face


def die_words(die: Die) -> str:
    """Return a die as people write it in the language that is active: "d8"."""
    return _("d{sides}").format(sides=die.sides)


def why(es: int, face: int) -> str:
    """Return words for what a die did in its check."""
    if face <= es:
        return _("a bonus: not above the skill score of {score}").format(score=es)
    return _("a malus: {over} above the skill score of {score}").format(over=face - es, score=es)


def resolve(ask: Ask, faces: Faces, settings: Settings = DEFAULTS) -> Check:
    """Roll the one die of a check (arc.txt, V.7). NotPossible when there is no face."""
    (face,) = draw(1, core_row(ask.es, settings).die, faces)
    return Check(ask, adjustment(ask.es, face, settings))


def threshold_of(level: Level, settings: Settings = DEFAULTS) -> int:
    """Return the threshold of a level of complexity (arc.txt, V.8). UnknownWord for any other level."""
    return settings.thresholds[list(Level).index(word("level", level, Level))]


def past_threshold(check: Check, threshold: int) -> int:
    """Return how far a check is above a threshold, 0 to 100: it succeeds above 0, and a tie fails (arc.txt, V.8)."""
    return check.total - whole("threshold", threshold, *THRESHOLDS)


HUGE: Final = 2
"""A huge advantage or disadvantage counts double, exceptionally (arc.txt, V.9)."""

KINDS: Final = {"advantages": 1, "disadvantages": -1, "huge_advantages": HUGE, "huge_disadvantages": -HUGE}
MOST_CIRCUMSTANCES: Final = 20
"""Of each kind."""

LARGEST_SPECIAL: Final = 30
LONGEST_WORD: Final = 60

ADVANTAGES: Final = (
    gettext_lazy("fights from higher ground than the opponent"),
    gettext_lazy("is under a spell that grants a bonus"),
    gettext_lazy("is exalted, ideally with an action in line with their Path"),
)
DISADVANTAGES: Final = (
    gettext_lazy("is lying on the ground in combat"),
    gettext_lazy("is in a state that gives a malus, such as panicked"),
    gettext_lazy("wears armour with a low score in Trained in Armor"),
)
"""What the text prints as examples (arc.txt, V.9); neither list is meant to be complete."""


EXALTED, PANICKED = "exalted", "panicked"
MOOD_WORDS: Final = {EXALTED: gettext_lazy("exalted"), PANICKED: gettext_lazy("panicked")}
"""The states of mind that are an advantage and a disadvantage (arc.txt, V.5, V.9), by their codes."""


def mood(som: int | None) -> str:
    """Return the code of the state of mind at this SOM, "" for one that counts for nothing."""
    return {SCORES[0]: PANICKED, SCORES[1]: EXALTED}.get(som or 0, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    """One adjustment for or against a side, named in 1 to 60 letters: an advantage +1, a disadvantage -1, a huge one 2 as an
    exception (arc.txt, V.9). What a special rule adds or takes, -30 to +30, is `special`. Never 0. Raises RuleError otherwise.
    """

    word: str
    value: int
    special: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.word, str) or not 1 <= len(self.word.strip()) <= LONGEST_WORD:
            message = _("Say what it is in a word or two, {most} letters at most.").format(most=LONGEST_WORD)
            raise RuleError("word", self.word, allowed=f"1 to {LONGEST_WORD} letters", message=message)
        furthest = LARGEST_SPECIAL if self.special else HUGE
        if type(self.value) is not int or not 1 <= abs(self.value) <= furthest:
            message = (
                _("A special rule adds or subtracts 1 to {most}.").format(most=LARGEST_SPECIAL)
                if self.special
                else _("An advantage is +1 and a disadvantage −1; a huge one counts 2.")
            )
            raise RuleError("value", self.value, allowed=f"-{furthest} to {furthest}, not 0", message=message)


def counted(chips: Iterable[Chip]) -> int:
    """Return the sum of all chips of one side: -90 to +90. Raises OutOfRange for more than 20 of a kind."""
    laid = list(chips)
    plain = [chip.value for chip in laid if not chip.special]
    for field, value in KINDS.items():
        whole(field, plain.count(value), 0, MOST_CIRCUMSTANCES)
    special = sum(chip.value for chip in laid if chip.special)
    return sum(plain) + whole("special", special, -LARGEST_SPECIAL, LARGEST_SPECIAL)


# A check that the table settles: it is called or announced, the GM says how hard it is or who counters it, what speaks for and
# against each side is counted, and then those sides roll (arc.txt, V.8, V.9).
# state = start({"sides": (Side(name="Silas", character=id, stat="control", skill="Tamper"),), "announced": True})
# set_level(state, step, Level.DIFFICULT)    # the GM sets it: now it is asked for
#
# No score, total or margin is in here: of a side it holds what everybody at the table may know. What the dice come to is read by
# the rolls themselves (rulesets/arc/table/check.py), of which the one that falls last tells who has succeeded.


SET, LEVEL, OPPOSE, COUNTERED = "set", "level", "oppose", "countered"
CHIP, COUNT, DROP, WITHDRAW = "chip", "count", "drop", "withdraw"
SUCCESS, FAILURE, OPEN_SIDE = "success", "failure", "open"
KEYS: Final = ("a", "b")
"""The keys of the side that acts and the side that counters."""

MOST_CHIPS: Final = 24
LONGEST_NAME: Final = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A side that rolls: a character by its id, or a person the GM plays. `stat` is a code, `skill` a name; "" leaves
    it to who rolls. `result` is "open" for a side that rolled before the other, then "success" or "failure".
    """

    name: Name
    character: Uid | None = None
    stat: Code = ""
    skill: Name = ""
    size: Size = Size.MEDIUM
    result: Code = ""

    def __post_init__(self) -> None:
        if not 1 <= len(self.name) <= LONGEST_NAME:
            message = _("A name has 1 to {most} letters.").format(most=LONGEST_NAME)
            raise RuleError("name", self.name, allowed=f"1 to {LONGEST_NAME} letters", message=message)
        word("size", self.size, Size)

    @property
    def called(self) -> str:
        return called(self.name)

    @property
    def has_rolled(self) -> bool:
        return bool(self.result)


@dataclass(frozen=True, slots=True, kw_only=True)
class Laid:
    """A chip at a side ("a", "b"), under its own key; a `proposed` one does not count until a GM counts it. One of ours has a
    `code`, whose `word` is in MOOD_WORDS when it is read.
    """

    key: Code
    side: Code
    word: Name
    value: int
    special: bool = False
    proposed: bool = False
    code: Code = ""

    @property
    def called(self) -> str:
        return str(MOOD_WORDS[self.code]) if self.code else self.word

    @property
    def chip(self) -> Chip:
        return Chip(word=self.word, value=self.value, special=self.special)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCheck:
    """One side against a threshold (0 to 100; None uses the `level`), or the first side against the second.

    In a `fight` the difference in size counts for both. While it is `announced` nobody may roll. `thresholds` are those
    of the campaign, `chip_number` is that of the newest chip.
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
            message = _("{name} can’t be on both sides.").format(name=self.sides[0].called)
            raise NotPossible("against", self.sides[1].name, allowed="somebody else", message=message)

    @property
    def asked_for(self) -> bool:
        return not self.announced and not self.withdrawn

    @property
    def has_rolled(self) -> bool:
        return any(side.has_rolled for side in self.sides)

    @property
    def value_to_exceed(self) -> int:
        """Return the threshold, typed or that of the level in this campaign."""
        return self.thresholds[list(Level).index(self.level)] if self.threshold is None else self.threshold

    @property
    def is_over(self) -> bool:
        return self.withdrawn or all(side.result in (SUCCESS, FAILURE) for side in self.sides)

    def chip(self, key: str) -> Laid:
        return next(chip for chip in self.chips if chip.key == key)

    def side(self, key: str) -> Side:
        return self.sides[KEYS.index(key)]

    def steps_larger(self, key: str) -> int:
        """Return how many sizes larger the other side is, where that counts: in a fight."""
        if not self.fight or not self.sizes_count or len(self.sides) < len(KEYS):
            return 0
        own, other = self.sides if key == KEYS[0] else reversed(self.sides)
        return size_steps(own.size, other.size)

    def counting(self, key: str) -> tuple[Laid, ...]:
        return tuple(chip for chip in self.chips if chip.side == key and not chip.proposed)

    def other(self, key: str) -> int:
        """Return the other adjustments of a side: its chips, and 1 for each size that the other side is larger (V.9)."""
        return counted(chip.chip for chip in self.counting(key)) + self.steps_larger(key)


def _chip(state: TableCheck, who: Actor, values: Mapping[str, Any]) -> TableCheck:
    key = values["side"]
    if key not in KEYS[: len(state.sides)]:
        raise NotPossible("side", key, allowed="a side of this check", message=_("Choose who it applies to."))
    if values["special"] and not who.is_gm:
        message = _("Only the GM adds what special rules give. Propose +1 or −1, or 2 for something huge.")
        raise NotPossible("value", values["value"], allowed="-2 to 2", message=message)
    chip = Chip(word=values["word"], value=values["value"], special=values["special"])
    return _laid(state, key, chip, proposed=not who.is_gm)


def _laid(state: TableCheck, key: str, chip: Chip, *, proposed: bool, code: Code = "") -> TableCheck:
    if state.side(key).has_rolled:
        message = _("{name} has already rolled. Nothing more can be added.").format(name=state.side(key).called)
        raise NotPossible("side", key, allowed="who has yet to roll", message=message)
    if len(state.chips) >= MOST_CHIPS:
        message = _("A check takes at most {most} adjustments. Remove one first.").format(most=MOST_CHIPS)
        raise NotPossible("word", chip.word, allowed=f"{MOST_CHIPS} at most", message=message)
    number = state.chip_number + 1
    laid = Laid(key=f"c{number}", side=key, word=chip.word, value=chip.value, special=chip.special)
    laid = replace(laid, proposed=proposed, code=code)
    after = replace(state, chips=(*state.chips, laid), chip_number=number)
    after.other(key)  # refuses what special rules do not add up to
    return after


def _with_moods(state: TableCheck, moods: Mapping[str, Code]) -> TableCheck:
    """Propose what the states of mind of these sides count for, as far as players may know them (arc.txt, V.9)."""
    state = replace(state, chips=tuple(chip for chip in state.chips if not (chip.code and chip.side in moods)))
    for key, code in moods.items():
        if code:
            state = _laid(state, key, Chip(word=code, value=1 if code == EXALTED else -1), proposed=True, code=code)
    return state


def _terms(state: TableCheck, key: str) -> dict[str, Any]:
    """Return the terms of a side's request (table/roll.py)."""
    side = state.side(key)
    terms: dict[str, Any] = {"kind": "opposed" if len(state.sides) > 1 else "check", "other": state.other(key)}
    terms |= {name: value for name, value in (("stat", side.stat), ("skill", side.skill)) if value}
    chips: list[dict[str, Any]] = [
        {"code": chip.code, "value": chip.value} if chip.code else {"word": chip.word, "value": chip.value}
        for chip in state.counting(key)
    ]
    if steps := state.steps_larger(key):
        chips.append({"code": "size", "value": steps})
    terms |= {"chips": chips} if chips else {}
    if len(state.sides) > 1:
        other = state.sides[1 - KEYS.index(key)]
        return terms | {"versus": {"name": other.name, "acts": key == KEYS[0]}}
    return terms | {"level": state.level.value, "threshold": state.threshold}


def _open_chips(state: TableCheck) -> list[str]:
    return [] if state.is_over else [chip.key for chip in state.chips if not state.side(chip.side).has_rolled]


def _proposed(state: TableCheck) -> list[str]:
    return [key for key in _open_chips(state) if state.chip(key).proposed]


def _as_laid(state: TableCheck, key: str) -> tuple[Any, ...]:
    return (state.chip(key),)


def _announced(state: TableCheck) -> bool:
    return state.announced and not state.is_over


def _to_be_set(state: TableCheck) -> bool:
    return not state.has_rolled and not state.is_over


def _set_at_once(state: TableCheck) -> bool:
    """Return whether one press sets an announced check; changing it afterwards takes the form."""
    return _announced(state) and not state.has_rolled


def _as_set(state: TableCheck) -> tuple[Any, ...]:
    against = tuple(side.name for side in state.sides[1:])
    return state.announced, state.level, state.threshold, state.fight, against


def _takes_part(state: TableCheck, who: Actor) -> bool:
    return who.is_gm or any(who.plays(side.character) for side in state.sides)


def _alone(state: TableCheck, **changed: Any) -> TableCheck:
    """Return the check of the first side against a threshold, which is asked for from then on."""
    kept = tuple(chip for chip in state.chips if chip.side == KEYS[0])
    plain = replace(state, sides=state.sides[:1], chips=kept, fight=False, opposed=False, announced=False)
    return replace(plain, **changed)


class CheckRules(ProcedureRules[TableCheck]):
    """GMs set it, or let who was announced counter it, and count chips for sides that have not rolled; players propose chips."""

    state = TableCheck

    def start(self, given: Values) -> TableCheck:
        """Begin with `given`, its fields, in `words` chips of the first side as Chips, which only propose where it is
        announced, and in `moods` those of the sides, which always do."""
        fields = dict(given)
        chips: Sequence[Chip] = fields.pop("words", ())
        moods: Sequence[Code] = fields.pop("moods", ())
        state = TableCheck(**fields)
        for chip in chips:
            state = _laid(state, KEYS[0], chip, proposed=state.announced)
        return _with_moods(state, dict(zip(KEYS, moods, strict=False)))

    @act("chip", by=_takes_part, when=lambda state: not state.is_over, asks=True)
    def lay_chip(self, state: TableCheck, step: Act) -> TableCheck:
        return _chip(state, step.by, step.values)

    @act(each=_proposed, terms=_as_laid, tried=False)
    def count(self, state: TableCheck, step: Act, key: str) -> TableCheck:
        chips = (replace(chip, proposed=False) if chip.key == key else chip for chip in state.chips)
        after = replace(state, chips=tuple(chips))
        after.other(state.chip(key).side)  # refuses what special rules do not add up to
        return after

    @act(each=_open_chips, terms=_as_laid)
    def drop(self, state: TableCheck, step: Act, key: str) -> TableCheck:
        return replace(state, chips=tuple(chip for chip in state.chips if chip.key != key))

    @act(when=lambda state: _set_at_once(state) and len(state.sides) > 1)
    def countered(self, state: TableCheck, step: Act) -> TableCheck:
        return replace(state, announced=False)

    @act(LEVEL, when=_set_at_once, each=lambda state: Level)
    def set_level(self, state: TableCheck, step: Act, level: Level) -> TableCheck:
        return _alone(state, level=level, threshold=None)

    @act("set", when=_to_be_set, terms=_as_set, asks=True)
    def set_terms(self, state: TableCheck, step: Act) -> TableCheck:
        """Say how hard it is."""
        side = replace(state.sides[0], **step.values["names"])
        return _alone(state, sides=(side,), level=step.values["level"], threshold=step.values["threshold"])

    @act(when=_to_be_set, terms=_as_set, asks=True)
    def oppose(self, state: TableCheck, step: Act) -> TableCheck:
        """Say who counters it."""
        sides, fight = (state.sides[0], step.values["side"]), step.values["fight"]
        now = replace(state, sides=sides, fight=fight, opposed=True, announced=False)
        return _with_moods(now, {KEYS[1]: step.values.get("mood", "")})

    @act(by=lambda state, who: who.plays(state.sides[0].character), when=_announced)
    def withdraw(self, state: TableCheck, step: Act) -> TableCheck:
        return replace(state, withdrawn=True)

    def requests(self, state: TableCheck) -> Sequence[Asked]:
        """Return the roll of each side, once a GM has set it; in an opposed check both at once."""
        open_sides = zip(KEYS, state.sides, strict=False) if state.asked_for and not state.is_over else ()
        return [
            Asked(part=RollPart(key), terms=_terms(state, key), character=side.character)
            for key, side in open_sides
            if not side.has_rolled
        ]

    def on_answers(self, state: TableCheck, answers: Sequence[Answer]) -> TableCheck:
        """Record which sides have rolled. The roll that falls last says who has succeeded: higher does, a tie fails (arc.txt,
        V.8)."""
        results = {answer.part.name: str(answer.outcome["result"]) for answer in answers}
        decided = next(((part, result) for part, result in results.items() if result != OPEN_SIDE), None)
        if decided and len(state.sides) > 1:
            part, result = decided
            against = FAILURE if result == SUCCESS else SUCCESS
            results = {key: result if key == part else against for key in KEYS}
        sides = (replace(side, result=results.get(key, "")) for key, side in zip(KEYS, state.sides, strict=False))
        return replace(state, sides=tuple(sides))

    def reads(self, state: TableCheck, seen: Snapshot) -> TableCheck:
        """Return the state by the sizes of the sheets and the thresholds of the campaign as they are now; a side that has rolled
        stays as it was."""
        settings = seen.settings or DEFAULTS
        sheets = {character: seen.sheets[character] for character in self.played(state) if character in seen.sheets}
        sides = tuple(
            replace(side, size=Size(sheets[side.character].values.get("size", side.size)))
            if side.character in sheets and sheets[side.character].system == "arc" and not state.has_rolled
            else side
            for side in state.sides
        )
        return replace(state, sides=sides, thresholds=settings.thresholds, sizes_count=settings.sizes_count)

    def waiting(self, state: TableCheck) -> Sequence[tuple[str, str]]:
        if state.is_over:
            return ()
        if state.announced:
            if len(state.sides) > 1:
                waits = _("to let {name} counter it, or set the difficulty").format(name=state.sides[1].called)
                return [("", waits)]
            return [("", _("to say who counters it") if state.opposed else _("to set the difficulty"))]
        return [(asked.part.name, _("to roll")) for asked in self.requests(state)]

    def is_over(self, state: TableCheck) -> bool:
        return state.is_over

    def parties(self, state: TableCheck) -> Parties:
        """Return the sides by their keys, and chips, which nobody plays, by their words."""
        sides = zip(KEYS, state.sides, strict=False)
        return {chip.key: (chip.called, None) for chip in state.chips} | {
            key: (side.name, side.character) for key, side in sides
        }
