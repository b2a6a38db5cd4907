"""The Scale in the database: whose it is, what feeds it, and the move it makes in a roll's own transaction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import uuid5

from campaigns.errors import Blocked
from campaigns.models import Campaign
from campaigns.services.log import UnitOfWork
from characters.models import Character
from rolls.models import Roll
from rolls.rules.tally import Read
from rolls.services.procedure_reading import character_brings_other
from rolls.settings import RollSettings
from rulesets.scale.models import Burn, Momentum, Scale
from rulesets.scale.queries.scale import Standing, burn_on, scale_id, scale_payload
from rulesets.scale.rules.scale import BurnKind, Event, State, step
from rulesets.scale.rules.scale import Settings as ScaleSettings
from rulesets.scale.services.undo_journal import Changes


@dataclass(frozen=True)
class Feeding:
    """A Scale that a roll of a character moves, by what its dice give, under the settings of that moment."""

    scale: Scale
    standing: Standing
    character: Character
    read: Read
    settings: RollSettings


@dataclass(frozen=True)
class Move:
    """What a roll did to its Scale, which is in `state` now. `burns` are those it offered, fired or made, in the order to tell
    them."""

    before: int
    delta: int
    state: State
    event: Event | None
    auto_banked: Burn | None
    burns: tuple[Burn, ...]


def scale_of(campaign: Campaign, character: Character, settings: RollSettings) -> Scale:
    """The Scale this character's rolls move: the table's, or its own. Made when it is needed first."""
    whose = None if settings.of(ScaleSettings).shared else character
    made = Scale.objects.filter(campaign=campaign).count()
    scale, _ = Scale.objects.get_or_create(
        pk=scale_id(campaign, whose), defaults={"campaign": campaign, "character": whose, "order": made}
    )
    return scale


def wait_for_narration(scale: Standing) -> None:
    """Raises Blocked while a Major Burn of this Scale holds up the rolls that feed it."""
    if scale.stopped:
        raise Blocked(
            "A Major Burn waits for the GM’s narration. Action rolls go on once it is told, or once the GM says to go on and "
            "tell it later."
        )


def momentum_of(character: Character) -> Momentum:
    """Return what Burns have left on a character; made where there was nothing yet."""
    return Momentum.objects.get_or_create(character=character)[0]


def move(work: UnitOfWork, roll: Roll, feeding: Feeding, changes: Changes) -> Move:
    """An action roll moves its Scale and uses up the Burn dice of the character (scale.txt, Burns)."""
    scale, delta, state = feeding.scale, feeding.read.delta, feeding.standing.state
    taken = step(state, delta, feeding.settings.of(ScaleSettings))
    momentum = feeding.standing.momentum
    if momentum and momentum.die_modifier:
        changes.put(momentum, die_modifier=taken.after.die_modifier)
        character_brings_other(work, str(feeding.character.pk))
    auto_banked = _bank_unanswered(scale, changes) if state.pending else None
    before = scale.value
    banked = burn_on(scale, Burn.State.BANKED) if taken.event in (Event.MAJOR, Event.BOTH) else None
    burns: list[Burn] = []
    if taken.event is Event.MAJOR and banked and not taken.after.banked:
        changes.put(banked, state=Burn.State.LOST)
        burns.append(banked)
    if taken.event is Event.BOTH and banked:
        changes.put(banked, state=Burn.State.FIRED)
        burns.append(banked)
    changes.put(scale, value=taken.after.scale)
    if taken.event is not None:
        kind = BurnKind.GRACE if before + delta > 0 else BurnKind.TROUBLE
        burns.append(changes.made(_burn(work, roll, feeding, kind, taken.event)))
    return Move(before, delta, taken.after, taken.event, auto_banked, tuple(burns))


def _bank_unanswered(scale: Scale, changes: Changes) -> Burn | None:
    offered = burn_on(scale, Burn.State.OFFERED)
    if offered:
        changes.put(offered, state=Burn.State.BANKED)
    return offered


STATES = {Event.OFFER: Burn.State.OFFERED, Event.BOTH: Burn.State.FIRED, Event.MAJOR: Burn.State.OPEN}


def _burn(work: UnitOfWork, roll: Roll, feeding: Feeding, kind: BurnKind, event: Event) -> Burn:
    return Burn(
        pk=uuid5(roll.pk, "burn"),
        scale=feeding.scale,
        kind=kind,
        major=event is Event.MAJOR,
        state=STATES[event],
        cause=roll,
        character=feeding.character,
        at=work.now,
    )


def moved_payload(scale: Scale, moved: Move) -> dict[str, Any]:
    """A Scale as it is now, and the move that brought it there: `before` + `delta` is what it reached, `after` where it is."""
    return scale_payload(scale, moved.state) | {"before": moved.before, "delta": moved.delta, "after": scale.value}
