"""The state of a staged action: its terms, those who roll, what came of it and what follows (forged.txt, Action Roll,
Teamwork)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Final

from pydantic import BaseModel

from campaigns import schema
from campaigns.schema import Code, Name
from characters.reasons import Reason
from languages.text import gettext_lazy, pgettext_lazy
from rules.acting import Procedure, digest
from rules.messages import Words, worded
from rules.messages import gettext as _
from rules.table import Clock, Refused, Table
from rulesets.forged.procedures.carried import Carried, Gives
from rulesets.forged.procedures.engagement import Opening
from rulesets.forged.rows import Cohort, Crew, Scoundrel, crews, people
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
from rulesets.forged.rules.blocks import full_words
from rulesets.forged.rules.body import check_payment, resist_pool
from rulesets.forged.rules.consequence import (
    EVERY,
    HARMS,
    SIZES,
    Fate,
    Inflicted,
    Kind,
    Resisting,
    harm_row,
)
from rulesets.forged.rules.roll import ORDER, Pool, Result, action_pool, fortune_pool, with_more
from rulesets.forged.settings import Settings

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


def runs(table: Table, id: str) -> Clock | None:
    """Return a clock that runs, of which players know."""
    clock = table.find(Clock, id) if id else None
    return clock if clock and not clock.hidden else None


LABEL: Final = pgettext_lazy("forged roll", "Action")


class ActionState(Procedure):
    """One card for everyone, from the goal of an action to its consequences. `rollers` begin with the one who acts, who leads a
    `group`.

    The GM's terms: `position`, `base` (the effect before the factors potency, quality and scale, -1 to 1 each), `reason`,
    `ability` (levels that special abilities add), `more` (dice that they add), `spared` (levels of harm that do not hinder
    this), a clock. `tokens` are those used with it. A `trade` counts once it is `traded`, a `bargain` once it is `bargained`,
    and may take `coin` and an `item` of the sheet. `resisting` is the consequence for which dice fall. Then: whether they
    `withdrew`, the effect that a 1-3 was `granted`, whether the GM has `finished` naming consequences, and what it has
    `ticked`.
    """

    label = LABEL
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

    @property
    def is_alone(self) -> bool:
        """Return whether a group action has only its leader so far."""
        return self.group and len(self.rollers) < 2

    def is_spent(self, table: Table) -> bool:
        """Return whether a set-up that the action relies on was used by another one."""
        there = {one.id for one in self.waiting(table)}
        return any(one.id not in there for one in self.tokens)

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

    # What its acts share

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

    def _without(self, table: Table, id: str) -> Mapping[str, Words]:
        self.rollers = [one for one in self.rollers if one.id != id]
        return {"whom": self.called(table, id)}

    def _end(self, stage: Stage) -> None:
        self.stage, self.over = stage, True

    def _named(self, table: Table) -> dict[str, Words]:
        return {"name": self.who(table).name}

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
