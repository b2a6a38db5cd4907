"""A check that the table settles: it is called or announced, a GM says how hard it is or who counters it, what speaks for and
against each side is counted, and then those sides roll (arc.txt, V.8, V.9).

No score, total or margin is in here: of a side it holds what everyone at the table may know. What the dice come to is read by
the rolls themselves (rulesets/arc/table.py), of which the one that falls last tells who has succeeded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Annotated, Any, Final

from pydantic import BaseModel

from campaigns.schema import Code, Name, Uid
from campaigns.text import signed
from languages.text import gettext_lazy, pgettext_lazy
from rolls.stage import Entry, Mark, Staged
from rolls.stage import Side as StageSide
from rules.acting import OPEN, AsRead, Between, OneOf, Procedure, Unasked, Waits, act, anyone
from rules.messages import Words, capital, joined, worded
from rules.messages import gettext as _
from rules.procedures import RECOUNTED, ROLLED, SOMEONE, Answer, Asked, Button, RollPart, named
from rules.table import Refused, Table
from rulesets.arc import terms
from rulesets.arc.rules.body import Size, size_steps
from rulesets.arc.rules.check import (
    EXALTED,
    FAILURE,
    HUGE,
    LARGEST_SPECIAL,
    LONGEST_WORD,
    SUCCESS,
    UNDECIDED,
    Chip,
    Typed,
    counted,
    mood,
    threshold_of,
)
from rulesets.arc.rules.tracker import LONGEST_NAME, Turns
from rulesets.arc.settings import LEVEL_LABELS, LEVEL_WORDS, THRESHOLDS, Level, Settings
from rulesets.arc.sheet import STAT_WORDS, Person
from rulesets.arc.terms import (
    LONGEST_LIST,
    SET_BY_GM,
    ArcInput,
    Kind,
    Skill,
    check_words,
    chip_line,
    chip_words,
    keep_out,
    named_traits,
)

KEYS: Final = ("a", "b")
"""The keys of the side that acts and the side that counters."""

MOST_CHIPS: Final = 24
RESULTS: Final = {
    UNDECIDED: gettext_lazy("has rolled"),
    SUCCESS: gettext_lazy("success"),
    FAILURE: gettext_lazy("failure"),
}
TOLD: Final = {
    SUCCESS: (
        gettext_lazy("{name} succeeded against {other}."),
        gettext_lazy("Counted again: {name} succeeded against {other}."),
    ),
    FAILURE: (
        gettext_lazy("{name} failed against {other}."),
        gettext_lazy("Counted again: {name} failed against {other}."),
    ),
}
ANNOUNCED: Final = gettext_lazy("{name} announced a check: {check}.")
CALLED: Final = gettext_lazy("{name} has a check: {check}.")
SET: Final = gettext_lazy("{name}’s check was set: {check}.")
VALUES: Final = {
    1: gettext_lazy("+1, advantage"),
    -1: gettext_lazy("−1, disadvantage"),
    2: gettext_lazy("+2, huge advantage"),
    -2: gettext_lazy("−2, huge disadvantage"),
}
NO_CHIPS: Final = Typed()


class Side(BaseModel):
    """A side that rolls: a character by its id, or a person the GM plays. `stat` is a code, `skill` a name; "" leaves
    it to who rolls. `result` is "open" for a side that rolled before the other, then "success" or "failure".
    """

    name: Name
    character: Uid | None = None
    stat: Code = ""
    skill: Name = ""
    size: Size = Size.MEDIUM
    result: Code = ""

    @property
    def called(self) -> Words:
        return _(SOMEONE) if self.name == SOMEONE else self.name

    @property
    def what(self) -> Words:
        """Return words such as "Control + Tamper"."""
        return check_words(self.stat, self.skill) or _("a check")


class Laid(BaseModel):
    """A chip at a side ("a", "b"); a `proposed` one does not count until a GM counts it. One of ours has a `code`."""

    id: Code
    side: Code
    word: Name
    value: int
    proposed: bool = False
    code: Code = ""

    @property
    def chip(self) -> Chip:
        return Chip(word=self.word, value=self.value, code=self.code)

    @property
    def called(self) -> Words:
        return chip_words(self.chip.written)


def acting(procedure: Check, table: Table) -> list[Person]:
    """Return those in play whom players know of; for players, whom they play."""
    return [one for one in table.all(Person) if one.in_play and not one.hidden and table.by.plays(one.id)]


def level_words(table: Table, level: Level) -> Words:
    """Return a level with its threshold in this campaign: "Average 9"."""
    return joined(" ", (worded(LEVEL_LABELS[level]), str(threshold_of(level, table.settings))))


def open_chips(procedure: Check, table: Table) -> list[Laid]:
    return [chip for chip in procedure.chips if not procedure.over and not procedure.keyed[chip.side].result]


def as_laid(procedure: Check, table: Table, chip: Laid) -> Laid:
    return chip


def is_announced(procedure: Check, table: Table) -> bool:
    return procedure.announced and not procedure.over


def to_be_set(procedure: Check, table: Table) -> bool:
    return not procedure.has_rolled and not procedure.over


def as_set(procedure: Check, table: Table) -> tuple[Any, ...]:
    others = [side.name for side in procedure.sides[1:]]
    return procedure.announced, procedure.difficulty, procedure.threshold, procedure.fight, others


Whom = OneOf(acting, gettext_lazy("someone else"))
Called = Annotated[str, AsRead(LONGEST_NAME), gettext_lazy("Or a name")]
STATS: Final = OneOf.of(STAT_WORDS, gettext_lazy("the skill’s stat"))
Stat = Annotated[terms.Stat, STATS]
Hard = Annotated[
    Level,
    OneOf(lambda check, table: ((level, level_words(table, level)) for level in Level)),
    gettext_lazy("Threshold"),
]
Threshold = Annotated[int | None, Between(*THRESHOLDS), gettext_lazy("Another number")]
Fight = Annotated[bool, gettext_lazy("In a fight: sizes count")]


class Check(Procedure):
    """One side against a threshold (0 to 100; None uses that of the `difficulty`), or the first side against the second.

    In a `fight` the difference in size counts for both. While it is `announced` nobody may roll. `chip_number` is that of the
    newest chip. GMs set it, or let who was announced counter it, and count chips for sides that have not rolled; players propose
    chips.
    """

    label = pgettext_lazy("a roll of VI-VIII-X", "Check")
    against = ("character", "")

    sides: list[Side] = []
    difficulty: Level = Level.AVERAGE
    threshold: int | None = None
    fight: bool = False
    opposed: bool = False
    announced: bool = False
    withdrawn: bool = False
    chips: list[Laid] = []
    chip_number: int = 0

    @act(label, says=lambda self, table: ANNOUNCED if self.announced else CALLED, by=anyone)
    def open(
        self,
        table: Table,
        *,
        character: Annotated[Person | None, Whom, gettext_lazy("Who acts")] = None,
        name: Called = "",
        stat: Stat = "",
        skill: Skill = "",
        other: Annotated[Typed, AsRead(LONGEST_LIST), gettext_lazy("Adjustments, such as: rain -1")] = NO_CHIPS,
        level: Hard = Level.AVERAGE,
        threshold: Threshold = None,
        against: Annotated[
            Person | None, OneOf(acting, gettext_lazy("no one")), gettext_lazy("Or choose an opponent")
        ] = None,
        against_name: Annotated[str, AsRead(LONGEST_NAME), gettext_lazy("Or an opponent’s name")] = "",
        against_stat: Annotated[Stat, gettext_lazy("The opponent’s stat")] = "",
        against_skill: Annotated[Skill, gettext_lazy("The opponent’s skill")] = "",
        fight: Fight = False,
        opposed: Annotated[bool, Unasked()] = False,
        **begun: Sequence[Mapping[str, Any]],
    ) -> Mapping[str, Words]:
        """Begin it with who acts, and what speaks for it or against it; a GM says how hard it is as well, or who counters it. The
        rules begin it with its `sides`."""
        is_gm = table.by.is_gm
        self.announced, self.difficulty, self.threshold = not is_gm, level, threshold
        if there := begun.get("sides"):
            self.sides = [Side.model_validate(one) for one in there]
            self.announced = self.announced and not fight
        else:
            opponent = {"against": against, "against_name": against_name.strip()}
            theirs = {"against_stat": against_stat, "against_skill": against_skill, "fight": fight}
            hard = {"level": level is not Level.AVERAGE, "threshold": threshold is not None}
            for field, value in {**hard, **opponent, **theirs}.items():
                if value and not is_gm:
                    raise Refused(worded(SET_BY_GM), field)
            self.sides = [self._side(table, character, name, stat, skill)]
            if character and not is_gm:
                keep_out(character, table.settings, acts=True)
            if any(opponent.values()):
                self.sides.append(self._side(table, against, against_name, against_stat, against_skill, "against_"))
        self.opposed = opposed or len(self.sides) > 1
        self.fight = fight and len(self.sides) > 1
        self._check_sides()
        if other.total and not other.chips:
            raise Refused(_("Also say what it is, for example: higher ground +1, rain -1."), "other")
        for chip in other.chips:
            self._lay(table, KEYS[0], chip, proposed=self.announced)
        self._propose_moods(table, *self.keyed)
        return self.line_names(table)

    @act(
        gettext_lazy("Add adjustment"),
        by=lambda self, who: any(who.plays(side.character) for side in self.sides),
        when=lambda self, table: not self.over,
    )
    def chip(
        self,
        table: Table,
        *,
        side: Annotated[
            str, OneOf(lambda check, table: ((key, side.called) for key, side in check.keyed.items()))
        ] = KEYS[0],
        word: Annotated[str, AsRead(LONGEST_WORD)] = "",
        value: Annotated[int, OneOf.of(VALUES)] = 1,
        special: Annotated[
            int | None, Between(-LARGEST_SPECIAL, LARGEST_SPECIAL), gettext_lazy("Special rule value")
        ] = None,
    ) -> None:
        """Say one thing that speaks for a side or against it; `special` is what a special rule adds, for GMs."""
        chip = Chip(word=word.strip(), value=value if special is None else special)
        if abs(chip.value) > HUGE and not table.by.is_gm:
            message = _("Only the GM adds what special rules give. Propose +1 or −1, or 2 for something huge.")
            raise Refused(message, "value")
        self._lay(table, side, chip, proposed=not table.by.is_gm)

    @act(
        gettext_lazy("Count it"),
        each=lambda self, table: [chip for chip in open_chips(self, table) if chip.proposed],
        terms=as_laid,
        tried=False,
    )
    def count(self, table: Table, chip: Laid) -> None:
        chip.proposed = False
        self.other(table, chip.side)  # refuses what special rules do not add up to

    @act(gettext_lazy("Remove it"), each=open_chips, terms=as_laid)
    def drop(self, table: Table, chip: Laid) -> None:
        self.chips.remove(chip)

    @act(
        lambda self, table: _("Let {name} counter", name=self.sides[1].called),
        says=SET,
        when=lambda self, table: is_announced(self, table) and not self.has_rolled and len(self.sides) > 1,
    )
    def countered(self, table: Table) -> None:
        self.announced = False

    @act(
        lambda self, table, level: level_words(table, level),
        says=SET,
        when=lambda self, table: is_announced(self, table) and not self.has_rolled,
        each=lambda self, table: Level,
    )
    def level(self, table: Table, level: Level) -> None:
        """Set an announced check with one press; changing it afterwards takes the form."""
        self._alone(level, None)

    @act(
        lambda self, table: _("Set another threshold") if self.announced else _("Change check"),
        says=SET,
        when=to_be_set,
        terms=as_set,
    )
    def set(
        self,
        table: Table,
        *,
        stat: Stat = "",
        skill: Skill = "",
        level: Hard = Level.AVERAGE,
        threshold: Threshold = None,
    ) -> None:
        """Say how hard it is, and of what another stat or skill."""
        side = self.sides[0]
        side.stat, side.skill = named_traits(stat, skill)
        self._alone(level, threshold)

    @act(
        lambda self, table: _("Change opponent") if len(self.sides) > 1 else _("Choose opponent"),
        says=SET,
        when=to_be_set,
        terms=as_set,
    )
    def oppose(
        self,
        table: Table,
        *,
        character: Annotated[Person | None, Whom, gettext_lazy("Opponent")] = None,
        name: Called = "",
        stat: Stat = "",
        skill: Skill = "",
        fight: Fight = False,
    ) -> Mapping[str, Words]:
        """Say who counters it, with what, and whether it is a fight, where sizes count."""
        self.sides = [self.sides[0], self._side(table, character, name, stat, skill)]
        self.fight, self.opposed, self.announced = fight, True, False
        self._check_sides()
        self._propose_moods(table, KEYS[1])
        return self.line_names(table)

    @act(
        gettext_lazy("Cancel check"),
        says=gettext_lazy("{name}’s check was cancelled: {check}."),
        by=lambda self, who: who.plays(self.sides[0].character),
        when=is_announced,
    )
    def withdraw(self, table: Table) -> None:
        self.withdrawn = True

    def so_far(self, act: str, table: Table, *target: Any) -> Mapping[str, Any]:
        """Return what is named of the side that a form is about; most opposed checks in an event in turns are part of a fight."""
        fights = bool(table.all(Turns))
        if act == OPEN:
            return {"other": "", "fight": fights}
        if act == "set":
            hard = {"level": self.difficulty, "threshold": self.threshold}
            return hard | self.sides[0].model_dump(include={"stat", "skill"})
        there = self.sides[1:]
        named = there[0].model_dump(include={"character", "stat", "skill"}) if there else {}
        return named | {
            "name": there[0].called if there and not there[0].character else "",
            "fight": self.fight or (fights and not there),
        }

    # Its state

    @property
    def keyed(self) -> dict[str, Side]:
        return dict(zip(KEYS, self.sides, strict=False))

    @property
    def asked_for(self) -> bool:
        return not self.announced and not self.withdrawn

    @property
    def has_rolled(self) -> bool:
        return any(side.result for side in self.sides)

    def settle(self, table: Table) -> None:
        """Go by the sizes of the sheets as they are now, until one has rolled."""
        for side in self.sides:
            who = table.find(Person, side.character or "")
            side.size = who.size if who and not self.has_rolled else side.size
        self.over = self.withdrawn or all(side.result in (SUCCESS, FAILURE) for side in self.sides)

    def steps_larger(self, table: Table, key: str) -> int:
        """Return how many sizes larger the other side is, where that counts: in a fight."""
        if not self.fight or not table.settings.sizes_count or len(self.sides) < len(KEYS):
            return 0
        own, other = self.sides if key == KEYS[0] else reversed(self.sides)
        return size_steps(own.size, other.size)

    def counting(self, key: str) -> list[Laid]:
        return [chip for chip in self.chips if chip.side == key and not chip.proposed]

    def other(self, table: Table, key: str) -> int:
        """Return the other adjustments of a side: its chips, and 1 for each size that the other side is larger (V.9)."""
        return counted(chip.value for chip in self.counting(key)) + self.steps_larger(table, key)

    def adjustments(self, table: Table, key: str) -> list[Chip]:
        """Return the same one by one."""
        steps, laid = self.steps_larger(table, key), [chip.chip for chip in self.counting(key)]
        return [*laid, *([Chip(word="size", value=steps, code="size")] if steps else [])]

    def requests(self, table: Table) -> Sequence[Asked]:
        """Return the roll of each side, once a GM has set it; in an opposed check both at once."""
        there = self.keyed.items() if self.asked_for and not self.over else ()
        return [
            Asked(part=RollPart(key), terms=self._terms(table, key), character=side.character)
            for key, side in there
            if not side.result
        ]

    def on_answers(self, table: Table, answers: Sequence[Answer]) -> None:
        """Record which sides have rolled. The roll that falls last says who has succeeded: higher does, a tie fails (arc.txt,
        V.8)."""
        results = {answer.part.name: str(answer.outcome["result"]) for answer in answers}
        decided = next((part for part, result in results.items() if result != UNDECIDED), None)
        if decided and len(self.sides) > 1:
            against = FAILURE if results[decided] == SUCCESS else SUCCESS
            results = {key: results[decided] if key == decided else against for key in KEYS}
        for key, side in self.keyed.items():
            side.result = results.get(key, "")

    def told_rolls(self, table: Table, *, again: bool) -> Words:
        """Return who has succeeded against whom. What came of a single side is said by its card, as is who is waited for."""
        first, *others = self.sides
        if not others or first.result not in TOLD:
            return ""
        return worded(TOLD[first.result][again], name=first.called, other=others[0].called)

    def stands(self, table: Table) -> Words:
        if len(self.sides) == 1:
            return worded(gettext_lazy("{name}’s check: {check}."), **self.line_names(table))
        return self.told_rolls(table, again=False)

    def waits(self, table: Table) -> Sequence[Waits]:
        if not self.announced:
            asked = (one.part.name for one in self.requests(table))
            those = ((key, self.keyed[key]) for key in asked)
            return [Waits(side.character or "", _("to roll"), side.called, key) for key, side in those]
        if len(self.sides) > 1:
            return [Waits("", _("to let {name} counter it, or set the difficulty", name=self.sides[1].called))]
        return [Waits("", _("to say who counters it") if self.opposed else _("to set the difficulty"))]

    def party(self, table: Table, key: str) -> tuple[str, str | None]:
        """Return a side by its key, and a chip, which nobody plays, by its words."""
        if side := self.keyed.get(key):
            return str(side.called), side.character
        chip = next((chip for chip in self.chips if chip.id == key), None)
        return (str(chip.called), None) if chip else super().party(table, key)

    # How it is seen

    def card(self, table: Table, buttons: Sequence[Button]) -> Staged:
        return Staged(
            above=self.label,
            title=_("{name} against {other}", name=self.sides[0].called, other=self.sides[1].called)
            if len(self.sides) > 1
            else "",
            faces=[side.character for side in self.sides if side.character],
            notes=[self._note(table)],
            sides=[self._side_seen(table, key, buttons) for key in self.keyed],
            offers=[button for button in buttons if button.name in ("chip", "set", "oppose")],
            theirs=[button for button in buttons if button.name == "withdraw"],
            own=[button for button in buttons if button.name in ("countered", "level")],
        )

    @classmethod
    def told_before(cls, state: Mapping[str, Any]) -> Table:
        settings = Settings(thresholds=state["thresholds"], sizes_count=state["sizes_count"])
        kept = {name: value for name, value in state.items() if name in cls.model_fields}
        chips = [{"id": one["key"]} | {name: one[name] for name in one if name != "key"} for one in state["chips"]]
        told = cls.model_validate(kept | {"difficulty": state["level"], "chips": chips})
        return Table([told], settings=settings)

    def line_before(self, table: Table, act: str, whom: str) -> Words:
        if act in (ROLLED, RECOUNTED):
            return self.told_rolls(table, again=act == RECOUNTED)
        act = "level" if act in [*Level] else act
        return super().line_before(table, act, whom) if act in self.acts else self.stands(table)

    # How it is done

    def _side(self, table: Table, who: Person | None, name: str, stat: str, skill: str, at: str = "") -> Side:
        """Return a side: a character with the stat and skill named; or for a GM a person by name."""
        if who is None and not table.by.is_gm:
            raise Refused(_("Choose one of your characters."), "character")
        stat, skill = named_traits(stat, skill, who.values if who else None, at=at)
        if who:
            return Side(name=who.name, character=who.id, size=who.size, stat=stat, skill=skill)
        return Side(name=named(name), stat=stat, skill=skill)

    def _check_sides(self) -> None:
        own, *others = (side.character for side in self.sides)
        if own and own in others:
            raise Refused(_("{name} can’t be on both sides.", name=self.sides[0].called), "against")

    def _lay(self, table: Table, key: str, chip: Chip, *, proposed: bool) -> None:
        side = self.keyed[key]
        if side.result:
            message = _("{name} has already rolled. Nothing more can be added.", name=side.called)
            raise Refused(message, "side")
        if len(self.chips) >= MOST_CHIPS:
            message = _("A check takes at most {most} adjustments. Remove one first.", most=MOST_CHIPS)
            raise Refused(message, "word")
        self.chip_number += 1
        self.chips.append(Laid(id=f"c{self.chip_number}", side=key, proposed=proposed, **asdict(chip)))
        self.other(table, key)  # refuses what special rules do not add up to

    def _propose_moods(self, table: Table, *keys: str) -> None:
        """Propose what the states of mind of these sides count for, as far as players may know them (arc.txt, V.9)."""
        self.chips = [chip for chip in self.chips if not (chip.code and chip.side in keys)]
        for key in keys:
            who = table.find(Person, self.keyed[key].character or "")
            if who and who.is_played and (code := mood(who.som)):
                self._lay(table, key, Chip(word=code, value=1 if code == EXALTED else -1, code=code), proposed=True)

    def _alone(self, level: Level, threshold: int | None) -> None:
        """Make it the check of the first side against a threshold, which is asked for from now on."""
        self.sides = self.sides[:1]
        self.chips = [chip for chip in self.chips if chip.side == KEYS[0]]
        self.fight = self.opposed = self.announced = False
        self.difficulty, self.threshold = level, threshold

    def _terms(self, table: Table, key: str) -> dict[str, Any]:
        """Return the terms of the request for a side."""
        side, others = self.keyed[key], [other for at, other in self.keyed.items() if at != key]
        against = {"versus": {"name": others[0].name, "acts": key == KEYS[0]}} if others else {}
        asked = ArcInput(
            kind=(Kind.OPPOSED if others else Kind.CHECK).value,
            stat=side.stat,
            skill=side.skill,
            other=self.other(table, key),
            chips=tuple(self.adjustments(table, key)),
            level=self.difficulty.value,
            threshold=self.threshold,
        )
        return asked.asked() | against

    def line_names(self, table: Table) -> Mapping[str, Words]:
        """Return who acts, and all of it but who rolls it: "Control + Tamper, average 9, higher ground +1"."""
        chips = (chip_line(chip.written) for chip in self.adjustments(table, KEYS[0]))
        parts = (self.sides[0].what, self._against(table), *chips)
        return {"name": self.sides[0].called, "check": joined(", ", (part for part in parts if part))}

    def _against(self, table: Table) -> Words:
        """Return what has to be exceeded: "average 9", "against Vesper (Intellect + Watch)"."""
        if len(self.sides) > 1:
            other = self.sides[1]
            return _("against {name} ({check})", name=other.called, check=other.what)
        if self.announced:
            return _("opposed") if self.opposed else ""
        if self.threshold is not None:
            return _("threshold {number}", number=self.threshold)
        number = threshold_of(self.difficulty, table.settings)
        return joined(" ", (worded(LEVEL_WORDS[self.difficulty]), str(number)))

    def _note(self, table: Table) -> Words:
        against = self._against(table)
        if self.announced:
            waits = _("The GM hasn’t set the difficulty yet.")
            return joined(". ", (capital(against), waits)) if against else waits
        if self.fight:
            return _("{against}, in a fight.", against=capital(against))
        return joined("", (capital(against), "."))

    def _side_seen(self, table: Table, key: str, buttons: Sequence[Button]) -> StageSide:
        side, steps, total = self.keyed[key], self.steps_larger(table, key), self.other(table, key)
        entries = [
            Entry(
                words=chip.called,
                value=signed(chip.value),
                look="proposed" if chip.proposed else "",
                buttons=[button for button in buttons if button.whom == chip.id],
            )
            for chip in self.chips
            if chip.side == key
        ]
        return StageSide(
            name=side.called,
            character=side.character or "",
            words=side.what,
            marks=[Mark(worded(RESULTS[side.result]))] if side.result else (),
            entries=[*entries, *([Entry(words=_("size"), value=signed(steps))] if steps else [])],
            warnings=[_("Total: {total}.", total=signed(total))] if total else (),
        )
