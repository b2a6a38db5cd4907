"""A staged action at the table of `play`, and its steps in one line."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from uuid import uuid4

from campaigns.models import Clock, Event, Membership
from characters.models import Character
from rolls.events import described_procedure
from rolls.models import Procedure, Roll
from rolls.queries.procedures import procedure_payload
from rolls.queries.table import StoredTable, procedure_row
from rolls.services.procedures import act, open_procedure
from rules.acts import ActKey
from rules.table import Table
from rulesets.forged.procedures import PROCEDURES
from rulesets.forged.procedures.action import StagedAction
from rulesets.forged.procedures.action_card import terms_said
from tests import dice
from tests.cast import seat_at

OPENED = {"action": "prowl"}
SET: dict[str, Any] = {"position": "risky", "base": "standard", "potency": 0, "quality": 0, "scale": 0}
INFLICTED: dict[str, Any] = {"code": "complication", "words": "The alarm rings", "attribute": "prowess"}


def begin(by: Membership, acting: Character, **given: Any) -> Procedure:
    return open_procedure(
        by, "forged", "action", OPENED | {"character": acting.pk} | given, reason="across the yard", key=uuid4()
    )


def press(
    by: Membership, procedure: Procedure, name: str, whom: object = "", /, *, faces: tuple[int, ...] = (), **given: Any
) -> Procedure:
    """Take a step in the current state."""
    dice.unload()
    dice.load(*faces)
    override = given.pop("override", False)
    return act(by, procedure.pk, ActKey(name, str(whom)), given=given, override=override, key=uuid4())


def offers(by: Membership, procedure: Procedure, words: str, **given: Any) -> Procedure:
    """Offer a Devil’s Bargain."""
    return press(by, procedure, "offer", **{"words": words, "coin": 0, "item": ""} | given)


def sets(gm: Membership, procedure: Procedure, **given: Any) -> Procedure:
    return press(gm, procedure, "set", **SET | given)


def announced(play: Any, acting: Character, **asked: Any) -> Procedure:
    """Return an action of Mo's that is announced and set."""
    return sets(play.gm, begin(play.mo, acting), **asked)


def inflicts(gm: Membership, procedure: Procedure, code: str, /, **given: Any) -> Procedure:
    return press(gm, procedure, "inflict", **INFLICTED | {"code": code} | given)


def state(procedure: Procedure) -> dict[str, Any]:
    return Procedure.objects.get(pk=procedure.pk).state


def action(procedure: Procedure) -> tuple[StagedAction, Table]:
    """Return the action as its rules have it, and the table that it is on."""
    now = Procedure.objects.get(pk=procedure.pk)
    table = StoredTable(now.campaign, "forged")
    return table.hold(procedure_row(StagedAction, now), now.pk), table


def terms(procedure: Procedure) -> str:
    """Return the position and the effect that are set, in words."""
    return str(terms_said(*action(procedure)))


def shown(gm: Membership, procedure: Procedure, **given: Any) -> dict[str, Any]:
    """Return what the GM's part of the card has to set it with, once this was pressed there."""
    return PROCEDURES["action"].forms["set"].choices_in(seat_at(gm), procedure, (), given)


def drawn(procedure: Procedure, *, is_gm: bool = True) -> dict[str, Any]:
    """Return the procedure as a table page draws it, with its card as an object."""
    now = Procedure.objects.select_related("opened_by__user").get(pk=procedure.pk)
    shown = described_procedure(procedure_payload(now, is_gm=is_gm))
    return {**shown, "staged": _object(shown["staged"])}


def _object(value: Any) -> Any:
    if isinstance(value, list):
        return [_object(one) for one in value]
    if isinstance(value, dict):
        return SimpleNamespace(**{name: one if name == "odds" else _object(one) for name, one in value.items()})
    return value


def offered(procedure: Procedure, member: Membership) -> set[str]:
    """Return the acts that this member, not a GM, is offered: "roll", "assist"."""
    staged = drawn(procedure)["staged"]
    buttons = [*staged.offers, *staged.acts, *staged.own]
    for row in staged.rows:
        buttons += row.buttons
    return {one.name for one in buttons if member.number in one.members}


def clock(play: Any, name: str = "Alarm", segments: int = 6) -> Clock:
    return Clock.objects.create(campaign=play.campaign, name=name, segments=segments, order=1, opened=True)


def filled(one: Clock) -> int:
    return Clock.objects.get(pk=one.pk).filled


def newest_roll() -> Roll:
    return Roll.objects.order_by("-at", "-pk").first()


def rolled(play: Any, acting: Character, face: int, **asked: Any) -> Procedure:
    """Return an action of Mo's with this face."""
    return press(play.mo, announced(play, acting, **asked), "roll", acting.pk, faces=(face,))


def harms(character: Character, level: int) -> list[str]:
    character.refresh_from_db()
    return [row["name"] for row in character.rules.rows(character.values, f"harm_{level}")]


def over(procedure: Procedure) -> bool:
    return Procedure.objects.get(pk=procedure.pk).closed_at is not None


def said() -> str:
    """Return the newest line of the log that a procedure wrote."""
    told = Event.objects.filter(kind__startswith="rolls.procedure").order_by("-pk")
    return next(event.described["said"] for event in told if event.described["said"])
