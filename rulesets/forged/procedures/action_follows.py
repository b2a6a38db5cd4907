"""A staged action once its dice have fallen: what players decide, and the consequences that the GM names and those whom they hit
answer (forged.txt, Judge the Result, Set up, Consequences to Armor)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Final

from languages.text import gettext_lazy, pgettext_lazy
from rules.acting import Between, OneOf, Text, act
from rules.acts import Actor
from rules.errors import whole
from rules.messages import Words, ngettext, worded
from rules.messages import gettext as _
from rules.table import Clock, Refused, Table
from rulesets.forged.procedures import action_card as drawing
from rulesets.forged.procedures.action_state import (
    ARMOR,
    ARMOR_BUTTONS,
    AVOIDED,
    BECOMES,
    FATES,
    GIVES,
    GRANT_BUTTONS,
    LONGEST_NAME,
    PRICES,
    SUFFERED,
    TAKEN,
    ActionState,
    Stage,
    runs,
)
from rulesets.forged.procedures.carried import Carried, Gives
from rulesets.forged.rows import Scoundrel, crews, people
from rulesets.forged.rules.action import (
    COMPLICATION_HEAT,
    COMPLICATION_TICKS,
    EFFECTS,
    PUSH_COST,
    Effect,
    Position,
)
from rulesets.forged.rules.blocks import FULL_STRESS, full_words
from rulesets.forged.rules.body import Attribute
from rulesets.forged.rules.consequence import (
    FATAL,
    FEWEST_SEGMENTS,
    HARMS,
    MOST_REDUCED,
    MOST_SEGMENTS,
    MOST_SIZE,
    POSITIONS_WON,
    SIZES,
    Fate,
    Inflicted,
    Kind,
    Resisting,
)
from rulesets.forged.rules.roll import MOST_MORE, Result, check_more
from rulesets.forged.table.ask import LONGEST_WORDS
from rulesets.forged.table.words import (
    ATTRIBUTE_WORDS,
    FOLLOWS,
)


def by_actor(action: ActionState, who: Actor, *target: Any) -> bool:
    return who.plays(action.actor)


def at(stage: Stage) -> Callable[[ActionState, Table], bool]:
    return lambda action, table: action.stage is stage


def clocks(action: ActionState, table: Table, *target: Any) -> list[Clock]:
    """Return the running clocks that players know of, as actions are told with their names."""
    return [clock for clock in table.all(Clock) if not clock.hidden]


def by_whom_it_hits(action: ActionState, who: Actor, one: Inflicted, *more: Any) -> bool:
    return who.plays(one.whom)


def naming(action: ActionState, table: Table) -> bool:
    return action.stage is Stage.FOLLOWS and not action.finished


def grants(action: ActionState, table: Table) -> Sequence[Effect]:
    """Return the effects that the GM may grant on a 1-3, up to the effect it could have had (forged.txt, Judge the Result)."""
    if not naming(action, table) or action.withdrew or action.best.came is not Result.BAD:
        return ()
    most = max(EFFECTS.index(Effect(one.effect)) for one in action.rollers)
    return [effect for effect in EFFECTS[1 : most + 1] if effect is not action.granted]


def takeable(*, fatal: bool) -> Callable[[ActionState, Table], list[Inflicted]]:
    """Return the consequences that can be taken at once: fatal ones are confirmed separately, and those with an archived clock
    wait for the GM."""
    return lambda action, table: [
        one
        for one in action.pending
        if not action.is_gone(table, one) and (action.row_of(table, one) == FATAL) is fatal
    ]


def resistible(action: ActionState, table: Table) -> Iterator[Inflicted]:
    for one in action.pending:
        who = table.find(Scoundrel, one.whom)
        if who and who.in_play and not one.resisted and not one.price:
            yield one


def armored(action: ActionState, table: Table) -> Iterator[tuple[Inflicted, str]]:
    """Yield where armour may be marked; heavy armour is a second box of the first."""
    for one in action.pending:
        who = table.find(Scoundrel, one.whom)
        yield from ((one, box) for box in (who.free_armor if who and not one.price else ()))


def protectable(action: ActionState, table: Table) -> Iterator[tuple[Inflicted, Scoundrel]]:
    """Yield who may step in for whom: once, and before the consequence is resisted (forged.txt, Protect)."""
    for one in action.pending:
        if not (one.resisted or one.marked or one.price or one.first):
            able = (who for who in people(table) if who.id != one.whom and who.room(table) > 0)
            yield from ((one, who) for who in able)


def clockless(action: ActionState, table: Table) -> list[Inflicted]:
    return [one for one in action.open_ones if action.is_gone(table, one)]


def followed(action: ActionState, table: Table) -> bool:
    return action.stage is Stage.SET_UP and any(one.id != action.actor for one in people(table))


def as_it_hits(action: ActionState, table: Table, one: Inflicted, *more: Any) -> Any:
    return one


def codes(action: ActionState, table: Table) -> Iterator[tuple[str, Words]]:
    return ((code, worded(FOLLOWS[code])) for code in action.choices)


def hit(action: ActionState, table: Table) -> list[Scoundrel]:
    """Return the one who acts first, then all who rolled with them, then helpers (forged.txt, Assist)."""
    rolled = [one.id for one in action.rollers if not one.cohort]
    helpers = [one.helper for one in action.rollers if one.helper]
    return [who for one in (*rolled, *helpers) if (who := table.find(Scoundrel, one))]


More = Annotated[int, Between(-MOST_MORE, MOST_MORE), gettext_lazy("Extra dice")]
Said = Annotated[str, Text(LONGEST_WORDS)]
OneClock = Annotated[Clock | None, OneOf(clocks)]
NewClock = Annotated[str, Text(LONGEST_NAME)]
Segments = Annotated[int, Between(FEWEST_SEGMENTS, MOST_SEGMENTS), gettext_lazy("Segments")]
Filled = Annotated[int, Between(0, MOST_SEGMENTS - 1), gettext_lazy("Filled segments")]
USUAL_SEGMENTS: Final = 4


class AfterTheDice(ActionState):
    """The acts with which an action ends."""

    @act(
        gettext_lazy("Go through with it"),
        says=gettext_lazy("{name} went through with it."),
        by=by_actor,
        when=at(Stage.CHOICE),
    )
    def press_on(self, table: Table) -> Mapping[str, Words]:
        """Go through with a controlled action: on a 4/5 it is done at a minor price; on a 1-3 there is a risky opportunity."""
        if self.best.came is Result.PARTIAL:
            self.stage = Stage.FOLLOWS
        else:
            self._worsen(table, self.actor, Position.RISKY)
            self._end(Stage.DONE)
        return self._named(table)

    @act(gettext_lazy("Withdraw"), says=gettext_lazy("{name} withdrew."), by=by_actor, when=at(Stage.CHOICE))
    def fall_back(self, table: Table) -> Mapping[str, Words]:
        """Withdraw: nothing is done and nothing lost, but the price of a bargain is paid."""
        self.withdrew = True
        if self.owes:
            self.stage = Stage.FOLLOWS
        else:
            self._end(Stage.DONE)
        return self._named(table)

    @act(lambda self, table, effect: worded(GRANT_BUTTONS[effect]), each=grants)
    def grant(self, table: Table, effect: Effect) -> Words:
        self.granted = effect
        return drawing.granted_said(self, table)

    @act(
        gettext_lazy("Choose what it gives"),
        says=gettext_lazy("{name} set up whoever follows."),
        by=by_actor,
        when=followed,
    )
    def set_up(
        self, table: Table, *, gives: Annotated[Gives, OneOf(lambda *_none: GIVES), gettext_lazy("Gives")]
    ) -> Mapping[str, Words]:
        """Choose what a set-up gives to whoever follows; several may (forged.txt, Set up)."""
        table.begin(Carried, who=self.actor, gives=gives, to=None, by=self.who(table).name)
        self._end(Stage.DONE)
        return self._named(table)

    @act(
        gettext_lazy("No one follows"),
        says=gettext_lazy("No one followed {name}’s set-up."),
        by=by_actor,
        when=at(Stage.SET_UP),
    )
    def nobody_follows(self, table: Table) -> Mapping[str, Words]:
        self._end(Stage.DONE)
        return self._named(table)

    # Consequences: the GM names them, and those whom they hit answer

    @act(
        gettext_lazy("Add a consequence"),
        when=lambda self, table: naming(self, table) and bool(self.choices),
    )
    def inflict(
        self,
        table: Table,
        *,
        code: Annotated[str, OneOf(codes), gettext_lazy("Consequence")],
        price: bool = False,
        words: Annotated[str, Text(LONGEST_NAME)] = "",
        heat: bool = False,
        size: Annotated[int, Between(0, MOST_SIZE), gettext_lazy("Ticks or heat")] = 0,
        clock: OneClock = None,
        new_clock: NewClock = "",
        segments: Segments = USUAL_SEGMENTS,
        filled: Filled = 0,
        attribute: Annotated[
            Attribute, OneOf(lambda *_none: ((one, worded(said)) for one, said in ATTRIBUTE_WORDS.items()))
        ] = Attribute.PROWESS,
        resisting: Annotated[Resisting, OneOf(lambda *_none: BECOMES.items())] = Resisting.REDUCES,
        by: Annotated[int, Between(1, 2), gettext_lazy("Reduction")] = 1,
        whom: Annotated[Scoundrel | None, OneOf(hit)] = None,
        last: bool = False,
    ) -> Words:
        """Name a consequence; with `last` nothing else follows."""
        is_price = self.bargained and (price or not self.menu)
        if is_price and code not in PRICES:
            raise Refused(_("That can’t follow here. Choose another consequence."), "code")
        heat = heat and code in SIZES
        one = Inflicted(
            id=f"c{len(self.consequences) + 1}",
            code=code,
            severity=self._severity(table, code, size, heat_rises=heat),
            whom=(whom or self.who(table)).id,
            words=words.strip(),
            price=is_price,
            heat=heat,
            attribute=attribute,
            resisting=resisting,
            by=by,
        )
        if one.kind is Kind.COMPLICATION:
            _threaten(one, clock, new_clock, segments, filled)
        if one.kind is Kind.HARM and not one.words:
            raise Refused(_("Say what the harm is."), "words")
        if one.kind is Kind.COMPLICATION and not one.words and not one.clock_name:
            raise Refused(_("Describe the complication, or choose a clock."), "words")
        whole("by", by, 1, MOST_REDUCED.get(one.kind, 1))
        self.consequences.append(one)
        said = drawing.faced_said(self, table, one)
        if last:
            self.finish(table)
        return said

    def _severity(self, table: Table, code: str, size: int, *, heat_rises: bool) -> int:
        """Return the size of a consequence, in the units of its kind: ticks and heat as said, or as usual for a `size` of 0."""
        if code in HARMS:
            return HARMS[code]
        if code not in SIZES:
            return 1
        if heat_rises and not crews(table):
            raise Refused(_("There’s no crew to take the heat."), "heat")
        usual = (COMPLICATION_HEAT if heat_rises else COMPLICATION_TICKS)[SIZES[code]]
        if not (size or usual):
            raise Refused(_("A minor complication usually brings no heat. Enter how much."), "size")
        return size or usual

    @act(gettext_lazy("No more consequences"), when=naming, terms=lambda self, table: len(self.consequences))
    def finish(self, table: Table) -> Words:
        """Say that all consequences are named."""
        self.finished = True
        self._advance(table)
        return drawing.finished_said(self)

    def answers(self, table: Table, one: Inflicted) -> Scoundrel:
        """Return whom a consequence hits. Raises BlockedByState where a full track keeps them from answering it."""
        who = table.get(Scoundrel, one.whom)
        if who.room(table) <= 0:
            table.forbid(FULL_STRESS, full_words(who.name))
        return who

    @act(pgettext_lazy("consequence", "Take it"), by=by_whom_it_hits, each=takeable(fatal=False), terms=as_it_hits)
    def take_it(self, table: Table, one: Inflicted) -> Words:
        who = self.answers(table, one)
        self._settle(table, one)
        return drawing.took_said(self, who.name, one, table)

    @act(
        gettext_lazy("Take it: fatal…"),
        by=by_whom_it_hits,
        each=takeable(fatal=True),
        terms=as_it_hits,
    )
    def take_fatal(
        self, table: Table, one: Inflicted, *, fate: Annotated[Fate, OneOf(lambda *_none: FATES), gettext_lazy("Fate")]
    ) -> Words:
        """Take a fatal harm: the character is dead or out of play, as its player chooses."""
        who = self.answers(table, one)
        one.fate = fate.value
        self._settle(table, one)
        return drawing.took_said(self, who.name, one, table)

    @act(
        lambda self, table, one: ngettext(
            "Resist with {attribute}: {count} die",
            "Resist with {attribute}: {count} dice",
            self.resisting_pool(table, one).rolled,
            attribute=worded(ATTRIBUTE_WORDS[one.attribute]),
        ),
        by=by_whom_it_hits,
        each=resistible,
        terms=as_it_hits,
    )
    def resist(self, table: Table, one: Inflicted) -> None:
        """Decide to resist, before the dice (forged.txt, Resistance Roll); they fall at once."""
        self.affords(table, self.answers(table, one), PUSH_COST * one.push)
        self.resisting = one.id

    @act(gettext_lazy("More dice…"), by=by_whom_it_hits, each=resistible, terms=as_it_hits)
    def more_dice(self, table: Table, one: Inflicted, *, push: bool = False, more: More = 0, why: Said = "") -> None:
        """Push for a die of the resistance roll, or none more, and say which dice abilities add."""
        check_more({"more": more, "why": why})
        self.affords(table, self.answers(table, one), PUSH_COST * push)
        one.push, one.more, one.why = push, more, why.strip()

    @act(
        lambda self, table, one, box: worded(ARMOR_BUTTONS[box]),
        by=by_whom_it_hits,
        each=armored,
        terms=as_it_hits,
    )
    def armor(self, table: Table, one: Inflicted, box: str) -> Words:
        who = self.answers(table, one)
        table.because(ARMOR)
        setattr(who, box, True)
        one.marked.append(box)
        one.lessen(1)
        table.because(SUFFERED)
        if not one.severity:
            self._settle(table, one)
        return _("{whom} marked armour: {met}.", whom=who.name, met=drawing.met_said(self, one, table))

    @act(
        lambda self, table, one, who: _("{name} steps in", name=who.name),
        by=lambda self, actor, one, who: actor.plays(who.id),
        each=protectable,
        terms=as_it_hits,
    )
    def protect(self, table: Table, one: Inflicted, who: Scoundrel) -> Words:
        one.first, one.whom = one.whom, who.id
        one.push, one.more, one.why = False, 0, ""
        return _("{whom} stepped in: {met}.", whom=who.name, met=drawing.met_said(self, one, table))

    @act(
        lambda self, table: _("Move the ticks of {clock}…", clock=self.clock_name),
        when=lambda self, table: (
            self.is_held or (self.stage in (Stage.SET, Stage.CHOICE, Stage.FOLLOWS) and self.has_lost_clock(table))
        ),
    )
    def move_ticks(
        self,
        table: Table,
        *,
        clock: OneClock = None,
        new_clock: NewClock = "",
        segments: Segments = USUAL_SEGMENTS,
        filled: Filled = 0,
    ) -> Words:
        """Move ticks whose clock was archived before they came to a clock that runs, to a new one, or nowhere."""
        if new_clock:
            _check_new(None, segments, filled)
            made = Clock(name=new_clock, segments=segments, filled=filled)
            table.add(made)
            clock = made
        self.clock, self.clock_name = (clock.id, clock.name) if clock else ("", "")
        self._advance(table)
        return moved_said(self.clock_name)

    @act(
        lambda self, table, one: _("Move the ticks of {clock}…", clock=one.clock_name),
        each=clockless,
    )
    def move_its_ticks(
        self,
        table: Table,
        one: Inflicted,
        *,
        clock: OneClock = None,
        new_clock: NewClock = "",
        segments: Segments = USUAL_SEGMENTS,
        filled: Filled = 0,
    ) -> Words:
        """Move the ticks of a consequence likewise."""
        before = one.clock_name
        _threaten(one, None if new_clock else clock, new_clock, segments, filled)
        one.words = one.words or ("" if one.clock_name else before)
        return moved_said(one.clock_name)

    def _resisted(self, table: Table, one: Inflicted) -> Words:
        """Reduce or avoid the consequence, whatever it cost; a trauma that follows comes at once."""
        self.resisting, one.resisted = "", True
        one.lessen(one.by)
        if not one.severity:
            self._settle(table, one)
        return ""

    def _settle(self, table: Table, one: Inflicted) -> None:
        """Apply what is left of a consequence where it belongs."""
        one.row, one.became = self.row_of(table, one), TAKEN if one.severity else AVOIDED
        if one.severity and (who := table.find(Scoundrel, one.whom)):
            self._apply(table, one, who)
        self._advance(table)

    def _apply(self, table: Table, one: Inflicted, who: Scoundrel) -> None:
        if one.kind is Kind.HARM and one.row == FATAL:
            who.in_play, who.dead = False, one.fate == Fate.DEAD
        elif one.kind is Kind.HARM and one.row:
            who.suffer(one.row, one.words)
        elif one.kind is Kind.COMPLICATION and one.clock_name:
            clock = runs(table, one.clock)
            if one.segments:
                clock = Clock(name=one.clock_name, segments=one.segments, filled=one.filled, kind="danger")
                table.add(clock)
                one.clock = clock.id
            if clock:
                clock.filled += one.severity
        elif one.kind is Kind.HEAT:
            for crew in crews(table):
                crew.mark_heat(one.severity)
        elif one.kind is Kind.WORSE_POSITION:
            self._worsen(table, one.whom, POSITIONS_WON[one.code])

    def _worsen(self, table: Table, who: str, to: Position) -> None:
        table.begin(Carried, who=who, gives=Gives.WORSE, to=to, by="")


def _threaten(one: Inflicted, clock: Clock | None, new_clock: str, segments: int, filled: int) -> None:
    """Let a consequence tick a clock that runs, a new one, or none (forged.txt, Complication)."""
    if new_clock:
        _check_new(clock, segments, filled)
        one.clock, one.clock_name, one.segments, one.filled = "", new_clock, segments, filled
    else:
        one.clock, one.clock_name = (clock.id, clock.name) if clock else ("", "")
        one.segments = one.filled = 0


def _check_new(clock: Clock | None, segments: int, filled: int) -> None:
    """Raise Refused for a new clock beside another, or one that would start full."""
    if clock:
        raise Refused(_("Choose a clock or name a new one, not both."), "new_clock")
    if filled >= segments:
        raise Refused(_("The clock would start full. Leave at least one segment empty."), "filled")


def moved_said(clock: str) -> Words:
    if clock:
        return _("The ticks went to {clock}.", clock=clock)
    return _("The ticks were lost: their clock is no longer on the table.")
