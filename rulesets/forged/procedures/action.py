"""A staged action, from its goal to its dice (forged.txt, Action Roll, Add Bonus Dice, Teamwork)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any
from uuid import UUID

from languages.text import gettext_lazy
from rolls.stage import Staged
from rules.acting import Between, OneOf, Roll, Unasked, Waits, act, anyone, owner
from rules.acts import Actor
from rules.messages import Words, capital, joined, ngettext, worded
from rules.messages import gettext as _
from rules.procedures import ROLLED, Button
from rules.table import Refused, Table
from rulesets.forged.procedures import action_card as drawing
from rulesets.forged.procedures.action_card import TRADES, terms_said
from rulesets.forged.procedures.action_follows import AfterTheDice, More, OneClock, Said, at, by_actor, moved_said
from rulesets.forged.procedures.action_state import (
    ACTED,
    BARGAIN,
    EITHER,
    FACTORS,
    LABEL,
    LED,
    PUSH_BUTTONS,
    PUSHED_BUTTONS,
    PUSHES,
    ActionState,
    Roller,
    Stage,
)
from rulesets.forged.procedures.carried import Carried, Gives
from rulesets.forged.procedures.engagement import Opening
from rulesets.forged.rows import Scoundrel, crews, people
from rulesets.forged.rules.action import (
    ASSIST_COST,
    EFFECTS,
    MOST_LEVELS,
    POSITIONS,
    PUSH_COST,
    Direction,
    Effect,
    Position,
    trade,
)
from rulesets.forged.rules.blocks import FULL_STRESS, SEVERE_HARM, full_words, severe_words
from rulesets.forged.rules.consequence import (
    Inflicted,
)
from rulesets.forged.rules.roll import Result, check_more
from rulesets.forged.sheet import ACTION_LABELS, COIN
from rulesets.forged.table.action import COHORT, DESPERATE
from rulesets.forged.table.ask import ForgedInput, Push
from rulesets.forged.table.ask import Kind as RollKind
from rulesets.forged.table.words import (
    EFFECT_WORDS,
    POSITION_WORDS,
    RESISTED,
    terms_label,
)


def unrolled(action: ActionState, table: Table) -> bool:
    return action.stage in (Stage.ASKED, Stage.SET) and not action.fallen


def is_set(action: ActionState, table: Table) -> bool:
    return action.stage is Stage.SET and not action.fallen


def traded_about(action: ActionState, table: Table) -> bool:
    return unrolled(action, table) and action.trade is not None and not action.traded


def bargained_about(action: ActionState, table: Table) -> bool:
    return unrolled(action, table) and bool(action.bargain)


def own_bargain(action: ActionState, table: Table) -> list[Scoundrel]:
    return [action.who(table)] if bargained_about(action, table) else []


def tradable(action: ActionState, table: Table) -> Iterator[Direction]:
    yield from Direction if is_set(action, table) and action.trade is None else ()


def rolling(action: ActionState, table: Table) -> list[Scoundrel]:
    """Return those whose players have yet to say that they are ready."""
    waited = (one.id for one in action.rollers if not one.ready and not one.cohort and not one.result)
    people = (table.find(Scoundrel, one) for one in waited if action.stage is Stage.SET)
    return [who for who in people if who and who.in_play]


def free(action: ActionState, table: Table) -> list[Scoundrel]:
    """Return those who may still help, or join."""
    busy = {one.id for one in action.rollers} | {one.helper for one in action.rollers}
    there = people(table) if unrolled(action, table) else []
    return [who for who in there if who.id not in busy and who.room(table) > 0]


def pushes(action: ActionState, table: Table) -> Iterator[tuple[Scoundrel, str]]:
    """Yield who may push for what; to act despite harm only where it would keep someone from it."""
    for one in action.rollers if unrolled(action, table) else ():
        if not one.cohort and (who := table.find(Scoundrel, one.id)):
            severe = one.push_act or action.hinders(table, one, 3)
            yield from ((who, push) for push in PUSHES if push != "act" or severe)


def helps(action: ActionState, table: Table) -> Iterator[tuple[Scoundrel, Scoundrel]]:
    """Yield who may help whom: each roll has one helper, who does not roll in this action (forged.txt, Assist)."""
    alone = [one.id for one in action.rollers if not one.helper and not one.cohort]
    for helper in free(action, table):
        yield from ((helper, who) for one in alone if (who := table.find(Scoundrel, one)))


def helping(action: ActionState, table: Table) -> list[Scoundrel]:
    there = (table.find(Scoundrel, one.helper) for one in action.rollers if one.helper and unrolled(action, table))
    return [who for who in there if who]


def others(action: ActionState, table: Table) -> list[Scoundrel]:
    rolling = [one.id for one in action.rollers[1:] if not one.cohort] if unrolled(action, table) else []
    return [who for one in rolling if (who := table.find(Scoundrel, one))]


def cohorts_in(*, joined: bool) -> Callable[[ActionState, Table], list[str]]:
    """Return the cohorts that roll with it, or that could, by the ids of their rows."""

    def those(action: ActionState, table: Table) -> list[str]:
        there = {one.id for one in action.rollers}
        able = action.cohorts(table) if action.group and unrolled(action, table) else {}
        return [key for key, one in able.items() if (key in there) is joined and one.state != "broken"]

    return those


def by_others(action: ActionState, who: Actor, *target: Any) -> bool:
    """Let a GM or another player take an act (forged.txt, The Devil’s Bargain)."""
    return who.is_gm or (bool(who.characters) and action.actor not in who.characters)


def has_gambit(action: ActionState, table: Table) -> bool:
    there = action.gambit or any(crew.gambits for crew in crews(table))
    return unrolled(action, table) and table.settings.gambits and there


def as_set(action: ActionState, table: Table, *target: Any) -> Any:
    """Return the terms that the GM has set, with what is offered beside them."""
    return [action.stage, *action.terms(table), action.trade, action.by_player]


def as_rolled(action: ActionState, table: Table, who: Scoundrel) -> Any:
    """Return all terms of their own dice, with an offer that lapses with them."""
    return [action.agreed(table, action.roller(who.id)), action.trade, action.traded, action.bargain]


def as_bargained(action: ActionState, table: Table, *target: Any) -> Any:
    return [action.bargain, action.bargain_by, action.coin, action.item]


def own(action: ActionState, table: Table) -> list[Scoundrel]:
    return [who for who in people(table) if table.by.plays(who.id)]


def actions(action: ActionState, table: Table) -> Iterator[tuple[str, Words]]:
    return ((code, worded(label)) for code, label in ACTION_LABELS.items())


def positions(action: ActionState, table: Table) -> Iterator[tuple[Position, Words]]:
    return ((one, worded(POSITION_WORDS[one])) for one in POSITIONS)


def effects(action: ActionState, table: Table) -> Iterator[tuple[Effect, Words]]:
    return ((one, worded(EFFECT_WORDS[one])) for one in EFFECTS)


def setups(action: ActionState, table: Table) -> Iterator[tuple[str, Words]]:
    """Yield the set-ups for whoever follows, as they are now."""
    for one in table.all(Carried):
        if not one.over and one.stays and one.serves(action.actor):
            yield one.id, capital(one.words)


def items(action: ActionState, table: Table) -> Iterator[tuple[str, Words]]:
    """Yield the things of who acts, as far as this reader knows them."""
    who = table.find(Scoundrel, action.actor)
    if who and (who.shared or table.by.plays(who.id)):
        yield from ((key, item.name) for key, item in who.items.items())


Factor = Annotated[int, OneOf(lambda *_none: FACTORS)]


class BeforeTheDice(ActionState):
    """The acts until the dice fall."""

    # Position and effect, the trade, and who is ready

    @act(LABEL, by=anyone)
    def open(
        self,
        table: Table,
        *,
        character: Annotated[Scoundrel, OneOf(own), gettext_lazy("Who acts")],
        action: Annotated[str, OneOf(actions), gettext_lazy("Action")],
        group: bool = False,
        setup: bool = False,
        push_die: Annotated[bool, Unasked()] = False,
        push_effect: Annotated[bool, Unasked()] = False,
    ) -> Words:
        if character.room(table) <= 0:
            raise Refused(full_words(character.name), "character")
        self.actor, self.action, self.group, self.setup = character.id, action, group, setup
        self.rollers = [Roller(id=character.id, push_die=push_die, push_effect=push_effect)]
        return drawing.opened_said(self, table)

    @act(lambda self, table: self.usual_words(table), when=at(Stage.ASKED), primary=True)
    def usual(self, table: Table) -> Words:
        """Set position risky, or that of the engagement, and effect standard (forged.txt, The GM Sets the Effect Level)."""
        return self.set(table, position=self.opening(table), base=Effect.STANDARD)

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
        position: Annotated[Position, OneOf(positions)],
        base: Annotated[Effect, OneOf(effects)],
        potency: Factor = 0,
        quality: Factor = 0,
        scale: Factor = 0,
        why: Said = "",
        ability: Annotated[int, Between(0, MOST_LEVELS), gettext_lazy("Special abilities")] = 0,
        more: More = 0,
        spared_1: bool = False,
        spared_2: bool = False,
        spared_3: bool = False,
        clock: OneClock = None,
        without: Annotated[list[str], OneOf(setups)] = [],  # noqa: B006  # it is only read
    ) -> Words:
        """Set position, effect and the rest; a trade based on earlier terms is dropped, and whoever was ready looks again."""
        check_more({"more": more, "why": why})
        self.position, self.base = position, base
        self.potency, self.quality, self.scale, self.ability, self.more = potency, quality, scale, ability, more
        self.reason, self.spared = why, [level for level, on in enumerate((spared_1, spared_2, spared_3), 1) if on]
        self.clock, self.clock_name = (clock.id, clock.name) if clock else ("", "")
        self.trade, self.traded, self.tokens, self.stage = None, False, self.usable(table, without), Stage.SET
        self.nobody_ready()
        return drawing.set_said(self, table)

    @act(
        lambda self, table, direction: _("Trade: {trade}", trade=worded(TRADES[direction])),
        by=by_actor,
        each=tradable,
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
        when=traded_about,
        terms=as_set,
    )
    def agree(self, table: Table) -> Words:
        self.traded = True
        self.check(table)
        return _("{name} traded: now {terms}.", name=self.who(table).name, terms=terms_said(self, table))

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
        terms=as_rolled,
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
        self.affords(table, who, one.stress)
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
        self._end(Stage.WITHDRAWN)
        return self._named(table)

    def usual_words(self, table: Table) -> Words:
        usual = self.model_copy(deep=True)
        usual.position, usual.tokens = self.opening(table), self.usable(table)
        return terms_label(usual.in_position, usual.built(table, usual.rollers[0]).level.effect)

    def roll_words(self, table: Table, who: Scoundrel) -> Words:
        if self.group:
            return _("Roll")
        return ngettext("Roll {count} die", "Roll {count} dice", self.pool(table, self.roller(who.id)).rolled)

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
            self.affords(table, who, one.stress)
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

    @act(lambda self, table, who: _("{name} doesn’t help", name=who.name), by=owner, each=helping)
    def unassist(self, table: Table, who: Scoundrel) -> None:
        next(one for one in self.rollers if one.helper == who.id).helper = ""

    @act(
        gettext_lazy("Offer a Devil’s Bargain"),
        says=gettext_lazy("{name} was offered a Devil’s Bargain: “{bargain}”."),
        by=by_others,
        when=lambda self, table: is_set(self, table) and not self.bargain,
    )
    def offer(
        self,
        table: Table,
        *,
        words: Said = "",
        coin: Annotated[int, Between(0, COIN), gettext_lazy("Coin")] = 0,
        item: Annotated[str, OneOf(items)] = "",
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
        when=has_gambit,
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
        each=others,
    )
    def leave(self, table: Table, who: Scoundrel) -> Mapping[str, Words]:
        return self._without(table, who.id)

    @act(
        lambda self, table, key: _(
            "{name} joins: quality {quality}", name=self.called(table, key), quality=self.cohorts(table)[key].quality
        ),
        says=gettext_lazy("{whom} joined in."),
        by=by_actor,
        each=cohorts_in(joined=False),
    )
    def bring(self, table: Table, key: str) -> Mapping[str, Words]:
        self.rollers.append(Roller(id=key, cohort=True))
        self.check(table)
        return {"whom": self.called(table, key)}

    @act(
        lambda self, table, key: _("{name} stays out", name=self.called(table, key)),
        says=gettext_lazy("{whom} stayed out."),
        by=by_actor,
        each=cohorts_in(joined=True),
    )
    def leave_out(self, table: Table, key: str) -> Mapping[str, Words]:
        return self._without(table, key)


class StagedAction(AfterTheDice, BeforeTheDice):
    """One card for everyone, from the goal of an action to its consequences."""

    on_card = {"inflict": "forged/_consequences.html"}

    # The dice

    def next_roll(self, table: Table) -> Roll | None:
        """Return the resistance that a player has decided on, or, once all are ready, the dice of one after the other."""
        if self.resisting:
            return self._resistance(self.consequence(self.resisting))
        if self.stage is not Stage.SET or not (self.fallen or all(one.ready or one.cohort for one in self.rollers)):
            return None
        if self.fallen and not all(one.ready or one.cohort or one.result for one in self.rollers):
            return None
        return next((self._roll(table, one) for one in self.rollers if not one.result), None)

    def on_roll(self, table: Table, part: str, outcome: Mapping[str, Any]) -> Words:
        if part.startswith("resist."):
            return self._resisted(table, self.consequence(self.resisting))
        return self._fell(table, next(one for one in self.rollers if one.part == part), outcome)

    def undo_roll(self, table: Table, part: str) -> None:
        """Forget a voided roll; its player has to say again that they are ready."""
        self.resisting = ""
        for one in self.rollers:
            if one.part == part:
                one.result = one.at = one.effect = one.ready = ""
                one.ticks, self.stage = 0, Stage.SET

    def _roll(self, table: Table, one: Roller) -> Roll:
        if one.cohort:
            ask = ForgedInput(
                kind=RollKind.FORTUNE.value,
                trait=self.rating(table, one),
                disadvantages=int(self.hinders(table, one, 2)),
                settles=COHORT,
                keeps={"name": self.called(table, one.id)},
            )
            return Roll(part=one.part, ask=ask)
        own = one.id == self.actor
        push = {(True, True): Push.BOTH, (True, False): Push.DIE, (False, True): Push.EFFECT}
        terms: dict[str, Any] = {
            "kind": RollKind.ACTION.value,
            "action": self.action,
            "position": self.before_trade.value,
            "effect": self.with_factors.value,
        }
        ask = ForgedInput(
            character=UUID(one.id),
            **terms,
            helper=UUID(one.helper) if one.helper else None,
            push=push.get((one.push_die, one.push_effect), Push.NOTHING).value,
            incapacitated=one.push_act,
            bargain=self.bargain if own else "",
            gambit=own and self.gambit,
            trade=self.trade.value if self.traded and self.trade else "",
            setup=any(token.gives is Gives.EFFECT for token in self.tokens),
            ability=self.ability,
            harm1=self.hinders(table, one, 1),
            unhurt=2 in self.spared,
            more=self.more if own else 0,
            more_from=self.reason if own and self.more else "",
            group=self.group,
        )
        return Roll(part=one.part, ask=ask, terms=terms)

    def _resistance(self, one: Inflicted) -> Roll:
        terms: dict[str, Any] = {
            "kind": RollKind.RESISTANCE.value,
            "attribute": one.attribute.value,
            "resisting": one.resisting.value,
        }
        dice: dict[str, Any] = {"push": Push.DIE.value if one.push else "", "more": one.more, "more_from": one.why}
        resisted = {name: getattr(one, name) for name in RESISTED}
        ask = ForgedInput(character=UUID(one.whom), **terms, **dice, keeps=resisted)
        return Roll(part=f"resist.{one.id}", ask=ask, terms=terms | {"resisted": resisted})

    def _fell(self, table: Table, one: Roller, outcome: Mapping[str, Any]) -> Words:
        """Count one of the action's rolls: xp and gambits at once, and after the last one the result."""
        rolled = self._by_quality(table, one, outcome) if one.cohort else outcome
        one.result, one.at, one.effect, one.ticks = (rolled[name] for name in ("result", "position", "effect", "ticks"))
        if outcome.get("xp") and (who := table.find(Scoundrel, one.id)):
            table.because(DESPERATE)
            track = f"{drawing.attribute_of(self.action)}_xp"
            setattr(who, track, getattr(who, track) + outcome["xp"])
        if one.id == self.actor:
            self._use_up(table, outcome)
        return self._judge(table) if self.is_judged else ""

    def _by_quality(self, table: Table, one: Roller, outcome: Mapping[str, Any]) -> dict[str, Any]:
        """Return the result of a cohort's dice, which are rolled with its quality instead of an action."""
        critical = outcome["result"] == Result.CRITICAL.name.lower()
        done = outcome["result"] != Result.BAD.name.lower()
        return {
            "result": outcome["result"],
            "position": self.in_position.value,
            "effect": self.built(table, one).level.effect.value,
            "ticks": self.built(table, one, critical=critical).level.ticks if done else 0,
        }

    def _use_up(self, table: Table, outcome: Mapping[str, Any]) -> None:
        """Use up the tokens, the crew's gambit, and the coin and the item of a bargain."""
        for token in self.tokens:
            spent = table.find(Opening, token.id) if token.gives is Gives.OPENED else table.find(Carried, token.id)
            if spent and not token.stays:
                spent.over = True
        for crew in crews(table):
            table.because(ACTED)
            crew.gambits += outcome.get("gambits", 0) - self.gambit
        if self.bargained and (who := table.find(Scoundrel, self.actor)):
            table.because(BARGAIN)
            who.coin -= self.coin
            who.items.pop(self.item, None)

    def _judge(self, table: Table) -> Words:
        """Say what the result leads to. The leader of a group marks 1 stress for each player character on 1-3, and none for a
        cohort, as far as there is room."""
        if self.group and (who := table.find(Scoundrel, self.actor)):
            table.because(LED)
            who.strain(table, sum(one.came is Result.BAD for one in self.rollers if not one.cohort))
        said = capital(joined("", (drawing.result_words(self, table), "."))) if self.group else ""
        if self.best.at == Position.CONTROLLED and self.best.came in (Result.PARTIAL, Result.BAD):
            self.stage = Stage.CHOICE
            return said
        self.stage, self.finished = Stage.FOLLOWS, not (self.menu or self.owes)
        self._advance(table)
        return said

    # Its card, and its words

    def waits(self, table: Table) -> Sequence[Waits]:
        return [*drawing.waits(self, table)]

    def card(self, table: Table, buttons: Sequence[Button]) -> Staged:
        return drawing.Drawing(self, table, buttons).staged()

    def party(self, table: Table, key: str) -> tuple[str, str | None]:
        one = next((one for one in self.consequences if one.id == key), None)
        who = table.find(Scoundrel, one.whom if one else key)
        return (who.name, who.id) if who else (self.called(table, key), None)

    def so_far(self, act: str, table: Table, *target: Any) -> Mapping[str, Any]:
        if act == "more_dice":
            return {name: getattr(target[0], name) for name in ("push", "more", "why")}
        if act != "set":
            return {}
        names = ("base", "potency", "quality", "scale", "ability", "more", "clock")
        return {name: getattr(self, name) for name in names} | {"position": self.opening(table), "why": self.reason}

    def line_before(self, table: Table, act: str, whom: str) -> Words:
        if act == ROLLED:
            judged = self.group and not self.consequences and self.is_judged
            return joined("", (drawing.result_words(self, table), ".")) if judged else ""
        simple = {"bargain": "offer", "nobody_follows": "nobody_follows"}
        name, one = self.called(table, self.actor), next(iter(reversed(self.consequences)), None)
        if said := self._said_before(table, act, one):
            return said
        known = self.acts.get(simple.get(act, act))
        if act == "refuse" and not whom:
            known = self.acts["rule_out"]
        words = known.says if known else ""
        return worded(words, name=name, whom=whom, bargain=drawing.price_words(self)) if words else ""

    def _said_before(self, table: Table, act: str, last: Inflicted | None) -> Words:
        """Return the lines that were made of more than people and a bargain."""
        met = next((one for one in self.consequences if one.id == self.resisting), None)
        match act:
            case "open":
                return drawing.opened_said(self, table)
            case "usual" | "set":
                return drawing.set_said(self, table)
            case "propose":
                return drawing.proposed_said(self, table) if self.trade else ""
            case "agree":
                return _("{name} traded: now {terms}.", name=self.who(table).name, terms=terms_said(self, table))
            case "grant":
                return drawing.granted_said(self, table)
            case "finish":
                return drawing.finished_said(self)
            case "inflict" if last:
                return drawing.faced_said(self, table, last)
            case "move_ticks":
                return moved_said(met.clock_name if met else self.clock_name)
            case "take" | "take_fatal" if met:
                return drawing.took_said(self, self.called(table, met.whom), met, table)
            case "armor" if met:
                return _(
                    "{whom} marked armour: {met}.",
                    whom=self.called(table, met.whom),
                    met=drawing.met_said(self, met, table),
                )
            case "protect" if met:
                return _(
                    "{whom} stepped in: {met}.",
                    whom=self.called(table, met.whom),
                    met=drawing.met_said(self, met, table),
                )
        return ""
