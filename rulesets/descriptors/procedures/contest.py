"""A contest from its opening to what follows: both fill their pools, are ready, all dice fall, and each choice that the rules
leave is settled once (descriptors.txt, from "Roll dice pools" to "you're out of the scene")."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any
from uuid import UUID

from pydantic import BaseModel

from campaigns.schema import Code, Name
from characters.reasons import Reason
from languages.text import gettext_lazy
from rolls.stage import Row, Staged
from rules.acting import FOR_GM, Between, Like, OneOf, Roll, Text, Waits, act, anyone
from rules.dice import LARGEST_POOL
from rules.messages import Message, Words, capital, joined, ngettext, worded
from rules.messages import gettext as _
from rules.procedures import Button
from rules.table import Refused, Table, add_row
from rulesets.descriptors.procedures.pools import Filling, Side, plays
from rulesets.descriptors.procedures.scene_descriptor import SceneDescriptor
from rulesets.descriptors.rows import Chip, Entry, Hero, everyone, own
from rulesets.descriptors.rules.contest import Falls, falls_on, oppose
from rulesets.descriptors.sheet import INJURIES, LONGEST_NAME
from rulesets.descriptors.table import KIND, detail, falls_words, odds_bar, pairs, stored_outcome, taken_words
from rulesets.descriptors.terms import DescriptorsInput, rated


class Stage(StrEnum):
    FILLING = "filling"
    AFTER = "after"
    CALLED_OFF = "called_off"


class Made(StrEnum):
    """What the winner makes of the successes."""

    OPEN = "open"
    MADE = "made"
    NOTHING = "nothing"


class Hit(StrEnum):
    """Names what the loser takes."""

    OPEN = "open"
    BOX = "box"
    INJURY = "injury"
    BOTH = "both"
    NOBODY = "nobody"
    """There is no sheet to write on."""


class After(BaseModel):
    """A rolled contest: the faces of both, the id of the side that `won` ("" in a stalemate), and what followed."""

    a: list[int]
    b: list[int]
    won: Code
    successes: int
    target: int | None
    made: Made = Made.OPEN
    made_name: Name = ""
    hit: Hit = Hit.OPEN
    falls: Falls | None = None
    injury_name: Name = ""
    shifted: Name = ""

    @property
    def settled(self) -> bool:
        return self.made is not Made.OPEN and self.hit is not Hit.OPEN if self.won else bool(self.shifted)


def _makes(procedure: Contest, table: Table) -> list[Side]:
    """Return the winner until they have chosen what to make of it."""
    after, winner = procedure.after, procedure.winner
    return [winner] if after and winner and after.made is Made.OPEN else []


def _hit_by(what: Callable[[Falls], object]) -> Callable[[Contest, Table], list[Side]]:
    """Return the loser, where this of what falls on them is anything."""

    def each(procedure: Contest, table: Table) -> list[Side]:
        return [procedure.loser] if procedure.loser and procedure.falls and what(procedure.falls) else []

    return each


def _hit_words(procedure: Contest, table: Table, side: Side) -> Message:
    falls = procedure.falls
    if not falls or not falls.box:
        return _("Take a level {level} Injury", level=falls.injury if falls else 0)
    if falls.injury:
        return _("Cross off box {box} and take a level {level} Injury", box=falls.box, level=falls.injury)
    return _("Cross off box {box}", box=falls.box)


Called = Annotated[str, Text(LONGEST_NAME), Like(gettext_lazy("a broken arm")), gettext_lazy("Injury")]


class Contest(Filling):
    """A contest of two sides, "a" and "b"; the first is a character, who makes the roll. `after` is the aftermath of the roll.

    `scene_over`: the scene in which it began has ended, so nobody can be put out of it any more.
    """

    label = gettext_lazy("Contest")
    why = Reason("lost_roll", gettext_lazy("a lost roll"))
    against = ("a_character", "b_character")
    at_once = True

    stage: Stage = Stage.FILLING
    after: After | None = None
    scene_over: bool = False

    @property
    def filled(self) -> list[Side]:
        return self.sides if self.stage is Stage.FILLING else []

    @property
    def winner(self) -> Side | None:
        return next((side for side in self.sides if self.after and side.id == self.after.won), None)

    @property
    def loser(self) -> Side | None:
        return self.other(self.winner) if self.winner else None

    @property
    def falls(self) -> Falls | None:
        """Return what falls on the loser, as long as it is not taken."""
        return self.after.falls if self.after and self.after.hit is Hit.OPEN else None

    @act(label, by=anyone)
    def open(
        self,
        table: Table,
        *,
        a_character: Annotated[Hero, OneOf(own), gettext_lazy("Character")],
        b_character: Annotated[
            Hero | None, OneOf(everyone, gettext_lazy("something else")), gettext_lazy("Against")
        ] = None,
        b_name: Annotated[
            str, Text(LONGEST_NAME), Like(gettext_lazy("the tide")), gettext_lazy("Or against something else")
        ] = "",
        b_dice: Annotated[int | None, Between(0, LARGEST_POOL), FOR_GM, gettext_lazy("Its dice")] = None,
        override: bool = False,
        **fell: Any,
    ) -> Words:
        """Begin with the pools, or with a roll that has fallen: then the rules give its `sides` and its outcome (`fell`)."""
        if fell:
            self.sides = [Side(id=key, **side) for key, side in zip("ab", fell["sides"], strict=True)]
            self._fall(fell["fell"])
            return ""
        if a_character is b_character:
            raise Refused(_("{name} can’t be on both sides.", name=a_character.name), "b_character")
        if b_character is None and not b_name:
            raise Refused(_("Say who or what they’re up against."), "b_name")
        b = Side(id="b", name=b_name, unnamed=b_dice or 0)
        if b_character:
            b = Side(id="b", name=b_character.name, character=b_character.id)
        self.sides = [Side(id="a", name=a_character.name, character=a_character.id), b]
        self.burnt(table)
        table.override |= override and table.by.is_gm
        for side in self.sides:
            self.let_in(table, side)
        line = _("{name} started a contest against {other}.", **self.line_names(table))
        return joined(" ", [line, *self.those_let_in])

    @act(
        gettext_lazy("Call it off"),
        says=gettext_lazy("The contest between {name} and {other} was called off."),
        by=plays,
        each=lambda self, table: self.filled[:1],
    )
    def call_off(self, table: Table, side: Side) -> None:
        self.stage, self.over = Stage.CALLED_OFF, True

    @act(
        gettext_lazy("Shift the situation"),
        says=gettext_lazy("The situation shifted: {words}"),
        when=lambda self, table: self.after is not None and not self.after.won,
    )
    def shift(
        self,
        table: Table,
        *,
        words: Annotated[
            str, Text(200), Like(gettext_lazy("the roof gives way under both")), gettext_lazy("What’s different now")
        ],
    ) -> None:
        """Say how the situation shifts when nobody has won."""
        self._settle_one(shifted=words)

    @act(
        gettext_lazy("Make a Scene Descriptor"),
        by=plays,
        each=_makes,
        terms=lambda self, table, side: self.after and self.after.successes,
    )
    def make(
        self,
        table: Table,
        side: Side,
        *,
        name: Annotated[
            str, Text(LONGEST_NAME), Like(gettext_lazy("tied up")), gettext_lazy("What’s true now, in this scene")
        ],
    ) -> None:
        """Make a Scene Descriptor of the successes, with the `name` that it has."""
        self._settle_one(made_name=name, made=Made.MADE)
        dice = self.after.successes if self.after else 0
        table.begin(SceneDescriptor, name=name, dice=dice, made_by=side.character, made_by_name=side.name)

    @act(gettext_lazy("No Scene Descriptor"), by=plays, each=_makes)
    def make_none(self, table: Table, side: Side) -> Message:
        self._settle_one(made=Made.NOTHING)
        return capital(_("{name} made no Scene Descriptor.", name=side.label))

    @act(
        _hit_words,
        by=plays,
        each=_hit_by(lambda falls: falls.box and not falls.injury),
        terms=lambda self, table, side: self.falls,
    )
    def cross(self, table: Table, side: Side) -> Words:
        return self._take(table, side, Hit.BOX)

    @act(
        lambda self, table, side: _("Take a level {level} Injury", level=self.falls.instead),
        by=plays,
        each=_hit_by(lambda falls: falls.instead),
        terms=lambda self, table, side: self.falls.instead,
    )
    def injure(self, table: Table, side: Side, *, name: Called) -> Words:
        """Take an Injury, with the `name` that it has, instead of a box."""
        return self._take(table, side, Hit.INJURY, name)

    @act(_hit_words, by=plays, each=_hit_by(lambda falls: falls.injury), terms=lambda self, table, side: self.falls)
    def bump(self, table: Table, side: Side, *, name: Called) -> Words:
        """Take the Injury, with the `name` that it has, and cross off the box that is left, if any."""
        return self._take(table, side, Hit.BOTH, name)

    def _take(self, table: Table, side: Side, hit: Hit, injury: str = "") -> Words:
        after, falls, loser = self.after, self.falls, table.find(Hero, side.character or "")
        if after is None or falls is None or loser is None:
            raise Refused(_("{name} is no longer in play.", name=side.label))
        if hit is not Hit.INJURY:
            if falls.box:
                loser.cross_off(falls.box)
            loser.out_of_scene |= falls.out and not self.scene_over
        if injury:
            add_row(loser.injuries, Entry(name=injury, dice=falls.instead if hit is Hit.INJURY else falls.injury))
        self._settle_one(injury_name=injury, hit=hit)
        return self._hit_said(after, side)

    def _settle_one(self, **what: Any) -> None:
        """Settle this of what followed; earlier corrections are no news any more."""
        if self.after:
            for name, value in what.items():
                setattr(self.after, name, value)
            self.over = self.after.settled
        self.corrected = []

    # The roll

    def next_roll(self, table: Table) -> Roll | None:
        """Return all dice as one roll, of the first side's character, once both are ready."""
        if not self.filled or not all(side.ready for side in self.sides):
            return None
        a, b = self.sides
        mine, opponent = (UUID(side.character) if side.character else None for side in (a, b))
        return Roll(
            part="contest", ask=DescriptorsInput(character=mine, pools=(a, b), opponent=opponent, versus=b.name)
        )

    def on_roll(self, table: Table, part: str, outcome: Mapping[str, Any]) -> Words:
        self._fall(outcome)
        return ""

    def undo_roll(self, table: Table, part: str) -> None:
        """Return to the pools: both sides have to be ready again."""
        for side in self.sides:
            side.ready = False

    def _fall(self, outcome: Mapping[str, Any]) -> None:
        a, b = ([die["face"] for die in outcome["dice"] if die["side"] == side.id] for side in self.sides)
        won = outcome["winner"] or ""
        # A card of 0.1.0 said nothing of what falls on the loser.
        falls = (outcome.get("after") or {}).get("falls") if won else None
        self.stage = Stage.AFTER
        self.after = After(
            a=a,
            b=b,
            won=won,
            successes=outcome["successes"],
            target=outcome["target"],
            falls=Falls.model_validate(falls) if falls else None,
            hit=Hit.OPEN if falls or not won else Hit.NOBODY,
        )

    # What follows from elsewhere

    def settle(self, table: Table) -> None:
        """While it is filled correct the pools, afterwards what falls on the loser."""
        super().settle(table)
        after, loser = self.after, self.loser
        hero = loser.hero(table) if loser else None
        if after and loser and hero and self.falls:
            loser.name = hero.name
            falls = falls_on(hero.fund(table.settings), after.successes, table.settings)
            if falls != after.falls:
                after.falls = falls
                table.tell(self._falls_said(after, loser))

    def burnt(self, table: Table) -> list[str]:
        mine = next(iter(self.filled), None)
        extra = (table.extra_dice(mine.character or "", KIND) if mine else 0) or None
        if mine is None or extra == mine.extra:
            return []
        mine.extra = extra
        return [mine.name]

    def scene_ended(self, table: Table) -> Words:
        """Keep the hit on the loser open; a Scene Descriptor of this scene is not made any more."""
        if self.after:
            self.scene_over = True
            if self.after.made is Made.OPEN and self.after.won:
                corrected = self.corrected
                self._settle_one(made=Made.NOTHING)
                self.corrected = corrected
        return ""

    # What is seen

    def line_names(self, table: Table) -> Mapping[str, Words]:
        a, b = self.sides
        return {"name": a.label, "other": b.label}

    def stands(self, table: Table) -> Message:
        return _("Contest: {name} against {other}.", **self.line_names(table))

    def waits(self, table: Table) -> Sequence[Waits]:
        after, winner, loser = self.after, self.winner, self.loser
        if after is None:
            return [one for side in self.filled for one in self.waits_of(side)]
        open_to = [] if after.won or after.shifted else [Waits("", _("to shift the situation"))]
        if winner and after.made is Made.OPEN:
            words = _("to make a Scene Descriptor, or none")
            open_to.append(Waits(winner.character or "", words, winner.label, winner.id))
        if loser and (falls := self.falls):
            words = _("to choose a box or an Injury") if falls.instead else _("to take the hit")
            open_to.append(Waits(loser.character or "", words, loser.label, loser.id))
        return open_to

    def card(self, table: Table, buttons: Sequence[Button]) -> Staged:
        """Return the pools as they are filled, and once all dice have fallen these pair by pair, with what follows."""
        a, b = self.sides
        steps = [_("Stake"), _("Pools"), _("Aftermath")]
        if after := self.after:
            outcome = stored_outcome(oppose(after.a, after.b, table.settings))
            drawn = pairs(outcome)
            note = _("{name} above, {other} below: {detail}", **self.line_names(table), detail=detail(outcome))
            title = capital(_("{name} wins", name=self.winner.label)) if self.winner else _("Stalemate")
            return Staged(
                above=worded(self.label),
                title=title,
                steps=steps,
                step=2,
                notes=[note],
                rows=[*self._rows(after, buttons)],
                extra="descriptors/_staged_pairs.html" if drawn else "",
                more={"pairs": drawn},
            )
        return Staged(
            above=worded(self.label),
            title=_("{name} against {other}", **self.line_names(table)),
            steps=steps,
            step=1,
            notes=self.news,
            sides=[self.staged_side(side, [one for one in buttons if one.name != "call_off"]) for side in self.sides],
            odds=odds_bar(a.dice, b.dice, table.settings, names=(a.label, b.label))
            if self.filled and a.own and b.own
            else None,
            acts=[button for button in buttons if button.name == "call_off"],
        )

    def _rows(self, after: After, buttons: Sequence[Button]) -> Iterator[Row]:
        """Yield a row for each consequence: what it is, and who may press what."""
        winner, loser = self.winner, self.loser
        if winner is None or loser is None:
            words = after.shifted or _("No one gets anything: the GM shifts the situation.")
            yield Row(words=words, buttons=[button for button in buttons if button.name == "shift"])
            return
        yield _row(self._made_said(after, winner), winner, ("make", "make_none"), buttons)
        if after.hit is not Hit.NOBODY:
            yield _row(self._hit_said(after, loser), loser, ("cross", "injure", "bump"), buttons)

    def _made_said(self, after: After, winner: Side) -> Message:
        if after.made is Made.MADE:
            return _("Scene Descriptor: {descriptor}.", descriptor=rated(after.made_name, after.successes))
        if after.made is Made.NOTHING:
            return capital(_("{name} made no Scene Descriptor.", name=winner.label))
        words = ngettext(
            "{name} may make a Scene Descriptor with {count} die.",
            "{name} may make a Scene Descriptor with {count} dice.",
            after.successes,
            name=winner.label,
        )
        return capital(words)

    def _hit_said(self, after: After, loser: Side) -> Words:
        """Return words for the hit on the loser, as the roll's card has them, or for what they have taken."""
        falls = after.falls
        if falls is None or after.hit is Hit.OPEN:
            return falls_words(falls, loser.name, after.successes)
        return taken_words(falls, loser.name, after.injury_name, instead=after.hit is Hit.INJURY)

    def _falls_said(self, after: After, loser: Side) -> Message:
        """Return the line for a hit that changed because the sheet was marked after the dice fell."""
        return _("The hit on {name} changed. {hit}", name=loser.label, hit=self._hit_said(after, loser))

    def told(self) -> Iterator[Chip]:
        yield from super().told()
        after, loser = self.after, self.loser
        if after and after.falls and after.injury_name and loser and loser.character:
            dice = after.falls.instead if after.hit is Hit.INJURY else after.falls.injury
            yield Chip(f"{loser.character}/{INJURIES.name}/", after.injury_name, dice)

    @classmethod
    def told_before(cls, state: Mapping[str, Any]) -> Table:
        after = After(**state["after"]) if state.get("after") else None
        called_off = state.get("stage") == Stage.CALLED_OFF
        table = cls.from_before(
            state,
            stage=state.get("stage", Stage.FILLING),
            after=after,
            scene_over=state.get("scene_over", False),
            over=called_off or bool(after and after.settled),
        )
        (row,) = table.all(cls)
        if state.get("news") == "falls" and after and row.loser:
            row.corrected = []
            table.tell(row._falls_said(after, row.loser))
        return table

    def line_before(self, table: Table, act: str, whom: str) -> Words:
        after = self.after
        match act:
            case "open":
                line = _("{name} started a contest against {other}.", **self.line_names(table))
                return "" if after else joined(" ", [line, *self.those_let_in])
            case "call_off":
                return self.acts[act].line(self, table, self.line_names(table))
            case "make" | "rolled":
                return ""
            case "make_none":
                return capital(_("{name} made no Scene Descriptor.", name=whom))
            case "shift" if after:
                return self.acts[act].line(self, table, {"words": after.shifted})
            case "injure" | "cross" | "bump" if after and self.loser:
                return self._hit_said(after, self.loser)
            case "scene_ended" | "used" if after:
                return ""
        return super().line_before(table, act, whom)


def _row(words: Words, side: Side, named: Sequence[str], buttons: Sequence[Button]) -> Row:
    theirs = [button for button in buttons if button.whom == side.id and button.name in named]
    return Row(words=words, buttons=theirs, about=side.label)
