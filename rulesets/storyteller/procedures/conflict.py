"""A conflict: who acts after whom, round by round. The text has no order of acting: all of this is our decision.

Initiative is one d10 + Dexterity + Wits, minus the wound penalty; the highest acts first. Equals go by Dexterity + Wits,
then by a d10 each, until nobody is equal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any, Final

from django.utils.text import capfirst
from pydantic import BaseModel

from campaigns.schema import Code, Name
from languages.text import colon, gettext_lazy, pgettext_lazy
from rolls.forms.asked import ActForm
from rolls.stage import Mark, Prepared, Press, Presses, Row, Staged, Turn, dice_words, faces
from rules.acting import OPEN, Like, OneOf, Text, Waits, act
from rules.acts import Actor
from rules.errors import RuleError, whole
from rules.messages import Message, Words, joined, ngettext, worded
from rules.messages import gettext as _
from rules.procedures import Button
from rules.table import Refused, Table
from rulesets.storyteller.procedures.attack import Attack, Dice, Kinds, Stage, Strength, Willpower
from rulesets.storyteller.rows import LONGEST_NAME, Person, Pool, Side, StorytellerProcedure, known, own
from rulesets.storyteller.rules.damage import HARM_WORDS, MOST_DAMAGE_DICE, Harm
from rulesets.storyteller.rules.roll import wound_penalty
from rulesets.storyteller.sheet import DAMAGE, SHEET, health, state_words, wounded
from rulesets.storyteller.terms import STANDARD

MOST_PARTICIPANTS: Final = 40
RATINGS: Final = (0, 50)
TYPED: Final = re.compile(r"(.+?)\s+(\d{1,2})")


class Status(StrEnum):
    TO_ACT = "to_act"
    HOLDING = "holding"
    """Their turn came, and they wait for a better moment in this round."""
    COMING_IN = "coming_in"
    """They held, and act now, before all others."""
    DONE = "done"
    ARRIVING = "arriving"
    """They have just arrived, and dice still have to decide their place."""
    NEXT_ROUND = "next_round"
    """They came when their place in this round was past."""


STATUS: Final = {
    Status.HOLDING: gettext_lazy("holding"),
    Status.COMING_IN: gettext_lazy("acting now"),
    Status.DONE: gettext_lazy("has acted"),
    Status.NEXT_ROUND: gettext_lazy("acts from next round"),
}


class Participant(BaseModel):
    """A participant: `key` is unique, `traits` are Dexterity + Wits (or what was typed), `penalty` that of wounds.

    `die` is the d10 of this round's initiative, None before it falls; `again` those rolled against equals.
    """

    key: Code = ""
    name: Name
    character: Code | None = None
    traits: int = 0
    penalty: int = 0
    die: int | None = None
    again: list[int] = []
    status: Status = Status.TO_ACT

    @property
    def id(self) -> str:
        return self.character or self.key

    @property
    def initiative(self) -> int:
        return (self.die or 0) + self.traits - self.penalty

    @property
    def rank(self) -> tuple[tuple[int, int], tuple[int, ...]]:
        """Lower acts earlier."""
        return (-self.initiative, -self.traits), tuple(-face for face in self.again)

    def is_called(self, character: str | None, name: Words) -> bool:
        """Return whether it is this character, or has this name where none has a sheet."""
        return self.character == character and (character is not None or self.name == name)

    def equals(self, other: Participant) -> bool:
        """Return whether its dice equal another's, as far as it has some."""
        same = self.rank[0] == other.rank[0] and other.again[: len(self.again)] == self.again
        return same and other is not self


class Happened(BaseModel):
    """What somebody did in a round: the name of an act, or an `attack` on `whom`, the `stage` that it has come to, and the levels
    of `harm` that it has `taken`.
    """

    round: int
    name: Name
    character: Code | None = None
    did: Code
    attack: Code = ""
    whom: Name = ""
    stage: Stage = Stage.DECLARED
    harm: Harm = Harm.BASHING
    taken: int = 0


MOST_HAPPENED: Final = 100
DID: Final = {
    "done": gettext_lazy("acted"),
    "hold": gettext_lazy("held"),
    "come_in": gettext_lazy("stopped holding"),
    "attack": gettext_lazy("attacked {target}"),
}
CAME_TO: Final = {Stage.MISSED: gettext_lazy("missed"), Stage.WITHDRAWN: gettext_lazy("called off")}


def now(procedure: Conflict, table: Table) -> list[Participant]:
    """Return whose turn it is; [] if it is nobody's."""
    return [procedure.current] if procedure.current else []


def may_come_in(procedure: Conflict, table: Table) -> list[Participant]:
    """Return those who hold and may come in now; [] while somebody who came in has yet to act."""
    if any(one.status is Status.COMING_IN for one in procedure.participants):
        return []
    return [one for one in procedure.participants if one.status is Status.HOLDING]


def plays(procedure: Conflict, who: Actor, one: Participant) -> bool:
    return who.plays(one.character)


def foes(procedure: Conflict, table: Table, one: Participant) -> Iterator[tuple[str, str]]:
    """Yield whom a participant may attack, the other side first: players' characters, or all others."""
    mine = table.find(Person, one.character)
    played = {who.id: who.is_played for who in known(procedure, table)}
    there = [
        other
        for other in procedure.participants
        if other.id != one.id and (other.character in played or not other.character)
    ]
    there.sort(key=lambda other: played.get(other.id, False) is bool(mine and mine.is_played))
    yield from ((other.id, other.name) for other in there)


def in_round(procedure: Conflict, table: Table, *target: Participant) -> int:
    return procedure.round


def typed(names: str) -> Iterator[tuple[str, int]]:
    """Yield the names that were typed with their Dexterity + Wits. Raises Refused."""
    for text in filter(None, map(str.strip, names.split(","))):
        match = TYPED.fullmatch(text)
        if match is None:
            raise Refused(_("Type each name with its Dexterity + Wits, such as Thug 5, Dog 6."), "names")
        if len(match[1]) > LONGEST_NAME:
            raise Refused(_("Enter a name of up to {count} characters.", count=LONGEST_NAME), "names")
        yield match[1], whole("traits", int(match[2]), *RATINGS)


NO_SHEETS: Final = gettext_lazy("No characters with a Storyteller sheet. Type names instead.")
Characters = Annotated[list[Person], OneOf(own, nothing=NO_SHEETS), gettext_lazy("Combatants")]
Names = Annotated[str, Text(1000), Like(gettext_lazy("Thug 5, Dog 6")), gettext_lazy("Others, with Dexterity + Wits")]


class Conflict(StorytellerProcedure):
    """Players act for their own; a GM for everyone, and says who joins and leaves and when a round ends.

    `participants` stand in the order in which they act; `number` is how many there have been, so that no key is given twice.
    """

    label = gettext_lazy("Conflict")
    runs_turns = True
    on_card = {"attack": "rolls/_prepared.html"}

    participants: list[Participant] = []
    number: int = 0
    round: int = 1
    happened: list[Happened] = []
    anew: bool = False
    """Whether initiative is rolled again in every round."""

    @act(label, says=gettext_lazy("A conflict started. Round 1: {order}."))
    def open(
        self,
        table: Table,
        *,
        characters: Characters = [],  # noqa: B006  # nobody writes it
        names: Names = "",
        anew: Annotated[bool, gettext_lazy("Re-roll initiative each round")] = False,
    ) -> Mapping[str, Words]:
        self.anew = anew
        self._add(table, characters, names, Status.TO_ACT)
        return self._named()

    @act(gettext_lazy("Attack"), by=plays, each=now, terms=in_round)
    def attack(
        self,
        table: Table,
        one: Participant,
        *,
        roll: Pool = "",
        target: Annotated[str, OneOf(foes), gettext_lazy("Target")] = "",
        willpower: Willpower = False,
        dice: Dice = 0,
        strength: Strength = False,
        harm: Kinds = Harm.BASHING,
    ) -> None:
        """Begin an attack of whose turn it is on another who takes part; it tells its own line."""
        given = self.attacking(table, one, roll, target)
        given |= {"willpower": willpower, "dice": dice, "strength": strength, "harm": harm}
        Attack().open(table, **given)  # refuses what the attack would
        table.begin(Attack, **given)

    @act(gettext_lazy("Done"), says=gettext_lazy("{name} acted. {next}"), by=plays, each=now, terms=in_round)
    def done(self, table: Table, one: Participant) -> Mapping[str, Words]:
        one.status = Status.DONE
        if not any((line.round, line.name, line.did) == (self.round, one.name, "attack") for line in self.happened):
            self._note(one, "done")
        return self._named(one.name)

    @act(
        gettext_lazy("Hold"),
        says=gettext_lazy("{name} held. {next}"),
        by=plays,
        each=lambda self, table: [one for one in now(self, table) if one.status is Status.TO_ACT],
        terms=in_round,
    )
    def hold(self, table: Table, one: Participant) -> Mapping[str, Words]:
        one.status = Status.HOLDING
        self._note(one, "hold")
        return self._named(one.name)

    @act(
        gettext_lazy("Act now"),
        says=gettext_lazy("{name} stopped holding and acts now."),
        by=plays,
        each=may_come_in,
        terms=in_round,
    )
    def come_in(self, table: Table, one: Participant) -> Mapping[str, Words]:
        one.status = Status.COMING_IN
        self._note(one, "come_in")
        return self._named(one.name)

    @act(
        gettext_lazy("Remove"),
        says=gettext_lazy("{name} left the conflict. {next}"),
        each=lambda self, table: self.participants,
    )
    def leave(self, table: Table, one: Participant) -> Mapping[str, Words]:
        self.participants.remove(one)
        return self._named(one.name)

    @act(
        gettext_lazy("Start next round"),
        says=gettext_lazy("Round {number} started: {order}."),
        when=lambda self, table: self.current is None,
        terms=in_round,
    )
    def next_round(self, table: Table) -> Mapping[str, Words]:
        """Begin a round: those who still hold have lost their turn."""
        self.round += 1
        for one in self.participants:
            one.status = Status.TO_ACT
            if self.anew:
                one.die, one.again = None, []
        self._roll(table)
        return self._named()

    @act(gettext_lazy("Add combatant…"), says=gettext_lazy("The conflict was joined: {order}."))
    def join(
        self,
        table: Table,
        *,
        characters: Characters = [],  # noqa: B006  # nobody writes it
        names: Names = "",
    ) -> Mapping[str, Words]:
        """Add newcomers, who act in this round unless somebody after them has had their turn or has it now."""
        self._add(table, characters, names, Status.ARRIVING)
        return self._named()

    def so_far(self, act: str, table: Table, *target: Any) -> Mapping[str, Any]:
        """Return whoever is played as taking part, unless a GM says otherwise."""
        return {"characters": [one.id for one in own(self, table) if one.is_played]} if act == OPEN else {}

    def turn_of(self, who: str) -> str:
        return f"{self.id} {self.round}" if any(one.id == who for one in self.participants) else ""

    def attacking(self, table: Table, one: Participant, roll: str, target: str) -> dict[str, Any]:
        """Return who attacks whom with what, as an attack asks for it. Whoever has no sheet rolls their Dexterity + Wits."""
        who = table.find(Person, one.character)
        foe = next((other for other in self.participants if other.id == target), None)
        whom = table.find(Person, foe.character) if foe else None
        return {
            "a_character": who,
            "a_name": one.name,
            "a_pool": roll or ("" if who else str(one.traits)),
            "target": whom,
            "target_name": foe.name if foe else "",
        }

    def settle(self, table: Table) -> None:
        """Note the attacks of those who take part, and what has become of each; one that a GM ended or undid is none."""
        told = {line.attack: line for line in self.happened if line.attack}
        for attack in table.all(Attack):
            line, side = told.get(attack.id), attack.attack
            if line is None and not attack.over and not attack.hidden:
                for one in self.participants:
                    if one.is_called(side.character, side.name):
                        line = self._note(one, "attack")
                        line.attack, line.whom = attack.id, attack.target
            if line and attack.over and attack.stage not in (Stage.DONE, *CAME_TO):
                self.happened.remove(line)
            elif line:
                line.stage, line.harm, line.taken = attack.stage, attack.harm, attack.taken or 0

    def _note(self, one: Participant, did: str) -> Happened:
        line = Happened(round=self.round, name=one.name, character=one.character, did=did)
        self.happened = [*self.happened, line][-MOST_HAPPENED:]
        return line

    @property
    def current(self) -> Participant | None:
        """Return whose turn it is; None if all have acted, or hold."""
        coming = (one for one in self.participants if one.status is Status.COMING_IN)
        to_act = (one for one in self.participants if one.status is Status.TO_ACT)
        return next(coming, None) or next(to_act, None)

    def _add(self, table: Table, characters: Sequence[Person], names: str, status: Status) -> None:
        """Add newcomers, and roll their initiative. Raises a RuleError for nobody, too many, and two with one name."""
        penalties = table.settings.wound_penalties
        newcomers = [
            Participant(
                name=one.name,
                character=one.id,
                traits=one.quick or sum(SHEET.number(one.values, name) for name in ("dexterity", "wits")),
                penalty=wound_penalty(wounded(one.values), penalties),
            )
            for one in {one.id: one for one in characters}.values()
        ]
        newcomers += [Participant(name=name, traits=traits) for name, traits in typed(names)]
        if not newcomers:
            raise Refused(_("Choose the combatants, or type their names."), "characters")
        for one in newcomers:
            if len(self.participants) >= MOST_PARTICIPANTS:
                room = ngettext(
                    "A conflict has room for {count} combatant.",
                    "A conflict has room for {count} combatants.",
                    MOST_PARTICIPANTS,
                )
                raise Refused(room, "characters")
            if any(one.name == other.name or one.id == other.id for other in self.participants):
                there = _("{name} is already in this conflict. Give each combatant a different name.", name=one.name)
                raise Refused(there, "names")
            self.number += 1
            one.key, one.status = str(self.number), status
            self.participants.append(one)
        self._roll(table)

    def _roll(self, table: Table) -> None:
        """Throw a d10 for each without one, then one for each with an equal (who has fewer dice catches up), until there are
        none."""
        while rolling := (
            [one for one in self.participants if one.die is None]
            or [one for one in self.participants if any(map(one.equals, self.participants))]
        ):
            for one, face in zip(rolling, table.throw(len(rolling)), strict=True):
                if one.die is None:
                    one.die = face
                else:
                    one.again.append(face)
            self.participants.sort(key=lambda one: one.rank)
        called = [one for one in self.participants if one.status not in (Status.ARRIVING, Status.TO_ACT)]
        to_act = next((one for one in self.participants if one.status is Status.TO_ACT), None)
        behind = max((one.rank for one in (*called, to_act) if one), default=None)
        for one in self.participants:
            if one.status is Status.ARRIVING:
                late = behind is not None and one.rank < behind
                one.status = Status.NEXT_ROUND if late else Status.TO_ACT

    def waits(self, table: Table) -> Sequence[Waits]:
        if (one := self.current) is None:
            return [Waits("", _("to start the next round"))]
        own = _("Your turn, {name}", name=one.name)
        return [Waits(one.id, _("to act"), "" if one.character else one.name, own=own)]

    def party(self, table: Table, key: str) -> tuple[str, str | None]:
        return next(((one.name, one.character) for one in self.participants if one.id == key), ("", None))

    def stands(self, table: Table) -> Words:
        return _("Conflict, round {number}. {next}", number=self.round, next=self._next())

    def card(self, table: Table, buttons: Sequence[Button]) -> Staged:
        return Staged(
            above=_("Round {number}", number=self.round),
            turns=[self._turn(one, table, buttons) for one in self.participants],
            rows=[self._row(line) for line in self.happened if line.round == self.round],
            rows_head=_("This round"),
            acts=[button for button in buttons if not button.whom],
        )

    def line_before(self, table: Table, act: str, whom: str) -> Words:
        said = self.acts.get("next_round" if act == "round" else act)
        return said.line(self, table, self._named(whom)) if said else self.stands(table)

    def _named(self, name: str = "") -> dict[str, Any]:
        order = joined(", ", (joined(" ", (one.name, str(one.initiative))) for one in self.participants))
        return {"name": name, "number": self.round, "order": order, "next": self._next()}

    def _next(self) -> Message:
        one = self.current
        return _("{name} is next.", name=one.name) if one else _("Everyone has acted or is holding.")

    def _row(self, line: Happened) -> Row:
        marks = []
        if line.did == "attack":
            done = (
                _("{count} {harm}", count=line.taken, harm=worded(HARM_WORDS[line.harm]))
                if line.taken
                else _("no damage")
            )
            words = done if line.stage is Stage.DONE else worded(CAME_TO.get(line.stage, gettext_lazy("in progress")))
            marks = [Mark(words, "trouble" if line.taken else "")]
        did = worded(DID[line.did], target=line.whom)
        return Row(whose=line.name, character=line.character or "", words="", detail=did, marks=marks)

    def _state(self, one: Participant, table: Table) -> tuple[list[str], Words]:
        """Return the health levels of a participant and words for them, as far as those who look may know; of others only that
        an attack has hurt them here."""
        who = table.find(Person, one.character)
        if who is None or not who.is_whole:
            hurt = any(line.whom == one.name and line.taken for line in self.happened)
            return [], gettext_lazy("hurt") if hurt else ""
        marks = {kind: getattr(who, kind) for kind in DAMAGE}
        less = wound_penalty(wounded(marks), table.settings.wound_penalties)
        return health(marks), state_words(wounded(marks), less)

    def _turn(self, one: Participant, table: Table, buttons: Sequence[Button]) -> Turn:
        who = table.find(Person, one.character)
        is_played = bool(who and who.is_played)
        kind: Words = "" if is_played else gettext_lazy("NPC")
        boxes, state = self._state(one, table)
        own = [button for button in buttons if button.whom == one.id]
        return Turn(
            name=one.name,
            character=one.character or "",
            value=str(one.initiative),
            title=joined(", ", made_of(one)),
            words=worded(STATUS[one.status]) if one.status in STATUS else "",
            lines=[joined(" · ", about)] if (about := [one for one in (kind, state) if one]) else [],
            boxes=boxes,
            status=one.status.value,
            current=one is self.current,
            buttons=[button for button in own if not button.on_card],
            prepares=[button for button in own if button.on_card],
            acts_for=one.name if is_played else "",
            rolls="action",
        )


def made_of(one: Participant) -> Iterator[Words]:
    """Yield what an initiative is made of."""
    words = (
        gettext_lazy("d10 {die} + {traits} − {penalty} for wounds")
        if one.penalty
        else gettext_lazy("d10 {die} + {traits}")
    )
    yield worded(words, die=one.die, traits=one.traits, penalty=one.penalty)
    if one.again:
        yield _("tie broken by {dice}", dice=joined(", ", map(str, one.again)))


# An attack, as it is prepared on the card


USUAL = ("dexterity + brawl", "dexterity + melee", "dexterity + firearms")
"""What is offered while no traits of whose turn it is are pressed, the most dice first."""
BY_HAND = ("brawl", "melee")
"""The traits with which Strength counts, until somebody says otherwise."""


class StrikeForm(ActForm):
    """An attack as whoever has their turn prepares it on the card of a conflict: each press draws it again with its odds.

    What was pressed comes with the card's own fields, and traits as they stand in the roll form.
    """

    @classmethod
    def prepared(
        cls, table: Table, procedure: Conflict, target: tuple[Any, ...], given: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the pools, targets and damage to press, with the odds, or why there are none."""
        one: Participant = target[0]
        who = table.find(Person, one.character)
        pressed = given.get("pool", "").strip() if given.get("character") == one.id else ""
        pools = [pressed] if pressed else _usual(table, one, who)
        those = [
            other for key, _name in foes(procedure, table, one) for other in procedure.participants if other.id == key
        ]
        roll = next((pool for pool in pools if pool == given.get("roll")), pools[0])
        foe = next((other for other in those if other.id == given.get("target")), those[0] if those else None)
        is_set = _set(given, roll, who)
        attack, why = Attack(), ""
        try:
            attack.open(
                table, **procedure.attacking(table, one, roll, foe.id if foe else ""), **is_set | {"willpower": False}
            )
            attack.willpower = is_set["willpower"]
        except RuleError as refused:
            why = refused.message
        read = {pool: _read(table, one, who, pool) for pool in pools}
        words, dice = read[roll]
        points = SHEET.number(who.values, "willpower_now") if who and not who.quick else 0
        sent = {"roll": roll, "for": roll, "target": foe.id if foe else "", **is_set}
        return {
            "prepared": Prepared(
                kept={name: "on" if value is True else value for name, value in sent.items()},
                rows=[
                    _with(read, roll, attack.attack.difficulty, is_set["willpower"] if points else None),
                    Presses(
                        "target",
                        _("Target"),
                        faces("target", those, foe),
                        "" if those else _("There’s no one to attack. Add a combatant."),
                    ),
                    _damage(is_set, who),
                ],
                odds=None if why else attack.odds(table),
                sends=_("Attack {name}", name=foe.name) if foe else "",
                strong=f"{words}{colon()}{dice_words(dice)}" if words else dice_words(dice),
                words=_("undefended"),
                why=why,
            )
        }


def _set(given: Mapping[str, Any], roll: str, who: Person | None) -> dict[str, Any]:
    """Return what goes with this pool; Strength that was pressed for one is no answer for another."""
    by_hand = any(word in roll.lower() for word in BY_HAND)
    strength = given.get("strength") if given.get("for") == roll else by_hand
    return {
        "willpower": bool(given.get("willpower")),
        "dice": min(MOST_DAMAGE_DICE, int(dice[:3])) if (dice := given.get("dice", "")).isdecimal() else 0,
        "strength": bool(strength) and who is not None,
        "harm": Harm(given["harm"]) if given.get("harm") in [*Harm] else Harm.BASHING,
    }


def _with(read: Mapping[str, tuple[str, int]], roll: str, difficulty: int, willpower: bool | None) -> Presses:
    """Return the line of the pools, and of Willpower if there is some."""
    pools = [
        Press(
            name="roll",
            value=pool,
            on=pool == roll,
            key=f"roll-{at}",
            words=words or dice_words(dice),
            strong=str(dice) if words else "",
        )
        for at, (pool, (words, dice)) in enumerate(read.items(), start=1)
    ]
    spent = [_box("willpower", _("Willpower"), is_on=bool(willpower))] if willpower is not None else []
    hard = Press(words=_("Difficulty"), strong=str(difficulty))
    return Presses("with", pgettext_lazy("an attack", "With"), [*pools, hard, *spent])


def _damage(is_set: Mapping[str, Any], who: Person | None) -> Presses:
    dice = is_set["dice"]
    strength = _box("strength", _("Strength"), is_on=is_set["strength"], strong=who.strength if who else "")
    less, more = _("One die of damage less"), _("One die of damage more")
    added = ngettext("+{n} die", "+{n} dice", dice, n=dice)
    return Presses(
        "damage",
        _("Damage"),
        [
            *([strength] if who else []),
            Press(name="dice", value=max(0, dice - 1), words="−", label=less, key="fewer"),
            Press(words=added),
            Press(name="dice", value=min(MOST_DAMAGE_DICE, dice + 1), words="+", label=more, key="more"),
            *(
                Press(name="harm", value=harm, words=capfirst(str(words)), on=harm is is_set["harm"], key=harm)
                for harm, words in HARM_WORDS.items()
            ),
        ],
    )


def _box(name: str, words: Words, *, is_on: bool, strong: object = "") -> Press:
    return Press(name=name, value="" if is_on else "on", words=words, on=is_on, strong=str(strong), key=name)


def _usual(table: Table, one: Participant, who: Person | None) -> list[str]:
    if who is None or who.quick:
        return [str(who.quick if who else one.traits)]
    return sorted(USUAL, key=lambda pool: -Side.of(table, who, one.name, pool, STANDARD).dice_now(table))


def _read(table: Table, one: Participant, who: Person | None, pool: str) -> tuple[str, int]:
    """Return a pool in the words of the reader ("" for a number of dice), with its dice; as it was typed where it is none."""
    try:
        side = Side.of(table, who, one.name, pool, STANDARD)
    except RuleError:
        return pool, 0
    return side.ask.pool if side.traits else "", side.dice_now(table)
