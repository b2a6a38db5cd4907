"""The rules of what follows from a full track, however it was filled: of stress a trauma, of heat a wanted level (public
rules, Stress and Trauma, Heat)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from campaigns.schema import Code, Name, Uid
from characters.reasons import Reason
from characters.sheets.steps import Put
from languages.text import gettext as _
from languages.text import gettext_lazy
from rules.acts import act, player_of
from rules.effects import Begin, Effect, Retire, StepResult, Write
from rules.procedures import Act, Parties, ProcedureRules, SheetFollow, Snapshot, Values
from rulesets.forged import crew, sheet
from rulesets.forged.rules.downtime import HEAT_BOXES, heat_steps
from rulesets.forged.settings import DEFAULTS, Settings

TRAUMA: Final = "trauma"
"""The procedure in which it is chosen."""
FULL_HEAT: Final = Reason("forged_full_heat", gettext_lazy("a full heat track raises the wanted level"))


class FullStress(SheetFollow):
    """Full stress brings a trauma: one choice for all whom the same step has brought there."""

    def due(self, values: Mapping[str, Any], settings: Settings | None) -> bool:
        return sheet.SHEET.number(values, "stress") >= (settings or DEFAULTS).boxes

    def effects(self, snapshot: Snapshot) -> Sequence[Effect]:
        choosing = {scoundrel.character for _, choice in snapshot.open.get(TRAUMA, ()) for scoundrel in choice.open}
        scoundrels = [
            {"character": who, "name": scoundrel.name}
            for who, scoundrel in snapshot.sheets.items()
            if who not in choosing
        ]
        return [Begin(kind=TRAUMA, given={"those": scoundrels})] if scoundrels else []


class FullHeat(SheetFollow):
    """Full heat raises the wanted level. Marking by hand stops at the last box; a larger change at once rolls over
    where it is made (heat_steps).
    """

    def due(self, values: Mapping[str, Any], settings: Settings | None) -> bool:
        return crew.heat(values)[0] >= HEAT_BOXES

    def effects(self, snapshot: Snapshot) -> Sequence[Effect]:
        return [
            Write(character=who, steps=heat_steps(*crew.heat(gang.values), 0), why=FULL_HEAT, follows="heat")
            for who, gang in snapshot.sheets.items()
        ]


FOLLOWS: Final = {sheet.SHEET.name: FullStress(), crew.SHEET.name: FullHeat()}


CHOOSE: Final = "choose"
BROKE: Final = Reason("forged_trauma", gettext_lazy("a trauma"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """A character whose track is full: what they `had` before, and the condition that is `chosen`; `eased` if it is
    full no more.
    """

    character: Uid
    name: Name
    had: tuple[Code, ...] = ()
    chosen: Code = ""
    retired: bool = False
    eased: bool = False

    @property
    def open(self) -> bool:
        return not self.chosen and not self.eased


@dataclass(frozen=True, slots=True, kw_only=True)
class Trauma:
    """The traumas from one roll: of those who pushed, and those who helped."""

    those: tuple[Broken, ...]
    settings: Settings = DEFAULTS

    @property
    def open(self) -> list[Broken]:
        return [scoundrel for scoundrel in self.those if scoundrel.open]

    def found(self, character: str) -> Broken | None:
        return next((scoundrel for scoundrel in self.those if scoundrel.character == character), None)


def _read(scoundrel: Broken, seen: Snapshot, settings: Settings) -> Broken:
    if scoundrel.chosen:
        return scoundrel
    snapshot = seen.sheets.get(scoundrel.character)
    if snapshot is None:
        return replace(scoundrel, eased=True)
    full = sheet.SHEET.number(snapshot.values, "stress") >= settings.boxes
    return replace(scoundrel, had=sheet.traumas(snapshot.values), eased=not full)


def _choices(state: Trauma) -> Iterator[tuple[str, str]]:
    for scoundrel in state.open:
        yield from ((scoundrel.character, trauma) for trauma in sheet.TRAUMAS if trauma not in scoundrel.had)


class TraumaRules(ProcedureRules[Trauma]):
    """The character's player chooses."""

    state = Trauma

    def start(self, given: Values) -> Trauma:
        return Trauma(those=tuple(Broken(**scoundrel) for scoundrel in given["those"]))

    @act(by=player_of(lambda state, character, trauma: character), each=_choices)
    def choose(self, state: Trauma, step: Act, character: str, trauma: str) -> StepResult[Trauma]:
        """Choose a trauma: the track is cleared, the surplus is lost, and the last trauma retires the character."""
        broken = next(scoundrel for scoundrel in state.open if scoundrel.character == character)
        retired = len(broken.had) + 1 >= state.settings.last_trauma
        chosen = replace(broken, chosen=trauma, retired=retired)
        steps = (Put(sheet.trauma_of(trauma), to=True), Put("stress", 0))
        effects: list[Effect] = [Write(character=character, steps=steps, why=BROKE)]
        if retired:
            effects.append(Retire(character=character))
        return StepResult(
            replace(state, those=tuple(chosen if scoundrel is broken else scoundrel for scoundrel in state.those)),
            effects,
        )

    def reads(self, state: Trauma, seen: Snapshot) -> Trauma:
        """Return the state with each sheet's traumas, and whether its track is still full: it may be cleared by hand,
        or a roll voided.
        """
        settings = seen.settings or state.settings
        return replace(
            state, settings=settings, those=tuple(_read(scoundrel, seen, settings) for scoundrel in state.those)
        )

    def waiting(self, state: Trauma) -> Sequence[tuple[str, str]]:
        return [(scoundrel.character, _("to choose a trauma")) for scoundrel in state.open]

    def is_over(self, state: Trauma) -> bool:
        return not state.open

    def parties(self, state: Trauma) -> Parties:
        return {scoundrel.character: (scoundrel.name, scoundrel.character) for scoundrel in state.those}
