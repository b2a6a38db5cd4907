"""The state of a staged action: the terms before its dice fall, and the results (forged.txt, Action Roll, Teamwork)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from campaigns.schema import Code, Name, Text, Uid
from rules.acts import Actor
from rules.errors import NotPossible
from rulesets.forged.rules.action import (
    EFFECTS,
    POSITIONS,
    PUSH_COST,
    Built,
    Direction,
    Effect,
    Influences,
    Position,
    build,
    menu_of,
)
from rulesets.forged.rules.body import Attribute, resist_pool
from rulesets.forged.rules.consequence import Inflicted, Kind
from rulesets.forged.rules.roll import ORDER, Pool, Result, action_pool, fortune_pool, with_more
from rulesets.forged.settings import Settings

GM, PLAYER = "gm", "player"
WORSE: Final = "worse"
"""The effect of a token from a consequence: a position at least this bad."""
OPENED: Final = "opened"
"""The effect of the engagement on the first action of a score: its opening position."""
WITHDRAW, RISKY_OPPORTUNITY = "withdraw", "risky_opportunity"


class ActionStage(StrEnum):
    ASKED = "asked"
    """The player has said goal and action; the GM has yet to set position and effect."""
    SET = "set"
    CHOICE = "choice"
    """Controlled, and not a full success: the player decides whether to go through with it."""
    FOLLOWS = "follows"
    """The GM chooses the consequences, and those affected respond."""
    SET_UP = "set_up"
    """A set-up succeeded: its player chooses what it gives, and to whom."""
    DONE = "done"
    WITHDRAWN = "withdrawn"


class Benefit(StrEnum):
    """The benefit that a set-up gives to each who follows; who set it up chooses (forged.txt, Set up)."""

    EFFECT = "effect"
    POSITION = "position"


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A player character at the table, as its sheet is now; `out` of play, or with `full` stress, they do nothing.

    `harm` is the number of harms of level 1, 2 and 3, `hurts` their names at each, `armor` the unmarked boxes, `ratings`
    those of the attributes (those of 0.2.0 have none), `items` the ids of things on the sheet.
    """

    character: Uid
    name: Name
    out: bool = False
    full: bool = False
    stress: int = 0
    harm: tuple[int, ...] = (0, 0, 0)
    hurts: tuple[Name, ...] = ("", "", "")
    armor: tuple[Code, ...] = ()
    ratings: tuple[int, ...] = ()
    items: tuple[Code, ...] = ()

    @property
    def able(self) -> bool:
        return not self.out and not self.full

    @property
    def rows(self) -> dict[int, int]:
        """Return the harm as rules/consequence.py counts it."""
        return dict(enumerate(self.harm, start=1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Cohort:
    """A gang or an expert of the crew, which rolls its quality in a group action (forged.txt, Lead a group action). `key` is the
    id of its row. By its state it has less effect (weakened), a die less (impaired), or does nothing (broken; public rules)."""

    key: Uid
    name: Name
    quality: int = 0
    state: Code = "fine"

    @property
    def able(self) -> bool:
        return self.state != "broken"


@dataclass(frozen=True, slots=True, kw_only=True)
class Crew:
    """The crew's sheet; `gambits` count where the campaign plays with them."""

    character: Uid
    name: Name
    heat: int = 0
    wanted: int = 0
    gambits: int = 0
    cohorts: tuple[Cohort, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A set-up or score that waits for a character's next action: its effect or position; a `worse` position, to `to`
    at least; or the position `to` that a score `opened`, which tells the GM what to set. A set-up for whoever follows
    `stays` for the next of them.
    """

    id: Uid
    gives: Code
    to: Code = ""
    by: Name = ""
    stays: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Participant:
    """A participant who rolls: what they add, and then the result. `result` is "" before, else the name of a Result;
    with it come the position that it was rolled `at`, the `effect` that it could have, and its `ticks`. A `cohort` has
    its key here, and is ready when the others are.
    """

    character: Uid
    cohort: bool = False
    rating: int = 0
    push_die: bool = False
    push_effect: bool = False
    push_act: bool = False
    helper: Code = ""
    ready: bool = False
    result: Code = ""
    at: Code = ""
    effect: Code = ""
    ticks: int = 0

    @property
    def stress(self) -> int:
        """Return the stress that the pushes cost."""
        return PUSH_COST * (self.push_die + self.push_effect + self.push_act)

    @property
    def waits(self) -> bool:
        """Return whether the participant's player has yet to say that they are ready."""
        return not self.ready and not self.cohort

    @property
    def came(self) -> Result:
        return Result[self.result.upper()]


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """A staged action. `participants` begin with the acting character, who leads a `group`.

    The GM's terms: `position`, `base` (the effect before the factors potency, quality and scale, -1 to 1 each), `why`,
    `ability` (levels that special abilities add), `more` (dice that they add), `spared` (levels of harm that do not
    hinder this), a clock. `tokens` are those used with it, `waiting` all that wait for it. `trade` counts once it is
    `traded`, a `bargain` once it is `bargained`, and may take coin and an item of the sheet, by its id and its name; a
    `refused` one is told with its refusal. `resisting` is the consequence for which dice fall, `met` the one settled
    last. Then: whether they `withdrew`, the effect that a 1-3 was `granted`, whether the GM has `finished` naming
    consequences, and what it has `ticked`.
    """

    action: Code
    attribute: Code
    people: tuple[Person, ...]
    participants: tuple[Participant, ...]
    settings: Settings
    crew: Crew | None = None
    group: bool = False
    setup: bool = False
    stage: ActionStage = ActionStage.ASKED
    position: Code = Position.RISKY.value
    base: Code = Effect.STANDARD.value
    potency: int = 0
    quality: int = 0
    scale: int = 0
    why: Text = ""
    ability: int = 0
    more: int = 0
    spared: tuple[int, ...] = ()
    clock: Uid | None = None
    clock_name: Name = ""
    clock_gone: bool = False
    tokens: tuple[Token, ...] = ()
    waiting: tuple[Token, ...] = ()
    trade: Code = ""
    trade_by: Code = ""
    traded: bool = False
    bargain: Text = ""
    bargain_by: Name = ""
    bargain_coin: int = 0
    bargain_item: Code = ""
    bargain_thing: Name = ""
    bargained: bool = False
    refused: Text = ""
    gambit: bool = False
    withdrew: bool = False
    inflicted: tuple[Inflicted, ...] = ()
    resisting: Code = ""
    met: Code = ""
    granted: Code = ""
    finished: bool = False
    ticked: int = 0

    @property
    def actor(self) -> Person:
        return self.person(self.participants[0].character)

    def person(self, character: str) -> Person:
        return next(person for person in self.people if person.character == character)

    def cohort(self, key: str) -> Cohort | None:
        return next((cohort for cohort in self.crew.cohorts if cohort.key == key), None) if self.crew else None

    def called(self, character: str) -> str:
        """Return the name of a person or a cohort; "" if it is neither."""
        called = [(person.character, person.name) for person in self.people] + [
            (cohort.key, cohort.name) for cohort in (self.crew.cohorts if self.crew else ())
        ]
        return dict(called).get(character, "")

    def participant(self, character: str) -> Participant | None:
        return next((participant for participant in self.participants if participant.character == character), None)

    def inflicted_as(self, key: str) -> Inflicted | None:
        return next((consequence for consequence in self.inflicted if consequence.key == key), None)

    @property
    def open(self) -> list[Inflicted]:
        """Return the consequences that are not settled yet."""
        return [consequence for consequence in self.inflicted if not consequence.became]

    @property
    def owes(self) -> bool:
        """Return whether the GM has yet to name the price of a bargain: one that takes coin or an item is paid by itself."""
        return self.bargained and not (self.bargain_coin or self.bargain_item)

    @property
    def is_set(self) -> bool:
        """Return whether the GM has set position and effect."""
        return self.stage is not ActionStage.ASKED

    @property
    def fallen(self) -> bool:
        """Return whether any of its dice have fallen."""
        return any(participant.result for participant in self.participants)

    @property
    def with_factors(self) -> Effect:
        """Return the GM's effect, with potency, quality and scale; never below zero or above extreme."""
        at = EFFECTS.index(Effect(self.base)) + self.potency + self.quality + self.scale
        return EFFECTS[max(0, min(len(EFFECTS) - 1, at))]

    @property
    def before_trade(self) -> Position:
        """Return the GM's position changed by tokens: at least as bad as a worse one, then a step better."""
        at = POSITIONS.index(Position(self.position))
        for token in self.tokens:
            if token.gives == WORSE:
                at = max(at, POSITIONS.index(Position(token.to)))
        better = any(token.gives == Benefit.POSITION for token in self.tokens)
        return POSITIONS[max(0, at - better)]

    @property
    def in_position(self) -> Position:
        if not self.traded:
            return self.before_trade
        return POSITIONS[POSITIONS.index(self.before_trade) + (1 if self.trade == Direction.EFFECT else -1)]

    def usable(self, without: Sequence[str] = ()) -> tuple[Token, ...]:
        """Return the tokens that count: of those that wait, and that the GM does not leave out by their ids, one of each
        sort; of positions that got worse all, of which the worst counts.
        """
        tokens: dict[str, Token] = {}
        for token in self.waiting:
            if token.id in without:
                continue
            tokens.setdefault(token.id if token.gives == WORSE else token.gives, token)
        return tuple(tokens.values())

    def influences(self, participant: Participant, *, critical: bool = False, reduced: bool = False) -> Influences:
        return Influences(
            ability=self.ability,
            setup=any(token.gives == Benefit.EFFECT for token in self.tokens),
            push=participant.push_effect,
            trade=Direction(self.trade) if self.traded else None,
            level1_harm=self.hinders(participant, 1),
            critical=critical,
            reduced=reduced,
        )

    def hinders(self, participant: Participant, level: int) -> bool:
        """Return whether harm of this level hinders a participant and the GM has not spared them; for a cohort its state."""
        if participant.cohort:
            cohort = self.cohort(participant.character)
            return cohort is not None and cohort.state == {1: "weakened", 2: "impaired"}.get(level)
        return self.person(participant.character).harm[level - 1] > 0 and level not in self.spared

    def built(self, participant: Participant, *, critical: bool = False, reduced: bool = False) -> Built:
        """Return how far the effect goes. Raises a RuleError for a trade that cannot be."""
        return build(self.with_factors, self.influences(participant, critical=critical, reduced=reduced), self.settings)

    def pool(self, participant: Participant) -> Pool:
        """Return the dice of one who rolls; bargain and gambit go to the one whose action it is. A cohort rolls its quality."""
        if participant.cohort:
            return fortune_pool(trait=participant.rating, disadvantages=int(self.hinders(participant, 2)))
        own = participant is self.participants[0] or participant == self.participants[0]
        return action_pool(
            rating=participant.rating,
            assists=int(bool(participant.helper)),
            push=participant.push_die,
            bargain=own and self.bargained,
            gambit=own and self.gambit,
            level2_harm=self.hinders(participant, 2),
            more=self.more if own else 0,
            settings=self.settings,
        )

    def resisting_pool(self, consequence: Inflicted) -> Pool | None:
        """Return the dice with which a consequence is resisted; None in a state of 0.2.0, without the ratings."""
        ratings = dict(zip(Attribute, self.person(consequence.whom).ratings, strict=False))
        rating = ratings.get(Attribute(consequence.attribute))
        return None if rating is None else with_more(resist_pool(rating), consequence.more, push=consequence.push)

    # Once the dice have fallen

    @property
    def best(self) -> Participant:
        """Return the best single result, which counts for all who rolled."""
        return max(self.participants, key=lambda participant: (ORDER.index(participant.came), participant.ticks))

    @property
    def result(self) -> Result:
        return self.best.came

    @property
    def menu(self) -> tuple[str, ...]:
        """Return the consequences that the GM may choose from, by position and result; none after a withdrawal."""
        menu = () if self.withdrew else menu_of(Position(self.best.at), self.result)
        return tuple(code for code in menu if code not in (WITHDRAW, RISKY_OPPORTUNITY))

    @property
    def reduced(self) -> bool:
        return any(
            consequence.kind is Kind.REDUCED_EFFECT and consequence.became and consequence.severity
            for consequence in self.inflicted
        )

    @property
    def ticks(self) -> int:
        """Return the ticks on its clock; after a 1-3 those that the GM grants all the same."""
        if self.withdrew:
            return 0
        if self.result is Result.BAD:
            return max(0, EFFECTS.index(Effect(self.granted)) - self.reduced) if self.granted else 0
        ticks, extreme = self.best.ticks, len(EFFECTS) - 1
        less = self.settings.ticks_beyond_extreme if ticks > extreme else 1
        return max(0, ticks - less) if self.reduced else ticks


def refused(field: str, message: str) -> NotPossible:
    """Return the error for a step that cannot be taken now."""
    return NotPossible(field, None, allowed="what is shown", message=message)


def by_actor(state: Action, who: Actor, *target: Any) -> bool:
    """Let the player of the acting character take an act."""
    return who.plays(state.actor.character)


def own(state: Action, who: Actor, character: str, *more: Any) -> bool:
    """Let the player of the first character in its target take an act."""
    return who.plays(character)
