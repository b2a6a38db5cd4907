"""The Scale in the transaction of a roll: it counts the dice, moves, offers and fires Burns, records that, and undoes it.

The pipeline of rolls (rolls/services/) calls these, in this order:

extra_dice -> check_held -> marks -> moved            when a roll is made; `odds_lines` is what the composer says of it before
taken_back                                            when it is taken back
kept -> taken_over, or taken_back -> check_held -> marks -> moved      when it is corrected
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final
from uuid import UUID, uuid5

from django.utils.translation import gettext as _

from campaigns.errors import Blocked
from campaigns.models import Campaign, Event
from campaigns.models.log import Subject
from campaigns.models.members import GM, TABLE
from campaigns.services.log import UnitOfWork
from campaigns.services.undo import caused
from characters.models import Character
from rules.chances import percent, shift
from rules.tally import Read, mean
from scale.counting import Countable, countable, read_of, shifts_for
from scale.events import BURN_BANKED, BURN_FIRED, BURN_OFFERED, BURN_TAKEN_BACK, MAJOR_BURN, MOVED
from scale.models import Burn, Scale, ScaleStep
from scale.odds import crossing
from scale.queries.scale import (
    Standing,
    burn_on,
    burn_payload,
    carried_by,
    momentum_payload,
    scale_payload,
    standing,
)
from scale.rules.scale import BurnKind, Reached, Settings, State, feeds, step
from scale.services.burns import Throw, consult_oracles
from scale.services.scale import dice_changed, hand_over, make, put, scale_of, step_of, undo_steps
from scale.words import NO_ACTION, NO_DICE, stays

WORTH_SAYING: Final = Fraction(1, 20)
"""The chance from which the composer warns that the roll may reach a Burn."""


@dataclass(frozen=True, kw_only=True)
class Falling:
    """Dice that fall, or may fall: for this character, of this kind, for these eyes (rolls.models.Audience).

    `counted` is how they are counted, None if they do not concern the Scale. `has_dice` is False for an automatic success.
    In `remembered` is what was read once: all of a roll happens under one lock.
    """

    campaign: Campaign
    character: Character | None
    counted: Countable | None
    kind: str
    audience: str
    settings: Settings
    has_dice: bool = True
    remembered: dict[UUID, Standing] = field(default_factory=dict, repr=False, compare=False)

    @property
    def why_unfed(self) -> str | None:
        """Return why the roll moves no Scale, a key of UNFED or NO_ACTION; "" if it moves one, None if its rules have no part.

        Dice without a character move none. Nor does a roll for the GM alone, since players would see its trace.
        """
        if self.counted is None:
            return None
        if not self.has_dice:
            return NO_DICE
        if self.counted.no_action(self.kind):
            return NO_ACTION
        if self.character is None:
            return "nobody"
        if self.audience == GM:
            return "gm_alone"
        return "" if feeds(True, is_npc=self.character.is_npc, settings=self.settings) else "npc"

    @property
    def standing(self) -> Standing | None:
        """Return the Scale that the roll moves, read for the first question; None if it moves none."""
        if self.character is None or self.why_unfed != "":
            return None
        if self.character.pk not in self.remembered:
            self.remembered[self.character.pk] = standing(self.campaign, self.character, self.settings)
        return self.remembered[self.character.pk]


@dataclass(frozen=True, kw_only=True)
class Marks:
    """What the Scale reads from fallen dice: `given` is drawn under each die of the card, in order, None for nothing.

    `aside` is a code for why the roll moves no Scale (`aside` has the words), "" if it does.
    """

    given: tuple[int | None, ...] = ()
    aside: str = ""


@dataclass(frozen=True, kw_only=True)
class Told:
    """What the Scale did in the transaction of a roll: `payload` is recorded with it, for ever, for all who see it.

    `follow` is called with the event once that is recorded and the roll is stored, and records further events; None if
    everything is told with the card.
    """

    payload: Mapping[str, Any]
    follow: Callable[[Event], None] | None = None


def extra_dice(falling: Falling) -> int:
    """Return the Burn dice that wait for the next action roll; below 0 they are taken from its pool. Changes nothing."""
    stands = falling.standing
    return stands.state.die_modifier if stands else 0


def odds_lines(falling: Falling, terms: Mapping[str, Any]) -> list[str]:
    """Return what the roll gives the Scale on average, and near a threshold the chance to reach it; or why it gives nothing.

    `terms` are as the `shifts` of its ruleset take them.
    """
    why, counted = falling.why_unfed, falling.counted
    if why is None or counted is None:
        return []
    if why:
        return [stays(why, counted, falling.kind)]
    shifts = shifts_for(counted, terms, falling.settings)
    lines = [_("expected Scale {shift}").format(shift=shift(mean(shifts)))]
    stands = falling.standing
    reached = crossing(shifts, stands.state if stands else State(), falling.settings)
    if reached.any >= WORTH_SAYING:
        lines.append(_("{chance} chance of a Burn").format(chance=percent(reached.any)))
        if reached.major:
            lines.append(_("{chance} of a Major Burn").format(chance=percent(reached.major)))
    return lines


def check_held(falling: Falling) -> None:
    """Raise Blocked while a Major Burn of the Scale that this roll feeds is to be narrated."""
    if (stands := falling.standing) and stands.stopped:
        raise Blocked(
            _(
                "A Major Burn is waiting for the GM’s narration. Action rolls resume once the GM narrates it or continues."
            )
        )


def _read(counted: Countable | None, card: Mapping[str, Any], settings: Settings) -> Read | None:
    """Return the dice of a roll as the Scale reads them; None by rules whose dice it cannot count, and where all of them are the
    other side's."""
    seen = read_of(counted, card, settings) if counted else None
    return seen if seen and seen.counted else None


def _given(seen: Read) -> Marks:
    return Marks(given=tuple(die.gives if die.counts and not die.skipped else None for die in seen.dice))


def marks(falling: Falling, card: Mapping[str, Any]) -> Marks:
    """Return the marks for dice that have fallen; `card` is the terms and the outcome of the roll."""
    why = falling.why_unfed
    if why is None:
        return Marks()
    seen = None if why else _read(falling.counted, card, falling.settings)
    return _given(seen) if seen else Marks(aside=why or NO_DICE)


def decided(settings: Settings) -> dict[str, bool]:
    """Return the settings by which the Scale moved, so that its log can be replayed after they change."""
    return {
        "cancelled_ones_count": settings.cancelled_ones_count,
        "staying_is_reaching": settings.staying_is_reaching,
        "major_clears_bank": settings.major_clears_bank,
        "shared": settings.shared,
    }


def moved(work: UnitOfWork, falling: Falling, cause: UUID, card: Mapping[str, Any], throw: Throw) -> Told | None:
    """Move the Scale by the roll with the id `cause`, with all that follows: the offer, both Burns, the Major Burn with its
    oracles, whose dice are `throw`n. None if it moves none.

    A roll that not everyone sees is recorded in its own stream; its effect on the Scale is public, without its dice.
    """
    character, settings, stands = falling.character, falling.settings, falling.standing
    seen = _read(falling.counted, card, settings) if stands else None
    if seen is None or character is None or stands is None:
        return None
    scale = stands.scale or scale_of(falling.campaign, character, settings)
    number, uid = stands.steps + 1, uuid5(cause, "scale")
    with caused(work, uid):
        move = _move(work, cause, Feeding(scale, stands, character, seen, settings))
    everybodys = {
        "scale": _moved_payload(scale, move) | {"step": number},
        "momentum": [carried_by(character, stands.momentum)],
        "rules": decided(settings),
    }

    def follow(event: Event) -> None:
        if event.stream.name != TABLE:
            event = work.record(MOVED, {"character": character.ref} | everybodys, subjects=[character.subject])
        ScaleStep.objects.create(scale=scale, uid=uid, number=number, roll_id=cause, event=event, delta=seen.delta)
        # The Burn's id is derived from that of its roll, which must not be revealed if the roll is not public.
        _tell_burns(work, scale, character.subject, move, throw, public=falling.audience == TABLE)

    return Told(payload=everybodys, follow=follow)


def taken_back(work: UnitOfWork, cause: UUID, character: Character | None) -> Told | None:
    """Undo the move of a character's roll, its Burns and their effects; None if it moved none. Raises Blocked, naming it,
    when something else has moved the same Scale since.
    """
    step = step_of(cause)
    if step is None:
        return None
    undone = undo_steps(work, step)

    def follow(event: Event) -> None:
        if event.stream.name != TABLE:
            whose = {"character": character.ref if character else None}
            subjects = [character.subject] if character else []
            work.record(MOVED, whose | undone, subjects=subjects, parent=step.event)
        _tell_taken_back(work, undone)

    return Told(payload=undone, follow=follow)


def kept(old: UUID, system: str, card: Mapping[str, Any], settings: Settings) -> Marks | None:
    """Return the marks of a corrected roll that gives the Scale the same as the `old` one, by the rules that moved it then;
    None if it does not, and the move has to be taken back.
    """
    step = step_of(old)
    if step is None:
        return None
    described = step.event.described
    seen = _read(countable(system), card, settings.changed(**described["rules"]))
    return _given(seen) if seen and seen.delta == described["scale"]["delta"] else None


def taken_over(old: UUID, new: UUID, character: Character | None) -> Told:
    """Let what the old roll moved be the corrected one's, and tell the move as it was then, and the Scale as it is now."""
    step = step_of(old)
    hand_over(old, new)
    assert step is not None  # noqa: S101  # for mypy: `kept` has read it
    described = step.event.described
    move = {name: described["scale"][name] for name in ("before", "delta", "after", "step")}
    return Told(
        payload={
            "scale": scale_payload(step.scale) | move,
            "momentum": momentum_payload([character] if character else []),
            "rules": described["rules"],
        }
    )


TOLD_AS = {
    Reached.OFFER: BURN_OFFERED,
    Reached.BOTH: BURN_FIRED,
    Reached.MAJOR: MAJOR_BURN,
}


def _tell_burns(work: UnitOfWork, scale: Scale, whose: Subject, moved: Move, throw: Throw, *, public: bool) -> None:
    """Record what the move set off; the oracles of a Major Burn are consulted now."""
    if moved.auto_banked:
        payload = {
            "automatic": True,
            "burns": [burn_payload(moved.auto_banked)],
            "scale": scale_payload(scale, moved.state),
        }
        work.record(BURN_BANKED, payload, subjects=[whose], parent=moved.auto_banked.event)
    if moved.event is None:
        return
    if moved.event is Reached.MAJOR:
        consult_oracles(work, moved.burns[-1], moved.before + moved.delta, throw, public=public)
    burns = [burn_payload(burn) for burn in moved.burns]
    payload = {"how": moved.event.value, "burns": burns, "scale": scale_payload(scale, moved.state)}
    if moved.event is Reached.MAJOR:
        payload |= {"proof": moved.burns[-1].oracle["proof"]}
    event = work.record(TOLD_AS[moved.event], payload, subjects=[whose])
    Burn.objects.filter(pk__in=[burn.pk for burn in moved.burns], event=None).update(event=event)


def _tell_taken_back(work: UnitOfWork, undone: dict[str, Any]) -> None:
    """Mark the events of Burns that were `undone` with their roll (undoing.undo_steps)."""
    ids = [burn["id"] for burn in undone["burns"]]
    gone = Burn.objects.filter(pk__in=ids, state=Burn.State.UNDONE).exclude(event=None)
    for burn in gone.select_related("scale", "character__owner__user", "npc", "storyline", "event__stream").order_by(
        "at", "pk"
    ):
        of = str(burn.event.uid) if burn.event else ""
        payload = {"of": of, "burns": [burn_payload(burn)], "scale": undone["scale"]}
        work.record(BURN_TAKEN_BACK, payload, subjects=[burn.character.subject], parent=burn.event)


@dataclass(frozen=True)
class Feeding:
    """A roll of a character that moves a Scale: what its dice give, and the settings of that moment."""

    scale: Scale
    standing: Standing
    character: Character
    read: Read
    settings: Settings


@dataclass(frozen=True)
class Move:
    """What a roll did to its Scale, which is in `state` now. `burns` are those it offered, fired or made, in the order
    to tell them.
    """

    before: int
    delta: int
    state: State
    event: Reached | None
    auto_banked: Burn | None
    burns: tuple[Burn, ...]


def _move(work: UnitOfWork, cause: UUID, feeding: Feeding) -> Move:
    """Move the Scale and use up the Burn dice of the character (scale.txt, Burns)."""
    scale, delta, state = feeding.scale, feeding.read.delta, feeding.standing.state
    taken = step(state, delta, feeding.settings)
    momentum = feeding.standing.momentum
    if momentum and momentum.die_modifier:
        put(work, momentum, die_modifier=taken.after.die_modifier)
        dice_changed(work, feeding.character)
    auto_banked = _bank_unanswered(work, scale) if state.pending else None
    before = scale.value
    banked = burn_on(scale, Burn.State.BANKED) if taken.event in (Reached.MAJOR, Reached.BOTH) else None
    burns: list[Burn] = []
    if taken.event is Reached.MAJOR and banked and not taken.after.banked:
        put(work, banked, state=Burn.State.LOST)
        burns.append(banked)
    if taken.event is Reached.BOTH and banked:
        put(work, banked, state=Burn.State.FIRED)
        burns.append(banked)
    put(work, scale, value=taken.after.scale)
    if taken.event is not None:
        kind = BurnKind.GRACE if before + delta > 0 else BurnKind.TROUBLE
        burns.append(make(work, _burn(work, cause, feeding, kind, taken.event)))
    return Move(before, delta, taken.after, taken.event, auto_banked, tuple(burns))


def _bank_unanswered(work: UnitOfWork, scale: Scale) -> Burn | None:
    offered = burn_on(scale, Burn.State.OFFERED)
    if offered:
        put(work, offered, state=Burn.State.BANKED)
    return offered


STATES = {Reached.OFFER: Burn.State.OFFERED, Reached.BOTH: Burn.State.FIRED, Reached.MAJOR: Burn.State.OPEN}


def _burn(work: UnitOfWork, cause: UUID, feeding: Feeding, kind: BurnKind, event: Reached) -> Burn:
    return Burn(
        pk=uuid5(cause, "burn"),
        scale=feeding.scale,
        kind=kind,
        major=event is Reached.MAJOR,
        state=STATES[event],
        cause_id=cause,
        character=feeding.character,
        at=work.now,
    )


def _moved_payload(scale: Scale, moved: Move) -> dict[str, Any]:
    """Return the Scale's payload with the move that led there: `before` + `delta` is what it reached, `after` where it is."""
    return scale_payload(scale, moved.state) | {"before": moved.before, "delta": moved.delta, "after": scale.value}
