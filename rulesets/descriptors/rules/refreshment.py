"""A Refreshment Scene, and the GM's right that it gives (descriptors.txt, Refreshment).

One character asks another for one between scenes, both let their guard down, and the GM may make the situation worse
for it, once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from campaigns.schema import Name, Uid
from characters.reasons import Reason
from characters.sheets.sheet import Values as Sheet
from characters.sheets.steps import Put, Shift, Step
from languages.text import gettext, gettext_lazy
from rules.acts import act, player_of
from rules.effects import Begin, Effect, Say, StepResult, Write
from rules.errors import NotPossible
from rules.procedures import Act, Parties, ProcedureRules, Snapshot, Values
from rulesets.descriptors.rules.will import fund_of
from rulesets.descriptors.settings import DEFAULTS, Settings
from rulesets.descriptors.sheet import SHEET, power_box

CALLER, PARTNER = "caller", "partner"
AGREE, DECLINE, WITHDRAW = "agree", "decline", "withdraw"
ESCALATION: Final = "escalation"
"""The kind of the token that the GM gets for it."""
LONGEST_NAME: Final = 80
REFRESHED: Final = Reason("refreshment", gettext_lazy("a Refreshment Scene"))


def _within() -> str:
    """Return the message for a Refreshment Scene during another scene."""
    return gettext("A Refreshment Scene takes place between scenes. End the scene first.")


class RefreshmentStage(StrEnum):
    ASKED = "asked"
    PLAYED = "played"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """One of the two: a `character` by its id, or a person of the GM's without a sheet, who only has a `name`."""

    name: Name
    character: Uid | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RefreshmentScene:
    """`caller` has asked `partner` for it."""

    caller: Person
    partner: Person
    stage: RefreshmentStage = RefreshmentStage.ASKED


def _agreed(state: RefreshmentScene, seen: Snapshot) -> StepResult[RefreshmentScene]:
    if seen.in_scene:
        raise NotPossible("act", AGREE, allowed="between scenes", message=_within())
    for person in (state.caller, state.partner):
        if person.character and person.character not in seen.sheets:
            message = gettext("{name} is no longer in play.").format(name=person.name)
            raise NotPossible("act", AGREE, allowed="who is in play", message=message)
    settings = seen.settings or DEFAULTS
    effects: list[Effect] = [
        Write(character=person.character, steps=steps, why=REFRESHED)
        for person in ((state.caller, state.partner) if settings.both_refreshed else (state.caller,))
        if person.character and (steps := refreshed(seen.sheets[person.character].values, settings))
    ]
    # For each Refreshment Scene the GM may escalate once.
    effects.append(Begin(kind=ESCALATION, given={"caller": state.caller.name, "partner": state.partner.name}))
    return StepResult(replace(state, stage=RefreshmentStage.PLAYED), effects)


def refreshed(values: Sheet, settings: Settings) -> tuple[Step, ...]:
    """Return the sheet steps of a refreshment: all boxes free, Will back at its start unless higher, and back in the
    scene. Injuries stay.
    """
    fund, start = fund_of(values, settings), SHEET.number(values, "start_will")
    steps: list[Step] = [Put(power_box(box), to=False) for box in fund.crossed]
    if fund.will is not None and fund.will < start:
        steps.append(Shift("will", start - fund.will))
    return (*steps, Put("out_of_scene", to=False)) if fund.out else tuple(steps)


def _asked(whom: str) -> Callable[[RefreshmentScene], list[str]]:
    return lambda state: [whom] if state.stage is RefreshmentStage.ASKED else []


_owner = player_of(lambda state, whom: (state.partner if whom == PARTNER else state.caller).character)


class RefreshmentRules(ProcedureRules[RefreshmentScene]):
    """The asked character answers; the caller may withdraw."""

    state = RefreshmentScene

    def start(self, given: Values) -> RefreshmentScene:
        """Start from `given`: `caller` and `partner`, each the fields of a Person, and `in_scene`. Raises NotPossible
        during a scene, for oneself, and for an empty name.
        """
        if given["in_scene"]:
            raise NotPossible("in_scene", True, allowed="between scenes", message=_within())
        caller, partner = Person(**given["caller"]), Person(**given["partner"])
        if caller.character == partner.character:
            message = gettext("Choose another character.")
            raise NotPossible("partner", partner.name, allowed="another character", message=message)
        if not 1 <= len(partner.name.strip()) <= LONGEST_NAME:
            message = gettext("Choose who it’s with, or write a name of up to {count} characters.").format(
                count=LONGEST_NAME
            )
            raise NotPossible("name", partner.name, allowed=f"1 to {LONGEST_NAME} characters", message=message)
        return RefreshmentScene(caller=caller, partner=partner)

    @act(by=_owner, each=_asked(PARTNER), tried=False)
    def agree(self, state: RefreshmentScene, step: Act, whom: str) -> StepResult[RefreshmentScene]:
        """Agree, which restores both, or the caller alone by the campaign's setting, and gives the GM the right to escalate.

        Raises NotPossible if a scene is open, or one of them is not in play any more.
        """
        return _agreed(state, step.seen or Snapshot())

    @act(by=_owner, each=_asked(PARTNER))
    def decline(self, state: RefreshmentScene, step: Act, whom: str) -> RefreshmentScene:
        return replace(state, stage=RefreshmentStage.DECLINED)

    @act(by=_owner, each=_asked(CALLER))
    def withdraw(self, state: RefreshmentScene, step: Act, whom: str) -> RefreshmentScene:
        return replace(state, stage=RefreshmentStage.WITHDRAWN)

    def waiting(self, state: RefreshmentScene) -> Sequence[tuple[str, str]]:
        return () if self.is_over(state) else [(PARTNER, gettext("to agree to a Refreshment Scene"))]

    def is_over(self, state: RefreshmentScene) -> bool:
        return state.stage is not RefreshmentStage.ASKED

    def parties(self, state: RefreshmentScene) -> Parties:
        those = {CALLER: state.caller, PARTNER: state.partner}
        return {key: (person.name, person.character) for key, person in those.items()}


USE, WAIVE = "use", "waive"
LONGEST: Final = 500


class EscalationStage(StrEnum):
    HELD = "held"
    USED = "used"
    WAIVED = "waived"


@dataclass(frozen=True, slots=True, kw_only=True)
class Escalation:
    """For the Refreshment Scene of these two, by their names. It is the GM's, and keeps until it is used."""

    caller: Name
    partner: Name
    stage: EscalationStage = EscalationStage.HELD


def _is_held(state: Escalation) -> bool:
    return state.stage is EscalationStage.HELD


class EscalationRules(ProcedureRules[Escalation]):
    """The GM's, who uses it or lets it be."""

    state = Escalation

    @act(when=_is_held, asks=True)
    def use(self, state: Escalation, step: Act) -> StepResult[Escalation]:
        """Use the escalation with a sentence (`words`) on what gets worse, which is told. Raises NotPossible without one."""
        words = str(step.values.get("words", "")).strip()
        if not 1 <= len(words) <= LONGEST:
            message = gettext("Say what gets worse, in up to {count} characters.").format(count=LONGEST)
            raise NotPossible("words", words, allowed=f"1 to {LONGEST} characters", message=message)
        return StepResult(replace(state, stage=EscalationStage.USED), [Say(words=words)])

    @act(when=_is_held)
    def waive(self, state: Escalation, step: Act) -> Escalation:
        return replace(state, stage=EscalationStage.WAIVED)

    def is_over(self, state: Escalation) -> bool:
        return state.stage is not EscalationStage.HELD
