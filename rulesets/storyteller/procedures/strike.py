"""An attack as whoever has their turn prepares it on the card of a conflict: each press draws it again with its odds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rolls.forms.asked import ActForm
from rules.errors import RuleError
from rules.table import Table
from rulesets.storyteller.procedures.attack import Attack
from rulesets.storyteller.procedures.conflict import Conflict, Participant, foes
from rulesets.storyteller.rows import Person, Side
from rulesets.storyteller.rules.damage import HARM_WORDS, MOST_DAMAGE_DICE, Harm
from rulesets.storyteller.sheet import SHEET

USUAL = ("dexterity + brawl", "dexterity + melee", "dexterity + firearms")
"""What is offered while no traits of whose turn it is are pressed, the most dice first."""
BY_HAND = ("brawl", "melee")
"""The traits with which Strength counts, until somebody says otherwise."""


class StrikeForm(ActForm):
    """What was pressed comes with the card's own fields, and traits as they stand in the roll form."""

    @classmethod
    def prepared(
        cls, table: Table, procedure: Conflict, target: tuple[Any, ...], given: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the `pools` and `foes` to press, what else is `set`, and the `odds`, or `why` there are none."""
        one: Participant = target[0]
        who = table.find(Person, one.character) if one.character else None
        pressed = given.get("pool", "").strip() if given.get("character") == one.id else ""
        pools = [pressed] if pressed else _usual(table, one, who)
        those = [
            other for key, _name in foes(procedure, table, one) for other in procedure.participants if other.id == key
        ]
        roll = next((pool for pool in pools if pool == given.get("roll")), pools[0])
        foe = next((other for other in those if other.id == given.get("target")), those[0] if those else None)
        by_hand = any(word in roll.lower() for word in BY_HAND)
        # What goes with one pool is no answer for another.
        said = given if given.get("for") == roll else {"strength": by_hand, "harm": given.get("harm")}
        is_set: dict[str, Any] = {
            "willpower": bool(given.get("willpower")),
            "dice": min(MOST_DAMAGE_DICE, int(dice[:3])) if (dice := given.get("dice", "")).isdecimal() else 0,
            "strength": bool(said.get("strength")) and who is not None,
            "harm": Harm(given["harm"]) if given.get("harm") in [*Harm] else Harm.BASHING,
        }
        attack, why = Attack(), ""
        try:
            attack.open(
                table, **procedure.attacking(table, one, roll, foe.id if foe else ""), **is_set | {"willpower": False}
            )
            attack.willpower = is_set["willpower"]
        except RuleError as refused:
            why = refused.message
        return {
            "pools": [(pool, *_read(table, one, who, pool)) for pool in pools],
            "roll": roll,
            "foes": [(other, other is foe) for other in those],
            "foe": foe,
            "set": is_set,
            "harms": [(harm, words, harm is is_set["harm"]) for harm, words in HARM_WORDS.items()],
            "strong": who.strength if who else None,
            "points": SHEET.number(who.values, "willpower_now") if who and not who.quick else 0,
            "fewer": max(0, is_set["dice"] - 1),
            "more": min(MOST_DAMAGE_DICE, is_set["dice"] + 1),
            "difficulty": attack.attack.difficulty,
            "odds": None if why else attack.odds(table),
            "why": why,
        }


def _usual(table: Table, one: Participant, who: Person | None) -> list[str]:
    if who is None or who.quick:
        return [str(who.quick if who else one.traits)]
    return sorted(USUAL, key=lambda pool: -Side.of(table, who, one.name, pool, 6).dice_now(table))


def _read(table: Table, one: Participant, who: Person | None, pool: str) -> tuple[str, int]:
    """Return a pool in the words of the reader ("" for a number of dice), with its dice; as it was typed where it is none."""
    try:
        side = Side.of(table, who, one.name, pool, 6)
    except RuleError:
        return pool, 0
    return side.ask.pool if side.traits else "", side.dice_now(table)
