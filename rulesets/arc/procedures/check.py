"""A check at the table: its words, and what its card draws (rules/check.py says what may be done when)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from campaigns.models import Role
from campaigns.text import signed
from languages.text import gettext_lazy, pgettext_lazy
from rolls.procedures import ProcedureContext, ProcedureKind
from rolls.stage import Entry, Mark, Staged
from rolls.stage import Side as StageSide
from rules.acts import AvailableAct
from rules.procedures import OPEN, RECOUNTED, ROLLED, Button, Values
from rulesets.arc.procedures.check_forms import FORMS, prepare
from rulesets.arc.rules import check as rules
from rulesets.arc.rules.check import KEYS, CheckRules, Side, TableCheck
from rulesets.arc.settings import LEVEL_LABELS, Level
from rulesets.arc.sheet import SHEET

RESULTS: Final = {
    "": "",
    rules.OPEN_SIDE: gettext_lazy("has rolled"),
    rules.SUCCESS: gettext_lazy("success"),
    rules.FAILURE: gettext_lazy("failure"),
}


def _what(side: Side) -> str:
    """Return words such as "Control + Tamper"."""
    stat = str(SHEET.fields[side.stat].label) if side.stat else ""
    return " + ".join(filter(None, [stat, side.skill[:1].upper() + side.skill[1:]])) or _("a check")


def _against(state: TableCheck) -> str:
    """Return what has to be exceeded: "average 9", "against Vesper (Intellect + Watch)"."""
    if len(state.sides) > 1:
        other = state.sides[1]
        return _("against {name} ({check})").format(name=other.called, check=_what(other))
    if state.announced:
        return _("opposed") if state.opposed else ""
    if state.threshold is None:
        return f"{state.level.words} {state.value_to_exceed}"
    return _("threshold {number}").format(number=state.value_to_exceed)


def _chips(state: TableCheck, key: str) -> str:
    """Return words such as "higher ground +1, size −1"."""
    chips = [f"{chip.called} {signed(chip.value)}" for chip in state.counting(key)]
    if steps := state.steps_larger(key):
        chips.append(_("size {change}").format(change=signed(steps)))
    return ", ".join(chips)


def _whole(state: TableCheck) -> str:
    """Return all of a check but who rolls it: "Control + Tamper, average 9, higher ground +1"."""
    return ", ".join(filter(None, (_what(state.sides[0]), _against(state), _chips(state, KEYS[0]))))


def _note(state: TableCheck) -> str:
    against = capfirst(_against(state))
    if state.announced:
        waits = _("The GM hasn’t set the difficulty yet.")
        return f"{against}. {waits}" if against else waits
    return _("{against}, in a fight.").format(against=against) if state.fight else f"{against}."


def _staged(state: TableCheck, buttons: Sequence[Button]) -> Staged:
    levels = [button for button in buttons if button.name in (rules.COUNTERED, rules.LEVEL)]
    withdraw = [button for button in buttons if button.name == rules.WITHDRAW]
    return Staged(
        above=str(CheckProcedure.label),
        notes=[_note(state)],
        sides=[_side(state, key, side, buttons) for key, side in zip(KEYS, state.sides, strict=False)],
        offers=[button for button in buttons if not button.whom and button not in (*levels, *withdraw)],
        theirs=withdraw,
        own=levels,
    )


def _side(state: TableCheck, key: str, side: Side, buttons: Sequence[Button]) -> StageSide:
    steps, total, result = state.steps_larger(key), state.other(key), str(RESULTS[side.result])
    chips = [
        Entry(
            words=chip.called,
            value=signed(chip.value),
            look="proposed" if chip.proposed else "",
            buttons=[button for button in buttons if button.whom == chip.key],
        )
        for chip in state.chips
        if chip.side == key
    ]
    return StageSide(
        name=side.called,
        character=side.character or "",
        words=_what(side),
        marks=[Mark(result)] if result else (),
        entries=[*chips, *([Entry(words=_("size"), value=signed(steps))] if steps else [])],
        warnings=[_("Total: {total}.").format(total=signed(total))] if total else (),
    )


def _opposed(first: Side, other: Side, *, again: bool) -> str:
    if first.result == rules.SUCCESS:
        words = (
            _("Counted again: {name} succeeded against {other}.") if again else _("{name} succeeded against {other}.")
        )
    else:
        words = _("Counted again: {name} failed against {other}.") if again else _("{name} failed against {other}.")
    return words.format(name=first.called, other=other.called)


class CheckProcedure(CheckRules, ProcedureKind[TableCheck]):
    label = pgettext_lazy("a roll of VI-VIII-X", "Check")
    opened_by = Role.PLAYER
    forms = FORMS
    others_go_by_it = True

    def prepare(self, context: ProcedureContext, name: str, given: Values) -> Values:
        return prepare(context, name, given)

    def describe(self, state: TableCheck, buttons: Sequence[Button]) -> Values:
        """Return the `staged` card, and what its forms ask with: the `sides`, whether it is a `fight`, and its level."""
        sides = [{"key": key, "name": side.called} for key, side in zip(KEYS, state.sides, strict=False)]
        staged = _staged(state, buttons)
        return {"staged": staged, "sides": sides, "fight": state.fight, "set_level": state.level.value}

    def button_words(self, state: TableCheck, available: AvailableAct) -> str:
        if available.name == rules.LEVEL:
            (level,) = available.target
            return f"{LEVEL_LABELS[level]} {state.thresholds[list(Level).index(level)]}"
        if available.name == rules.COUNTERED:
            return _("Let {name} counter").format(name=state.sides[1].called)
        if available.name == rules.CHIP:
            return _("Add adjustment")
        return {
            rules.SET: _("Set another threshold") if state.announced else _("Change check"),
            rules.OPPOSE: _("Change opponent") if len(state.sides) > 1 else _("Choose opponent"),
            rules.COUNT: _("Count it"),
            rules.DROP: _("Remove it"),
            rules.WITHDRAW: _("Cancel check"),
        }[available.name]

    def said(self, state: TableCheck, name: str, whom: str) -> str:
        """Return the log line. Chips that are counted one by one are told with the check when it is set."""
        if name == OPEN:
            words = _("{name} announced a check: {check}.") if state.announced else _("{name} has a check: {check}.")
            return words.format(name=state.sides[0].called, check=_whole(state))
        if name in (rules.SET, rules.OPPOSE, rules.COUNTERED, rules.LEVEL, *Level):
            return _("{name}’s check was set: {check}.").format(name=state.sides[0].called, check=_whole(state))
        if name == rules.WITHDRAW:
            return _("{name}’s check was cancelled: {check}.").format(name=state.sides[0].called, check=_whole(state))
        if name in (rules.CHIP, rules.COUNT, rules.DROP):
            return ""
        if name in (ROLLED, RECOUNTED) and len(state.sides) == 1:
            return ""  # its card says it
        first, *others = state.sides
        if not others:
            return _("{name}’s check: {check}.").format(name=first.called, check=_whole(state))
        if first.result in (rules.SUCCESS, rules.FAILURE):
            return _opposed(first, others[0], again=name == RECOUNTED)
        return ""  # the card of who has rolled says who is waited for
