"""Scenes: Scene Descriptors that come and go, and Refreshment Scenes between them (descriptors.txt, Scene Descriptors)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from rolls.rules.dice import LARGEST_POOL
from rolls.rules.errors import NotPossible, whole, yes_or_no
from rulesets.descriptors.rules.contest import Outcome, named
from rulesets.descriptors.rules.power import Track
from rulesets.descriptors.rules.will import fund, is_out, spend
from rulesets.descriptors.settings import DEFAULTS, LARGEST_COUNT, Settings

STICKING_COST: Final = 1
"""Will that makes a Scene Descriptor stick to a character; anyone may pay it, at any moment of the scene (our decision)."""

ESCALATIONS: Final = 1
"""How often the GM may escalate for each Refreshment Scene."""


@dataclass(frozen=True, slots=True)
class SceneDescriptor:
    """A Descriptor of 1 to 100 dice that ends with the scene, unless it is stuck to a character.

    `made_by` and `stuck_to` are names, None for nobody. `permanent` ones are the character's own from then on.
    """

    name: str
    dice: int
    made_by: str | None = None
    stuck_to: str | None = None
    permanent: bool = False

    def __post_init__(self) -> None:
        named("name", self.name)
        whole("dice", self.dice, 1, LARGEST_POOL)
        for name, who in (("made_by", self.made_by), ("stuck_to", self.stuck_to)):
            if who is not None:
                named(name, who)


@dataclass(frozen=True, slots=True)
class Stuck:
    """A Scene Descriptor that sticks, and the Will of the one who paid for it."""

    descriptor: SceneDescriptor
    will: int | None


@dataclass(frozen=True, slots=True)
class Condition:
    """What scenes wear down: Will (None without limit), the Power track, and whether the character is out of the scene.

    `start` is the Will it started with (1 and up), None where that is the campaign's.
    """

    will: int | None = DEFAULTS.start_will
    track: Track = field(default_factory=Track)
    out_of_scene: bool = False
    start: int | None = None

    def __post_init__(self) -> None:
        fund(self.will)
        if self.start is not None:
            whole("start", self.start, 1, LARGEST_COUNT)
        yes_or_no("out_of_scene", self.out_of_scene)

    @property
    def may_join(self) -> bool:
        """Return whether the character may be in a further scene: not with 0 Will before a Refreshment Scene."""
        return not is_out(self.will)


@dataclass(frozen=True, slots=True)
class Refreshment:
    """After a Refreshment Scene: who called for it, who was with them, and how often the GM may escalate for it."""

    caller: Condition
    partner: Condition
    escalations: int = ESCALATIONS


def make(name: str, outcome: Outcome, made_by: str | None = None) -> SceneDescriptor:
    """The winner's successes as a Scene Descriptor; NotPossible after a stalemate, which nobody won."""
    if outcome.winner is None:
        message = "Nobody won this roll, so it makes no Scene Descriptor."
        raise NotPossible("successes", outcome.successes, allowed="1 or more", message=message)
    return SceneDescriptor(name, outcome.successes, made_by)


def stick(descriptor: SceneDescriptor, to: str, payer_will: int | None) -> Stuck:
    """Anyone pays 1 Will to keep a Scene Descriptor with a character. NotPossible without the Will, or if it sticks already."""
    if descriptor.stuck_to is not None:
        message = f"“{descriptor.name}” sticks to {descriptor.stuck_to} already."
        raise NotPossible("stuck_to", descriptor.stuck_to, allowed="nobody", message=message)
    return Stuck(replace(descriptor, stuck_to=named("stuck_to", to)), spend(payer_will, STICKING_COST))


def reduce(descriptor: SceneDescriptor, by: int) -> SceneDescriptor | None:
    """The GM takes 1 to all of its dice, because somebody did something about it. None: it is gone."""
    left = descriptor.dice - whole("by", by, 1, descriptor.dice)
    return replace(descriptor, dice=left) if left else None


def make_permanent(descriptor: SceneDescriptor, settings: Settings = DEFAULTS) -> SceneDescriptor:
    """A stuck Descriptor becomes its bearer's own. NotPossible unless the campaign allows it, or if it sticks to nobody."""
    if not settings.temporary_may_stay_for_good:
        message = "Temporary Descriptors do not become permanent in this campaign."
        raise NotPossible("permanent", True, allowed="no", message=message)
    if descriptor.stuck_to is None:
        message = "Only what sticks to a character can become permanent."
        raise NotPossible("stuck_to", descriptor.stuck_to, allowed="a character", message=message)
    return replace(descriptor, permanent=True)


def end_scene(descriptors: Iterable[SceneDescriptor]) -> tuple[SceneDescriptor, ...]:
    """Return what is left of Scene Descriptors after the scene: those stuck to somebody, in their order."""
    return tuple(descriptor for descriptor in descriptors if descriptor.stuck_to is not None)


def leave_scene(condition: Condition) -> Condition:
    """A character after the scene: being out of it by the Power track ends with it, crossed boxes and 0 Will stay."""
    return replace(condition, out_of_scene=is_out(condition.will))


def refresh(condition: Condition, settings: Settings = DEFAULTS) -> Condition:
    """One character restored: no crossed boxes, Will back at its start unless it is higher. Injuries are not touched."""
    will = fund(condition.will)
    restored = None if will is None else max(will, condition.start or settings.start_will)
    return Condition(restored, Track(condition.track.boxes), start=condition.start)


def refreshment_scene(
    caller: Condition, partner: Condition, *, between_scenes: bool, settings: Settings = DEFAULTS
) -> Refreshment:
    """Two characters let their guard down (descriptors.txt, Refreshment). NotPossible in the middle of a scene."""
    if not yes_or_no("between_scenes", between_scenes):
        message = "A Refreshment Scene can be had between scenes, not in the middle of one."
        raise NotPossible("between_scenes", between_scenes, allowed="yes", message=message)
    other = refresh(partner, settings) if settings.both_refreshed else partner
    return Refreshment(refresh(caller, settings), other)
