"""A staged action, from its goal to its consequences (forged.txt, Action Roll, Add Bonus Dice, Teamwork, Consequences to
Armor)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any, Final
from uuid import UUID

from pydantic import BaseModel

from campaigns import schema
from campaigns.schema import Code, Name
from characters.reasons import Reason
from languages.text import gettext_lazy, pgettext_lazy
from rolls.stage import Staged
from rules.acting import Between, OneOf, Procedure, Roll, Text, Unasked, Waits, act, anyone, digest, owner
from rules.acts import Actor
from rules.errors import whole
from rules.messages import Words, capital, joined, ngettext, worded
from rules.messages import gettext as _
from rules.procedures import ROLLED, Button
from rules.table import Clock, Refused, Table
from rulesets.forged.procedures import action_card as drawing
from rulesets.forged.procedures.action_card import TRADES, terms_said
from rulesets.forged.procedures.carried import Carried, Gives
from rulesets.forged.procedures.engagement import Opening
from rulesets.forged.rows import Cohort, Crew, Scoundrel, crews, people
from rulesets.forged.rules.action import (
    ASSIST_COST,
    COMPLICATION_HEAT,
    COMPLICATION_TICKS,
    EFFECTS,
    MOST_LEVELS,
    POSITIONS,
    PUSH_COST,
    Built,
    Direction,
    Effect,
    Influences,
    Position,
    build,
    menu_of,
    trade,
)
from rulesets.forged.rules.blocks import FULL_STRESS, SEVERE_HARM, full_words, severe_words
from rulesets.forged.rules.body import Attribute, check_payment, resist_pool
from rulesets.forged.rules.consequence import (
    EVERY,
    FATAL,
    FEWEST_SEGMENTS,
    HARMS,
    MOST_REDUCED,
    MOST_SEGMENTS,
    MOST_SIZE,
    POSITIONS_WON,
    SIZES,
    Fate,
    Inflicted,
    Kind,
    Resisting,
    harm_row,
)
from rulesets.forged.rules.roll import MOST_MORE, ORDER, Pool, Result, action_pool, check_more, fortune_pool, with_more
from rulesets.forged.settings import Settings
from rulesets.forged.sheet import ACTION_LABELS, COIN
from rulesets.forged.table.action import COHORT, DESPERATE
from rulesets.forged.table.ask import LONGEST_WORDS, ForgedInput, Push
from rulesets.forged.table.ask import Kind as RollKind
from rulesets.forged.table.words import (
    ATTRIBUTE_WORDS,
    EFFECT_LABELS,
    EFFECTS_SAID,
    FOLLOWS,
    POSITION_LABELS,
    RESISTED,
    inflicted_words,
    on_clock,
    terms_label,
)

ACTED: Final = Reason("forged_action", gettext_lazy("an action"))
LED: Final = Reason("forged_led", gettext_lazy("leading a group action"))
BARGAIN: Final = Reason("forged_bargain", gettext_lazy("a Devil’s Bargain"))
SUFFERED: Final = Reason("forged_consequence", gettext_lazy("a consequence"))
ARMOR: Final = Reason("forged_armor", gettext_lazy("armour"))
TAKEN, AVOIDED = "taken", "avoided"
PRICES: Final = (*SIZES, *HARMS)
"""The possible prices of a bargain in the rules' own terms, whatever the roll gives."""
OF_PLAYERS: Final = ("withdraw", "risky_opportunity")
"""What a player chooses of the menu of a controlled action, and no GM."""
LONGEST_NAME: Final = 80
FACTORS: Final = (
    (0, worded(pgettext_lazy("factor", "even"))),
    (1, _("for them: +1")),
    (-1, _("against them: −1")),
)
FATES: Final = ((Fate.DEAD, worded(pgettext_lazy("fate", "Die"))), (Fate.OUT, _("Survive, out of play")))
BECOMES: Final = {Resisting.REDUCES: _("is reduced"), Resisting.AVOIDS: _("is avoided")}
GIVES: Final = ((Gives.EFFECT, _("+1 effect")), (Gives.POSITION, _("a better position")))
PUSHES: Final = ("die", "effect", "act")
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


class Stage(StrEnum):
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


class Token(BaseModel):
    """What waited for this action, and is used with it: a Carried or an Opening by its id."""

    id: Code
    gives: Gives
    to: Position | None = None
    by: Name = ""
    stays: bool = False


class Roller(BaseModel):
    """One who rolls, a character or a cohort by its id: what they add, the digest of the terms that they were `ready` for, and
    then the result, with the position that it was rolled `at`, the `effect` that it could have, and its `ticks`."""

    id: Code
    cohort: bool = False
    push_die: bool = False
    push_effect: bool = False
    push_act: bool = False
    helper: Code = ""
    ready: Code = ""
    result: Code = ""
    at: Code = ""
    effect: Code = ""
    ticks: int = 0

    @property
    def stress(self) -> int:
        """Return the stress that the pushes cost."""
        return PUSH_COST * (self.push_die + self.push_effect + self.push_act)

    @property
    def came(self) -> Result:
        return Result[self.result.upper()]

    @property
    def part(self) -> str:
        """Return the name of the roll in the procedure, of 18 characters."""
        return f"roll.{self.id[:13]}"


# Who may take an act, and whom it is for


def by_actor(action: StagedAction, who: Actor, *target: Any) -> bool:
    return who.plays(action.actor)


def by_whom_it_hits(action: StagedAction, who: Actor, one: Inflicted, *more: Any) -> bool:
    return who.plays(one.whom)


def at(stage: Stage) -> Callable[[StagedAction, Table], bool]:
    return lambda action, table: action.stage is stage


def unrolled(action: StagedAction, table: Table) -> bool:
    return action.stage in (Stage.ASKED, Stage.SET) and not action.fallen


def is_set(action: StagedAction, table: Table) -> bool:
    return action.stage is Stage.SET and not action.fallen


def naming(action: StagedAction, table: Table) -> bool:
    return action.stage is Stage.FOLLOWS and not action.finished


def traded_about(action: StagedAction, table: Table) -> bool:
    return unrolled(action, table) and action.trade is not None and not action.traded


def bargained_about(action: StagedAction, table: Table) -> bool:
    return unrolled(action, table) and bool(action.bargain)


def own_bargain(action: StagedAction, table: Table) -> list[Scoundrel]:
    return [action.who(table)] if bargained_about(action, table) else []


def tradable(action: StagedAction, table: Table) -> Iterator[Direction]:
    yield from Direction if is_set(action, table) and action.trade is None else ()


def rolling(action: StagedAction, table: Table) -> list[Scoundrel]:
    """Return those whose players have yet to say that they are ready."""
    waited = (one.id for one in action.rollers if not one.ready and not one.cohort and not one.result)
    people = (table.find(Scoundrel, one) for one in waited if action.stage is Stage.SET)
    return [who for who in people if who and who.in_play]


def free(action: StagedAction, table: Table) -> list[Scoundrel]:
    """Return those who may still help, or join."""
    busy = {one.id for one in action.rollers} | {one.helper for one in action.rollers}
    there = people(table) if unrolled(action, table) else []
    return [who for who in there if who.id not in busy and who.room(table) > 0]


def pushes(action: StagedAction, table: Table) -> Iterator[tuple[Scoundrel, str]]:
    """Yield who may push for what; to act despite harm only where it would keep someone from it."""
    for one in action.rollers if unrolled(action, table) else ():
        if not one.cohort and (who := table.find(Scoundrel, one.id)):
            severe = one.push_act or action.hinders(table, one, 3)
            yield from ((who, push) for push in PUSHES if push != "act" or severe)


def helps(action: StagedAction, table: Table) -> Iterator[tuple[Scoundrel, Scoundrel]]:
    """Yield who may help whom: each roll has one helper, who does not roll in this action (forged.txt, Assist)."""
    alone = [one.id for one in action.rollers if not one.helper and not one.cohort]
    for helper in free(action, table):
        yield from ((helper, who) for one in alone if (who := table.find(Scoundrel, one)))


def helping(action: StagedAction, table: Table) -> list[Scoundrel]:
    there = (table.find(Scoundrel, one.helper) for one in action.rollers if one.helper and unrolled(action, table))
    return [who for who in there if who]


def others(action: StagedAction, table: Table) -> list[Scoundrel]:
    rolling = [one.id for one in action.rollers[1:] if not one.cohort] if unrolled(action, table) else []
    return [who for one in rolling if (who := table.find(Scoundrel, one))]


def cohorts_in(*, joined: bool) -> Callable[[StagedAction, Table], list[str]]:
    """Return the cohorts that roll with it, or that could, by the ids of their rows."""

    def those(action: StagedAction, table: Table) -> list[str]:
        there = {one.id for one in action.rollers}
        able = action.cohorts(table) if action.group and unrolled(action, table) else {}
        return [key for key, one in able.items() if (key in there) is joined and one.state != "broken"]

    return those


def by_others(action: StagedAction, who: Actor, *target: Any) -> bool:
    """Let a GM or another player take an act (forged.txt, The Devil’s Bargain)."""
    return who.is_gm or (bool(who.characters) and action.actor not in who.characters)


def grants(action: StagedAction, table: Table) -> Sequence[Effect]:
    """Return the effects that the GM may grant on a 1-3, up to the effect it could have had (forged.txt, Judge the Result)."""
    if not naming(action, table) or action.withdrew or action.best.came is not Result.BAD:
        return ()
    most = max(EFFECTS.index(Effect(one.effect)) for one in action.rollers)
    return [effect for effect in EFFECTS[1 : most + 1] if effect is not action.granted]


def has_gambit(action: StagedAction, table: Table) -> bool:
    there = action.gambit or any(crew.gambits for crew in crews(table))
    return unrolled(action, table) and table.settings.gambits and there


def takeable(*, fatal: bool) -> Callable[[StagedAction, Table], list[Inflicted]]:
    """Return the consequences that can be taken at once: fatal ones are confirmed separately, and those with an archived clock
    wait for the GM."""
    return lambda action, table: [
        one
        for one in action.pending
        if not action.is_gone(table, one) and (action.row_of(table, one) == FATAL) is fatal
    ]


def resistible(action: StagedAction, table: Table) -> Iterator[Inflicted]:
    for one in action.pending:
        who = table.find(Scoundrel, one.whom)
        if who and who.in_play and not one.resisted and not one.price:
            yield one


def armored(action: StagedAction, table: Table) -> Iterator[tuple[Inflicted, str]]:
    """Yield where armour may be marked; heavy armour is a second box of the first."""
    for one in action.pending:
        who = table.find(Scoundrel, one.whom)
        yield from ((one, box) for box in (who.free_armor if who and not one.price else ()))


def protectable(action: StagedAction, table: Table) -> Iterator[tuple[Inflicted, Scoundrel]]:
    """Yield who may step in for whom: once, and before the consequence is resisted (forged.txt, Protect)."""
    for one in action.pending:
        if not (one.resisted or one.marked or one.price or one.first):
            able = (who for who in people(table) if who.id != one.whom and who.room(table) > 0)
            yield from ((one, who) for who in able)


def runs(table: Table, id: str) -> Clock | None:
    """Return a clock that runs, of which players know."""
    clock = table.find(Clock, id) if id else None
    return clock if clock and not clock.hidden else None


def clockless(action: StagedAction, table: Table) -> list[Inflicted]:
    return [one for one in action.open_ones if action.is_gone(table, one)]


def followed(action: StagedAction, table: Table) -> bool:
    return action.stage is Stage.SET_UP and any(one.id != action.actor for one in people(table))


def as_it_hits(action: StagedAction, table: Table, one: Inflicted, *more: Any) -> Any:
    return one


def as_set(action: StagedAction, table: Table, *target: Any) -> Any:
    """Return the terms that the GM has set, with what is offered beside them."""
    return [action.stage, *action.terms(table), action.trade, action.by_player]


def as_rolled(action: StagedAction, table: Table, who: Scoundrel) -> Any:
    """Return all terms of one's own dice, with an offer that lapses with them."""
    return [action.agreed(table, action.roller(who.id)), action.trade, action.traded, action.bargain]


def as_bargained(action: StagedAction, table: Table, *target: Any) -> Any:
    return [action.bargain, action.bargain_by, action.coin, action.item]


# What forms ask for


def own(action: StagedAction, table: Table) -> list[Scoundrel]:
    return [who for who in people(table) if table.by.plays(who.id)]


def actions(action: StagedAction, table: Table) -> Iterator[tuple[str, Words]]:
    return ((code, worded(label)) for code, label in ACTION_LABELS.items())


def clocks(action: StagedAction, table: Table, *target: Any) -> list[Clock]:
    """Return the running clocks that players know of, as actions are told with their names."""
    return [clock for clock in table.all(Clock) if not clock.hidden]


def positions(action: StagedAction, table: Table) -> Iterator[tuple[Position, Words]]:
    return ((one, worded(POSITION_LABELS[one])) for one in POSITIONS)


def effects(action: StagedAction, table: Table) -> Iterator[tuple[Effect, Words]]:
    return ((one, worded(EFFECT_LABELS[one])) for one in EFFECTS)


def setups(action: StagedAction, table: Table) -> Iterator[tuple[str, Words]]:
    """Yield the set-ups for whoever follows, as they are now."""
    for one in table.all(Carried):
        if not one.over and one.stays and one.serves(action.actor):
            yield one.id, capital(one.words)


def items(action: StagedAction, table: Table) -> Iterator[tuple[str, Words]]:
    """Yield the things of who acts, as far as this reader knows them."""
    who = table.find(Scoundrel, action.actor)
    if who and (who.shared or table.by.plays(who.id)):
        yield from ((key, item.name) for key, item in who.items.items())


def codes(action: StagedAction, table: Table) -> Iterator[tuple[str, Words]]:
    return ((code, worded(FOLLOWS[code])) for code in action.choices)


def hit(action: StagedAction, table: Table) -> list[Scoundrel]:
    """Return the one who acts first, then all who rolled with them, then helpers (forged.txt, Assist)."""
    rolled = [one.id for one in action.rollers if not one.cohort]
    helpers = [one.helper for one in action.rollers if one.helper]
    return [who for one in (*rolled, *helpers) if (who := table.find(Scoundrel, one))]


Factor = Annotated[int, OneOf(lambda *_none: FACTORS)]
More = Annotated[int, Between(-MOST_MORE, MOST_MORE), gettext_lazy("Extra dice")]
Said = Annotated[str, Text(LONGEST_WORDS)]
OneClock = Annotated[Clock | None, OneOf(clocks)]
NewClock = Annotated[str, Text(LONGEST_NAME)]
Segments = Annotated[int, Between(FEWEST_SEGMENTS, MOST_SEGMENTS), gettext_lazy("Segments")]
Filled = Annotated[int, Between(0, MOST_SEGMENTS - 1), gettext_lazy("Filled segments")]
USUAL_SEGMENTS: Final = 4


class StagedAction(Procedure):
    """One card for everyone, from the goal of an action to its consequences. `rollers` begin with the one who acts, who leads a
    `group`.

    The GM's terms: `position`, `base` (the effect before the factors potency, quality and scale, -1 to 1 each), `reason`,
    `ability` (levels that special abilities add), `more` (dice that they add), `spared` (levels of harm that do not hinder
    this), a clock. `tokens` are those used with it. A `trade` counts once it is `traded`, a `bargain` once it is `bargained`,
    and may take `coin` and an `item` of the sheet. `resisting` is the consequence for which dice fall. Then: whether they
    `withdrew`, the effect that a 1-3 was `granted`, whether the GM has `finished` naming consequences, and what it has
    `ticked`.
    """

    label = pgettext_lazy("forged roll", "Action")
    why = SUFFERED
    on_card = {"inflict": "forged/_consequences.html"}

    actor: Code = ""
    action: Code = ""
    group: bool = False
    setup: bool = False
    stage: Stage = Stage.ASKED
    rollers: list[Roller] = []
    position: Position = Position.RISKY
    base: Effect = Effect.STANDARD
    potency: int = 0
    quality: int = 0
    scale: int = 0
    reason: schema.Text = ""
    ability: int = 0
    more: int = 0
    spared: list[int] = []
    clock: Code = ""
    clock_name: Name = ""
    tokens: list[Token] = []
    trade: Direction | None = None
    by_player: bool = False
    traded: bool = False
    bargain: schema.Text = ""
    bargain_by: Name = ""
    coin: int = 0
    item: Code = ""
    thing: Name = ""
    bargained: bool = False
    gambit: bool = False
    withdrew: bool = False
    consequences: list[Inflicted] = []
    resisting: Code = ""
    granted: Effect | None = None
    finished: bool = False
    ticked: int = 0

    # What there is

    def who(self, table: Table) -> Scoundrel:
        return table.get(Scoundrel, self.actor)

    def roller(self, id: str) -> Roller:
        return next(one for one in self.rollers if one.id == id)

    def cohorts(self, table: Table) -> Mapping[str, Cohort]:
        return next((crew.cohorts for crew in crews(table)), {})

    def called(self, table: Table, id: str) -> str:
        """Return the name of a character or a cohort; "" if it is neither."""
        who = table.find(Scoundrel, id) or self.cohorts(table).get(id)
        return who.name if who else ""

    def waiting(self, table: Table) -> list[Token]:
        """Return all that waits for this action."""
        carried = [one for one in table.all(Carried) if not one.over and one.serves(self.actor)]
        opened = [one for one in table.all(Opening) if not one.over]
        return [
            *(Token(id=one.id, gives=one.gives, to=one.to, by=one.by, stays=one.stays) for one in carried),
            *(Token(id=one.id, gives=Gives.OPENED, to=one.position) for one in opened),
        ]

    def usable(self, table: Table, without: Sequence[str] = ()) -> list[Token]:
        """Return the tokens that count: of those that wait, and that the GM does not leave out, one of each sort; of positions
        that got worse all, of which the worst counts."""
        tokens: dict[str, Token] = {}
        for token in self.waiting(table):
            if token.id not in without:
                tokens.setdefault(token.id if token.gives is Gives.WORSE else token.gives, token)
        return [*tokens.values()]

    @property
    def fallen(self) -> bool:
        """Return whether any of its dice have fallen."""
        return any(one.result for one in self.rollers)

    @property
    def is_judged(self) -> bool:
        return all(one.result for one in self.rollers)

    @property
    def with_factors(self) -> Effect:
        """Return the GM's effect, with potency, quality and scale; never below zero or above extreme."""
        at = EFFECTS.index(self.base) + self.potency + self.quality + self.scale
        return EFFECTS[max(0, min(len(EFFECTS) - 1, at))]

    @property
    def before_trade(self) -> Position:
        """Return the GM's position changed by tokens: at least as bad as a worse one, then a step better."""
        worst = [POSITIONS.index(one.to) for one in self.tokens if one.gives is Gives.WORSE and one.to]
        better = any(one.gives is Gives.POSITION for one in self.tokens)
        return POSITIONS[max(0, max(POSITIONS.index(self.position), *worst, 0) - better)]

    @property
    def in_position(self) -> Position:
        if not self.traded:
            return self.before_trade
        return POSITIONS[POSITIONS.index(self.before_trade) + (1 if self.trade is Direction.EFFECT else -1)]

    def opening(self, table: Table) -> Position:
        """Return the position that the GM starts from: the one already set, or that of the engagement."""
        opened = [one.position for one in table.all(Opening) if not one.over]
        return opened[0] if opened and self.stage is Stage.ASKED else self.position

    def hinders(self, table: Table, one: Roller, level: int) -> bool:
        """Return whether harm of this level hinders a roller and the GM has not spared them; for a cohort its state."""
        if one.cohort:
            cohort = self.cohorts(table).get(one.id)
            return cohort is not None and cohort.state == {1: "weakened", 2: "impaired"}.get(level)
        who = table.find(Scoundrel, one.id)
        return who is not None and bool(who.harms(level)) and level not in self.spared

    def built(self, table: Table, one: Roller, *, critical: bool = False) -> Built:
        """Return how far the effect goes. Raises a RuleError for a trade that cannot be."""
        influences = Influences(
            ability=self.ability,
            setup=any(token.gives is Gives.EFFECT for token in self.tokens),
            push=one.push_effect,
            trade=self.trade if self.traded else None,
            level1_harm=self.hinders(table, one, 1),
            critical=critical,
        )
        return build(self.with_factors, influences, table.settings)

    def rating(self, table: Table, one: Roller) -> int:
        if one.cohort:
            cohort = self.cohorts(table).get(one.id)
            return cohort.quality if cohort else 0
        who = table.find(Scoundrel, one.id)
        return who.dots(self.action) if who else 0

    def pool(self, table: Table, one: Roller) -> Pool:
        """Return the dice of one who rolls; bargain and gambit go to the one whose action it is. A cohort rolls its quality."""
        rating = self.rating(table, one)
        if one.cohort:
            return fortune_pool(trait=rating, disadvantages=int(self.hinders(table, one, 2)))
        own = one.id == self.actor
        return action_pool(
            rating=rating,
            assists=int(bool(one.helper)),
            push=one.push_die,
            bargain=own and self.bargained,
            gambit=own and self.gambit,
            level2_harm=self.hinders(table, one, 2),
            more=self.more if own else 0,
            settings=table.settings,
        )

    def resisting_pool(self, table: Table, one: Inflicted) -> Pool:
        """Return the dice with which a consequence is resisted."""
        rating = table.get(Scoundrel, one.whom).attribute(one.attribute)
        return with_more(resist_pool(rating), one.more, push=one.push)

    def terms(self, table: Table) -> list[Any]:
        """Return the terms that all who roll have in common."""
        said = (self.position, self.base, self.potency, self.quality, self.scale, self.ability, self.more, self.reason)
        traded = self.trade if self.traded else None
        return [*said, self.spared, self.clock, [one.id for one in self.tokens], traded]

    def agreed(self, table: Table, one: Roller) -> str:
        """Return a digest of what a roller is ready for: other terms need another word."""
        own = [self.bargained, self.gambit] if one.id == self.actor else []
        added = one.model_dump(exclude={"ready"})
        harmed = [level for level in (1, 2, 3) if self.hinders(table, one, level)]
        return digest([*self.terms(table), *own, added, self.rating(table, one), harmed])

    def settle(self, table: Table) -> None:
        """Let a word lapse with the terms that it was given for, and let go who has left play."""
        if self.fallen or self.over:
            return
        able = {who.id for who in people(table)} | {
            key for key, one in self.cohorts(table).items() if one.state != "broken"
        }
        self.rollers = [one for one in self.rollers if one.id == self.actor or one.id in able]
        for one in self.rollers:
            one.helper = one.helper if one.helper in able else ""
            if one.ready and one.ready != self.agreed(table, one):
                one.ready = ""

    def nobody_ready(self) -> None:
        for one in self.rollers:
            one.ready = ""

    def check(self, table: Table) -> None:
        """Raise a RuleError if what was traded would no longer be possible."""
        for one in self.rollers:
            self.built(table, one)

    def affords(self, table: Table, who: Scoundrel, stress: int) -> None:
        """Raise a RuleError where so much stress cannot be marked before the dice fall (forged.txt, Pushing Yourself)."""
        if stress and who.room(table) <= 0:
            raise Refused(full_words(who.name), "push")
        check_payment(who.stress, stress, table.settings)

    # Position and effect, the trade, and who is ready

    @act(label, by=anyone)
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
        return self._opened(table)

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
        return self._set_said(table)

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
        return self._proposed(table)

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

    @property
    def is_alone(self) -> bool:
        """Return whether a group action has only its leader so far."""
        return self.group and len(self.rollers) < 2

    def is_spent(self, table: Table) -> bool:
        """Return whether a set-up that the action relies on was used by another one."""
        there = {one.id for one in self.waiting(table)}
        return any(one.id not in there for one in self.tokens)

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

    # Once the dice have fallen

    @property
    def best(self) -> Roller:
        """Return the best single result, which counts for all who rolled."""
        return max(self.rollers, key=lambda one: (ORDER.index(one.came), one.ticks))

    @property
    def menu(self) -> list[str]:
        """Return the consequences that the GM may choose from, by position and result; none after a withdrawal."""
        menu = () if self.withdrew else menu_of(Position(self.best.at), self.best.came)
        return [code for code in menu if code not in OF_PLAYERS]

    @property
    def choices(self) -> list[str]:
        """Return the consequences that the GM may choose from now: those that position and result suggest, then all others; the
        prices of a bargain alone if nothing else follows (forged.txt, Consequences)."""
        menu = self.menu if self.is_judged else []
        every = EVERY if menu else PRICES if self.owes and self.is_judged else ()
        return [*dict.fromkeys((*menu, *every))]

    @property
    def owes(self) -> bool:
        """Return whether the GM has yet to name the price of a bargain: one that takes coin or an item is paid by itself."""
        return self.bargained and not (self.coin or self.item)

    def ticks(self, settings: Settings) -> int:
        """Return the ticks on its clock; after a 1-3 those that the GM grants all the same."""
        reduced = any(one.kind is Kind.REDUCED_EFFECT and one.became and one.severity for one in self.consequences)
        if self.withdrew:
            return 0
        if self.best.came is Result.BAD:
            return max(0, EFFECTS.index(self.granted) - reduced) if self.granted else 0
        ticks, extreme = self.best.ticks, len(EFFECTS) - 1
        less = settings.ticks_beyond_extreme if ticks > extreme else 1
        return max(0, ticks - less) if reduced else ticks

    @property
    def is_held(self) -> bool:
        """Return whether everything is settled but the action's own ticks, which wait if their clock was archived."""
        return self.stage is Stage.FOLLOWS and self.finished and not self.open_ones and not self.resisting

    def has_lost_clock(self, table: Table) -> bool:
        """Return whether the clock that it would tick is no longer on the table."""
        return bool(self.clock) and not self.ticked and runs(table, self.clock) is None

    def _advance(self, table: Table) -> None:
        """Tick the clock, and apply a set-up, once the GM has named all consequences and they are settled."""
        ticks = self.ticks(table.settings) if self.is_held else 0
        if not self.is_held or (self.has_lost_clock(table) and ticks):
            return
        if (clock := runs(table, self.clock)) and ticks:
            clock.filled += ticks
        self.ticked = ticks
        came_off = self.setup and not self.withdrew and self.best.came is not Result.BAD
        if came_off:
            self.stage = Stage.SET_UP
        else:
            self._end(Stage.DONE)

    @act(
        gettext_lazy("Go through with it"),
        says=gettext_lazy("{name} went through with it."),
        by=by_actor,
        when=at(Stage.CHOICE),
    )
    def press_on(self, table: Table) -> Mapping[str, Words]:
        """Go through with a controlled action: on a 4/5 it is done at a minor price; on a 1-3 there is a risky opportunity."""
        if self.best.came is Result.PARTIAL:
            self.stage = Stage.FOLLOWS
        else:
            self._worsen(table, self.actor, Position.RISKY)
            self._end(Stage.DONE)
        return self._named(table)

    @act(gettext_lazy("Withdraw"), says=gettext_lazy("{name} withdrew."), by=by_actor, when=at(Stage.CHOICE))
    def fall_back(self, table: Table) -> Mapping[str, Words]:
        """Withdraw: nothing is done and nothing lost, but the price of a bargain is paid."""
        self.withdrew = True
        if self.owes:
            self.stage = Stage.FOLLOWS
        else:
            self._end(Stage.DONE)
        return self._named(table)

    @act(lambda self, table, effect: worded(GRANT_BUTTONS[effect]), each=grants)
    def grant(self, table: Table, effect: Effect) -> Words:
        self.granted = effect
        return self._granted(table)

    @act(
        gettext_lazy("Choose what it gives"),
        says=gettext_lazy("{name} set up whoever follows."),
        by=by_actor,
        when=followed,
    )
    def set_up(
        self, table: Table, *, gives: Annotated[Gives, OneOf(lambda *_none: GIVES), gettext_lazy("Gives")]
    ) -> Mapping[str, Words]:
        """Choose what a set-up gives to whoever follows; several may (forged.txt, Set up)."""
        table.begin(Carried, who=self.actor, gives=gives, to=None, by=self.who(table).name)
        self._end(Stage.DONE)
        return self._named(table)

    @act(
        gettext_lazy("No one follows"),
        says=gettext_lazy("No one followed {name}’s set-up."),
        by=by_actor,
        when=at(Stage.SET_UP),
    )
    def nobody_follows(self, table: Table) -> Mapping[str, Words]:
        self._end(Stage.DONE)
        return self._named(table)

    # Consequences: the GM names them, and those whom they hit answer

    def consequence(self, id: str) -> Inflicted:
        return next(one for one in self.consequences if one.id == id)

    @property
    def open_ones(self) -> list[Inflicted]:
        """Return the consequences that are not settled yet."""
        return [one for one in self.consequences if not one.became]

    @property
    def pending(self) -> list[Inflicted]:
        """Return those that can be met now; none while dice are to fall."""
        return [] if self.resisting or self.stage is not Stage.FOLLOWS else self.open_ones

    def is_gone(self, table: Table, one: Inflicted) -> bool:
        """Return whether the clock that a consequence would tick is no longer on the table."""
        return bool(one.clock) and not one.became and runs(table, one.clock) is None

    def row_of(self, table: Table, one: Inflicted) -> int:
        """Return the row that would take a harm now, 4 for none; 0 for other consequences, and for whom this action has killed or
        taken out already."""
        ended = any(other.fate and other.whom == one.whom and other is not one for other in self.consequences)
        who = table.find(Scoundrel, one.whom)
        if one.kind is not Kind.HARM or not one.severity or ended or who is None:
            return 0
        return harm_row({level: len(who.harms(level)) for level in (1, 2, 3)}, one.severity)

    @act(
        gettext_lazy("Add a consequence"),
        when=lambda self, table: naming(self, table) and bool(self.choices),
    )
    def inflict(
        self,
        table: Table,
        *,
        code: Annotated[str, OneOf(codes), gettext_lazy("Consequence")],
        price: bool = False,
        words: Annotated[str, Text(LONGEST_NAME)] = "",
        heat: bool = False,
        size: Annotated[int, Between(0, MOST_SIZE), gettext_lazy("Ticks or heat")] = 0,
        clock: OneClock = None,
        new_clock: NewClock = "",
        segments: Segments = USUAL_SEGMENTS,
        filled: Filled = 0,
        attribute: Annotated[
            Attribute, OneOf(lambda *_none: ((one, worded(said)) for one, said in ATTRIBUTE_WORDS.items()))
        ] = Attribute.PROWESS,
        resisting: Annotated[Resisting, OneOf(lambda *_none: BECOMES.items())] = Resisting.REDUCES,
        by: Annotated[int, Between(1, 2), gettext_lazy("Reduction")] = 1,
        whom: Annotated[Scoundrel | None, OneOf(hit)] = None,
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
            words=words.strip(),
            price=is_price,
            heat=heat,
            attribute=attribute,
            resisting=resisting,
            by=by,
        )
        if one.kind is Kind.COMPLICATION:
            _threaten(one, clock, new_clock, segments, filled)
        if one.kind is Kind.HARM and not one.words:
            raise Refused(_("Say what the harm is."), "words")
        if one.kind is Kind.COMPLICATION and not one.words and not one.clock_name:
            raise Refused(_("Describe the complication, or choose a clock."), "words")
        whole("by", by, 1, MOST_REDUCED.get(one.kind, 1))
        self.consequences.append(one)
        said = self._faced(table, one)
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
        return self._finished()

    def answers(self, table: Table, one: Inflicted) -> Scoundrel:
        """Return whom a consequence hits. Raises BlockedByState where a full track keeps them from answering it."""
        who = table.get(Scoundrel, one.whom)
        if who.room(table) <= 0:
            table.forbid(FULL_STRESS, full_words(who.name))
        return who

    @act(pgettext_lazy("consequence", "Take it"), by=by_whom_it_hits, each=takeable(fatal=False), terms=as_it_hits)
    def take_it(self, table: Table, one: Inflicted) -> Words:
        who = self.answers(table, one)
        self._settle(table, one)
        return self._took(who.name, one, table)

    @act(
        gettext_lazy("Take it: fatal…"),
        by=by_whom_it_hits,
        each=takeable(fatal=True),
        terms=as_it_hits,
    )
    def take_fatal(
        self, table: Table, one: Inflicted, *, fate: Annotated[Fate, OneOf(lambda *_none: FATES), gettext_lazy("Fate")]
    ) -> Words:
        """Take a fatal harm: the character is dead or out of play, as its player chooses."""
        who = self.answers(table, one)
        one.fate = fate.value
        self._settle(table, one)
        return self._took(who.name, one, table)

    @act(
        lambda self, table, one: ngettext(
            "Resist with {attribute}: {count} die",
            "Resist with {attribute}: {count} dice",
            self.resisting_pool(table, one).rolled,
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
    def more_dice(self, table: Table, one: Inflicted, *, push: bool = False, more: More = 0, why: Said = "") -> None:
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
        return _("{whom} marked armour: {met}.", whom=who.name, met=self._met(one, table))

    @act(
        lambda self, table, one, who: _("{name} steps in", name=who.name),
        by=lambda self, actor, one, who: actor.plays(who.id),
        each=protectable,
        terms=as_it_hits,
    )
    def protect(self, table: Table, one: Inflicted, who: Scoundrel) -> Words:
        one.first, one.whom = one.whom, who.id
        one.push, one.more, one.why = False, 0, ""
        return _("{whom} stepped in: {met}.", whom=who.name, met=self._met(one, table))

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
        clock: OneClock = None,
        new_clock: NewClock = "",
        segments: Segments = USUAL_SEGMENTS,
        filled: Filled = 0,
    ) -> Words:
        """Move ticks whose clock was archived before they came to a clock that runs, to a new one, or nowhere."""
        if new_clock:
            _check_new(None, segments, filled)
            made = Clock(name=new_clock, segments=segments, filled=filled)
            table.add(made)
            clock = made
        self.clock, self.clock_name = (clock.id, clock.name) if clock else ("", "")
        self._advance(table)
        return moved_said(self.clock_name)

    @act(
        lambda self, table, one: _("Move the ticks of {clock}…", clock=one.clock_name),
        each=clockless,
    )
    def move_its_ticks(
        self,
        table: Table,
        one: Inflicted,
        *,
        clock: OneClock = None,
        new_clock: NewClock = "",
        segments: Segments = USUAL_SEGMENTS,
        filled: Filled = 0,
    ) -> Words:
        """Move the ticks of a consequence likewise."""
        before = one.clock_name
        _threaten(one, None if new_clock else clock, new_clock, segments, filled)
        one.words = one.words or ("" if one.clock_name else before)
        return moved_said(one.clock_name)

    def _resisted(self, table: Table, one: Inflicted) -> Words:
        """Reduce or avoid the consequence, whatever it cost; a trauma that follows comes at once."""
        self.resisting, one.resisted = "", True
        one.lessen(one.by)
        if not one.severity:
            self._settle(table, one)
        return ""

    def _settle(self, table: Table, one: Inflicted) -> None:
        """Apply what is left of a consequence where it belongs."""
        one.row, one.became = self.row_of(table, one), TAKEN if one.severity else AVOIDED
        if one.severity and (who := table.find(Scoundrel, one.whom)):
            self._apply(table, one, who)
        self._advance(table)

    def _apply(self, table: Table, one: Inflicted, who: Scoundrel) -> None:
        if one.kind is Kind.HARM and one.row == FATAL:
            who.in_play, who.dead = False, one.fate == Fate.DEAD
        elif one.kind is Kind.HARM and one.row:
            who.suffer(one.row, one.words)
        elif one.kind is Kind.COMPLICATION and one.clock_name:
            clock = runs(table, one.clock)
            if one.segments:
                clock = Clock(name=one.clock_name, segments=one.segments, filled=one.filled, kind="danger")
                table.add(clock)
                one.clock = clock.id
            if clock:
                clock.filled += one.severity
        elif one.kind is Kind.HEAT:
            for crew in crews(table):
                crew.mark_heat(one.severity)
        elif one.kind is Kind.WORSE_POSITION:
            self._worsen(table, one.whom, POSITIONS_WON[one.code])

    def _worsen(self, table: Table, who: str, to: Position) -> None:
        table.begin(Carried, who=who, gives=Gives.WORSE, to=to, by="")

    def _check_paid(self, table: Table, coin: int, item: str) -> None:
        """Raise Refused for coin, or an item, that is not on the sheet."""
        who = self.who(table)
        if who.coin < coin:
            raise Refused(_("{name} doesn’t have that much coin.", name=who.name), "coin")
        if item and item not in who.items:
            raise Refused(_("That item is no longer on the sheet."), "item")

    def _no_bargain(self) -> None:
        self.bargain = self.bargain_by = self.item = self.thing = ""
        self.coin, self.bargained = 0, False

    def _refused(self, table: Table) -> Mapping[str, Words]:
        said = self._named(table) | {"bargain": drawing.price_words(self)}
        self._no_bargain()
        return said

    def _without(self, table: Table, id: str) -> Mapping[str, Words]:
        self.rollers = [one for one in self.rollers if one.id != id]
        return {"whom": self.called(table, id)}

    def _end(self, stage: Stage) -> None:
        self.stage, self.over = stage, True

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

    def _named(self, table: Table) -> dict[str, Words]:
        return {"name": self.who(table).name}

    def _opened(self, table: Table) -> Words:
        words = (
            gettext_lazy("{name} announced a set-up: {action}.")
            if self.setup
            else gettext_lazy("{name} announced an action: {action}.")
        )
        return worded(words, name=self.who(table).name, action=drawing.action_words(self))

    def _set_said(self, table: Table) -> Words:
        terms, does = terms_said(self, table), drawing.action_words(self)
        return _("{name}, {action}: {terms}.", name=self.who(table).name, action=does, terms=terms)

    def _proposed(self, table: Table) -> Words:
        words = (
            gettext_lazy("{name} offered a trade: {trade}.")
            if self.by_player
            else gettext_lazy("{name} was offered a trade: {trade}.")
        )
        return worded(words, name=self.who(table).name, trade=worded(TRADES[self.trade]) if self.trade else "")

    def _granted(self, table: Table) -> Words:
        effect = worded(EFFECTS_SAID[self.granted]) if self.granted else ""
        return _("{name} still got {effect}.", name=self.who(table).name, effect=effect)

    def _faced(self, table: Table, one: Inflicted) -> Words:
        return _(
            "{name} faced a consequence. {consequence}.",
            name=self.called(table, one.whom),
            consequence=capital(inflicted_words(one)),
        )

    def _finished(self) -> Words:
        if not (self.ticked and self.clock_name):
            return _("All consequences were named.")
        return _("All consequences were named: {ticks}.", ticks=on_clock(self.ticked, self.clock_name))

    def _took(self, name: str, one: Inflicted, table: Table) -> Words:
        return _("{whom} took a consequence. {met}.", whom=name, met=capital(self._met(one, table)))

    def _met(self, one: Inflicted, table: Table) -> Words:
        """Return words for what became of a consequence."""
        return joined(", ", filter(None, (inflicted_words(one), drawing.became_words(self, table, one))))

    # Events of 0.2

    @classmethod
    def told_before(cls, state: Mapping[str, Any]) -> Table:
        told = cls(
            actor=state["participants"][0]["character"],
            rollers=[_roller_before(one) for one in state["participants"]],
            base=state["base"],
            reason=state["why"],
            clock=state["clock"] or "",
            tokens=[one | {"to": one["to"] or None} for one in state["tokens"]],
            trade=state["trade"] or None,
            by_player=state["trade_by"] == "player",
            coin=state.get("bargain_coin", 0),
            item=state.get("bargain_item", ""),
            thing=state.get("bargain_thing", ""),
            bargain=state["bargain"] or state.get("refused", ""),
            consequences=[_inflicted_before(one) for one in state["inflicted"]],
            resisting=state["met"] or state["resisting"],
            granted=state["granted"] or None,
            over=state["stage"] in (Stage.DONE, Stage.WITHDRAWN),
            **{name: state[name] for name in BEFORE if name in state},
        )
        crew = state.get("crew")
        gone = {state["clock"] if state.get("clock_gone") else None}
        gone |= {one["clock"] for one in state["inflicted"] if one.get("clock_gone")}
        named = {state["clock"]: state["clock_name"]} | {one["clock"]: one["clock_name"] for one in state["inflicted"]}
        rows = [
            told,
            *(_person_before(one, told.action, state["participants"]) for one in state["people"]),
            *(Clock(id=id, name=name, segments=12) for id, name in named.items() if id and id not in gone),
            *([_crew_before(crew)] if crew else []),
        ]
        return Table(rows, settings=Settings(**state["settings"]))

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
                return self._opened(table)
            case "usual" | "set":
                return self._set_said(table)
            case "propose":
                return self._proposed(table) if self.trade else ""
            case "agree":
                return _("{name} traded: now {terms}.", name=self.who(table).name, terms=terms_said(self, table))
            case "grant":
                return self._granted(table)
            case "finish":
                return self._finished()
            case "inflict" if last:
                return self._faced(table, last)
            case "move_ticks":
                return moved_said(met.clock_name if met else self.clock_name)
            case "take" | "take_fatal" if met:
                return self._took(self.called(table, met.whom), met, table)
            case "armor" if met:
                return _("{whom} marked armour: {met}.", whom=self.called(table, met.whom), met=self._met(met, table))
            case "protect" if met:
                return _("{whom} stepped in: {met}.", whom=self.called(table, met.whom), met=self._met(met, table))
        return ""


def _threaten(one: Inflicted, clock: Clock | None, new_clock: str, segments: int, filled: int) -> None:
    """Let a consequence tick a clock that runs, a new one, or none (forged.txt, Complication)."""
    if new_clock:
        _check_new(clock, segments, filled)
        one.clock, one.clock_name, one.segments, one.filled = "", new_clock, segments, filled
    else:
        one.clock, one.clock_name = (clock.id, clock.name) if clock else ("", "")
        one.segments = one.filled = 0


def _check_new(clock: Clock | None, segments: int, filled: int) -> None:
    """Raise Refused for a new clock beside another, or one that would start full."""
    if clock:
        raise Refused(_("Choose a clock or name a new one, not both."), "new_clock")
    if filled >= segments:
        raise Refused(_("The clock would start full. Leave at least one segment empty."), "filled")


def moved_said(clock: str) -> Words:
    if clock:
        return _("The ticks went to {clock}.", clock=clock)
    return _("The ticks were lost: their clock is no longer on the table.")


BEFORE: Final = (
    "action",
    "group",
    "setup",
    "stage",
    "position",
    "potency",
    "quality",
    "scale",
    "ability",
    "more",
    "spared",
    "clock_name",
    "traded",
    "bargain_by",
    "bargained",
    "gambit",
    "withdrew",
    "finished",
    "ticked",
)
"""The fields of events of 0.2 that are the same."""


def _roller_before(one: Mapping[str, Any]) -> Roller:
    kept = {name: value for name, value in one.items() if name in Roller.model_fields}
    return Roller(**kept | {"id": one["character"], "ready": "yes" if one["ready"] else ""})


def _inflicted_before(one: Mapping[str, Any]) -> Inflicted:
    kept = {name: value for name, value in one.items() if name in Inflicted.model_fields}
    return Inflicted(**kept | {"id": one["key"], "clock": one["clock"] or ""})


def _person_before(one: Mapping[str, Any], action: str, rolling: Sequence[Mapping[str, Any]]) -> Scoundrel:
    """Return somebody as such an event knew them: names of harm may be missing in those of 0.1."""
    rating = next((other["rating"] for other in rolling if other["character"] == one["character"]), 0)
    who = Scoundrel(id=one["character"], name=one["name"], in_play=not one["out"], stress=one.get("stress", 0))
    for level, (count, named) in enumerate(zip(one["harm"], one["hurts"], strict=True), 1):
        for place in range(count):
            who.suffer(level, named if not place else "")
    who.values = {action: rating}
    return who


def _crew_before(crew: Mapping[str, Any]) -> Crew:
    cohorts = {
        one["key"]: Cohort(name=one["name"], quality=one["quality"], state=one["state"]) for one in crew["cohorts"]
    }
    return Crew(id=crew["character"], name=crew["name"], gambits=crew["gambits"], cohorts=cohorts)
