"""The attack at the table: what it reads of forms and sheets, and its rolls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final
from uuid import UUID

from campaigns.errors import Invalid
from campaigns.models import Role
from characters.models import Character
from characters.sheets.sheet import Values as Sheet
from rolls.procedures import NextRoll, ProcedureContext, ProcedureKind
from rolls.rules.acts import AvailableAct
from rolls.rules.procedures import OPEN, Button, RollPart, Snapshot, Values
from rolls.services.rule_errors import by_the_rules
from rulesets.storyteller import sheet
from rulesets.storyteller.procedures import attack_words as words
from rulesets.storyteller.procedures import sides
from rulesets.storyteller.procedures.attack_forms import USUAL_SOAK, DefendForm, OpenAttackForm, SetForm
from rulesets.storyteller.rules import attack as rules
from rulesets.storyteller.rules.attack import Attack, AttackRules, Defence, Figures
from rulesets.storyteller.rules.contested import Side
from rulesets.storyteller.rules.damage import Body, Harm, Health, decisions_of
from rulesets.storyteller.rules.roll import Kind
from rulesets.storyteller.settings import Settings
from rulesets.storyteller.table.ask import NAME as SYSTEM
from rulesets.storyteller.table.ask import StorytellerInput

USUAL_BODY: Final = Body(stamina=USUAL_SOAK, mortal=True)
DEFENCES: Final = {
    Defence.DODGE: ("dexterity", "athletics"),
    Defence.BLOCK: ("dexterity", "brawl"),
    Defence.PARRY: ("dexterity", "melee"),
}


def _declared(context: ProcedureContext, given: Values) -> dict[str, Any]:
    settings = context.settings.of(Settings)
    attack = _attack(context, given, settings)
    if given["willpower"] and attack.character is None:
        raise Invalid("Only a character has Willpower to spend.", field="willpower")
    target = _target(context, given)
    mine = context.character(attack.character) if attack.character else None
    typed = Body(stamina=given["soak"], mortal=given["mortal"]) if context.actor.is_gm else USUAL_BODY
    declared = {
        "attack": attack,
        "target": target.name if target else given["target_name"],
        "character": str(target.pk) if target else None,
        "willpower": given["willpower"],
        "open_a": sides.is_open(mine),
        "open_b": target is None or target.opened,
        "decisions": decisions_of(settings),
        "figures": Figures(body=typed),
        **_blow(given),
    }
    values = {str(side.pk): side.sheet for side in (mine, target) if side is not None}
    with by_the_rules("a_pool"):
        state = reckoned(Attack(**declared), values, settings, {})
    return declared | {"figures": state.figures}


def _attack(context: ProcedureContext, given: Values, settings: Settings) -> Side:
    """An action, whatever it is rolled with. Its difficulty is a GM's to set."""
    set_by_gm = given["difficulty"] if context.actor.is_gm else None
    attack = sides.side(context, {**given, "a_difficulty": set_by_gm or settings.attack_difficulty}, "a_")
    if not attack.traits and attack.dice is None:
        raise Invalid("Say what to roll, such as Dexterity + Firearms.", field="a_pool")
    return replace(attack, kind=Kind.ACTION.value)


def _target(context: ProcedureContext, given: Values) -> Character | None:
    """A character, or None for somebody who has only a name."""
    if not given["target"]:
        if not given["target_name"]:
            raise Invalid("Say who is attacked: choose a character, or type a name.", field="target_name")
        return None
    target = context.character(str(given["target"]))
    if target.system != SYSTEM:
        raise Invalid(f"{target.name} has no Storyteller sheet. Type the name instead.", field="target")
    return target


def _blow(given: Values) -> dict[str, Any]:
    return {"dice": given["dice"], "strength": given["strength"], "harm": Harm(given["harm"] or Harm.BASHING)}


def _set(context: ProcedureContext, given: Values) -> dict[str, Any]:
    """Return what a GM sets; of a target with a sheet that says what it soaks with."""
    state: Attack = context.state
    attack = replace(state.attack, difficulty=given["difficulty"] or state.attack.difficulty)
    typed = Body(stamina=given["soak"], mortal=given["mortal"])
    figures = state.known if state.character else replace(state.known, body=typed)
    return _blow(given) | {"attack": attack, "figures": figures}


def _guard(context: ProcedureContext, given: Values) -> dict[str, Any]:
    """Return what the target defends with. Its difficulty is a GM's to set, too."""
    state, how = context.state, Defence(given["how"])
    usual = "" if state.character is None else " + ".join(DEFENCES[how])
    set_by_gm = given["difficulty"] if context.actor.is_gm else None
    asked = {"pool": given["pool"] or usual, "difficulty": set_by_gm or state.decisions.attack_difficulty}
    pool = sides.pool_of(asked) | {"kind": Kind.ACTION.value}
    if given["willpower"] and state.character is None:
        raise Invalid("Only a character has Willpower to spend.", field="willpower")
    with by_the_rules():
        guard = Side(name=state.target, character=state.character, **pool)
    return {"defence": how, "guard": guard, "guard_willpower": given["willpower"]}


# What sheets say


def reckoned(state: Attack, values: Mapping[str, Sheet], settings: Settings, extra: Mapping[str, int]) -> Attack:
    """With the figures of those whose sheets these are, by their ids; of others they stay as they were."""
    figures, mine, theirs = state.known, state.attack.character or "", state.character or ""
    figures = replace(figures, attack=sides.dice_of(state.attack, values, settings, extra, figures.attack))
    if mine in values:
        own = values[mine]
        strength = sheet.SHEET.number(own, "strength") + sheet.discipline(own, sheet.POTENCE)
        figures = replace(figures, strength=strength)
    if theirs in values:
        sheets = values[theirs]
        body = Body(
            stamina=sheet.SHEET.number(sheets, "stamina"),
            fortitude=sheet.discipline(sheets, sheet.FORTITUDE),
            armour=sheet.SHEET.number(sheets, sheet.ARMOUR),
            mortal=sheet.SHEET.value(sheets, "being") == sheet.MORTAL,
        )
        health = Health(**{kind: sheet.SHEET.number(sheets, kind) for kind in sheet.DAMAGE})
        figures = replace(figures, body=body, health=health)
    return replace(state, figures=figures)


class AttackProcedure(AttackRules, ProcedureKind[Attack]):
    label = "Attack"
    opened_by = Role.PLAYER
    forms: ClassVar = {OPEN: OpenAttackForm, rules.SET: SetForm, rules.DEFEND: DefendForm}
    rolls = Kind.ACTION.value

    def prepare(self, context: ProcedureContext, name: str, given: Values) -> Values:
        """Raises Invalid, NotFound."""
        makes = {OPEN: _declared, rules.SET: _set, rules.DEFEND: _guard}
        return makes[name](context, given)

    def reads(self, state: Attack, seen: Snapshot) -> Attack:
        """By the sheets as they are now, until levels are marked."""
        if self.is_over(state):
            return state
        values = {who: snapshot.values for who, snapshot in seen.sheets.items() if snapshot.system == SYSTEM}
        return reckoned(state, values, seen.settings or Settings(), seen.extra_dice)

    def next_roll(self, state: Attack) -> NextRoll | None:
        """The rolls that are due, one after the other."""
        if not state.due:
            return None
        part = state.due[0]
        side, willpower = rules.rolls(state, part)
        ask = StorytellerInput(
            character=UUID(side.character) if side.character else None,
            traits=side.traits,
            dice=side.dice,
            difficulty=side.difficulty,
            kind=side.kind,
            willpower=willpower,
        )
        return NextRoll(part=RollPart(part), ask=ask, terms=side.terms)

    def describe(self, state: Attack, buttons: Sequence[Button]) -> Values:
        return words.describe(state, buttons)

    def button_words(self, state: Attack, available: AvailableAct) -> str:
        return words.button(state, available)

    def primary(self, state: Attack, available: AvailableAct) -> bool:
        return available.name in (rules.DAMAGE, rules.SOAK, rules.ROLL)

    def said(self, state: Attack, name: str, whom: str) -> str:
        return words.said(state, name)
