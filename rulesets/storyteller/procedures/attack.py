"""The attack at the table: its forms, the values it reads from sheets, and its rolls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final
from uuid import UUID

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext as _

from campaigns.errors import Invalid
from campaigns.forms.fields import LineField
from campaigns.models import Role, Viewer
from characters.models import Character
from characters.sheets.sheet import Values as Sheet
from languages.text import colon, gettext_lazy
from rolls.forms.base import WholeNumber
from rolls.models import Procedure
from rolls.procedures import NO_CHARACTER, NextRoll, ProcedureContext, ProcedureForm, ProcedureKind
from rolls.services.roll_context import by_the_rules
from rolls.stage import Staged, dice_words
from rules.acts import AvailableAct, Target
from rules.checked import restored
from rules.procedures import OPEN, ROLLED, Button, RollPart, Snapshot, Values
from rulesets.storyteller import sheet
from rulesets.storyteller.procedures import attack_sides as sides
from rulesets.storyteller.procedures import attack_words as words
from rulesets.storyteller.rules import attack as rules
from rulesets.storyteller.rules.attack import Attack, AttackRules, Defence, Figures
from rulesets.storyteller.rules.contested import LONGEST_NAME, Side
from rulesets.storyteller.rules.damage import (
    HARM_WORDS,
    MOST_DAMAGE_DICE,
    Body,
    Harm,
    Health,
    damage_dice,
)
from rulesets.storyteller.rules.roll import Kind
from rulesets.storyteller.settings import HIGHEST_DIFFICULTY, LOWEST_DIFFICULTY, Settings
from rulesets.storyteller.table.ask import NAME as SYSTEM
from rulesets.storyteller.table.ask import StorytellerInput, has_paid, no_one_to_pay, paid_words, quick_pool, turn_of

DEFENCES: Final = {
    Defence.DODGE: ("dexterity", "athletics"),
    Defence.BLOCK: ("dexterity", "brawl"),
    Defence.PARRY: ("dexterity", "melee"),
}
BUTTONS: Final = {
    rules.TAKE: gettext_lazy("Take the hit"),
    rules.DEFEND: gettext_lazy("Defend…"),
    rules.SET: gettext_lazy("Change terms…"),
    rules.WITHDRAW: gettext_lazy("Call it off"),
    rules.ROLL: gettext_lazy("Roll again"),
    rules.DAMAGE: gettext_lazy("Roll damage"),
    rules.SOAK: gettext_lazy("Soak"),
}


USUAL_SOAK: Final = 2
"""The soak of those without a sheet: the Stamina of most people."""
MOST_SOAK: Final = 20


def _own_difficulty() -> WholeNumber:
    """Return the field of a difficulty that is the campaign's own where it is left empty."""
    low, high = LOWEST_DIFFICULTY, HIGHEST_DIFFICULTY
    words = format_lazy(gettext_lazy("Difficulty: type a whole number from {low} to {high}."), low=low, high=high)
    return WholeNumber(None, low, high, words=words)


class BlowForm(ProcedureForm):
    """Asks what hits, and how hard: the GM sets it. `soak` and `mortal` are for a target without a sheet."""

    difficulty = _own_difficulty()
    dice = WholeNumber(gettext_lazy("Damage dice"), 0, MOST_DAMAGE_DICE, 0)
    strength = forms.BooleanField(required=False)
    harm = forms.ChoiceField(choices=[(harm.value, label) for harm, label in HARM_WORDS.items()], required=False)
    soak = WholeNumber(gettext_lazy("Soak"), 0, MOST_SOAK, USUAL_SOAK)
    mortal = forms.BooleanField(required=False)

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        harms = [(harm.value, str(label)) for harm, label in HARM_WORDS.items()]
        return {"harm": harms, "is_gm": viewer.is_gm, "now": None}


class SetForm(BlowForm):
    @classmethod
    def choices_in(cls, viewer: Viewer, procedure: Procedure, target: Target) -> dict[str, Any]:
        return cls.choices(viewer) | {"now": restored(Attack, procedure.state)}


class OpenAttackForm(BlowForm):
    """Asks who attacks whom, and with what."""

    against_field, own_field = "target", "a_character"

    a_character = forms.UUIDField(required=False)
    a_name = LineField(max_length=LONGEST_NAME, required=False)
    a_pool = LineField(max_length=120, required=False)
    willpower = forms.BooleanField(required=False)
    target = forms.UUIDField(required=False)
    target_name = LineField(max_length=LONGEST_NAME, required=False)

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        named = [(str(character.pk), character.name) for character in sides.characters_for(viewer)]
        against = [(str(character.pk), character.name) for character in sides.known_to_players(viewer)]
        nothing = "" if named or viewer.is_gm else NO_CHARACTER
        return super().choices(viewer) | {"characters": named, "targets": against, "nothing": nothing}


class DefendForm(ProcedureForm):
    """Asks how the target defends, and with what; empty means the usual pool."""

    how = forms.ChoiceField(choices=[(defence.value, label) for defence, label in words.DEFENCE_WORDS.items()])
    pool = LineField(max_length=120, required=False)
    difficulty = _own_difficulty()
    willpower = forms.BooleanField(required=False)

    @classmethod
    def choices_in(cls, viewer: Viewer, procedure: Procedure, target: Target) -> dict[str, Any]:
        state = restored(Attack, procedure.state)
        how = [
            (defence.value, f"{words.DEFENCE_WORDS[defence]}{colon()}{' + '.join(map(sheet.label_of, traits))}")
            for defence, traits in DEFENCES.items()
        ]
        return {
            "how": how,
            "has_sheet": state.character is not None,
            "is_gm": viewer.is_gm,
            "difficulty": state.decisions.attack_difficulty,
        }


USUAL_BODY: Final = Body(stamina=USUAL_SOAK, mortal=True)


def _declared(context: ProcedureContext, given: Values) -> dict[str, Any]:
    settings = context.settings.of(Settings)
    attack = _attack(context, given, settings)
    mine = context.character(attack.character) if attack.character else None
    if given["willpower"]:
        _check_willpower(context, mine)
    target = _target(context, given)
    typed = Body(stamina=given["soak"], mortal=given["mortal"]) if context.actor.is_gm else USUAL_BODY
    declared = {
        "attack": attack,
        "target": target.name if target else given["target_name"],
        "character": str(target.pk) if target else None,
        "willpower": given["willpower"],
        "open_a": sides.is_open(mine),
        "open_b": target is None or target.opened,
        "decisions": settings,
        "figures": Figures(body=typed),
        **_blow(given),
    }
    values = {str(side.pk): side.sheet for side in (mine, target) if side is not None}
    with by_the_rules("a_pool"):
        state = reckoned(Attack(**declared), values, settings, {})
    return declared | {"figures": state.figures}


def _check_willpower(context: ProcedureContext, character: Character | None) -> None:
    """Refuse at once a point that could not be spent when the dice fall; a GM may allow a second one in a turn then."""
    if character is None:
        raise Invalid(no_one_to_pay(), field="willpower")
    turn = "" if context.actor.is_gm else turn_of(character)
    if turn and has_paid(character, turn):
        raise Invalid(paid_words(character), field="willpower")


def _attack(context: ProcedureContext, given: Values, settings: Settings) -> Side:
    """Return the attacking side: an action, whatever its traits. Only a GM sets its difficulty."""
    set_by_gm = given["difficulty"] if context.actor.is_gm else None
    attack = sides.side(context, {**given, "a_difficulty": set_by_gm or settings.attack_difficulty}, "a_")
    if not attack.traits and attack.dice is None:
        raise Invalid(_("Type what to roll, such as Dexterity + Firearms."), field="a_pool")
    return replace(attack, kind=Kind.ACTION.value)


def _target(context: ProcedureContext, given: Values) -> Character | None:
    """Return the target; None for one without a sheet, who has only a name. Raises Invalid."""
    if not given["target"]:
        if not given["target_name"]:
            raise Invalid(_("Choose a target, or type a name."), field="target_name")
        return None
    target = context.character(str(given["target"]))
    if target.system != SYSTEM:
        message = _("{name} has no Storyteller sheet. Type the name instead.").format(name=target.name)
        raise Invalid(message, field="target")
    return target


def _blow(given: Values) -> dict[str, Any]:
    return {"dice": given["dice"], "strength": given["strength"], "harm": Harm(given["harm"] or Harm.BASHING)}


def _set(context: ProcedureContext, given: Values) -> dict[str, Any]:
    """Return the GM's terms; the soak of a target with a sheet is read from there."""
    state: Attack = context.state
    attack = replace(state.attack, difficulty=given["difficulty"] or state.attack.difficulty)
    typed = Body(stamina=given["soak"], mortal=given["mortal"])
    figures = state.known if state.character else replace(state.known, body=typed)
    return _blow(given) | {"attack": attack, "figures": figures}


def _guard(context: ProcedureContext, given: Values) -> dict[str, Any]:
    """Return the target's defence. Only a GM sets its difficulty."""
    state, how = context.state, Defence(given["how"])
    character = context.character(state.character) if state.character else None
    usual = str(quick_pool(character) or " + ".join(DEFENCES[how])) if character else ""
    set_by_gm = given["difficulty"] if context.actor.is_gm else None
    asked = {"pool": given["pool"] or usual, "difficulty": set_by_gm or state.decisions.attack_difficulty}
    pool = sides.pool_of(asked) | {"kind": Kind.ACTION.value}
    if given["willpower"]:
        _check_willpower(context, character)
    with by_the_rules():
        guard = Side(name=state.target, character=state.character, **pool)
    return {"defence": how, "guard": guard, "guard_willpower": given["willpower"]}


def reckoned(state: Attack, values: Mapping[str, Sheet], settings: Settings, extra: Mapping[str, int]) -> Attack:
    """Return the attack with the figures of those whose sheets these are, by their ids; of others they stay as they were."""
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
    label = gettext_lazy("Attack")
    opened_by = Role.PLAYER
    forms: ClassVar = {OPEN: OpenAttackForm, rules.SET: SetForm, rules.DEFEND: DefendForm}
    rolls = Kind.ACTION.value

    def prepare(self, context: ProcedureContext, name: str, given: Values) -> Values:
        makes = {OPEN: _declared, rules.SET: _set, rules.DEFEND: _guard}
        return makes[name](context, given)

    def reads(self, state: Attack, seen: Snapshot) -> Attack:
        """Read the sheets as they are now, until levels are marked."""
        if self.is_over(state):
            return state
        values = {who: snapshot.values for who, snapshot in seen.sheets.items() if snapshot.system == SYSTEM}
        return reckoned(state, values, seen.settings or Settings(), seen.extra_dice)

    def next_roll(self, state: Attack) -> NextRoll | None:
        """Return the rolls that are due, one after the other."""
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
        staged = Staged(
            above=_("Attack"),
            title=_("{name} attacks {target}").format(name=state.attack.called, target=state.target),
            faces=[character for character in (state.attack.character, state.character) if character],
            notes=[words.terms(state), *words.lines(state)],
            odds=words.odds(state),
            offers=[offered for offered in buttons if not offered.primary],
            acts=[offered for offered in buttons if offered.primary],
        )
        return {"staged": staged}

    def button_words(self, state: Attack, available: AvailableAct) -> str:
        if available.name == rules.DAMAGE and state.figures and (state.open_a or not state.strength):
            dice = dice_words(damage_dice(state.blow, state.over, state.decisions))
            return _("Roll damage: {dice}").format(dice=dice)
        return str(BUTTONS[available.name])

    def primary(self, state: Attack, available: AvailableAct) -> bool:
        return available.name in (rules.DAMAGE, rules.SOAK, rules.ROLL)

    def said(self, state: Attack, name: str, whom: str) -> str:
        """Return the log line for the state after the act; "" for an act whose rolls tell its result."""
        if name == rules.DEFEND and state.guard:
            return words.guards(state, words.DEFENDED)
        soaks = name == rules.SOAK and (state.soak or state.taken is None)
        if soaks or name in (rules.ROLL, rules.DAMAGE) or (name == ROLLED and state.due):
            return ""
        sentence = {
            OPEN: _("{name} attacked {target}: {terms}."),
            rules.SET: _("{name}’s attack on {target} was set: {terms}."),
            rules.TAKE: _("{target} didn’t defend."),
        }.get(name)
        if sentence is None:
            return words.outcome(state)
        return sentence.format(name=state.attack.called, target=state.target, terms=words.terms(state))
