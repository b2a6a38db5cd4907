"""The attack at the table: its forms, what it reads of sheets, its rolls, and its words with exact odds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, ClassVar, Final
from uuid import UUID

from django import forms

from campaigns.errors import Invalid
from campaigns.forms.fields import LineField
from campaigns.models import Role, Viewer
from campaigns.text import counted
from characters.models import Character
from characters.sheets.sheet import Values as Sheet
from rolls.forms.fields import UsualNumber
from rolls.forms.fields import said as range_said
from rolls.models import Procedure
from rolls.odds.shown import Part, bar
from rolls.procedures import NO_CHARACTER, NextRoll, ProcedureContext, ProcedureForm, ProcedureKind
from rolls.rules.acts import AvailableAct, Target
from rolls.rules.procedures import OPEN, ROLLED, Button, RollPart, Snapshot, Values
from rolls.rules.states import restored
from rolls.services.rule_errors import by_the_rules
from rolls.stage import Staged, dice_words
from rulesets.storyteller import sheet
from rulesets.storyteller.attack_odds import MISS, Blow, hits, outcomes
from rulesets.storyteller.attack_odds import MOST_DICE as MOST_TOLD
from rulesets.storyteller.procedures import sides
from rulesets.storyteller.rules import attack as rules
from rulesets.storyteller.rules.attack import Attack, AttackRules, AttackStage, Defence, Figures
from rulesets.storyteller.rules.contested import LONGEST_NAME, Side
from rulesets.storyteller.rules.damage import MOST_DAMAGE_DICE, Body, Harm, Health, damage_dice, decisions_of
from rulesets.storyteller.rules.roll import Kind
from rulesets.storyteller.settings import HIGHEST_DIFFICULTY, LOWEST_DIFFICULTY, Settings
from rulesets.storyteller.table.ask import NAME as SYSTEM
from rulesets.storyteller.table.ask import StorytellerInput

DEFENCES: Final = {
    Defence.DODGE: ("dexterity", "athletics"),
    Defence.BLOCK: ("dexterity", "brawl"),
    Defence.PARRY: ("dexterity", "melee"),
}
DEFENDS: Final = {Defence.DODGE: "dodges", Defence.BLOCK: "blocks", Defence.PARRY: "parries"}
BUTTONS: Final = {
    rules.TAKE: "Take it",
    rules.DEFEND: "Defend…",
    rules.SET: "Change terms…",
    rules.WITHDRAW: "Call it off",
    rules.ROLL: "Roll again",
    rules.DAMAGE: "Roll damage",
    rules.SOAK: "Soak",
}


def damage_words(state: Attack) -> str:
    """Return words such as "Strength + 2 dice of lethal damage"."""
    dice = [dice_words(state.dice)] if state.dice or not state.strength else []
    made_of = " + ".join([*(["Strength"] if state.strength else []), *dice])
    return f"{made_of} of {state.harm} damage"


def _lines(state: Attack) -> list[str]:
    """Return what has come of it so far."""
    lines = []
    if state.attacked:
        lines.append(f"{state.attack.name}: {counted(state.attacked.successes, 'success')}")
    if state.guard:
        gave = f": {counted(state.guarded.successes, 'success')}" if state.guarded else ""
        lines.append(
            f"{state.target} {DEFENDS[state.defence or Defence.DODGE]} with {sides.roll_words(state.guard)}{gave}"
        )
    if state.stage in (AttackStage.HIT, AttackStage.SOAKING, AttackStage.DONE):
        lines.append(f"It hits by {state.over}")
    if state.damaged:
        lines.append(f"Damage: {counted(state.damaged.successes, 'success')}")
    return lines


def odds(state: Attack) -> dict[str, Any] | None:
    """Return the exact odds, undefended: of who attacks alone where the target's figures are not known to the reader."""
    if state.stage is not AttackStage.DECLARED or not state.known.attack or state.known.attack > MOST_TOLD:
        return None
    blow = Blow(
        attack=state.known.attack,
        difficulty=state.attack.difficulty,
        dice=state.blow,
        harm=state.harm,
        body=state.known.body,
        willpower=state.willpower,
    )
    chances = outcomes(blow, state.decisions) if state.open_b or state.known.health else None
    if chances is None:
        chance = 1 - hits(blow, state.decisions).get(0, Fraction())
        parts = [Part("bad", "misses", 1 - chance), Part("good", "hits", chance)]
    else:
        worse = sum((chance for taken, chance in chances.items() if taken > 2), Fraction())
        parts = [
            Part("bad", "misses", chances.get(MISS, Fraction())),
            Part("fair", "hits for nothing", chances.get(0, Fraction())),
            Part("good", "1 or 2 levels", chances.get(1, Fraction()) + chances.get(2, Fraction())),
            Part("good", "3 or more", worse),
        ]
    return bar(parts, dice=blow.attack, lines=["if it isn’t defended"])


def outcome(state: Attack) -> str:
    """Return words such as "Silas hits Corvina by 2", "Corvina takes 3 lethal health levels"."""
    who, target = state.attack.name, state.target
    match state.stage:
        case AttackStage.MISSED:
            return f"{who} misses {target}"
        case AttackStage.HIT:
            return f"{who} hits {target} by {state.over}"
        case AttackStage.SOAKING:
            damage = state.damaged.successes if state.damaged else 0
            return f"{who} deals {damage} {state.harm} damage; {target} may soak"
        case AttackStage.DONE:
            return f"{target} {taken_words(state)}"
        case AttackStage.WITHDRAWN:
            return f"The attack of {who} on {target} is called off"
    return f"The attack of {who} on {target}"


def taken_words(state: Attack) -> str:
    taken = state.taken or 0
    if not taken:
        return "takes no damage"
    beyond = f", {state.beyond} of them beyond the last" if state.beyond else ""
    return f"takes {taken} {state.harm} health level{'' if taken == 1 else 's'}{beyond}"


USUAL_SOAK: Final = 2
"""Of who has no sheet: the Stamina of most people."""
MOST_SOAK: Final = 20


class OwnDifficulty(forms.IntegerField):
    """2 to 10; left empty the one that the campaign has set."""

    def __init__(self) -> None:
        words_of = range_said(f"A difficulty goes from {LOWEST_DIFFICULTY} to {HIGHEST_DIFFICULTY}.")
        super().__init__(
            min_value=LOWEST_DIFFICULTY, max_value=HIGHEST_DIFFICULTY, required=False, error_messages=words_of
        )


class BlowForm(ProcedureForm):
    """Asks what hits, how hard: the GM's to set. `soak` and `mortal` are for a target without a sheet."""

    difficulty = OwnDifficulty()
    dice = UsualNumber("The dice of damage", 0, MOST_DAMAGE_DICE, 0)
    strength = forms.BooleanField(required=False)
    harm = forms.ChoiceField(choices=[(harm.value, harm.value) for harm in Harm], required=False)
    soak = UsualNumber("Soak", 0, MOST_SOAK, USUAL_SOAK)
    mortal = forms.BooleanField(required=False)

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        return {"harm": [(harm.value, harm.value) for harm in Harm], "is_gm": viewer.is_gm, "now": None}


class SetForm(BlowForm):
    @classmethod
    def choices_in(cls, viewer: Viewer, procedure: Procedure, target: Target) -> dict[str, Any]:
        return cls.choices(viewer) | {"now": restored(Attack, procedure.state)}


class OpenAttackForm(BlowForm):
    """Asks who attacks with what, and whom."""

    against_field, own_field = "target", "a_character"

    a_character = forms.UUIDField(required=False)
    a_name = LineField(max_length=LONGEST_NAME, required=False)
    a_pool = LineField(max_length=120, required=False)
    willpower = forms.BooleanField(required=False)
    target = forms.UUIDField(required=False)
    target_name = LineField(max_length=LONGEST_NAME, required=False)

    @classmethod
    def choices(cls, viewer: Viewer) -> dict[str, Any]:
        named = [
            (str(character.pk), character.name)
            for character in sides.characters_for(viewer)
            if character.system == SYSTEM
        ]
        against = [
            (str(character.pk), character.name)
            for character in sides.known_to_players(viewer)
            if character.system == SYSTEM
        ]
        nothing = "" if named or viewer.is_gm else NO_CHARACTER
        return super().choices(viewer) | {"characters": named, "targets": against, "nothing": nothing}


class DefendForm(ProcedureForm):
    """Asks how somebody defends, and with what: left empty, with what that takes."""

    how = forms.ChoiceField(choices=[(defence.value, defence.value) for defence in DEFENCES])
    pool = LineField(max_length=120, required=False)
    difficulty = OwnDifficulty()
    willpower = forms.BooleanField(required=False)

    @classmethod
    def choices_in(cls, viewer: Viewer, procedure: Procedure, target: Target) -> dict[str, Any]:
        state = restored(Attack, procedure.state)
        how = [
            (defence.value, f"{defence.capitalize()}: {' + '.join(trait.capitalize() for trait in traits)}")
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
    """Return what attacks: an action, whatever it is rolled with. Its difficulty is a GM's to set."""
    set_by_gm = given["difficulty"] if context.actor.is_gm else None
    attack = sides.side(context, {**given, "a_difficulty": set_by_gm or settings.attack_difficulty}, "a_")
    if not attack.traits and attack.dice is None:
        raise Invalid("Say what to roll, such as Dexterity + Firearms.", field="a_pool")
    return replace(attack, kind=Kind.ACTION.value)


def _target(context: ProcedureContext, given: Values) -> Character | None:
    """Return a character, or None for somebody who has only a name."""
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
    label = "Attack"
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
        willpower = ", with Willpower" if state.willpower else ""
        staged = Staged(
            above="Attack",
            title=f"{state.attack.name} attacks {state.target}",
            faces=[character for character in (state.attack.character, state.character) if character],
            notes=[
                f"{sides.roll_words(state.attack)}{willpower}; {damage_words(state)}",
                *(f"{line}." for line in _lines(state)),
            ],
            odds=odds(state),
            offers=[offered for offered in buttons if not offered.primary],
            acts=[offered for offered in buttons if offered.primary],
        )
        return {"staged": staged}

    def button_words(self, state: Attack, available: AvailableAct) -> str:
        if available.name == rules.DAMAGE and state.figures and (state.open_a or not state.strength):
            return f"Roll damage: {dice_words(damage_dice(state.blow, state.over, state.decisions))}"
        return BUTTONS[available.name]

    def primary(self, state: Attack, available: AvailableAct) -> bool:
        return available.name in (rules.DAMAGE, rules.SOAK, rules.ROLL)

    def said(self, state: Attack, name: str, whom: str) -> str:
        """Return the sentence of the log for the state after the act; none for an act whose rolls tell what came of it."""
        who, target = state.attack.name, state.target
        if name == rules.DEFEND and state.guard:
            return f"{target} {DEFENDS[state.defence or Defence.DODGE]} with {sides.roll_words(state.guard)}"
        soaks = name == rules.SOAK and (state.soak or state.taken is None)
        if soaks or name in (rules.ROLL, rules.DAMAGE) or (name == ROLLED and state.due):
            return ""
        terms = f"{sides.roll_words(state.attack)}; {damage_words(state)}"
        return {
            OPEN: f"{who} attacks {target}: {terms}",
            rules.SET: f"sets the attack of {who} on {target}: {terms}",
            rules.TAKE: f"{target} doesn’t defend",
            rules.WITHDRAW: f"calls off the attack of {who} on {target}",
        }.get(name) or outcome(state)
