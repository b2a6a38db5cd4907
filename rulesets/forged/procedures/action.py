"""A staged action from its dice to its consequences: the acts of those who take part (forged.txt, Judge the Result,
Consequences to Armor)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Final
from uuid import UUID

from characters.reasons import Reason
from languages.text import gettext_lazy, pgettext_lazy
from rolls.stage import Staged
from rules.acting import Between, OneOf, Roll, Text, Waits, act
from rules.messages import Words, capital, joined, ngettext, worded
from rules.messages import gettext as _
from rules.procedures import Button
from rules.table import Clock, Refused, Table
from rulesets.forged.procedures import action_card as drawing
from rulesets.forged.procedures.action_announced import (
    LONGEST_NAME,
    AnnouncedAction,
    Becoming,
    Filled,
    More,
    NewClock,
    Origin,
    Reduction,
    Resisted,
    Segments,
    among,
)
from rulesets.forged.procedures.action_card import (
    ARMOR_BUTTONS,
    FATES,
    GIVES,
    GRANT_BUTTONS,
)
from rulesets.forged.procedures.action_choices import (
    armored,
    as_it_hits,
    clocks,
    codes,
    grants,
    hit,
    items,
    or_lost,
    protectable,
    resistible,
    takeable,
)
from rulesets.forged.procedures.action_state import (
    PRICES,
    SUFFERED,
    USUAL_SEGMENTS,
    Foe,
    Roller,
    Stage,
    adding,
    at,
    by_actor,
    by_whom_it_hits,
    check_new,
    check_said,
    naming,
    threaten,
)
from rulesets.forged.procedures.carried import Carried, Gives
from rulesets.forged.procedures.score import Opening
from rulesets.forged.rows import Scoundrel, crews, people
from rulesets.forged.rules.action import (
    COMPLICATION_HEAT,
    COMPLICATION_TICKS,
    FULL_STRESS,
    PUSH_COST,
    Attribute,
    Effect,
    Position,
    full_words,
)
from rulesets.forged.rules.consequence import (
    HARMS,
    MOST_SIZE,
    SIZES,
    Fate,
    Inflicted,
    Kind,
    Resisting,
    Threat,
)
from rulesets.forged.rules.roll import Result, check_more
from rulesets.forged.table import DESPERATE
from rulesets.forged.terms import LONGEST_WORDS, ForgedTerms
from rulesets.forged.words import ATTRIBUTE_WORDS

ACTED: Final = Reason("forged_action", gettext_lazy("an action"))
LED: Final = Reason("forged_led", gettext_lazy("leading a group action"))
BARGAIN: Final = Reason("forged_bargain", gettext_lazy("a Devil’s Bargain"))
ARMOR: Final = Reason("forged_armor", gettext_lazy("armour"))
Source = Annotated[str, Text(LONGEST_WORDS), gettext_lazy("Where they come from")]
MovedTo = Annotated[Clock | None, OneOf(or_lost), gettext_lazy("Move the ticks to")]


class StagedAction(AnnouncedAction):
    """One card for everyone, from the goal of an action to its consequences."""

    # The dice

    def next_roll(self, table: Table) -> Roll | None:
        """Return the resistance that a player has decided on, or, once all are ready, the dice of one after the other."""
        if self.resisting:
            met = self.consequence(self.resisting)
            return self._roll(f"resist.{met.id}", self.resistance(table, met), met.whom)
        if self.stage is not Stage.SET or not all(one.ready or one.cohort or one.result for one in self.rollers):
            return None
        left = (one for one in self.rollers if not one.result)
        rolls = (self._roll(one.part, self.dice(table, one), "" if one.cohort else one.id) for one in left)
        return next(rolls, None)

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
                self.consequences, self.finished = [], False
                self.foes = [Foe(id=foe.id, name=foe.name) for foe in self.foes]

    def _roll(self, part: str, terms: ForgedTerms, whom: str = "") -> Roll:
        return Roll(part=part, ask=replace(terms, character=UUID(whom) if whom else None), terms=terms.asked())

    def _fell(self, table: Table, one: Roller, outcome: Mapping[str, Any]) -> Words:
        """Count one of the action's rolls: xp and gambits at once, and after the last one the result."""
        rolled = self._by_quality(table, one, outcome) if one.cohort else outcome
        one.result, one.at, one.effect, one.ticks = (rolled[name] for name in ("result", "position", "effect", "ticks"))
        if outcome.get("xp") and (who := table.find(Scoundrel, one.id)):
            table.because(DESPERATE)
            track = f"{self.attribute}_xp"
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
            "position": self.rolled_in(table).value,
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
        said = joined(" ", filter(None, (said, self._befall(table))))
        self._advance(table)
        return said

    def _befall(self, table: Table) -> Words:
        """Let follow what the GM said before the dice, where the result has consequences; no more need be named then."""
        if not self.menu or self.threat == Threat():
            return ""
        self.consequences, self.finished = self.threat.follows(Position(self.best.at), self.actor), True
        return joined(" ", (drawing.faced_said(self, table, one) for one in self.consequences))

    # What players decide about the result

    @act(gettext_lazy("Go through with it"), by=by_actor, when=at(Stage.CHOICE))
    def press_on(self, table: Table) -> Words:
        """Go through with a controlled action: on a 4/5 it is done at a minor price; on a 1-3 there is a risky opportunity."""
        self.stage = Stage.FOLLOWS if self.best.came is Result.PARTIAL else Stage.DONE
        if self.stage is Stage.DONE:
            self._worsen(table, self.actor, Position.RISKY)
        said = _("{name} went through with it.", name=self.who(table).name)
        return joined(" ", filter(None, (said, self._befall(table))))

    @act(gettext_lazy("Withdraw"), says=gettext_lazy("{name} withdrew."), by=by_actor, when=at(Stage.CHOICE))
    def fall_back(self, table: Table) -> Mapping[str, Words]:
        """Withdraw: nothing is done and nothing lost, but the price of a bargain is paid."""
        self.withdrew, self.stage = True, Stage.FOLLOWS if self.owes else Stage.DONE
        return self._named(table)

    @act(lambda self, table, effect: worded(GRANT_BUTTONS[effect]), each=grants)
    def grant(self, table: Table, effect: Effect) -> Words:
        self.granted = effect
        return drawing.granted_said(self, table)

    @act(
        gettext_lazy("Choose what it gives"),
        says=gettext_lazy("{name} set up whoever follows."),
        by=by_actor,
        when=lambda self, table: self.stage is Stage.SET_UP and any(one.id != self.actor for one in people(table)),
    )
    def set_up(
        self, table: Table, *, gives: Annotated[Gives, among(GIVES), gettext_lazy("Whoever follows through gets")]
    ) -> Mapping[str, Words]:
        """Choose what a set-up gives to whoever follows; several may (forged.txt, Set up)."""
        table.begin(Carried, who=self.actor, gives=gives, to=None, by=self.who(table).name)
        self.stage = Stage.DONE
        return self._named(table)

    @act(
        gettext_lazy("No one follows"),
        says=gettext_lazy("No one followed {name}’s set-up."),
        by=by_actor,
        when=at(Stage.SET_UP),
    )
    def nobody_follows(self, table: Table) -> Mapping[str, Words]:
        self.stage = Stage.DONE
        return self._named(table)

    # Consequences: the GM names them, and those whom they hit answer

    @act(gettext_lazy("Add a consequence"), when=adding)
    def inflict(
        self,
        table: Table,
        *,
        code: Annotated[str, OneOf(codes), gettext_lazy("Consequence")],
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

    @act(
        pgettext_lazy("consequence", "Take it"),
        by=by_whom_it_hits,
        each=lambda self, table: takeable(self, table, fatal=False),
        terms=as_it_hits,
    )
    def take_it(self, table: Table, one: Inflicted) -> Words:
        self.answers(table, one)
        self._settle(table, one)
        return drawing.answered_said(self, table, "take", one)

    @act(
        gettext_lazy("Take it: fatal…"),
        by=by_whom_it_hits,
        each=lambda self, table: takeable(self, table, fatal=True),
        terms=as_it_hits,
    )
    def take_fatal(self, table: Table, one: Inflicted, *, fate: Annotated[Fate, among(FATES)]) -> Words:
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
        each=resistible,
        terms=as_it_hits,
    )
    def resist(self, table: Table, one: Inflicted) -> None:
        """Decide to resist, before the dice (forged.txt, Resistance Roll); they fall at once."""
        self.affords(table, self.answers(table, one), PUSH_COST * one.push)
        self.resisting = one.id

    @act(gettext_lazy("More dice…"), by=by_whom_it_hits, each=resistible, terms=as_it_hits)
    def more_dice(
        self,
        table: Table,
        one: Inflicted,
        *,
        push: Annotated[bool, gettext_lazy("Push: +1 die for 2 stress")] = False,
        more: More = 0,
        why: Source = "",
    ) -> None:
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
        return drawing.answered_said(self, table, "armor", one)

    @act(
        gettext_lazy("Drop it"),
        each=lambda self, table: [one for one in self.pending if not (one.resisted or one.price)],
        terms=as_it_hits,
    )
    def drop(self, table: Table, one: Inflicted) -> Words:
        """Let a consequence go: what was said before the dice may be more than their result deserves."""
        one.severity = 0
        self._settle(table, one)
        return drawing.answered_said(self, table, "drop", one)

    @act(
        lambda self, table, one, who: _("{name} steps in", name=who.name),
        by=lambda self, actor, one, who: actor.plays(who.id),
        each=protectable,
        terms=as_it_hits,
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

    def _resisted(self, table: Table, one: Inflicted) -> Words:
        """Reduce or avoid the consequence, whatever it cost; a trauma that follows comes at once."""
        self.resisting, one.resisted = "", True
        one.lessen(one.by)
        if not one.severity:
            self._settle(table, one)
        return ""

    # Its card, and its words

    def waits(self, table: Table) -> Sequence[Waits]:
        return [*drawing.waits(self, table)]

    def card(self, table: Table, buttons: Sequence[Button]) -> Staged:
        return drawing.Drawing(self, table, buttons).staged()

    def line_before(self, table: Table, act: str, whom: str) -> Words:
        return drawing.line_before(self, table, act, whom)
