from collections.abc import Callable, Iterator, Sequence
from typing import Any

from characters.sheets.common import DISPOSITION
from rules.errors import whole, word
from rulesets.storyteller.rules.roll import Kind
from scale.rules import scale
from scale.rules.oracles import major_burn
from scale.rules.scale import Answer, Burn, BurnKind, Effect, Side, State, Step, feeds
from tests.rules.cast import read_faces

# Names of rolls that the vectors tell apart and we do not: none of them feeds a Scale.
OTHER_KINDS = ("frenzy", "virtue", "oracle", "automatic")
STATE_FIELDS = ("scale", "pending", "banked", "die_modifier")


def scale_read(*, dice: Sequence[int], difficulty: int = 6) -> dict[str, int]:
    read = read_faces(dice, difficulty)
    counted = {name: getattr(read, name) for name in ("skipped_ones", "plus", "minus")}
    return {**counted, "neutral": read.counted - sum(counted.values()), "delta": read.delta}


def scale_step(*, state: dict[str, Any], delta: int, roll_type: str = "action") -> dict[str, Any]:
    before = _state(state)
    moves = feeds(_kind(roll_type) is Kind.ACTION, is_npc=False)
    moved = scale.step(before, delta) if moves else Step(before)
    return {
        "state": _payload(moved.after),
        "event": moved.event,
        "fires": [_name(burn) for burn in moved.fires],
        "auto_banked": before.pending if moves else None,
    }


def scale_answer(*, state: dict[str, Any], choice: str) -> dict[str, Any]:
    return _fired(scale.answer(_state(state), word("choice", choice, Answer)))


def scale_spend(*, state: dict[str, Any]) -> dict[str, Any]:
    return _fired(scale.spend(_state(state)))


def scale_effect(
    *, state: dict[str, Any], kind: str, effect: str, chosen_by: str, disposition: int = 0
) -> dict[str, Any]:
    chosen, by = word("effect", effect, Effect), word("chosen_by", chosen_by, Side)
    burned = word("kind", kind, BurnKind)
    after = scale.effect(_state(state), burned, chosen, by)
    if chosen is Effect.DISPOSITION:
        disposition = max(DISPOSITION.minimum, min(DISPOSITION.maximum, disposition + burned.sign))
    return {"state": _payload(after), "disposition": disposition}


def scale_session(*, dice_rolls: Sequence[Sequence[int]], difficulty: int = 6) -> dict[str, Any]:
    """Return the log and the state of a session in which every offer is banked at once."""
    state, log = State(), []
    for dice in dice_rolls:
        moved = scale.step(state, read_faces(dice, difficulty).delta)
        log.append([moved.event, moved.after.scale, *map(_name, moved.fires)])
        state = scale.answer(moved.after, Answer.BANK).after if moved.after.pending else moved.after
    return {"log": log, "state": _payload(state)}


def major_burn_call(
    *,
    kind: str,
    story_roll: int,
    oracle_roll: int,
    storylines: Sequence[str] = (),
    reason_roll: int | None = None,
    compound_roll: int | None = None,
) -> dict[str, Any]:
    """Return a Major Burn. A die that the vector does not name falls as a 1, and its result is left out."""

    def faces() -> Iterator[int]:
        yield story_roll
        if whole("dice", story_roll, 1, 10) > len(storylines) or not storylines[story_roll - 1]:
            yield reason_roll or 1
        yield oracle_roll
        yield compound_roll or 1

    burn = major_burn(word("kind", kind, BurnKind), storylines, faces())
    return {
        "story": burn.story or "(something new)",
        "reason": burn.reason.entry.title if burn.reason and reason_roll else None,
        "result": burn.result.entry.title,
        "compound": burn.second.entry.title if burn.second and compound_roll else None,
    }


def _state(payload: dict[str, Any]) -> State:
    pending, banked = (
        None if payload.get(name) is None else word(name, payload[name], BurnKind) for name in ("pending", "banked")
    )
    return State(payload.get("scale", 0), pending, banked, payload.get("die_modifier", 0))


def _payload(state: State) -> dict[str, Any]:
    return {name: getattr(state, name) for name in STATE_FIELDS}


def _fired(moved: Step) -> dict[str, Any]:
    return {"state": _payload(moved.after), "fires": [_name(burn) for burn in moved.fires]}


def _name(burn: Burn) -> str:
    return f"major {burn.kind}" if burn.major else str(burn.kind)


def _kind(roll_type: str) -> Kind:
    return Kind.OTHER if roll_type in OTHER_KINDS else word("roll_type", roll_type, Kind)


CALLS: dict[str, Callable[..., Any]] = {
    "scale_read": scale_read,
    "scale_step": scale_step,
    "scale_answer": scale_answer,
    "scale_spend": scale_spend,
    "scale_effect": scale_effect,
    "scale_session": scale_session,
    "major_burn": major_burn_call,
}
