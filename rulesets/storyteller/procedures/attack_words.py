"""The words of an attack: its terms, its results, and exact odds before it is rolled."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from languages.text import gettext_lazy
from rolls.odds import Part, bar
from rolls.stage import dice_words
from rulesets.storyteller import sheet
from rulesets.storyteller.odds import MISS, Blow, blow_outcomes, hits
from rulesets.storyteller.odds import MOST_DICE as MOST_TOLD
from rulesets.storyteller.procedures import attack_sides as sides
from rulesets.storyteller.rules.attack import Attack, AttackStage, Defence
from rulesets.storyteller.rules.damage import HARM_WORDS, Harm

DEFENCE_WORDS: Final = {
    Defence.DODGE: gettext_lazy("Dodge"),
    Defence.BLOCK: gettext_lazy("Block"),
    Defence.PARRY: gettext_lazy("Parry"),
}
DEFENDS: Final = {
    Defence.DODGE: gettext_lazy("{name} dodges with {roll}."),
    Defence.BLOCK: gettext_lazy("{name} blocks with {roll}."),
    Defence.PARRY: gettext_lazy("{name} parries with {roll}."),
}
DEFENDED: Final = {
    Defence.DODGE: gettext_lazy("{name} dodged with {roll}."),
    Defence.BLOCK: gettext_lazy("{name} blocked with {roll}."),
    Defence.PARRY: gettext_lazy("{name} parried with {roll}."),
}
DAMAGE: Final = {
    Harm.BASHING: gettext_lazy("{dice} of bashing damage"),
    Harm.LETHAL: gettext_lazy("{dice} of lethal damage"),
    Harm.AGGRAVATED: gettext_lazy("{dice} of aggravated damage"),
}


def damage_words(state: Attack) -> str:
    """Return words such as "Strength + 2 dice of lethal damage"."""
    dice = [dice_words(state.dice)] if state.dice or not state.strength else []
    made_of = " + ".join([*([sheet.label_of("strength")] if state.strength else []), *dice])
    return DAMAGE[state.harm].format(dice=made_of)


def terms(state: Attack) -> str:
    """Return words such as "Dexterity + Brawl, difficulty 6; 2 dice of lethal damage"."""
    roll, damage = sides.roll_words(state.attack), damage_words(state)
    if state.willpower:
        return _("{roll}, with Willpower; {damage}").format(roll=roll, damage=damage)
    return _("{roll}; {damage}").format(roll=roll, damage=damage)


def _gave(name: str, successes: int) -> str:
    return ngettext("{name}: {count} success.", "{name}: {count} successes.", successes).format(
        name=name, count=successes
    )


def guards(state: Attack, sentences: Mapping[Defence, str]) -> str:
    """Return how the target defends."""
    roll = sides.roll_words(state.guard) if state.guard else ""
    return sentences[state.defence or Defence.DODGE].format(name=state.target, roll=roll)


def lines(state: Attack) -> list[str]:
    """Return lines for what has happened so far."""
    sentences = []
    if state.attacked:
        sentences.append(_gave(state.attack.called, state.attacked.successes))
    if state.guard:
        sentences.append(guards(state, DEFENDS))
    if state.guarded:
        sentences.append(_gave(state.target, state.guarded.successes))
    if state.stage in (AttackStage.HIT, AttackStage.SOAKING, AttackStage.DONE):
        sentences.append(_("The attack hits by {count}.").format(count=state.over))
    if state.damaged:
        sentences.append(_gave(_("Damage"), state.damaged.successes))
    return sentences


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
    chances = blow_outcomes(blow, state.decisions) if state.open_b or state.known.health else None
    if chances is None:
        chance = 1 - hits(blow, state.decisions).get(0, Fraction())
        parts = [Part("bad", _("misses"), 1 - chance), Part("good", _("hits"), chance)]
    else:
        worse = sum((chance for taken, chance in chances.items() if taken > 2), Fraction())
        parts = [
            Part("bad", _("misses"), chances.get(MISS, Fraction())),
            Part("fair", _("no damage"), chances.get(0, Fraction())),
            Part("good", _("1 or 2 levels"), chances.get(1, Fraction()) + chances.get(2, Fraction())),
            Part("good", _("3 or more"), worse),
        ]
    return bar(parts, dice=blow.attack, lines=[_("undefended")])


def outcome(state: Attack) -> str:
    """Return a sentence such as "Silas hit Corvina by 2.", "Corvina took 3 health levels (lethal)."."""
    names = {"name": state.attack.called, "target": state.target}
    match state.stage:
        case AttackStage.MISSED:
            return _("{name} missed {target}.").format(**names)
        case AttackStage.HIT:
            return _("{name} hit {target} by {count}.").format(**names, count=state.over)
        case AttackStage.SOAKING:
            damage = state.damaged.successes if state.damaged else 0
            words = _("{name} dealt {count} damage ({harm}); {target} can soak.")
            return words.format(**names, count=damage, harm=HARM_WORDS[state.harm])
        case AttackStage.DONE:
            return taken_words(state)
        case AttackStage.WITHDRAWN:
            return _("{name} called off the attack on {target}.").format(**names)
    return _("{name} attacked {target}.").format(**names)


def taken_words(state: Attack) -> str:
    taken = state.taken or 0
    if not taken:
        return _("{name} took no damage.").format(name=state.target)
    words = ngettext("{name} took {count} health level ({harm}).", "{name} took {count} health levels ({harm}).", taken)
    sentence = words.format(name=state.target, count=taken, harm=HARM_WORDS[state.harm])
    if not state.beyond:
        return sentence
    lost = ngettext(
        "{count} of them was beyond the last level.", "{count} of them were beyond the last level.", state.beyond
    )
    return f"{sentence} {lost.format(count=state.beyond)}"
