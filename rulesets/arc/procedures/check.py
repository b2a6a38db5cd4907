"""A check at the table: its words, and what its card draws (rules/check_steps.py says what may be done when)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from campaigns.models import Role
from campaigns.text import signed
from rolls.procedures import ProcedureContext, ProcedureKind
from rolls.rules.acts import AvailableAct
from rolls.rules.procedures import OPEN, RECOUNTED, ROLLED, Button, Values
from rolls.stage import Entry, Mark, Staged
from rolls.stage import Side as StageSide
from rulesets.arc.procedures.check_forms import FORMS, prepare
from rulesets.arc.rules import check_steps as rules
from rulesets.arc.rules.check_steps import KEYS, CheckRules, Side, TableCheck
from rulesets.arc.settings import Level
from rulesets.arc.sheet import SHEET

RESULTS: Final = {"": "", rules.OPEN_SIDE: "has rolled", rules.SUCCESS: "success", rules.FAILURE: "failure"}


def _what(side: Side) -> str:
    """Return words such as "Control + Tamper"."""
    stat = str(SHEET.fields[side.stat].label) if side.stat else ""
    return " + ".join(filter(None, [stat, side.skill[:1].upper() + side.skill[1:]])) or "a check"


def _against(state: TableCheck) -> str:
    """Return what has to be exceeded: "average, 9", "Vesper, Intellect + Watch"."""
    if len(state.sides) > 1:
        return f"against {state.sides[1].name}, {_what(state.sides[1])}"
    if state.announced:
        return "opposed" if state.opposed else ""
    level = state.level.words if state.threshold is None else "threshold"
    return f"{level} {state.value_to_exceed}"


def _chips(state: TableCheck, key: str) -> str:
    """Return words such as "higher ground +1, size −1"."""
    chips = [f"{chip.word} {signed(chip.value)}" for chip in state.counting(key)]
    if steps := state.steps_larger(key):
        chips.append(f"size {signed(steps)}")
    return ", ".join(chips)


def _whole(state: TableCheck) -> str:
    first = state.sides[0]
    words = [f"{first.name}, {_what(first)}", _against(state), _chips(state, KEYS[0])]
    return ", ".join(filter(None, words))


def _staged(state: TableCheck, buttons: Sequence[Button]) -> Staged:
    against = _against(state)[:1].upper() + _against(state)[1:]
    note = f"{against}{', in a fight' if state.fight else ''}."
    if state.announced:
        note = f"{f'{against}. ' if against else ''}The GM has yet to say how hard it is."
    levels = [button for button in buttons if button.name in (rules.COUNTERED, rules.LEVEL)]
    withdraw = [button for button in buttons if button.name == rules.WITHDRAW]
    return Staged(
        above="Check",
        notes=[note],
        sides=[_side(state, key, side, buttons) for key, side in zip(KEYS, state.sides, strict=False)],
        offers=[button for button in buttons if not button.whom and button not in (*levels, *withdraw)],
        theirs=withdraw,
        own=levels,
    )


def _side(state: TableCheck, key: str, side: Side, buttons: Sequence[Button]) -> StageSide:
    steps, total, result = state.steps_larger(key), state.other(key), RESULTS[side.result]
    chips = [
        Entry(
            words=chip.word,
            value=signed(chip.value),
            look="proposed" if chip.proposed else "",
            buttons=[button for button in buttons if button.whom == chip.key],
        )
        for chip in state.chips
        if chip.side == key
    ]
    return StageSide(
        name=side.name,
        character=side.character or "",
        words=_what(side),
        marks=[Mark(result)] if result else (),
        entries=[*chips, *([Entry(words="size", value=signed(steps))] if steps else [])],
        warnings=[f"Together {signed(total)}."] if total else (),
    )


class CheckProcedure(CheckRules, ProcedureKind[TableCheck]):
    label = "Check"
    opened_by = Role.PLAYER
    forms = FORMS
    others_go_by_it = True

    def prepare(self, context: ProcedureContext, name: str, given: Values) -> Values:
        return prepare(context, name, given)

    def describe(self, state: TableCheck, buttons: Sequence[Button]) -> Values:
        """Return the `staged` card, and what its forms ask with: the `sides`, whether it is a `fight`, and its level."""
        sides = [{"key": key, "name": side.name} for key, side in zip(KEYS, state.sides, strict=False)]
        staged = _staged(state, buttons)
        return {"staged": staged, "sides": sides, "fight": state.fight, "set_level": state.level.value}

    def button_words(self, state: TableCheck, available: AvailableAct) -> str:
        if available.name == rules.LEVEL:
            (level,) = available.target
            return f"{level.words.capitalize()} {state.thresholds[list(Level).index(level)]}"
        if available.name == rules.COUNTERED:
            return f"{state.sides[1].name} counters it"
        if available.name == rules.CHIP:
            return "What speaks for it or against it"
        return {
            rules.SET: "Set it otherwise" if not state.announced else "Another threshold",
            rules.OPPOSE: "Somebody else counters it" if len(state.sides) > 1 else "Somebody counters it",
            rules.COUNT: "Count it",
            rules.DROP: "Drop it",
            rules.WITHDRAW: "Take it back",
        }[available.name]

    def said(self, state: TableCheck, name: str, whom: str) -> str:
        """Return the sentence of the log. Chips that are counted one by one are told with the check that is set."""
        if name == OPEN:
            return f"{'announces' if state.announced else 'calls'} a check: {_whole(state)}"
        if name in (rules.SET, rules.OPPOSE, rules.COUNTERED, rules.LEVEL, *Level):
            return f"sets the check of {_whole(state)}"
        if name == rules.WITHDRAW:
            return f"takes back the check that was announced: {_whole(state)}"
        if name in (rules.CHIP, rules.COUNT, rules.DROP):
            return ""
        if name in (ROLLED, RECOUNTED) and len(state.sides) == 1:
            return ""  # its card says it
        again = "counted again, " if name == RECOUNTED else ""
        first, *others = state.sides
        if not others:
            return f"Check of {_whole(state)}"
        if first.result in (rules.SUCCESS, rules.FAILURE):
            ends = "succeeds" if first.result == rules.SUCCESS else "fails"
            return f"Opposed check: {again}{first.name} {ends} against {others[0].name}"
        return ""  # the card of who has rolled says who is waited for
