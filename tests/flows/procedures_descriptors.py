"""Contests and a recovery, as they happen in the played campaign; one contest is being filled in the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from campaigns.models import Membership
from characters.models import Character
from characters.services import cards, fields
from rolls.models import Procedure
from rolls.services.procedures import act, open_procedure
from rules.acts import ActKey

NOTHING: dict[str, Any] = {"chips": [], "before": "", "name": "", "name_dice": None, "theirs": False, "dice": None}


def contests_happen(gm: Membership, mo: Membership, dice: Callable[..., None]) -> Procedure:
    """Play contests: Mo's Abigail wins against the tide and makes a Scene Descriptor, and rolls against an Injury of
    hers, which withstands. Return another open one, with an entry in her pool that waits to be accepted.
    """
    abigail = cards.make_character(mo, cards.Card("Abigail", "", mo), system="descriptors", key=uuid4())
    for rows, row in (("descriptors", {"name": "Swordplay", "dice": 3}), ("injuries", {"name": "Cut hand", "dice": 2})):
        abigail = fields.add_row(mo, abigail, rows, row, key=uuid4())
    won = _begin(mo, abigail)
    _do(mo, won, "use", "a", **_chips(abigail, "descriptors"))
    _do(gm, won, "use", "b", **NOTHING | {"dice": 2})
    _do(mo, won, "ready", "a")
    dice(9, 8, 2, 6, 4)
    _do(gm, won, "ready", "b")
    _do(mo, won, "make", "a", name="Out of breath")
    _recover(mo, abigail, dice)
    begun = _begin(mo, abigail)
    _do(mo, begun, "use", "a", **NOTHING | {"name": "A storm", "name_dice": 1})
    return begun


def _recover(mo: Membership, abigail: Character, dice: Callable[..., None]) -> None:
    row = abigail.rules.rows(abigail.values, "injuries")[0]
    given = {"injury": f"{abigail.pk}/{row['id']}", "helpers": [str(abigail.pk)], "override": False}
    begun = open_procedure(mo, "descriptors", "recovery", given, reason="before dawn", key=uuid4())
    _do(mo, begun, "use", "a", **_chips(abigail, "descriptors"))
    dice(2, 2, 2, 9, 9)
    _do(mo, begun, "ready", "a")


def _begin(mo: Membership, abigail: Character) -> Procedure:
    given = {"a_character": abigail.pk, "b_character": None, "b_name": "The tide", "b_dice": None, "override": False}
    return open_procedure(mo, "descriptors", "contest", given, reason="at the gate", key=uuid4())


def _chips(character: Character, rows: str) -> dict[str, Any]:
    row = character.rules.rows(character.values, rows)[0]
    return NOTHING | {"chips": [f"{character.pk}/{rows}/{row['id']}"]}


def _do(by: Membership, procedure: Procedure, name: str, whom: str, /, **given: Any) -> None:
    act(by, procedure.pk, ActKey(name, whom), given=given, key=uuid4())
