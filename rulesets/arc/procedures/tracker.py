"""An event in turns: who declares after whom, what they do, and what comes of it when the turn ends (arc.txt, V.1, V.5 to V.7).

A turn is 6 seconds. Whoever is in it declares and acts in the order of declaration, which is made anew from the same keys
whenever one of them changes; what happens in a turn lands at its end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Final
from uuid import UUID

from pydantic import PrivateAttr

from campaigns.text import signed
from characters.reasons import Reason
from languages.text import gettext_lazy, pgettext_lazy
from rolls.stage import Mark, Row, Staged, Turn
from rules.acting import Between, OneOf, Roll, Text, Unasked, Waits, act
from rules.acts import Actor
from rules.errors import whole
from rules.messages import Message, Words, capital, joined, ngettext, worded
from rules.messages import gettext as _
from rules.procedures import REREAD, Answer, Asked, Button, RollPart
from rules.table import Refused, Table
from rulesets.arc import sheet
from rulesets.arc.procedures.check import RESULTS, Check, listed
from rulesets.arc.rows import Person
from rulesets.arc.rules.body import Size
from rulesets.arc.rules.check import FAILURE, MIND, SUCCESS, actions_in_turn
from rulesets.arc.rules.tracker import (
    AMBUSHED,
    OCCASIONS,
    Arisen,
    Begun,
    Fought,
    Mind,
    Move,
    Outcome,
    Participant,
    Side,
    Skill,
    Status,
    Turns,
    ties_words,
)
from rulesets.arc.settings import SCORES
from rulesets.arc.sheet import STAT_WORDS
from rulesets.arc.table.ask import ArcInput, Kind

TURN_ENDS: Final = Reason("arc_turn", gettext_lazy("the end of a turn"))
REACTION: Final = {"kind": "reaction"}
"""The terms of the request for a Reaction check."""
MOST_OUTCOMES: Final = 40
MOST_COUNTED: Final = 60
LONGEST_WORDS: Final = 300
LARGEST_SHIFT: Final = 9
LEAVES, MOVES, COMES_TO = "leaves", "moves", "comes_to"
HOW: Final = {
    Mind.AWARE.value: gettext_lazy("aware"),
    AMBUSHED: gettext_lazy("startled: Reaction check"),
    Mind.SURPRISED.value: gettext_lazy("surprised: acts from next turn"),
    Mind.UNCONSCIOUS.value: gettext_lazy("unconscious"),
}
CHANGES: Final = {
    MOVES: gettext_lazy("declares before someone else this turn"),
    Mind.SURPRISED.value: gettext_lazy("is surprised and waits until next turn"),
    Mind.UNCONSCIOUS.value: gettext_lazy("falls unconscious"),
    Mind.DEAD.value: gettext_lazy("dies"),
    COMES_TO: gettext_lazy("comes to and acts from next turn"),
    LEAVES: gettext_lazy("leaves"),
}
BECOMES: Final = {mind: CHANGES[mind.value] for mind in (Mind.UNCONSCIOUS, Mind.DEAD)}
AT_ONCE: Final[Mapping[str, tuple[str, Mapping[str, Any]]]] = {
    "shaken": (gettext_lazy("State of mind −1"), {"som": -1}),
    Mind.UNCONSCIOUS.value: (gettext_lazy("Falls unconscious"), {"becomes": Mind.UNCONSCIOUS}),
    Mind.DEAD.value: (gettext_lazy("Dies"), {"becomes": Mind.DEAD}),
}
"""What a won check leads to with one press, for whoever it was against."""

STATUS: Final = {
    Status.HOLDING: gettext_lazy("holding"),
    Status.COMING_IN: gettext_lazy("coming in now"),
    Status.DONE: gettext_lazy("has acted"),
    Status.SKIPPED: gettext_lazy("skipped this turn"),
    Status.NEXT_TURN: gettext_lazy("acts from next turn"),
}
MINDS: Final = {Mind.UNCONSCIOUS: gettext_lazy("unconscious"), Mind.DEAD: gettext_lazy("dead")}


# What there is to choose


def known(procedure: Tracker, table: Table) -> list[Person]:
    """Return all in play that players know of."""
    return sorted((one for one in table.all(Person) if one.in_play and not one.hidden), key=lambda one: one.name)


def comers(procedure: Tracker, table: Table) -> Iterator[tuple[str, Words]]:
    return ((f"{how}:{one.id}", worded(words)) for one in known(procedure, table) for how, words in HOW.items())


def everyone(procedure: Tracker, table: Table, *target: Any) -> list[Participant]:
    return procedure.participants


def others(procedure: Tracker, table: Table, who: Participant) -> list[Participant]:
    return [one for one in procedure.participants if one.key != who.key]


def foes(procedure: Tracker, table: Table, who: Participant) -> list[Participant]:
    """Return whom a participant may attack, the other side first."""
    there = (one for one in others(procedure, table, who) if one.mind is not Mind.DEAD)
    return sorted(there, key=lambda one: one.side is who.side)


def skills(procedure: Tracker, table: Table, who: Participant) -> Iterator[tuple[str, Words]]:
    person = table.find(Person, who.character or "")
    for row in sheet.SHEET.rows(person.values, "skills") if person else ():
        actions = actions_in_turn([row["es"]], table.settings)
        yield (
            f"{who.character}:skills/{row['id']}/es",
            ngettext(
                "{name}, skill score {es}: {count} action",
                "{name}, skill score {es}: {count} actions",
                actions,
                name=row["name"],
                es=row["es"],
            ),
        )


def occasions(procedure: Tracker, table: Table) -> Iterator[tuple[str, Words]]:
    return ((code, capital(worded(words))) for code, words in OCCASIONS.items())


def player(procedure: Tracker, who: Actor, one: Participant) -> bool:
    return who.plays(one.character)


def in_turn(procedure: Tracker, table: Table, *target: Any) -> int:
    return procedure.nth


NONE: Final[list[Any]] = []
Comers = Annotated[list[str], OneOf(comers)]
Allies = Annotated[list[Person], OneOf(known)]
Lines = Annotated[list[Mapping[str, Any]], Unasked()]
Action = Annotated[str, Text(LONGEST_WORDS), gettext_lazy("Action")]
Actions = Annotated[int, Between(1, 10), gettext_lazy("Number of actions")]
Skills = Annotated[list[str], OneOf(skills)]
Metres = Annotated[int, Between(0, 100_000), gettext_lazy("Distance in metres")]
Said = Annotated[str, Text(LONGEST_WORDS)]
Affects = Annotated[Participant | None, OneOf(everyone)]
Shift = Annotated[int, Between(-LARGEST_SHIFT, LARGEST_SHIFT), gettext_lazy("Change in state of mind")]
Becomes = Annotated[Mind | None, listed(BECOMES)]


class Tracker(Turns):
    """An event in turns: players declare and act for their own, GMs for everyone; a GM says who joins, checks and falls, may
    skip and move a participant, and ends the turn once all have had theirs."""

    label = gettext_lazy("Event in turns")
    on_card = {"attack": "rolls/_prepared.html"}
    why = Reason("arc_event", gettext_lazy("an event in turns"))
    _before: Mapping[str, Any] = PrivateAttr(default_factory=dict)
    """The state in an event of 0.2, which had what came of its step."""

    # How it begins, and who comes

    @act(label, says=gettext_lazy("An event in turns began. {turn}: {order}."))
    def open(
        self,
        table: Table,
        *,
        takes_part: Comers = NONE,
        ambush: Side | None = None,
        allies: Allies = NONE,
        lines: Lines = NONE,
        apart: bool = False,
    ) -> Mapping[str, Words]:
        self.apart = apart
        if not takes_part and not lines:
            message = _("Choose the characters who take part, or add someone by name.")
            raise Refused(message, "takes_part")
        self._come(table, takes_part, ambush, allies, lines, Status.TO_ACT)
        return self.about()

    # In one's turn

    @act(gettext_lazy("Attack"), by=player, each=lambda self, table: self.to_declare(), terms=in_turn)
    def attack(
        self,
        table: Table,
        who: Participant,
        *,
        using: Annotated[str, OneOf(skills)] = "",
        using_stat: Annotated[str, listed(STAT_WORDS)] = "",
        actions: Actions = 1,
        target: Annotated[Participant, OneOf(foes), gettext_lazy("Target")],
    ) -> Words:
        """Declare attacks on another with a skill, and begin the check of the first at once, unless all declare first."""
        self._declare(table, who, "", actions, [using] if using else [])
        for skill in who.skills:
            skill.stat = using_stat or skill.stat
        who.against, who.status = [target.key], Status.DECLARED
        self._beset(target)
        line = self._declared_line(who)
        if not self.apart:
            self.resolve(table, who)
        return line

    @act(
        pgettext_lazy("an action", "Done"),
        says=gettext_lazy("{name} finished acting. {next}"),
        by=player,
        each=lambda self, table: [one for one in self.whose_turn() if self.has_acted(one) and not self.pending(one)],
        terms=in_turn,
    )
    def done(self, table: Table, who: Participant) -> Mapping[str, Words]:
        who.status = Status.DONE
        return self.about(who)

    @act(
        gettext_lazy("Declare"),
        by=player,
        each=lambda self, table: [*self.to_declare(), *self.attacked()],
        terms=in_turn,
    )
    def declare(
        self,
        table: Table,
        who: Participant,
        *,
        words: Action = "",
        actions: Actions = 1,
        defences: Annotated[int, Between(0, 10), gettext_lazy("Of these, to defend")] = 0,
        skills: Skills = NONE,
        against: Annotated[list[Participant], OneOf(others)] = NONE,
        moves: Metres = 0,
        done: bool = False,
    ) -> Words:
        """Declare actions; `done`: they are carried out at once, unless all declare first. Whoever is attacked before their turn
        may only defend (arc.txt, V.6)."""
        self._must_say(words)
        self._declare(table, who, words, actions, skills, moves)
        who.defences, who.against = whole("defences", defences, 0, actions), [one.key for one in against]
        only_defends = defences == actions
        if self.current is not who and not only_defends:
            message = _("{name}’s turn hasn’t come. Until then they can only defend.", name=who.name)
            raise Refused(message, "defences")
        if only_defends:
            who.against = []
        who.status = Status.DONE if only_defends or (done and not self.apart) else Status.DECLARED
        for key in who.against:
            self._beset(self.found(key))
        return self._declared_line(who)

    @act(
        gettext_lazy("Do nothing"),
        says=gettext_lazy("{name} did nothing. {next}"),
        by=player,
        each=lambda self, table: [one for one in self.to_declare() if not self.has_acted(one)],
        terms=in_turn,
    )
    def wait(self, table: Table, who: Participant) -> Mapping[str, Words]:
        who.status = Status.DONE
        return self.about(who)

    @act(
        pgettext_lazy("an action", "Hold"),
        says=gettext_lazy("{name} held back. {next}"),
        by=player,
        each=lambda self, table: [one for one in self.now(Status.TO_ACT) if not self.has_acted(one)],
        terms=in_turn,
    )
    def hold(self, table: Table, who: Participant) -> Mapping[str, Words]:
        who.status = Status.HOLDING
        return self.about(who)

    @act(
        pgettext_lazy("verb", "Check"),
        by=player,
        each=lambda self, table: [one for one in self.participants if self.may_resolve(one)],
        terms=lambda self, table, who: (self.nth, who.checked),
    )
    def resolve(self, table: Table, who: Participant) -> None:
        """Begin the check of the next action, with the skill named for it and its declared target.

        It is asked for at once if a GM calls it, or it is an attack on the other side. Else a player announces it, and a GM sets
        the difficulty or lets the other counter it.
        """
        self._must_be_able(table, who)
        there = [_side(table, who, _at(who.skills, who.checked))]
        target = self.found(key) if (key := _at(who.against, who.checked)) else None
        if target is not None:
            # The last skills that are named are those kept to defend.
            kept = _at(target.skills, -1) if target.defended < target.defences else None
            there.append(_side(table, target, kept or _same(table, target, _at(who.skills, who.checked))))
        who.checked += 1
        table.begin(Check, sides=there, fight=target is not None and target.side is not who.side)

    @act(
        gettext_lazy("Come in now"),
        says=gettext_lazy("{name} came in."),
        by=player,
        each=lambda self, table: [one for one in self.participants if self.may_come_in(one)],
        terms=in_turn,
    )
    def come_in(self, table: Table, who: Participant) -> Mapping[str, Words]:
        who.status = Status.COMING_IN
        return self.about(who)

    @act(
        gettext_lazy("Carry on"),
        says=gettext_lazy("{name}, surprised, carried on: {action}."),
        by=player,
        each=lambda self, table: self.surprised(),
    )
    def go_on(
        self,
        table: Table,
        who: Participant,
        *,
        words: Action = "",
        actions: Actions = 1,
        skills: Skills = NONE,
        moves: Metres = 0,
    ) -> Mapping[str, Words]:
        self._must_say(words)
        self._declare(table, who, words, actions, skills, moves)
        who.begun = Begun.GOES_ON
        return self.about(who)

    @act(
        gettext_lazy("Drop it"),
        says=gettext_lazy("{name}, surprised, dropped what they had begun."),
        by=player,
        each=lambda self, table: self.surprised(),
    )
    def drop(self, table: Table, who: Participant) -> Mapping[str, Words]:
        who.begun = Begun.DROPPED
        return self.about(who)

    # What GMs do

    @act(
        gettext_lazy("Skip"),
        says=gettext_lazy("{name} was skipped. {next}"),
        each=lambda self, table: self.whose_turn(),
        terms=in_turn,
    )
    def skip(self, table: Table, who: Participant) -> Mapping[str, Words]:
        who.status = Status.SKIPPED
        self._waive(who)
        return self.about(who)

    @act(
        gettext_lazy("No check"),
        says=gettext_lazy("{name} needed no Reaction check."),
        each=lambda self, table: [one for one in self.participants if self.pending(one)],
        terms=in_turn,
    )
    def waive(self, table: Table, who: Participant) -> Mapping[str, Words]:
        self._waive(who)
        return self.about(who)

    @act(gettext_lazy("Change"), each=everyone)
    def change(
        self,
        table: Table,
        who: Participant,
        *,
        to: Annotated[str, listed(CHANGES)],
        before: Annotated[Participant | None, OneOf(others)] = None,
    ) -> Words:
        minds = self._minds()
        if to == LEAVES:
            self._remove({who.key})
            self._sort(table)
            return self._changed_line(who.name, None)
        if to == MOVES:
            if not self.takes_part(who):
                raise Refused(_("{name} doesn’t take part in this turn.", name=who.name), "to")
            if before and not self.takes_part(before):
                raise Refused(_("Choose someone else who takes part in this turn."), "before")
            self.moves = [move for move in self.moves if move.key != who.key]
            self.moves.append(Move(key=who.key, before=before.key if before else ""))
        elif to == COMES_TO:
            if who.mind is Mind.AWARE:
                raise Refused(_("{name} is already awake.", name=who.name), "to")
            # Who comes to was unaware until now, and acts in the next turn.
            self._becomes(table, who, Mind.SURPRISED)
            who.begun = Begun.DROPPED
        else:
            self._falls(who, Mind(to))
            self._becomes(table, who, Mind(to))
            self._losses(minds)
        self._sort(table)
        return self._changed_line(who.name, who)

    @act(gettext_lazy("They check"), each=lambda self, table: self.arisen)
    def check(self, table: Table, occasion: Arisen) -> Words:
        self.arisen.remove(occasion)
        self._ask(occasion.occasion, occasion.whom)
        return self._checks_line()

    @act(
        gettext_lazy("No check"),
        says=gettext_lazy("No Reaction check was needed."),
        each=lambda self, table: self.arisen,
    )
    def no_check(self, table: Table, occasion: Arisen) -> None:
        self.arisen.remove(occasion)

    @act(
        gettext_lazy("Next turn"),
        when=lambda self, table: self.current is None and not any(check.held is None for check in self.checks),
        terms=in_turn,
    )
    def turn(self, table: Table) -> Words:
        """End the turn: apply its outcomes, make the surprised aware, and give all a turn again."""
        minds, landed = self._minds(), (self.outcomes, [self.told(one) for one in self.outcomes])
        gms, players = (self._ended_line(outcomes, self.nth) for outcomes in landed)
        about = [(self.found(outcome.whom), outcome) for outcome in self.outcomes if outcome.whom]
        for one, outcome in about:
            self._becomes(table, one, outcome.becomes or one.mind)
        table.because(TURN_ENDS)
        for one, outcome in about:
            self._shift(table, one, outcome.som)
        for one in self.participants:
            one.status = Status.TO_ACT
            one.declares()
            one.mind = Mind.AWARE if one.mind is Mind.SURPRISED else one.mind
        self.nth += 1
        self.moves, self.checks, self.arisen, self.outcomes = [], [], [], []
        self._losses(minds)
        self._sort(table)
        table.tell_gms(self._turn_line(gms))
        return self._turn_line(players)

    @act(gettext_lazy("Add outcome"))
    def outcome(
        self, table: Table, *, words: Said = "", whom: Affects = None, som: Shift = 0, becomes: Becomes = None
    ) -> Words:
        """Note what happens at the end of the turn."""
        if len(self.outcomes) >= MOST_OUTCOMES:
            raise Refused(_("At most {most} outcomes can be noted in a turn.", most=MOST_OUTCOMES), "words")
        if whom is None and (som or becomes):
            raise Refused(_("Choose who it affects."), "whom")
        if not words and not som and not becomes:
            raise Refused(_("Describe the outcome."), "words")
        self.asked += 1
        key = whom.key if whom else ""
        self.outcomes.append(Outcome(number=self.asked, words=words, whom=key, som=som, becomes=becomes))
        table.tell_gms(self._noted_line(self.outcomes[-1]))
        return self._noted_line(self.told(self.outcomes[-1]))

    @act(gettext_lazy("Add outcome"), each=lambda self, table: self.won)
    def land(
        self,
        table: Table,
        check: Fought,
        *,
        words: Said = "",
        whom: Affects = None,
        som: Shift = 0,
        becomes: Becomes = None,
    ) -> Words:
        """Say what a won check leads to at the end of the turn."""
        check.said = True
        return self.outcome(table, words=words, whom=whom, som=som, becomes=becomes)

    @act(
        lambda self, table, check, how: worded(AT_ONCE[how][0]),
        each=lambda self, table: [(one, how) for one in self.won if one.whom for how in AT_ONCE],
    )
    def land_at_once(self, table: Table, check: Fought, how: str) -> Words:
        """Say with one press what a won check leads to for whoever it was against."""
        return self.land(table, check, whom=self.found(check.whom), **AT_ONCE[how][1])

    @act(gettext_lazy("Nothing comes of it"), each=lambda self, table: self.won)
    def nothing(self, table: Table, check: Fought) -> None:
        check.said = True

    @act(gettext_lazy("Reaction check"))
    def react(
        self,
        table: Table,
        *,
        whom: Annotated[list[Participant], OneOf(everyone)] = NONE,
        occasion: Annotated[str, OneOf(occasions)],
    ) -> Words:
        """Ask for the checks that a GM wants."""
        if not whom:
            raise Refused(_("Choose who checks."), "whom")
        for one in whom:
            if one.mind is not Mind.AWARE:
                message = _("{name} isn’t aware of anything now, so they can’t check.", name=one.name)
                raise Refused(message, "whom")
            if self.pending(one):
                raise Refused(_("{name} already has a Reaction check to roll.", name=one.name), "whom")
        self._ask(occasion, [one.key for one in whom])
        return self._checks_line()

    @act(gettext_lazy("Add newcomers"), says=gettext_lazy("Newcomers joined. The order: {order}."))
    def join(
        self,
        table: Table,
        *,
        takes_part: Comers = NONE,
        ambush: Side | None = None,
        allies: Allies = NONE,
        lines: Lines = NONE,
    ) -> Mapping[str, Words]:
        if not takes_part and not lines:
            raise Refused(_("Choose who joins."), "takes_part")
        self._come(table, takes_part, ambush, allies, lines, Status.ARRIVING)
        return self.about()

    def settle(self, table: Table) -> None:
        """Go by the sheets as they are now: a changed SOM has another place, who is not in play any more has left, and who is
        unconscious by the sheet, or has died, is so here. An opposed check in a fight that is asked for now is an attack."""
        before, minds, told = self.model_dump(), self._minds(), len(table.told)
        there = {who.id: who for who in table.all(Person)}
        people = {one.key: there.get(one.character) for one in self.participants if one.character}
        gone = {key for key, who in people.items() if who is None or who.hidden or not (who.in_play or who.dead)}
        self._remove(gone)
        order = [one.key for one in self.participants]
        for one in self.participants:
            if who := people.get(one.key):
                self._go_by(table, one, who)
        self._follow_checks(table)
        if self.model_dump() == before:
            return
        self._losses(minds)
        self._sort(table)
        if gone or order != [one.key for one in self.participants] or len(table.told) > told:
            table.told.insert(told, _("The order changed: {order}.", order=self._order_words()))

    def waits(self, table: Table) -> Sequence[Waits]:
        owing = [self.found(check.key) for check in self._owed(made=False)]
        waits = [Waits(one.character or "", _("to roll a Reaction check"), one.name, one.key) for one in owing]
        for one in self.whose_turn():
            if not self.pending(one):
                words = _("to act") if one.status is Status.DECLARED else _("to declare")
                own = _("Your turn, {name}", name=one.name)
                waits.append(Waits(one.character or "", words, one.name, one.key, own))
        if self.arisen:
            waits.append(Waits("", _("to say who rolls a Reaction check")))
        if self.won:
            waits.append(Waits("", _("to say what comes of it")))
        return waits or [Waits("", _("to start the next turn"))]

    def party(self, table: Table, key: str) -> tuple[str, str | None]:
        one = next((one for one in self.participants if one.key == key), None)
        return (one.name, one.character) if one else ("", None)

    # Reaction checks (arc.txt, V.5). Players roll for their own; for others the procedure does. With the highest SOM a player
    # rolls nothing, since it always succeeds; for an NPC the die falls all the same, or its absence would betray the SOM.

    def requests(self, table: Table) -> Sequence[Asked]:
        return [
            Asked(part=RollPart(check.part), terms=REACTION, character=self.found(check.key).character)
            for check in self._owed(made=False)
        ]

    def on_answers(self, table: Table, answers: Sequence[Answer]) -> None:
        """Record the results of players' checks: of each the roll that stands, if any. A participant who has become unaware does
        not owe a voided one again."""
        fell = {answer.part.name: answer.outcome["result"] == SUCCESS for answer in answers}
        for check in self.checks:
            check.held = check.held if check.made else fell.get(check.part)
        self.checks = [one for one in self.checks if one.held is not None or self.found(one.key).mind is Mind.AWARE]
        self._sort(table)

    def told_rolls(self, table: Table, *, again: bool) -> Words:
        return self.stands(table)

    def next_roll(self, table: Table) -> Roll | None:
        """Return the next Reaction check of a participant without a player; None if there is none."""
        for check in self._owed(made=True):
            one = self.found(check.key)
            typed: dict[str, Any] = (
                {"character": UUID(one.character)} if one.character else {"som": one.som, "note": one.name}
            )
            return Roll(part=check.part, ask=ArcInput(kind=Kind.REACTION.value, **typed), terms=REACTION)
        return None

    def on_roll(self, table: Table, part: str, outcome: Mapping[str, Any]) -> Words:
        for check in self.checks:
            check.held = outcome["result"] == SUCCESS if check.part == part else check.held
        self._sort(table)
        return self.stands(table)

    def undo_roll(self, table: Table, part: str) -> None:
        """Drop a check as if it had not been asked for; a GM may ask again."""
        self.checks = [check for check in self.checks if check.part != part]
        self._sort(table)

    # Whom they attack

    def _follow_checks(self, table: Table) -> None:
        """Note each check that is asked for now and what comes of it. An opposed one in a fight is an attack, counted once: the
        other uses up an action that was kept to defend (arc.txt, V.6). Once it is rolled again, it is to be said again what comes
        of it; one that a GM ended is none."""
        noted = {one.check: one for one in self.fought}
        for check in table.all(Check):
            by, on = (None if check.hidden else self._there(check, at) for at in (0, 1))
            one = noted.get(check.id)
            if one is None:
                if by is None or check.over or not check.asked_for:
                    continue
                one = Fought(check=check.id, turn=self.nth, who=by.key)
                self.fought = [*self.fought, one][-MOST_COUNTED:]
            result = check.sides[0].result if check.over else ""
            if check.over and result not in (SUCCESS, FAILURE):
                self.fought.remove(one)
                continue
            one.said, one.result, one.whom = one.said and one.result == result, result, on.key if on else ""
            if not one.attack and check.fight and by and on and by.side is not on.side:
                one.attack = True
                on.defended += on.defended < on.defences
                if on.key not in by.against:
                    by.against.append(on.key)
                    self._beset(on)

    def _there(self, check: Check, at: int) -> Participant | None:
        """Return the participant that a side of a check is: by the character, nameless ones by name; None if it is none."""
        for side in check.sides[at : at + 1]:
            for one in self.participants:
                if one.character == side.character and (side.character is not None or one.name == side.name):
                    return one
        return None

    # How it is seen, and what is said of it

    def card(self, table: Table, buttons: Sequence[Button]) -> Staged:
        begin, end = self.seconds
        words = gettext_lazy("Turn {number} · seconds {begin} to {end}")
        if self.apart:
            words = gettext_lazy("Turn {number} · seconds {begin} to {end} · everyone declares, then everyone acts")
        return Staged(
            above=worded(words, number=self.nth, begin=begin, end=end),
            turns=[self._place_seen(one, table, buttons) for one in self.participants],
            rows=list(self._rows(buttons)),
            rows_head=_("This turn"),
            acts=[button for button in buttons if not button.target],
        )

    def stands(self, table: Table) -> Words:
        return joined(". ", (self._turn_words(), self._next()))

    def about(self, who: Participant | None = None) -> Mapping[str, Words]:
        """Return what sentences may say of a participant, and of the turn."""
        own = {"name": who.name, "action": self._declared(who)} if who else {}
        return own | {"next": self._next(), "turn": self._turn_words(), "order": self._order_words()}

    @classmethod
    def told_before(cls, state: Mapping[str, Any]) -> Table:
        kept = {name: value for name, value in state.items() if name in cls.model_fields}
        told = cls.model_validate(kept | {"nth": state["turn"]})
        told._before = state
        return Table([told])

    def line_before(self, table: Table, act: str, whom: str) -> Words:
        ties = [[(die["name"], die["face"]) for die in tie["fell"]] for tie in self._before["ties"]]
        fell = ties_words(ties) if ties else ""
        return joined(" ", filter(None, (self._sentence_before(table, act, whom, tied=bool(ties)), fell)))

    def _sentence_before(self, table: Table, act: str, whom: str, *, tied: bool) -> Words:
        who = next((one for one in self.participants if one.name == whom), None)
        if act == "declare" and who:
            return self._declared_line(who)
        if act == "change":
            return self._changed_line(whom, who)
        if act == "turn":
            landed = [Outcome.model_validate(one) for one in self._before["landed"]]
            return self._turn_line(self._ended_line(landed, self.nth - 1))
        if act in ("react", "check"):
            return self._checks_line()
        if act in ("outcome", "land") and self.outcomes:
            return self._noted_line(self.outcomes[-1])
        if act == REREAD:
            changed = self._before["resorted"] or tied
            return _("The order changed: {order}.", order=self._order_words()) if changed else ""
        if act in ("nothing", "resolve"):
            return ""
        if act in self.acts and self.acts[act].says:
            return worded(self.acts[act].says, **{**self.about(who), "name": whom})
        return self.stands(table)

    def _turn_words(self) -> Message:
        begin, end = self.seconds
        return _("Turn {number} (seconds {begin} to {end})", number=self.nth, begin=begin, end=end)

    def _next(self) -> Message:
        if self.current is None:
            return _("Everyone has acted, is holding or is waiting.")
        if self.current.status is Status.DECLARED:
            return _("{name} acts next.", name=self.current.name)
        return _("{name} declares next.", name=self.current.name)

    def _order_words(self) -> Words:
        declare = ", ".join(one.name for one in self.participants if self.takes_part(one))
        waits = ", ".join(one.name for one in self.participants if not self.takes_part(one))
        order = declare or _("no one declares")
        return _("{order}; from next turn: {names}", order=order, names=waits) if waits else order

    def _declared_line(self, who: Participant) -> Words:
        if who.status is Status.DONE:
            return worded(gettext_lazy("{name} declared: {action}. {next}"), **self.about(who))
        return worded(gettext_lazy("{name} declared: {action}."), **self.about(who))

    def _changed_line(self, name: str, who: Participant | None) -> Words:
        """Return the sentence about a participant whose place or state of mind has changed; None has left."""
        if who is None:
            return _("{name} left. {next}", name=name, next=self._next())
        if who.mind is Mind.SURPRISED:
            dropped = who.begun is Begun.DROPPED
            return _("{name} came to.", name=name) if dropped else _("{name} was surprised.", name=name)
        if who.mind is Mind.UNCONSCIOUS:
            return _("{name} fell unconscious. {next}", name=name, next=self._next())
        if who.mind is Mind.DEAD:
            return _("{name} died. {next}", name=name, next=self._next())
        return _("{name} changed places. The order: {order}.", name=name, order=self._order_words())

    def _ended_line(self, landed: Sequence[Outcome], number: int) -> Words:
        if landed:
            outcomes = joined(". ", map(self._outcome_words, landed))
            return _("Turn {number} ended: {outcomes}.", number=number, outcomes=outcomes)
        return _("Turn {number} ended.", number=number)

    def _turn_line(self, ended: Words) -> Words:
        return joined(" ", (ended, worded(gettext_lazy("{turn}: {order}."), **self.about())))

    def _noted_line(self, outcome: Outcome) -> Words:
        return _("Noted for the end of the turn: {outcome}.", outcome=self._outcome_words(outcome))

    def _checks_line(self) -> Words:
        """Return the checks that were asked for last, and who succeeds without a die."""
        if not self.checks:
            return _("No one was there to react.")
        last = [check for check in self.checks if check.occasion == self.checks[-1].occasion]
        names = ", ".join(self.found(check.key).name for check in last)
        asked = _("Reaction check for {names} ({occasion}).", names=names, occasion=worded(OCCASIONS[last[0].occasion]))
        sure = ", ".join(self.found(check.key).name for check in last if check.made and check.held)
        if not sure:
            return asked
        always = _("Success without a roll, with a state of mind of {highest}: {names}.", highest=SCORES[1], names=sure)
        return joined(" ", (asked, always))

    def _outcome_words(self, outcome: Outcome) -> Words:
        """Return words such as "the net falls; Silas: state of mind −2, unconscious"."""
        more = [_("state of mind {change}", change=signed(outcome.som))] if outcome.som else []
        more += [worded(MINDS[outcome.becomes])] if outcome.becomes else []
        whom = self.names([outcome.whom])
        more += [_("only the GM sees how")] if whom and not (outcome.words or more) else []
        concerning = joined(": ", (whom, joined(", ", more))) if more and whom else whom
        return joined("; ", filter(None, (outcome.words, concerning)))

    def _declared(self, who: Participant) -> Words:
        """Return words such as "two attacks (2 actions, 4 m, against the guard)"."""
        if not who.has_declared:
            return ""
        more: list[Words] = [ngettext("{count} action", "{count} actions", who.actions)]
        if who.defences:
            left = who.defences - who.defended
            words = ngettext(
                "{left} of {count} defence left", "{left} of {count} defences left", who.defences, left=left
            )
            more.append(words)
        more += [f"{who.moves} m"] if who.moves else []
        more += [_("against {name}", name=self.names(who.against))] if who.against else []
        return joined("", (who.words or worded(gettext_lazy("attack")), " (", joined(", ", more), ")"))

    def _place_seen(self, one: Participant, table: Table, buttons: Sequence[Button]) -> Turn:
        figures: list[Words] = []
        who, own = table.find(Person, one.character or ""), [button for button in buttons if button.whom == one.key]
        mind = one.som or (who.som if who and who.shared else None)
        state: list[Words] = [] if one.played else [_("NPC")]
        state += [worded(MIND[mind - 1])] if mind and not one.mind.is_down else []
        if one.som:
            scores = {"som": one.som, "empathy": one.empathy, "perception": one.perception}
            figures.append(_("State of mind {som}, Empathy {empathy}, Perception {perception}", **scores))
        if one.rolls:
            figures.append(_("d10: {faces}", faces=", ".join(map(str, one.rolls))))
        return Turn(
            name=one.name,
            character=one.character or "",
            words=joined("; ", filter(None, (one.reach_words, *self._state_words(one)))),
            lines=[line for line in (joined(" · ", state), joined(", ", figures)) if line],
            status=one.status.value if self.takes_part(one) else "waits",
            current=one is self.current,
            buttons=[button for button in own if not button.on_card],
            prepares=[button for button in own if button.on_card],
            acts_for=one.name if one.played else "",
            rolls=Kind.CHECK.value,
        )

    def _state_words(self, one: Participant) -> Iterator[Words]:
        if one.begun is Begun.GOES_ON:
            yield _("surprised, carrying on with what they began")
        elif one.mind is Mind.SURPRISED:
            yield _("surprised, acts from next turn")
        elif one.mind is not Mind.AWARE:
            yield worded(MINDS[one.mind])
        elif self.lost(one):
            yield _("lost this turn")
        elif one.status is Status.DONE and not self.has_acted(one):
            yield _("does nothing this turn")
        elif one.status in STATUS:
            yield worded(STATUS[one.status])
        for check in self.checks:
            if check.key == one.key:
                yield _check_words(one, worded(OCCASIONS[check.occasion]), held=check.held)

    def _mark(self, check: Fought) -> Mark:
        look = {SUCCESS: "good", FAILURE: "trouble"}.get(check.result, "")
        return Mark(worded(RESULTS[check.result]) if check.result else _("in progress"), look)

    def _rows(self, buttons: Sequence[Button]) -> Iterator[Row]:
        """Yield the occasions of Reaction checks that have arisen, what was declared in this turn with the checks of it and, for
        those who won one, what may come of it, then the outcomes at the end of the turn."""
        for arisen in self.arisen:
            occasion = worded(OCCASIONS[arisen.occasion])
            yield Row(
                whose=capital(occasion),
                words=_("Reaction check for {names}?", names=self.names(arisen.whom)),
                look="trouble",
                buttons=[button for button in buttons if button.whom == arisen.occasion],
                about=occasion,
            )
        for one in self.participants:
            checks: list[Fought | None] = [check for check in self.checked_now if check.who == one.key]
            for check in checks or [None] * one.has_declared:
                yield Row(
                    whose=one.name,
                    character=one.character or "",
                    words="",
                    detail=self._declared(one) or _("made a check"),
                    lines=[_("What happens at the end of the turn?")] if check in self.won else (),
                    marks=[self._mark(check)] if check else (),
                    buttons=[button for button in buttons if check and button.whom == check.id],
                )
        for place, outcome in enumerate(self.outcomes):
            yield Row(whose="" if place else _("At the end of this turn"), words=self._outcome_words(outcome))


def _at(those: Sequence[Any], at: int) -> Any:
    """Return that of the so-manieth action; later ones go by the last. None if there is none."""
    return those[min(at, len(those) - 1)] if those else None


def _side(table: Table, one: Participant, skill: Skill | None) -> dict[str, Any]:
    """Return the side of a check that a participant is."""
    who = table.find(Person, one.character or "")
    size = who.size if who else one.size or Size.MEDIUM
    return {"name": one.name, "character": one.character, "size": size} | (skill.model_dump() if skill else {})


def _same(table: Table, one: Participant, skill: Skill | None) -> Skill | None:
    """Return the skill with which an NPC counters one of the same name; players choose theirs, and a GM where there is none."""
    person = None if one.played else table.find(Person, one.character or "")
    rows = sheet.SHEET.rows(person.values, "skills") if person and skill else ()
    same = (row for row in rows if skill and row["name"].casefold() == skill.skill.casefold())
    return next((Skill(stat=row["stat"], skill=row["name"]) for row in same), None)


def _check_words(one: Participant, occasion: Words, *, held: bool | None) -> Words:
    if held is not None:
        words = gettext_lazy("Reaction check ({occasion}): success")
        words = words if held else gettext_lazy("Reaction check ({occasion}): failure")
    elif one.som:
        words = gettext_lazy("Reaction check ({occasion}): {chances} in {all} to succeed")
    else:
        words = gettext_lazy("Reaction check ({occasion})")
    return worded(words, occasion=occasion, chances=one.som, all=SCORES[1])
