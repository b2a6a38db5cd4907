"""An event in turns as it stands: who takes part, in which order, who has to roll a Reaction check, and who falls (arc.txt, V.1
to V.6). Its acts are in procedures/tracker.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from itertools import groupby
from typing import Any, Final

from pydantic import BaseModel

from campaigns import schema
from campaigns.schema import Code, Name
from characters.sheets.fields import SheetError
from languages.text import gettext_lazy, in_every_language
from rules.acting import Procedure
from rules.messages import Words, joined, ngettext, worded
from rules.messages import gettext as _
from rules.table import Refused, Table
from rulesets.arc import sheet
from rulesets.arc.rules.body import IMMOBILE, Size, movement
from rulesets.arc.rules.check import COMBAT_OCCASIONS, OTHER_OCCASIONS, SUCCESS, actions_in_turn
from rulesets.arc.settings import SCORES, Burden, Settings
from rulesets.arc.sheet import Person

MOST_PARTICIPANTS: Final = 40
LONGEST_NAME: Final = 80
SECONDS: Final = 6
"""In a turn (arc.txt, V.1)."""
CENTIMETRES: Final = 100
PERCEPTION: Final = "Perception"
WITHOUT_PERCEPTION: Final = 1
"""The Perception of those without the skill, the least there is: our decision."""
ENEMIES: Final = 2
"""So many who attack the same one are an occasion."""
AMBUSHED, FIRST_FALLS, HALF_DEAD, CORNERED, ATTACKED = "ambushed", "first_falls", "half_dead", "cornered", "attacked"
OTHERS: Final = ("hurried", "threatened", "witnesses", "against_morality")
OCCASIONS: Final = dict(
    zip(
        (AMBUSHED, FIRST_FALLS, HALF_DEAD, CORNERED, ATTACKED, *OTHERS),
        (*COMBAT_OCCASIONS, *OTHER_OCCASIONS),
        strict=True,
    )
)
"""Words by their codes, those of a fight first."""


class Mind(StrEnum):
    AWARE = "aware"
    SURPRISED = "surprised"
    """Unaware of what goes on: takes part from the next turn on (arc.txt, V.6)."""
    UNCONSCIOUS = "unconscious"
    DEAD = "dead"

    @property
    def is_down(self) -> bool:
        return self in (Mind.UNCONSCIOUS, Mind.DEAD)


class Status(StrEnum):
    """A participant's stage in this turn."""

    TO_ACT = "to_act"
    HOLDING = "holding"
    """Their place came, and they wait for a better moment in this turn."""
    COMING_IN = "coming_in"
    """They held, and declare now, before all others."""
    DECLARED = "declared"
    DONE = "done"
    SKIPPED = "skipped"
    """A GM has gone on without them."""
    ARRIVING = "arriving"
    """They have just arrived, and their place in the order is not yet settled."""
    NEXT_TURN = "next_turn"
    """They came when their place in this turn was past."""


class Begun(StrEnum):
    """The choices of the surprised about the action they had begun: nothing else is open to them (arc.txt, V.6)."""

    GOES_ON = "goes_on"
    DROPPED = "dropped"


class Side(StrEnum):
    """The side that a participant is on; those of one side are allies."""

    PARTY = "party"
    FOES = "foes"

    @property
    def label(self) -> str:
        return SIDES[self]


SIDES: Final = {Side.PARTY: gettext_lazy("the players’ side"), Side.FOES: gettext_lazy("the other side")}

BURDENS: Final = {
    Burden.LIGHT: gettext_lazy("light burden"),
    Burden.MEDIUM: gettext_lazy("medium burden"),
    Burden.HEAVY: gettext_lazy("heavy burden"),
    Burden.OVERLOADED: gettext_lazy("overloaded"),
}


class Skill(BaseModel):
    """A skill of a sheet by its name, and the code of the stat that it goes with."""

    stat: Code
    skill: Name


class Declared(BaseModel):
    """What somebody has declared for this turn, in `words` or as one who `attacks`, with which `skills`, `against` whom of the
    others; `checked` is how many of these actions have led to a check, and `defences` how many of them are kept to defend, of
    which `defended` are used up."""

    words: schema.Text = ""
    attacks: bool = False
    actions: int = 0
    moves: int = 0
    against: list[Code] = []
    begun: Begun | None = None
    skills: list[Skill] = []
    checked: int = 0
    defences: int = 0
    defended: int = 0

    @property
    def has_declared(self) -> bool:
        return self.attacks or bool(self.words)


class Participant(Declared):
    """A participant: `key` is unique; a `character` by its id, or a nameless one whose figures were typed.

    `som`, `empathy`, `perception` are 1 to 10, None where the reader may not know them; `most` are the actions that a
    nameless one's ES gives. `reach` is the movement of a turn in centimetres, with its `burden`. `rolls` are all their
    d10 against equals. `size` is that of a nameless one.
    """

    key: Code = ""
    name: Name
    character: Code | None = None
    played: bool = False
    """Whether a player plays them."""
    side: Side = Side.FOES
    som: int | None = 5
    empathy: int | None = 5
    perception: int | None = 5
    most: int | None = None
    reach: int | None = None
    burden: Burden | None = None
    mind: Mind = Mind.AWARE
    rolls: list[int] = []
    status: Status = Status.TO_ACT
    size: Size | None = None

    @property
    def id(self) -> str:
        return self.key

    @property
    def scores(self) -> tuple[int, int, int]:
        return self.som or 0, self.empathy or 0, self.perception or 0

    @property
    def place(self) -> tuple[Any, ...]:
        """Return where they stand in the order. The key is with the name, since two may be called the same on their sheets."""
        return self.scores, self.rolls, f"{self.name} {self.key}"

    @property
    def reach_words(self) -> Words:
        """Return words such as "6 m, medium burden"."""
        if self.reach is None or self.burden is None:
            return ""
        if self.burden is Burden.IMMOBILE:
            return _("immobile: carrying too much")
        metres = f"{self.reach / CENTIMETRES:g} m"
        return metres if self.burden is Burden.NONE else joined(", ", (metres, worded(BURDENS[self.burden])))

    def declares(self, **what: Any) -> None:
        for name, value in vars(Declared(**what)).items():
            setattr(self, name, value)


class Move(BaseModel):
    """A GM's move of a participant before another one, or to the end (`before` ""), for this turn."""

    key: Code
    before: Code


class Reaction(BaseModel):
    """A Reaction check in this turn: `held` is its result, None before. The procedure rolls those that are `made`;
    players roll the others.
    """

    part: Code
    key: Code
    occasion: Code
    made: bool
    held: bool | None = None


class Arisen(BaseModel):
    """An occasion for Reaction checks of those in `whom`; a GM says whether they check."""

    occasion: Code
    whom: list[Code]

    @property
    def id(self) -> str:
        return self.occasion


class Outcome(BaseModel):
    """A result of something in this turn, applied at its end: in words, on `whom` ("": on nobody in particular), whose
    SOM it raises by `som`, and who `becomes` unconscious or dead.
    """

    number: int
    words: schema.Text
    whom: Code = ""
    som: int = 0
    becomes: Mind | None = None


class Fought(BaseModel):
    """A `check` that the participant `who` made in a `turn`, by its id, against the participant `whom` if any ("": against nobody
    who takes part), with its `result` once there is one. `attack` is whether it counts as one on them, `said` whether what comes
    of it has been said.
    """

    check: Code
    turn: int
    who: Code
    whom: Code = ""
    result: Code = ""
    attack: bool = False
    said: bool = False

    @property
    def id(self) -> str:
        return self.check


class Turns(Procedure):
    """An event in turns, in its `nth`, with its `participants` in the order of declaration, those who miss this turn after the
    others. `number` is how many participants there have been, `asked` how many checks and outcomes, so that no key is used twice.
    `apart`: all declare first, then all act.

    `fought` are the checks of participants. `fallen` are the sides whose first member has fallen already, `beaten` those that
    have lost more than half.
    """

    participants: list[Participant] = []
    number: int = 0
    nth: int = 1
    apart: bool = False
    moves: list[Move] = []
    checks: list[Reaction] = []
    asked: int = 0
    arisen: list[Arisen] = []
    outcomes: list[Outcome] = []
    fallen: list[Side] = []
    beaten: list[Side] = []
    fought: list[Fought] = []

    @property
    def checked_now(self) -> list[Fought]:
        """Return the checks of this turn."""
        return [one for one in self.fought if one.turn == self.nth]

    @property
    def won(self) -> list[Fought]:
        """Return the checks of this turn that have succeeded, and of which it has yet to be said what comes of them."""
        return [one for one in self.checked_now if one.result == SUCCESS and not one.said]

    @property
    def seconds(self) -> tuple[int, int]:
        """Return the seconds at which this turn begins and ends, counted from the beginning of the event."""
        return (self.nth - 1) * SECONDS, self.nth * SECONDS

    @property
    def current(self) -> Participant | None:
        """Return the one whose declaration or action it is; None when all have acted, hold, or take no part."""
        there = [one for one in self.participants if self.takes_part(one)]
        first = {status: next((one for one in there if one.status is status), None) for status in Status}
        declaring = first[Status.COMING_IN] or first[Status.TO_ACT]
        acting = first[Status.DECLARED]
        return declaring or acting if self.apart else acting or declaring

    def takes_part(self, one: Participant) -> bool:
        """Return whether they are part of this turn's declarations."""
        return one.mind is Mind.AWARE and not self.lost(one)

    def lost(self, one: Participant) -> bool:
        """Return whether a failed Reaction check has cost them this turn."""
        return any(check.key == one.key and check.held is False for check in self.checks)

    def pending(self, one: Participant) -> bool:
        """Return whether they still have to roll a Reaction check."""
        return any(check.key == one.key and check.held is None for check in self.checks)

    def found(self, key: str) -> Participant:
        return next(one for one in self.participants if one.key == key)

    def names(self, keys: Sequence[str]) -> str:
        """Return the names of those of some keys who are there: "Mo, Iva"."""
        return ", ".join(one.name for one in self.participants if one.key in keys)

    def now(self, *statuses: Status) -> list[Participant]:
        """Return whose turn it is, if their stage is one of these and they have no check to roll first; else []."""
        return [one for one in self.whose_turn() if not self.pending(one) and one.status in statuses]

    def whose_turn(self) -> list[Participant]:
        return [self.current] if self.current else []

    def to_declare(self) -> list[Participant]:
        return self.now(*(status for status in Status if status is not Status.DECLARED))

    def has_acted(self, one: Participant) -> bool:
        """Return whether they have declared something for this turn, or made a check in it."""
        return one.has_declared or any(check.who == one.key for check in self.checked_now)

    def attacked(self) -> list[Participant]:
        """Return those whom the one who acts now is against, and who have yet to declare: they may defend (arc.txt, V.6)."""
        there = [self.found(key) for one in self.now(Status.DECLARED) for key in one.against]
        waits = (Status.TO_ACT, Status.HOLDING)
        return [one for one in there if one.status in waits and self.takes_part(one) and not self.pending(one)]

    def surprised(self) -> list[Participant]:
        return [one for one in self.participants if one.mind is Mind.SURPRISED and one.begun is None]

    def may_come_in(self, one: Participant) -> bool:
        now = self.current
        waits = now is None or now.status is Status.TO_ACT
        return one.status is Status.HOLDING and waits and self.takes_part(one)

    def may_resolve(self, one: Participant) -> bool:
        """Return whether a declared action of the participant has yet to lead to its check."""
        if not one.has_declared or one.checked >= one.actions - one.defences or self.pending(one):
            return False
        if one.begun is Begun.GOES_ON:
            return True
        had = one.status is Status.DONE or (one.status is Status.DECLARED and one is self.current)
        return had and self.takes_part(one)

    def told(self, outcome: Outcome) -> Outcome:
        """Return an outcome as players may know it."""
        npc = any(one.key == outcome.whom and not one.played for one in self.participants)
        return outcome.model_copy(update={"som": 0}) if npc else outcome

    def shown(self) -> Turns:
        """Return it without secrets: no scores, nor NPCs' reach and changes of SOM. Skills are told with the check that they lead
        to."""
        for one in self.participants:
            one.som = one.empathy = one.perception = one.most = None
            one.skills = []
            if not one.played:
                one.reach = one.burden = one.size = None
        self.outcomes = [self.told(outcome) for outcome in self.outcomes]
        return self

    # Who comes, falls and goes

    def _come(
        self,
        table: Table,
        takes_part: Sequence[str],
        ambush: Side | None,
        allies: Sequence[Person],
        lines: Sequence[Mapping[str, Any]],
        status: Status,
    ) -> None:
        """Let participants come: characters as "aware:<id>", and kinds of nameless ones. The startled, and all of a Side met by
        an `ambush`, act at once only if a Reaction check succeeds. If some arrive surprised, the others of their side may have to
        check as well."""
        come, startled = [], set()
        for one, how in (*self._characters(table, takes_part, allies), *_nameless(lines, table.settings)):
            self._add(one, status)
            come.append(one)
            if how == AMBUSHED:
                startled.add(one.key)
            else:
                self._becomes(table, one, Mind(how))
        self._sort(table)
        startled |= {one.key for one in self.participants if one.side is ambush}
        self._ask(AMBUSHED, sorted(startled, key=int))
        met = {one.side for one in come if one.mind is Mind.SURPRISED}
        whom = [one for one in come if one.side in met and one.mind is Mind.AWARE]
        self._arise(AMBUSHED, [one.key for one in whom if not self._has_checked(one, AMBUSHED)])

    def _characters(
        self, table: Table, takes_part: Sequence[str], allies: Sequence[Person]
    ) -> Iterator[tuple[Participant, str]]:
        friends = {one.id for one in allies}
        for chosen in takes_part:
            how, _colon, wanted = chosen.partition(":")
            who = table.get(Person, wanted)
            side = Side.PARTY if who.is_played or wanted in friends else Side.FOES
            one = Participant(name=who.name, character=who.id, played=who.is_played, side=side)
            self._go_by(table, one, who)
            yield one, Mind.UNCONSCIOUS.value if who.unconscious else how

    def _add(self, one: Participant, status: Status) -> None:
        if len(self.participants) >= MOST_PARTICIPANTS:
            raise Refused(_("At most {most} can take part at once.", most=MOST_PARTICIPANTS), "takes_part")
        names = {other.name for other in self.participants}
        if one.name in names or one.character in {other.character or "" for other in self.participants}:
            message = _("{name} is already taking part. Give everyone a different name.", name=one.name)
            raise Refused(message, "name")
        self.number += 1
        one.key, one.status = str(self.number), status
        self.participants.append(one)

    def _remove(self, gone: set[str]) -> None:
        """Go on as if some participants had never been there; their earlier outcomes stay."""
        self.participants = [one for one in self.participants if one.key not in gone]
        for one in self.participants:
            one.against = [key for key in one.against if key not in gone]
        for arisen in self.arisen:
            arisen.whom = [key for key in arisen.whom if key not in gone]
        self.arisen = [arisen for arisen in self.arisen if arisen.whom]
        self.moves = [move for move in self.moves if not {move.key, move.before} & gone]
        self.checks = [check for check in self.checks if check.key not in gone]
        self.outcomes = [outcome for outcome in self.outcomes if outcome.whom not in gone]
        self.fought = [one for one in self.fought if not {one.who, one.whom} & gone]

    def _go_by(self, table: Table, one: Participant, who: Person) -> None:
        """Let a participant be as their sheet says; who wakes up acts from the next turn on (arc.txt, V.6)."""
        if who.dead:
            if one.mind is not Mind.DEAD:
                self._falls(one, Mind.DEAD)
            return
        one.name = who.name[:LONGEST_NAME]
        body = sheet.body(who.values)
        one.perception = perception(who.values)
        one.som, one.empathy = who.som, who.empathy
        one.reach = int(body.movement(table.settings).metres * CENTIMETRES)
        one.burden = body.load(table.settings).burden
        if who.unconscious and not one.mind.is_down:
            self._falls(one, Mind.UNCONSCIOUS)
        elif not who.unconscious and one.mind is Mind.UNCONSCIOUS:
            one.mind, one.begun = Mind.SURPRISED, Begun.DROPPED

    def _becomes(self, table: Table, one: Participant, mind: Mind) -> None:
        """Set somebody's state of mind, and mark a character unconscious or not on the sheet."""
        one.mind = mind
        if who := table.find(Person, one.character or ""):
            who.unconscious = mind is Mind.UNCONSCIOUS

    def _falls(self, one: Participant, mind: Mind) -> None:
        one.mind, one.begun, one.against = mind, None, []
        self._waive(one)

    def _shift(self, table: Table, one: Participant, by: int) -> None:
        """Let a SOM rise or fall; that of a character is written on the sheet."""
        lowest, highest = SCORES
        one.som = min(highest, max(lowest, (one.som or lowest) + by))
        if who := table.find(Person, one.character or ""):
            who.som = one.som

    def _minds(self) -> dict[str, Mind]:
        return {one.key: one.mind for one in self.participants}

    # What they declare

    def _declare(
        self, table: Table, who: Participant, words: str, actions: int, skills: Sequence[str], moves: int = 0
    ) -> None:
        """Declare so many actions and metres, with the skills of these addresses; without words, attacks. Raises a RuleError for
        more than the ES and the movement allow."""
        self._must_be_able(table, who)
        person = table.find(Person, who.character or "")
        rows = [sheet.find_skill(person.values, one.partition(":")[2]) for one in skills] if person else []
        most = who.most or 0 if who.character is None else 1
        if rows:
            most = actions_in_turn([row.rating for row in rows], table.settings)
        if actions > most:
            message = ngettext(
                "{name} has {count} action this turn with that.",
                "{name} has {count} actions this turn with that.",
                most,
                name=who.name,
            )
            raise Refused(message, "actions")
        reach = (who.reach or 0) / CENTIMETRES
        if moves > reach and not table.override:
            message = _("{name} moves at most {metres} m in a turn.", name=who.name, metres=f"{reach:g}")
            raise Refused(message, "moves")
        values = person.values if person else {}
        named = [Skill(stat=sheet.stat_of_skill(values, row), skill=row.label) for row in rows]
        who.declares(words=words, attacks=not words, actions=actions, moves=moves, skills=named)

    def _must_say(self, words: str) -> None:
        if not words:
            raise Refused(_("Say what they do."), "words")

    def _must_be_able(self, table: Table, who: Participant) -> None:
        if who.burden is Burden.IMMOBILE:
            message = _("{name} is carrying too much to move or act. Put something down first.", name=who.name)
            table.forbid(IMMOBILE, message)

    # Reaction checks, and the occasions that come up by themselves

    def _owed(self, *, made: bool) -> list[Reaction]:
        """Return the checks to be rolled: those that the procedure makes, or those of players."""
        return [check for check in self.checks if check.held is None and check.made is made]

    def _ask(self, occasion: str, keys: Iterable[str]) -> None:
        """Ask for a check of each of these who is awake and owes none yet."""
        for key in keys:
            one = self.found(key)
            if one.mind is not Mind.AWARE or self.pending(one):
                continue
            self.asked += 1
            sure = one.played and one.som == SCORES[1]
            made = sure or not one.played or one.character is None
            held = True if sure else None
            self.checks.append(Reaction(part=f"check{self.asked}", key=key, occasion=occasion, made=made, held=held))

    def _waive(self, one: Participant) -> None:
        """Drop a participant's unrolled checks."""
        self.checks = [check for check in self.checks if check.key != one.key or check.held is not None]

    def _has_checked(self, one: Participant, occasion: str) -> bool:
        return any(check.key == one.key and check.occasion == occasion for check in self.checks)

    def _beset(self, one: Participant) -> None:
        """Ask about a participant with two or more enemies attacking in this turn, and about an attacked one who cannot move
        away. Other positions are not tracked by the rules."""
        foes = [other for other in self.participants if one.key in other.against and other.side is not one.side]
        if len(foes) >= ENEMIES and not self._has_checked(one, ATTACKED):
            self._arise(ATTACKED, [one.key])
        if foes and one.reach == 0 and not self._has_checked(one, CORNERED):
            self._arise(CORNERED, [one.key])

    def _losses(self, was: Mapping[str, Mind]) -> None:
        """Ask about a side of which the first falls, or of which more than half are dead: that shakes the others."""
        for side in Side:
            members = [one for one in self.participants if one.side is side]
            fallen = any(one.mind.is_down and not was.get(one.key, Mind.AWARE).is_down for one in members)
            died = any(one.mind is Mind.DEAD and was.get(one.key) is not Mind.DEAD for one in members)
            standing = [one.key for one in members if not one.mind.is_down]
            if fallen and side not in self.fallen:
                self.fallen.append(side)
                self._arise(FIRST_FALLS, standing)
            if died and side not in self.beaten and sum(one.mind is Mind.DEAD for one in members) * 2 > len(members):
                self.beaten.append(side)
                self._arise(HALF_DEAD, standing)

    def _arise(self, occasion: str, keys: Sequence[str]) -> None:
        """Add participants to the one open occasion of a kind."""
        had = [key for arisen in self.arisen if arisen.occasion == occasion for key in arisen.whom]
        if whom := list(dict.fromkeys((*had, *keys))):
            self.arisen = [arisen for arisen in self.arisen if arisen.occasion != occasion]
            self.arisen.append(Arisen(occasion=occasion, whom=whom))

    # The order of declaration

    def _sort(self, table: Table) -> None:
        """Put all in the order of declaration, newcomers included; a d10 falls for each participant with an equal, lowest first,
        and equal dice may roll again.

        It goes up by SOM, Empathy, Perception, then the d10 (arc.txt, V.6): a total order, so that a changed SOM or a newcomer
        simply falls into place.
        """
        ties = []
        while groups := self.equals(table.settings):
            faces = iter(table.throw(sum(map(len, groups))))
            for group in groups:
                fell = [(one, next(faces)) for one in group]
                for one, face in fell:
                    one.rolls.append(face)
                ties.append([(one.name, face) for one, face in fell])
        self.arrange()
        self._place_newcomers()
        if ties:
            table.tell(ties_words(ties))

    def arrange(self) -> None:
        """Put all in the order of declaration as far as their dice go; those who miss this turn stand after the others."""
        self.participants.sort(key=lambda one: (not self.takes_part(one), one.place))
        for move in self.moves:
            moved = self.found(move.key)
            self.participants.remove(moved)
            at = self.participants.index(self.found(move.before)) if move.before else len(self.participants)
            self.participants.insert(at, moved)

    def equals(self, settings: Settings) -> list[list[Participant]]:
        """Return who must roll a d10 to settle the order, in groups of equals: [["A", "B"], ["C", "D"]], first to last.

        A newcomer who must still roll as others did is a group of one.
        """
        declaring = sorted((one for one in self.participants if self.takes_part(one)), key=lambda one: one.place)
        again = settings.equal_dice_roll_again
        rolling = [one for one in declaring if _must_roll(one, declaring, roll_again=again)]
        return [[*group] for _alike, group in groupby(rolling, key=lambda one: (one.scores, one.rolls))]

    def _place_newcomers(self) -> None:
        """Let newcomers act in this turn, unless somebody after them has already declared or declares now."""
        now = next((one for one in self.whose_turn() if one.status is not Status.ARRIVING), None)
        waits = (Status.TO_ACT, Status.NEXT_TURN, Status.ARRIVING)
        called = [
            at
            for at, one in enumerate(self.participants)
            if self.takes_part(one) and (one is now or one.status not in waits)
        ]
        for at, one in enumerate(self.participants):
            if one.status is Status.ARRIVING:
                one.status = Status.NEXT_TURN if at < max(called, default=-1) else Status.TO_ACT


def perception(values: Mapping[str, Any]) -> int:
    """Return the ES of the skill Perception, in whatever language the sheet calls it."""
    for name in sorted(in_every_language(PERCEPTION)):
        with suppress(SheetError):
            return sheet.find_skill(values, name).rating
    return WITHOUT_PERCEPTION


def ties_words(ties: Iterable[Iterable[tuple[str, int]]]) -> Words:
    """Return the sentence about the d10 of equals, each with the name of whoever rolled it, by groups."""
    groups = (", ".join(f"{name} ({face})" for name, face in tie) for tie in ties)
    return _("Ties, a d10 each: {groups}.", groups="; ".join(groups))


def _must_roll(one: Participant, declaring: Sequence[Participant], *, roll_again: bool) -> bool:
    """Return whether a participant with the same scores has the same dice so far. One with fewer dice catches up alone."""
    if one.rolls and not roll_again:
        return False
    dice = len(one.rolls)
    return any(
        other is not one and other.scores == one.scores and other.rolls[:dice] == one.rolls for other in declaring
    )


def _nameless(lines: Iterable[Mapping[str, Any]], settings: Settings) -> Iterator[tuple[Participant, str]]:
    """Yield participants without a sheet: of each line so many, with scores and ES from 1 to 10, a Size and a Burden."""
    for line in lines:
        size, burden = Size(line["size"]), Burden(line["burden"])
        moved = movement(line["control"], size=size, burden=burden, settings=settings)
        for at in range(line["many"]):
            yield (
                Participant(
                    name=f"{line['name']} {at + 1}" if line["many"] > 1 else line["name"],
                    side=Side.PARTY if line["ally"] else Side.FOES,
                    **{score: line[score] for score in ("som", "empathy", "perception")},
                    most=actions_in_turn([line["es"]], settings),
                    size=size,
                    reach=int(moved.metres * CENTIMETRES),
                    burden=burden,
                ),
                line["how"],
            )
