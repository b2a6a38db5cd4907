"""An event in turns at the table of `checks`, in one line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import uuid4

from campaigns.models import Membership
from rolls.events import described_procedure
from rolls.models import Procedure
from rolls.queries.procedures import procedure_payload
from rolls.services.procedures import act, open_procedure
from rules.acts import ActKey
from tests import dice

LINE = {
    "som": 5,
    "empathy": 4,
    "perception": 4,
    "es": 5,
    "control": 5,
    "size": "medium",
    "burden": "none",
    "how": "aware",
}


def line(name: str, **more: Any) -> dict[str, Any]:
    """Return one kind of nameless participants, as the form reads it."""
    return {"name": name, "many": 1, "ally": False, **LINE, **more}


def those(*characters: Any, lines: Iterable[dict[str, Any]] = (), **how: str) -> dict[str, Any]:
    """Whose names are in `how` are as it says, the others aware."""
    chosen = [f"{how.get(one.name.split()[0], 'aware')}:{one.pk}" for one in characters]
    return {"takes_part": chosen, "allies": [], "lines": list(lines)}


def begin(by: Membership, *characters: Any, faces: Iterable[int] = (), apart: bool = False, **given: Any) -> Procedure:
    dice.unload()
    dice.load(*faces)
    asked = those(*characters, **given) | {"apart": apart}
    return open_procedure(by, "arc", "tracker", asked, reason="at the gate", key=uuid4())


def shown(procedure: Procedure, *, is_gm: bool = True) -> dict[str, Any]:
    """Return the card as it is now."""
    now = Procedure.objects.select_related("opened_by__user").get(pk=procedure.pk)
    return described_procedure(procedure_payload(now, is_gm=is_gm))


def staged(procedure: Procedure, *, is_gm: bool = True) -> Any:
    return shown(procedure, is_gm=is_gm)["staged"]


def arisen(procedure: Procedure) -> list[tuple[str, str]]:
    """Return the occasions of Reaction checks that wait for a GM, and whose they are."""
    return [(row["whose"], row["words"]) for row in staged(procedure)["rows"] if row["look"] == "trouble"]


def outcomes(procedure: Procedure, *, is_gm: bool = True) -> list[str]:
    """Return what happens at the end of this turn."""
    rows = staged(procedure, is_gm=is_gm)["rows"]
    return [row["words"] for row in rows if row["words"] and row["look"] != "trouble"]


def turn_of(procedure: Procedure, name: str, *, is_gm: bool = True) -> Any:
    """Return a participant's place in this turn."""
    return next(turn for turn in staged(procedure, is_gm=is_gm)["turns"] if turn["name"] == name)


def key_of(procedure: Procedure, name: str) -> str:
    there = Procedure.objects.get(pk=procedure.pk).state["participants"]
    return next((one["key"] for one in there if one["name"] == name), "")


def do(
    procedure: Procedure, by: Membership, name: str, whom: str = "", /, *, faces: Iterable[int] = (), **given: Any
) -> Procedure:
    """Take a step in the current state, for the participant with this name."""
    dice.unload()
    dice.load(*faces)
    if name in ("declare", "go_on"):
        given = {"words": "strikes", "actions": 1, "skills": [], "against": [], "moves": None} | given
    override, key = given.pop("override", False), given.pop("key", uuid4())
    key_for = key_of(procedure, whom) or whom
    return act(by, procedure.pk, ActKey(name, key_for), given=given, override=override, key=key)


def order(procedure: Procedure) -> list[str]:
    """Return the names of those who declare in this turn, in order."""
    return [turn["name"] for turn in staged(procedure)["turns"] if turn["status"] != "waits"]


def waits(procedure: Procedure) -> list[tuple[str, str]]:
    return [(one["name"], one["words"]) for one in shown(procedure)["waits"]]
