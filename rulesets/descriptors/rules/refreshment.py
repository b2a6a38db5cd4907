"""A Refreshment Scene: somebody asks another for one between scenes, both let their guard down, and the GM may make the situation
worse for it, once (descriptors.txt, Refreshment)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from campaigns.schema import Name, Uid
from characters.reasons import Reason
from characters.sheets.sheet import Values as Sheet
from characters.sheets.steps import Put, Shift, Step
from rolls.rules.acts import Target, act, player_of
from rolls.rules.effects import Begin, Effect, StepResult, Write
from rolls.rules.errors import NotPossible
from rolls.rules.procedures import Act, ProcedureRules, Snapshot, Values
from rulesets.descriptors.rules.power import Track
from rulesets.descriptors.rules.scene import Condition, refreshment_scene
from rulesets.descriptors.settings import DEFAULTS, Settings
from rulesets.descriptors.sheet import SHEET, power_box, track, will_of

CALLER, PARTNER = "caller", "partner"
AGREE, DECLINE, WITHDRAW = "agree", "decline", "withdraw"
ESCALATION: Final = "escalation"
"""The kind of the token that the GM gets for it."""
LONGEST_NAME: Final = 80
WITHIN: Final = "A Refreshment Scene can be had between scenes, not in the middle of one. Close the scene first."
REFRESHED: Final = Reason("refreshment", "a Refreshment Scene")


class RefreshmentStage(StrEnum):
    ASKED = "asked"
    PLAYED = "played"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """One of the two: a `character` by its id, or somebody of the GM's without a sheet, who has a `name` alone."""

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
        raise NotPossible("act", AGREE, allowed="between scenes", message=WITHIN)
    for person in (state.caller, state.partner):
        if person.character and person.character not in seen.sheets:
            message = f"{person.name} is not in play any more."
            raise NotPossible("act", AGREE, allowed="who is in play", message=message)
    settings = seen.settings or DEFAULTS
    conditions = [_condition(person, seen, settings) for person in (state.caller, state.partner)]
    after = refreshment_scene(*conditions, between_scenes=True, settings=settings)
    effects: list[Effect] = [
        Write(character=person.character, steps=steps, why=REFRESHED)
        for person, before, now in zip(
            (state.caller, state.partner), conditions, (after.caller, after.partner), strict=True
        )
        if person.character and (steps := changes(before, now))
    ]
    escalation = {"caller": state.caller.name, "partner": state.partner.name}
    effects += [Begin(kind=ESCALATION, given=escalation) for _ in range(after.escalations)]
    return StepResult(replace(state, stage=RefreshmentStage.PLAYED), effects)


def _condition(person: Person, seen: Snapshot, settings: Settings) -> Condition:
    return condition_of(seen.sheets[person.character].values, settings) if person.character else Condition()


def condition_of(values: Sheet, settings: Settings) -> Condition:
    """Return what scenes have worn down of who has this sheet."""
    power_track = track(values)
    return Condition(
        will_of(values, settings),
        Track(power_track.boxes, power_track.crossed),
        bool(SHEET.value(values, "out_of_scene")),
        SHEET.number(values, "start_will"),
    )


def changes(before: Condition, after: Condition) -> tuple[Step, ...]:
    """Return what of a sheet is other than it was: boxes that are free again, Will that has come back."""
    steps: list[Step] = [Put(power_box(box), to=False) for box in sorted(before.track.crossed - after.track.crossed)]
    if before.will is not None and after.will is not None and after.will > before.will:
        steps.append(Shift("will", after.will - before.will))
    if before.out_of_scene and not after.out_of_scene:
        steps.append(Put("out_of_scene", to=False))
    return tuple(steps)


def _asked(whom: str) -> Callable[[RefreshmentScene], list[str]]:
    return lambda state: [whom] if state.stage is RefreshmentStage.ASKED else []


_owner = player_of(lambda state, whom: (state.partner if whom == PARTNER else state.caller).character)


class RefreshmentRules(ProcedureRules[RefreshmentScene]):
    """Whoever was asked answers; whoever has asked may think better of it."""

    state = RefreshmentScene

    def start(self, given: Values) -> RefreshmentScene:
        """`given`: `caller` and `partner`, each the fields of a Person, and `in_scene`. Raises NotPossible in the middle of a
        scene, for oneself, and for nobody."""
        if given["in_scene"]:
            raise NotPossible("in_scene", True, allowed="between scenes", message=WITHIN)
        caller, partner = Person(**given["caller"]), Person(**given["partner"])
        if caller.character == partner.character:
            message = "It takes another character."
            raise NotPossible("partner", partner.name, allowed="another character", message=message)
        if not 1 <= len(partner.name.strip()) <= LONGEST_NAME:
            message = f"Say with whom, in up to {LONGEST_NAME} characters."
            raise NotPossible("name", partner.name, allowed=f"1 to {LONGEST_NAME} characters", message=message)
        return RefreshmentScene(caller=caller, partner=partner)

    @act(by=_owner, each=_asked(PARTNER), tried=False)
    def agree(self, state: RefreshmentScene, step: Act, whom: str) -> StepResult[RefreshmentScene]:
        """To agree restores both, or the caller alone where the campaign has it so, and gives the GM the right to escalate.

        Raises NotPossible once a scene is open, and where somebody is not in play any more.
        """
        return _agreed(state, step.seen or Snapshot())

    @act(by=_owner, each=_asked(PARTNER))
    def decline(self, state: RefreshmentScene, step: Act, whom: str) -> RefreshmentScene:
        return replace(state, stage=RefreshmentStage.DECLINED)

    @act(by=_owner, each=_asked(CALLER))
    def withdraw(self, state: RefreshmentScene, step: Act, whom: str) -> RefreshmentScene:
        return replace(state, stage=RefreshmentStage.WITHDRAWN)

    def waiting(self, state: RefreshmentScene) -> Sequence[tuple[str, str]]:
        return () if self.is_over(state) else [(PARTNER, "to agree to a Refreshment Scene")]

    def is_over(self, state: RefreshmentScene) -> bool:
        return state.stage is not RefreshmentStage.ASKED

    def played(self, state: RefreshmentScene) -> Sequence[str]:
        return [person.character for person in (state.caller, state.partner) if person.character]

    def party(self, state: RefreshmentScene, target: Target) -> tuple[str, str | None]:
        whose = state.caller if target == (CALLER,) else state.partner
        return whose.name, whose.character
