"""The words for an attack: its card with exact odds, its buttons, its lines in the log."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

from rolls.odds.bar import Part, bar
from rolls.rules.acts import AvailableAct
from rolls.rules.procedures import OPEN, ROLLED, Button, Values
from rolls.stage import Staged
from rulesets.storyteller.attack_odds import MISS, Blow, hits, outcomes
from rulesets.storyteller.attack_odds import MOST_DICE as MOST_TOLD
from rulesets.storyteller.procedures.sides import roll_words
from rulesets.storyteller.rules import attack as rules
from rulesets.storyteller.rules.attack import Attack, AttackStage, Defence
from rulesets.storyteller.rules.damage import damage_dice

DEFENCES: Final = {
    Defence.DODGE: "Dodge: Dexterity + Athletics",
    Defence.BLOCK: "Block: Dexterity + Brawl",
    Defence.PARRY: "Parry: Dexterity + Melee",
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


def describe(state: Attack, buttons: Sequence[Button]) -> Values:
    return {
        "stage": state.stage.value,
        "staged": Staged(
            above="Attack",
            title=f"{state.attack.name} attacks {state.target}",
            faces=[character for character in (state.attack.character, state.character) if character],
            notes=[
                f"{roll_words(state.attack)}{', with Willpower' if state.willpower else ''}; {damage_words(state)}",
                *(f"{line}." for line in _lines(state)),
            ],
            odds=(likely := odds(state)),
            offers=[offered for offered in buttons if not offered.primary],
            acts=[offered for offered in buttons if offered.primary],
        ),
        "pool": roll_words(state.attack) + (", with Willpower" if state.willpower else ""),
        "damage": damage_words(state),
        "lines": list(_lines(state)),
        "odds": likely,
        "buttons": buttons,
    }


def damage_words(state: Attack) -> str:
    """ "Strength + 2 dice of lethal damage"."""
    dice = [_dice(state.dice)] if state.dice or not state.strength else []
    made_of = " + ".join([*(["Strength"] if state.strength else []), *dice])
    return f"{made_of} of {state.harm} damage"


def _lines(state: Attack) -> list[str]:
    """Return what has come of it so far."""
    lines = []
    if state.attacked:
        lines.append(f"{state.attack.name}: {_count(state.attacked.successes)}")
    if state.guard:
        gave = f": {_count(state.guarded.successes)}" if state.guarded else ""
        lines.append(f"{state.target} {DEFENDS[state.defence or Defence.DODGE]} with {roll_words(state.guard)}{gave}")
    if state.stage in (AttackStage.HIT, AttackStage.SOAKING, AttackStage.DONE):
        lines.append(f"It hits by {state.over}")
    if state.damaged:
        lines.append(f"Damage: {_count(state.damaged.successes)}")
    return lines


def odds(state: Attack) -> dict[str, Any] | None:
    """Exact, undefended: of who attacks alone where the target's figures are not known to whoever reads this."""
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


def button(state: Attack, offer: AvailableAct) -> str:
    if offer.name == rules.DAMAGE and state.figures and (state.open_a or not state.strength):
        return f"Roll damage: {_dice(damage_dice(state.blow, state.over, state.decisions))}"
    return BUTTONS[offer.name]


def said(state: Attack, name: str) -> str:
    """The sentence of the log, for the state after the act."""
    who, target = state.attack.name, state.target
    if name == OPEN:
        return f"{who} attacks {target}: {roll_words(state.attack)}; {damage_words(state)}"
    if name == rules.SET:
        return f"sets the attack of {who} on {target}: {roll_words(state.attack)}; {damage_words(state)}"
    if name == rules.TAKE:
        return f"{target} doesn’t defend"
    if name == rules.DEFEND and state.guard:
        return f"{target} {DEFENDS[state.defence or Defence.DODGE]} with {roll_words(state.guard)}"
    if name == rules.WITHDRAW:
        return f"calls off the attack of {who} on {target}"
    if name in (rules.ROLL, rules.DAMAGE):
        return ""
    if name == rules.SOAK and not state.soak and state.taken is not None:
        return f"{outcome(state)}"
    if name == rules.SOAK:
        return ""
    if name == ROLLED and state.due:
        return ""  # the other roll of the same press comes next
    return outcome(state)


def outcome(state: Attack) -> str:
    """ "Silas hits Corvina by 2", "Corvina takes 3 lethal health levels"."""
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
    levels = "health level" if taken == 1 else "health levels"
    beyond = f", {state.beyond} of them beyond the last" if state.beyond else ""
    return f"takes {taken} {state.harm} {levels}{beyond}"


def _dice(number: int) -> str:
    return "1 die" if number == 1 else f"{number} dice"


def _count(number: int) -> str:
    return "1 success" if number == 1 else f"{number} successes"
