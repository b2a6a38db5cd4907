"""A staged action until its dice fall: its goal, what the GM sets, and who helps, pushes and takes the bargain (forged.txt,
Action Roll, Add Bonus Dice, Teamwork)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Final

from languages.text import gettext_lazy, pgettext_lazy
from rules.acting import Between, Like, OneOf, Text, Unasked, act, anyone, owner
from rules.messages import Words, ngettext, worded
from rules.messages import gettext as _
from rules.table import Clock, Refused, Table
from rulesets.forged.procedures import action_card as drawing
from rulesets.forged.procedures.action_card import (
    EITHER,
    HURT,
    PUSH_BUTTONS,
    PUSHED_BUTTONS,
    TRADES,
)
from rulesets.forged.procedures.action_choices import (
    as_bargained,
    as_set,
    clocks,
    items,
    setups,
    ticks,
)
from rulesets.forged.procedures.action_state import (
    LABEL,
    USUAL_SEGMENTS,
    ActionState,
    Foe,
    Roller,
    Stage,
    bargained_about,
    by_actor,
    check_new,
    cohorts_in,
    found,
    free,
    helps,
    is_set,
    own_bargain,
    pushes,
    rolling,
    unrolled,
)
from rulesets.forged.procedures.against import FARED, FARED_SAID, Fared, added, known, opponents, sources
from rulesets.forged.rows import Scoundrel, crews, people
from rulesets.forged.rules.action import (
    ASSIST_COST,
    FULL_STRESS,
    MOST_LEVELS,
    PUSH_COST,
    SEVERE_HARM,
    Attribute,
    Direction,
    Effect,
    Position,
    full_words,
    severe_words,
    trade,
)
from rulesets.forged.rules.consequence import (
    FATAL,
    FEWEST_SEGMENTS,
    MOST_SEGMENTS,
    MOST_SIZE,
    Resisting,
    Threat,
    Ticking,
)
from rulesets.forged.rules.roll import MOST_MORE, check_more
from rulesets.forged.sheet import ACTION_LABELS, COIN
from rulesets.forged.terms import LONGEST_WORDS
from rulesets.forged.words import ATTRIBUTE_WORDS, BECOMES, EFFECT_LABELS, POSITION_LABELS

LONGEST_NAME: Final = 80


def among(words: Mapping[Any, Any]) -> OneOf:
    """Let one of these be chosen, by its words."""
    return OneOf(lambda *_none: ((one, worded(said)) for one, said in words.items()))


def own(action: ActionState, table: Table) -> list[Scoundrel]:
    return [who for who in people(table) if table.by.plays(who.id)]


More = Annotated[int, Between(-MOST_MORE, MOST_MORE), gettext_lazy("Extra dice")]
NewClock = Annotated[str, Text(LONGEST_NAME), gettext_lazy("New clock")]
Segments = Annotated[int, Between(FEWEST_SEGMENTS, MOST_SEGMENTS), gettext_lazy("Segments")]
Resisted = Annotated[Attribute, among(ATTRIBUTE_WORDS), gettext_lazy("Resisted with")]
Becoming = Annotated[Resisting, among(BECOMES), gettext_lazy("When resisted, it")]
Reduction = Annotated[int, Between(1, 2), gettext_lazy("Reduced by")]
Others = Annotated[
    str, Text(LONGEST_NAME), Like(gettext_lazy("Two guards, Dog")), gettext_lazy("Others whom it is against")
]
Origin = Annotated[str, OneOf(sources), gettext_lazy("From whom")]
Filled = Annotated[int, Between(0, MOST_SEGMENTS - 1), gettext_lazy("Filled segments")]


def _spared(level: int) -> Any:
    return _("Spared: {harm}", harm=worded(HURT[level]))


def ticked(table: Table, chosen: Sequence[str]) -> Iterator[Ticking]:
    """Yield what ticks how often, of what the form names."""
    for one in chosen:
        clock, _dot, count = one.rpartition(".")
        yield Ticking(clock=clock, name=table.get(Clock, clock).name, ticks=int(count))


class AnnouncedAction(ActionState):
    """What is said of an action before it is rolled."""

    against = ("character", "")
    on_card = {"inflict": "forged/_consequences.html", "set": "forged/_sets.html"}

    # Position and effect, the trade, and who is ready

    @act(LABEL, by=anyone)
    def open(
        self,
        table: Table,
        *,
        character: Annotated[Scoundrel, OneOf(own), gettext_lazy("Who acts")],
        action: Annotated[str, among(ACTION_LABELS), gettext_lazy("Action")],
        group: Annotated[bool, gettext_lazy("Group action: others join, the best result counts")] = False,
        setup: Annotated[bool, gettext_lazy("Set-up: it helps teammates who follow")] = False,
        push_die: Annotated[bool, Unasked()] = False,
        push_effect: Annotated[bool, Unasked()] = False,
        foes: Annotated[list[Scoundrel], OneOf(opponents), gettext_lazy("Against")] = [],  # noqa: B006  # it is only read
        others: Others = "",
    ) -> Words:
        if character.room(table) <= 0:
            raise Refused(full_words(character.name), "character")
        self.actor, self.action, self.group, self.setup = character.id, action, group, setup
        self.rollers = [Roller(id=character.id, push_die=push_die, push_effect=push_effect)]
        self.foes = added((), foes, others)
        return drawing.opened_said(self, table)

    @act(
        lambda self, table: (
            _("Change position and effect") if self.stage is Stage.SET else _("Set position and effect")
        ),
        when=unrolled,
        terms=as_set,
    )
    def set(
        self,
        table: Table,
        *,
        position: Annotated[Position, among(POSITION_LABELS), gettext_lazy("Position")],
        base: Annotated[Effect, among(EFFECT_LABELS), gettext_lazy("Effect")],
        potency: Annotated[int, Between(-1, 1), gettext_lazy("Potency")] = 0,
        quality: Annotated[int, Between(-1, 1), gettext_lazy("Quality")] = 0,
        scale: Annotated[int, Between(-1, 1), gettext_lazy("Scale (numbers)")] = 0,
        why: Annotated[str, Text(LONGEST_WORDS), gettext_lazy("Reason")] = "",
        ability: Annotated[int, Between(0, MOST_LEVELS), gettext_lazy("Effect levels from special abilities")] = 0,
        more: More = 0,
        spared_1: Annotated[bool, _spared(1)] = False,
        spared_2: Annotated[bool, _spared(2)] = False,
        spared_3: Annotated[bool, _spared(3)] = False,
        clock: Annotated[Clock | None, OneOf(clocks), gettext_lazy("Clock it ticks")] = None,
        without: Annotated[list[str], OneOf(setups), gettext_lazy("Set-ups that don’t count here")] = [],  # noqa: B006  # it is only read
        words: Annotated[str, Text(LONGEST_WORDS), gettext_lazy("Devil’s Bargain")] = "",
        harm: Annotated[int, Between(0, FATAL), gettext_lazy("Harm")] = 0,
        harm_name: Annotated[str, Text(LONGEST_NAME), gettext_lazy("Name of the harm")] = "",
        less: Annotated[bool, gettext_lazy("Less effect")] = False,
        worse: Annotated[bool, gettext_lazy("Worse position")] = False,
        lost: Annotated[bool, gettext_lazy("Lost opportunity")] = False,
        item: Annotated[str, OneOf(items), gettext_lazy("Lose an item")] = "",
        heat: Annotated[int, Between(0, MOST_SIZE), gettext_lazy("Heat")] = 0,
        ticking: Annotated[list[str], OneOf(ticks), gettext_lazy("Ticks if it goes wrong")] = [],  # noqa: B006  # likewise
        new_clock: NewClock = "",
        segments: Segments = USUAL_SEGMENTS,
        filled: Filled = 0,
        size: Annotated[int, Between(0, MOST_SIZE), gettext_lazy("Its ticks if it goes wrong")] = 0,
        complicated: Annotated[bool, gettext_lazy("Complication")] = False,
        trouble: Annotated[str, Text(LONGEST_NAME), gettext_lazy("What goes wrong")] = "",
        source: Origin = "",
        attribute: Resisted = Attribute.PROWESS,
        resisting: Becoming = Resisting.REDUCES,
        by: Reduction = 1,
    ) -> Words:
        """Set position, effect, what follows if it goes wrong, and the rest; a trade based on earlier terms is dropped, and
        whoever was ready looks again."""
        check_more({"more": more, "why": why})
        threat = Threat(
            harm=harm,
            harm_name=harm_name.strip() if harm else "",
            less=less,
            worse=worse,
            lost=lost,
            item=item,
            item_name=self.who(table).items[item].name if item else "",
            heat=heat,
            ticking=[*ticked(table, ticking)],
            new_clock=new_clock.strip(),
            segments=segments if new_clock.strip() else 0,
            filled=filled,
            size=size,
            complicated=complicated or bool(trouble.strip()),
            trouble=trouble.strip(),
            source=source,
            attribute=attribute,
            resisting=resisting,
            by=by,
        )
        self._check_threat(table, threat)
        self.threat = threat if threat.follows(position, self.actor) else Threat()
        self.position, self.base = position, base
        self.potency, self.quality, self.scale, self.ability, self.more = potency, quality, scale, ability, more
        self.reason, self.spared = why, [level for level, on in enumerate((spared_1, spared_2, spared_3), 1) if on]
        self.clock, self.clock_name = (clock.id, clock.name) if clock else ("", "")
        self.trade, self.traded, self.tokens, self.stage = None, False, self.usable(table, without), Stage.SET
        self.nobody_ready()
        if words.strip():
            if self.bargain:
                raise Refused(_("Another bargain was offered first. Clear yours, or wait for the answer."), "words")
            self.offer(table, words=words)
        return drawing.set_said(self, table)

    def _check_threat(self, table: Table, threat: Threat) -> None:
        """Raise Refused for a harm or trouble without words, heat without a crew, or a new clock that would start full."""
        if threat.harm and not threat.harm_name:
            raise Refused(_("Say what the harm is."), "harm_name")
        if threat.complicated and not (threat.trouble or threat.ticking or threat.new_clock):
            raise Refused(_("Describe the complication, or choose a clock."), "trouble")
        if threat.heat and not crews(table):
            raise Refused(_("There’s no crew to take the heat."), "heat")
        if threat.new_clock:
            check_new(None, threat.segments, threat.filled)

    @act(
        lambda self, table, direction: _("Trade: {trade}", trade=worded(TRADES[direction])),
        by=by_actor,
        each=lambda self, table: Direction if is_set(self, table) and self.trade is None else (),
        terms=as_set,
    )
    def propose(self, table: Table, direction: Direction) -> Words:
        """Offer a trade. It may not take or give what is not there."""
        effect = self.built(table, self.rollers[0]).level.effect
        trade(self.before_trade, effect, direction, settings=table.settings)
        self.trade, self.traded, self.by_player = direction, True, not table.by.is_gm
        self.built(table, self.rollers[0])
        self.traded = False
        return drawing.proposed_said(self, table)

    @act(
        gettext_lazy("Agree to the trade"),
        by=lambda self, who: who.is_gm if self.by_player else who.plays(self.actor),
        when=lambda self, table: unrolled(self, table) and self.trade is not None and not self.traded,
        terms=as_set,
    )
    def agree(self, table: Table) -> Words:
        self.traded = True
        self.check(table)
        return drawing.agreed_said(self, table)

    @act(
        gettext_lazy("Decline the trade"),
        says=gettext_lazy("{name} made no trade."),
        by=by_actor,
        when=lambda self, table: unrolled(self, table) and self.trade is not None,
        terms=as_set,
    )
    def decline(self, table: Table) -> Mapping[str, Words]:
        self.trade, self.traded = None, False
        return self._named(table)

    @act(
        lambda self, table, who: self.roll_words(table, who),
        by=owner,
        each=rolling,
        terms=lambda self, table, who: [self.agreed(table, self.roller(who.id)), self.trade, self.traded, self.bargain],
        primary=True,
    )
    def roll(self, table: Table, who: Scoundrel) -> None:
        """Say that a roller is ready. An unanswered offer lapses; once all are ready, the dice fall."""
        if who.room(table) <= 0:
            table.forbid(FULL_STRESS, full_words(who.name))
        one = self.roller(who.id)
        if self.hinders(table, one, 3) and not one.push_act and not one.helper:
            table.forbid(SEVERE_HARM, severe_words(who.name))
        if self.is_alone:
            raise Refused(_("A group action needs at least two people. Wait until someone joins."))
        if self.is_spent(table):
            raise Refused(_("A set-up that this action relied on is gone. The GM needs to set it again."))
        self.affords(table, who, self.terms_of(table, one).stress)
        if one.helper:
            self.affords(table, table.get(Scoundrel, one.helper), ASSIST_COST)
        self.trade = self.trade if self.traded else None
        if not self.bargained:
            self._no_bargain()
        one.ready = self.agreed(table, one)

    @act(
        gettext_lazy("Cancel the action"), says=gettext_lazy("{name} cancelled the action."), by=by_actor, when=unrolled
    )
    def withdraw(self, table: Table) -> Mapping[str, Words]:
        self.stage = Stage.WITHDRAWN
        return self._named(table)

    def roll_words(self, table: Table, who: Scoundrel) -> Words:
        if self.group:
            return _("Roll")
        return ngettext("Roll {count} die", "Roll {count} dice", self.pool(table, self.roller(who.id)).rolled)

    # Whom it is against

    @act(lambda self, table, who: who.name, by=by_actor, each=opponents, when=unrolled, tried=False)
    def face(self, table: Table, who: Scoundrel) -> None:
        self.foes = added(self.foes, [who], "")

    @act(gettext_lazy("Someone else…"), by=by_actor, when=unrolled)
    def face_others(self, table: Table, *, others: Others) -> None:
        self.foes = added(self.foes, (), others)

    @act(pgettext_lazy("an opponent", "Leave out"), by=by_actor, each=lambda self, table: self.foes, when=unrolled)
    def leave_alone(self, table: Table, one: Foe) -> None:
        self.foes.remove(one)
        if self.threat.source == one.id:
            self.threat.source = ""

    @act(
        lambda self, table, one, fared: worded(FARED[fared]),
        each=lambda self, table: (
            (one, fared)
            for one, _name in known(self, table)
            for fared in Fared
            if one in self.struck and one.fared != fared
        ),
    )
    def fare(self, table: Table, one: Foe, fared: Fared) -> Words:
        """Say what came of it for one whom it is against."""
        one.fared = fared.value
        self._advance(table)
        return worded(FARED_SAID[fared], name=self.called(table, one.id))

    @act(
        lambda self, table: (
            _("All the others are unhurt") if len(self.unsaid) < len(self.foes) else _("No one is hurt")
        ),
        when=lambda self, table: len(self.unsaid) > 1,
        says=gettext_lazy("No one else was hurt."),
    )
    def spare(self, table: Table) -> None:
        for one in self.unsaid:
            one.fared = Fared.UNHURT.value
        self._advance(table)

    # What gives more dice or effect, and who rolls together

    @act(
        lambda self, table, who, push: worded(
            (PUSHED_BUTTONS if getattr(self.roller(who.id), f"push_{push}") else PUSH_BUTTONS)[push], count=PUSH_COST
        ),
        by=owner,
        each=pushes,
    )
    def push(self, table: Table, who: Scoundrel, push: str) -> None:
        """Turn a push on or off; it is paid for when the dice fall."""
        one, name = self.roller(who.id), f"push_{push}"
        on = not getattr(one, name)
        if on and push == "die" and self.bargained and one.id == self.actor:
            raise Refused(worded(EITHER), "push")
        setattr(one, name, on)
        if on:
            self.affords(table, who, self.terms_of(table, one).stress)
        self.check(table)

    @act(
        lambda self, table, helper, who: (
            _("{name} helps {other}: 1 stress", name=helper.name, other=who.name)
            if self.group
            else _("{name} helps: 1 stress", name=helper.name)
        ),
        by=owner,
        each=helps,
    )
    def assist(self, table: Table, helper: Scoundrel, who: Scoundrel) -> None:
        """Help; who was ready for less stays ready."""
        self.affords(table, helper, ASSIST_COST)
        one = self.roller(who.id)
        one.helper = helper.id
        one.ready = self.agreed(table, one) if one.ready else ""

    @act(
        lambda self, table, who: _("{name} doesn’t help", name=who.name),
        by=owner,
        each=lambda self, table: found(table, (one.helper for one in self.rollers if unrolled(self, table))),
    )
    def unassist(self, table: Table, who: Scoundrel) -> None:
        next(one for one in self.rollers if one.helper == who.id).helper = ""

    @act(
        gettext_lazy("Offer a Devil’s Bargain"),
        says=gettext_lazy("{name} was offered a Devil’s Bargain: “{bargain}”."),
        by=lambda self, who: who.is_gm or (bool(who.characters) and self.actor not in who.characters),
        when=lambda self, table: unrolled(self, table) and not self.bargain,
    )
    def offer(
        self,
        table: Table,
        *,
        words: Annotated[str, Text(LONGEST_WORDS), gettext_lazy("What it costs, for +1 die")] = "",
        coin: Annotated[int, Between(0, COIN), gettext_lazy("Coin")] = 0,
        item: Annotated[str, OneOf(items), gettext_lazy("Item")] = "",
    ) -> Mapping[str, Words]:
        """Offer a die for what it costs, in words, and for coin and an item, which are paid by themselves."""
        if not words.strip():
            raise Refused(_("Say what the bargain costs."), "words")
        self._check_paid(table, coin, item)
        mine = [who.name for who in people(table) if who.id in table.by.characters]
        self.bargain, self.bargain_by = words.strip(), "" if table.by.is_gm else next(iter(mine), "")
        self.coin, self.item = coin, item
        self.thing = self.who(table).items[item].name if item else ""
        return self._named(table) | {"bargain": drawing.price_words(self)}

    @act(
        gettext_lazy("Take the bargain"),
        says=gettext_lazy("{name} took the Devil’s Bargain: “{bargain}”."),
        by=owner,
        each=lambda self, table: [] if self.bargained else own_bargain(self, table),
        terms=as_bargained,
    )
    def accept(self, table: Table, who: Scoundrel) -> Mapping[str, Words]:
        if self.rollers[0].push_die:
            raise Refused(worded(EITHER), "bargain")
        self._check_paid(table, self.coin, self.item)
        self.bargained = True
        return self._named(table) | {"bargain": drawing.price_words(self)}

    @act(
        gettext_lazy("Refuse the bargain"),
        says=gettext_lazy("{name} refused the Devil’s Bargain: “{bargain}”."),
        by=owner,
        each=own_bargain,
        terms=as_bargained,
    )
    def refuse(self, table: Table, who: Scoundrel) -> Mapping[str, Words]:
        return self._refused(table)

    def _refused(self, table: Table) -> Mapping[str, Words]:
        said = self._named(table) | {"bargain": drawing.price_words(self)}
        self._no_bargain()
        return said

    @act(
        lambda self, table: _("Rule out the bargain") if self.bargain_by else _("Withdraw the bargain"),
        says=gettext_lazy("{name}’s Devil’s Bargain was ruled out: “{bargain}”."),
        when=bargained_about,
        terms=as_bargained,
    )
    def rule_out(self, table: Table) -> Mapping[str, Words]:
        return self._refused(table)

    @act(
        lambda self, table: _("Don’t spend a gambit") if self.gambit else _("Spend a gambit: +1 die"),
        by=by_actor,
        when=lambda self, table: (
            unrolled(self, table)
            and table.settings.gambits
            and (self.gambit or any(crew.gambits for crew in crews(table)))
        ),
    )
    def spend_gambit(self, table: Table) -> None:
        self.gambit = not self.gambit

    @act(
        lambda self, table, who: _("{name} joins", name=who.name),
        says=gettext_lazy("{whom} joined in."),
        by=owner,
        each=lambda self, table: free(self, table) if self.group else [],
    )
    def join(self, table: Table, who: Scoundrel) -> Mapping[str, Words]:
        self.rollers.append(Roller(id=who.id))
        self.check(table)
        return {"whom": who.name}

    @act(
        lambda self, table, who: _("{name} stays out", name=who.name),
        says=gettext_lazy("{whom} stayed out."),
        by=owner,
        each=lambda self, table: found(
            table, (one.id for one in self.rollers[1:] if not one.cohort and unrolled(self, table))
        ),
    )
    def leave(self, table: Table, who: Scoundrel) -> Mapping[str, Words]:
        return self._without(table, who.id)

    @act(
        lambda self, table, key: _(
            "{name} joins: quality {quality}", name=self.called(table, key), quality=self.cohorts(table)[key].quality
        ),
        says=gettext_lazy("{whom} joined in."),
        by=by_actor,
        each=lambda self, table: cohorts_in(self, table, joined=False),
    )
    def bring(self, table: Table, key: str) -> Mapping[str, Words]:
        self.rollers.append(Roller(id=key, cohort=True))
        self.check(table)
        return {"whom": self.called(table, key)}

    @act(
        lambda self, table, key: _("{name} stays out", name=self.called(table, key)),
        says=gettext_lazy("{whom} stayed out."),
        by=by_actor,
        each=lambda self, table: cohorts_in(self, table, joined=True),
    )
    def leave_out(self, table: Table, key: str) -> Mapping[str, Words]:
        return self._without(table, key)
