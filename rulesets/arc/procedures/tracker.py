"""An event in turns: who declares after whom, what they do, and what comes of it when the turn ends (arc.txt, V.1, V.5 to V.7).

A turn is 6 seconds. Whoever is in it declares and acts in the order of declaration, which is made anew from the same keys
whenever one of them changes; what happens in a turn lands at its end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Final
from uuid import UUID

from characters.reasons import Reason
from languages.text import gettext_lazy, pgettext_lazy
from rules.acting import Between, OneOf, Roll, Text, Unasked, Waits, act
from rules.acts import Actor
from rules.errors import whole
from rules.messages import Message, Words, capital, joined, ngettext, worded
from rules.messages import gettext as _
from rules.procedures import Answer, Asked, RollPart
from rules.table import Refused, Table
from rulesets.arc import sheet
from rulesets.arc.procedures.check import Check
from rulesets.arc.procedures.tracker_card import SeenTurns
from rulesets.arc.rules.body import Size
from rulesets.arc.rules.check import FAILURE, SUCCESS, actions_in_turn
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
)
from rulesets.arc.sheet import STAT_WORDS, Person
from rulesets.arc.terms import ArcInput, Kind

TURN_ENDS: Final = Reason("arc_turn", gettext_lazy("the end of a turn"))
REACTION: Final = ArcInput(kind=Kind.REACTION.value)
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


def checkers(procedure: Tracker, table: Table) -> Iterator[tuple[Participant, Words]]:
    """Yield who may have to check, with the Morality on their sheet; those who cannot now are refused by name."""
    for one in procedure.participants:
        who = table.find(Person, one.character or "")
        morality = _("Morality: {words}", words=Message((who.morality,), "morality")) if who and who.morality else ""
        yield one, joined(" · ", filter(None, (one.name, morality)))


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
Skills = Annotated[list[str], OneOf(skills), gettext_lazy("Skills used (without one, 1 action)")]
Metres = Annotated[int, Between(0, 100_000), gettext_lazy("Distance in metres")]
Against = Annotated[list[Participant], OneOf(others), gettext_lazy("Against")]
Said = Annotated[str, Text(LONGEST_WORDS), gettext_lazy("Outcome, when the turn ends")]
Affects = Annotated[Participant | None, OneOf(everyone, gettext_lazy("no one in particular")), gettext_lazy("Affects")]
Shift = Annotated[int, Between(-LARGEST_SHIFT, LARGEST_SHIFT), gettext_lazy("Change in state of mind")]
Becomes = Annotated[Mind | None, OneOf.of(BECOMES, gettext_lazy("stays awake")), gettext_lazy("Then")]


class Tracker(SeenTurns):
    """An event in turns: players declare and act for their own, GMs for everyone; a GM says who joins, checks and falls, may
    skip and move a participant, and ends the turn once all have had theirs."""

    label = gettext_lazy("Event in turns")
    on_card = {"attack": "rolls/_prepared.html"}
    why = Reason("arc_event", gettext_lazy("an event in turns"))

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
        using_stat: Annotated[str, OneOf.of(STAT_WORDS)] = "",
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
        against: Against = NONE,
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
        to: Annotated[str, OneOf.of(CHANGES), gettext_lazy("Change")],
        before: Annotated[
            Participant | None,
            OneOf(others, gettext_lazy("last of all")),
            gettext_lazy("If the place changes, before"),
        ] = None,
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
        whom: Annotated[list[Participant], OneOf(checkers), gettext_lazy("Who checks")] = NONE,
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

    def so_far(self, act: str, table: Table, *target: Any) -> Mapping[str, Any]:
        """Return that a won check affects whom it was against."""
        return {"whom": target[0].whom} if act == "land" else {}

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
            Asked(part=RollPart(check.part), terms=REACTION.asked(), character=self.found(check.key).character)
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
            return Roll(part=check.part, ask=replace(REACTION, **typed), terms=REACTION.asked())
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
        those = (
            one
            for side in check.sides[at : at + 1]
            for one in self.participants
            if one.character == side.character and (side.character is not None or one.name == side.name)
        )
        return next(those, None)


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
