"""A staged action as the stage shows it, and its words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from campaigns.text import signed
from languages.text import gettext_lazy, pgettext_lazy
from rolls.odds import bar_said
from rolls.stage import Mark, Row, Setting, Staged
from rules.acting import Waits
from rules.chances import decimal_said
from rules.dice import mean
from rules.messages import Message, Words, capital, joined, ngettext, worded
from rules.messages import gettext as _
from rules.procedures import ROLLED, Button
from rules.table import Table
from rulesets.forged import odds
from rulesets.forged.procedures.action_state import ActionState, Roller, runs
from rulesets.forged.procedures.against import fared_words, from_words, turns
from rulesets.forged.procedures.carried import Gives, token_words
from rulesets.forged.rows import Scoundrel
from rulesets.forged.rules.action import (
    EFFECTS,
    POSITIONS,
    PUSH_COST,
    Attribute,
    Direction,
    Effect,
    Position,
    resist_pool,
    verdict,
)
from rulesets.forged.rules.consequence import FATAL, Fate, Inflicted, Kind, Resisting
from rulesets.forged.rules.roll import Pool
from rulesets.forged.sheet import ACTION_LABELS
from rulesets.forged.table import result_parts, stress_parts
from rulesets.forged.words import (
    ATTRIBUTE_WORDS,
    EFFECT_LABELS,
    EFFECTS_SAID,
    FELL,
    HEADLINES,
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


def action_words(action: ActionState) -> Words:
    """Return words such as "Prowl", "Prowl as a group"."""
    words = worded(ACTION_LABELS[action.action])
    return _("{action} as a group", action=words) if action.group else words


def terms_said(action: ActionState, table: Table) -> Message:
    """Return words such as "desperate, great effect"."""
    return terms_words(action.rolled_in(table), action.built(table, action.rollers[0]).level.effect)


def price_words(action: ActionState) -> Words:
    """Return words such as "The guard wants more, 2 coin, Silver ring"."""
    coin = ngettext("{count} coin", "{count} coin", action.coin) if action.coin else ""
    return joined(", ", filter(None, (action.bargain, coin, action.thing)))


def result_words(action: ActionState, table: Table) -> Words:
    """Return words such as "Full success: done"; of a group those of its best roll, with whose it is."""
    best = action.best
    words = _("{name}: {words}", name=worded(HEADLINES[best.came]), words=verdict(Position(best.at), best.came))
    return _("Group: {result} ({name})", result=words, name=action.called(table, best.id)) if action.group else words


def became_words(action: ActionState, table: Table, one: Inflicted) -> Words:
    """Return words for what became of a consequence, as its card and the log have them; "" while it is open."""
    if not one.became:
        return ""
    if one.became == "avoided":
        return worded(pgettext_lazy("consequence", "avoided"))
    if one.kind is Kind.HARM and one.row:
        if one.row == FATAL:
            fate = FATED[Fate(one.fate)] if one.fate else pgettext_lazy("consequence", "fatal")
            return worded(fate, name=action.called(table, one.whom))
        return _("taken, in row {level}", level=one.row)
    return worded(pgettext_lazy("consequence", "taken"))


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


def dice_said(count: int) -> Message:
    return ngettext("{count} die", "{count} dice", count)


def hurt_words(who: Scoundrel | None, level: int) -> Words:
    """Return words such as "lesser harm −1 effect (Bruised)"; its other effects are shown in the pool, and on its chip."""
    words = _("{harm} −1 effect", harm=worded(HURT[level])) if level == 1 else worded(HURT[level])
    named = ", ".join(filter(None, who.harms(level))) if who else ""
    return joined("", (words, f" ({named})")) if named else words


def waits(action: ActionState, table: Table) -> Iterator[Waits]:
    """Yield who is waited for, and for what."""
    actor = action.actor
    match action.stage.value:
        case "asked":
            yield Waits("", _("to set position and effect"))
        case "set":
            yield from _before_the_dice(action, table)
        case "choice":
            yield Waits(actor, _("to go through with it or withdraw"))
        case "set_up":
            yield Waits(actor, _("to choose what the set-up gives"))
        case "follows":
            yield from _after_the_dice(action, table)


def _before_the_dice(action: ActionState, table: Table) -> Iterator[Waits]:
    who = table.find(Scoundrel, action.actor)
    if who is None or not who.in_play:
        yield Waits("", _("to cancel it: {name} is no longer in play", name=who.name if who else ""))
        return
    if not action.fallen and action.is_spent(table):
        yield Waits("", _("to set it again: a set-up is gone"))
        return
    if not action.fallen and action.is_alone:
        yield Waits(action.actor, _("to wait for someone to join, or to cancel"))
        return
    if action.trade and not action.traded:
        yield Waits("" if action.by_player else action.actor, _("to answer the trade"))
    if action.bargain and not action.bargained:
        yield Waits(action.actor, _("to answer the bargain"))
    for one in action.rollers:
        if not one.ready and not one.cohort:
            yield Waits(one.id, _to_roll(action, table, one))


def _to_roll(action: ActionState, table: Table, one: Roller) -> Words:
    who = table.find(Scoundrel, one.id)
    if who and who.room(table) <= 0:
        return _("to choose a trauma first")
    severe = action.hinders(table, one, 3) and not one.push_act and not one.helper
    return _("to push or find help, because of severe harm") if severe else _("to roll")


def _after_the_dice(action: ActionState, table: Table) -> Iterator[Waits]:
    if not action.finished:
        yield Waits("", _("to name the consequences"))
    if action.unsaid:
        yield Waits("", _("to say what came of it for each"))
    gone = [one.clock_name for one in action.open_ones if action.is_gone(table, one)]
    if action.is_held and action.clock:
        gone.append(action.clock_name)
    for name in dict.fromkeys(gone):
        yield Waits("", _("to move the ticks of {clock}", clock=name))
    for whom in dict.fromkeys(one.whom for one in action.open_ones):
        who = table.find(Scoundrel, whom)
        yield Waits(whom if who and who.in_play else "", _("to take or resist a consequence"))


def opened_said(action: ActionState, table: Table) -> Words:
    words = (
        gettext_lazy("{name} announced a set-up: {action}.")
        if action.setup
        else gettext_lazy("{name} announced an action: {action}.")
    )
    return worded(words, name=action.who(table).name, action=action_words(action))


def set_said(action: ActionState, table: Table) -> Words:
    terms, does = terms_said(action, table), action_words(action)
    return _("{name}, {action}: {terms}.", name=action.who(table).name, action=does, terms=terms)


def proposed_said(action: ActionState, table: Table) -> Words:
    words = (
        gettext_lazy("{name} offered a trade: {trade}.")
        if action.by_player
        else gettext_lazy("{name} was offered a trade: {trade}.")
    )
    return worded(words, name=action.who(table).name, trade=worded(TRADES[action.trade]) if action.trade else "")


def agreed_said(action: ActionState, table: Table) -> Words:
    return _("{name} traded: now {terms}.", name=action.who(table).name, terms=terms_said(action, table))


def granted_said(action: ActionState, table: Table) -> Words:
    effect = worded(EFFECTS_SAID[action.granted]) if action.granted else ""
    return _("{name} still got {effect}.", name=action.who(table).name, effect=effect)


def faced_said(action: ActionState, table: Table, one: Inflicted) -> Words:
    return _(
        "{name} faced a consequence. {consequence}.",
        name=action.called(table, one.whom),
        consequence=capital(joined(", ", filter(None, (inflicted_words(one), from_words(action, table, one.source))))),
    )


def finished_said(action: ActionState) -> Words:
    if not (action.ticked and action.clock_name):
        return _("All consequences were named.")
    return _("All consequences were named: {ticks}.", ticks=on_clock(action.ticked, action.clock_name))


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


def resist_odds(action: ActionState, table: Table, attribute: Attribute) -> dict[str, Any]:
    """Return the odds of the stress that this costs, for rolls/_odds.html."""
    pool = resist_pool(action.who(table).attribute(attribute))
    return bar_said(stress_parts(odds.resistance_stress(pool.dice)), dice=pool.rolled, lines=[_lowest(pool)])


def foretold(action: ActionState, table: Table) -> Words:
    """Return where clocks go if it goes wrong, and if it works, as a GM reads it; "" where none ticks."""
    wrong = [*_reached(action, table)]
    sentences: list[Words] = []
    if wrong:
        sentences.append(_("If it goes wrong, {clocks}.", clocks=joined(", ", wrong)))
    clock, ticks = runs(table, action.clock), action.built(table, action.rollers[0]).level.ticks
    if clock:
        sentences.append(_("If it works, {clocks}.", clocks=_goes(clock.name, clock.filled + ticks, clock.segments)))
    return joined(" ", sentences)


def _reached(action: ActionState, table: Table) -> Iterator[Words]:
    for one in action.threat.follows(action.rolled_in(table), action.actor):
        if clock := runs(table, one.clock):
            yield _goes(clock.name, clock.filled + one.severity, clock.segments)
        elif one.segments:
            yield _goes(one.clock_name, one.filled + one.severity, one.segments)


def _goes(name: str, filled: int, segments: int) -> Words:
    return _("{clock} goes to {filled} of {segments}", clock=name, filled=min(filled, segments), segments=segments)


class Drawing:
    """A staged action with the offered buttons, each beside what it is about."""

    def __init__(self, action: ActionState, table: Table, buttons: Sequence[Button]) -> None:
        self.action, self.table, self.left = action, table, list(buttons)
        self.is_set = action.stage.value != "asked"
        self.before = action.stage.value in ("asked", "set") and not action.fallen
        self.result = result_words(action, table) if action.is_judged else ""
        self.name = action.called(table, action.actor)

    def staged(self) -> Staged:
        action, single = self.action, not self.action.group
        first = action.rollers[0]
        buttons = [
            [] if one.result else self._take(("push", "assist", "roll", "leave", "leave_out"), one.id)
            for one in action.rollers
        ]
        answers = self._take(("accept", "refuse"), action.actor)
        offer = self._named("offer")
        against, someone = self._named("face"), self._named("face_others")
        # Until it is over, what came of it for each stands beside their faces.
        came = (self._ticks(), fared_words(action, self.table) if action.over else "") if self.result else ()
        tiles = [*turns(action, self.table, self._named("leave_alone") + self._named("fare"))]
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
            marks=[] if self.result else list(self._marks(first)),
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
        is_set, added = self._named("set"), self._named("inflict") if self.action.finished else []
        if added:
            return added, _("Add a consequence")
        return is_set, _("Change position and effect") if self.is_set else ""

    def _is_gms(self, button: Button) -> bool:
        """Return whether a button is for GMs as such. GMs also answer players' offers."""
        trades = button.name in ("agree", "decline") and self.action.by_player
        return button.name in GM_ACTS or trades

    def _take(self, names: tuple[str, ...], whom: str) -> list[Button]:
        taken = [button for button in self.left if button.name in names and whom in button.target]
        self.left = [button for button in self.left if button not in taken]
        return taken

    def _named(self, name: str) -> list[Button]:
        named = [button for button in self.left if button.name == name]
        self.left = [button for button in self.left if button.name != name]
        return named

    def _settings(self) -> Iterator[Setting]:
        at, effect = (
            self.action.rolled_in(self.table),
            self.action.built(self.table, self.action.rollers[0]).level.effect,
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
        yield _("The GM set {terms}", terms=terms_words(action.position, action.base))
        for name, words in FACTORS_SAID:
            if by := getattr(action, name):
                yield worded(words, change=signed(by))
        yield from (token_words(one.gives, one.to, one.by) for one in action.tokens)
        if action.ability:
            yield _("special ability {change}", change=signed(action.ability))
        if action.traded and action.trade:
            yield _("traded {trade}", trade=worded(TRADES[action.trade]))
        if action.hinders(self.table, action.rollers[0], 1):
            yield hurt_words(self.table.find(Scoundrel, action.actor), 1)

    def _bargain(self) -> Words:
        by: Words = self.action.bargain_by or _("the GM")
        if self.action.bargained:
            return _("taken, from {name}", name=by)
        if self.action.rollers[0].push_die:
            return _("from {name}, for +1 die; not with a push for a die", name=by)
        return _("from {name}, for +1 die", name=by)

    def _ticks(self) -> Words:
        ticks, clock = self.action.ticks(self.table.settings), self.action.clock_name
        if not (ticks and self.is_set and clock and not self.action.has_lost_clock(self.table)):
            return ""
        return on_clock(ticks, clock)

    # Those who roll

    def _roll(self, one: Roller, buttons: Sequence[Button]) -> Row:
        name = self.action.called(self.table, one.id)
        effect: Words = ""
        if one.push_effect:
            effect = worded(EFFECTS_SAID[self.action.built(self.table, one).level.effect])
        return Row(
            whose=name,
            words=worded(FELL[one.came]) if one.result else self._pool(one),
            detail=effect,
            marks=() if one.result else list(self._marks(one, ready=bool(one.ready))),
            odds=self._odds(one),
            buttons=buttons,
            about=name,
            acts_for=name,
        )

    def _marks(self, one: Roller, *, ready: bool = False) -> Iterator[Mark]:
        if stress := self.action.terms_of(self.table, one).stress:
            yield Mark(_("{count} stress", count=stress))
        if ready:
            yield Mark(_("ready"), "good")
        if severe := self._hurt(one, 3):
            yield Mark(_("{harm}: needs help or a push", harm=severe), "trouble")
        if less := self._hurt(one, 1):
            yield Mark(less, "trouble")

    def _hurt(self, one: Roller, level: int) -> Words:
        """Return words for what hinders a roller at this level of harm; a cohort is weakened instead."""
        if not self.action.hinders(self.table, one, level):
            return ""
        return _("weakened −1 effect") if one.cohort else hurt_words(self.table.find(Scoundrel, one.id), level)

    def _is_plain(self, one: Roller) -> bool:
        return str(self._pool_words(one)) == str(self.action.pool(self.table, one).dice)

    def _pool(self, one: Roller) -> Words:
        """Return words such as "3 dice (2, push +1)"."""
        dice = dice_said(self.action.pool(self.table, one).dice)
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
        pools = {
            is_cohort: [self.action.pool(self.table, one) for one in self.action.rollers if one.cohort is is_cohort]
            for is_cohort in (False, True)
        }
        group = odds.group(*([pool.dice for pool in pools[is_cohort]] for is_cohort in (False, True)))
        rolled = sum(pool.rolled for both in pools.values() for pool in both)
        stress = decimal_said(mean(group.stress), 1)
        line = _("expected stress for {name}: {stress}", name=self.name, stress=stress)
        return bar_said(result_parts(group.results), dice=rolled, lines=[line])

    # What follows

    def _consequence(self, one: Inflicted) -> Row:
        action, table, is_open = self.action, self.table, not one.became
        who = table.find(Scoundrel, one.whom)
        is_full = is_open and who is not None and who.in_play and who.room(table) <= 0
        marks = [Mark(_("resisted"), "good")] if one.resisted else []
        overflows = is_open and one.severity < FATAL == action.row_of(table, one)
        marks += [Mark(_("no row is free: fatal"), "trouble")] if overflows else []
        marks += [Mark(_("trauma first"), "trouble")] if is_full else []
        marks += [Mark(joined(", ", (worded(BOXES[box]) for box in one.marked)))] if one.marked else []
        whom, first = action.called(table, one.whom), action.called(table, one.first) if one.first else ""
        became = became_words(action, table, one) or resists_by(one)
        hit = _("{name}, for {other}", name=whom, other=first) if first else whom
        gone = _("{clock} is no longer on the table: the GM chooses where its ticks go.", clock=one.clock_name)
        buttons = self._take(ANSWERS, one.id)
        resists = any(button.name == "resist" for button in buttons)
        added = joined(", ", filter(None, (_("push +1") if one.push else "", extra_words(one.more, one.why))))
        return Row(
            words=inflicted_words(one),
            detail=joined(" · ", filter(None, (from_words(action, table, one.source), hit, became, added))),
            odds=self._stress_odds(one) if resists else None,
            lines=[gone] if action.is_gone(table, one) and one.clock_name else (),
            marks=marks,
            look="trouble" if is_open else "settled",
            buttons=buttons,
            about=inflicted_words(one),
            acts_for=whom,
        )

    def _stress_odds(self, one: Inflicted) -> dict[str, Any]:
        """Return the odds of the stress that resisting costs, and how much there is room for beside a push."""
        pool = self.action.resistance(self.table, one).pool(self.table.settings)
        left = max(0, self.table.get(Scoundrel, one.whom).room(self.table) - PUSH_COST * one.push)
        chances = odds.resistance_stress(pool.dice)
        expected = _("expected stress {stress}", stress=decimal_said(mean(chances), 1))
        lines = [expected, _("{count} left before trauma", count=left), _lowest(pool)]
        return bar_said(stress_parts(chances), dice=pool.rolled, lines=lines)


def roll_odds(action: ActionState, table: Table, one: Roller) -> dict[str, Any]:
    """Return the odds of one's roll, for rolls/_odds.html."""
    pool = action.pool(table, one)
    return bar_said(result_parts(odds.results(pool.dice)), dice=pool.rolled, lines=[_lowest(pool)])


def _lowest(pool: Pool) -> Words:
    return worded(LOWEST) if pool.lowest else ""


def moved_said(clock: str) -> Words:
    if clock:
        return _("The ticks went to {clock}.", clock=clock)
    return _("The ticks were lost: their clock is no longer on the table.")


def line_before(action: ActionState, table: Table, act: str, whom: str) -> Words:
    """Return the line of an act in an event of 0.2, which held a state in place of it."""
    name, last = action.called(table, action.actor), next(reversed(action.consequences), None)
    met = next((one for one in action.consequences if one.id == action.resisting), None)
    if act == ROLLED:
        judged = action.group and not action.consequences and action.is_judged
        return joined("", (result_words(action, table), ".")) if judged else ""
    match act:
        case "open":
            return opened_said(action, table)
        case "usual" | "set":
            return set_said(action, table)
        case "propose" if action.trade:
            return proposed_said(action, table)
        case "agree":
            return agreed_said(action, table)
        case "grant":
            return granted_said(action, table)
        case "finish":
            return finished_said(action)
        case "inflict" if last:
            return faced_said(action, table, last)
        case "move_ticks":
            return moved_said(met.clock_name if met else action.clock_name)
        case "take" | "take_fatal" | "armor" | "protect" if met:
            return answered_said(action, table, act.removesuffix("_fatal"), met)
    known = action.acts.get({"bargain": "offer", "refuse": "refuse" if whom else "rule_out"}.get(act, act))
    words = known.says if known else ""
    return worded(words, name=name, whom=whom, bargain=price_words(action)) if words else ""
