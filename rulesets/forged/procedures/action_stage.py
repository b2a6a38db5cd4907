"""A staged action as the stage shows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from campaigns.text import signed
from rolls.odds.shown import Part, bar
from rolls.rules.procedures import Button
from rolls.stage import Mark, Row, Setting, Staged, dice_words
from rulesets.forged import odds
from rulesets.forged.procedures import action_words as words
from rulesets.forged.rules.action import EFFECTS, POSITIONS, Direction, Effect, Position
from rulesets.forged.rules.action_follows import TAKE_FATAL, row_of
from rulesets.forged.rules.action_state import GM, Action, ActionStage, Participant
from rulesets.forged.rules.consequence import FATAL, Inflicted
from rulesets.forged.rules.roll import Result
from rulesets.forged.table.words import EFFECT_WORDS, HEADLINES, LOWEST, POSITION_WORDS, RESULT_FACES, RESULT_LOOKS

BEFORE: Final = (ActionStage.ASKED, ActionStage.SET)
ROLL: Final = "roll"
STEPS: Final = ("Goal", "Position", "Help & roll", "Consequences")
USUAL: Final = (Effect.LIMITED, Effect.STANDARD, Effect.GREAT)


class Drawing:
    """A staged action with the buttons that are offered, of which each stands beside what it is about."""

    def __init__(self, state: Action, buttons: Sequence[Button]) -> None:
        self.state = state
        self.left = list(buttons)
        self.before = state.stage in BEFORE and not state.fallen
        self.is_set = state.stage is not ActionStage.ASKED
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
            title=f"{state.actor.name}: {words.action_words(state)}",
            faces=[participant.character for participant in state.participants if not participant.cohort],
            steps=STEPS,
            step=1 if not self.is_set else 2 if self.before else 3,
            settings=list(self._settings()) if self.is_set and self.before else (),
            said=f"{words.terms_words(state)}: {', '.join(words.made_of(state))}." if self.is_set else "",
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
            acts_for=state.actor.name if single else "the players",
        )

    def _take(self, names: tuple[str, ...], whom: str) -> list[Button]:
        taken = [button for button in self.left if button.name in names and whom in button.target]
        self.left = [button for button in self.left if button not in taken]
        return taken

    def _with_dice(self, button: Button) -> Button:
        """Return a button that brings it on, that of the roll with how many dice."""
        rolled = dice_words(self.state.pool(self.state.participants[0]).rolled)
        return replace(button, words=f"{button.words} {rolled}") if button.name == ROLL else button

    def _settings(self) -> Iterator[Setting]:
        state = self.state
        at, effect = state.in_position, state.built(state.participants[0]).level.effect
        positions = [(POSITION_WORDS[position].capitalize(), position is at) for position in POSITIONS]
        yield Setting(label="Position", options=positions, look="trouble" if at is Position.DESPERATE else "")
        levels = [level for level in EFFECTS if level in USUAL or level is effect]
        yield Setting(label="Effect", options=[(EFFECT_WORDS[level].capitalize(), level is effect) for level in levels])

    def _notes(self) -> Iterator[str]:
        state = self.state
        if not self.is_set:
            yield "The GM has yet to set position and effect."
            if state.waiting:
                yield f"Waits for this: {'; '.join(map(words.token_words, state.waiting))}."
        elif self.before:
            made_of = ", ".join(words.made_of(state))
            yield f"{made_of[:1].upper()}{made_of[1:]}{f': {state.why}' if state.why else ''}."
        if self.is_set and state.clock_name:
            gone = ", which is no longer on the table: the GM says where its ticks go" if state.clock_gone else ""
            yield f"Ticks {state.clock_name}{gone}."
        if state.trade:
            by = "the GM" if state.trade_by == GM else state.actor.name
            offered = "Traded" if state.traded else f"{by} offers a trade"
            yield f"{offered}: {words.TRADES[Direction(state.trade)]}."
        if state.bargain:
            yield f"Devil’s Bargain: {state.bargain} ({self._bargain()})"

    def _bargain(self) -> str:
        by = self.state.bargain_by or "the GM"
        if self.state.bargained:
            return f"taken, of {by}"
        pushed = "; not beside a push for a die" if self.state.participants[0].push_die else ""
        return f"{by} offers it for +1 die{pushed}"

    def _ticks(self) -> str:
        ticks, clock = self.state.ticks, self.state.clock_name
        if not (ticks and self.is_set and clock and not self.state.clock_gone):
            return ""
        return f"{ticks} tick{'' if ticks == 1 else 's'} on {clock}"

    # Those who roll

    def _roll(self, participant: Participant, buttons: Sequence[Button]) -> Row:
        state, name = self.state, self.state.called(participant.character)
        effect = EFFECT_WORDS[state.built(participant).level.effect] if participant.push_effect else ""
        return Row(
            whose=name,
            words=HEADLINES[participant.came] if participant.result else self._pool(participant),
            detail=f"{effect} effect" if effect else "",
            marks=() if participant.result else list(self._marks(participant, ready=participant.ready)),
            odds=self._odds(participant),
            buttons=buttons,
            about=name,
            acts_for=name,
        )

    def _marks(self, participant: Participant, *, ready: bool = False) -> Iterator[Mark]:
        if participant.stress:
            yield Mark(f"{participant.stress} stress")
        if ready:
            yield Mark("ready", "good")
        if severe := self._hurt(participant, 3):
            yield Mark(f"{severe}: help or a push", "trouble")
        if less := self._hurt(participant, 1):
            yield Mark(less, "trouble")

    def _hurt(self, participant: Participant, level: int) -> str:
        """Return what hinders somebody at this level; a cohort is weakened instead."""
        if not self.state.hinders(participant, level):
            return ""
        if participant.cohort:
            return f"weakened {signed(-1)} effect"
        return words.hurt_words(self.state, participant.character, level)

    def _is_plain(self, participant: Participant) -> bool:
        """Return whether nothing but the rating makes up the pool."""
        return words.pool_words(self.state, participant) == str(self.state.pool(participant).dice)

    def _pool(self, participant: Participant) -> str:
        """Return words such as "3 dice (2, push +1)"."""
        dice = dice_words(self.state.pool(participant).dice)
        return dice if self._is_plain(participant) else f"{dice} ({words.pool_words(self.state, participant)})"

    def _odds(self, participant: Participant) -> dict[str, Any] | None:
        if participant.result:
            return None
        pool = self.state.pool(participant)
        return _bar(odds.results(pool.dice), pool.rolled, LOWEST if pool.lowest else "")

    def _group_odds(self) -> dict[str, Any] | None:
        """Return the odds of the best single result, and the stress that the leader has to expect."""
        if not self.before:
            return None
        pools = {
            is_cohort: [self.state.pool(other) for other in self.state.participants if other.cohort is is_cohort]
            for is_cohort in (False, True)
        }
        group = odds.group(*([pool.dice for pool in pools[is_cohort]] for is_cohort in (False, True)))
        stress = float(sum(stress * chance for stress, chance in group.stress.items()))
        rolled = sum(pool.rolled for both in pools.values() for pool in both)
        return _bar(group.results, rolled, f"{self.state.actor.name} may expect {stress:.1f} stress")

    # What follows

    def _consequence(self, consequence: Inflicted) -> Row:
        state, is_open = self.state, not consequence.became
        marks = [Mark("resisted", "good")] if consequence.resisted else []
        marks += [Mark("no row is free: fatal", "trouble")] if is_open and row_of(state, consequence) == FATAL else []
        marks += [Mark("the trauma comes first", "trouble")] if is_open and state.person(consequence.whom).full else []
        marks += [Mark(", ".join(words.BOXES[box] for box in consequence.marked))] if consequence.marked else []
        whom, first = state.called(consequence.whom), state.called(consequence.first)
        became = words.became_words(state, consequence) or words.resists_by(consequence)
        gone = f"{consequence.clock_name} is no longer on the table: the GM says where its ticks go."
        return Row(
            words=words.inflicted_words(consequence),
            detail=f"{whom}{f', for {first}' if first else ''} · {became}",
            lines=[gone] if consequence.clock_gone and is_open and consequence.clock_name else (),
            marks=marks,
            look="trouble" if is_open else "settled",
            buttons=self._take(("take", TAKE_FATAL, "resist", "armor", "protect"), consequence.key),
            about=words.inflicted_words(consequence),
            acts_for=whom,
        )


def is_judged(state: Action) -> bool:
    """Return whether all its dice have fallen."""
    return all(participant.result for participant in state.participants)


def _bar(chances: Mapping[Result, Fraction], dice: int, line: str) -> dict[str, Any]:
    parts = [Part(RESULT_LOOKS[result], RESULT_FACES[result], chance) for result, chance in chances.items()]
    return bar(parts, dice=dice, lines=[line])
