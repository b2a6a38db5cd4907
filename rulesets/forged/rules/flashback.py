"""A flashback at the table: the player says what happened, the GM sets the cost, and the player pays or drops it
(public rules).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from campaigns.schema import Code, Name, Uid
from characters.reasons import Reason
from characters.sheets.steps import Shift
from languages.text import gettext as _
from languages.text import gettext_lazy
from rules.acts import act, player_of
from rules.effects import StepResult, Write
from rules.errors import Block, NotPossible, whole
from rules.procedures import Act, Parties, ProcedureRules, Snapshot, Values
from rulesets.forged.rules.action_before import FULL_STRESS, full_words
from rulesets.forged.rules.score import FLASHBACK_STRESS, MOST_EXTRA_STRESS, Flashback
from rulesets.forged.settings import DEFAULTS, MOST_BOXES, Settings
from rulesets.forged.sheet import SHEET

SET, MORE, ACCEPT, DROP = "set", "more", "accept", "drop"
OWN: Final = "own"
MOST_STRESS: Final = FLASHBACK_STRESS[Flashback.ELABORATE] + MOST_EXTRA_STRESS
PAID = Reason("forged_flashback", gettext_lazy("a flashback"))
PRICES: Final = tuple(FLASHBACK_STRESS.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """A flashback: whose it is, and the `stress` it costs, None until the GM has said so; `ended` "paid" or "dropped".

    `room` is what of their stress track is not marked, None for who has left play; where a track may not be filled for it
    (`filling_counts`), all of that but the last box.
    """

    character: Uid
    name: Name
    stress: int | None = None
    ended: Code = ""
    room: int | None = MOST_BOXES
    filling_counts: bool = True

    @property
    def full(self) -> bool:
        """Return whether a trauma has to be settled first; a flashback that costs nothing goes on."""
        return bool(self.stress) and self.room is not None and self.room <= 0

    @property
    def marked(self) -> int:
        """Return the stress marked for it: its cost, as far as there is room."""
        return min(self.stress or 0, max(0, self.room or 0))

    @property
    def too_much(self) -> bool:
        return not self.filling_counts and 0 < self.marked == self.room


def room_of(values: Values, settings: Settings) -> int:
    return settings.boxes - SHEET.number(values, "stress")


def _not_now(message: str) -> NotPossible:
    return NotPossible("act", "", allowed="what is shown", message=message)


def _goes_on(state: Past) -> bool:
    return not state.ended


def _other_prices(state: Past) -> list[int]:
    return [] if state.ended else [price for price in PRICES if price != state.stress]


def _own(state: Past) -> list[str]:
    return [] if state.ended else [OWN]


def _priced(state: Past) -> list[str]:
    return [] if state.ended or state.stress is None else [OWN]


def _stress_is_full(state: Past, whom: str) -> tuple[Block, str] | None:
    """Return the block by full stress; a GM may override it."""
    if not state.full:
        return None
    return FULL_STRESS, full_words(state.name)


_owner = player_of(lambda state, whom: state.character)


class FlashbackRules(ProcedureRules[Past]):
    """The GM sets the cost, and the player pays, or drops it."""

    state = Past

    @act(SET, each=_other_prices)
    def set_price(self, state: Past, step: Act, stress: int) -> Past:
        return replace(state, stress=stress)

    @act(when=_goes_on, asks=True)
    def more(self, state: Past, step: Act) -> Past:
        return replace(state, stress=whole("stress", step.values["stress"], 0, MOST_STRESS))

    @act(by=_owner, each=_priced, terms=lambda state, whom: (state.stress,), blocks=_stress_is_full)
    def accept(self, state: Past, step: Act, whom: str) -> StepResult[Past]:
        """Mark the stress on the sheet, which may bring a trauma; the flashback has still happened."""
        if state.room is None:
            raise _not_now(_("{name} is no longer in play.").format(name=state.name))
        if state.too_much:
            raise _not_now(_("That would fill the stress track, which your campaign doesn’t allow here."))
        steps = (Shift("stress", state.marked),)
        paid = [Write(character=state.character, steps=steps, why=PAID)] if state.marked else []
        return StepResult(replace(state, ended="paid"), paid)

    @act(by=_owner, each=_own)
    def drop(self, state: Past, step: Act, whom: str) -> Past:
        return replace(state, ended="dropped")

    def reads(self, state: Past, seen: Snapshot) -> Past:
        """Return the state by the stress track as it is now."""
        sheet, settings = seen.sheets.get(state.character), seen.settings or DEFAULTS
        counts = settings.filling_stress_counts
        return replace(state, room=room_of(sheet.values, settings) if sheet else None, filling_counts=counts)

    def waiting(self, state: Past) -> Sequence[tuple[str, str]]:
        if state.ended:
            return []
        if state.stress is None:
            return [("", _("to set what it costs"))]
        if state.room is None:
            return [("", _("to drop it: {name} is no longer in play").format(name=state.name))]
        if state.too_much:
            return [("", _("to ask for less stress than would fill the track")), (OWN, _("to drop it"))]
        return [(OWN, _("to choose a trauma first, or drop it") if state.full else _("to pay for it, or drop it"))]

    def is_over(self, state: Past) -> bool:
        return bool(state.ended)

    def at_scene_end(self, state: Past) -> Past:
        """Drop a flashback that was not paid for before the scene ended."""
        return replace(state, ended="dropped")

    def parties(self, state: Past) -> Parties:
        return {OWN: (state.name, state.character)}
