"""An event in turns: who declares after whom, what they do, and what comes of it when the turn ends (arc.txt, V.1, V.5 to V.7).

A turn is 6 seconds. Whoever is in it declares and acts in the order of declaration, which is made anew from the same keys
whenever one of them changes; what happens in a turn lands at its end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Annotated, Any, Final
from uuid import UUID

from django import forms
from django.utils.text import format_lazy

from campaigns.forms.fields import LineField
from characters.reasons import Reason
from languages.text import gettext, gettext_lazy, pgettext_lazy
from rolls.forms.asked import ActForm
from rolls.forms.base import WholeNumber
from rules.acting import OPEN, Between, OneOf, Roll, Text, Unasked, Waits, act
from rules.acts import Actor
from rules.errors import whole
from rules.messages import Words, capital, ngettext, worded
from rules.messages import gettext as _
from rules.procedures import Answer, Asked, RollPart
from rules.table import Refused, Table
from rulesets.arc import sheet
from rulesets.arc.procedures.check import Check, listed
from rulesets.arc.procedures.tracker_seen import Seen
from rulesets.arc.rows import Person
from rulesets.arc.rules.body import IMMOBILE, Size
from rulesets.arc.rules.check import SUCCESS, actions_in_turn
from rulesets.arc.rules.tracker import (
    AMBUSHED,
    CENTIMETRES,
    LONGEST_NAME,
    OCCASIONS,
    Arisen,
    Begun,
    Mind,
    Move,
    Outcome,
    Participant,
    Side,
    Skill,
    Status,
    Won,
)
from rulesets.arc.settings import AVERAGE, BURDEN_WORDS, SCORES, Burden
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


class Tracker(Seen):
    """An event in turns: players declare and act for their own, GMs for everyone; a GM says who joins, checks and falls, may
    hold, skip and move a participant, and ends the turn once all have had theirs."""

    label = gettext_lazy("Event in turns")
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

    @act(
        pgettext_lazy("an action", "Done"),
        says=gettext_lazy("{name} finished acting. {next}"),
        by=player,
        each=lambda self, table: self.now(Status.DECLARED),
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
        each=lambda self, table: self.to_declare(),
        terms=in_turn,
    )
    def wait(self, table: Table, who: Participant) -> Mapping[str, Words]:
        who.status = Status.DONE
        return self.about(who)

    @act(
        pgettext_lazy("verb", "Check"),
        by=player,
        each=lambda self, table: [one for one in self.participants if self.may_resolve(one)],
        terms=lambda self, table, who: (self.nth, who.checked),
    )
    def resolve(self, table: Table, who: Participant) -> None:
        """Begin the check of the next action, with the skill named for it and its declared target.

        A GM calls it at once; a player announces it, and a GM sets the difficulty or lets the other counter it.
        """
        self._must_be_able(table, who)
        there = [_side(table, who, _at(who.skills, who.checked))]
        target = self.found(key) if (key := _at(who.against, who.checked)) else None
        if target is not None:
            # The last skills that are named are those kept to defend.
            there.append(_side(table, target, _at(target.skills, -1) if target.defended < target.defences else None))
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
        pgettext_lazy("an action", "Hold"),
        says=gettext_lazy("{name} held back. {next}"),
        each=lambda self, table: [one for one in self.whose_turn() if one.status is Status.TO_ACT],
        terms=in_turn,
    )
    def hold(self, table: Table, who: Participant) -> Mapping[str, Words]:
        who.status = Status.HOLDING
        return self.about(who)

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
        self.moves, self.checks, self.arisen, self.outcomes, self.won = [], [], [], [], []
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
        check: Won,
        *,
        words: Said = "",
        whom: Affects = None,
        som: Shift = 0,
        becomes: Becomes = None,
    ) -> Words:
        """Say what a won check leads to at the end of the turn."""
        self.won.remove(check)
        return self.outcome(table, words=words, whom=whom, som=som, becomes=becomes)

    @act(gettext_lazy("Nothing comes of it"), each=lambda self, table: self.won)
    def nothing(self, table: Table, check: Won) -> None:
        self.won.remove(check)

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
        self._count_attacks(table)
        if self.model_dump() == before:
            return
        self._losses(minds)
        self._sort(table)
        if gone or order != [one.key for one in self.participants] or len(table.told) > told:
            table.told.insert(told, _("The order changed: {order}.", order=self._order_words()))

    def waits(self, table: Table) -> Sequence[Waits]:
        those = [(self.found(check.key), _("to roll a Reaction check")) for check in self._owed(made=False)]
        now = (one for one in self.whose_turn() if not self.pending(one))
        those += [(one, _("to act") if one.status is Status.DECLARED else _("to declare")) for one in now]
        waits = [Waits(one.character or "", words, one.name, one.key) for one, words in those]
        if self.arisen:
            waits.append(Waits("", _("to say who rolls a Reaction check")))
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

    # What they declare, and whom they attack

    def _declare(
        self, table: Table, who: Participant, words: str, actions: int, skills: Sequence[str], moves: int
    ) -> None:
        """Declare so many actions and metres, with the skills of these addresses. Raises a RuleError for more than the ES and the
        movement allow."""
        self._must_be_able(table, who)
        if not words:
            raise Refused(_("Say what they do."), "words")
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
        who.declares(words=words, actions=actions, moves=moves, skills=named)

    def _must_be_able(self, table: Table, who: Participant) -> None:
        if who.burden is Burden.IMMOBILE:
            message = _("{name} is carrying too much to move or act. Put something down first.", name=who.name)
            table.forbid(IMMOBILE, message)

    def _count_attacks(self, table: Table) -> None:
        """Count the opposed checks in a fight that are requested now, each once: the acting side attacks the other, who uses up
        an action that was kept to defend (arc.txt, V.6). Note each check that whoever acted has just won, whose outcome is to be
        said; one that is rolled again is not won."""
        there = {check.id: check for check in table.all(Check) if not check.hidden and check.sides}
        going_on = {which for which, check in there.items() if not check.over}
        self.won = [won for won in self.won if won.check not in going_on]
        known = {won.check for won in self.won}
        for which, check in there.items():
            by, on = (self._there(check, at) for at in (0, 1))
            if which in going_on and which not in self.counted and check.fight and check.asked_for:
                if by and on and by.side is not on.side:
                    self.counted = [*self.counted, which][-MOST_COUNTED:]
                    on.defended += on.defended < on.defences
                    if on.key not in by.against:
                        by.against.append(on.key)
                        self._beset(on)
            elif which not in going_on and which not in known and by and check.sides[0].result == SUCCESS:
                self.won.append(Won(check=which, name=by.name, whom=on.key if on else ""))

    def _there(self, check: Check, at: int) -> Participant | None:
        """Return the participant that a side of a check is: by the character, nameless ones by name; None if it is none."""
        for side in check.sides[at : at + 1]:
            for one in self.participants:
                if one.character == side.character and (side.character is not None or one.name == side.name):
                    return one
        return None


def _at(those: Sequence[Any], at: int) -> Any:
    """Return that of the so-manieth action; later ones go by the last. None if there is none."""
    return those[min(at, len(those) - 1)] if those else None


def _side(table: Table, one: Participant, skill: Skill | None) -> dict[str, Any]:
    """Return the side of a check that a participant is."""
    who = table.find(Person, one.character or "")
    size = who.size if who else one.size or Size.MEDIUM
    return {"name": one.name, "character": one.character, "size": size} | (skill.model_dump() if skill else {})


# The forms that need more than a line an argument

LINES: Final = 3
"""Rows for nameless opponents, each for any number of a kind."""
MOST_OF_A_KIND: Final = 20
SCORED: Final = {
    "som": gettext_lazy("State of mind"),
    "empathy": gettext_lazy("Empathy"),
    "perception": gettext_lazy("Perception"),
    "es": gettext_lazy("Skill score"),
    "control": gettext_lazy("Control"),
}


def _score(words: str) -> WholeNumber:
    low, high = SCORES
    says = format_lazy(gettext_lazy("{name} goes from {low} to {high}."), name=words, low=low, high=high)
    return WholeNumber(None, low, high, AVERAGE, words=says)


def _choice(of: Iterable[str], usual: str, words: str) -> forms.TypedChoiceField:
    named = [(code, code) for code in of]
    return forms.TypedChoiceField(
        choices=named, required=False, empty_value=usual, error_messages={"invalid_choice": words}
    )


LINE: Final[Mapping[str, forms.Field]] = {
    "name": LineField(max_length=LONGEST_NAME - 3, required=False),
    "many": WholeNumber(
        None,
        1,
        MOST_OF_A_KIND,
        1,
        words=format_lazy(gettext_lazy("Add 1 to {most} of a kind."), most=MOST_OF_A_KIND),
    ),
    **{name: _score(words) for name, words in SCORED.items()},
    "size": _choice(Size, Size.MEDIUM.value, gettext_lazy("Choose one of the sizes.")),
    "burden": _choice(Burden, Burden.NONE.value, gettext_lazy("Choose one of the burdens.")),
    "how": _choice(HOW, Mind.AWARE.value, gettext_lazy("Choose their state.")),
    "ally": forms.BooleanField(required=False),
}
"""The fields of a line for nameless opponents; a score that is left empty is average."""


class JoinForm(ActForm):
    """Newcomers. `takes_part`: "aware:<id of a character>"; `allies`: ids of NPCs on the players' side. `n0-name` and so on are
    the lines of the nameless, `lines` their cleaned values.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for at in range(LINES):
            self.fields |= {f"n{at}-{name}": deepcopy(field) for name, field in LINE.items()}

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        those = [] if self.errors else [f"n{at}-" for at in range(LINES) if given[f"n{at}-name"]]
        return {**given, "lines": [{name: given[at + name] for name in LINE} for at in those]}

    @classmethod
    def drawn(cls, table: Table, procedure: Any, target: tuple[Any, ...]) -> dict[str, Any]:
        return {
            "characters": known(procedure, table),
            "how": HOW.items(),
            "lines": range(LINES),
            "scores": SCORED.items(),
            "sizes": sheet.SIZE_WORDS.items(),
            "burdens": [(burden.value, label) for burden, label in BURDEN_WORDS.items()],
        }


class DeclareForm(ActForm):
    @classmethod
    def drawn(cls, table: Table, procedure: Any, target: tuple[Any, ...]) -> dict[str, Any]:
        """Where all declare first, and for the surprised, nothing is carried out by declaring it."""
        waits = procedure.apart or any(one.mind is Mind.SURPRISED for one in target)
        return {"submits": [] if waits else [("done", "on", gettext("Declare and finish"))]}


class ReactForm(ActForm):
    @classmethod
    def drawn(cls, table: Table, procedure: Any, target: tuple[Any, ...]) -> dict[str, Any]:
        """The occasions are buttons; with those who may check goes what they stand for."""
        there = [one for one in procedure.participants if procedure.takes_part(one)]
        people = [(one, table.find(Person, one.character or "")) for one in there]
        return {
            "those": [(one, who.morality if who else "") for one, who in people],
            "submits": [("occasion", code, str(words)) for code, words in occasions(procedure, table)],
            "said_by_them": True,
        }


FORMS: Final[Mapping[str, type[ActForm]]] = {
    OPEN: JoinForm,
    "join": JoinForm,
    "declare": DeclareForm,
    "go_on": DeclareForm,
    "react": ReactForm,
}
