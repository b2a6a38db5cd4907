"""An attack from its declaration to the health levels that are marked. The text has none: the figures are those in common use.

Who attacks declares; who is attacked defends, or takes it. Both roll, and what the attack has more hits. Damage and soak are
rolled next, each at a press of whose it is, and what is left is marked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

from campaigns.schema import Code, Name, Uid
from characters.reasons import Reason
from characters.sheets.steps import Shift
from languages.text import gettext as _
from languages.text import gettext_lazy
from rules.acts import Actor, act, player_of
from rules.dice import LARGEST_POOL
from rules.effects import StepResult, Write
from rules.errors import NotPossible, whole, word
from rules.procedures import Act, Answer, Parties, ProcedureRules, RollPart
from rulesets.storyteller.rules.contested import LONGEST_NAME, Rolled, Side, rolled
from rulesets.storyteller.rules.damage import (
    MOST_DAMAGE_DICE,
    Body,
    Harm,
    Health,
    damage_dice,
    hurt,
    levels,
    soak_dice,
)
from rulesets.storyteller.settings import DEFAULTS, Settings

ATTACKER, TARGET = "attacker", "target"
SET, DEFEND, TAKE, ROLL, DAMAGE, SOAK, WITHDRAW = "set", "defend", "take", "roll", "damage", "soak", "withdraw"
ATTACK, GUARD = "attack", "guard"
"""Parts of it that are rolled, beside DAMAGE and SOAK."""
WHY: Final = Reason("attack", gettext_lazy("an attack"))


class Defence(StrEnum):
    NONE = "none"
    DODGE = "dodge"
    BLOCK = "block"
    PARRY = "parry"


class AttackStage(StrEnum):
    DECLARED = "declared"
    ROLLING = "rolling"
    """Attack or defence is to be rolled (again)."""
    HIT = "hit"
    SOAKING = "soaking"
    MISSED = "missed"
    DONE = "done"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Holds what sheets say of both now: the dice of the attack and of the defence, those that strength adds to damage, what the
    target soaks with and has marked."""

    attack: int = 0
    guard: int = 0
    strength: int = 0
    body: Body = field(default_factory=Body)
    health: Health | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """An attack. `attack` is the attacking side. `target` is a character or a name; `open_a`, `open_b` say whether
    everyone may know the figures of either. `dice` (0 to 30) of damage, plus those of Strength with `strength`;
    `decisions` are the settings when it began.

    `due` are the parts to be rolled now. Once all is settled, `taken` levels are marked, and `beyond` did not fit on
    the track.
    """

    attack: Side
    target: Name
    character: Uid | None = None
    dice: int = 0
    strength: bool = False
    harm: Harm = Harm.BASHING
    willpower: bool = False
    open_a: bool = True
    open_b: bool = True
    decisions: Settings = DEFAULTS
    figures: Figures | None = None
    defence: Defence | None = None
    guard: Side | None = None
    guard_willpower: bool = False
    due: tuple[Code, ...] = ()
    attacked: Rolled | None = None
    guarded: Rolled | None = None
    damaged: Rolled | None = None
    soaked: Rolled | None = None
    taken: int | None = None
    beyond: int = 0
    withdrawn: bool = False

    def __post_init__(self) -> None:
        word("harm", self.harm, Harm)
        whole("dice", self.dice, 0, MOST_DAMAGE_DICE)
        if not isinstance(self.target, str) or not 1 <= len(self.target) <= LONGEST_NAME:
            message = _("Name the target, in up to {count} characters.").format(count=LONGEST_NAME)
            raise NotPossible("name", self.target, allowed=f"1 to {LONGEST_NAME} letters", message=message)
        if self.character and self.character == self.attack.character:
            message = _("{name} can’t attack themselves.").format(name=self.target)
            raise NotPossible("target", self.target, allowed="somebody else", message=message)

    @property
    def over(self) -> int:
        """Return by how many successes it hits; 0 or less is a miss."""
        return (self.attacked.successes if self.attacked else 0) - (self.guarded.successes if self.guarded else 0)

    @property
    def missing(self) -> tuple[str, ...]:
        """Return which of attack and defence are not rolled yet."""
        attack = () if self.attacked else (ATTACK,)
        return (*attack, *((GUARD,) if self.guard and not self.guarded else ()))

    @property
    def stage(self) -> AttackStage:
        if self.withdrawn:
            return AttackStage.WITHDRAWN
        if self.defence is None:
            return AttackStage.DECLARED
        if self.missing:
            return AttackStage.ROLLING
        if self.over < 1:
            return AttackStage.MISSED
        if self.damaged is None:
            return AttackStage.HIT
        return AttackStage.SOAKING if self.taken is None else AttackStage.DONE

    @property
    def known(self) -> Figures:
        return self.figures or Figures()

    @property
    def blow(self) -> int:
        """Return the dice of damage before successes add to them."""
        return self.dice + (self.known.strength if self.strength else 0)

    @property
    def soak(self) -> int:
        return soak_dice(self.known.body, self.harm, self.decisions)


def _rolling(state: Attack) -> Attack:
    return replace(state, due=state.missing)


def rolls(state: Attack, part: str) -> tuple[Side, bool]:
    """Return the side that rolls a part, and whether a Willpower point is spent on it."""
    if part == ATTACK:
        return state.attack, state.willpower
    if part == GUARD and state.guard:
        return state.guard, state.guard_willpower
    if part == DAMAGE:
        dice = damage_dice(state.blow, state.over, state.decisions)
        return replace(
            state.attack, traits=(), dice=dice, difficulty=state.decisions.damage_difficulty, kind=DAMAGE
        ), False
    soaks = Side(
        name=state.target,
        character=state.character,
        dice=min(state.soak, LARGEST_POOL),
        difficulty=state.decisions.soak_difficulty,
        kind=SOAK,
    )
    return soaks, False


def _settled(state: Attack) -> StepResult[Attack]:
    """Mark the damage left after soak."""
    damage = state.damaged.successes if state.damaged else 0
    soaked = state.soaked.successes if state.soaked else 0
    taken = levels(damage, soaked, state.harm, state.decisions, mortal=state.known.body.mortal)
    health = state.known.health
    if health is None or state.character is None:
        return StepResult(replace(state, taken=taken))
    after, beyond = hurt(health, state.harm, taken, state.decisions)
    # What becomes less goes first: a sheet never holds more levels than there are.
    by = {harm.value: getattr(after, harm.value) - getattr(health, harm.value) for harm in Harm}
    steps = tuple(Shift(name, change) for name, change in sorted(by.items(), key=lambda pair: pair[1]) if change)
    effects = (Write(character=state.character, steps=steps, why=WHY),) if steps else ()
    return StepResult(replace(state, taken=taken, beyond=beyond), effects)


def _answered(state: Attack) -> list[str]:
    return [TARGET] if state.stage is AttackStage.DECLARED else []


def _as_seen(state: Attack, who: str) -> tuple[Any, ...]:
    return state.dice, state.strength, state.harm, state.attack.difficulty


def _at(stage: AttackStage, who: str) -> Callable[[Attack], list[str]]:
    return lambda state: [who] if state.stage is stage else []


_owner = player_of(lambda state, who: state.character if who == TARGET else state.attack.character)


def _rolls_again(state: Attack, who: Actor, side: str) -> bool:
    """Return whether the actor may repeat the roll: the attacker's player, else the target's."""
    return _owner(state, who, side) and (side == ATTACKER or not who.plays(state.attack.character))


class AttackRules(ProcedureRules[Attack]):
    """Owners act for their own, a GM for all, and sets the terms before it is answered."""

    state = Attack

    @act(TAKE, by=_owner, each=_answered, terms=_as_seen)
    def take_it(self, state: Attack, step: Act, who: str) -> Attack:
        return _rolling(replace(state, defence=Defence.NONE))

    @act(by=_owner, each=_answered, terms=_as_seen, asks=True)
    def defend(self, state: Attack, step: Act, who: str) -> Attack:
        return _rolling(replace(state, **step.values))

    @act(SET, when=lambda state: state.stage is AttackStage.DECLARED, asks=True)
    def set_terms(self, state: Attack, step: Act) -> Attack:
        return replace(state, **step.values)

    @act(by=_owner, each=_at(AttackStage.DECLARED, ATTACKER))
    def withdraw(self, state: Attack, step: Act, who: str) -> Attack:
        return replace(state, withdrawn=True)

    @act(by=_rolls_again, each=lambda state: [ATTACKER, TARGET] if state.stage is AttackStage.ROLLING else [])
    def roll(self, state: Attack, step: Act, who: str) -> Attack:
        """Repeat the voided rolls."""
        return _rolling(state)

    @act(by=_owner, each=_at(AttackStage.HIT, ATTACKER))
    def damage(self, state: Attack, step: Act, who: str) -> Attack:
        return replace(state, due=(DAMAGE,))

    @act(by=_owner, each=_at(AttackStage.SOAKING, TARGET))
    def soak(self, state: Attack, step: Act, who: str) -> Attack | StepResult[Attack]:
        return replace(state, due=(SOAK,)) if state.soak else _settled(state)

    def on_roll(self, state: Attack, answer: Answer) -> Attack | StepResult[Attack]:
        """Record the result of a roll. One that is not waited for changes nothing."""
        if answer.part.name not in state.due:
            return state
        gave, due = rolled(answer), tuple(part for part in state.due if part != answer.part.name)
        if answer.part.name == ATTACK:
            return replace(state, attacked=gave, due=due)
        if answer.part.name == GUARD:
            return replace(state, guarded=gave, due=due)
        if answer.part.name == SOAK:
            return _settled(replace(state, soaked=gave, due=due))
        state = replace(state, damaged=gave, due=due)
        return state if gave.successes and state.soak else _settled(state)

    def on_void(self, state: Attack, part: RollPart) -> Attack:
        """Wait until a voided roll is rolled again."""
        return replace(state, due=())

    def waiting(self, state: Attack) -> Sequence[tuple[str, str]]:
        return {
            AttackStage.DECLARED: [(TARGET, _("to defend or take the hit"))],
            AttackStage.ROLLING: [(ATTACKER, _("to roll"))],
            AttackStage.HIT: [(ATTACKER, _("to roll damage"))],
            AttackStage.SOAKING: [(TARGET, _("to soak"))],
        }.get(state.stage, [])

    def is_over(self, state: Attack) -> bool:
        return state.stage in (AttackStage.MISSED, AttackStage.DONE, AttackStage.WITHDRAWN)

    def shown(self, state: Attack) -> Attack:
        """Players know no figures of NPCs, nor what found no place on their health."""
        if state.figures is None or (state.open_a and state.open_b):
            return state
        figures = state.figures
        if not state.open_a:
            figures = replace(figures, attack=0, strength=0)
        if not state.open_b:
            figures = replace(figures, guard=0, body=Body(), health=None)
        return replace(state, figures=figures, beyond=state.beyond if state.open_b else 0)

    def parties(self, state: Attack) -> Parties:
        return {
            ATTACKER: (state.attack.name, state.attack.character),
            TARGET: (state.target, state.character),
        }
