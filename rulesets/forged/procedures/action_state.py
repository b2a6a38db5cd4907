"""The state of a staged action: its terms, those who roll, what came of it and what follows; and what there is to choose at each
of its stages (forged.txt, Action Roll, Add Bonus Dice, Teamwork, Consequences to Armor)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final
from uuid import UUID

from pydantic import BaseModel

from campaigns import schema
from campaigns.schema import Code, Name
from characters.reasons import Reason
from languages.text import gettext_lazy, pgettext_lazy
from rules.acting import Procedure, Roll, digest
from rules.acts import Actor
from rules.messages import Words, capital, joined, worded
from rules.messages import gettext as _
from rules.table import Clock, Refused, Table
from rulesets.forged.procedures.score import Carried, Gives, Opening
from rulesets.forged.rows import Cohort, Crew, Scoundrel, crews, found, people
from rulesets.forged.rules import ORDER, Pool, Result, Settings
from rulesets.forged.rules.action import (
    EFFECTS,
    EVERY,
    FATAL,
    HARMS,
    POSITIONS,
    POSITIONS_WON,
    SIZES,
    Built,
    Direction,
    Effect,
    Fate,
    Foe,
    Inflicted,
    Kind,
    Position,
    Roller,
    Stage,
    Threat,
    attribute_of,
    check_payment,
    full_words,
    harm_row,
    menu_of,
    verdict,
)
from rulesets.forged.sheet import ACTION_LABELS, xp_of
from rulesets.forged.table import DESPERATE
from rulesets.forged.terms import COHORT, ActionTerms, ForgedTerms, FortuneTerms, ResistanceTerms
from rulesets.forged.words import HEADLINES, RESISTED, inflicted_words

SUFFERED: Final = Reason("forged_consequence", gettext_lazy("a consequence"))
TAKEN, AVOIDED = "taken", "avoided"
ACTED: Final = Reason("forged_action", gettext_lazy("an action"))
LED: Final = Reason("forged_led", gettext_lazy("leading a group action"))
BARGAIN: Final = Reason("forged_bargain", gettext_lazy("a Devil’s Bargain"))
PRICES: Final = (*SIZES, *HARMS)
"""The possible prices of a bargain in the rules' own terms, whatever the roll gives."""
OF_PLAYERS: Final = ("withdraw", "risky_opportunity")
"""What a player chooses of the menu of a controlled action, and no GM."""
PUSHES: Final = ("die", "effect", "act")
USUAL_SEGMENTS: Final = 4


class Token(BaseModel):
    """What waited for this action, and is used with it: a Carried or an Opening by its id."""

    id: Code
    gives: Gives
    to: Position | None = None
    by: Name = ""
    stays: bool = False


def runs(table: Table, id: str) -> Clock | None:
    """Return a clock that runs, of which players know."""
    clock = table.find(Clock, id) if id else None
    return clock if clock and not clock.hidden else None


class ActionState(Procedure):
    """One card for everyone, from the goal of an action to its consequences. `rollers` begin with the one who acts, who leads a
    `group`.

    The GM's terms: `position`, `base` (the effect before the factors potency, quality and scale, -1 to 1 each), `reason`,
    `ability` (levels that special abilities add), `more` (dice that they add), `spared` (levels of harm that do not hinder
    this), a clock, and the `threat`, which follows if it goes wrong. `tokens` are those used with it. A `trade` counts once it
    is `traded`, a `bargain` once it is `bargained`, and may take `coin` and an `item` of the sheet. `resisting` is the
    consequence for which dice fall; `foes` are those whom it is against. Then: whether they `withdrew`, the effect that a 1-3
    was `granted`, whether the GM has `finished` naming consequences, and what it has `ticked`.
    """

    label = pgettext_lazy("forged roll", "Action")
    why = SUFFERED

    actor: Code = ""
    action: Code = ""
    group: bool = False
    setup: bool = False
    stage: Stage = Stage.ASKED
    rollers: list[Roller] = []
    foes: list[Foe] = []
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
    threat: Threat = Threat()
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
        """Return the name of a character, a cohort, or one whom it is against; "" for nobody who is known here."""
        who = (
            table.find(Scoundrel, id)
            or self.cohorts(table).get(id)
            or next((one for one in self.foes if one.id == id), None)
        )
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
    def before_trade(self) -> Position:
        """Return the GM's position changed by tokens: at least as bad as a worse one, then a step better."""
        worst = [POSITIONS.index(one.to) for one in self.tokens if one.gives is Gives.WORSE and one.to]
        better = any(one.gives is Gives.POSITION for one in self.tokens)
        return POSITIONS[max(0, max(POSITIONS.index(self.position), *worst, 0) - better)]

    def opening(self, table: Table) -> Position:
        """Return the position that the GM starts from: the one already set, or that of the engagement."""
        opened = [one.position for one in table.all(Opening) if not one.over]
        return opened[0] if opened and self.stage is Stage.ASKED else self.position

    def is_hurt(self, table: Table, one: Roller, level: int) -> bool:
        """Return whether a roller has harm of this level; of a cohort its state says so."""
        if cohort := self.cohorts(table).get(one.id):
            return cohort.state == {1: "weakened", 2: "impaired"}.get(level)
        return any(who.harms(level) for who in found(table, [one.id]))

    @property
    def is_outnumbered(self) -> bool:
        """Return whether it is against several, and no group acts: then a scale one step lower is proposed to the GM."""
        return self.stage is Stage.ASKED and not self.group and len(self.foes) > 1

    def hinders(self, table: Table, one: Roller, level: int) -> bool:
        """Return whether harm of this level hinders a roller, and the GM has not spared them."""
        return self.is_hurt(table, one, level) and (one.cohort or level not in self.spared)

    def rating(self, table: Table, one: Roller) -> int:
        cohort, who = self.cohorts(table).get(one.id), table.find(Scoundrel, one.id)
        return cohort.quality if cohort else who.dots(self.action) if who else 0

    def terms_of(self, table: Table, one: Roller) -> ActionTerms:
        """Return the terms of one's roll, of which position and effect count for a cohort as well. Bargain, gambit and extra dice
        go to the one whose action it is."""
        own = one.id == self.actor
        effect = EFFECTS.index(self.base) + self.potency + self.quality + self.scale
        return ActionTerms(
            action=self.action,
            attribute=attribute_of(self.action),
            rating=self.rating(table, one),
            position=self.before_trade,
            effect=EFFECTS[max(0, min(len(EFFECTS) - 1, effect))],
            trade=self.trade if self.traded else None,
            push_die=one.push_die,
            push_effect=one.push_effect,
            incapacitated=one.push_act,
            helper=one.helper or None,
            bargain=self.bargain if own and self.bargained else "",
            gambit=own and self.gambit,
            setup=any(token.gives is Gives.EFFECT for token in self.tokens),
            ability=self.ability,
            more=self.more if own else 0,
            more_from=self.reason if own and self.more else "",
            group=self.group,
            harm1=self.hinders(table, one, 1),
            harm2=self.hinders(table, one, 2),
            harm_left_out=2 in self.spared and self.is_hurt(table, one, 2),
        )

    def dice(self, table: Table, one: Roller) -> ForgedTerms:
        """Return the terms of the dice that fall for one; a cohort rolls its quality instead."""
        terms = self.terms_of(table, one)
        if not one.cohort:
            return terms
        keeps = {"name": self.called(table, one.id)}
        return FortuneTerms(trait=terms.rating or 0, disadvantages=int(terms.harm2), settles=COHORT, keeps=keeps)

    def resistance(self, table: Table, one: Inflicted) -> ResistanceTerms:
        """Return the terms with which a consequence is resisted."""
        return ResistanceTerms(
            attribute=one.attribute,
            rating=table.get(Scoundrel, one.whom).attribute(one.attribute),
            resisting=one.resisting,
            push_die=one.push,
            more=one.more,
            more_from=one.why,
            resisted={name: getattr(one, name) for name in RESISTED},
        )

    def built(self, table: Table, one: Roller, *, critical: bool = False) -> Built:
        """Return how far the effect goes. Raises a RuleError for a trade that cannot be."""
        return self.terms_of(table, one).built(table.settings, critical=critical)

    def rolled_in(self, table: Table) -> Position:
        """Return the position after tokens and trade. Raises a RuleError likewise."""
        return self.terms_of(table, self.rollers[0]).rolled_in(table.settings)

    def pool(self, table: Table, one: Roller) -> Pool:
        return self.dice(table, one).pool(table.settings)

    def terms(self, table: Table) -> list[Any]:
        """Return the terms that all who roll have in common."""
        said = (self.position, self.base, self.potency, self.quality, self.scale, self.ability, self.more, self.reason)
        threat = [] if self.threat == Threat() else [self.threat]
        tokens, traded = [one.id for one in self.tokens], self.trade if self.traded else None
        return [*said, self.spared, self.clock, tokens, traded, *threat]

    def agreed(self, table: Table, one: Roller) -> str:
        """Return a digest of what a roller is ready for: other terms need another word."""
        own = [self.bargained, self.gambit] if one.id == self.actor else []
        added = one.model_dump(exclude={"ready"})
        harmed = [level for level in (1, 2, 3) if self.hinders(table, one, level)]
        return digest([*self.terms(table), *own, added, self.rating(table, one), harmed])

    def settle(self, table: Table) -> None:
        """Let a word lapse with the terms that it was given for, and let go who has left play."""
        self.over = self.stage in (Stage.DONE, Stage.WITHDRAWN)
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
    def struck(self) -> list[Foe]:
        """Return those for whom something came of it: nobody where nothing was done, or no more than a set-up."""
        followed = self.stage is Stage.FOLLOWS and not (self.setup or self.withdrew)
        return self.foes if followed and (self.granted or self.best.came is not Result.BAD) else []

    @property
    def unsaid(self) -> list[Foe]:
        """Return those of them of whom the GM has not said what."""
        return [one for one in self.struck if not one.fared]

    @property
    def is_held(self) -> bool:
        """Return whether everything is settled but the action's own ticks, which wait if their clock was archived."""
        return self.stage is Stage.FOLLOWS and self.finished and not (self.open_ones or self.resisting or self.unsaid)

    def has_lost_clock(self, table: Table) -> bool:
        """Return whether the clock that it would tick is no longer on the table."""
        return bool(self.clock) and not self.ticked and runs(table, self.clock) is None

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

    def _advance(self, table: Table) -> None:
        """Tick the clock, and apply a set-up, once the GM has named all consequences and they are settled."""
        ticks = self.ticks(table.settings) if self.is_held else 0
        if not self.is_held or (self.has_lost_clock(table) and ticks):
            return
        if (clock := runs(table, self.clock)) and ticks:
            clock.filled += ticks
        self.ticked = ticks
        came_off = self.setup and not self.withdrew and self.best.came is not Result.BAD
        self.stage = Stage.SET_UP if came_off else Stage.DONE

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
        elif one.kind is Kind.LOST_ITEM:
            who.items.pop(one.item, None)
        elif one.kind is Kind.WORSE_POSITION:
            table.begin(Carried, who=one.whom, gives=Gives.WORSE, to=POSITIONS_WON[one.code], by="")

    def party(self, table: Table, key: str) -> tuple[str, str | None]:
        one = next((one for one in self.consequences if one.id == key), None)
        who = table.find(Scoundrel, one.whom if one else key)
        return (who.name, who.id) if who else (self.called(table, key), None)

    def so_far(self, act: str, table: Table, *target: Any) -> Mapping[str, Any]:
        if act == "more_dice":
            return {name: getattr(target[0], name) for name in ("push", "more", "why")}
        alone = self.foes[0].id if len(self.foes) == 1 else ""
        if act != "set":
            return {"source": alone} if act == "inflict" else {}
        threat = self.threat
        said_otherwise = {
            "ticking": [f"{one.clock}.{one.ticks}" for one in threat.ticking],
            "source": threat.source or alone,
            "segments": threat.segments or USUAL_SEGMENTS,
            "position": self.opening(table),
            "scale": -1 if self.is_outnumbered else self.scale,
            "why": self.reason,
        }
        return {**super().so_far(act, table), **dict(threat), **said_otherwise}

    # The dice

    def next_roll(self, table: Table) -> Roll | None:
        """Return the resistance that a player has decided on, or, once all are ready, the dice of one after the other."""
        if self.resisting:
            met = self.consequence(self.resisting)
            return self._roll(f"resist.{met.id}", self.resistance(table, met), met.whom)
        if self.stage is not Stage.SET or not all(one.ready or one.cohort or one.result for one in self.rollers):
            return None
        one = next((one for one in self.rollers if not one.result), None)
        return self._roll(one.part, self.dice(table, one), "" if one.cohort else one.id) if one else None

    def _roll(self, part: str, terms: ForgedTerms, whom: str = "") -> Roll:
        return Roll(part=part, ask=replace(terms, character=UUID(whom) if whom else None), terms=terms.asked())

    def on_roll(self, table: Table, part: str, outcome: Mapping[str, Any]) -> Words:
        """Count one of the action's rolls, and after the last one the result; or reduce or avoid a consequence that was resisted,
        whatever it cost: a trauma that follows comes at once."""
        if not part.startswith("resist."):
            return self._fell(table, next(one for one in self.rollers if one.part == part), outcome)
        met, self.resisting = self.consequence(self.resisting), ""
        met.resisted = True
        met.lessen(met.by)
        if not met.severity:
            self._settle(table, met)
        return ""

    def undo_roll(self, table: Table, part: str) -> None:
        """Forget a voided roll; its player has to say again that they are ready."""
        self.resisting = ""
        for one in self.rollers:
            if one.part == part:
                one.result = one.at = one.effect = one.ready = ""
                one.ticks, self.stage = 0, Stage.SET
                self.consequences, self.finished = [], False
                self.foes = [Foe(id=foe.id, name=foe.name) for foe in self.foes]

    def _fell(self, table: Table, one: Roller, outcome: Mapping[str, Any]) -> Words:
        """Count a roll: xp and gambits at once, and after the last one the result. A cohort rolls its quality, and comes to
        what an action would."""
        one.result, rolled = outcome["result"], outcome
        if one.cohort:
            rolled = self.terms_of(table, one).comes_to(one.came, table.settings)
        one.at, one.effect, one.ticks = (rolled[name] for name in ("position", "effect", "ticks"))
        if outcome.get("xp") and (who := table.find(Scoundrel, one.id)):
            table.because(DESPERATE)
            track = xp_of(attribute_of(self.action))
            setattr(who, track, getattr(who, track) + outcome["xp"])
        if one.id == self.actor:
            self._use_up(table, outcome)
        return self._judge(table) if self.is_judged else ""

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
        said = capital(joined("", (result_words(self, table), "."))) if self.group else ""
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
        return joined(" ", (faced_said(self, table, one) for one in self.consequences))

    # Events of 0.2

    @classmethod
    def told_before(cls, state: Mapping[str, Any]) -> Table:
        told = cls(
            actor=state["participants"][0]["character"],
            rollers=[
                Roller(**_known(Roller, one) | {"id": one["character"], "ready": "yes" if one["ready"] else ""})
                for one in state["participants"]
            ],
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
            consequences=[
                Inflicted(**_known(Inflicted, one) | {"id": one["key"], "clock": one["clock"] or ""})
                for one in state["inflicted"]
            ],
            resisting=state["met"] or state["resisting"],
            granted=state["granted"] or None,
            over=state["stage"] in (Stage.DONE, Stage.WITHDRAWN),
            **{name: state[name] for name in BEFORE if name in state},
        )
        gone = {state["clock"] if state.get("clock_gone") else None}
        gone |= {one["clock"] for one in state["inflicted"] if one.get("clock_gone")}
        named = {state["clock"]: state["clock_name"]} | {one["clock"]: one["clock_name"] for one in state["inflicted"]}
        rows = [
            told,
            *(_person_before(one, told.action, state["participants"]) for one in state["people"]),
            *(Clock(id=id, name=name, segments=12) for id, name in named.items() if id and id not in gone),
            *(
                Crew(
                    id=crew["character"],
                    name=crew["name"],
                    gambits=crew["gambits"],
                    cohorts={one["key"]: Cohort(**_known(Cohort, one)) for one in crew["cohorts"]},
                )
                for crew in filter(None, [state.get("crew")])
            ),
        ]
        return Table(rows, settings=Settings(**state["settings"]))


# What there is to choose, and who may


def unrolled(action: ActionState, table: Table) -> bool:
    return action.stage in (Stage.ASKED, Stage.SET) and not action.fallen


def at(stage: Stage) -> Callable[[ActionState, Table], bool]:
    return lambda action, table: action.stage is stage


def naming(action: ActionState, table: Table) -> bool:
    return action.stage is Stage.FOLLOWS and not action.finished


def adding(action: ActionState, table: Table) -> bool:
    """Return whether the GM may name a consequence: also beside those that were said before the dice."""
    said_before = action.stage is Stage.FOLLOWS and action.threat != Threat()
    return (naming(action, table) or said_before) and bool(action.choices)


def by_actor(action: ActionState, who: Actor, *target: Any) -> bool:
    return who.plays(action.actor)


def by_whom_it_hits(action: ActionState, who: Actor, one: Inflicted, *more: Any) -> bool:
    return who.plays(one.whom)


def bargained_about(action: ActionState, table: Table) -> bool:
    return unrolled(action, table) and bool(action.bargain)


def own_bargain(action: ActionState, table: Table) -> list[Scoundrel]:
    return [action.who(table)] if bargained_about(action, table) else []


def rolling(action: ActionState, table: Table) -> list[Scoundrel]:
    """Return those whose players have yet to say that they are ready."""
    waited = (one.id for one in action.rollers if not one.ready and not one.cohort and not one.result)
    return [who for who in found(table, waited) if action.stage is Stage.SET and who.in_play]


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
    alone = found(table, (one.id for one in action.rollers if not one.helper and not one.cohort))
    return ((helper, who) for helper in free(action, table) for who in alone)


def cohorts_in(action: ActionState, table: Table, *, joined: bool) -> list[str]:
    """Return the cohorts that roll with it, or that could, by the ids of their rows."""
    there = {one.id for one in action.rollers}
    able = action.cohorts(table) if action.group and unrolled(action, table) else {}
    return [key for key, one in able.items() if (key in there) is joined and one.state != "broken"]


# Events of 0.2

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


def _known(kind: type[BaseModel], one: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in one.items() if name in kind.model_fields}


def _person_before(one: Mapping[str, Any], action: str, rolling: Sequence[Mapping[str, Any]]) -> Scoundrel:
    """Return somebody as such an event knew them: names of harm may be missing in those of 0.1."""
    rating = next((other["rating"] for other in rolling if other["character"] == one["character"]), 0)
    who = Scoundrel(id=one["character"], name=one["name"], in_play=not one["out"], stress=one.get("stress", 0))
    for level, (count, named) in enumerate(zip(one["harm"], one["hurts"], strict=True), 1):
        for place in range(count):
            who.suffer(level, named if not place else "")
    who.values = {action: rating}
    return who


# Whom it is against, and its words in the log. They roll nothing: against several it is one action, with one position and one
# effect (forged.txt, Position and Effect, lines 26 to 29). Their number counts as scale, "in battle, more people are better"
# (Scale, line 37): one step less is proposed for one who acts alone against several, and none for a group; the GM sets it. What
# came of it for each of them the GM presses once the dice have fallen.


def action_words(action: ActionState) -> Words:
    """Return words such as "Prowl", "Prowl as a group"."""
    words = worded(ACTION_LABELS[action.action])
    return _("{action} as a group", action=words) if action.group else words


def result_words(action: ActionState, table: Table) -> Words:
    """Return words such as "Full success: done"; of a group those of its best roll, with whose it is."""
    best = action.best
    words = _("{name}: {words}", name=worded(HEADLINES[best.came]), words=verdict(Position(best.at), best.came))
    return _("Group: {result} ({name})", result=words, name=action.called(table, best.id)) if action.group else words


def known(action: ActionState, table: Table) -> Iterator[tuple[Foe, str]]:
    """Yield those of whom everyone knows, with their names."""
    for one in action.foes:
        who = table.find(Scoundrel, one.id)
        if one.name or (who and not who.hidden):
            yield one, action.called(table, one.id)


def sources(action: ActionState, table: Table, *target: Any) -> Iterator[tuple[str, str]]:
    """Yield from whom a consequence may come."""
    return ((one.id, name) for one, name in known(action, table))


def from_words(action: ActionState, table: Table, source: str) -> Words:
    """Return words such as "from Vesk"; "" for nobody in particular."""
    name = dict(sources(action, table)).get(source)
    return _("from {name}", name=name) if name else ""


def faced_said(action: ActionState, table: Table, one: Inflicted) -> Words:
    return _(
        "{name} faced a consequence. {consequence}.",
        name=action.called(table, one.whom),
        consequence=capital(joined(", ", filter(None, (inflicted_words(one), from_words(action, table, one.source))))),
    )
