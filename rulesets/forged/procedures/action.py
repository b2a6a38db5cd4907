"""A staged action, from its goal to its consequences: the acts of those who take part (forged.txt, Action Roll to Armor).

Its state, with what its dice lead to, is in action_state.py; what it offers, and its card, are in action_card.py."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final

from characters.reasons import Reason
from languages.text import gettext_lazy, pgettext_lazy
from rules.acting import Between, Like, OneOf, Text, Unasked, act, anyone, owner
from rules.messages import Words, joined, ngettext, worded
from rules.messages import gettext as _
from rules.table import Clock, Refused, Table
from rulesets.forged.procedures import action_card as drawing
from rulesets.forged.procedures.action_card import (
    added,
    clocks,
    hit,
    items,
    ticks,
)
from rulesets.forged.procedures.action_state import (
    PRICES,
    SUFFERED,
    USUAL_SEGMENTS,
    adding,
    at,
    bargained_about,
    by_actor,
    by_whom_it_hits,
    cohorts_in,
    faced_said,
    free,
    helps,
    known,
    naming,
    own_bargain,
    pushes,
    rolling,
    sources,
    unrolled,
)
from rulesets.forged.procedures.score import Carried, Gives
from rulesets.forged.rows import Scoundrel, crews, found, own, people
from rulesets.forged.rules import LONGEST_NAME, Result, check_more
from rulesets.forged.rules.action import (
    ASSIST_COST,
    COMPLICATION_HEAT,
    COMPLICATION_TICKS,
    FATAL,
    FEWEST_SEGMENTS,
    HARMS,
    MOST_SEGMENTS,
    MOST_SIZE,
    PUSH_COST,
    SEVERE_HARM,
    SIZES,
    Attribute,
    Direction,
    Effect,
    Fared,
    Fate,
    Foe,
    Inflicted,
    Kind,
    Position,
    Resisting,
    Roller,
    Stage,
    Threat,
    Ticking,
    check_new,
    check_said,
    full_words,
    severe_words,
    threaten,
    trade,
)
from rulesets.forged.sheet import ACTION_LABELS, COIN
from rulesets.forged.terms import Ability, Line, More, MoreFrom
from rulesets.forged.words import ATTRIBUTE_WORDS, BECOMES, EFFECT_LABELS, EFFECTS_SAID, POSITION_LABELS

ARMOR: Final = Reason("forged_armor", gettext_lazy("armour"))
MovedTo = Annotated[Clock | None, OneOf(drawing.or_lost), gettext_lazy("Move the ticks to")]


NewClock = Annotated[str, Text(LONGEST_NAME), gettext_lazy("New clock")]
Segments = Annotated[int, Between(FEWEST_SEGMENTS, MOST_SEGMENTS), gettext_lazy("Segments")]
Resisted = Annotated[Attribute, OneOf.of(ATTRIBUTE_WORDS), gettext_lazy("Resisted with")]
Becoming = Annotated[Resisting, OneOf.of(BECOMES), gettext_lazy("When resisted, it")]
Reduction = Annotated[int, Between(1, 2), gettext_lazy("Reduced by")]
Others = Annotated[
    str, Text(LONGEST_NAME), Like(gettext_lazy("Two guards, Dog")), gettext_lazy("Others whom it is against")
]
Origin = Annotated[str, OneOf(sources), gettext_lazy("From whom")]
Filled = Annotated[int, Between(0, MOST_SEGMENTS - 1), gettext_lazy("Filled segments")]


def _spared(level: int) -> Any:
    return _("Spared: {harm}", harm=worded(drawing.HURT[level]))


class StagedAction(drawing.ActionCard):
    """One card for everyone, from the goal of an action to its consequences."""

    against = ("character", "")
    on_card = {"inflict": "forged/_consequences.html", "set": "forged/_sets.html"}

    # Position and effect, the trade, and who is ready

    @act(
        drawing.ActionCard.label,
        says=lambda self, table: (
            gettext_lazy("{name} announced a set-up: {action}.")
            if self.setup
            else gettext_lazy("{name} announced an action: {action}.")
        ),
        by=anyone,
    )
    def open(
        self,
        table: Table,
        *,
        character: Annotated[Scoundrel, OneOf(own), gettext_lazy("Who acts")],
        action: Annotated[str, OneOf.of(ACTION_LABELS), gettext_lazy("Action")],
        group: Annotated[bool, gettext_lazy("Group action: others join, the best result counts")] = False,
        setup: Annotated[bool, gettext_lazy("Set-up: it helps teammates who follow")] = False,
        push_die: Annotated[bool, Unasked()] = False,
        push_effect: Annotated[bool, Unasked()] = False,
        foes: Annotated[list[Scoundrel], OneOf(drawing.opponents), gettext_lazy("Against")] = [],  # noqa: B006  # it is only read
        others: Others = "",
    ) -> None:
        if character.room(table) <= 0:
            raise Refused(full_words(character.name), "character")
        self.actor, self.action, self.group, self.setup = character.id, action, group, setup
        self.rollers = [Roller(id=character.id, push_die=push_die, push_effect=push_effect)]
        self.foes = added((), foes, others)

    @act(
        lambda self, table: (
            _("Change position and effect") if self.stage is Stage.SET else _("Set position and effect")
        ),
        says=gettext_lazy("{name}, {action}: {terms}."),
        when=unrolled,
        terms=drawing.as_set,
    )
    def set(
        self,
        table: Table,
        *,
        position: Annotated[Position, OneOf.of(POSITION_LABELS), gettext_lazy("Position")],
        base: Annotated[Effect, OneOf.of(EFFECT_LABELS), gettext_lazy("Effect")],
        potency: Annotated[int, Between(-1, 1), gettext_lazy("Potency")] = 0,
        quality: Annotated[int, Between(-1, 1), gettext_lazy("Quality")] = 0,
        scale: Annotated[int, Between(-1, 1), gettext_lazy("Scale (numbers)")] = 0,
        why: Annotated[Line, gettext_lazy("Reason")] = "",
        ability: Ability = 0,
        more: More = 0,
        spared_1: Annotated[bool, _spared(1)] = False,
        spared_2: Annotated[bool, _spared(2)] = False,
        spared_3: Annotated[bool, _spared(3)] = False,
        clock: Annotated[Clock | None, OneOf(clocks), gettext_lazy("Clock it ticks")] = None,
        without: Annotated[list[str], OneOf(drawing.setups), gettext_lazy("Set-ups that don’t count here")] = [],  # noqa: B006  # it is only read
        words: Annotated[Line, gettext_lazy("Devil’s Bargain")] = "",
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
    ) -> None:
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
            ticking=[
                Ticking(clock=id, name=table.get(Clock, id).name, ticks=int(count))
                for id, count in (one.split(".") for one in ticking)
            ],
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
        for one in self.rollers:
            one.ready = ""
        if words.strip():
            if self.bargain:
                raise Refused(_("Another bargain was offered first. Clear yours, or wait for the answer."), "words")
            self.offer(table, words=words)

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
        lambda self, table, direction: _("Trade: {trade}", trade=worded(drawing.TRADES[direction])),
        by=by_actor,
        each=lambda self, table: Direction if self.stage is Stage.SET and not (self.fallen or self.trade) else (),
        terms=drawing.as_set,
        says=lambda self, table: (
            gettext_lazy("{name} offered a trade: {trade}.")
            if self.by_player
            else gettext_lazy("{name} was offered a trade: {trade}.")
        ),
    )
    def propose(self, table: Table, direction: Direction) -> None:
        """Offer a trade. It may not take or give what is not there."""
        effect = self.built(table, self.rollers[0]).effect
        trade(self.before_trade, effect, direction, settings=table.settings)
        self.trade, self.traded, self.by_player = direction, True, not table.by.is_gm
        self.built(table, self.rollers[0])
        self.traded = False

    @act(
        gettext_lazy("Agree to the trade"),
        says=gettext_lazy("{name} traded: now {terms}."),
        by=lambda self, who: who.is_gm if self.by_player else who.plays(self.actor),
        when=lambda self, table: unrolled(self, table) and self.trade is not None and not self.traded,
        terms=drawing.as_set,
    )
    def agree(self, table: Table) -> None:
        self.traded = True
        self.check(table)

    @act(
        gettext_lazy("Decline the trade"),
        says=gettext_lazy("{name} made no trade."),
        by=by_actor,
        when=lambda self, table: unrolled(self, table) and self.trade is not None,
        terms=drawing.as_set,
    )
    def decline(self, table: Table) -> None:
        self.trade, self.traded = None, False

    @act(
        lambda self, table, who: (
            _("Roll")
            if self.group
            else ngettext("Roll {count} die", "Roll {count} dice", self.pool(table, self.roller(who.id)).rolled)
        ),
        by=owner,
        each=rolling,
        terms=lambda self, table, who: [self.agreed(table, self.roller(who.id)), self.trade, self.traded, self.bargain],
        primary=True,
    )
    def roll(self, table: Table, who: Scoundrel) -> None:
        """Say that a roller is ready. An unanswered offer lapses; once all are ready, the dice fall."""
        who.check_room(table)
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
    def withdraw(self, table: Table) -> None:
        self.stage = Stage.WITHDRAWN

    # Whom it is against

    @act(lambda self, table, who: who.name, by=by_actor, each=drawing.opponents, when=unrolled, tried=False)
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
        lambda self, table, one, fared: worded(drawing.FARED[fared]),
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
        return worded(drawing.FARED_SAID[fared], name=self.called(table, one.id))

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
            (drawing.PUSHED_BUTTONS if getattr(self.roller(who.id), f"push_{push}") else drawing.PUSH_BUTTONS)[push],
            count=PUSH_COST,
        ),
        by=owner,
        each=pushes,
    )
    def push(self, table: Table, who: Scoundrel, push: str) -> None:
        """Turn a push on or off; it is paid for when the dice fall."""
        one, name = self.roller(who.id), f"push_{push}"
        on = not getattr(one, name)
        if on and push == "die" and self.bargained and one.id == self.actor:
            raise Refused(worded(drawing.EITHER), "push")
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
        words: Annotated[Line, gettext_lazy("What it costs, for +1 die")] = "",
        coin: Annotated[int, Between(0, COIN), gettext_lazy("Coin")] = 0,
        item: Annotated[str, OneOf(items), gettext_lazy("Item")] = "",
    ) -> None:
        """Offer a die for what it costs, in words, and for coin and an item, which are paid by themselves."""
        if not words.strip():
            raise Refused(_("Say what the bargain costs."), "words")
        self._check_paid(table, coin, item)
        mine = [who.name for who in people(table) if who.id in table.by.characters]
        self.bargain, self.bargain_by = words.strip(), "" if table.by.is_gm else next(iter(mine), "")
        self.coin, self.item = coin, item
        self.thing = self.who(table).items[item].name if item else ""

    @act(
        gettext_lazy("Take the bargain"),
        says=gettext_lazy("{name} took the Devil’s Bargain: “{bargain}”."),
        by=owner,
        each=lambda self, table: [] if self.bargained else own_bargain(self, table),
        terms=drawing.as_bargained,
    )
    def accept(self, table: Table, who: Scoundrel) -> None:
        if self.rollers[0].push_die:
            raise Refused(worded(drawing.EITHER), "bargain")
        self._check_paid(table, self.coin, self.item)
        self.bargained = True

    @act(
        gettext_lazy("Refuse the bargain"),
        says=gettext_lazy("{name} refused the Devil’s Bargain: “{bargain}”."),
        by=owner,
        each=own_bargain,
        terms=drawing.as_bargained,
    )
    def refuse(self, table: Table, who: Scoundrel) -> Mapping[str, Words]:
        said = {"bargain": drawing.price_words(self)}
        self._no_bargain()
        return said

    @act(
        lambda self, table: _("Rule out the bargain") if self.bargain_by else _("Withdraw the bargain"),
        says=gettext_lazy("{name}’s Devil’s Bargain was ruled out: “{bargain}”."),
        when=bargained_about,
        terms=drawing.as_bargained,
    )
    def rule_out(self, table: Table) -> Mapping[str, Words]:
        return self.refuse(table, self.who(table))

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

    # What players decide about the result

    @act(gettext_lazy("Go through with it"), by=by_actor, when=at(Stage.CHOICE))
    def press_on(self, table: Table) -> Words:
        """Go through with a controlled action: on a 4/5 it is done at a minor price; on a 1-3 there is a risky opportunity."""
        self.stage = Stage.FOLLOWS if self.best.came is Result.PARTIAL else Stage.DONE
        if self.stage is Stage.DONE:
            table.begin(Carried, who=self.actor, gives=Gives.WORSE, to=Position.RISKY, by="")
        said = _("{name} went through with it.", name=self.who(table).name)
        return joined(" ", filter(None, (said, self._befall(table))))

    @act(gettext_lazy("Withdraw"), says=gettext_lazy("{name} withdrew."), by=by_actor, when=at(Stage.CHOICE))
    def fall_back(self, table: Table) -> None:
        """Withdraw: nothing is done and nothing lost, but the price of a bargain is paid."""
        self.withdrew, self.stage = True, Stage.FOLLOWS if self.owes else Stage.DONE

    @act(
        lambda self, table, effect: worded(drawing.GRANT_BUTTONS[effect]),
        says=gettext_lazy("{name} still got {effect}."),
        each=drawing.grants,
    )
    def grant(self, table: Table, effect: Effect) -> Mapping[str, Words]:
        self.granted = effect
        return {"effect": worded(EFFECTS_SAID[effect])}

    @act(
        gettext_lazy("Choose what it gives"),
        says=gettext_lazy("{name} set up whoever follows."),
        by=by_actor,
        when=lambda self, table: self.stage is Stage.SET_UP and any(one.id != self.actor for one in people(table)),
    )
    def set_up(
        self,
        table: Table,
        *,
        gives: Annotated[Gives, OneOf.of(drawing.GIVES), gettext_lazy("Whoever follows through gets")],
    ) -> None:
        """Choose what a set-up gives to whoever follows; several may (forged.txt, Set up)."""
        table.begin(Carried, who=self.actor, gives=gives, to=None, by=self.who(table).name)
        self.stage = Stage.DONE

    @act(
        gettext_lazy("No one follows"),
        says=gettext_lazy("No one followed {name}’s set-up."),
        by=by_actor,
        when=at(Stage.SET_UP),
    )
    def nobody_follows(self, table: Table) -> None:
        self.stage = Stage.DONE

    # Consequences: the GM names them, and those whom they hit answer

    @act(gettext_lazy("Add a consequence"), when=adding)
    def inflict(
        self,
        table: Table,
        *,
        code: Annotated[str, OneOf(drawing.codes), gettext_lazy("Consequence")],
        price: bool = False,
        words: Annotated[str, Text(LONGEST_NAME)] = "",
        heat: bool = False,
        size: Annotated[int, Between(0, MOST_SIZE), gettext_lazy("Ticks or heat")] = 0,
        clock: Annotated[Clock | None, OneOf(clocks), gettext_lazy("Clock it ticks")] = None,
        item: Annotated[str, OneOf(items), gettext_lazy("Item")] = "",
        new_clock: NewClock = "",
        segments: Segments = USUAL_SEGMENTS,
        filled: Filled = 0,
        attribute: Resisted = Attribute.PROWESS,
        resisting: Becoming = Resisting.REDUCES,
        by: Reduction = 1,
        whom: Annotated[Scoundrel | None, OneOf(hit)] = None,
        source: Origin = "",
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
            words=words.strip() or (self.who(table).items[item].name if item else ""),
            item=item if code == "lost_item" else "",
            source=source,
            price=is_price,
            heat=heat,
            attribute=attribute,
            resisting=resisting,
            by=by,
        )
        if one.kind is Kind.COMPLICATION:
            threaten(one, clock, new_clock, segments, filled)
        check_said(one)
        self.consequences.append(one)
        said = faced_said(self, table, one)
        if last:
            self.finish(table)
        return said

    def _severity(self, table: Table, code: str, size: int, *, heat_rises: bool) -> int:
        """Return the size of a consequence, in the units of its kind: ticks and heat as said, or as usual for a `size` of 0."""
        if code not in SIZES:
            return HARMS.get(code, 1)
        if heat_rises and not crews(table):
            raise Refused(_("There’s no crew to take the heat."), "heat")
        usual = (COMPLICATION_HEAT if heat_rises else COMPLICATION_TICKS)[SIZES[code]]
        if not (size or usual):
            raise Refused(_("A minor complication usually brings no heat. Enter how much."), "size")
        return size or usual

    @act(
        gettext_lazy("No more consequences"),
        says=lambda self, table: (
            gettext_lazy("All consequences were named: {ticks}.")
            if self.ticked and self.clock_name
            else gettext_lazy("All consequences were named.")
        ),
        when=naming,
        terms=lambda self, table: len(self.consequences),
    )
    def finish(self, table: Table) -> None:
        """Say that all consequences are named."""
        self.finished = True
        self._advance(table)

    def answers(self, table: Table, one: Inflicted) -> Scoundrel:
        """Return whom a consequence hits. Raises BlockedByState where a full track keeps them from answering it."""
        who = table.get(Scoundrel, one.whom)
        who.check_room(table)
        return who

    @act(
        pgettext_lazy("consequence", "Take it"),
        by=by_whom_it_hits,
        each=lambda self, table: drawing.takeable(self, table, fatal=False),
        terms=drawing.as_it_hits,
    )
    def take_it(self, table: Table, one: Inflicted) -> Words:
        self.answers(table, one)
        self._settle(table, one)
        return drawing.answered_said(self, table, "take", one)

    @act(
        gettext_lazy("Take it: fatal…"),
        by=by_whom_it_hits,
        each=lambda self, table: drawing.takeable(self, table, fatal=True),
        terms=drawing.as_it_hits,
    )
    def take_fatal(self, table: Table, one: Inflicted, *, fate: Annotated[Fate, OneOf.of(drawing.FATES)]) -> Words:
        """Take a fatal harm: the character is dead or out of play, as its player chooses."""
        self.answers(table, one)
        one.fate = fate.value
        self._settle(table, one)
        return drawing.answered_said(self, table, "take", one)

    @act(
        lambda self, table, one: ngettext(
            "Resist with {attribute}: {count} die",
            "Resist with {attribute}: {count} dice",
            self.resistance(table, one).pool(table.settings).rolled,
            attribute=worded(ATTRIBUTE_WORDS[one.attribute]),
        ),
        by=by_whom_it_hits,
        each=drawing.resistible,
        terms=drawing.as_it_hits,
    )
    def resist(self, table: Table, one: Inflicted) -> None:
        """Decide to resist, before the dice (forged.txt, Resistance Roll); they fall at once."""
        self.affords(table, self.answers(table, one), PUSH_COST * one.push)
        self.resisting = one.id

    @act(gettext_lazy("More dice…"), by=by_whom_it_hits, each=drawing.resistible, terms=drawing.as_it_hits)
    def more_dice(
        self,
        table: Table,
        one: Inflicted,
        *,
        push: Annotated[bool, gettext_lazy("Push: +1 die for 2 stress")] = False,
        more: More = 0,
        why: MoreFrom = "",
    ) -> None:
        """Push for a die of the resistance roll, or none more, and say which dice abilities add."""
        check_more({"more": more, "why": why})
        self.affords(table, self.answers(table, one), PUSH_COST * push)
        one.push, one.more, one.why = push, more, why.strip()

    @act(
        lambda self, table, one, box: worded(drawing.ARMOR_BUTTONS[box]),
        by=by_whom_it_hits,
        each=drawing.armored,
        terms=drawing.as_it_hits,
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
        return drawing.answered_said(self, table, "armor", one)

    @act(
        gettext_lazy("Drop it"),
        each=lambda self, table: [one for one in self.pending if not (one.resisted or one.price)],
        terms=drawing.as_it_hits,
    )
    def drop(self, table: Table, one: Inflicted) -> Words:
        """Let a consequence go: what was said before the dice may be more than their result deserves."""
        one.severity = 0
        self._settle(table, one)
        return drawing.answered_said(self, table, "drop", one)

    @act(
        lambda self, table, one, who: _("{name} steps in", name=who.name),
        by=lambda self, actor, one, who: actor.plays(who.id),
        each=drawing.protectable,
        terms=drawing.as_it_hits,
    )
    def protect(self, table: Table, one: Inflicted, who: Scoundrel) -> Words:
        one.first, one.whom = one.whom, who.id
        one.push, one.more, one.why = False, 0, ""
        return drawing.answered_said(self, table, "protect", one)

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
        clock: MovedTo = None,
        new_clock: NewClock = "",
        segments: Segments = USUAL_SEGMENTS,
        filled: Filled = 0,
    ) -> Words:
        """Move ticks whose clock was archived before they came to a clock that runs, to a new one, or nowhere."""
        if new_clock:
            check_new(None, segments, filled)
            made = Clock(name=new_clock, segments=segments, filled=filled)
            table.add(made)
            clock = made
        self.clock, self.clock_name = (clock.id, clock.name) if clock else ("", "")
        self._advance(table)
        return drawing.moved_said(self.clock_name)

    @act(
        lambda self, table, one: _("Move the ticks of {clock}…", clock=one.clock_name),
        each=lambda self, table: [one for one in self.open_ones if self.is_gone(table, one)],
    )
    def move_its_ticks(
        self,
        table: Table,
        one: Inflicted,
        *,
        clock: MovedTo = None,
        new_clock: NewClock = "",
        segments: Segments = USUAL_SEGMENTS,
        filled: Filled = 0,
    ) -> Words:
        """Move the ticks of a consequence likewise."""
        before = one.clock_name
        threaten(one, None if new_clock else clock, new_clock, segments, filled)
        one.words = one.words or ("" if one.clock_name else before)
        return drawing.moved_said(one.clock_name)
