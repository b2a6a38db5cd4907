"""An attack as whoever has their turn prepares it on the card of a conflict: each press draws it again with its odds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.text import capfirst

from languages.text import colon, gettext, ngettext, pgettext
from rolls.forms.asked import ActForm
from rolls.stage import Prepared, Press, Presses, dice_words, faces
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
        """Return the pools, targets and damage to press, with the odds, or why there are none."""
        one: Participant = target[0]
        who = table.find(Person, one.character) if one.character else None
        pressed = given.get("pool", "").strip() if given.get("character") == one.id else ""
        pools = [pressed] if pressed else _usual(table, one, who)
        those = [
            other for key, _name in foes(procedure, table, one) for other in procedure.participants if other.id == key
        ]
        roll = next((pool for pool in pools if pool == given.get("roll")), pools[0])
        foe = next((other for other in those if other.id == given.get("target")), those[0] if those else None)
        is_set = _set(given, roll, who)
        attack, why = Attack(), ""
        try:
            attack.open(
                table, **procedure.attacking(table, one, roll, foe.id if foe else ""), **is_set | {"willpower": False}
            )
            attack.willpower = is_set["willpower"]
        except RuleError as refused:
            why = refused.message
        read = {pool: _read(table, one, who, pool) for pool in pools}
        words, dice = read[roll]
        points = SHEET.number(who.values, "willpower_now") if who and not who.quick else 0
        sent = {"roll": roll, "for": roll, "target": foe.id if foe else "", **is_set}
        return {
            "prepared": Prepared(
                kept={name: "on" if value is True else value for name, value in sent.items()},
                rows=[
                    _with(read, roll, attack.attack.difficulty, is_set["willpower"] if points else None),
                    Presses(
                        "target",
                        gettext("Target"),
                        faces("target", those, foe),
                        "" if those else gettext("There’s no one to attack. Add a combatant."),
                    ),
                    _damage(is_set, who),
                ],
                odds=None if why else attack.odds(table),
                sends=gettext("Attack {name}").format(name=foe.name) if foe else "",
                strong=f"{words}{colon()}{dice_words(dice)}" if words else dice_words(dice),
                words=gettext("undefended"),
                why=why,
            )
        }


def _set(given: Mapping[str, Any], roll: str, who: Person | None) -> dict[str, Any]:
    """Return what goes with this pool; Strength that was pressed for one is no answer for another."""
    by_hand = any(word in roll.lower() for word in BY_HAND)
    strength = given.get("strength") if given.get("for") == roll else by_hand
    return {
        "willpower": bool(given.get("willpower")),
        "dice": min(MOST_DAMAGE_DICE, int(dice[:3])) if (dice := given.get("dice", "")).isdecimal() else 0,
        "strength": bool(strength) and who is not None,
        "harm": Harm(given["harm"]) if given.get("harm") in [*Harm] else Harm.BASHING,
    }


def _with(read: Mapping[str, tuple[str, int]], roll: str, difficulty: int, willpower: bool | None) -> Presses:
    """Return the line of the pools, and of Willpower if there is some."""
    pools = [
        Press(
            name="roll",
            value=pool,
            on=pool == roll,
            key=f"roll-{at}",
            words=words or dice_words(dice),
            strong=str(dice) if words else "",
        )
        for at, (pool, (words, dice)) in enumerate(read.items(), start=1)
    ]
    spent = [_box("willpower", gettext("Willpower"), is_on=bool(willpower))] if willpower is not None else []
    hard = Press(words=gettext("Difficulty"), strong=str(difficulty))
    return Presses("with", pgettext("an attack", "With"), [*pools, hard, *spent])


def _damage(is_set: Mapping[str, Any], who: Person | None) -> Presses:
    dice = is_set["dice"]
    strength = _box("strength", gettext("Strength"), is_on=is_set["strength"], strong=who.strength if who else "")
    less, more = gettext("One die of damage less"), gettext("One die of damage more")
    added = ngettext("+{n} die", "+{n} dice", dice).format(n=dice)
    return Presses(
        "damage",
        gettext("Damage"),
        [
            *([strength] if who else []),
            Press(name="dice", value=max(0, dice - 1), words="−", label=less, key="fewer"),
            Press(words=added),
            Press(name="dice", value=min(MOST_DAMAGE_DICE, dice + 1), words="+", label=more, key="more"),
            *(
                Press(name="harm", value=harm, words=capfirst(str(words)), on=harm is is_set["harm"], key=harm)
                for harm, words in HARM_WORDS.items()
            ),
        ],
    )


def _box(name: str, words: str, *, is_on: bool, strong: object = "") -> Press:
    return Press(name=name, value="" if is_on else "on", words=words, on=is_on, strong=str(strong), key=name)


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
