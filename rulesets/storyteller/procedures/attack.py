"""An attack from its declaration to the health levels that are marked. The text has none: the figures are those in common use.

Who attacks declares; who is attacked defends, or takes it. Both roll, and what the attack has more hits. Damage and soak are
rolled next, each at a press of whose it is, and what is left is marked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Any, Final
from uuid import UUID

from campaigns.schema import Code, Name
from characters.reasons import Reason
from languages.text import gettext_lazy
from rolls.odds import Part, bar_said
from rolls.stage import Staged
from rules.acting import OPEN, Between, Like, OneOf, Roll, Under, Waits, When, act, anyone
from rules.acts import Actor
from rules.dice import LARGEST_POOL
from rules.messages import Message, Words, joined, ngettext, worded
from rules.messages import gettext as _
from rules.procedures import ROLLED, Button
from rules.table import Held, Refused, Table
from rulesets.storyteller import sheet
from rulesets.storyteller.odds import MISS, MOST_DICE, Blow, blow_outcomes, hits
from rulesets.storyteller.rows import (
    Called,
    CalledByGm,
    Other,
    Own,
    Person,
    Pool,
    Rolled,
    Side,
    StorytellerProcedure,
    UsualDifficulty,
    check_own,
)
from rulesets.storyteller.rules.damage import (
    HARM_WORDS,
    MOST_DAMAGE_DICE,
    Body,
    Harm,
    Health,
    damage_dice,
    hurt,
    levels,
    soak_dice,
)
from rulesets.storyteller.rules.roll import Kind
from rulesets.storyteller.settings import Settings
from rulesets.storyteller.terms import NO_ONE_TO_PAY, PAID_BEFORE, has_paid

ATTACKER, TARGET = "attacker", "target"
ATTACK, GUARD, DAMAGE, SOAK = "attack", "guard", "damage", "soak"
"""Parts of it that are rolled."""
FELL: Final = {ATTACK: "attacked", GUARD: "guarded", DAMAGE: "damaged", SOAK: "soaked"}
"""Where it is kept what they gave."""
USUAL_SOAK: Final = 2
"""The soak of those without a sheet: the Stamina of most people."""
MOST_SOAK: Final = 20


class Defence(StrEnum):
    NONE = "none"
    DODGE = "dodge"
    BLOCK = "block"
    PARRY = "parry"


DEFENCES: Final = {
    Defence.DODGE: (
        ("dexterity", "athletics"),
        gettext_lazy("Dodge"),
        gettext_lazy("{name} dodges with {roll}."),
        gettext_lazy("{name} dodged with {roll}."),
    ),
    Defence.BLOCK: (
        ("dexterity", "brawl"),
        gettext_lazy("Block"),
        gettext_lazy("{name} blocks with {roll}."),
        gettext_lazy("{name} blocked with {roll}."),
    ),
    Defence.PARRY: (
        ("dexterity", "melee"),
        gettext_lazy("Parry"),
        gettext_lazy("{name} parries with {roll}."),
        gettext_lazy("{name} parried with {roll}."),
    ),
}
"""The usual traits of each defence, its name, its line on the card and its line in the log."""
OF_DAMAGE: Final = {
    Harm.BASHING: gettext_lazy("bashing damage: {dice}"),
    Harm.LETHAL: gettext_lazy("lethal damage: {dice}"),
    Harm.AGGRAVATED: gettext_lazy("aggravated damage: {dice}"),
}


class Stage(StrEnum):
    DECLARED = "declared"
    ROLLING = "rolling"
    """Attack or defence is to be rolled (again)."""
    HIT = "hit"
    SOAKING = "soaking"
    MISSED = "missed"
    DONE = "done"
    WITHDRAWN = "withdrawn"


def defences(procedure: Attack, table: Table, *target: str) -> Iterator[tuple[Defence, Words]]:
    for defence, (traits, words, *_lines) in DEFENCES.items():
        yield defence, joined(": ", (worded(words), joined(" + ", map(sheet.label_said, traits))))


def at(stage: Stage, *those: str) -> Callable[[Attack, Table], Sequence[str]]:
    """Return who may act at this stage."""
    return lambda procedure, table: those if procedure.stage is stage else ()


def whose(procedure: Attack, who: Actor, side: str) -> bool:
    return who.plays(procedure.character if side == TARGET else procedure.attack.character)


def rolls_again(procedure: Attack, who: Actor, side: str) -> bool:
    """Return whether somebody may repeat the roll: the attacker's player, else the target's."""
    return whose(procedure, who, side) and (side == ATTACKER or not who.plays(procedure.attack.character))


def as_seen(procedure: Attack, table: Table, side: str) -> tuple[Any, ...]:
    return procedure.dice, procedure.strength, procedure.harm, procedure.attack.difficulty


def damage_words(procedure: Attack, table: Table, side: str) -> Words:
    mine = procedure.attack.who(table)
    if procedure.strength and mine and not mine.opened:
        return _("Roll damage")
    dice = procedure.damage_now(table)
    return _("Roll damage: {dice}", dice=ngettext("{count} die", "{count} dice", dice))


Dice = Annotated[int, Between(0, MOST_DAMAGE_DICE), gettext_lazy("Damage dice")]
Strength = Annotated[bool, gettext_lazy("Add Strength and Potence")]
Kinds = Annotated[Harm, OneOf.of(HARM_WORDS), gettext_lazy("Damage type")]
Willpower = Annotated[bool, gettext_lazy("Spend Willpower on the attack")]
NO_SHEET: Final = When(lambda procedure, table: table.by.is_gm and procedure.character is None)
Soak = Annotated[int, Between(0, MOST_SOAK), NO_SHEET, gettext_lazy("Soak dice (no sheet)")]
Mortal = Annotated[bool, NO_SHEET, gettext_lazy("Soaks as a mortal")]
WITH_SHEET: Final = When(lambda procedure, table, *target: procedure.character is not None)
How = Annotated[Defence, OneOf(defences), gettext_lazy("Defence")]


class Attack(StorytellerProcedure):
    """Owners act for their own, a GM for all, and sets the terms before it is answered.

    `attack` is the attacking side. `target` is a name, of a `character` or of somebody who soaks with a `stamina`. `dice` are
    those of damage, plus those of Strength with `strength`. `due` are the parts to be rolled now. Once all is settled, `taken`
    levels are marked, and `beyond` did not fit on the track.
    """

    label = gettext_lazy("Attack")
    why = Reason("attack", gettext_lazy("an attack"))
    against = ("a_character", "target")

    attack: Side = Side()
    target: Name = ""
    character: Code | None = None
    dice: int = 0
    strength: bool = False
    harm: Harm = Harm.BASHING
    willpower: bool = False
    stamina: int = USUAL_SOAK
    mortal: bool = True
    defence: Defence | None = None
    guard: Side | None = None
    guard_willpower: bool = False
    due: list[Code] = []
    attacked: Rolled | None = None
    guarded: Rolled | None = None
    damaged: Rolled | None = None
    soaked: Rolled | None = None
    taken: int | None = None
    beyond: int = 0
    withdrawn: bool = False

    @act(label, says=gettext_lazy("{name} attacked {target}: {terms}."), by=anyone)
    def open(
        self,
        table: Table,
        *,
        a_character: Annotated[Own, Under(gettext_lazy("Attacker"))] = None,
        a_name: CalledByGm = "",
        a_pool: Annotated[Pool, Like(gettext_lazy("dexterity + firearms, or 5")), gettext_lazy("Attack roll")] = "",
        willpower: Willpower = False,
        target: Annotated[Other, Under(gettext_lazy("Target"))] = None,
        target_name: Called = "",
        dice: Annotated[Dice, Under(gettext_lazy("Damage"))] = 0,
        harm: Kinds = Harm.BASHING,
        strength: Strength = False,
        difficulty: UsualDifficulty = None,
        soak: Soak = USUAL_SOAK,
        mortal: Mortal = True,
    ) -> Mapping[str, Words]:
        check_own(table, a_character, "a_")
        self.attack = Side.of(table, a_character, a_name, a_pool, difficulty or table.settings.attack_difficulty, "a_")
        if not self.attack.traits and self.attack.dice is None:
            raise Refused(_("Type what to roll, such as Dexterity + Firearms."), "a_pool")
        if willpower:
            check_willpower(table, a_character)
        if target is None and not target_name:
            raise Refused(_("Choose a target, or type a name."), "target_name")
        if target and target is a_character:
            raise Refused(_("{name} can’t attack themselves.", name=target.name), "target")
        self.target, self.character = target.name if target else target_name, target.id if target else None
        self.dice, self.strength, self.harm, self.willpower = dice, strength, harm, willpower
        self.stamina, self.mortal = soak, mortal
        return self._named(table)

    @act(
        gettext_lazy("Take the hit"),
        says=gettext_lazy("{target} didn’t defend."),
        by=whose,
        each=at(Stage.DECLARED, TARGET),
        terms=as_seen,
    )
    def take_hit(self, table: Table, who: str) -> Mapping[str, Words]:
        self.defence, self.due = Defence.NONE, self.missing
        return self._named(table)

    @act(gettext_lazy("Defend…"), by=whose, each=at(Stage.DECLARED, TARGET), terms=as_seen)
    def defend(
        self,
        table: Table,
        who: str,
        *,
        how: How,
        pool: Annotated[Pool, Like(gettext_lazy("empty: as the defence says")), gettext_lazy("Defence roll")] = "",
        difficulty: UsualDifficulty = None,
        willpower: Annotated[bool, WITH_SHEET, gettext_lazy("Spend Willpower on the defence")] = False,
    ) -> Words:
        """Roll against the attack: what is left empty is the usual pool."""
        person = self.whom(table)
        usual = str(person.quick or " + ".join(DEFENCES[how][0])) if person else ""
        if willpower:
            check_willpower(table, person)
        self.guard = Side.of(table, person, self.target, pool or usual, difficulty or table.settings.attack_difficulty)
        self.defence, self.guard_willpower, self.due = how, willpower, self.missing
        return self._guards(told=True)

    @act(
        gettext_lazy("Change terms…"),
        says=gettext_lazy("{name}’s attack on {target} was set: {terms}."),
        when=lambda self, table: self.stage is Stage.DECLARED,
    )
    def set(
        self,
        table: Table,
        *,
        dice: Dice = 0,
        harm: Kinds = Harm.BASHING,
        strength: Strength = False,
        difficulty: UsualDifficulty = None,
        soak: Soak = USUAL_SOAK,
        mortal: Mortal = True,
    ) -> Mapping[str, Words]:
        self.attack.difficulty = difficulty or self.attack.difficulty
        self.dice, self.strength, self.harm = dice, strength, harm
        if self.character is None:
            self.stamina, self.mortal = soak, mortal
        return self._named(table)

    @act(gettext_lazy("Call it off"), by=whose, each=at(Stage.DECLARED, ATTACKER))
    def withdraw(self, table: Table, who: str) -> Words:
        self.withdrawn = True
        return self.stands(table)

    @act(gettext_lazy("Roll again"), by=rolls_again, each=at(Stage.ROLLING, ATTACKER, TARGET), primary=True)
    def roll(self, table: Table, who: str) -> None:
        """Repeat the voided rolls."""
        self.due = self.missing

    @act(damage_words, by=whose, each=at(Stage.HIT, ATTACKER), primary=True)
    def damage(self, table: Table, who: str) -> None:
        self.due = [DAMAGE]

    @act(gettext_lazy("Soak"), by=whose, each=at(Stage.SOAKING, TARGET), primary=True)
    def soak(self, table: Table, who: str) -> Words:
        if self.soak_now(table):
            self.due = [SOAK]
            return ""
        self._mark(table)
        return self.stands(table)

    def so_far(self, act: str, table: Table, *target: Any) -> Mapping[str, Any]:
        if act == "set":
            return {**super().so_far(act, table), "difficulty": self.attack.difficulty, "soak": self.stamina}
        return {}

    def settle(self, table: Table) -> None:
        self.over = self.stage in (Stage.MISSED, Stage.DONE, Stage.WITHDRAWN)

    # What it has come to

    @property
    def ahead(self) -> int:
        """Return by how many successes it hits; 0 or less is a miss."""
        return (self.attacked.successes if self.attacked else 0) - (self.guarded.successes if self.guarded else 0)

    @property
    def missing(self) -> list[str]:
        """Return which of attack and defence are not rolled yet."""
        attack = [] if self.attacked else [ATTACK]
        return [*attack, *([GUARD] if self.guard and not self.guarded else [])]

    @property
    def stage(self) -> Stage:
        if self.withdrawn:
            return Stage.WITHDRAWN
        if self.defence is None:
            return Stage.DECLARED
        if self.missing:
            return Stage.ROLLING
        if self.ahead < 1:
            return Stage.MISSED
        if self.damaged is None:
            return Stage.HIT
        return Stage.SOAKING if self.taken is None else Stage.DONE

    def whom(self, table: Table) -> Person | None:
        """Return who is attacked, if they have a sheet."""
        return table.find(Person, self.character)

    def body(self, table: Table) -> Body:
        """Return what the target soaks with."""
        whom = self.whom(table)
        return whom.body if whom else Body(stamina=self.stamina, mortal=self.mortal)

    def blow(self, table: Table) -> int:
        """Return the dice of damage before successes add to them."""
        mine = self.attack.who(table) if self.strength else None
        return self.dice + (mine.strength if mine else 0)

    def damage_now(self, table: Table) -> int:
        """Return the dice of damage, with what successes add to them."""
        return damage_dice(self.blow(table), self.ahead, table.settings)

    def soak_now(self, table: Table) -> int:
        return soak_dice(self.body(table), self.harm, table.settings)

    # Its rolls

    def next_roll(self, table: Table) -> Roll | None:
        """Return the rolls that are due, one after the other."""
        if not self.due:
            return None
        part = self.due[0]
        side, willpower = self.rolls(table, part)
        who = UUID(side.character) if side.character else None
        return Roll(part=part, ask=replace(side.ask, character=who, willpower=willpower), terms=side.ask.terms)

    def rolls(self, table: Table, part: str) -> tuple[Side, bool]:
        """Return the side that rolls a part, and whether a Willpower point is spent on it."""
        settings: Settings = table.settings
        if part == ATTACK:
            return self.attack, self.willpower
        if part == GUARD and self.guard:
            return self.guard, self.guard_willpower
        if part == DAMAGE:
            blow = {"traits": [], "dice": self.damage_now(table), "difficulty": settings.damage_difficulty}
            return self.attack.model_copy(update=blow | {"kind": Kind.DAMAGE.value}), False
        soaks = Side(
            name=self.target,
            character=self.character,
            dice=min(self.soak_now(table), LARGEST_POOL),
            difficulty=settings.soak_difficulty,
            kind=Kind.SOAK.value,
        )
        return soaks, False

    def on_roll(self, table: Table, part: str, outcome: Mapping[str, Any]) -> Words:
        """Record the result of a roll. One that is not waited for changes nothing."""
        if part not in self.due:
            return ""
        self.due.remove(part)
        gave = Rolled.of(outcome)
        setattr(self, FELL[part], gave)
        if part == SOAK or (part == DAMAGE and not (gave.successes and self.soak_now(table))):
            self._mark(table)
        return "" if self.due else self.stands(table)

    def undo_roll(self, table: Table, part: str) -> None:
        """Wait until a voided roll is rolled again."""
        self.due = []

    def _mark(self, table: Table) -> None:
        """Mark the damage left after soak."""
        damage = self.damaged.successes if self.damaged else 0
        soaked = self.soaked.successes if self.soaked else 0
        self.taken = levels(damage, soaked, self.harm, table.settings, mortal=self.body(table).mortal)
        if who := self.whom(table):
            health = Health(bashing=who.bashing, lethal=who.lethal, aggravated=who.aggravated)
            after, self.beyond = hurt(health, self.harm, self.taken, table.settings)
            who.bashing, who.lethal, who.aggravated = after.bashing, after.lethal, after.aggravated

    # What is seen of it

    def waits(self, table: Table) -> Sequence[Waits]:
        key, words = {
            Stage.DECLARED: (TARGET, _("to defend or take the hit")),
            Stage.ROLLING: (ATTACKER, _("to roll")),
            Stage.HIT: (ATTACKER, _("to roll damage")),
            Stage.SOAKING: (TARGET, _("to soak")),
        }[self.stage]
        who = self.whom(table) if key == TARGET else self.attack.who(table)
        return [Waits(who.id, words) if who else Waits(key, words, self.party(table, key)[0])]

    def party(self, table: Table, key: str) -> tuple[Any, str | None]:
        sides_ = {ATTACKER: (self.attack.called(table), self.attack.character), TARGET: (self.target, self.character)}
        return sides_[key] if key in sides_ else super().party(table, key)

    def stands(self, table: Table) -> Words:
        """Return a sentence such as "Silas hit Corvina by 2.", "Corvina took 3 health levels (lethal)."."""
        names: dict[str, Any] = {"name": self.attack.called(table), "target": self.target}
        match self.stage:
            case Stage.MISSED:
                return _("{name} missed {target}.", **names)
            case Stage.HIT:
                return _("{name} hit {target} by {count}.", **names, count=self.ahead)
            case Stage.SOAKING:
                count, harm = self.damaged.successes if self.damaged else 0, worded(HARM_WORDS[self.harm])
                sentence = gettext_lazy("{name} dealt {count} damage ({harm}); {target} can soak.")
                return worded(sentence, **names, count=count, harm=harm)
            case Stage.DONE:
                who = self.whom(table)
                beyond = "" if who and not who.shared else self._beyond()
                return joined(" ", filter(None, (self._taken(), beyond)))
            case Stage.WITHDRAWN:
                return _("{name} called off the attack on {target}.", **names)
        return _("{name} attacked {target}.", **names)

    def aside(self, table: Table) -> Words:
        """Return what found no place on the health of somebody whose sheet is not for all."""
        who = self.whom(table)
        return self._beyond() if who and not who.shared else ""

    def card(self, table: Table, buttons: Sequence[Button]) -> Staged:
        return Staged(
            above=worded(self.label),
            title=_("{name} attacks {target}", name=self.attack.called(table), target=self.target),
            faces=[one for one in (self.attack.character, self.character) if one],
            notes=[self.terms(), *self._lines(table)],
            odds=self.odds(table),
            offers=[button for button in buttons if not button.primary],
            acts=[button for button in buttons if button.primary],
        )

    def terms(self) -> Words:
        """Return words such as "Dexterity + Brawl, difficulty 6; lethal damage: Strength + 2 dice"."""
        dice = [ngettext("{count} die", "{count} dice", self.dice)] if self.dice or not self.strength else []
        made_of = joined(" + ", [*([sheet.label_said("strength")] if self.strength else []), *dice])
        damage = worded(OF_DAMAGE[self.harm], dice=made_of)
        with_willpower = gettext_lazy("{roll}, with Willpower; {damage}")
        words = with_willpower if self.willpower else gettext_lazy("{roll}; {damage}")
        return worded(words, roll=self.attack.roll, damage=damage)

    def odds(self, table: Table) -> Mapping[str, Any] | None:
        """Return the exact odds, undefended: of who attacks alone where the target's figures are not known to the reader."""
        dice, whom, settings = self.attack.dice_now(table), self.whom(table), table.settings
        if self.stage is not Stage.DECLARED or not 0 < dice <= MOST_DICE:
            return None
        blow = Blow(
            attack=dice,
            difficulty=self.attack.difficulty,
            dice=self.blow(table),
            harm=self.harm,
            body=self.body(table),
            willpower=self.willpower,
        )
        chances = blow_outcomes(blow, settings) if whom is None or whom.is_whole else None
        if chances is None:
            chance = 1 - hits(blow, settings).get(0, Fraction())
            parts = [Part("bad", _("misses"), 1 - chance), Part("good", _("hits"), chance)]
        else:
            worse = sum((chance for taken, chance in chances.items() if taken > 2), Fraction())
            parts = [
                Part("bad", _("misses"), chances.get(MISS, Fraction())),
                Part("fair", _("no damage"), chances.get(0, Fraction())),
                Part("good", _("1 or 2 levels"), chances.get(1, Fraction()) + chances.get(2, Fraction())),
                Part("good", _("3 or more"), worse),
            ]
        return bar_said(parts, dice=blow.attack, lines=[_("undefended")])

    @classmethod
    def told_before(cls, state: Mapping[str, Any]) -> Table:
        body = (state.get("figures") or {}).get("body") or {}
        table = super().told_before({**state, **{name: body[name] for name in ("stamina", "mortal") if name in body}})
        powers = [{"id": "soaks", "name": sheet.FORTITUDE, "rating": body.get("fortitude", 0)}]
        being = sheet.MORTAL if body.get("mortal") else sheet.VAMPIRE
        soaks = Held({"stamina": 0, **body, "being": being, "powers": powers})
        if target := state.get("character"):
            table.add(Person(id=target, name=state["target"], shared=True, values=soaks))
        return table

    def line_before(self, table: Table, act: str, whom: str) -> Words:
        if act == "defend" and self.guard:
            return self._guards(told=True)
        soaks = act == SOAK and (self.taken is None or self.soak_now(table))
        if soaks or act in ("roll", DAMAGE) or (act == ROLLED and self.due):
            return ""
        acts = {OPEN: OPEN, "set": "set", "take": "take_hit"}
        return self.acts[acts[act]].line(self, table, self._named(table)) if act in acts else self.stands(table)

    def _named(self, table: Table) -> dict[str, Words]:
        return {"name": self.attack.called(table), "target": self.target, "terms": self.terms()}

    def _guards(self, *, told: bool) -> Message:
        """Return how the target defends, as it is told in the log or stands on the card."""
        _traits, _words, stands, tells = DEFENCES[self.defence or Defence.DODGE]
        return worded(tells if told else stands, name=self.target, roll=self.guard.roll if self.guard else "")

    def _lines(self, table: Table) -> Iterator[Words]:
        """Yield lines for what has happened so far."""
        if self.attacked:
            yield gave(self.attack.called(table), self.attacked)
        if self.guard:
            yield self._guards(told=False)
        if self.guarded:
            yield gave(self.target, self.guarded)
        if self.stage in (Stage.HIT, Stage.SOAKING, Stage.DONE):
            yield _("The attack hits by {count}.", count=self.ahead)
        if self.damaged:
            yield gave(_("Damage"), self.damaged)

    def _taken(self) -> Message:
        if not self.taken:
            return _("{name} took no damage.", name=self.target)
        return ngettext(
            "{name} took {count} health level ({harm}).",
            "{name} took {count} health levels ({harm}).",
            self.taken,
            name=self.target,
            harm=worded(HARM_WORDS[self.harm]),
        )

    def _beyond(self) -> Words:
        if not self.beyond:
            return ""
        return ngettext(
            "{count} of them was beyond the last level.", "{count} of them were beyond the last level.", self.beyond
        )


def gave(name: Words, rolled: Rolled) -> Message:
    return ngettext("{name}: {count} success.", "{name}: {count} successes.", rolled.successes, name=name)


def check_willpower(table: Table, who: Person | None) -> None:
    """Refuse at once a point that could not be spent when the dice fall; a GM may allow a second one in a turn then."""
    if who is None:
        raise Refused(NO_ONE_TO_PAY, "willpower")
    fights = () if table.by.is_gm else table.all(StorytellerProcedure)
    if any(has_paid(UUID(who.id), turn) for fight in fights if (turn := fight.turn_of(who.id))):
        raise Refused(PAID_BEFORE.format(name=who.name), "willpower")
