"""A staged action as the stage shows it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from languages.text import gettext_lazy
from rolls.odds import decimal
from rolls.stage import Mark, Row, Setting, Staged, dice_words
from rules.dice import mean
from rules.procedures import Button
from rulesets.forged import odds
from rulesets.forged.procedures import action_words as words
from rulesets.forged.rules.action import EFFECTS, POSITIONS, PUSH_COST, Direction, Effect, Position
from rulesets.forged.rules.action_follows import MORE_DICE, RESIST, TAKE_FATAL, row_of
from rulesets.forged.rules.action_state import GM, Action, ActionStage, Participant
from rulesets.forged.rules.consequence import FATAL, Inflicted
from rulesets.forged.table.action import stress_bar
from rulesets.forged.table.roll import results_bar
from rulesets.forged.table.words import (
    EFFECT_LABELS,
    EFFECTS_SAID,
    FELL,
    LOWEST,
    POSITION_LABELS,
    inflicted_words,
    on_clock,
)

BEFORE: Final = (ActionStage.ASKED, ActionStage.SET)
ROLL: Final = "roll"
ANSWERS: Final = ("take", TAKE_FATAL, RESIST, MORE_DICE, "armor", "protect")
"""The acts with which a consequence is met."""
STEPS: Final = (
    gettext_lazy("Goal"),
    gettext_lazy("Position"),
    gettext_lazy("Help & roll"),
    gettext_lazy("Consequences"),
)
USUAL: Final = (Effect.LIMITED, Effect.STANDARD, Effect.GREAT)


class Drawing:
    """A staged action with the offered buttons, each beside what it is about."""

    def __init__(self, state: Action, buttons: Sequence[Button]) -> None:
        self.state = state
        self.left = list(buttons)
        self.before = state.stage in BEFORE and not state.fallen
        self.is_set = state.is_set
        self.result = words.result_words(state) if is_judged(state) else ""

    def staged(self) -> Staged:
        state, single = self.state, not self.state.group
        first = state.participants[0]
        buttons = [
            [] if participant.result else self._take(("push", "assist", ROLL, "leave_out"), participant.character)
            for participant in state.participants
        ]
        answers = self._take(("accept", "refuse"), state.actor.character)
        consequences = list(map(self._consequence, state.inflicted))
        rolls = [] if single else list(map(self._roll, state.participants, buttons))
        beside = buttons[0] if single else []
        return Staged(
            title=_("{name}: {action}").format(name=state.actor.name, action=words.action_words(state)),
            faces=[participant.character for participant in state.participants if not participant.cohort],
            steps=STEPS,
            step=1 if not self.is_set else 2 if self.before else 3,
            settings=list(self._settings()) if self.is_set and self.before else (),
            said=f"{words.set_words(state)}." if self.is_set else "",
            marks=[] if self.result else list(self._marks(first)),
            notes=list(self._notes()),
            dice=[""] * state.pool(first).rolled if single and self.before and self.is_set else (),
            die=6,
            pool="" if self.result or not single or self._is_plain(first) else self._pool(first),
            outcome=self.result,
            outcome_words=self._ticks() if self.result else "",
            rows=[*rolls, *consequences],
            odds=self._group_odds() if state.group else self._odds(first) if self.before else None,
            offers=[*answers, *(button for button in beside if not button.primary)],
            acts=[
                *(button for button in self.left if not words.is_gms(state, button)),
                *(self._with_dice(button) for button in beside if button.primary),
            ],
            own=[button for button in self.left if words.is_gms(state, button)],
            acts_for=state.actor.name if single else _("the players"),
        )

    def _take(self, names: tuple[str, ...], whom: str) -> list[Button]:
        taken = [button for button in self.left if button.name in names and whom in button.target]
        self.left = [button for button in self.left if button not in taken]
        return taken

    def _with_dice(self, button: Button) -> Button:
        """Return a button that moves the action on; that of the roll names its number of dice."""
        if button.name != ROLL:
            return button
        rolled = self.state.pool(self.state.participants[0]).rolled
        return replace(button, words=ngettext("Roll {count} die", "Roll {count} dice", rolled).format(count=rolled))

    def _settings(self) -> Iterator[Setting]:
        state = self.state
        at, effect = state.in_position, state.built(state.participants[0]).level.effect
        positions = [(str(POSITION_LABELS[position]), position is at) for position in POSITIONS]
        yield Setting(label=_("Position"), options=positions, look="trouble" if at is Position.DESPERATE else "")
        levels = [level for level in EFFECTS if level in USUAL or level is effect]
        yield Setting(label=_("Effect"), options=[(str(EFFECT_LABELS[level]), level is effect) for level in levels])

    def _notes(self) -> Iterator[str]:
        state = self.state
        if not self.is_set:
            yield _("The GM hasn’t set position and effect yet.")
            if state.waiting:
                yield _("Waiting for this action: {tokens}.").format(
                    tokens="; ".join(map(words.token_words, state.waiting))
                )
        elif self.before:
            made_of = list(words.made_of(state))
            # What the GM set and nothing has changed is shown above.
            if state.why or len(made_of) > 1:
                together = ", ".join(made_of)
                yield f"{together}: {state.why}." if state.why else f"{together}."
        if self.is_set and state.clock_name:
            ticks = _("Ticks {clock}.")
            if state.clock_gone:
                ticks = _("Ticks {clock}, which is no longer on the table: the GM chooses where its ticks go.")
            yield ticks.format(clock=state.clock_name)
        if state.trade:
            trade = _("{name} offers a trade: {trade}.")
            if state.traded:
                trade = _("Traded: {trade}.")
            elif state.trade_by == GM:
                trade = _("The GM offers a trade: {trade}.")
            yield trade.format(name=state.actor.name, trade=words.TRADES[Direction(state.trade)])
        if state.bargain:
            price = words.price_words(state)
            yield _("Devil’s Bargain: {bargain} ({answer})").format(bargain=price, answer=self._bargain())

    def _bargain(self) -> str:
        by = self.state.bargain_by or _("the GM")
        if self.state.bargained:
            return _("taken, from {name}").format(name=by)
        if self.state.participants[0].push_die:
            return _("from {name}, for +1 die; not with a push for a die").format(name=by)
        return _("from {name}, for +1 die").format(name=by)

    def _ticks(self) -> str:
        ticks, clock = self.state.ticks, self.state.clock_name
        if not (ticks and self.is_set and clock and not self.state.clock_gone):
            return ""
        return on_clock(ticks, clock)

    # Those who roll

    def _roll(self, participant: Participant, buttons: Sequence[Button]) -> Row:
        state, name = self.state, self.state.called(participant.character)
        effect = str(EFFECTS_SAID[state.built(participant).level.effect]) if participant.push_effect else ""
        return Row(
            whose=name,
            words=str(FELL[participant.came]) if participant.result else self._pool(participant),
            detail=effect,
            marks=() if participant.result else list(self._marks(participant, ready=participant.ready)),
            odds=self._odds(participant),
            buttons=buttons,
            about=name,
            acts_for=name,
        )

    def _marks(self, participant: Participant, *, ready: bool = False) -> Iterator[Mark]:
        if participant.stress:
            yield Mark(_("{count} stress").format(count=participant.stress))
        if ready:
            yield Mark(_("ready"), "good")
        if severe := self._hurt(participant, 3):
            yield Mark(_("{harm}: needs help or a push").format(harm=severe), "trouble")
        if less := self._hurt(participant, 1):
            yield Mark(less, "trouble")

    def _hurt(self, participant: Participant, level: int) -> str:
        """Return words for what hinders a participant at this level of harm; a cohort is weakened instead."""
        if not self.state.hinders(participant, level):
            return ""
        if participant.cohort:
            return _("weakened −1 effect")
        return words.hurt_words(self.state, participant.character, level)

    def _is_plain(self, participant: Participant) -> bool:
        return words.pool_words(self.state, participant) == str(self.state.pool(participant).dice)

    def _pool(self, participant: Participant) -> str:
        """Return words such as "3 dice (2, push +1)"."""
        dice = dice_words(self.state.pool(participant).dice)
        return dice if self._is_plain(participant) else f"{dice} ({words.pool_words(self.state, participant)})"

    def _odds(self, participant: Participant) -> dict[str, Any] | None:
        if participant.result:
            return None
        pool = self.state.pool(participant)
        return results_bar(odds.results(pool.dice), pool.rolled, [str(LOWEST) if pool.lowest else ""])

    def _group_odds(self) -> dict[str, Any] | None:
        """Return the odds of the best single result, and the stress that the leader has to expect."""
        if not self.before:
            return None
        pools = {
            is_cohort: [self.state.pool(other) for other in self.state.participants if other.cohort is is_cohort]
            for is_cohort in (False, True)
        }
        group = odds.group(*([pool.dice for pool in pools[is_cohort]] for is_cohort in (False, True)))
        stress = mean(group.stress)
        rolled = sum(pool.rolled for both in pools.values() for pool in both)
        line = _("expected stress for {name}: {stress}").format(name=self.state.actor.name, stress=decimal(stress, 1))
        return results_bar(group.results, rolled, [line])

    # What follows

    def _consequence(self, consequence: Inflicted) -> Row:
        state, is_open = self.state, not consequence.became
        marks = [Mark(_("resisted"), "good")] if consequence.resisted else []
        overflows = is_open and consequence.severity < FATAL == row_of(state, consequence)
        marks += [Mark(_("no row is free: fatal"), "trouble")] if overflows else []
        marks += [Mark(_("trauma first"), "trouble")] if is_open and state.person(consequence.whom).full else []
        marks += [Mark(", ".join(str(words.BOXES[box]) for box in consequence.marked))] if consequence.marked else []
        whom, first = state.called(consequence.whom), state.called(consequence.first)
        became = words.became_words(state, consequence) or words.resists_by(consequence)
        hit = _("{name}, for {other}").format(name=whom, other=first) if first else whom
        gone = _("{clock} is no longer on the table: the GM chooses where its ticks go.").format(
            clock=consequence.clock_name
        )
        buttons = self._take(ANSWERS, consequence.key)
        resists = any(button.name == RESIST for button in buttons)
        return Row(
            words=inflicted_words(consequence),
            detail=" · ".join(filter(None, (hit, became, words.resisting_words(consequence)))),
            odds=self._stress_odds(consequence) if resists else None,
            lines=[gone] if consequence.clock_gone and is_open and consequence.clock_name else (),
            marks=marks,
            look="trouble" if is_open else "settled",
            buttons=buttons,
            about=inflicted_words(consequence),
            acts_for=whom,
        )

    def _stress_odds(self, consequence: Inflicted) -> dict[str, Any] | None:
        """Return the odds of the stress that resisting costs, and how much there is room for beside a push."""
        state = self.state
        pool, person = state.resisting_pool(consequence), state.person(consequence.whom)
        if pool is None:
            return None
        left = max(0, state.settings.boxes - person.stress - PUSH_COST * consequence.push)
        room = _("{count} left before trauma").format(count=left)
        return stress_bar(pool, [room, str(LOWEST) if pool.lowest else ""])


def is_judged(state: Action) -> bool:
    """Return whether all dice of the action have fallen."""
    return all(participant.result for participant in state.participants)
