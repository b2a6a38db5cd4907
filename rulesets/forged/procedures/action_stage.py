"""A staged action as the stage shows it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from rolls.rules.procedures import Button, Values
from rolls.stage import Mark, Row, Setting, Staged, dice_words
from rulesets.forged.procedures import action_words as words
from rulesets.forged.rules.action import EFFECTS, POSITIONS, Effect, Position
from rulesets.forged.rules.action_state import Action, ActionStage
from rulesets.forged.table.words import EFFECT_WORDS, POSITION_WORDS

ROLL: Final = "roll"
STEPS: Final = ("Goal", "Position", "Help & roll", "Consequences")
USUAL: Final = (Effect.LIMITED, Effect.STANDARD, Effect.GREAT)


def staged(state: Action, card: Values) -> Staged:
    """Draw the state by what `describe` has said of it."""
    first, single = card["participants"][0], not state.group
    before, odds = card["before"], card["group_odds"]
    return Staged(
        title=f"{state.actor.name}: {words.action_words(state)}",
        faces=[participant.character for participant in state.participants if not participant.cohort],
        steps=STEPS,
        step=1 if state.stage is ActionStage.ASKED else 2 if before else 3,
        settings=list(_settings(state)) if card["is_set"] and before else (),
        said=f"{card['terms']['words']}: {', '.join(card['terms']['made_of'])}." if card["terms"] else "",
        marks=list(_marks(card)),
        notes=list(_notes(state, card)),
        dice=_dice(state) if single and before and card["is_set"] else (),
        die=6,
        pool=_pool(first) if single and not card["result"] and first["pool"] != str(first["dice"]) else "",
        outcome=card["result"],
        outcome_words=_result_words(card),
        rows=[*([] if single else map(_rolls, card["participants"])), *map(_follows, card["consequences"])],
        odds=odds or (first["odds"] if single and before else None),
        offers=[*card["answers"], *([button for button in first["buttons"] if not button.primary] if single else [])],
        acts=[*card["buttons"], *(_with_dice(state, first["buttons"]) if single else [])],
        own=card["own"],
        acts_for=state.actor.name if single else "the players",
    )


def _with_dice(state: Action, buttons: Sequence[Button]) -> Iterator[Button]:
    """Yield the buttons that bring it on, that of the roll with how many dice."""
    rolled = dice_words(state.pool(state.participants[0]).rolled)
    for button in buttons:
        if button.primary:
            yield replace(button, words=f"{button.words} {rolled}") if button.name == ROLL else button


def _settings(state: Action) -> Iterator[Setting]:
    at, effect = state.in_position, state.built(state.participants[0]).level.effect
    positions = [(POSITION_WORDS[position].capitalize(), position is at) for position in POSITIONS]
    desperate = "trouble" if at is Position.DESPERATE else ""
    yield Setting(label="Position", options=positions, look=desperate)
    effects = [
        (EFFECT_WORDS[level].capitalize(), level is effect) for level in EFFECTS if level in USUAL or level is effect
    ]
    yield Setting(label="Effect", options=effects)


def _dice(state: Action) -> list[str]:
    return [""] * state.pool(state.participants[0]).rolled


def _pool(participant: Values) -> str:
    """Return words such as "3 dice (2, push +1)"."""
    dice = dice_words(participant["dice"])
    return dice if participant["pool"] == str(participant["dice"]) else f"{dice} ({participant['pool']})"


def _marks(card: Values) -> Iterator[Mark]:
    first = card["participants"][0]
    if card["result"]:
        return
    if first["stress"]:
        yield Mark(f"{first['stress']} stress")
    if first["severe"]:
        yield Mark(f"{first['severe']}: help or a push", "trouble")
    if first["less"]:
        yield Mark(first["less"], "trouble")


def _notes(state: Action, card: Values) -> Iterator[str]:
    terms = card["terms"]
    if not terms:
        yield "The GM has yet to set position and effect."
        if card["tokens"]:
            yield f"Waits for this: {'; '.join(card['tokens'])}."
    elif card["before"]:
        why = f": {terms['why']}" if terms["why"] else ""
        made_of = ", ".join(terms["made_of"])
        yield f"{made_of[:1].upper()}{made_of[1:]}{why}."
    if terms and terms["clock"]:
        gone = ", which is no longer on the table: the GM says where its ticks go" if terms["clock_gone"] else ""
        yield f"Ticks {terms['clock']}{gone}."
    if trade := card["trade"]:
        offered = "Traded" if trade["agreed"] else f"{trade['by']} offers a trade"
        yield f"{offered}: {trade['words']}."
    if bargain := card["bargain"]:
        yield f"Devil’s Bargain: {bargain['words']} ({_bargain(bargain)})"


def _bargain(bargain: Values) -> str:
    if bargain["taken"]:
        return f"taken, of {bargain['by']}"
    return f"{bargain['by']} offers it for +1 die{'; not beside a push for a die' if bargain['pushed'] else ''}"


def _result_words(card: Values) -> str:
    terms, ticks = card["terms"], card["ticks"]
    if not (ticks and terms and terms["clock"] and not terms["clock_gone"]):
        return ""
    return f"{ticks} tick{'' if ticks == 1 else 's'} on {terms['clock']}"


def _rolls(participant: dict[str, Any]) -> Row:
    marks = [Mark(f"{participant['stress']} stress")] if participant["stress"] else []
    marks += [Mark("ready", "good")] if participant["ready"] and not participant["result"] else []
    marks += [Mark(f"{participant['severe']}: help or a push", "trouble")] if participant["severe"] else []
    marks += [Mark(participant["less"], "trouble")] if participant["less"] else []
    effect = f"{participant['effect']} effect" if participant["effect"] else ""
    return Row(
        whose=participant["name"],
        words=participant["result"] or _pool(participant),
        detail=effect,
        marks=() if participant["result"] else marks,
        odds=participant["odds"],
        buttons=participant["buttons"],
        about=participant["about"],
        acts_for=participant["name"],
    )


def _follows(consequence: dict[str, Any]) -> Row:
    marks = [Mark("resisted", "good")] if consequence["resisted"] else []
    marks += [Mark("no row is free: fatal", "trouble")] if consequence["fatal"] else []
    marks += [Mark("the trauma comes first", "trouble")] if consequence["full"] else []
    marks += [Mark(consequence["armor"])] if consequence["armor"] else []
    instead = f", for {consequence['instead_of']}" if consequence["instead_of"] else ""
    gone = (
        f"{consequence['clock_gone']} is no longer on the table: the GM says where its ticks go."
        if consequence["clock_gone"]
        else ""
    )
    return Row(
        words=consequence["words"],
        detail=f"{consequence['whom']}{instead} · {consequence['became'] or consequence['resists']}",
        lines=[gone] if gone else (),
        marks=marks,
        look="settled" if consequence["became"] else "trouble",
        buttons=consequence["buttons"],
        about=consequence["words"],
        acts_for=consequence["whom"],
    )
