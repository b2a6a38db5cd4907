"""A staged action as the stage shows it, its words, and what there is to choose in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, Final

from campaigns.text import signed
from languages.text import gettext_lazy, pgettext_lazy
from rolls.odds import bar_said
from rolls.stage import Mark, Row, Setting, Staged, Turn
from rules.acting import Waits
from rules.chances import decimal_said
from rules.dice import mean
from rules.messages import Message, Words, capital, joined, ngettext, worded
from rules.messages import gettext as _
from rules.procedures import ROLLED, Button
from rules.table import Clock, Refused, Table
from rulesets.forged import odds
from rulesets.forged.procedures.action_state import (
    AVOIDED,
    TAKEN,
    ActionState,
    action_words,
    faced_said,
    from_words,
    known,
    naming,
    result_words,
    runs,
    unrolled,
)
from rulesets.forged.procedures.score import Carried, Gives, token_words
from rulesets.forged.rows import Scoundrel, found, people
from rulesets.forged.rules import Pool, Result
from rulesets.forged.rules.action import (
    EFFECTS,
    FATAL,
    MOST_SIZE,
    POSITIONS,
    PUSH_COST,
    Attribute,
    Direction,
    Effect,
    Fared,
    Fate,
    Foe,
    Inflicted,
    Position,
    Resisting,
    Roller,
    Stage,
    resist_pool,
)
from rulesets.forged.table import result_parts, stress_parts
from rulesets.forged.words import (
    ATTRIBUTE_WORDS,
    EFFECT_LABELS,
    EFFECTS_SAID,
    FELL,
    FOLLOWS,
    LOWEST,
    POSITION_LABELS,
    inflicted_words,
    on_clock,
    terms_words,
)

ANSWERED: Final = {
    "take": gettext_lazy("{whom} took a consequence. {met}."),
    "armor": gettext_lazy("{whom} marked armour: {met}."),
    "protect": gettext_lazy("{whom} stepped in: {met}."),
    "drop": gettext_lazy("{whom} was spared: {met}."),
}
ANSWERS: Final = ("take_it", "take_fatal", "resist", "more_dice", "armor", "protect", "drop")
"""The acts with which a consequence is met."""
GM_ACTS: Final = frozenset(
    {"propose", "offer", "inflict", "finish", "grant", "move_ticks", "move_its_ticks", "rule_out", "spare"}
)
"""The acts that are a GM's own; in others a GM acts for players."""
STEPS: Final = (_("Goal"), _("Position"), _("Help & roll"), _("Consequences"))
USUAL: Final = (Effect.LIMITED, Effect.STANDARD, Effect.GREAT)
TRADES: Final = {
    Direction.EFFECT: gettext_lazy("a worse position for +1 effect"),
    Direction.POSITION: gettext_lazy("a better position for −1 effect"),
}
BOXES: Final = {
    "armor": gettext_lazy("armour"),
    "heavy_armor": gettext_lazy("heavy armour"),
    "special_armor": gettext_lazy("special armour"),
}
HURT: Final = {1: gettext_lazy("lesser harm"), 2: gettext_lazy("moderate harm"), 3: gettext_lazy("severe harm")}
FATED: Final = {Fate.DEAD: gettext_lazy("{name} is dead"), Fate.OUT: gettext_lazy("{name} survives, out of play")}
"""The words for what became of a character, by code; before 0.2.1 none was chosen."""
BECAME: Final = {
    TAKEN: pgettext_lazy("consequence", "taken"),
    AVOIDED: pgettext_lazy("consequence", "avoided"),
}
FACTORS_SAID: Final = (
    ("potency", pgettext_lazy("factor", "potency {change}")),
    ("quality", pgettext_lazy("factor", "quality {change}")),
    ("scale", pgettext_lazy("factor", "scale {change}")),
)
FATES: Final = {Fate.DEAD: pgettext_lazy("fate", "Die"), Fate.OUT: gettext_lazy("Survive, out of play")}
GIVES: Final = {Gives.EFFECT: gettext_lazy("+1 effect"), Gives.POSITION: gettext_lazy("a better position")}
EITHER: Final = gettext_lazy("The second bonus die comes from a push or from a Devil’s Bargain, not from both.")
PUSH_BUTTONS: Final = {
    "die": gettext_lazy("Push for +1 die: {count} stress"),
    "effect": gettext_lazy("Push for +1 effect: {count} stress"),
    "act": gettext_lazy("Push to act despite it: {count} stress"),
}
PUSHED_BUTTONS: Final = {
    "die": gettext_lazy("Don’t push for +1 die"),
    "effect": gettext_lazy("Don’t push for +1 effect"),
    "act": gettext_lazy("Don’t push to act despite it"),
}
ARMOR_BUTTONS: Final = {
    "armor": gettext_lazy("Mark armour"),
    "heavy_armor": gettext_lazy("Mark heavy armour"),
    "special_armor": gettext_lazy("Mark special armour"),
}
GRANT_BUTTONS: Final = {
    Effect.LIMITED: gettext_lazy("Keep limited effect"),
    Effect.STANDARD: gettext_lazy("Keep standard effect"),
    Effect.GREAT: gettext_lazy("Keep great effect"),
    Effect.EXTREME: gettext_lazy("Keep extreme effect"),
}


def terms_said(action: ActionState, table: Table) -> Message:
    """Return words such as "desperate, great effect"."""
    return terms_words(action.rolled_in(table), action.built(table, action.rollers[0]).effect)


def price_words(action: ActionState) -> Words:
    """Return words such as "The guard wants more, 2 coin, Silver ring"."""
    coin = ngettext("{count} coin", "{count} coin", action.coin) if action.coin else ""
    return joined(", ", filter(None, (action.bargain, coin, action.thing)))


def became_words(action: ActionState, table: Table, one: Inflicted) -> Words:
    """Return words for what became of a consequence, as its card and the log have them; "" while it is open."""
    if one.row == FATAL:
        fate = FATED[Fate(one.fate)] if one.fate else pgettext_lazy("consequence", "fatal")
        return worded(fate, name=action.called(table, one.whom))
    if one.row:
        return _("taken, in row {level}", level=one.row)
    return worded(BECAME[one.became]) if one.became else ""


def resists_by(one: Inflicted) -> Words:
    """Return words for what resisting a consequence does, as the GM set it."""
    if one.price:
        return _("the price of the bargain")
    words = (
        gettext_lazy("{attribute} avoids it")
        if one.resisting is Resisting.AVOIDS
        else gettext_lazy("{attribute} reduces it by {count}")
    )
    return worded(words, attribute=worded(ATTRIBUTE_WORDS[one.attribute]), count=one.by)


def extra_words(more: int, why: str) -> str:
    """Return words such as "Iron will +1"; "" without dice from abilities."""
    return f"{why} {signed(more)}" if more else ""


def hurt_words(who: Scoundrel | None, level: int) -> Words:
    """Return words such as "lesser harm −1 effect (Bruised)"; its other effects are shown in the pool, and on its chip."""
    words = _("{harm} −1 effect", harm=worded(HURT[level])) if level == 1 else worded(HURT[level])
    named = ", ".join(filter(None, who.harms(level))) if who else ""
    return joined("", (words, f" ({named})")) if named else words


def answered_said(action: ActionState, table: Table, act: str, one: Inflicted) -> Words:
    """Return the line of an answer to a consequence, with what became of it."""
    met = joined(", ", filter(None, (inflicted_words(one), became_words(action, table, one))))
    whom = action.called(table, one.whom)
    return worded(ANSWERED[act], whom=whom, met=capital(met) if act == "take" else met)


def threat_words(action: ActionState, table: Table) -> Words:
    """Return what follows if it goes wrong, and what it is resisted with; "" for nothing said so far."""
    follows = action.threat.follows(action.rolled_in(table), action.actor)
    if not follows:
        return ""
    words = (joined("; ", map(inflicted_words, follows)), from_words(action, table, action.threat.source))
    return _(
        "If it goes wrong: {follows}. {resist}.",
        follows=joined(", ", filter(None, words)),
        resist=resist_words(action, table, action.threat.attribute),
    )


def resist_words(action: ActionState, table: Table, attribute: Attribute) -> Words:
    """Return words such as "Resist with Prowess, 2 dice: 1.5 stress on average"."""
    pool = resist_pool(action.who(table).attribute(attribute))
    return ngettext(
        "Resist with {attribute}, {count} die: {stress} stress on average",
        "Resist with {attribute}, {count} dice: {stress} stress on average",
        pool.rolled,
        attribute=worded(ATTRIBUTE_WORDS[attribute]),
        stress=decimal_said(mean(odds.resistance_stress(pool.dice)), 1),
    )


def stress_odds(pool: Pool, *lines: Words) -> dict[str, Any]:
    """Return the odds of the stress that resisting costs, for rolls/_odds.html."""
    return bar_said(stress_parts(odds.resistance_stress(pool.dice)), dice=pool.rolled, lines=[*lines, _lowest(pool)])


def foretold(action: ActionState, table: Table) -> Words:
    """Return where clocks go if it goes wrong, and if it works, as a GM reads it; "" where none ticks."""
    wrong, clock = [*_reached(action, table)], runs(table, action.clock)
    ticks = action.built(table, action.rollers[0]).ticks
    right = _goes(clock.name, clock.filled + ticks, clock.segments) if clock else ""
    sentences = (
        _("If it goes wrong, {clocks}.", clocks=joined(", ", wrong)) if wrong else "",
        _("If it works, {clocks}.", clocks=right) if right else "",
    )
    return joined(" ", filter(None, sentences))


def _reached(action: ActionState, table: Table) -> Iterator[Words]:
    for one in action.threat.follows(action.rolled_in(table), action.actor):
        if clock := runs(table, one.clock):
            yield _goes(clock.name, clock.filled + one.severity, clock.segments)
        elif one.segments:
            yield _goes(one.clock_name, one.filled + one.severity, one.segments)


def _goes(name: str, filled: int, segments: int) -> Words:
    return _("{clock} goes to {filled} of {segments}", clock=name, filled=min(filled, segments), segments=segments)


class ActionCard(ActionState):
    """A staged action with its card, who is waited for, and what its lines say."""

    def card(self, table: Table, buttons: Sequence[Button]) -> Staged:
        return Drawing(self, table, buttons).staged()

    def waits(self, table: Table) -> Sequence[Waits]:
        match self.stage:
            case Stage.ASKED:
                return [Waits("", _("to set position and effect"))]
            case Stage.SET:
                return self._before_the_dice(table)
            case Stage.CHOICE:
                return [Waits(self.actor, _("to go through with it or withdraw"))]
            case Stage.SET_UP:
                return [Waits(self.actor, _("to choose what the set-up gives"))]
            case Stage.FOLLOWS:
                return self._after_the_dice(table)
        return ()

    def _before_the_dice(self, table: Table) -> list[Waits]:
        """Return the first thing that is in the way of the dice; or else all who have yet to answer an offer, or to roll."""
        who = table.find(Scoundrel, self.actor)
        name = who.name if who else ""
        in_the_way = [
            (not (who and who.in_play), Waits("", _("to cancel it: {name} is no longer in play", name=name))),
            (not self.fallen and self.is_spent(table), Waits("", _("to set it again: a set-up is gone"))),
            (not self.fallen and self.is_alone, Waits(self.actor, _("to wait for someone to join, or to cancel"))),
        ]
        left = (one for one in self.rollers if not one.ready and not one.cohort)
        unanswered = [
            (self.trade and not self.traded, Waits("" if self.by_player else self.actor, _("to answer the trade"))),
            (self.bargain and not self.bargained, Waits(self.actor, _("to answer the bargain"))),
            *((True, Waits(one.id, self._to_roll(table, one))) for one in left),
        ]
        return [one for holds, one in in_the_way if holds][:1] or [one for holds, one in unanswered if holds]

    def _to_roll(self, table: Table, one: Roller) -> Words:
        who = table.find(Scoundrel, one.id)
        if who and who.room(table) <= 0:
            return _("to choose a trauma first")
        severe = self.hinders(table, one, 3) and not one.push_act and not one.helper
        return _("to push or find help, because of severe harm") if severe else _("to roll")

    def _after_the_dice(self, table: Table) -> list[Waits]:
        """Return what the GM has yet to say and to move, and those whom a consequence hits: a GM for who has left play."""
        unsaid = [
            (not self.finished, _("to name the consequences")),
            (bool(self.unsaid), _("to say what came of it for each")),
        ]
        gone = [one.clock_name for one in self.open_ones if self.is_gone(table, one)]
        held = [self.clock_name] if self.is_held and self.clock else []
        hit = dict.fromkeys(one.whom for one in self.open_ones)
        there = {who.id for who in found(table, hit) if who.in_play}
        return [
            *(Waits("", words) for holds, words in unsaid if holds),
            *(Waits("", _("to move the ticks of {clock}", clock=name)) for name in dict.fromkeys([*gone, *held])),
            *(Waits(whom if whom in there else "", _("to take or resist a consequence")) for whom in hit),
        ]

    def line_names(self, table: Table) -> dict[str, Words]:
        return {
            "name": self.who(table).name,
            "action": action_words(self),
            "terms": terms_said(self, table),
            "trade": worded(TRADES[self.trade]) if self.trade else "",
            "bargain": price_words(self),
            "effect": worded(EFFECTS_SAID[self.granted]) if self.granted else "",
            "ticks": on_clock(self.ticked, self.clock_name),
        }

    def line_before(self, table: Table, act: str, whom: str) -> Words:
        last = next(reversed(self.consequences), None)
        met = next((one for one in self.consequences if one.id == self.resisting), None)
        match act:
            case _ if act == ROLLED:
                judged = self.group and not self.consequences and self.is_judged
                return joined("", (result_words(self, table), ".")) if judged else ""
            case "inflict" if last:
                return faced_said(self, table, last)
            case "move_ticks":
                return moved_said(met.clock_name if met else self.clock_name)
            case "take" | "take_fatal" | "armor" | "protect" if met:
                return answered_said(self, table, act.removesuffix("_fatal"), met)
        renamed = {"usual": "set", "bargain": "offer", "refuse": "refuse" if whom else "rule_out"}
        return super().line_before(table, renamed.get(act, act), whom)


class Drawing:
    """A staged action with the offered buttons, each beside what it is about."""

    def __init__(self, action: ActionState, table: Table, buttons: Sequence[Button]) -> None:
        self.action, self.table, self.left = action, table, list(buttons)
        self.is_set = action.stage is not Stage.ASKED
        self.before = unrolled(action, table)
        self.result = result_words(action, table) if action.is_judged else ""
        self.name = action.called(table, action.actor)

    def staged(self) -> Staged:
        action, single = self.action, not self.action.group
        first = action.rollers[0]
        buttons = [
            [] if one.result else self._take("push", "assist", "roll", "leave", "leave_out", whom=one.id)
            for one in action.rollers
        ]
        answers = self._take("accept", "refuse", whom=action.actor)
        offer, against, someone = self._take("offer"), self._take("face"), self._take("face_others")
        # Until it is over, what came of it for each stands beside their faces.
        came = (self._ticks(), fared_words(action, self.table) if action.over else "") if self.result else ()
        tiles = [*turns(action, self.table, self._take("leave_alone", "fare"))]
        pressed, folded = self._pressed()
        consequences = [self._consequence(one) for one in action.consequences]
        rolls = [] if single else list(map(self._roll, action.rollers, buttons))
        beside = buttons[0] if single else []
        return Staged(
            title=_("{name}: {action}", name=self.name, action=action_words(action)),
            faces=[
                *(one.id for one in action.rollers if not one.cohort),
                *(one.character for one in tiles if one.character),
            ],
            steps=STEPS,
            step=1 if not self.is_set else 2 if self.before else 3,
            settings=list(self._settings()) if self.is_set and self.before else (),
            said=joined("", (terms_said(action, self.table), ".")) if self.is_set else "",
            marks=[] if self.result else self._marks(first),
            notes=list(self._notes()),
            dice=[""] * action.pool(self.table, first).rolled if single and self.before and self.is_set else (),
            die=6,
            pool="" if self.result or not single or self._is_plain(first) else self._pool(first),
            outcome=self.result,
            outcome_words=joined(" · ", filter(None, came)),
            turns=tiles,
            turns_head=_("Against"),
            rows=[*rolls, *consequences],
            odds=self._group_odds() if action.group else self._odds(first) if self.before else None,
            offers=[*answers, *(button for button in beside if not button.primary)],
            acts=[
                *(button for button in self.left if not self._is_gms(button)),
                *(button for button in beside if button.primary),
            ],
            own=[button for button in self.left if self._is_gms(button)],
            theirs=offer,
            acts_for=self.name if single else _("the players"),
            extra="forged/_press.html" if pressed or someone else "",
            more={"pressed": pressed, "folded": folded, "offer": offer, "against": against, "someone": someone},
        )

    def _pressed(self) -> tuple[list[Button], Words]:
        """Take the button of what the GM sets by presses, or adds once all is named, and the words under which it folds."""
        is_set, added = self._take("set"), self._take("inflict") if self.action.finished else []
        if added:
            return added, _("Add a consequence")
        return is_set, _("Change position and effect") if self.is_set else ""

    def _is_gms(self, button: Button) -> bool:
        """Return whether a button is for GMs as such. GMs also answer players' offers."""
        return button.name in GM_ACTS or (self.action.by_player and button.name in ("agree", "decline"))

    def _take(self, *names: str, whom: str = "") -> list[Button]:
        """Take the buttons of these acts, for one alone if that is said, from those that have no place yet."""
        taken = [button for button in self.left if button.name in names and whom in ("", *button.target)]
        self.left = [button for button in self.left if button not in taken]
        return taken

    def _settings(self) -> Iterator[Setting]:
        at, effect = (
            self.action.rolled_in(self.table),
            self.action.built(self.table, self.action.rollers[0]).effect,
        )
        positions = [(worded(POSITION_LABELS[position]), position is at) for position in POSITIONS]
        yield Setting(label=_("Position"), options=positions, look="trouble" if at is Position.DESPERATE else "")
        levels = [level for level in EFFECTS if level in USUAL or level is effect]
        yield Setting(label=_("Effect"), options=[(worded(EFFECT_LABELS[level]), level is effect) for level in levels])

    def _notes(self) -> Iterator[Words]:
        action, waiting = self.action, self.action.waiting(self.table)
        if not self.is_set:
            yield _("The GM hasn’t set position and effect yet.")
            if waiting:
                tokens = joined("; ", (token_words(one.gives, one.to, one.by) for one in waiting))
                yield _("Waiting for this action: {tokens}.", tokens=tokens)
        elif self.before:
            made_of = list(self._made_of())
            # What the GM set and nothing has changed is shown above.
            if action.reason or len(made_of) > 1:
                together = joined(", ", made_of)
                reason = _("{name}: {words}", name=together, words=action.reason) if action.reason else together
                yield joined("", (reason, "."))
        if self.is_set and action.clock_name:
            if action.has_lost_clock(self.table):
                yield _(
                    "Ticks {clock}, which is no longer on the table: the GM chooses where its ticks go.",
                    clock=action.clock_name,
                )
            elif not self.result:  # which says how many
                yield _("Ticks {clock}.", clock=action.clock_name)
        if self.before and (threats := threat_words(action, self.table)):
            yield threats
        if action.trade:
            trade = gettext_lazy("{name} offers a trade: {trade}.")
            if action.traded:
                trade = gettext_lazy("Traded: {trade}.")
            elif not action.by_player:
                trade = gettext_lazy("The GM offers a trade: {trade}.")
            yield worded(trade, name=self.name, trade=worded(TRADES[action.trade]))
        if action.bargain:
            yield _("Devil’s Bargain: {bargain} ({answer})", bargain=price_words(action), answer=self._bargain())

    def _made_of(self) -> Iterator[Words]:
        """Yield how the effect comes about, from what the GM has set; the first begins a sentence."""
        action = self.action
        factors = ((words, getattr(action, name)) for name, words in FACTORS_SAID)
        hinders = action.hinders(self.table, action.rollers[0], 1)
        parts: tuple[Words, ...] = (
            _("The GM set {terms}", terms=terms_words(action.position, action.base)),
            *(worded(words, change=signed(by)) for words, by in factors if by),
            *(token_words(one.gives, one.to, one.by) for one in action.tokens),
            _("special ability {change}", change=signed(action.ability)) if action.ability else "",
            _("traded {trade}", trade=worded(TRADES[action.trade])) if action.traded and action.trade else "",
            hurt_words(self.table.find(Scoundrel, action.actor), 1) if hinders else "",
        )
        return filter(None, parts)

    def _bargain(self) -> Words:
        by: Words = self.action.bargain_by or _("the GM")
        if self.action.bargained:
            return _("taken, from {name}", name=by)
        if self.action.rollers[0].push_die:
            return _("from {name}, for +1 die; not with a push for a die", name=by)
        return _("from {name}, for +1 die", name=by)

    def _ticks(self) -> Words:
        ticks, clock = self.action.ticks(self.table.settings), self.action.clock_name
        lost = self.action.has_lost_clock(self.table)
        return on_clock(ticks, clock) if ticks and self.is_set and clock and not lost else ""

    # Those who roll

    def _roll(self, one: Roller, buttons: Sequence[Button]) -> Row:
        name = self.action.called(self.table, one.id)
        return Row(
            whose=name,
            words=worded(FELL[one.came]) if one.result else self._pool(one),
            detail=worded(EFFECTS_SAID[self.action.built(self.table, one).effect]) if one.push_effect else "",
            marks=() if one.result else self._marks(one, ready=bool(one.ready)),
            odds=self._odds(one),
            buttons=buttons,
            about=name,
            acts_for=name,
        )

    def _marks(self, one: Roller, *, ready: bool = False) -> list[Mark]:
        stress, severe, less = self.action.terms_of(self.table, one).stress, self._hurt(one, 3), self._hurt(one, 1)
        marks = (
            (stress, Mark(_("{count} stress", count=stress))),
            (ready, Mark(_("ready"), "good")),
            (severe, Mark(_("{harm}: needs help or a push", harm=severe), "trouble")),
            (less, Mark(less, "trouble")),
        )
        return [mark for holds, mark in marks if holds]

    def _hurt(self, one: Roller, level: int) -> Words:
        """Return words for what hinders a roller at this level of harm; a cohort is weakened instead."""
        if not self.action.hinders(self.table, one, level):
            return ""
        return _("weakened −1 effect") if one.cohort else hurt_words(self.table.find(Scoundrel, one.id), level)

    def _is_plain(self, one: Roller) -> bool:
        return str(self._pool_words(one)) == str(self.action.pool(self.table, one).dice)

    def _pool(self, one: Roller) -> Words:
        """Return words such as "3 dice (2, push +1)"."""
        dice = ngettext("{count} die", "{count} dice", self.action.pool(self.table, one).dice)
        return dice if self._is_plain(one) else joined("", (dice, " (", self._pool_words(one), ")"))

    def _pool_words(self, one: Roller) -> Words:
        """Return words such as "2, push +1, help from Vesper +1, harm −1"."""
        action, rating = self.action, self.action.rating(self.table, one)
        added: dict[str, Words] = {
            "help": _("help from {name} +1", name=action.called(self.table, one.helper)),
            "push": _("push +1"),
            "bargain": _("bargain +1"),
            "gambit": _("gambit +1"),
            "more": extra_words(action.more, action.reason),
            "harm": self._minus_die(one),
            "disadvantages": _("impaired −1"),
        }
        trait: Words = _("quality {rating}", rating=rating) if one.cohort else str(rating)
        return joined(", ", [trait, *(added[code] for code, dice in action.dice(self.table, one).extras if dice)])

    def _minus_die(self, one: Roller) -> Words:
        who = self.table.find(Scoundrel, one.id)
        hurt = ", ".join(filter(None, who.harms(2))) if who else ""
        return _("harm −1 ({harm})", harm=hurt) if hurt else _("harm −1")

    def _odds(self, one: Roller) -> dict[str, Any] | None:
        return None if one.result else roll_odds(self.action, self.table, one)

    def _group_odds(self) -> dict[str, Any] | None:
        """Return the odds of the best single result, and the stress that the leader has to expect."""
        if not self.before:
            return None
        pools = [(self.action.pool(self.table, one), one.cohort) for one in self.action.rollers]
        own, cohorts = ([pool.dice for pool, cohort in pools if cohort is theirs] for theirs in (False, True))
        group = odds.group(own, cohorts)
        stress = decimal_said(mean(group.stress), 1)
        line = _("expected stress for {name}: {stress}", name=self.name, stress=stress)
        rolled = sum(pool.rolled for pool, _cohort in pools)
        return bar_said(result_parts(group.results), dice=rolled, lines=[line])

    # What follows

    def _consequence(self, one: Inflicted) -> Row:
        action, table, is_open = self.action, self.table, not one.became
        who = table.find(Scoundrel, one.whom)
        is_full = is_open and who is not None and who.in_play and who.room(table) <= 0
        overflows = is_open and one.severity < FATAL == action.row_of(table, one)
        marks = (
            (one.resisted, Mark(_("resisted"), "good")),
            (overflows, Mark(_("no row is free: fatal"), "trouble")),
            (is_full, Mark(_("trauma first"), "trouble")),
            (one.marked, Mark(joined(", ", (worded(BOXES[box]) for box in one.marked)))),
        )
        whom, first = action.called(table, one.whom), action.called(table, one.first) if one.first else ""
        became = became_words(action, table, one) or resists_by(one)
        hit = _("{name}, for {other}", name=whom, other=first) if first else whom
        gone = _("{clock} is no longer on the table: the GM chooses where its ticks go.", clock=one.clock_name)
        buttons = self._take(*ANSWERS, whom=one.id)
        resists = any(button.name == "resist" for button in buttons)
        added = joined(", ", filter(None, (_("push +1") if one.push else "", extra_words(one.more, one.why))))
        return Row(
            words=inflicted_words(one),
            detail=joined(" · ", filter(None, (from_words(action, table, one.source), hit, became, added))),
            odds=self._stress_odds(one) if resists else None,
            lines=[gone] if action.is_gone(table, one) and one.clock_name else (),
            marks=[mark for holds, mark in marks if holds],
            look="trouble" if is_open else "settled",
            buttons=buttons,
            about=inflicted_words(one),
            acts_for=whom,
        )

    def _stress_odds(self, one: Inflicted) -> dict[str, Any]:
        """Return the odds of the stress that resisting costs, and how much there is room for beside a push."""
        pool = self.action.resistance(self.table, one).pool(self.table.settings)
        left = max(0, self.table.get(Scoundrel, one.whom).room(self.table) - PUSH_COST * one.push)
        expected = _("expected stress {stress}", stress=decimal_said(mean(odds.resistance_stress(pool.dice)), 1))
        return stress_odds(pool, expected, _("{count} left before trauma", count=left))


def roll_odds(action: ActionState, table: Table, one: Roller) -> dict[str, Any]:
    """Return the odds of one's roll, for rolls/_odds.html."""
    pool = action.pool(table, one)
    return bar_said(result_parts(odds.results(pool.dice)), dice=pool.rolled, lines=[_lowest(pool)])


def _lowest(pool: Pool) -> Words:
    return worded(LOWEST) if pool.lowest else ""


def moved_said(clock: str) -> Words:
    lost = _("The ticks were lost: their clock is no longer on the table.")
    return _("The ticks went to {clock}.", clock=clock) if clock else lost


MOST_FOES: Final = 20


FARED: Final = {
    Fared.HURT: pgettext_lazy("an opponent", "Hurt"),
    Fared.OUT: pgettext_lazy("an opponent", "Out"),
    Fared.UNHURT: pgettext_lazy("an opponent", "Unhurt"),
}
FARED_SAID: Final = {
    Fared.HURT: gettext_lazy("{name} was hurt."),
    Fared.OUT: gettext_lazy("{name} is out of the fight."),
    Fared.UNHURT: gettext_lazy("{name} was unhurt."),
}


def opponents(action: ActionState, table: Table, *target: Any) -> list[Scoundrel]:
    """Return the NPCs that players know of, and that the action is not against yet."""
    return [
        one
        for one in table.all(Scoundrel)
        if one.in_play and not (one.is_played or one.hidden) and all(one.id != foe.id for foe in action.foes)
    ]


def added(foes: Sequence[Foe], those: Sequence[Scoundrel], typed: str) -> list[Foe]:
    """Return the same with these NPCs, and with the names that were typed, each once. Raises Refused for too many."""
    there = {one.name: int(one.id[1:]) for one in foes if one.name}
    names = dict.fromkeys(name for part in typed.split(",") if (name := part.strip()) and name not in there)
    new = (Foe(id=f"f{number}", name=name) for number, name in enumerate(names, max(there.values(), default=0) + 1))
    every = [*foes, *(Foe(id=who.id) for who in those), *new]
    if len(every) > MOST_FOES:
        raise Refused(_("An action can be against up to {count}. Name the others together.", count=MOST_FOES), "others")
    return every


def fared_words(action: ActionState, table: Table) -> Words:
    """Return what came of it for each, such as "Vesk: Hurt, Dog: Out"."""
    told = ((name, worded(FARED[Fared(one.fared)])) for one, name in known(action, table) if one.fared)
    return joined(", ", (_("{name}: {words}", name=name, words=words) for name, words in told))


def turns(action: ActionState, table: Table, buttons: Sequence[Button]) -> Iterator[Turn]:
    """Yield the faces of those of whom the reader knows, with what can be pressed for each."""
    for one in action.foes:
        if name := action.called(table, one.id):
            yield Turn(
                name=name,
                character="" if one.name else one.id,
                lines=[worded(FARED[Fared(one.fared)])] if one.fared else (),
                status="done" if one.fared == Fared.OUT else "",
                buttons=[button for button in buttons if button.whom == one.id],
            )


def as_set(action: ActionState, table: Table, *target: Any) -> Any:
    """Return the terms that the GM has set, with what is offered beside them."""
    return [action.stage, *action.terms(table), action.trade, action.by_player]


def as_bargained(action: ActionState, table: Table, *target: Any) -> Any:
    return [action.bargain, action.bargain_by, action.coin, action.item]


def as_it_hits(action: ActionState, table: Table, one: Inflicted, *more: Any) -> Any:
    return one


def grants(action: ActionState, table: Table) -> Sequence[Effect]:
    """Return the effects that the GM may grant on a 1-3, up to the effect it could have had (forged.txt, Judge the Result)."""
    if not naming(action, table) or action.withdrew or action.best.came is not Result.BAD:
        return ()
    most = max(EFFECTS.index(Effect(one.effect)) for one in action.rollers)
    return [effect for effect in EFFECTS[1 : most + 1] if effect is not action.granted]


def takeable(action: ActionState, table: Table, *, fatal: bool) -> list[Inflicted]:
    """Return the consequences that can be taken at once: fatal ones are confirmed separately, and those with an archived clock
    wait for the GM."""
    there = (one for one in action.pending if not action.is_gone(table, one))
    return [one for one in there if (action.row_of(table, one) == FATAL) is fatal]


def resistible(action: ActionState, table: Table) -> list[Inflicted]:
    there = (one for one in action.pending if not one.resisted and not one.price)
    return [one for one in there if any(who.in_play for who in found(table, [one.whom]))]


def armored(action: ActionState, table: Table) -> Iterator[tuple[Inflicted, str]]:
    """Return where armour may be marked; heavy armour is a second box of the first."""
    there = ((one, who) for one in action.pending for who in found(table, [one.whom]) if not one.price)
    return ((one, box) for one, who in there for box in who.free_armor)


def protectable(action: ActionState, table: Table) -> Iterator[tuple[Inflicted, Scoundrel]]:
    """Return who may step in for whom: once, and before the consequence is resisted (forged.txt, Protect)."""
    there = [one for one in action.pending if not (one.resisted or one.marked or one.price or one.first)]
    able = [who for who in people(table) if who.room(table) > 0]
    return ((one, who) for one in there for who in able if who.id != one.whom)


def clocks(action: ActionState, table: Table, *target: Any) -> list[Clock]:
    """Return the running clocks that players know of, as actions are told with their names."""
    return [clock for clock in table.all(Clock) if not clock.hidden]


def ticks(action: ActionState, table: Table, *target: Any) -> Iterator[tuple[str, Words]]:
    """Yield what may be ticked how often, as addresses name it."""
    each = product(clocks(action, table), range(1, MOST_SIZE + 1))
    return ((f"{clock.id}.{count}", on_clock(count, clock.name)) for clock, count in each)


def or_lost(action: ActionState, table: Table, *target: Any) -> Iterator[tuple[Clock | str, Words]]:
    """Yield where ticks can go whose clock is gone."""
    yield from ((clock, clock.name) for clock in clocks(action, table))
    yield "", _("no clock: they’re lost")


def setups(action: ActionState, table: Table) -> Iterator[tuple[str, Words]]:
    """Yield the set-ups for whoever follows, as they are now."""
    there = (one for one in table.all(Carried) if not one.over and one.stays)
    return ((one.id, capital(one.words)) for one in there if one.serves(action.actor))


def items(action: ActionState, table: Table) -> Iterator[tuple[str, Words]]:
    """Yield the things of who acts, as far as this reader knows them."""
    for who in found(table, [action.actor]):
        if who.shared or table.by.plays(who.id):
            yield from ((key, item.name) for key, item in who.items.items())


def codes(action: ActionState, table: Table) -> Iterator[tuple[str, Words]]:
    return ((code, worded(FOLLOWS[code])) for code in action.choices)


def hit(action: ActionState, table: Table) -> list[Scoundrel]:
    """Return the one who acts first, then all who rolled with them, then helpers (forged.txt, Assist)."""
    rolled = [one.id for one in action.rollers if not one.cohort]
    return found(table, [*rolled, *(one.helper for one in action.rollers if one.helper)])
